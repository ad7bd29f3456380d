//! Changes: what an op of a transaction does to its document.
//!
//! A change of a missing document does nothing, unless it creates it. Counts stop at none and at
//! one more than is possible: a wrong count is for a claim to notice, and must not make the state
//! space infinite.

use crate::{
    ids::{ApplicationId, Constraints, MachineId, RelationId, UnitId},
    life::Life,
    rows::StartStatus,
    store::{
        Application, Machine, MachineDocs, Placement, Relation, Store, Touched, Unit, UnitDocs,
    },
    txn::{Marker, Model},
    world::World,
};

/// A change of a document of a kind.
pub trait Change<D>: Copy + Eq {
    /// Makes the change.
    fn make(self, doc: D, store: &mut Store, world: &World, touched: &mut Touched);
}

/// A change of a machine's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachineChange {
    /// It is created, Alive.
    Create,
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It gets this principal.
    Assign(UnitId),
    /// It loses this principal.
    Unassign(UnitId),
    /// It gets this container.
    AddContainer(MachineId),
    /// It loses this container.
    DropContainer(MachineId),
    /// It gets an instance id.
    Record,
    /// Its start stands so.
    SetStart(StartStatus),
    /// It gets the constraints of this unit.
    CopyUnit(UnitId),
    /// It gets the constraints of the model.
    CopyModel,
    /// It gets these constraints.
    SetConstraints(Constraints),
}

impl Change<MachineId> for MachineChange {
    fn make(self, id: MachineId, store: &mut Store, _: &World, touched: &mut Touched) {
        let of_model = store.model().constraints;
        let copied =
            if let Self::CopyUnit(unit) = self { store.constraints_of(unit) } else { of_model };
        let docs = store.machine_docs_mut(id, touched);
        match (self, &mut docs.machine) {
            (Self::Create, machine) => {
                *machine = Some(Machine::created());
            }
            (_, None) => {}
            (Self::Remove, _) => *docs = MachineDocs::default(),
            (Self::SetLife(life), Some(machine)) => machine.life = life,
            (Self::Assign(unit), Some(machine)) => machine.principals.insert(unit),
            (Self::Unassign(unit), Some(machine)) => machine.principals.remove(unit),
            (Self::AddContainer(id), Some(machine)) => machine.containers.insert(id),
            (Self::DropContainer(id), Some(machine)) => machine.containers.remove(id),
            (Self::Record, Some(machine)) => machine.instance = true,
            (Self::SetStart(status), Some(machine)) => machine.start = status,
            (Self::CopyUnit(_) | Self::CopyModel, Some(machine)) => machine.constraints = copied,
            (Self::SetConstraints(constraints), Some(machine)) => machine.constraints = constraints,
        }
    }
}

/// A change of an application's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApplicationChange {
    /// It is created, Alive.
    Create,
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It counts one unit more.
    AddUnit,
    /// It counts one unit less.
    DropUnit,
    /// It counts this many relations more.
    AddRelations(u32),
    /// It counts this many relations less.
    DropRelations(u32),
    /// Its configuration changes, which the commit tells its units.
    SetConfig,
    /// It gets another charm, which the commit tells its units.
    Upgrade,
    /// The same, even where a unit is in error.
    ForceUpgrade,
    /// Its units' open ports can be reached.
    Expose,
    /// They cannot be reached any more.
    Unexpose,
    /// It gets these constraints.
    SetConstraints(Constraints),
}

impl Change<ApplicationId> for ApplicationChange {
    fn make(self, id: ApplicationId, store: &mut Store, world: &World, touched: &mut Touched) {
        let constants = world.application(id);
        let application = &mut store.application_docs_mut(id, touched).application;
        match (self, application) {
            (Self::Create, application) => {
                *application = Some(Application::created());
            }
            // No document says which configuration and which charm it is: units tell whether theirs
            // is an old one.
            (_, None) | (Self::SetConfig | Self::Upgrade | Self::ForceUpgrade, Some(_)) => {}
            (Self::Remove, application) => *application = None,
            (Self::SetLife(life), Some(it)) => it.life = life,
            (Self::AddUnit, Some(it)) => it.units = more(it.units, 1, constants.units.len()),
            (Self::DropUnit, Some(it)) => it.units = it.units.saturating_sub(1),
            (Self::AddRelations(count), Some(it)) => {
                it.relations = more(it.relations, count, constants.relations.len());
            }
            (Self::DropRelations(count), Some(it)) => {
                it.relations = it.relations.saturating_sub(count);
            }
            (Self::Expose, Some(it)) => it.exposed = true,
            (Self::Unexpose, Some(it)) => it.exposed = false,
            (Self::SetConstraints(constraints), Some(it)) => it.constraints = constraints,
        }
    }
}

/// A change of a unit's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitChange {
    /// It is created with this placement, Alive.
    Create(Placement),
    /// It is deleted.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It is placed on this machine.
    PlaceOn(MachineId),
    /// It gets this subordinate.
    AddSubordinate(UnitId),
    /// It loses this subordinate.
    DropSubordinate(UnitId),
    /// It gets the constraints that are in force for it.
    Capture,
    /// It gets these constraints.
    Constrain(Constraints),
}

impl Change<UnitId> for UnitChange {
    fn make(self, id: UnitId, store: &mut Store, world: &World, touched: &mut Touched) {
        let is_asked = self == Self::Capture;
        let in_force = if is_asked { store.in_force(world, id) } else { Constraints::NONE };
        let docs = store.unit_docs_mut(id, touched);
        match (self, &mut docs.unit) {
            (Self::Create(placement), unit) => {
                *unit = Some(Unit::created(placement));
            }
            (_, None) => {}
            (Self::Remove, _) => *docs = UnitDocs::default(),
            (Self::SetLife(life), Some(unit)) => unit.life = life,
            (Self::PlaceOn(machine), Some(unit)) => unit.placement = Placement::Machine(machine),
            (Self::AddSubordinate(id), Some(unit)) => unit.subordinates.insert(id),
            (Self::DropSubordinate(id), Some(unit)) => unit.subordinates.remove(id),
            (Self::Capture, Some(unit)) => unit.constraints = in_force,
            (Self::Constrain(constraints), Some(unit)) => unit.constraints = constraints,
        }
    }
}

/// A change of a relation's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationChange {
    /// It is created, Alive.
    Create,
    /// It is deleted; the settings of its units are left over.
    Remove,
    /// It takes this life.
    SetLife(Life),
    /// It counts one unit in scope more.
    Enter,
    /// It counts one unit in scope less.
    Leave,
}

impl Change<RelationId> for RelationChange {
    fn make(self, id: RelationId, store: &mut Store, world: &World, touched: &mut Touched) {
        let docs = store.relation_docs_mut(id, touched);
        match (self, &mut docs.relation) {
            (Self::Create, relation) => {
                *relation = Some(Relation { life: Life::Alive, in_scope: 0 });
            }
            (_, None) => {}
            (Self::Remove, relation) => {
                *relation = None;
                docs.leftovers |= std::mem::take(&mut docs.settings);
            }
            (Self::SetLife(life), Some(relation)) => relation.life = life,
            (Self::Enter, Some(relation)) => {
                let ends = world.relation(id).applications();
                let most = ends.map(|end| world.application(end).units.len()).sum();
                relation.in_scope = more(relation.in_scope, 1, most);
            }
            (Self::Leave, Some(it)) => it.in_scope = it.in_scope.saturating_sub(1),
        }
    }
}

/// A change of the model's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelChange {
    /// It gets these constraints.
    SetConstraints(Constraints),
}

impl Change<Model> for ModelChange {
    fn make(self, _: Model, store: &mut Store, _: &World, touched: &mut Touched) {
        match self {
            Self::SetConstraints(constraints) => store.model_mut(touched).constraints = constraints,
        }
    }
}

/// A change of a document of which only the existence matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerChange {
    /// It is created, unless it exists.
    Create,
    /// It is deleted, if it exists.
    Remove,
}

impl Change<Marker> for MarkerChange {
    fn make(self, marker: Marker, store: &mut Store, _: &World, touched: &mut Touched) {
        marker.set(self, store, touched);
    }
}

/// A count that grows, up to one more than `most`, the greatest possible number.
fn more(count: u32, by: u32, most: usize) -> u32 {
    (count + by).min(u32::try_from(most).unwrap_or(u32::MAX - 1) + 1)
}
