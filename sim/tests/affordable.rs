//! What the simulator calls to act one thing at a time, against what the explorer calls to see
//! everything: on random walks both must offer the same and do the same.

mod common;

use std::collections::BTreeSet;

use common::{
    Dice,
    worlds::{scenarios, small_worlds},
};
use deathwatch_model::{
    action::{Act, Action, Actor, Agent},
    agents::{self, Enabled},
    free_ids::{FreeIds, Index, Scan},
    ids::{EntityId, Id},
    operation::Operation,
    protocol::{self, Effects},
    state::State,
    world::{Transactions, World},
};
use deathwatch_sim::{Scenario, replay};

/// A walk, as the simulator would take it.
struct Walker<'a> {
    world: &'a World,
    state: State,
    places: Index,
    offered: Enabled,
    effects: Effects,
}

impl<'a> Walker<'a> {
    fn new(world: &'a World, state: State) -> Self {
        let places = Index::of(world, &state);
        Self { world, state, places, offered: Enabled::default(), effects: Effects::default() }
    }

    /// Does an action as it was planned, here and, planned again, on a copy.
    fn go(&mut self, action: Action, planned: Option<deathwatch_model::txn::Txn>) {
        let Self { world, state, places, effects, .. } = self;
        let mut copy = state.clone();
        let outcome = protocol::step_as_planned(world, state, action, planned, places, effects);
        let mut again = Effects::default();
        let shown = world.show(&action);
        assert_eq!(outcome, protocol::step(world, &mut copy, action, &mut again), "{shown}");
        assert_eq!(*state, copy, "{shown}");
        assert_eq!(effects.touched, again.touched, "{shown}");
        places.update(world, state, &effects.touched);
        self.places_are_right(&shown);
    }

    fn places_are_right(&self, after: &str) {
        let (world, state, places) = (self.world, &self.state, &self.places);
        for id in world.application_ids() {
            let name = &world.application(id).name;
            assert_eq!(
                places.unit(world, state, id),
                Scan.unit(world, state, id),
                "{after}: {name}"
            );
        }
        assert_eq!(places.machine(world, state), Scan.machine(world, state), "{after}");
        for id in world.machine_ids() {
            let unused = Scan.is_machine_unused(state, id);
            assert_eq!(places.is_machine_unused(state, id), unused, "{after}: {}", id.index());
        }
    }

    /// Lists everything, one watch after the other, and compares with the whole.
    fn list(&mut self) {
        self.offered.clear();
        for actor in agents::actors(self.world) {
            let mut whole = Vec::new();
            agents::enabled_for(self.world, &self.state, actor, &mut whole);
            let mut offered = Enabled::default();
            match actor {
                Actor::User => self.list_user(&mut offered),
                _ => self.list_watches(actor, &mut offered),
            }
            assert_eq!(offered.actions, whole, "{}", self.world.show_actor(actor));
            self.finish_is_right(actor, &whole);
            self.offered.actions.append(&mut offered.actions);
            self.offered.plans.append(&mut offered.plans);
        }
        self.strikes_are_right();
    }

    fn list_user(&self, offered: &mut Enabled) {
        let (world, state, places) = (self.world, &self.state, &self.places);
        if !agents::user_goes_on(world, state, places, offered) {
            for place in 0..world.commands.len() {
                agents::user_gives(world, state, place, places, offered);
            }
        }
        once_each(offered);
    }

    fn list_watches(&self, actor: Actor, offered: &mut Enabled) {
        for task in agents::tasks(self.world, actor) {
            agents::enabled_for_task(self.world, &self.state, task, &self.places, offered);
        }
        once_each(offered);
    }

    fn finish_is_right(&self, actor: Actor, whole: &[Action]) {
        let mut finish = Enabled::default();
        agents::finish_for(self.world, &self.state, actor, &mut finish);
        let has_flight = agents::pending(&self.state, actor).is_some();
        assert_eq!(finish.actions, if has_flight { whole } else { &[] });
    }

    /// Exactly those faults can strike that are listed.
    fn strikes_are_right(&self) {
        let (world, state) = (self.world, &self.state);
        let mut listed = Vec::new();
        agents::enabled_for(world, state, Actor::Faults, &mut listed);
        let listed: BTreeSet<Act> = listed.iter().map(|action| action.act).collect();
        let all = all_faults(world);
        let can: BTreeSet<Act> =
            all.into_iter().filter(|act| agents::can_strike(world, state, *act)).collect();
        assert_eq!(can, listed);
    }
}

/// Leaves out what is offered a second time.
fn once_each(offered: &mut Enabled) {
    let mut seen = BTreeSet::new();
    let mut is_new =
        offered.actions.iter().map(|action| seen.insert(action.act)).collect::<Vec<_>>();
    is_new.reverse();
    let (mut new, mut also_new) = (is_new.clone(), is_new);
    offered.actions.retain(|_| new.pop().expect("one each"));
    offered.plans.retain(|_| also_new.pop().expect("one each"));
}

fn all_faults(world: &World) -> Vec<Act> {
    let mut all = vec![Act::LoseConnection, Act::Upgrade];
    for actor in agents::actors(world).chain([Actor::Client(0)]) {
        all.push(Act::AbortTxn(actor));
    }
    for id in world.machine_ids() {
        all.extend([Act::Crash(Agent::Machine(id)), Act::FailHardware(id)]);
        all.push(Act::FailHardwareUnnoticed(id));
    }
    for id in world.unit_ids() {
        all.push(Act::Crash(Agent::Unit(id)));
        all.extend(world.relation_ids().map(|relation| Act::FailHooks(id, relation)));
    }
    all
}

/// Something that a client of a script may do: in particular, it takes a unit out of a scope that
/// its document does not exist any more for.
fn meddle(scenario: &Scenario, state: &State, dice: &mut Dice) -> Option<Action> {
    let world = &scenario.world;
    let actor = Actor::Client(0);
    if agents::pending(state, actor).is_some() {
        return Some(Action { actor, act: Act::Commit, duty: None });
    }
    let subjects: Vec<EntityId> = world
        .unit_ids()
        .map(EntityId::Unit)
        .chain(world.machine_ids().map(EntityId::Machine))
        .collect();
    let operation = match subjects[dice.below(subjects.len())] {
        EntityId::Machine(id) => Operation::RemoveMachine(id),
        EntityId::Unit(id) => match (dice.below(3), world.relations_of(id)) {
            (0, [.., relation]) => Operation::LeaveScope(id, *relation),
            (1, [relation, ..]) => Operation::EnterScope(id, *relation),
            _ => Operation::RemoveUnit(id),
        },
        EntityId::Application(_) | EntityId::Relation(_) => return None,
    };
    let act = match world.transactions {
        Transactions::Split => Act::Begin(operation),
        Transactions::Atomic => Act::Run(operation),
    };
    Some(Action { actor, act, duty: None })
}

/// Walks, and compares after every step. Now and then a client acts, if `meddles` says how often.
fn walk(scenario: &Scenario, start: &State, dice: &mut Dice, length: usize, meddles: usize) {
    let mut walker = Walker::new(&scenario.world, start.clone());
    walker.places_are_right("the start");
    for _ in 0..length {
        if meddles > 0
            && dice.below(meddles) == 0
            && let Some(action) = meddle(scenario, &walker.state, dice)
        {
            walker.go(action, None);
        }
        walker.list();
        let count = walker.offered.actions.len();
        if count == 0 {
            break;
        }
        let chosen = dice.below(count);
        let planned = walker.offered.plans[chosen].take();
        walker.go(walker.offered.actions[chosen], planned);
    }
}

#[test]
fn in_every_shipped_scenario_a_watch_at_a_time_is_everything() {
    for scenario in small_worlds() {
        let state = replay(&scenario).expect("a script").state;
        for seed in 0..3 {
            walk(&scenario, &state, &mut Dice(seed), 60, 0);
        }
    }
}

#[test]
fn in_storms_a_watch_at_a_time_is_everything() {
    for scenario in scenarios() {
        for seed in 0..20 {
            walk(&scenario, &scenario.start, &mut Dice(seed), 200, if seed < 10 { 0 } else { 6 });
        }
    }
}

#[test]
fn a_session_finds_its_places_as_it_goes() {
    for (transactions, assignment) in [
        ("split", "separate-transaction"),
        ("atomic", "separate-transaction"),
        ("split", "with-unit"),
        ("atomic", "with-unit"),
    ] {
        let scenario = common::good(&format!(
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
            walk(&scenario, &scenario.start, &mut Dice(seed), 300, if seed < 20 { 0 } else { 8 });
        }
    }
}

/// Nobody but a client's script does this where a unit leaves its scopes before it dies.
#[test]
fn a_place_is_free_once_its_unit_is_in_no_scope_either() {
    let scenario = common::good(
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
        walk(&scenario, &scenario.start, &mut Dice(seed), 150, 4);
    }
}
