//! Links: the rows that a claim reads beside its subject, each with the way back.
//!
//! A claim names the links that its predicate follows, in the line that names the predicate. When a
//! step touches a row, the events by which the row changed tell which links to go back, from the row
//! to the subjects whose verdict it may change: so checking claims costs what a step touches, and a
//! link that no asked claim reads costs nothing. The way back may lead to too many subjects. It must
//! not miss any that might newly violate a claim about states, or whose obligation might arise or
//! end; the tests compare it with a check of everything, for all claims together and for each alone.

use super::{
    Event::{
        self, ApplicationLife, Charm, Entry, Exit, MachineLife, Placement as Place, RelationLife,
        Session, Subordinates, UnitLife,
    },
    View,
};
use crate::{
    agents::Change,
    ids::{ApplicationId, IdSet, MachineId, RelationId, UnitId, UserId},
    life::Life::Alive,
    rows::{Placement, Row, RowKind},
    state::State,
    world::ApplicationDef,
};

macro_rules! links {
    ($($(#[$doc:meta])* $link:ident:
        $($kind:ident [$($event:expr),+] |$it:ident $(, $key:ident)+| $way:expr),+;)+) => {
        /// Rows that a claim reads, named by what they are to its subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Link {
            $($(#[$doc])* $link),+
        }

        impl Link {
            /// The kinds of rows from which a way leads back.
            pub fn kinds(self) -> &'static [RowKind] {
                match self {
                    $(Self::$link => &[$(RowKind::$kind),+]),+
                }
            }

            /// The events of these rows upon which it is gone back.
            pub(super) fn events(self) -> &'static [Event] {
                match self {
                    $(Self::$link => &[$($($event),+),+]),+
                }
            }

            /// Goes back from a touched row to the subjects.
            pub(super) fn follow(self, row: Row, affected: &mut Affected<'_>) {
                match self {
                    $(Self::$link => {
                        $(if let Row::$kind($($key),+) = row {
                            let $it = &mut *affected;
                            $way;
                        })+
                    })+
                }
            }
        }
    };
}

links! {
    /// Of an application: whether its units exist.
    UnitsOfApplication: Unit [UnitLife] |it, id| it.application_of(id);
    /// Of an application: whether its relations exist.
    RelationsOfApplication: Relation [RelationLife] |it, id| it.ends_of(id);
    /// Of an application: the commands in progress that deploy it.
    SessionsOfApplication: User [Session] |it, id| it.application_of_session(id);
    /// Of a relation: the lives of its applications.
    EndsOfRelation: Application [ApplicationLife] |it, id| it.relations_of(id);
    /// Of a relation: its scope documents.
    ScopeOfRelation: Scope [Entry, Exit] |it, id, _unit| it.add(Row::Relation(id));
    /// Of a relation: whether the units in its scope exist.
    UnitsInScope: Unit [UnitLife] |it, id| it.relations_in_scope_of(id);
    /// Of a unit: whether its machine or principal exists.
    PlacementOfUnit:
        Machine [MachineLife] |it, id| it.units_on(id),
        Unit [UnitLife] |it, id| it.subordinates_of(id);
    /// Of a unit: the life of its application.
    ApplicationOfUnit: Application [ApplicationLife] |it, id| it.units_of(id);
    /// Of a unit: its scope documents.
    ScopesOfUnit: Scope [Entry, Exit] |it, _relation, id| it.add(Row::Unit(id));
    /// Of a machine or a principal: the units that name it as their placement.
    UnitsPlacedThere: Unit [Place] |it, id| it.placements_of(id);
    /// Of a machine: whether its containers exist.
    ContainersOfMachine: Machine [MachineLife] |it, id| it.host_of(id);
    /// Of a subordinate: the lives of its application's relations.
    RelationsOfSubordinate: Relation [RelationLife] |it, id| it.subordinates_in(id);
    /// Of the agent of a unit: its life and placement.
    UnitOfAgent: Unit [UnitLife, Place] |it, id| it.add(Row::UnitRuntime(id));
    /// Of the hooks of a unit: its life.
    UnitOfHooks: Unit [UnitLife] |it, id| it.hooks_of(id);
    /// Of the hooks of a unit: what its agent knows of failures.
    AgentOfHooks: UnitRuntime [Charm] |it, id| it.hooks_of(id);
    /// Of the charm of a unit: its life.
    UnitOfCharm: Unit [UnitLife] |it, id| it.charm_of(id);
    /// Of the charm of a unit: what its agent knows of failures.
    AgentOfCharm: UnitRuntime [Charm] |it, id| it.charm_of(id);
    /// Of the hardware and agent of a machine: the life of the machine.
    MachineOfAgent: Machine [MachineLife] |it, id| it.add(Row::MachineRuntime(id));
    /// Of a relation and a unit: the unit's documents.
    UnitOfPair: Unit [UnitLife, Place, Subordinates] |it, id| it.pairs_of_unit(id);
    /// Of a relation and a unit: whether the relation is Alive.
    RelationOfPair: Relation [RelationLife] |it, id| it.pairs_of_relation(id);
    /// Of a relation and a unit: the lives of the unit's subordinates.
    SubordinatesOfPair: Unit [UnitLife, Place] |it, id| it.pairs_of_principals(id);
    /// Of the first manager machine, which stands for all: the lives of the others.
    OtherManagers: Machine [MachineLife] |it, id| it.first_manager(id);
}

/// A step, and the subjects that it affects.
pub(super) struct Affected<'a> {
    /// Before the step.
    pub(super) before: View<'a>,
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
    pub(super) fn step(&self) -> Change<'_> {
        Change { world: self.before.world, before: self.before.state, after: self.after }
    }

    /// The hooks of a unit, where the world has them.
    fn hooks_of(&mut self, id: UnitId) {
        if self.before.world.detail.hooks {
            self.add(Row::UnitHooks(id));
        }
    }

    /// The charm of a unit, where the world has it.
    fn charm_of(&mut self, id: UnitId) {
        if self.before.world.detail.charm {
            self.add(Row::UnitCharm(id));
        }
    }

    /// The application of a unit that was created or removed.
    fn application_of(&mut self, id: UnitId) {
        if self.step().is_new(|state| state.store.unit(id).is_some()) {
            self.add(Row::Application(self.before.world.unit(id).application));
        }
    }

    /// The applications of a relation that was created or removed.
    fn ends_of(&mut self, id: RelationId) {
        if self.step().is_new(|state| state.store.relation(id).is_some()) {
            let ends = self.before.world.relation(id).applications();
            self.subjects.extend(ends.map(Row::Application));
        }
    }

    /// The application of a command in progress. Peer relations that it will still create are
    /// missing only once it has ended.
    fn application_of_session(&mut self, id: UserId) {
        let session = self.before.state.runtime.user(id).session;
        self.subjects.extend(session.map(|it| Row::Application(it.application)));
    }

    /// The relations of an application.
    fn relations_of(&mut self, id: ApplicationId) {
        let relations = &self.before.world.application(id).relations;
        self.subjects.extend(relations.iter().copied().map(Row::Relation));
    }

    /// The units of an application, as far as they exist.
    fn units_of(&mut self, id: ApplicationId) {
        if self.before.recount.units_of(id) > 0 {
            let units = self.before.world.application(id).units();
            let existing = units.filter(|unit| self.after.store.unit(*unit).is_some());
            self.subjects.extend(existing.map(Row::Unit));
        }
    }

    /// The relations in whose scope a unit is that was created or removed.
    fn relations_in_scope_of(&mut self, id: UnitId) {
        if self.step().is_new(|state| state.store.unit(id).is_some()) {
            let relations = self.before.world.scopes_of(id);
            let scopes = relations.filter(|relation| self.after.store.in_scope(*relation, id));
            self.subjects.extend(scopes.map(Row::Relation));
        }
    }

    /// The units on a machine that was removed.
    fn units_on(&mut self, id: MachineId) {
        if let (Some(machine), None) =
            (self.before.state.store.machine(id), self.after.store.machine(id))
        {
            self.placed(Placement::Machine(id), &machine.principals);
        }
    }

    /// The subordinates of a unit that was removed.
    fn subordinates_of(&mut self, id: UnitId) {
        if let (Some(unit), None) = (self.before.state.store.unit(id), self.after.store.unit(id)) {
            self.placed(Placement::Principal(id), &unit.subordinates);
        }
    }

    /// The units with this placement: those that it lists, and if more units name it, all that do.
    fn placed(&mut self, placement: Placement, listed: &IdSet<UnitId>) {
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
    fn placements_of(&mut self, id: UnitId) {
        for placement in self.step().placements(id) {
            match placement {
                Placement::Nowhere => {}
                Placement::Machine(machine) => self.add(Row::Machine(machine)),
                Placement::Principal(principal) => self.add(Row::Unit(principal)),
            }
        }
    }

    /// The subordinates of a relation's applications, as far as they exist.
    fn subordinates_in(&mut self, id: RelationId) {
        let world = self.before.world;
        let ends = world.relation(id).applications().map(|end| world.application(end));
        let units = ends.filter(|end| end.subordinate).flat_map(ApplicationDef::units);
        let existing = units.filter(|unit| self.after.store.unit(*unit).is_some());
        self.subjects.extend(existing.map(Row::Unit));
    }

    /// The pairs of a unit and the relations of its application.
    fn pairs_of_unit(&mut self, id: UnitId) {
        let relations = self.before.world.relations_of(id).iter();
        self.subjects.extend(relations.map(|relation| Row::Scope(*relation, id)));
    }

    /// The pairs of a relation that came or ceased to be Alive and its applications' units, as far as
    /// they exist.
    fn pairs_of_relation(&mut self, id: RelationId) {
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
    fn pairs_of_principals(&mut self, id: UnitId) {
        for placement in self.step().placements(id) {
            if let Placement::Principal(principal) = placement {
                self.pairs_of_unit(principal);
            }
        }
    }

    /// The host of a container that was created or removed.
    fn host_of(&mut self, id: MachineId) {
        if self.step().is_new(|state| state.store.machine(id).is_some()) {
            self.subjects.extend(self.before.world.machine(id).parent.map(Row::Machine));
        }
    }

    /// The first manager machine, if this is a manager.
    fn first_manager(&mut self, id: MachineId) {
        if self.before.world.machine(id).manages_model {
            self.subjects.extend(self.before.recount.first_manager().map(Row::Machine));
        }
    }
}
