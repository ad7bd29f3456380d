//! Constraints in documents: those in force, and the rows that hold them (D3:27-64).

use crate::{
    ids::{Constraints, UnitId},
    rows::{ModelDocs, Read, RowTable, note},
    store::{Row, Store, Touched},
    variants::ConstraintsCaptured,
    world::World,
};

impl Store {
    pub fn model(&self) -> &ModelDocs {
        note(Read::Row(Row::Model));
        &self.model
    }

    /// The model's document, to be changed.
    pub fn model_mut(&mut self, touched: &mut Touched) -> &mut ModelDocs {
        touched.push(Row::Model);
        &mut self.model
    }

    /// The constraints that a unit has captured; none if it does not exist.
    pub fn constraints_of(&self, id: UnitId) -> Constraints {
        self.unit(id).map_or(Constraints::NONE, |unit| unit.constraints)
    }

    /// The constraints in force for a unit that is added now: for each key its application's, else
    /// the model's, else none.
    pub fn in_force(&self, world: &World, id: UnitId) -> Constraints {
        let application = self.application(world.unit(id).application);
        let own = application.map_or(Constraints::NONE, |it| it.constraints);
        world.constraints.captured(own, self.model().constraints)
    }

    /// The constraints on a unit's machine: those that the unit has captured, or will by then.
    pub(crate) fn constraints_for(&self, world: &World, id: UnitId) -> Constraints {
        let waits = match world.variants.constraints_captured {
            ConstraintsCaptured::AsCreated | ConstraintsCaptured::AsRead => false,
            ConstraintsCaptured::WithMachine => true,
        };
        let captured = self.unit(id).filter(|_| !waits).map(|unit| unit.constraints);
        captured.unwrap_or_else(|| self.in_force(world, id))
    }

    /// Removes the constraints from all documents.
    pub(crate) fn hide_constraints(&mut self, world: &World, touched: &mut Touched) {
        self.model = ModelDocs::default();
        for id in world.machine_ids() {
            if let Some(machine) = &mut self.machine_docs_mut(id, touched).machine {
                machine.constraints = Constraints::NONE;
            }
        }
        for id in world.application_ids() {
            if let Some(application) = &mut self.application_docs_mut(id, touched).application {
                application.constraints = Constraints::NONE;
            }
        }
        for id in world.unit_ids() {
            if let Some(unit) = &mut self.unit_docs_mut(id, touched).unit {
                unit.constraints = Constraints::NONE;
            }
        }
    }
}

impl RowTable<ModelDocs> for Store {
    #[inline]
    fn look<T>(&self, (): (), look: impl FnOnce(&ModelDocs) -> T) -> T {
        look(self.model())
    }

    fn change(&mut self, (): (), touched: &mut Touched, change: impl FnOnce(&mut ModelDocs)) {
        change(self.model_mut(touched));
    }

    #[inline]
    fn restore(&mut self, (): (), other: &Self) {
        self.model = *other.model();
    }
}
