//! Asserts and changes of each kind of document, carried out.
//!
//! A change of a missing document does nothing, unless it creates it. Counts stop at 0 and at one
//! above the greatest correct number: claims must notice a wrong count, but it must not make the
//! state space infinite.

use std::convert::Infallible;

use super::{
    Application, Machine, MachineDocs, Relation, Store, StoredDocument, Touched, Unit, UnitDocs,
};
use crate::{
    ids::{ApplicationId, Constraints, MachineId, Placement, RelationId, UnitId},
    life::{Life, StartStatus},
    txn::{
        ApplicationChange, ApplicationPredicate, MachineChange, MachinePredicate, Marker,
        MarkerChange, Model, ModelChange, RelationChange, RelationPredicate, UnitChange,
        UnitPredicate,
    },
    world::World,
};

impl StoredDocument for MachineId {
    fn exists(self, store: &Store) -> bool {
        store.machine(self).is_some()
    }

    fn holds(self, predicate: MachinePredicate, store: &Store, world: &World) -> bool {
        let Some(machine) = store.machine(self) else { return false };
        let other_managers = || world.managers().filter(|other| *other != self);
        match predicate {
            MachinePredicate::Life(life) => machine.life == life,
            MachinePredicate::HasInstance => machine.instance,
            MachinePredicate::LostInstance => machine.lost,
            MachinePredicate::IsInError => machine.start == StartStatus::Error,
            MachinePredicate::HasPrincipals => !machine.principals.is_empty(),
            MachinePredicate::HasAlivePrincipals => {
                machine.principals.iter().any(|unit| store.unit_life(unit) == Some(Life::Alive))
            }
            MachinePredicate::HasContainers => !machine.containers.is_empty(),
            MachinePredicate::ContainersAre(count) => machine.containers.len() == count as usize,
            MachinePredicate::AnotherManager => {
                other_managers().any(|other| stays(other, store).is_some())
            }
            MachinePredicate::AnotherRunningManager => {
                other_managers().any(|it| stays(it, store).is_some_and(|other| other.instance))
            }
            MachinePredicate::Satisfies(unit) => {
                let asked = store.constraints_for(world, unit);
                world.constraints.satisfies(machine.constraints, asked)
            }
        }
    }

    fn change(self, change: MachineChange, store: &mut Store, _: &World, touched: &mut Touched) {
        let of_model = store.model().constraints;
        let copied = if let MachineChange::CopyUnit(unit) = change {
            store.constraints_of(unit)
        } else {
            of_model
        };
        let docs = store.machine_docs_mut(self, touched);
        match (change, &mut docs.machine) {
            (MachineChange::Create, machine) => {
                *machine = Some(Machine::created());
            }
            (_, None) => {}
            (MachineChange::Remove, _) => *docs = MachineDocs::default(),
            (MachineChange::SetLife(life), Some(machine)) => machine.life = life,
            (MachineChange::Assign(unit), Some(machine)) => machine.principals.insert(unit),
            (MachineChange::Unassign(unit), Some(machine)) => machine.principals.remove(unit),
            (MachineChange::AddContainer(id), Some(machine)) => machine.containers.insert(id),
            (MachineChange::DropContainer(id), Some(machine)) => machine.containers.remove(id),
            (MachineChange::Record, Some(machine)) => machine.instance = true,
            (MachineChange::SetStart(status), Some(machine)) => machine.start = status,
            (MachineChange::CopyUnit(_) | MachineChange::CopyModel, Some(machine)) => {
                machine.constraints = copied;
            }
            (MachineChange::SetConstraints(constraints), Some(machine)) => {
                machine.constraints = constraints;
            }
        }
    }
}

/// The machine, if it is Alive and has no cleanup document that forces it.
fn stays(id: MachineId, store: &Store) -> Option<&Machine> {
    let machine = store.machine(id).filter(|machine| machine.life == Life::Alive)?;
    (!store.machine_docs(id).force).then_some(machine)
}

impl StoredDocument for ApplicationId {
    fn exists(self, store: &Store) -> bool {
        store.application(self).is_some()
    }

    fn holds(self, predicate: ApplicationPredicate, store: &Store, _: &World) -> bool {
        store.application(self).is_some_and(|application| match predicate {
            ApplicationPredicate::Life(life) => application.life == life,
            ApplicationPredicate::Units(least) => application.units.is_at_least(least),
            ApplicationPredicate::Relations(least) => application.relations >= least,
            ApplicationPredicate::RelationsAre(count) => application.relations == count,
            ApplicationPredicate::Exposed => application.exposed,
        })
    }

    fn change(
        self,
        change: ApplicationChange,
        store: &mut Store,
        world: &World,
        touched: &mut Touched,
    ) {
        let constants = world.application(self);
        let application = &mut store.application_docs_mut(self, touched).application;
        match (change, application) {
            (ApplicationChange::Create, application) => {
                *application = Some(Application::created());
            }
            // No document has the configuration or the charm itself: rows of units tell whether it
            // is old.
            (_, None)
            | (
                ApplicationChange::SetConfig
                | ApplicationChange::Upgrade
                | ApplicationChange::ForceUpgrade,
                Some(_),
            ) => {}
            (ApplicationChange::Remove, application) => *application = None,
            (ApplicationChange::SetLife(life), Some(it)) => it.life = life,
            (ApplicationChange::AddUnit, Some(it)) => {
                it.units.grow(constants.units.len());
            }
            (ApplicationChange::DropUnit, Some(it)) => it.units.shrink(),
            (ApplicationChange::AddRelations(count), Some(it)) => {
                it.relations = more(it.relations, count, constants.relations.len());
            }
            (ApplicationChange::DropRelations(count), Some(it)) => {
                it.relations = it.relations.saturating_sub(count);
            }
            (ApplicationChange::Expose, Some(it)) => it.exposed = true,
            (ApplicationChange::Unexpose, Some(it)) => it.exposed = false,
            (ApplicationChange::SetConstraints(constraints), Some(it)) => {
                it.constraints = constraints;
            }
        }
    }
}

impl StoredDocument for UnitId {
    fn exists(self, store: &Store) -> bool {
        store.unit(self).is_some()
    }

    fn holds(self, predicate: UnitPredicate, store: &Store, world: &World) -> bool {
        store.unit(self).is_some_and(|unit| match predicate {
            UnitPredicate::Life(life) => unit.life == life,
            UnitPredicate::HasSubordinates => !unit.subordinates.is_empty(),
            UnitPredicate::HasSubordinateOf(application) => {
                unit.subordinates.iter().any(|id| world.unit(id).application == application)
            }
            UnitPredicate::IsAt(placement) => unit.placement == placement,
        })
    }

    fn change(self, change: UnitChange, store: &mut Store, world: &World, touched: &mut Touched) {
        let is_asked = change == UnitChange::Capture;
        let in_force = if is_asked { store.in_force(world, self) } else { Constraints::NONE };
        let docs = store.unit_docs_mut(self, touched);
        match (change, &mut docs.unit) {
            (UnitChange::Create(placement), unit) => {
                *unit = Some(Unit::created(placement));
            }
            (_, None) => {}
            (UnitChange::Remove, _) => *docs = UnitDocs::default(),
            (UnitChange::SetLife(life), Some(unit)) => unit.life = life,
            (UnitChange::PlaceOn(machine), Some(unit)) => {
                unit.placement = Placement::Machine(machine);
            }
            (UnitChange::AddSubordinate(id), Some(unit)) => unit.subordinates.insert(id),
            (UnitChange::DropSubordinate(id), Some(unit)) => unit.subordinates.remove(id),
            (UnitChange::Capture, Some(unit)) => unit.constraints = in_force,
            (UnitChange::Constrain(constraints), Some(unit)) => unit.constraints = constraints,
        }
    }
}

impl StoredDocument for RelationId {
    fn exists(self, store: &Store) -> bool {
        store.relation(self).is_some()
    }

    fn holds(self, predicate: RelationPredicate, store: &Store, _: &World) -> bool {
        store.relation(self).is_some_and(|relation| match predicate {
            RelationPredicate::Life(life) => relation.life == life,
            RelationPredicate::InScope(least) => relation.in_scope.is_at_least(least),
        })
    }

    fn change(
        self,
        change: RelationChange,
        store: &mut Store,
        world: &World,
        touched: &mut Touched,
    ) {
        let docs = store.relation_docs_mut(self, touched);
        match (change, &mut docs.relation) {
            (RelationChange::Create, relation) => {
                *relation = Some(Relation::created());
            }
            (_, None) => {}
            (RelationChange::Remove, relation) => {
                *relation = None;
                docs.leftovers |= std::mem::take(&mut docs.settings);
            }
            (RelationChange::SetLife(life), Some(relation)) => relation.life = life,
            (RelationChange::Enter, Some(relation)) => {
                let ends = world.relation(self).applications();
                let most = ends.map(|end| world.application(end).units.len()).sum();
                relation.in_scope.grow(most);
            }
            (RelationChange::Leave, Some(it)) => it.in_scope.shrink(),
        }
    }
}

impl StoredDocument for Model {
    fn exists(self, _: &Store) -> bool {
        true
    }

    fn holds(self, predicate: Infallible, _: &Store, _: &World) -> bool {
        match predicate {}
    }

    fn change(self, change: ModelChange, store: &mut Store, _: &World, touched: &mut Touched) {
        match change {
            ModelChange::SetConstraints(constraints) => {
                store.model_mut(touched).constraints = constraints;
            }
        }
    }
}

/// The documents without contents: the row and the field of each.
macro_rules! markers {
    ($($kind:ident $docs:ident $docs_mut:ident $field:ident)+) => {
        impl StoredDocument for Marker {
            fn exists(self, store: &Store) -> bool {
                match self {
                    $(Self::$kind(id) => store.$docs(id).$field,)+
                    Self::Scope(relation, unit) => store.in_scope(relation, unit),
                }
            }

            fn holds(self, predicate: Infallible, _: &Store, _: &World) -> bool {
                match predicate {}
            }

            fn change(
                self,
                change: MarkerChange,
                store: &mut Store,
                _: &World,
                touched: &mut Touched,
            ) {
                match (self, change) {
                    $((Self::$kind(id), _) => {
                        store.$docs_mut(id, touched).$field = change == MarkerChange::Create;
                    })+
                    (Self::Scope(relation, unit), MarkerChange::Create) => {
                        store.enter_scope(relation, unit, touched);
                    }
                    (Self::Scope(relation, unit), MarkerChange::Remove) => {
                        store.leave_scope(relation, unit, touched);
                    }
                }
            }
        }
    };
}

markers! {
    ApplicationSettings application_docs application_docs_mut settings
    RelationSettings relation_docs relation_docs_mut settings
    LeftSettings relation_docs relation_docs_mut leftovers
    SettingsCleanup relation_docs relation_docs_mut cleanup
    UnitsCleanup application_docs application_docs_mut units_cleanup
    ForceUnit unit_docs unit_docs_mut force
    ForceMachine machine_docs machine_docs_mut force
}

/// The sum of a count and `by`, up to one more than `most`, the greatest correct number.
fn more(count: u32, by: u32, most: usize) -> u32 {
    (count + by).min(u32::try_from(most).unwrap_or(u32::MAX - 1) + 1)
}
