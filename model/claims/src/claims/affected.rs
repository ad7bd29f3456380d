//! Reverse dependencies, followed: from a changed row to the subjects of claims that read it.

use deathwatch_model::{
    agents::{WatchedStep, being_started, charm::observers},
    ids::{ApplicationId, IdSet, MachineId, Placement, RelationId, UnitId, UserId},
    life::Life::Alive,
    rows::Row,
    state::State,
    world::ApplicationDef,
};

use super::ClaimView;

/// A step, and the subjects that it affects.
pub(super) struct Affected<'a> {
    /// Before the step.
    pub(super) before: ClaimView<'a>,
    /// After it.
    pub(super) after: &'a State,
    /// The subjects found so far; one may occur twice.
    pub(super) subjects: &'a mut Vec<Row>,
}

impl Affected<'_> {
    /// Adds a subject.
    pub(super) fn add(&mut self, subject: Row) {
        self.subjects.push(subject);
    }

    /// The step as agents see it.
    pub(super) fn step(&self) -> WatchedStep<'_> {
        WatchedStep { world: self.before.world, before: self.before.state, after: self.after }
    }

    /// The machine of which the provisioner has asked for an instance.
    pub(super) fn machine_being_started(&mut self) {
        if let Some(id) = being_started(self.after) {
            self.add(Row::MachineRuntime(id));
        }
    }

    /// The hooks of a unit, where the world has them.
    pub(super) fn hooks_of(&mut self, id: UnitId) {
        if self.before.world.detail.hooks {
            self.add(Row::UnitHooks(id));
        }
    }

    /// What a unit, and those that may observe it, have seen in a relation.
    pub(super) fn observers_of(&mut self, relation: RelationId, unit: UnitId) {
        if !self.before.world.has_sightings() {
            return;
        }
        self.add(Row::Sighting(relation, unit));
        let step =
            WatchedStep { world: self.before.world, before: self.before.state, after: self.after };
        for state in step.both() {
            let observers = observers::observers(unit, relation, self.before.world, state);
            self.subjects.extend(observers.into_iter().map(|id| Row::Sighting(relation, id)));
        }
    }

    /// What a unit, and those that may observe it, have seen in its relations.
    pub(super) fn sightings_of_unit(&mut self, id: UnitId) {
        let world = self.before.world;
        world.relations_of(id).iter().for_each(|relation| self.observers_of(*relation, id));
    }

    /// What the units in the scope of a relation have seen, if that came or ceased to be Alive.
    pub(super) fn sightings_of_relation(&mut self, id: RelationId) {
        if self.before.world.has_sightings()
            && self.step().is_new(|state| state.store.relation_life(id) == Some(Alive))
        {
            let units = self.after.store.scope(id).iter();
            self.subjects.extend(units.map(|unit| Row::Sighting(id, unit)));
        }
    }

    /// The charm of a unit, where the world has it.
    pub(super) fn charm_of(&mut self, id: UnitId) {
        if self.before.world.detail.charm {
            self.add(Row::UnitCharm(id));
        }
    }

    /// The workflow of a unit, where the world has it.
    pub(super) fn workflow_of(&mut self, id: UnitId) {
        if self.before.world.detail.workflow {
            self.add(Row::UnitWorkflow(id));
        }
    }

    /// The application of a unit that was created or removed.
    pub(super) fn application_of(&mut self, id: UnitId) {
        if self.step().is_new(|state| state.store.unit(id).is_some()) {
            self.add(Row::Application(self.before.world.unit(id).application));
        }
    }

    /// The application of a unit.
    pub(super) fn application_of_any(&mut self, id: UnitId) {
        self.add(Row::Application(self.before.world.unit(id).application));
    }

    /// The applications of the units on a machine.
    pub(super) fn applications_on(&mut self, id: MachineId) {
        let (first, world) = (self.subjects.len(), self.before.world);
        for state in [self.before.state, self.after] {
            if let Some(machine) = state.store.machine(id) {
                self.placed(Placement::Machine(id), &machine.principals);
            }
        }
        for subject in &mut self.subjects[first..] {
            if let Row::Unit(unit) = *subject {
                *subject = Row::Application(world.unit(unit).application);
            }
        }
    }

    /// The applications of a relation that was created or removed.
    pub(super) fn ends_of(&mut self, id: RelationId) {
        if self.step().is_new(|state| state.store.relation(id).is_some()) {
            let ends = self.before.world.relation(id).applications();
            self.subjects.extend(ends.map(Row::Application));
        }
    }

    /// The application of a command in progress. Peer relations that it will still create are
    /// missing only once it has ended.
    pub(super) fn application_of_session(&mut self, id: UserId) {
        let session = self.before.state.runtime.user(id).session;
        self.subjects.extend(session.map(|it| Row::Application(it.application)));
    }

    /// The relations of an application.
    pub(super) fn relations_of(&mut self, id: ApplicationId) {
        let relations = &self.before.world.application(id).relations;
        self.subjects.extend(relations.iter().copied().map(Row::Relation));
    }

    /// The units of an application, as far as they exist.
    pub(super) fn units_of(&mut self, id: ApplicationId) {
        if self.before.recount.units_of(id) > 0 {
            let units = self.before.world.application(id).units();
            let existing = units.filter(|unit| self.after.store.unit(*unit).is_some());
            self.subjects.extend(existing.map(Row::Unit));
        }
    }

    /// The relations in whose scope a unit is that was created or removed.
    pub(super) fn relations_in_scope_of(&mut self, id: UnitId) {
        if self.step().is_new(|state| state.store.unit(id).is_some()) {
            let relations = self.before.world.scopes_of(id);
            let scopes = relations.filter(|relation| self.after.store.in_scope(*relation, id));
            self.subjects.extend(scopes.map(Row::Relation));
        }
    }

    /// The units on a machine that was removed.
    pub(super) fn units_on(&mut self, id: MachineId) {
        if let (Some(machine), None) =
            (self.before.state.store.machine(id), self.after.store.machine(id))
        {
            self.placed(Placement::Machine(id), &machine.principals);
        }
    }

    /// The subordinates of a unit that was removed.
    pub(super) fn subordinates_of(&mut self, id: UnitId) {
        if let (Some(unit), None) = (self.before.state.store.unit(id), self.after.store.unit(id)) {
            self.placed(Placement::Principal(id), &unit.subordinates);
        }
    }

    /// The units with this placement: those that it lists, and if more units name it, all that do.
    pub(super) fn placed(&mut self, placement: Placement, listed: &IdSet<UnitId>) {
        let names = |state: &State, unit: &UnitId| {
            state.store.unit(*unit).is_some_and(|unit| unit.placement == placement)
        };
        let (before, after) = (self.before.state, self.after);
        let known = listed.iter().filter(|unit| names(before, unit)).count();
        if known == self.before.recount.naming(placement) as usize {
            self.subjects.extend(listed.iter().map(Row::Unit));
        } else {
            let all = self.before.world.unit_ids().filter(|unit| names(after, unit));
            self.subjects.extend(all.map(Row::Unit));
        }
    }

    /// The machines or principals where a unit belonged and belongs.
    pub(super) fn placements_of(&mut self, id: UnitId) {
        for placement in self.step().placements(id) {
            match placement {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.add(Row::Machine(machine)),
                Placement::Principal(principal) => self.add(Row::Unit(principal)),
            }
        }
    }

    /// The subordinates of a relation's applications, as far as they exist.
    pub(super) fn subordinates_in(&mut self, id: RelationId) {
        let world = self.before.world;
        let ends = world.relation(id).applications().map(|end| world.application(end));
        let units = ends.filter(|end| end.subordinate).flat_map(ApplicationDef::units);
        let existing = units.filter(|unit| self.after.store.unit(*unit).is_some());
        self.subjects.extend(existing.map(Row::Unit));
    }

    /// The pairs of a unit and the relations of its application.
    pub(super) fn pairs_of_unit(&mut self, id: UnitId) {
        let relations = self.before.world.relations_of(id).iter();
        self.subjects.extend(relations.map(|relation| Row::Scope(*relation, id)));
    }

    /// The pairs of a relation that came or ceased to be Alive and its applications' units, as far
    /// as they exist.
    pub(super) fn pairs_of_relation(&mut self, id: RelationId) {
        if !self.step().is_new(|state| state.store.relation_life(id) == Some(Alive)) {
            return;
        }
        let world = self.before.world;
        let ends = world.relation(id).applications().map(|end| world.application(end));
        let units = ends.flat_map(ApplicationDef::units);
        let existing = units.filter(|unit| self.after.store.unit(*unit).is_some());
        self.subjects.extend(existing.map(|unit| Row::Scope(id, unit)));
    }

    /// The pairs of the principals that a subordinate had and has.
    pub(super) fn pairs_of_principals(&mut self, id: UnitId) {
        for placement in self.step().placements(id) {
            if let Placement::Principal(principal) = placement {
                self.pairs_of_unit(principal);
            }
        }
    }

    /// The host of a container that was created or removed.
    pub(super) fn host_of(&mut self, id: MachineId) {
        if self.step().is_new(|state| state.store.machine(id).is_some()) {
            self.subjects.extend(self.before.world.machine(id).parent.map(Row::Machine));
        }
    }

    /// The first manager machine, if this is a manager.
    pub(super) fn first_manager(&mut self, id: MachineId) {
        if self.before.world.machine(id).manages_model {
            self.subjects.extend(self.before.recount.first_manager().map(Row::Machine));
        }
    }
}
