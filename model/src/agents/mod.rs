//! The actors, in folders by the document that describes them, a file for each duty or kind of
//! hooks.
//!
//! `lifecycle` has the agents of D1 and D2, with a line of code for each line of the "Agents"
//! section; `provisioning` the additions of D3, `charm` those of D4, and `startup` the older unit
//! agent of D5. Actors of no document, the features common to all actors, and the dispatch are
//! here.
//!
//! An actor's file lists its duties, and does its acts (`apply`). A `Lister` collects the duties
//! and leaves out every action that would change nothing: an agent without anything to do, or whose
//! transaction would be refused, does not move.

pub mod charm;
mod context;
mod faults;
mod find_enabled;
mod finish;
mod lifecycle;
mod lister;
mod neglect;
mod neglected;
mod operator;
mod own_duties;
mod own_rules;
mod parts;
mod provisioning;
mod quiescence;
pub mod startup;
mod step;
mod supervisor;
mod task;
mod tasks;
mod transactions;
mod user;
mod watched;
mod watchers;

pub use charm::directory::{charm_hook_due, is_charm_due};
pub use charm::hooks::first_hook_due;
pub use context::Effects;
pub(crate) use context::StepContext;
pub use faults::can_inject;
pub use find_enabled::{find_enabled, has_enabled, is_enabled};
pub use lifecycle::machine_agent::sets_dead;
pub use lifecycle::scopes::{KNOWN_BY, knows};
pub use lifecycle::unit_agent::does_nothing;
pub use lister::Enabled;
pub(crate) use own_rules::note as note_rules;
pub use own_rules::{
    BRANCHES, ChangedRefusal, Condition, ExchangedBranch, Named, OwnDuty, OwnRules, Restriction,
    RuleActor, not_of_outline,
};
pub use parts::{ActionPart, enabled_for_part, parts};
pub use provisioning::instances::{has_strays, is_in_error};
pub use provisioning::starts::{being_started, has_unrecorded};
pub use quiescence::{assumed_tasks, first_enabled, is_quiescent};
pub use startup::workflow_failures::{can_be_resolved, is_seen};
pub(crate) use step::apply;
pub use task::Task;
pub use tasks::{enabled_for_task, finish_for, tasks};
pub use user::{goes_on_with, is_left, user_gives, user_goes_on};
pub use watched::{Wake, WatchedStep};
pub use watchers::wake_all;

use crate::{
    action::Action,
    actor::{Actor, Client},
    clause::Clause,
    free_ids::{FreeIds, Scan},
    operation::Operation,
    ops::{self, Plan, Requester},
    state::State,
    txn::Txn,
    world::{Scope, World},
};
use lister::{Listed, Lister, ManyActs};

/// Lists the enabled actions of `actor`, always in the same order.
pub fn enabled_for(world: &World, state: &State, actor: Actor, actions: &mut Vec<Action>) {
    list_actions(world, state, actor, actions, None);
}

/// Lists the enabled actions of `actor`, with the transaction that each would plan, for a caller
/// that takes them all.
pub fn enabled_with_plans(
    world: &World,
    state: &State,
    actor: Actor,
    actions: &mut Vec<Action>,
    plans: &mut Vec<Option<Txn>>,
) {
    list_actions(world, state, actor, actions, Some(plans));
}

/// Lists the enabled actions of `actor` with their plans, if the caller wants them.
fn list_actions(
    world: &World,
    state: &State,
    actor: Actor,
    actions: &mut Vec<Action>,
    plans: Option<&mut Vec<Option<Txn>>>,
) {
    let (first, listed, free_ids) = (actions.len(), Listed::Done, &Scan);
    let (sample, many) = (None, ManyActs::default());
    let mut list = Lister { world, state, free_ids, listed, sample, first, actions, plans, many };
    tasks::list_all(actor, &mut list);
}

/// Every actor of a world that acts of its own accord, in the order in which actions are listed.
pub fn actors(world: &World) -> impl Iterator<Item = Actor> + '_ {
    world
        .user_ids()
        .map(Actor::User)
        .chain(world.unit_ids().map(Actor::UnitAgent))
        .chain(world.machine_ids().map(Actor::MachineAgent))
        .chain([Actor::Provisioner, Actor::Cleaner])
        .chain([Actor::Operator, Actor::Supervisor, Actor::Faults])
}

/// The plan of `operation` for `client`, with a free identifier for a subordinate that it may
/// create. A rule of the scenario's own may replace a refusal.
pub fn plan_for(
    world: &World,
    state: &State,
    client: Client,
    operation: Operation,
    free_ids: &dyn FreeIds,
) -> Plan {
    let plan = protocol_plan(world, state, client, operation, free_ids);
    own_rules::instead(world, operation, &plan).map_or(plan, |(becomes, _)| becomes)
}

/// The rule of the scenario's own that replaces the protocol's plan of `operation`.
fn changed_by(
    world: &World,
    state: &State,
    client: Client,
    operation: Operation,
    free_ids: &dyn FreeIds,
) -> Option<Clause> {
    if world.own_rules.is_empty() {
        return None;
    }
    let plan = protocol_plan(world, state, client, operation, free_ids);
    own_rules::instead(world, operation, &plan).map(|(_, rule)| rule)
}

/// The plan of `operation` for `client` by the protocol.
fn protocol_plan(
    world: &World,
    state: &State,
    client: Client,
    operation: Operation,
    free_ids: &dyn FreeIds,
) -> Plan {
    let free = match operation {
        Operation::EnterScope(unit, relation)
            if world.relation(relation).scope == Scope::Container
                && !world.is_subordinate(unit) =>
        {
            world
                .relation(relation)
                .counterpart(world.unit(unit).application)
                .and_then(|other| free_ids.unit(world, state, other))
        }
        _ => None,
    };
    let requester = match (client, operation) {
        (Client::User(_), _) => Requester::User,
        (Client::Unit(me), Operation::DestroyUnit(id)) if me == id => Requester::Itself,
        _ => Requester::Agent,
    };
    let exchanged = |clause, about| own_rules::exchanged(world, state, clause, about);
    ops::plan(world, &state.store, operation, requester, free, &exchanged)
}

/// The transaction that `client` has planned and can finish.
pub fn pending(state: &State, client: Client) -> Option<&Txn> {
    state.runtime.pending_txn(client).map(AsRef::as_ref)
}
