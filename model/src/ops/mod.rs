//! The transactions of the protocol, one file each, in the order of the documents.
//!
//! A file numbers the clauses of its rule in our own words, and says which are ours; each call's
//! first argument is the clause it does. Planning reads the store and changes nothing.

mod add_machine;
mod add_unit;
mod assign_unit;
mod deploy;
mod destroy_application;
mod destroy_machine;
mod destroy_model;
mod destroy_relation;
mod destroy_unit;
mod draft;
mod enter_scope;
mod expose;
mod fail_start;
mod force_destroy;
mod integrate;
mod leave_scope;
mod record_instance;
mod remove_application;
mod remove_machine;
mod remove_unit;
mod resolved;
mod set_config;
mod set_constraints;
mod set_machine_dead;
mod set_unit_dead;
mod upgrade_charm;

pub use draft::{Decline, Plan};
use draft::{Draft, Exchanged};
pub use enter_scope::is_member;
pub(crate) use {assign_unit::suits, destroy_unit::keeping, record_instance::has_to_run};

use crate::{
    ids::UnitId,
    life::Life::{self, Alive},
    operation::Operation,
    store::{Store, StoredDocument},
    txn::life_is,
    variants::DoneAlready,
    world::World,
};

/// The requester of an operation: the user may ask for less than the agents may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    User,
    /// The agent of the unit that the operation is about.
    Itself,
    /// Another agent, or a script's client, which stands for anybody.
    Agent,
}

/// The result of planning a draft: `Ok` if it is to be committed, or the reason not to.
type Planned = Result<(), Decline>;

/// The clause of each destroying command that the entity is Alive: otherwise there is nothing to
/// do, if the variant lets the planner notice, or the transaction aborts.
fn require_alive<D>(txn: &mut Draft<'_>, number: u8, id: D) -> Planned
where
    D: StoredDocument<Predicate: From<Life>>,
{
    let notices = match txn.world.variants.done_already {
        DoneAlready::Noticed => true,
        DoneAlready::Aborts => !id.exists(txn.store),
    };
    if notices {
        txn.require(number, id, life_is(Alive), Decline::NoOp)?;
    } else {
        txn.assert(number, id, life_is(Alive));
    }
    Ok(())
}

/// The plan of `operation`, as the store is now. `free` is a free identifier for a subordinate that
/// it may create, and `exchanged` has the branches that rules of the scenario's own replace.
pub(crate) fn plan(
    world: &World,
    store: &Store,
    operation: Operation,
    requester: Requester,
    free: Option<UnitId>,
    exchanged: Exchanged<'_>,
) -> Plan {
    // An operation of a detail that the world lacks changes nothing.
    if operation.rule().needs().iter().any(|detail| !world.detail.has(detail)) {
        return Plan::NoOp;
    }
    let mut draft = Draft::new(world, store, operation, exchanged);
    let txn = &mut draft;
    let planned = match operation {
        Operation::Deploy(id) => deploy::deploy(txn, id),
        Operation::DeployConstrained(id, constraints) => {
            deploy::deploy_constrained(txn, id, constraints)
        }
        Operation::AddPeer(id) => deploy::add_peer(txn, id),
        Operation::AddUnit(id) => add_unit::add_unit(txn, id),
        Operation::AddUnitOn(id, machine) => add_unit::add_unit_on(txn, id, machine),
        Operation::AddMachine(id) => add_machine::add_machine(txn, id),
        Operation::AssignUnit(id, machine) => assign_unit::assign_unit(txn, id, machine),
        Operation::Integrate(id) => integrate::integrate(txn, id),
        Operation::EnterScope(id, relation) => enter_scope::enter_scope(txn, id, relation, free),
        Operation::LeaveScope(id, relation) => leave_scope::leave_scope(txn, id, relation),
        Operation::DestroyMachine(id) => destroy_machine::destroy_machine(txn, id),
        Operation::DestroyModel(id) => destroy_model::destroy_model(txn, id),
        Operation::DestroyUnit(id) => destroy_unit::destroy_unit(txn, id, requester),
        Operation::DestroyRelation(id) => destroy_relation::destroy_relation(txn, id),
        Operation::DestroyApplication(id) => destroy_application::destroy_application(txn, id),
        Operation::SetUnitDead(id) => set_unit_dead::set_unit_dead(txn, id),
        Operation::SetMachineDead(id) => set_machine_dead::set_machine_dead(txn, id),
        Operation::RemoveMachine(id) => remove_machine::remove_machine(txn, id),
        Operation::RemoveUnit(id) => remove_unit::remove_unit(txn, id),
        Operation::ForceDestroyUnit(id) => force_destroy::force_destroy_unit(txn, id, requester),
        Operation::ForceDestroyMachine(id) => force_destroy::force_destroy_machine(txn, id),
        Operation::SetConstraints(id, constraints) => {
            set_constraints::set_constraints(txn, id, constraints)
        }
        Operation::SetModelConstraints(constraints) => {
            set_constraints::set_model_constraints(txn, constraints);
            Ok(())
        }
        Operation::SetConfig(id) => set_config::set_config(txn, id),
        Operation::UpgradeCharm(id) => upgrade_charm::upgrade_charm(txn, id),
        Operation::ForceUpgradeCharm(id) => upgrade_charm::force_upgrade_charm(txn, id),
        Operation::Expose(id) => expose::expose(txn, id),
        Operation::Unexpose(id) => expose::unexpose(txn, id),
        Operation::RecordInstance(id) => record_instance::record_instance(txn, id),
        Operation::FailStart(id) => fail_start::fail_start(txn, id),
        Operation::Resolved(id) => resolved::resolved(txn, id),
        Operation::ResolvedConstraints(id, constraints) => {
            resolved::resolved_constraints(txn, id, constraints)
        }
    };
    match planned {
        Ok(()) => Plan::Submit(draft.finish()),
        Err(Decline::NoOp) => Plan::NoOp,
        Err(Decline::Refuse(why)) => Plan::Refuse(why),
    }
}
