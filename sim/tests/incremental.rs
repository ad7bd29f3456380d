//! The simulator's short cuts, compared on random walks with the explorer's full lists: single
//! tasks with all actions of an actor, the index of free identifiers with a scan, and a transaction
//! planned earlier with one that is planned again.

use std::collections::BTreeSet;

use deathwatch_model::{
    action::{Act, Action, Fault, TxnAct},
    actor::{Actor, Client},
    agents::{self, Enabled},
    free_ids::{FreeIdIndex, FreeIds, Scan},
    ids::{EntityId, Id, UserId},
    operation::Operation,
    protocol::{self, Effects},
    state::State,
    txn::Txn,
    world::{Transactions, World, every_of},
};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_simulator::dice::Dice;

use crate::common::{
    dice,
    worlds::{scenarios, small_worlds},
};

/// The number of units of each application for which the machine of a new unit is compared.
const MOST_UNITS: usize = 3;

/// A walk with the simulator's short cuts.
struct Walker<'a> {
    world: &'a World,
    state: State,
    free_ids: FreeIdIndex,
    enabled: Enabled,
    effects: Effects,
}

impl<'a> Walker<'a> {
    fn new(world: &'a World, state: State) -> Self {
        let free_ids = FreeIdIndex::of(world, &state);
        Self { world, state, free_ids, enabled: Enabled::default(), effects: Effects::default() }
    }

    /// The enabled action for `wanted`: a script's client does not know whether it commits or
    /// aborts.
    fn find(&self, wanted: Action) -> Option<(Action, Option<Txn>)> {
        let (state, enabled) = (&self.state, &mut Enabled::default());
        agents::find_enabled(self.world, state, wanted, &self.free_ids, enabled)
    }

    /// Does an action as it was planned, and on a copy after planning it again.
    fn step(&mut self, action: Action, planned: Option<Txn>) {
        let Self { world, state, free_ids, effects, .. } = self;
        let mut copy = state.clone();
        let outcome = protocol::step_as_planned(world, state, action, planned, free_ids, effects);
        let mut again = Effects::default();
        let shown = world.show(&action);
        assert_eq!(outcome, protocol::step(world, &mut copy, action, &mut again), "{shown}");
        assert_eq!(*state, copy, "{shown}");
        assert_eq!(effects.touched, again.touched, "{shown}");
        free_ids.update(world, state, &effects.touched);
        self.check_free_ids(&shown);
    }

    fn check_free_ids(&self, after: &str) {
        let (world, state, free_ids) = (self.world, &self.state, &self.free_ids);
        for id in world.application_ids() {
            let name = &world.application(id).name;
            assert_eq!(
                free_ids.unit(world, state, id),
                Scan.unit(world, state, id),
                "{after}: {name}"
            );
        }
        let units = |id| world.application(id).units().take(MOST_UNITS);
        for id in world.application_ids().flat_map(units) {
            let scanned = Scan.machine(world, state, id);
            assert_eq!(free_ids.machine(world, state, id), scanned, "{after}");
        }
        for id in world.machine_ids() {
            let unused = Scan.is_machine_unused(state, id);
            assert_eq!(free_ids.is_machine_unused(state, id), unused, "{after}: {}", id.index());
        }
    }

    /// Lists all actions task by task, and compares them with the full list.
    fn list(&mut self) {
        self.enabled.clear();
        for actor in agents::actors(self.world) {
            let mut whole = Vec::new();
            agents::enabled_for(self.world, &self.state, actor, &mut whole);
            let mut enabled = Enabled::default();
            match actor {
                Actor::User(id) => self.list_user(id, &mut enabled),
                _ => self.list_tasks(actor, &mut enabled),
            }
            assert_eq!(enabled.actions, whole, "{}", self.world.show_actor(actor));
            self.check_finish(actor, &whole);
            self.enabled.actions.append(&mut enabled.actions);
            self.enabled.plans.append(&mut enabled.plans);
        }
        self.check_faults();
    }

    fn list_user(&self, id: UserId, enabled: &mut Enabled) {
        let (world, state, free_ids) = (self.world, &self.state, &self.free_ids);
        if !agents::user_goes_on(world, state, id, free_ids, enabled) {
            for index in 0..world.commands.len() {
                agents::user_gives(world, state, id, index, free_ids, enabled);
            }
        }
        once_each(enabled);
    }

    fn list_tasks(&self, actor: Actor, enabled: &mut Enabled) {
        for task in agents::tasks(self.world, actor) {
            agents::enabled_for_task(self.world, &self.state, task, &self.free_ids, enabled);
        }
        once_each(enabled);
    }

    fn check_finish(&self, actor: Actor, whole: &[Action]) {
        let (mut finish, mut own) = (Enabled::default(), whole.to_vec());
        let client = actor.client();
        if let Some(client) = client {
            agents::finish_for(self.world, &self.state, client, &mut finish);
        }
        let has_pending = client.is_some_and(|it| self.state.runtime.pending(it).is_some());
        // A former provisioner is another process than the present one, which has begun the
        // transaction.
        own.retain(|it| has_pending && !matches!(it.act, Act::Provisioner(act) if act.is_late()));
        assert_eq!(finish.actions, own);
    }

    /// Asserts that exactly the listed faults can be injected.
    fn check_faults(&self) {
        let (world, state) = (self.world, &self.state);
        let mut listed = Vec::new();
        agents::enabled_for(world, state, Actor::Faults, &mut listed);
        let listed: BTreeSet<Act> = listed.iter().map(|action| action.act).collect();
        let all = every_of::<Fault>(world).into_iter();
        let can = all.filter(|fault| agents::can_inject(world, state, *fault));
        let can: BTreeSet<Act> = can.map(Act::Faults).collect();
        assert_eq!(can, listed);
    }
}

/// Removes repeated actions.
fn once_each(enabled: &mut Enabled) {
    let mut seen = BTreeSet::new();
    let mut is_new =
        enabled.actions.iter().map(|action| seen.insert(action.act)).collect::<Vec<_>>();
    is_new.reverse();
    let (mut new, mut also_new) = (is_new.clone(), is_new);
    enabled.actions.retain(|_| new.pop().expect("one each"));
    enabled.plans.retain(|_| also_new.pop().expect("one each"));
}

/// A random action of a script's client. In particular, a unit may leave a scope after its document
/// is gone.
fn client_action(scenario: &Scenario, state: &State, dice: &mut Dice) -> Option<Action> {
    let world = &scenario.world;
    let client = Client::Script(0);
    if agents::pending(state, client).is_some() {
        return Some(Action { act: Act::Txn(client, TxnAct::Commit), duty: None });
    }
    let subjects: Vec<EntityId> = world
        .unit_ids()
        .map(EntityId::Unit)
        .chain(world.machine_ids().map(EntityId::Machine))
        .collect();
    let operation = match subjects[dice.index(subjects.len())] {
        EntityId::Machine(id) => Operation::RemoveMachine(id),
        EntityId::Unit(id) => match (dice.index(3), world.relations_of(id)) {
            (0, [.., relation]) => Operation::LeaveScope(id, *relation),
            (1, [relation, ..]) => Operation::EnterScope(id, *relation),
            _ => Operation::RemoveUnit(id),
        },
        EntityId::Application(_) | EntityId::Relation(_) => return None,
    };
    let act = match world.transactions {
        Transactions::Split => TxnAct::Begin(operation),
        Transactions::Atomic => TxnAct::Run(operation),
    };
    Some(Action { act: Act::Txn(client, act), duty: None })
}

/// Walks, and compares after every step. A client acts before one step in `client_every`; never, if
/// that is 0.
fn walk(scenario: &Scenario, start: &State, dice: &mut Dice, length: usize, client_every: usize) {
    let mut walker = Walker::new(&scenario.world, start.clone());
    walker.check_free_ids("the start");
    for _ in 0..length {
        if client_every > 0
            && dice.index(client_every) == 0
            && let Some(action) = client_action(scenario, &walker.state, dice)
            && let Some((action, planned)) = walker.find(action)
        {
            walker.step(action, planned);
        }
        walker.list();
        let count = walker.enabled.actions.len();
        if count == 0 {
            break;
        }
        let chosen = dice.index(count);
        let planned = walker.enabled.plans[chosen].take();
        walker.step(walker.enabled.actions[chosen], planned);
    }
}

#[test]
fn task_by_task_is_everything_in_shipped_scenarios() {
    for scenario in small_worlds() {
        let state = replay(&scenario).expect("a script").state;
        for seed in 0..3 {
            walk(&scenario, &state, &mut dice(seed), 60, 0);
        }
    }
}

#[test]
fn task_by_task_is_everything_with_faults() {
    for scenario in scenarios() {
        for seed in 0..20 {
            walk(&scenario, &scenario.start, &mut dice(seed), 200, if seed < 10 { 0 } else { 6 });
        }
    }
}

#[test]
fn a_session_takes_free_identifiers_as_it_goes() {
    for (transactions, assignment) in [
        ("split", "separate-transaction"),
        ("atomic", "separate-transaction"),
        ("split", "with-unit"),
        ("atomic", "with-unit"),
    ] {
        let scenario = crate::common::good(&format!(
            r#"
shows = "Units come and go."
[variants]
unit-assignment = "{assignment}"
[world]
transactions = "{transactions}"
[world.machines]
0 = {{ jobs = ["manage-model"] }}
1 = {{ exists = false }}
2 = {{ provisioned = false }}
3 = {{ exists = false }}
"2/lxc/0" = {{ host = "2", exists = false }}
[world.applications]
wordpress = {{ exists = false, most-units = 5 }}
logging = {{ subordinate = true, most-units = 2 }}
[world.relations]
"wordpress:cluster" = {{ exists = false }}
"wordpress:info logging:info" = {{ scope = "container", exists = false }}
[user]
"deploy wordpress 4" = "unlimited"
"add-unit wordpress" = "unlimited"
"integrate wordpress:info logging:info" = "unlimited"
"destroy-application wordpress" = 3
"destroy-unit wordpress/1" = "unlimited"
"destroy-unit --force wordpress/2" = "unlimited"
"destroy-machine 1" = "unlimited"
"add-machine 3" = "unlimited"
"add-machine 2/lxc/0" = "unlimited"
[faults]
abort = true
lost-connection = true
"#
        ));
        for seed in 0..30 {
            walk(&scenario, &scenario.start, &mut dice(seed), 300, if seed < 20 { 0 } else { 8 });
        }
    }
}

#[test]
fn an_identifier_is_free_once_its_unit_is_in_no_scope_either() {
    let scenario = crate::common::good(
        r#"
shows = "A unit is removed while it is in scope, and leaves the scope later."
[variants]
dead-while-in-scope = "allowed"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
[world.applications]
wordpress = { units = ["1", "1"], deployed = false, most-units = 3 }
[world.relations]
"wordpress:cluster" = { entered = ["wordpress/0", "wordpress/1"] }
[user]
"destroy-unit wordpress/0" = "unlimited"
"destroy-unit wordpress/1" = "unlimited"
"add-unit wordpress" = "unlimited"
"#,
    );
    for seed in 0..40 {
        walk(&scenario, &scenario.start, &mut dice(seed), 150, 4);
    }
}
