//! Transactions as data: on these documents, provided this, do that; all or nothing.
//!
//! Asserts and changes are values, never closures, because a transaction pending is compared,
//! printed and weakened. All asserts are judged on the documents as they were before the
//! transaction, then all changes are made in order.

use crate::{
    clause::Clause,
    ids::{ApplicationId, IdSet, MachineId, RelationId, UnitId},
    life::Life,
    operation::Operation,
    store::{
        Application, Machine, MachineDocs, Placement, Relation, RelationDocs, Store, Touched, Unit,
        UnitDocs,
    },
    world::World,
};

/// A document that a transaction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doc {
    /// A machine.
    Machine(MachineId),
    /// An application.
    Application(ApplicationId),
    /// The settings of an application.
    ApplicationSettings(ApplicationId),
    /// A unit.
    Unit(UnitId),
    /// A relation.
    Relation(RelationId),
    /// The settings documents of a relation's units.
    RelationSettings(RelationId),
    /// The document that says that a unit is in scope of a relation.
    Scope(RelationId, UnitId),
    /// The document that asks for the settings of a removed relation to be deleted.
    SettingsCleanup(RelationId),
    /// The document that asks for the units of a Dying application to be destroyed.
    UnitsCleanup(ApplicationId),
    /// The document that asks for a unit to be forced.
    ForceUnit(UnitId),
    /// The document that asks for a machine to be forced.
    ForceMachine(MachineId),
}

/// Something that may hold of an existing document; of a missing one nothing does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// It has this life.
    Life(Life),
    /// Its application has at least this many units.
    Units(u32),
    /// Its application is in at least this many relations.
    Relations(u32),
    /// Its application is in exactly this many relations.
    RelationsAre(u32),
    /// At least this many units are in its scope.
    InScope(u32),
    /// The machine has an instance id.
    HasInstance,
    /// The machine has principals.
    HasPrincipals,
    /// The machine has a principal that is Alive.
    HasAlivePrincipals,
    /// The machine has containers.
    HasContainers,
    /// The unit has subordinates.
    HasSubordinates,
    /// The unit has a subordinate of this application.
    HasSubordinateOf(ApplicationId),
    /// The unit belongs here.
    IsAt(Placement),
    /// Another machine with the manage-model job is Alive, and not about to be forced.
    AnotherManager,
    /// The same, and that machine has an instance id.
    AnotherRunningManager,
}

/// A condition on one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assert {
    /// Nothing is asked of it.
    Nothing,
    /// It exists.
    Exists,
    /// It does not exist.
    Missing,
    /// It exists, and at least one of these holds.
    Any([Option<Predicate>; 3]),
    /// It exists, and none of these holds.
    None([Option<Predicate>; 3]),
}

impl Assert {
    /// The opposite, for an existing document.
    fn negated(self) -> Self {
        match self {
            Assert::Nothing => Assert::Nothing,
            Assert::Exists => Assert::Missing,
            Assert::Missing => Assert::Exists,
            Assert::Any(tests) => Assert::None(tests),
            Assert::None(tests) => Assert::Any(tests),
        }
    }
}

/// Holds of a document that passes at least one test.
pub fn any<const N: usize>(tests: [Predicate; N]) -> Assert {
    let mut slots = [None; 3];
    for (slot, test) in slots.iter_mut().zip(tests) {
        *slot = Some(test);
    }
    Assert::Any(slots)
}

/// Holds of a document that passes none of the tests.
pub fn none<const N: usize>(tests: [Predicate; N]) -> Assert {
    any(tests).negated()
}

/// Holds of a document with this life.
pub fn life_is(life: Life) -> Assert {
    any([Predicate::Life(life)])
}

/// What happens to one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Nothing; the document is only asserted about.
    Keep,
    /// It comes into being; a unit at this place, everything Alive.
    Create(Placement),
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// A machine gets this principal.
    Assign(UnitId),
    /// A machine or a principal loses this unit.
    Unassign(UnitId),
    /// A unit is placed on this machine.
    PlaceOn(MachineId),
    /// A principal gets this subordinate.
    AddSubordinate(UnitId),
    /// A machine gets this container.
    AddContainer(MachineId),
    /// A machine loses this container.
    DropContainer(MachineId),
    /// An application counts one unit more.
    AddUnit,
    /// An application counts one unit less.
    DropUnit,
    /// An application counts this many relations more.
    AddRelations(u32),
    /// An application counts this many relations less.
    DropRelations(u32),
    /// A relation counts one unit in scope more.
    Enter,
    /// A relation counts one unit in scope less.
    Leave,
}

/// One line of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    /// The sentence it does.
    pub clause: Clause,
    /// On this document,
    pub doc: Doc,
    /// provided this,
    pub assert: Assert,
    /// do that.
    pub change: Change,
    /// The sentence is carried out by this line, and not only decided against.
    pub carries_out: bool,
}

/// A transaction that was planned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Txn {
    /// What it is to achieve.
    pub operation: Operation,
    /// Its lines.
    pub ops: Vec<Op>,
}

impl Txn {
    /// A transaction without lines.
    pub fn new(operation: Operation) -> Self {
        Self { operation, ops: Vec::with_capacity(8) }
    }

    /// On `doc`, provided `assert`, do `change`.
    pub fn on(&mut self, number: u8, doc: Doc, assert: Assert, change: Change) {
        self.on_behalf(Clause { rule: self.operation.rule(), number }, doc, assert, change);
    }

    /// Assert something of `doc` that sentence `number` rests on, without carrying it out.
    pub fn given(&mut self, number: u8, doc: Doc, assert: Assert) {
        let clause = Clause { rule: self.operation.rule(), number };
        self.ops.push(Op { clause, doc, assert, change: Change::Keep, carries_out: false });
    }

    /// Do `change` on `doc`, provided only that it exists.
    pub fn change(&mut self, number: u8, doc: Doc, change: Change) {
        self.on(number, doc, Assert::Exists, change);
    }

    /// As `on`, for a sentence of a rule that this one makes use of.
    pub fn on_behalf(&mut self, clause: Clause, doc: Doc, assert: Assert, change: Change) {
        self.ops.push(Op { clause, doc, assert, change, carries_out: true });
    }

    /// Whether `assert` holds of `doc` now; records it, or its opposite, to be asserted at commit.
    pub fn when(
        &mut self,
        number: u8,
        store: &Store,
        world: &World,
        doc: Doc,
        assert: Assert,
    ) -> bool {
        let holds = holds(store, world, doc, assert);
        let (clause, change) = (Clause { rule: self.operation.rule(), number }, Change::Keep);
        let assert = if holds { assert } else { assert.negated() };
        self.ops.push(Op { clause, doc, assert, change, carries_out: holds });
        holds
    }

    /// The first line whose assert does not hold.
    pub fn obstacle(&self, store: &Store, world: &World) -> Option<&Op> {
        self.ops
            .iter()
            .filter(|op| !world.unasserted.contains(op.clause) && !world.is_off(op.clause))
            .find(|op| !holds(store, world, op.doc, op.assert))
    }

    /// The units that it names by a document of their own; one may occur twice.
    pub(crate) fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.ops.iter().filter_map(|op| match op.doc {
            Doc::Unit(unit) | Doc::Scope(_, unit) | Doc::ForceUnit(unit) => Some(unit),
            Doc::Machine(_)
            | Doc::Application(_)
            | Doc::ApplicationSettings(_)
            | Doc::Relation(_)
            | Doc::RelationSettings(_)
            | Doc::SettingsCleanup(_)
            | Doc::UnitsCleanup(_)
            | Doc::ForceMachine(_) => None,
        })
    }

    /// The machines that it names by a document of their own; one may occur twice.
    pub(crate) fn machines(&self) -> impl Iterator<Item = MachineId> + '_ {
        self.ops.iter().filter_map(|op| match op.doc {
            Doc::Machine(machine) | Doc::ForceMachine(machine) => Some(machine),
            Doc::Unit(_)
            | Doc::Scope(..)
            | Doc::ForceUnit(_)
            | Doc::Application(_)
            | Doc::ApplicationSettings(_)
            | Doc::Relation(_)
            | Doc::RelationSettings(_)
            | Doc::SettingsCleanup(_)
            | Doc::UnitsCleanup(_) => None,
        })
    }

    /// Makes all changes.
    pub fn apply(&self, store: &mut Store, world: &World, touched: &mut Touched) {
        for op in self.ops.iter().filter(|op| !world.is_off(op.clause)) {
            apply(store, world, op.doc, op.change, touched);
        }
    }
}

/// What planning an operation comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// There is nothing to do ("abort without error").
    NoOp,
    /// It is not allowed ("abort with an appropriate error").
    Refuse(Why),
    /// This is to be committed.
    Submit(Txn),
}

/// Why an operation is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// The entity does not exist.
    NotFound,
    /// An entity of that name exists.
    AlreadyExists,
    /// Something that must be Alive is not.
    NotAlive,
    /// The entity must be Dead and is not.
    NotDead,
    /// The entity must be Dying and is not.
    NotDying,
    /// It is the last machine with the manage-model job.
    LastManager,
    /// A machine with the manage-model job never dies.
    Manager,
    /// The machine has units.
    HasUnits,
    /// The machine has containers.
    HasContainers,
    /// The unit has subordinates.
    HasSubordinates,
    /// The unit is in scope of a relation.
    InScope,
    /// The unit is a subordinate.
    Subordinate,
    /// The application is a subordinate one.
    SubordinateApplication,
    /// The relation is a peer relation.
    Peer,
    /// The unit has a machine already.
    AlreadyAssigned,
    /// The machine does not have the host-units job.
    HostsNoUnits,
    /// The principal's subordinate is on its way out; the scope cannot be entered yet.
    SubordinateNotAlive,
    /// The relation does not concern this unit.
    NotConcerned,
    /// The world has no place for another one.
    Full,
}

impl Why {
    /// The reason, completing "refused: ".
    pub fn text(self) -> &'static str {
        match self {
            Why::NotFound => "it does not exist",
            Why::AlreadyExists => "it exists already",
            Why::NotAlive => "something that must be Alive is not",
            Why::NotDead => "it is not Dead",
            Why::NotDying => "it is not Dying",
            Why::LastManager => "it is the last manager machine",
            Why::Manager => "it is a manager machine",
            Why::HasUnits => "it has units",
            Why::HasContainers => "it has containers",
            Why::HasSubordinates => "it has subordinates",
            Why::InScope => "it is in scope of a relation",
            Why::Subordinate => "it is a subordinate",
            Why::SubordinateApplication => "its application is a subordinate one",
            Why::Peer => "it is a peer relation",
            Why::AlreadyAssigned => "it has a machine already",
            Why::HostsNoUnits => "the machine hosts no units",
            Why::SubordinateNotAlive => "its subordinate is not Alive",
            Why::NotConcerned => "the relation does not concern it",
            Why::Full => "the world has no place for another",
        }
    }

    /// Every reason.
    pub const ALL: [Self; 19] = [
        Why::NotFound,
        Why::AlreadyExists,
        Why::NotAlive,
        Why::NotDead,
        Why::NotDying,
        Why::LastManager,
        Why::Manager,
        Why::HasUnits,
        Why::HasContainers,
        Why::HasSubordinates,
        Why::InScope,
        Why::Subordinate,
        Why::SubordinateApplication,
        Why::Peer,
        Why::AlreadyAssigned,
        Why::HostsNoUnits,
        Why::SubordinateNotAlive,
        Why::NotConcerned,
        Why::Full,
    ];
}

/// Whether `assert` holds of `doc`.
pub fn holds(store: &Store, world: &World, doc: Doc, assert: Assert) -> bool {
    let passes = |tests: [Option<Predicate>; 3]| {
        tests.into_iter().flatten().any(|test| passes(store, world, doc, test))
    };
    match assert {
        Assert::Nothing => true,
        Assert::Exists => exists(store, doc),
        Assert::Missing => !exists(store, doc),
        Assert::Any(tests) => passes(tests),
        Assert::None(tests) => exists(store, doc) && !passes(tests),
    }
}

fn exists(store: &Store, doc: Doc) -> bool {
    match doc {
        Doc::Machine(id) => store.machine(id).is_some(),
        Doc::Application(id) => store.application(id).is_some(),
        Doc::ApplicationSettings(id) => store.application_docs(id).settings,
        Doc::Unit(id) => store.unit(id).is_some(),
        Doc::Relation(id) => store.relation(id).is_some(),
        Doc::RelationSettings(id) => store.relation_docs(id).settings,
        Doc::Scope(relation, unit) => store.in_scope(relation, unit),
        Doc::SettingsCleanup(id) => store.relation_docs(id).cleanup,
        Doc::UnitsCleanup(id) => store.application_docs(id).units_cleanup,
        Doc::ForceUnit(id) => store.unit_docs(id).force,
        Doc::ForceMachine(id) => store.machine_docs(id).force,
    }
}

fn passes(store: &Store, world: &World, doc: Doc, test: Predicate) -> bool {
    match doc {
        Doc::Machine(id) => {
            store.machine(id).is_some_and(|machine| machine_passes(store, world, id, machine, test))
        }
        Doc::Application(id) => store.application(id).is_some_and(|application| match test {
            Predicate::Life(life) => application.life == life,
            Predicate::Units(least) => application.units >= least,
            Predicate::Relations(least) => application.relations >= least,
            Predicate::RelationsAre(count) => application.relations == count,
            _ => unreachable!("a test of another kind of document: {test:?}"),
        }),
        Doc::Unit(id) => store.unit(id).is_some_and(|unit| match test {
            Predicate::Life(life) => unit.life == life,
            Predicate::HasSubordinates => !unit.subordinates.is_empty(),
            Predicate::HasSubordinateOf(application) => {
                unit.subordinates.iter().any(|sub| world.unit(sub).application == application)
            }
            Predicate::IsAt(host) => unit.placement == host,
            _ => unreachable!("a test of another kind of document: {test:?}"),
        }),
        Doc::Relation(id) => store.relation(id).is_some_and(|relation| match test {
            Predicate::Life(life) => relation.life == life,
            Predicate::InScope(least) => relation.in_scope >= least,
            _ => unreachable!("a test of another kind of document: {test:?}"),
        }),
        Doc::ApplicationSettings(_)
        | Doc::RelationSettings(_)
        | Doc::Scope(..)
        | Doc::SettingsCleanup(_)
        | Doc::UnitsCleanup(_)
        | Doc::ForceUnit(_)
        | Doc::ForceMachine(_) => unreachable!("only the existence of {doc:?} is asserted"),
    }
}

fn machine_passes(
    store: &Store,
    world: &World,
    id: MachineId,
    machine: &Machine,
    test: Predicate,
) -> bool {
    match test {
        Predicate::Life(life) => machine.life == life,
        Predicate::HasInstance => machine.instance,
        Predicate::HasPrincipals => !machine.principals.is_empty(),
        Predicate::HasAlivePrincipals => {
            machine.principals.iter().any(|unit| store.unit_life(unit) == Some(Life::Alive))
        }
        Predicate::HasContainers => !machine.containers.is_empty(),
        Predicate::AnotherManager | Predicate::AnotherRunningManager => {
            world.managers().any(|other| {
                other != id
                    && store.machine_life(other) == Some(Life::Alive)
                    && !store.machine_docs(other).force
                    && (test == Predicate::AnotherManager || has_instance(store, other))
            })
        }
        _ => unreachable!("a test of another kind of document: {test:?}"),
    }
}

fn has_instance(store: &Store, id: MachineId) -> bool {
    store.machine(id).is_some_and(|machine| machine.instance)
}

fn apply(store: &mut Store, world: &World, doc: Doc, change: Change, touched: &mut Touched) {
    if change == Change::Keep {
        return;
    }
    match doc {
        Doc::Machine(id) => change_machine(store.machine_docs_mut(id, touched), change),
        Doc::Application(id) => {
            let most = u32::try_from(world.application(id).units.len()).unwrap_or(u32::MAX);
            let relations =
                u32::try_from(world.application(id).relations.len()).unwrap_or(u32::MAX);
            let docs = store.application_docs_mut(id, touched);
            change_application(&mut docs.application, change, most, relations);
        }
        Doc::Unit(id) => change_unit(store.unit_docs_mut(id, touched), change),
        Doc::Relation(id) => {
            let most =
                world.relation(id).applications().map(|end| world.application(end).units.len());
            let most = u32::try_from(most.sum::<usize>()).unwrap_or(u32::MAX);
            change_relation(store.relation_docs_mut(id, touched), change, most);
        }
        Doc::Scope(relation, unit) => {
            if change == Change::Remove {
                store.leave_scope(relation, unit, touched);
            } else {
                store.enter_scope(relation, unit, touched);
            }
        }
        Doc::ApplicationSettings(id) => {
            store.application_docs_mut(id, touched).settings = change != Change::Remove;
        }
        Doc::RelationSettings(id) => {
            store.relation_docs_mut(id, touched).settings = change != Change::Remove;
        }
        Doc::SettingsCleanup(id) => {
            store.relation_docs_mut(id, touched).cleanup = change != Change::Remove;
        }
        Doc::UnitsCleanup(id) => {
            store.application_docs_mut(id, touched).units_cleanup = change != Change::Remove;
        }
        Doc::ForceUnit(id) => store.unit_docs_mut(id, touched).force = change != Change::Remove,
        Doc::ForceMachine(id) => {
            store.machine_docs_mut(id, touched).force = change != Change::Remove;
        }
    }
}

fn change_machine(docs: &mut MachineDocs, change: Change) {
    if let Change::Create(_) = change {
        let (principals, containers) = (IdSet::default(), IdSet::default());
        docs.machine = Some(Machine { life: Life::Alive, instance: false, principals, containers });
        return;
    }
    let Some(machine) = &mut docs.machine else { return };
    match change {
        Change::SetLife(life) => machine.life = life,
        Change::Assign(unit) => machine.principals.insert(unit),
        Change::Unassign(unit) => machine.principals.remove(unit),
        Change::AddContainer(container) => machine.containers.insert(container),
        Change::DropContainer(container) => machine.containers.remove(container),
        Change::Remove => *docs = MachineDocs::default(),
        _ => unreachable!("a change of another kind of document: {change:?}"),
    }
}

/// Counts stop at none and at one more than there can be: a count that has lost touch with what
/// it counts is for a claim to notice, and must not make the state space infinite.
fn change_application(
    slot: &mut Option<Application>,
    change: Change,
    most_units: u32,
    most_relations: u32,
) {
    if let Change::Create(_) = change {
        *slot = Some(Application { life: Life::Alive, units: 0, relations: 0 });
        return;
    }
    let Some(application) = slot else { return };
    let Application { life, units, relations } = application;
    match change {
        Change::SetLife(new) => *life = new,
        Change::AddUnit => *units = (*units + 1).min(most_units + 1),
        Change::DropUnit => *units = units.saturating_sub(1),
        Change::AddRelations(count) => *relations = (*relations + count).min(most_relations + 1),
        Change::DropRelations(count) => *relations = relations.saturating_sub(count),
        Change::Remove => *slot = None,
        _ => unreachable!("a change of another kind of document: {change:?}"),
    }
}

fn change_unit(docs: &mut UnitDocs, change: Change) {
    if let Change::Create(host) = change {
        docs.unit =
            Some(Unit { life: Life::Alive, placement: host, subordinates: IdSet::default() });
        return;
    }
    let Some(unit) = &mut docs.unit else { return };
    match change {
        Change::SetLife(life) => unit.life = life,
        Change::PlaceOn(machine) => unit.placement = Placement::Machine(machine),
        Change::AddSubordinate(subordinate) => unit.subordinates.insert(subordinate),
        Change::Unassign(subordinate) => unit.subordinates.remove(subordinate),
        Change::Remove => *docs = UnitDocs::default(),
        _ => unreachable!("a change of another kind of document: {change:?}"),
    }
}

fn change_relation(docs: &mut RelationDocs, change: Change, most: u32) {
    if let Change::Create(_) = change {
        docs.relation = Some(Relation { life: Life::Alive, in_scope: 0 });
        return;
    }
    let Some(relation) = &mut docs.relation else { return };
    match change {
        Change::SetLife(life) => relation.life = life,
        Change::Enter => relation.in_scope = (relation.in_scope + 1).min(most + 1),
        Change::Leave => relation.in_scope = relation.in_scope.saturating_sub(1),
        Change::Remove => {
            docs.relation = None;
            docs.leftovers |= std::mem::take(&mut docs.settings);
        }
        _ => unreachable!("a change of another kind of document: {change:?}"),
    }
}
