//! The faults that a switch allows, numbered by their victims, so that one can be drawn without a
//! list of all.

use super::{FaultKind, Strikes};
use crate::{
    action::Fault,
    actor::{Agent, Client},
    ids::{Id, MachineId, RelationId, UnitId},
    world::WorldBuilder,
};

impl FaultKind {
    /// The number of victims of the faults that it allows in `world`.
    pub fn count(self, world: &WorldBuilder) -> usize {
        let switch = world.faults.switch(self);
        if !switch.is_on() {
            return 0;
        }
        match self.row().strikes {
            Strikes::Nothing => 0,
            Strikes::Agents(_) => agents(world),
            Strikes::Machines(_) => switch.machines().len(),
            Strikes::Clients(_) => agents(world) + OTHERS.len() + world.user_ids().count(),
            Strikes::Users(_) => world.user_ids().count(),
            Strikes::Units(_) => world.units.len(),
            Strikes::Members(_) => members(world).count(),
        }
    }

    /// The first fault on the victim with this index, below the number of those in `world`, that
    /// `can_happen`.
    pub fn nth(
        self,
        world: &WorldBuilder,
        index: usize,
        can_happen: impl Fn(Fault) -> bool,
    ) -> Option<Fault> {
        let fault = match self.row().strikes {
            Strikes::Nothing => None,
            Strikes::Agents(fault) => agent(world, index).map(fault),
            Strikes::Machines(fault) => {
                world.faults.switch(self).machines().get(index).copied().map(fault)
            }
            Strikes::Clients(fault) => client(world, index).map(fault),
            Strikes::Users(fault) => world.user_ids().nth(index).map(fault),
            Strikes::Units(faults) => {
                let unit = (index < world.units.len()).then(|| UnitId::new(index))?;
                faults.iter().map(|fault| fault(unit)).find(|fault| can_happen(*fault))
            }
            Strikes::Members(fault) => members(world).nth(index).map(|(id, of)| fault(id, of)),
        };
        fault.filter(|fault| can_happen(*fault))
    }

    /// Calls `look` with each fault that it allows in `world`, in order.
    pub fn each(self, world: &WorldBuilder, look: impl FnMut(Fault)) {
        let switch = world.faults.switch(self);
        if !switch.is_on() {
            return;
        }
        match self.row().strikes {
            Strikes::Nothing => {}
            Strikes::Agents(fault) => all_agents(world).map(fault).for_each(look),
            Strikes::Machines(fault) => switch.machines().iter().copied().map(fault).for_each(look),
            Strikes::Clients(fault) => {
                let others = OTHERS.into_iter().chain(world.user_ids().map(Client::User));
                all_agents(world).map(Agent::client).chain(others).map(fault).for_each(look);
            }
            Strikes::Users(fault) => world.user_ids().map(fault).for_each(look),
            Strikes::Units(faults) => {
                let on = |unit| faults.iter().map(move |fault| fault(unit));
                world.unit_ids().flat_map(on).for_each(look);
            }
            Strikes::Members(fault) => members(world).map(|(id, of)| fault(id, of)).for_each(look),
        }
    }
}

/// The clients that run in the agents of managers.
const OTHERS: [Client; 2] = [Client::Provisioner, Client::Cleaner];

/// The number of agents: those of units, then those of machines.
fn agents(world: &WorldBuilder) -> usize {
    world.units.len() + world.machines.len()
}

fn all_agents(world: &WorldBuilder) -> impl Iterator<Item = Agent> + use<> {
    world.unit_ids().map(Agent::Unit).chain(world.machine_ids().map(Agent::Machine))
}

fn agent(world: &WorldBuilder, index: usize) -> Option<Agent> {
    let machine = || index.checked_sub(world.units.len()).map(MachineId::new).map(Agent::Machine);
    let unit = (index < world.units.len()).then(|| Agent::Unit(UnitId::new(index)));
    unit.or_else(machine).filter(|_| index < agents(world))
}

fn client(world: &WorldBuilder, index: usize) -> Option<Client> {
    let other = || {
        let users = world.user_ids().map(Client::User);
        OTHERS.into_iter().chain(users).nth(index.checked_sub(agents(world))?)
    };
    agent(world, index).map(Agent::client).or_else(other)
}

/// Every unit, with every relation that it may be in.
fn members(world: &WorldBuilder) -> impl Iterator<Item = (UnitId, RelationId)> + '_ {
    world.unit_ids().flat_map(|id| world.relations_of(id).iter().map(move |of| (id, *of)))
}
