//! The recount: for every counter and list of the documents, the number of documents that refer to
//! it, counted independently. `always` compares the two.
//!
//! Counting the units of an application anew in every state would read all of them. So they are
//! counted once, and the recount follows each row as it changes: it subtracts what the row
//! contributes, brings the row up to date, and adds its new contribution.

use deathwatch_model::{
    ids::{ApplicationId, Id, MachineId, Placement, RelationId, UnitId},
    life::Life::Alive,
    rows::Row,
    state::State,
    world::{Scope, World},
};

/// The recount of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recount {
    applications: Vec<OfApplication>,
    machines: Vec<OfMachine>,
    /// For each unit: the units that name it as their principal.
    subordinates: Vec<u32>,
    /// For each relation: the units that have a scope document and no unit document.
    missing_in_scope: Vec<u32>,
    first_manager: Option<MachineId>,
    alive_managers: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OfApplication {
    units: u32,
    relations: u32,
    missing_peers: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OfMachine {
    /// The units that name it as their placement.
    units: u32,
    containers: u32,
}

/// Whether the contribution of a row is added or subtracted.
#[derive(Clone, Copy)]
enum CountSign {
    Adding,
    Subtracting,
}

impl CountSign {
    fn move_count(self, count: &mut u32) {
        *count = match self {
            CountSign::Adding => *count + 1,
            CountSign::Subtracting => count.checked_sub(1).expect("what is taken off was put on"),
        };
    }

    fn opposite(self) -> Self {
        match self {
            CountSign::Adding => CountSign::Subtracting,
            CountSign::Subtracting => CountSign::Adding,
        }
    }
}

impl Recount {
    pub fn of(world: &World, state: &State) -> Self {
        let mut recount = Self::default();
        recount.count(world, state);
        recount
    }

    /// Counts everything in a state, reusing the memory of a former recount.
    pub fn count(&mut self, world: &World, state: &State) {
        self.clear(world);
        for id in world.machine_ids() {
            self.count_machine(world, state, id, CountSign::Adding);
        }
        for id in world.unit_ids() {
            if let Some(unit) = state.store.unit(id) {
                CountSign::Adding
                    .move_count(&mut self.of_application(world.unit(id).application).units);
                self.count_placement(unit.placement, CountSign::Adding);
            }
        }
        for id in world.relation_ids() {
            self.count_relation(world, state, id, CountSign::Adding);
            let is_missing = |unit: &_| state.store.unit(*unit).is_none();
            let missing = state.store.scope(id).iter().filter(is_missing).count();
            self.missing_in_scope[id.index()] = u32::try_from(missing).unwrap_or(u32::MAX);
        }
    }

    fn clear(&mut self, world: &World) {
        self.applications.clear();
        self.applications.resize(world.applications.len(), OfApplication::default());
        self.machines.clear();
        self.machines.resize(world.machines.len(), OfMachine::default());
        self.subordinates.clear();
        self.subordinates.resize(world.units.len(), 0);
        self.missing_in_scope.clear();
        self.missing_in_scope.resize(world.relations.len(), 0);
        for relation in world.relations.iter().filter(|it| it.scope == Scope::Peer) {
            for end in relation.applications() {
                self.of_application(end).missing_peers += 1;
            }
        }
        self.first_manager = world.machine_ids().find(|id| world.machine(*id).manages_model);
        self.alive_managers = 0;
    }

    /// The number of existing units of an application.
    pub fn units_of(&self, id: ApplicationId) -> u32 {
        self.applications[id.index()].units
    }

    /// The number of existing relations of an application.
    pub fn relations_of(&self, id: ApplicationId) -> u32 {
        self.applications[id.index()].relations
    }

    /// The number of peer relations of an application that do not exist.
    pub fn missing_peers(&self, id: ApplicationId) -> u32 {
        self.applications[id.index()].missing_peers
    }

    /// The number of units with this placement; 0 for `Nowhere`.
    pub fn naming(&self, placement: Placement) -> u32 {
        match placement {
            Placement::Nowhere => 0,
            Placement::Machine(id) => self.machines[id.index()].units,
            Placement::Principal(id) => self.subordinates[id.index()],
        }
    }

    /// The number of existing containers of a machine.
    pub fn containers_of(&self, id: MachineId) -> u32 {
        self.machines[id.index()].containers
    }

    /// The number of units in scope of a relation that do not exist.
    pub fn missing_in_scope(&self, id: RelationId) -> u32 {
        self.missing_in_scope[id.index()]
    }

    /// The first machine of the world with the manage-model job.
    pub fn first_manager(&self) -> Option<MachineId> {
        self.first_manager
    }

    /// The number of Alive machines with the manage-model job.
    pub fn alive_managers(&self) -> u32 {
        self.alive_managers
    }

    /// Brings one row of `mirror`, the counted state, up to date with `state`, and the counts with
    /// it.
    pub fn catch_up(&mut self, world: &World, mirror: &mut State, state: &State, row: Row) {
        if changes_counts(mirror, state, row) {
            self.count_row(world, mirror, row, CountSign::Subtracting);
            mirror.restore(row, state);
            self.count_row(world, mirror, row, CountSign::Adding);
        } else {
            mirror.restore(row, state);
        }
    }

    fn count_row(&mut self, world: &World, state: &State, row: Row, by: CountSign) {
        match row {
            Row::Machine(id) => self.count_machine(world, state, id, by),
            Row::Unit(id) => match state.store.unit(id) {
                Some(unit) => {
                    by.move_count(&mut self.of_application(world.unit(id).application).units);
                    self.count_placement(unit.placement, by);
                }
                None => {
                    for relation in world.scopes_of(id) {
                        self.count_scope(state, relation, id, by);
                    }
                }
            },
            Row::Relation(id) => self.count_relation(world, state, id, by),
            Row::Scope(id, unit) => self.count_scope(state, id, unit, by),
            _ => {}
        }
    }

    fn count_machine(&mut self, world: &World, state: &State, id: MachineId, by: CountSign) {
        let Some(machine) = state.store.machine(id) else { return };
        if let Some(parent) = world.machine(id).parent {
            by.move_count(&mut self.machines[parent.index()].containers);
        }
        if world.machine(id).manages_model && machine.life == Alive {
            by.move_count(&mut self.alive_managers);
        }
    }

    fn count_placement(&mut self, placement: Placement, by: CountSign) {
        match placement {
            Placement::Nowhere => {}
            Placement::Machine(id) => by.move_count(&mut self.machines[id.index()].units),
            Placement::Principal(id) => by.move_count(&mut self.subordinates[id.index()]),
        }
    }

    fn count_relation(&mut self, world: &World, state: &State, id: RelationId, by: CountSign) {
        if state.store.relation(id).is_none() {
            return;
        }
        let relation = world.relation(id);
        for end in relation.applications() {
            let counts = self.of_application(end);
            by.move_count(&mut counts.relations);
            if relation.scope == Scope::Peer {
                by.opposite().move_count(&mut counts.missing_peers);
            }
        }
    }

    fn count_scope(&mut self, state: &State, id: RelationId, unit: UnitId, by: CountSign) {
        if state.store.in_scope(id, unit) && state.store.unit(unit).is_none() {
            by.move_count(&mut self.missing_in_scope[id.index()]);
        }
    }

    fn of_application(&mut self, id: ApplicationId) -> &mut OfApplication {
        &mut self.applications[id.index()]
    }
}

/// Whether a row has changed in a field that the counts depend on.
fn changes_counts(mirror: &State, state: &State, row: Row) -> bool {
    let (old, new) = (&mirror.store, &state.store);
    match row {
        Row::Machine(id) => old.machine_life(id) != new.machine_life(id),
        Row::Unit(id) => old.unit(id).map(|it| it.placement) != new.unit(id).map(|it| it.placement),
        Row::Relation(id) => old.relation(id).is_some() != new.relation(id).is_some(),
        Row::Scope(id, unit) => old.in_scope(id, unit) != new.in_scope(id, unit),
        _ => false,
    }
}
