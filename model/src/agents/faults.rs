//! Faults: each may happen at any time and any number of times, but finitely often in all.

use super::{
    Lister,
    charm::{
        directory,
        hook_failures::{self, HookClass},
        hooks, requests, settings,
    },
    context::StepContext,
    lifecycle::scopes,
    provisioning::{former, starts},
    startup::workflow,
};
use crate::{
    action::{Act, Fault, Outcome},
    actor::{Agent, Client},
    ids::{MachineId, UnitId},
    runtime::{Hardware, Membership},
    state::State,
    world::{FaultKind, World},
};

/// Lists the faults that can happen next.
pub(super) fn duties(list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    for kind in FaultKind::ALL {
        kind.each(world, |fault| {
            if can_inject(world, state, fault) {
                list.act(Act::Faults(fault));
            }
        });
    }
}

/// Whether this fault can happen next.
pub fn can_inject(world: &World, state: &State, fault: Fault) -> bool {
    let faults = &world.faults;
    let runs = |id| state.runtime.machine(id).hardware == Hardware::Running;
    match fault {
        Fault::Crash(agent) => faults.crash && can_crash(world, state, agent),
        Fault::FailHardware(id) => runs(id) && faults.hardware_failure.binary_search(&id).is_ok(),
        Fault::FailHardwareUnnoticed(id) => {
            runs(id) && faults.undetected_hardware_failure.binary_search(&id).is_ok()
        }
        Fault::FailStart(id) => {
            faults.start_failure.binary_search(&id).is_ok() && starts::can_fail(id, world, state)
        }
        Fault::TimeOutStart(id) => {
            faults.start_timeout.binary_search(&id).is_ok() && starts::can_fail(id, world, state)
        }
        Fault::Reboot(id) => {
            let crashes = |agent: &Agent| can_crash(world, state, *agent);
            runs(id)
                && faults.reboot.binary_search(&id).is_ok()
                && agents_on(id, world, state).iter().any(crashes)
        }
        Fault::FailOver(id) => {
            faults.fail_over.binary_search(&id).is_ok() && former::can_fail_over(id, world, state)
        }
        // Every pending transaction may abort although its asserts hold, except those of scripts.
        Fault::AbortTxn(Client::Script(_)) => false,
        Fault::AbortTxn(client) => {
            faults.abort
                && state.runtime.pending_txn(client).is_some()
                && !starts::has_only_read(client, state)
        }
        Fault::LoseConnection(id) => {
            faults.lost_connection && state.runtime.user(id).session.is_some()
        }
        Fault::FailHooks(unit, relation) => {
            faults.hook_failure
                && (scopes::hooks_can_fail(unit, relation, world, state)
                    || hook_failures::failure(unit, HookClass::About(relation), world, state)
                        .is_some())
        }
        Fault::FailStopHook(unit) => {
            faults.unit_hook_failure
                && hook_failures::failure(unit, HookClass::Stop, world, state).is_some()
        }
        Fault::Disconnect(unit) => {
            faults.disconnection && workflow::can_lose_connection(unit, world, state)
        }
        Fault::FailUnitHook(unit) => {
            faults.unit_hook_failure
                && hook_failures::failure(unit, HookClass::Own, world, state).is_some()
        }
    }
}

/// Whether a crash of the agent changes anything: it would lose memory, or the agent stays down.
fn can_crash(world: &World, state: &State, agent: Agent) -> bool {
    let is_pending = |client| state.runtime.pending(client).is_some();
    match agent {
        Agent::Unit(unit) => {
            let enters = || {
                let mut relations = world.relations_of(unit).iter();
                relations.any(|id| state.runtime.membership(*id, unit).unwritten)
            };
            state.unit_agent_runs(world, unit)
                && (workflow::stays_down(unit, world, state)
                    || is_pending(Client::Unit(unit))
                    || enters()
                    || hooks::is_due_after_crash(unit, world, state)
                    || hooks::decided(unit, world, state).is_some()
                    || directory::is_writing(unit, world, state)
                    || requests::are_in_memory(unit, world, state)
                    || settings::is_lost_by_crash(unit, world, state)
                    || workflow::has_memory(unit, world, state))
        }
        Agent::Machine(machine) => {
            let has_tasks = is_pending(Client::Provisioner) || is_pending(Client::Cleaner);
            state.machine_agent_runs(world, machine)
                && (world.faults.downtime
                    || is_pending(Client::Machine(machine))
                    || has_tasks && state.active_manager(world) == Some(machine))
        }
    }
}

/// Does `fault`.
pub(super) fn apply(fault: Fault, step: &mut StepContext<'_>) -> Outcome {
    match fault {
        Fault::Crash(agent) => crash(agent, step),
        Fault::FailHardware(machine) => fail(machine, Hardware::Absent, step),
        Fault::FailHardwareUnnoticed(machine) => fail(machine, Hardware::Silent, step),
        Fault::FailHooks(unit, relation) => {
            return hook_failures::fail_about(unit, relation, step);
        }
        Fault::FailStopHook(unit) => return hook_failures::fail(unit, HookClass::Stop, step),
        Fault::FailUnitHook(unit) => return hook_failures::fail(unit, HookClass::Own, step),
        Fault::FailStart(machine) => return starts::fail(machine, step),
        Fault::TimeOutStart(machine) => return starts::time_out(machine, step),
        Fault::Reboot(machine) => {
            for agent in agents_on(machine, step.world, step.state) {
                if can_crash(step.world, step.state, agent) {
                    crash(agent, step);
                }
            }
        }
        Fault::FailOver(machine) => former::fail_over(machine, step),
        Fault::Disconnect(unit) => workflow::lose_connection(unit, step),
        Fault::AbortTxn(client) => return step.abort(client),
        Fault::LoseConnection(id) => {
            step.state.runtime.user_mut(id, &mut step.effects.touched).give_up();
        }
    }
    Outcome::Done
}

/// The agents on a machine and in its containers.
fn agents_on(id: MachineId, world: &World, state: &State) -> Vec<Agent> {
    let mut agents = vec![Agent::Machine(id)];
    let mut units: Vec<UnitId> = state.runtime.machine(id).deployed.iter().collect();
    while let Some(unit) = units.pop() {
        agents.push(Agent::Unit(unit));
        units.extend(state.runtime.unit(unit).deployed.iter());
    }
    agents.extend(world.containers_of(id).flat_map(|it| agents_on(it, world, state)));
    agents
}

/// Ends the agent's process, and with it what was in its memory.
fn crash(agent: Agent, step: &mut StepContext<'_>) {
    let (world, touched) = (step.world, &mut step.effects.touched);
    let manager = step.state.active_manager(world);
    let runtime = &mut step.state.runtime;
    match agent {
        Agent::Unit(unit) => {
            for &relation in world.relations_of(unit) {
                let known = runtime.membership(relation, unit);
                if known.unwritten {
                    let known = Membership { unwritten: false, ..known };
                    runtime.set_membership(relation, unit, known, touched);
                }
            }
            hooks::crash(unit, step);
            directory::crash(unit, step);
        }
        Agent::Machine(machine) => {
            let agent = runtime.machine_mut(machine, touched);
            (agent.pending, agent.down) = (None, world.faults.downtime);
            if manager == Some(machine) {
                step.lose_manager();
            }
            former::ends_on(machine, step);
        }
    }
}

/// Takes the machine's hardware away, with all that was on it.
pub(super) fn fail(machine: MachineId, left: Hardware, step: &mut StepContext<'_>) {
    let manager = step.state.active_manager(step.world);
    step.state.lose_instance(step.world, machine, left, &mut step.effects.touched);
    if manager != step.state.active_manager(step.world) {
        step.lose_manager();
    }
    former::ends_on(machine, step);
}
