//! Actions of tasks, and whether a task may have any.

use super::{
    Enabled, Lister, Task, faults,
    lifecycle::{cleaner, machine_agent, provisioner, unit_agent},
    neglect, operator, own_duties, own_rules,
    provisioning::{former, instances, starts},
    supervisor, user,
};
use crate::{
    actor::{Actor, Client},
    free_ids::{FreeIds, NoFreeIds},
    ids::{ApplicationId, EntityId, UnitId},
    runtime::Hardware,
    state::State,
    world::World,
};

impl Task {
    /// Whether the task may have any actions at all, as far as a quick look shows.
    pub(super) fn may_have_work(self, state: &State) -> bool {
        match self {
            Task::Provision(id) => {
                state.store.machine(id).is_some() || instances::has_left_instances(id, state)
            }
            Task::Clean(about) => cleaner::has_work(about, state),
            Task::Resolve(id) => state.runtime.unit(id).is_suspended(),
            Task::ResolveStart(id) => instances::is_in_error(id, state),
            Task::Terminate(id) => state.runtime.machine(id).hardware == Hardware::Silent,
            Task::Restart(agent) => supervisor::is_down(agent, state),
            Task::User(_)
            | Task::UnitAgent(_)
            | Task::MachineAgent(_)
            | Task::Provisioner
            | Task::Cleaner
            | Task::Replace(_)
            | Task::Upgrade
            | Task::Faults => true,
        }
    }

    /// The applications whose lack of a free unit may block the task; no document tells its end.
    pub fn waits_for(
        self,
        world: &World,
        state: &State,
        free_ids: &dyn FreeIds,
    ) -> Vec<ApplicationId> {
        let mut waits_for = match self {
            Task::UnitAgent(me) => unit_agent::waits_for(me, world, state, free_ids).collect(),
            Task::Replace(machine) => {
                let units = neglect::units(machine, state).into_iter();
                units.flat_map(|me| unit_agent::waits_for(me, world, state, free_ids)).collect()
            }
            Task::User(_)
            | Task::MachineAgent(_)
            | Task::Provisioner
            | Task::Provision(_)
            | Task::Cleaner
            | Task::Clean(_)
            | Task::Resolve(_)
            | Task::ResolveStart(_)
            | Task::Terminate(_)
            | Task::Upgrade
            | Task::Restart(_)
            | Task::Faults => Vec::new(),
        };
        waits_for.extend(own_rules::waits_for(self, world));
        waits_for
    }
}

/// The tasks of `actor`, in the order in which its actions are listed.
pub fn tasks(world: &World, actor: Actor) -> Vec<Task> {
    match actor {
        Actor::User(id) => vec![Task::User(id)],
        Actor::Client(_) => Vec::new(),
        Actor::UnitAgent(id) => vec![Task::UnitAgent(id)],
        Actor::MachineAgent(id) => vec![Task::MachineAgent(id)],
        Actor::Provisioner => {
            let all = world.machine_ids().map(Task::Provision);
            std::iter::once(Task::Provisioner).chain(all).collect()
        }
        Actor::Cleaner => {
            let all = cleaner::all(world).map(Task::Clean);
            std::iter::once(Task::Cleaner).chain(all).collect()
        }
        Actor::Operator => {
            let units = operator::resolvable_units(world).map(Task::Resolve);
            let starts = operator::startable_machines(world).map(Task::ResolveStart);
            let broken = operator::silent_machines(world).map(Task::Terminate);
            let neglectful = operator::replaceable_machines(world).map(Task::Replace);
            units.chain(starts).chain(broken).chain(neglectful).chain([Task::Upgrade]).collect()
        }
        Actor::Supervisor => supervisor::all(world).map(Task::Restart).collect(),
        Actor::Faults => vec![Task::Faults],
    }
}

/// Lists the enabled actions of a task, always in the same order. The actions of an actor are those
/// of its tasks, one task after the other, each act once.
///
/// While the provisioner or the cleaner has a pending transaction it can only finish that.
pub fn enabled_for_task(
    world: &World,
    state: &State,
    task: Task,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) {
    list(task, &mut Lister::new(world, state, free_ids, enabled));
}

/// Lists the end of the pending transaction of `client`, if it has one and can end it.
pub fn finish_for(world: &World, state: &State, client: Client, enabled: &mut Enabled) {
    let task = match client {
        Client::User(id) => Task::User(id),
        Client::Unit(id) => Task::UnitAgent(id),
        Client::Machine(id) => Task::MachineAgent(id),
        Client::Provisioner => Task::Provisioner,
        Client::Cleaner => Task::Cleaner,
        Client::Script(_) => return, // it does what the script says
    };
    if state.runtime.pending(client).is_some() {
        list(task, &mut Lister::new(world, state, &NoFreeIds, enabled));
    }
}

/// Lists the actions of one task.
pub(super) fn list(task: Task, list: &mut Lister<'_>) {
    match task {
        Task::User(id) => user::moves(id, list),
        Task::UnitAgent(me) => unit_agent::duties(me, list),
        Task::MachineAgent(me) => machine_agent::duties(me, list),
        Task::Provisioner => finish(Client::Provisioner, list),
        Task::Provision(machine) => {
            former::duties(machine, list);
            if is_free(Client::Provisioner, list) {
                provisioner::duties(machine, list);
                own_duties::duties(task, list);
            }
        }
        Task::Cleaner => finish(Client::Cleaner, list),
        Task::Clean(about) => {
            if is_free(Client::Cleaner, list) {
                clean(about, list);
            }
        }
        Task::Resolve(unit) => operator::resolves(unit, list),
        Task::ResolveStart(machine) => operator::resolves_start(machine, list),
        Task::Terminate(machine) => operator::terminates(machine, list),
        Task::Replace(machine) => operator::replaces(machine, list),
        Task::Upgrade => operator::upgrades(list),
        Task::Restart(agent) => supervisor::duties(agent, list),
        Task::Faults => faults::duties(list),
    }
}

/// Lists the actions of all tasks of an actor.
pub(super) fn list_all(actor: Actor, lister: &mut Lister<'_>) {
    let world = lister.world;
    match actor {
        Actor::User(id) => list(Task::User(id), lister),
        Actor::Client(_) => {} // it does what its script says
        Actor::UnitAgent(me) => list(Task::UnitAgent(me), lister),
        Actor::MachineAgent(me) => list(Task::MachineAgent(me), lister),
        Actor::Provisioner => {
            finish(Client::Provisioner, lister);
            world.machine_ids().for_each(|id| list(Task::Provision(id), lister));
        }
        Actor::Cleaner => {
            finish(Client::Cleaner, lister);
            if is_free(Client::Cleaner, lister) {
                cleaner::all(world).for_each(|about| clean(about, lister));
            }
        }
        Actor::Operator => {
            operator::resolvable_units(world).for_each(|unit| operator::resolves(unit, lister));
            operator::startable_machines(world).for_each(|id| operator::resolves_start(id, lister));
            operator::silent_machines(world)
                .for_each(|machine| operator::terminates(machine, lister));
            operator::replaceable_machines(world)
                .for_each(|machine| operator::replaces(machine, lister));
            operator::upgrades(lister);
        }
        Actor::Supervisor => supervisor::all(world).for_each(|it| supervisor::duties(it, lister)),
        Actor::Faults => list(Task::Faults, lister),
    }
}

/// Lists the cleaner's actions on an application, except those on single units.
pub(super) fn list_rest(application: ApplicationId, list: &mut Lister<'_>) {
    if is_free(Client::Cleaner, list) {
        cleaner::finish_units_cleanup(application, list);
        own_duties::duties(Task::Clean(EntityId::Application(application)), list);
    }
}

/// Lists the cleaner's actions on a unit of an application.
pub(super) fn list_unit(application: ApplicationId, unit: UnitId, list: &mut Lister<'_>) {
    if is_free(Client::Cleaner, list) {
        cleaner::destroy_unit_of(application, unit, list);
    }
}

/// Lists the cleaner's actions on an entity; the cleaner is free.
fn clean(about: EntityId, list: &mut Lister<'_>) {
    cleaner::duties(about, list);
    own_duties::duties(Task::Clean(about), list);
}

/// Whether the provisioner or the cleaner runs and has no pending transaction.
fn is_free(task: Client, list: &Lister<'_>) -> bool {
    list.state.runtime.pending(task).is_none() && list.state.active_manager(list.world).is_some()
}

/// Lists the end of the pending transaction of the provisioner or the cleaner, if it runs.
fn finish(task: Client, list: &mut Lister<'_>) {
    if list.state.runtime.pending(task).is_some() && list.state.active_manager(list.world).is_some()
    {
        if task == Client::Provisioner {
            starts::goes_on(list);
        } else {
            list.finish(task);
        }
    }
}
