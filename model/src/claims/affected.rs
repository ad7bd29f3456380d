//! The documents that a step affects: those of the rows that it touched, and those that refer to
//! them or that they refer to.
//!
//! Because of this list, checking claims costs what a step touches. It may name too many documents.
//! It must not miss any that might newly violate an `Always` claim, or newly get an obligation; the
//! tests compare it with a check of everything.

use super::{EntityId, View};
use crate::{
    ids::{ApplicationId, IdSet, MachineId, RelationId, UnitId, UserId},
    runtime::Session,
    state::State,
    store::{Placement, Row},
};

/// A step, and the documents that it affects.
pub(super) struct Affected<'a> {
    /// Before the step.
    pub(super) before: View<'a>,
    /// After it.
    pub(super) after: &'a State,
    /// The documents found so far; one may occur twice.
    pub(super) subjects: &'a mut Vec<EntityId>,
}

impl Affected<'_> {
    /// Adds the documents that the change of one row affects.
    pub(super) fn by(&mut self, row: Row) {
        match row {
            Row::Machine(id) => self.by_machine(id),
            Row::Application(id) => self.by_application(id),
            Row::Unit(id) => self.by_unit(id),
            Row::Relation(id) => self.by_relation(id),
            Row::Scope(id, unit) => {
                self.subjects.extend([EntityId::Relation(id), EntityId::Unit(unit)]);
            }
            Row::User(id) => self.by_session(id),
            Row::MachineRuntime(_)
            | Row::UnitRuntime(_)
            | Row::Membership(..)
            | Row::Task(_)
            | Row::Client(_)
            | Row::Upgrade => {}
        }
    }

    fn by_machine(&mut self, id: MachineId) {
        self.subjects.push(EntityId::Machine(id));
        let world = self.before.world;
        let (before, after) = (self.before.state.store.machine(id), self.after.store.machine(id));
        if before.map(|it| it.life) != after.map(|it| it.life) && world.machine(id).manages_model {
            self.subjects.extend(self.before.recount.first_manager().map(EntityId::Machine));
        }
        if before.is_some() != after.is_some() {
            self.subjects.extend(world.machine(id).parent.map(EntityId::Machine));
        }
        if let (Some(machine), None) = (before, after) {
            self.by_loss_of(Placement::Machine(id), &machine.principals);
        }
    }

    fn by_application(&mut self, id: ApplicationId) {
        self.subjects.push(EntityId::Application(id));
        let (before, after) =
            (self.before.state.store.application_life(id), self.after.store.application_life(id));
        if before == after {
            return;
        }
        let constants = self.before.world.application(id);
        self.subjects.extend(constants.relations.iter().copied().map(EntityId::Relation));
        if after.is_none() && self.before.recount.units_of(id) > 0 {
            let left = constants.units().filter(|unit| self.after.store.unit(*unit).is_some());
            self.subjects.extend(left.map(EntityId::Unit));
        }
    }

    fn by_unit(&mut self, id: UnitId) {
        self.subjects.push(EntityId::Unit(id));
        let (before, after) = (self.before.state.store.unit(id), self.after.store.unit(id));
        let (old, new) = (before.map(|it| it.placement), after.map(|it| it.placement));
        if old == new {
            return;
        }
        for placement in [old, new].into_iter().flatten() {
            match placement {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.subjects.push(EntityId::Machine(machine)),
                Placement::Principal(principal) => self.subjects.push(EntityId::Unit(principal)),
            }
        }
        if before.is_some() == after.is_some() {
            return;
        }
        let (application, constants) = self.before.world.application_of(id);
        self.subjects.push(EntityId::Application(application));
        let scopes = constants.relations.iter();
        let in_scope = scopes.filter(|relation| self.after.store.in_scope(**relation, id));
        self.subjects.extend(in_scope.copied().map(EntityId::Relation));
        if let (Some(unit), None) = (before, after) {
            self.by_loss_of(Placement::Principal(id), &unit.subordinates);
        }
    }

    /// Adds the units whose placement is gone: those that it listed, and if more units name it, all
    /// that do.
    fn by_loss_of(&mut self, placement: Placement, listed: &IdSet<UnitId>) {
        let names = |state: &State, unit: &UnitId| {
            state.store.unit(*unit).is_some_and(|unit| unit.placement == placement)
        };
        let (before, after) = (self.before.state, self.after);
        let known = listed.iter().filter(|unit| names(before, unit)).count();
        if known == self.before.recount.naming(placement) as usize {
            self.subjects.extend(listed.iter().map(EntityId::Unit));
        } else {
            let all = self.before.world.unit_ids().filter(|unit| names(after, unit));
            self.subjects.extend(all.map(EntityId::Unit));
        }
    }

    fn by_relation(&mut self, id: RelationId) {
        self.subjects.push(EntityId::Relation(id));
        let was_there = self.before.state.store.relation(id).is_some();
        if was_there != self.after.store.relation(id).is_some() {
            let ends = self.before.world.relation(id).applications();
            self.subjects.extend(ends.map(EntityId::Application));
        }
    }

    /// Peer relations that a user's command in progress will still create are missing only once it
    /// has ended.
    fn by_session(&mut self, id: UserId) {
        let awaits = |session: Option<Session>| session.map(|it| (it.application, it.peers));
        let before = awaits(self.before.state.runtime.user(id).session);
        if before != awaits(self.after.runtime.user(id).session) {
            self.subjects.extend(before.map(|(application, _)| EntityId::Application(application)));
        }
    }
}
