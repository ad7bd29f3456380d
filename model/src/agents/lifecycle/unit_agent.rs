//! The unit agent: Entity lifecycle, "Agents" (D2:347-369). Its duties towards scopes are in
//! `scopes`, and those towards the hooks of its unit in `hooks`.

use super::{
    deployer::{self, Deployer},
    scopes,
};
use crate::{
    action::{Act, Hook, Outcome, UnitAct, with_unit_acts},
    actor::{Agent, Client},
    agents::{
        Lister, Task,
        charm::{config, directory, hook_failures, hooks, observers, ports, requests, settings},
        context::StepContext,
        own_duties,
        startup::{watches, workflow},
        watched::{Wake, WatchedStep},
    },
    clause::Rule::UnitAgent,
    free_ids::FreeIds,
    ids::{ApplicationId, EntityId, Placement, UnitId},
    life::Life::{Alive, Dying},
    operation::Operation,
    ops,
    rows::Row,
    state::State,
    store::Unit,
    variants::{SubordinateDiesWhen, SubordinatesOfDyingPrincipal},
    world::{Scope, World},
};

/// Lists the next actions of the agent of `me`.
pub(crate) fn duties(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    let (acts, deploys) =
        (state.unit_agent_acts(world, me), hooks::deploys_in_error(me, world, state));
    if !acts {
        directory::upgrade_in_error(me, list);
        requests::in_error(me, list);
        workflow::in_error(me, list);
    }
    if !acts && !deploys {
        return;
    }
    ports::look_at(me, list);
    config::look_at(me, list);
    if acts {
        settings::tools(me, list);
    }
    if state.runtime.is_cut_off(me) {
        return workflow::without_connection(me, list);
    }
    let has_begun = state.runtime.pending(Client::Unit(me)).is_some();
    if has_begun && settings::list_urgent(me, list)
        || list.finish(Client::Unit(me))
        || list.decided(me)
    {
        return;
    }
    match state.store.unit(me) {
        Some(unit) if !acts => deploy(me, unit, list),
        Some(_) | None => owed(me, list),
    }
}

/// Lists the actions that the agent of `me`, which can act, would begin next.
pub(crate) fn owed(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    let Some(unit) = state.store.unit(me) else { return };
    if settings::list_urgent(me, list)
        || workflow::list_urgent(me, unit, list)
        || watches::list_urgent(me, list)
        || scopes::list_urgent(me, list)
        || hooks::list_urgent(me, unit, list)
    {
        return;
    }
    hooks::look_at(me, list);
    directory::look_at(me, unit, list);
    watches::look_at(me, list);
    for &relation in world.relations_of(me) {
        scopes::look_at(me, unit, relation, list);
    }
    deploy(me, unit, list);
    let application = world.unit(me).application;
    // Detect its application's Dying state, and set its own Dying state.
    if unit.life == Alive && state.store.application_life(application) == Some(Dying) {
        transact(me, 6, Operation::DestroyUnit(me), list);
    }
    // If a subordinate, detect that no relations with its principal are Alive.
    if unit.life == Alive && has_lost_its_principal(me, unit, list) {
        transact(me, 7, Operation::DestroyUnit(me), list);
    }
    // Detect its own Dying state.
    if unit.life == Dying {
        die(me, unit, list);
    }
    own_duties::duties(Task::UnitAgent(me), list);
}

/// Lists the duties of a deployer of subordinates.
fn deploy(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    let there = &list.state.runtime.unit(me).deployed;
    if unit.subordinates.is_empty() && there.is_empty() {
        return;
    }
    // Detect undeployed Alive subordinates, undeployed ones that are not Alive, deployed Dead ones.
    let agent = Agent::Unit(me);
    let deployer = Deployer { agent, rule: UnitAgent, deploy: 3, remove: 4, recall: 5 };
    for subordinate in unit.subordinates.iter() {
        deployer.duties(subordinate, list);
    }
    for orphan in there.iter().filter(|id| !unit.subordinates.contains(*id)) {
        deployer.recall_orphan(orphan, 12, list);
    }
}

/// Lists a transaction of the agent of `me` that is its duty.
fn transact(me: UnitId, number: u8, operation: Operation, list: &mut Lister<'_>) {
    list.transact(Client::Unit(me), UnitAgent, number, operation);
}

/// Whether no relation requires the subordinate `unit` beside its principal any more.
fn has_lost_its_principal(me: UnitId, unit: &Unit, list: &Lister<'_>) -> bool {
    let Placement::Principal(principal) = unit.placement else { return false };
    let store = &list.state.store;
    let mut keeping = ops::keeping(list.world, me, principal);
    match list.world.variants.subordinate_dies_when {
        SubordinateDiesWhen::LastRelationWithPrincipal
        | SubordinateDiesWhen::LastRelationOfAnyScope
        | SubordinateDiesWhen::LastContainerRelation => {
            keeping.all(|id| store.relation_life(*id) != Some(Alive))
        }
        SubordinateDiesWhen::AnyContainerRelation => {
            let some_ends = keeping.clone().any(|id| store.relation_life(*id) == Some(Dying));
            some_ends || keeping.all(|id| store.relation_life(*id) != Some(Alive))
        }
    }
}

/// The duties of a Dying unit besides leaving its scopes: its subordinates, and its own end.
fn die(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    if list.world.variants.subordinates_of_dying_principal
        == SubordinatesOfDyingPrincipal::DestroyedByPrincipal
    {
        for subordinate in unit.subordinates.iter() {
            transact(me, 9, Operation::DestroyUnit(subordinate), list);
        }
    }
    let (world, state) = (list.world, list.state);
    if !scopes::has_left_all(me, world, state) {
        return;
    }
    if hooks::has_to_stop(me, world, state) {
        list.hook(me, UnitAgent, 15, Hook::Stop);
    } else if !workflow::stops(me, list) && unit.subordinates.is_empty() {
        transact(me, 10, Operation::SetUnitDead(me), list);
    }
}

/// Does an act of the agent of `me`.
pub(crate) fn apply(me: UnitId, act: UnitAct, step: &mut StepContext<'_>) -> Outcome {
    if does_nothing(step.world, step.state, Act::UnitAgent(me, act)) {
        return Outcome::NoOp;
    }
    carry_out(me, act, step);
    Outcome::Done
}

macro_rules! carry_out {
    ($($variant:ident $(($($parameter:ident: $type:ident),+))?
        $verb:literal $example:literal $meaning:literal by $file:ident::$does:ident;)+) => {
        /// Does an act of the agent of `me` that does something, as its row says.
        fn carry_out(me: UnitId, act: UnitAct, step: &mut StepContext<'_>) {
            match act {
                $(UnitAct::$variant $(($($parameter),+))? => {
                    $file::$does(me, $($($parameter,)+)? step);
                })+
            }
        }
    };
}

with_unit_acts!(carry_out);

/// Whether an act is a repeated use of a hook's tool that changes nothing (D4:131-133, D4:321-324).
pub fn does_nothing(world: &World, state: &State, act: Act) -> bool {
    match act {
        Act::UnitAgent(me, UnitAct::GetConfig) => config::reads_again(me, world, state),
        Act::UnitAgent(me, act) => settings::does_nothing(me, act, world, state),
        Act::Txn(..)
        | Act::Hook(..)
        | Act::MachineAgent(..)
        | Act::Provisioner(_)
        | Act::Cleaner(_)
        | Act::Faults(_)
        | Act::Operator(_)
        | Act::Supervisor(_) => false,
    }
}

/// Changes the disk of the agent of `me` after it has committed `operation`.
pub(crate) fn committed(me: UnitId, operation: Operation, step: &mut StepContext<'_>) {
    match operation {
        Operation::EnterScope(unit, relation) if me == unit => scopes::entered(me, relation, step),
        Operation::LeaveScope(unit, relation) if me == unit => scopes::left(me, relation, step),
        _ => {}
    }
}

/// Names the tasks of unit agents that watch `row`.
pub(crate) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    match row {
        Row::Unit(me) => {
            wake(Task::UnitAgent(me));
            deployer::units(change, me).for_each(wake);
        }
        Row::Scope(relation, me) => {
            wake(Task::UnitAgent(me));
            let waiting = scopes::waiting(relation, change.world, change.after);
            waiting.map(Task::UnitAgent).for_each(&mut *wake);
            if change.world.detail.relations {
                let observers = observers::observers(me, relation, change.world, change.after);
                observers.into_iter().map(Task::UnitAgent).for_each(&mut *wake);
            }
            if !change.after.runtime.is_deployed(me) {
                deployer::units(change, me).for_each(wake);
            }
        }
        Row::UnitRuntime(me) => {
            wake(Task::UnitAgent(me));
            if change.is_new(|state| state.runtime.unit(me).deployed_by) {
                deployer::units(change, me).for_each(wake);
            }
        }
        Row::UnitWorkflow(me) => {
            wake(Task::UnitAgent(me));
            watches::who_wait_for(me, change, wake);
        }
        Row::Application(id) => {
            if change.is_new(|state| state.store.application_life(id)) {
                units_of(id, change, wake);
            }
        }
        Row::Relation(id) => {
            if change.is_new(|state| state.store.relation_life(id)) {
                let ends = change.world.relation(id).applications();
                ends.for_each(|id| units_of(id, change, wake));
            }
        }
        // Changed settings are noted in the sightings of units that have seen them, and wake these.
        _ if row.kind().is_document() => {}
        // An agent's disk and memory concern only itself.
        _ => {
            if let Some(EntityId::Unit(me)) = row.actor() {
                wake(Task::UnitAgent(me));
            }
        }
    }
}

/// Names the units of an application, which may be very many: only a change of its life does this.
fn units_of(id: ApplicationId, change: &WatchedStep<'_>, wake: Wake<'_>) {
    let units = change.world.application(id).units();
    let existing = units.filter(|unit| change.after.store.unit(*unit).is_some());
    existing.map(Task::UnitAgent).for_each(wake);
}

/// The applications whose lack of a free unit may keep `me`, a principal, from a new subordinate.
/// The lack is a bound of the model, so no document's change ends it.
pub(crate) fn waits_for<'a>(
    me: UnitId,
    world: &'a World,
    state: &'a State,
    free_ids: &'a dyn FreeIds,
) -> impl Iterator<Item = ApplicationId> + 'a {
    let (application, relations) = (world.unit(me).application, world.relations_of(me));
    let container = relations.iter().filter_map(move |id| {
        let relation = world.relation(*id);
        relation.counterpart(application).filter(|_| relation.scope == Scope::Container)
    });
    container.filter(move |other| {
        world.application(*other).subordinate && free_ids.unit(world, state, *other).is_none()
    })
}
