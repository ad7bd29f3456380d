//! The store: the documents of all machines, applications, units and relations.
//!
//! Documents that belong to an entity but outlive it (settings, cleanups) sit beside its place in
//! the same dense table. Reading is free; writing goes through methods that record what was
//! touched, so that nobody can change a document unnoticed.

pub use crate::rows::{Row, Touched};
use crate::{
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    life::Life,
    rows::{put, put_member},
    world::World,
};

/// All documents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store {
    machines: Vec<MachineDocs>,
    applications: Vec<ApplicationDocs>,
    units: Vec<UnitDocs>,
    relations: Vec<RelationDocs>,
    /// For each relation the units that have a scope document. A table of its own, because a
    /// relation is touched whenever a unit enters or leaves, and its scope can be large.
    scopes: Vec<IdSet<UnitId>>,
}

/// The documents at one machine's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineDocs {
    /// The machine, while it exists.
    pub machine: Option<Machine>,
    /// The cleanup document that asks to force it.
    pub force: bool,
}

/// A machine document. Its jobs and its host never change and are constants of the world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Machine {
    /// Its life.
    pub life: Life,
    /// It has an instance id: the provisioner has started an instance for it and has not learnt
    /// that it is gone.
    pub instance: bool,
    /// The principal units assigned to it.
    pub principals: IdSet<UnitId>,
    /// Its containers.
    pub containers: IdSet<MachineId>,
}

/// The documents at one application's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApplicationDocs {
    /// The application, while it exists.
    pub application: Option<Application>,
    /// Its settings document.
    pub settings: bool,
    /// The cleanup document that asks to destroy its units.
    pub units_cleanup: bool,
}

/// An application document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Application {
    /// Its life; never Dead, as it is removed in the same transaction.
    pub life: Life,
    /// How many units it has.
    pub units: u32,
    /// How many relations it is in.
    pub relations: u32,
}

/// The documents at one unit's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitDocs {
    /// The unit, while it exists.
    pub unit: Option<Unit>,
    /// The cleanup document that asks to force it.
    pub force: bool,
}

/// A unit document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// Its life.
    pub life: Life,
    /// Where it belongs, and thereby who deploys it.
    pub placement: Placement,
    /// The subordinate units it is the principal of.
    pub subordinates: IdSet<UnitId>,
}

/// Where a unit belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// Nowhere yet.
    #[default]
    Nowhere,
    /// On a machine, as a principal.
    Machine(MachineId),
    /// With a principal, as its subordinate.
    Principal(UnitId),
}

/// The documents at one relation's place, but for its scope documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationDocs {
    /// The relation, while it exists.
    pub relation: Option<Relation>,
    /// It has settings documents of units. They are only ever deleted in a mass, and nothing
    /// looks at a single one, so one bit stands for the lot.
    pub settings: bool,
    /// Settings documents of a removed relation of this name are left.
    pub leftovers: bool,
    /// The cleanup document that asks to delete them.
    pub cleanup: bool,
}

/// A relation document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// Its life; never Dead, as it is removed in the same transaction.
    pub life: Life,
    /// How many units are in scope.
    pub in_scope: u32,
}

impl Store {
    /// A store without documents.
    pub fn empty(world: &World) -> Self {
        Self {
            machines: vec![MachineDocs::default(); world.machines.len()],
            applications: vec![ApplicationDocs::default(); world.applications.len()],
            units: vec![UnitDocs::default(); world.units.len()],
            relations: vec![RelationDocs::default(); world.relations.len()],
            scopes: vec![IdSet::default(); world.relations.len()],
        }
    }

    /// The machine, if it exists.
    pub fn machine(&self, id: MachineId) -> Option<&Machine> {
        self.machine_docs(id).machine.as_ref()
    }

    /// The application, if it exists.
    pub fn application(&self, id: ApplicationId) -> Option<&Application> {
        self.application_docs(id).application.as_ref()
    }

    /// The unit, if it exists.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.unit_docs(id).unit.as_ref()
    }

    /// The relation, if it exists.
    pub fn relation(&self, id: RelationId) -> Option<&Relation> {
        self.relation_docs(id).relation.as_ref()
    }

    /// Whether `unit` has a scope document in `relation`.
    pub fn in_scope(&self, relation: RelationId, unit: UnitId) -> bool {
        self.scope(relation).contains(unit)
    }

    /// The units that have a scope document in `relation`.
    pub fn scope(&self, relation: RelationId) -> &IdSet<UnitId> {
        &self.scopes[relation.index()]
    }

    /// The life of the machine, if it exists.
    pub fn machine_life(&self, id: MachineId) -> Option<Life> {
        self.machine(id).map(|machine| machine.life)
    }

    /// The life of the application, if it exists.
    pub fn application_life(&self, id: ApplicationId) -> Option<Life> {
        self.application(id).map(|application| application.life)
    }

    /// The life of the unit, if it exists.
    pub fn unit_life(&self, id: UnitId) -> Option<Life> {
        self.unit(id).map(|unit| unit.life)
    }

    /// The life of the relation, if it exists.
    pub fn relation_life(&self, id: RelationId) -> Option<Life> {
        self.relation(id).map(|relation| relation.life)
    }

    /// The documents at a machine's place.
    pub fn machine_docs(&self, id: MachineId) -> &MachineDocs {
        &self.machines[id.index()]
    }

    /// The documents at an application's place.
    pub fn application_docs(&self, id: ApplicationId) -> &ApplicationDocs {
        &self.applications[id.index()]
    }

    /// The documents at a unit's place.
    pub fn unit_docs(&self, id: UnitId) -> &UnitDocs {
        &self.units[id.index()]
    }

    /// The documents at a relation's place.
    pub fn relation_docs(&self, id: RelationId) -> &RelationDocs {
        &self.relations[id.index()]
    }

    /// The documents at a machine's place, to be changed.
    pub fn machine_docs_mut(&mut self, id: MachineId, touched: &mut Touched) -> &mut MachineDocs {
        touched.push(Row::Machine(id));
        &mut self.machines[id.index()]
    }

    /// The documents at an application's place, to be changed.
    pub fn application_docs_mut(
        &mut self,
        id: ApplicationId,
        touched: &mut Touched,
    ) -> &mut ApplicationDocs {
        touched.push(Row::Application(id));
        &mut self.applications[id.index()]
    }

    /// The documents at a unit's place, to be changed.
    pub fn unit_docs_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitDocs {
        touched.push(Row::Unit(id));
        &mut self.units[id.index()]
    }

    /// The documents at a relation's place, to be changed.
    pub fn relation_docs_mut(
        &mut self,
        id: RelationId,
        touched: &mut Touched,
    ) -> &mut RelationDocs {
        touched.push(Row::Relation(id));
        &mut self.relations[id.index()]
    }

    /// Creates the scope document of `unit` in `relation`.
    pub fn enter_scope(&mut self, relation: RelationId, unit: UnitId, touched: &mut Touched) {
        touched.push(Row::Scope(relation, unit));
        self.scopes[relation.index()].insert(unit);
    }

    /// Deletes the scope document of `unit` in `relation`.
    pub fn leave_scope(&mut self, relation: RelationId, unit: UnitId, touched: &mut Touched) {
        touched.push(Row::Scope(relation, unit));
        self.scopes[relation.index()].remove(unit);
    }

    /// Makes the documents of one entry what they are in `other`.
    pub(crate) fn restore(&mut self, row: Row, other: &Self) {
        match row {
            Row::Machine(id) => put(&mut self.machines, &other.machines, id),
            Row::Application(id) => put(&mut self.applications, &other.applications, id),
            Row::Unit(id) => put(&mut self.units, &other.units, id),
            Row::Relation(id) => put(&mut self.relations, &other.relations, id),
            Row::Scope(id, unit) => {
                put_member(&mut self.scopes[id.index()], unit, other.in_scope(id, unit));
            }
            Row::MachineRuntime(_)
            | Row::UnitRuntime(_)
            | Row::Memberships(_)
            | Row::Membership(..)
            | Row::User(_)
            | Row::Task(_)
            | Row::Client(_)
            | Row::Upgrade => {}
        }
    }
}
