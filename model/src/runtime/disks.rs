//! Disks of agents: what is put on them, and how they are lost.

use super::{Runtime, UnitRuntime};
use crate::{
    ids::{MachineId, Placement, UnitId},
    rows::{Former, Hardware, MachineRuntime, Membership, Strays},
    store::Touched,
    world::World,
};

impl Runtime {
    /// Installs the unit's agent, with an empty disk, as deployed by `by`.
    pub fn deploy(&mut self, world: &World, id: UnitId, by: Placement, touched: &mut Touched) {
        if by != Placement::Nowhere {
            self.redeploy(id, by, touched);
            if world.detail.hooks {
                let hooks = self.hooks_mut(id, touched);
                *hooks = hooks.on_an_empty_disk(world.charm_of(id));
            }
            self.lose_charm(id, touched);
            self.lose_workflow(id, touched);
        }
    }

    /// Records the deployer of the unit's agent, in its row and on its deployer's disk.
    pub(crate) fn redeploy(&mut self, id: UnitId, by: Placement, touched: &mut Touched) {
        match self.unit(id).deployed_by {
            Placement::Nowhere => {}
            Placement::Machine(machine) => self.machine_mut(machine, touched).deployed.remove(id),
            Placement::Principal(unit) => self.unit_mut(unit, touched).deployed.remove(id),
        }
        match by {
            Placement::Nowhere => {}
            Placement::Machine(machine) => self.machine_mut(machine, touched).deployed.insert(id),
            Placement::Principal(unit) => self.unit_mut(unit, touched).deployed.insert(id),
        }
        self.unit_mut(id, touched).deployed_by = by;
    }

    /// Removes the unit's agent, with its disk and the units that it deployed.
    pub fn recall(&mut self, world: &World, id: UnitId, touched: &mut Touched) {
        if !self.is_deployed(id) {
            return;
        }
        self.redeploy(id, Placement::Nowhere, touched);
        for subordinate in self.unit(id).deployed.clone().iter() {
            self.recall(world, subordinate, touched);
        }
        *self.unit_mut(id, touched) = UnitRuntime::default();
        if world.detail.hooks {
            let hooks = self.hooks_mut(id, touched);
            *hooks = hooks.without_agent();
        }
        self.lose_charm(id, touched);
        self.lose_workflow(id, touched);
        for &relation in world.relations_of(id) {
            if self.membership(relation, id) != Membership::default() {
                self.set_membership(relation, id, Membership::default(), touched);
            }
            // Sightings are on the agent's disk, in every variant of `relation_tracking`.
            self.forget_sighting(relation, id, touched);
        }
    }

    /// Empties the disk of the unit's charm.
    fn lose_charm(&mut self, id: UnitId, touched: &mut Touched) {
        if self.has_charms() {
            let charm = self.charm_mut(id, touched);
            *charm = charm.on_an_empty_disk();
        }
    }

    /// Resets the disk and the process of the unit's agent; its data in the store stay.
    fn lose_workflow(&mut self, id: UnitId, touched: &mut Touched) {
        if self.has_workflows() {
            let workflow = self.workflow_mut(id, touched);
            *workflow = workflow.without_agent();
        }
    }

    /// Removes a machine's hardware, with all that is on it.
    pub fn wipe(&mut self, world: &World, id: MachineId, left: Hardware, touched: &mut Touched) {
        for unit in self.machine(id).deployed.clone().iter() {
            self.recall(world, unit, touched);
        }
        let machine = self.machine_mut(id, touched);
        let MachineRuntime { strays, named_stray, former, .. } = *machine;
        let bare = MachineRuntime { strays, named_stray, former, ..MachineRuntime::default() };
        *machine = MachineRuntime { hardware: left, ..bare };
    }

    /// Removes the unrecorded instances of a container, whose host is gone.
    pub(crate) fn lose_strays(&mut self, container: MachineId, touched: &mut Touched) {
        let machine = self.machine_mut(container, touched);
        (machine.strays, machine.named_stray) = (Strays::None, false);
        machine.former = Former::None;
    }
}
