//! The store: the documents of all machines, applications, units and relations.
//!
//! Documents that belong to an entity but outlive it (settings, cleanups) are in the same row of
//! the same dense table. Reading is free; writing goes through methods that record the touched row,
//! so no change goes unnoticed.

mod constraints;
mod documents;
mod transact;

pub(crate) use transact::StoredDocument;

pub use crate::rows::{
    Application, ApplicationDocs, Machine, MachineDocs, ModelDocs, Relation, RelationDocs, Row,
    Touched, Unit, UnitDocs,
};
use crate::{
    ids::{ApplicationId, Id, IdSet, MachineId, Placement, RelationId, UnitId, identities},
    life::{Life, StartStatus},
    rows::{
        Read, RowKind, RowTable, ScopeDoc, ScopeDocs, SettingsDoc, SettingsDocs, note, note_each,
        table,
    },
    world::World,
};

/// All documents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store {
    machines: Vec<MachineDocs>,
    applications: Vec<ApplicationDocs>,
    units: Vec<UnitDocs>,
    relations: Vec<RelationDocs>,
    scopes: Vec<ScopeDocs>,
    /// The settings in each relation, where the world has the detail.
    settings: Vec<SettingsDocs>,
    model: ModelDocs,
}

impl Store {
    /// Whether a unit is being forced, by itself, with its principal or with its machine.
    pub fn is_forced(&self, id: UnitId) -> bool {
        let host = self.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
        self.unit_docs(id).force
            || match host {
                Placement::Nowhere => false,
                Placement::Machine(machine) => self.machine_docs(machine).force,
                Placement::Principal(principal) => self.is_forced(principal),
            }
    }

    /// A store without documents.
    pub fn empty(world: &World) -> Self {
        Self {
            machines: vec![MachineDocs::default(); world.machines.len()],
            applications: vec![ApplicationDocs::default(); world.applications.len()],
            units: vec![UnitDocs::default(); world.units.len()],
            relations: vec![RelationDocs::default(); world.relations.len()],
            scopes: vec![ScopeDocs::default(); world.relations.len()],
            settings: if world.has_sightings() {
                vec![SettingsDocs::default(); world.relations.len()]
            } else {
                Vec::new()
            },
            model: ModelDocs::default(),
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
        note(Read::Row(Row::Scope(relation, unit)));
        self.scopes[relation.index()].exists.contains(unit)
    }

    /// The units that have a scope document in `relation`.
    pub fn scope(&self, relation: RelationId) -> &IdSet<UnitId> {
        note(Read::Relation(RowKind::Scope, relation));
        &self.scopes[relation.index()].exists
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

    /// Whether some unit of an application is Alive.
    pub fn any_alive(&self, world: &World, id: ApplicationId) -> bool {
        let mut units = world.application(id).units().map(|unit| &self.units[unit.index()].unit);
        let is_so = units.any(|unit| unit.as_ref().is_some_and(|it| it.life == Life::Alive));
        note(Read::AnyAlive(id, is_so));
        is_so
    }

    /// The life of the relation, if it exists.
    pub fn relation_life(&self, id: RelationId) -> Option<Life> {
        self.relation(id).map(|relation| relation.life)
    }

    pub fn machine_docs(&self, id: MachineId) -> &MachineDocs {
        note(Read::Row(Row::Machine(id)));
        &self.machines[id.index()]
    }

    pub fn application_docs(&self, id: ApplicationId) -> &ApplicationDocs {
        note(Read::Row(Row::Application(id)));
        &self.applications[id.index()]
    }

    pub fn unit_docs(&self, id: UnitId) -> &UnitDocs {
        note(Read::Row(Row::Unit(id)));
        &self.units[id.index()]
    }

    /// The documents of a relation, without its scope documents.
    pub fn relation_docs(&self, id: RelationId) -> &RelationDocs {
        note(Read::Row(Row::Relation(id)));
        &self.relations[id.index()]
    }

    /// The documents of a machine, to be changed.
    pub fn machine_docs_mut(&mut self, id: MachineId, touched: &mut Touched) -> &mut MachineDocs {
        touched.push(Row::Machine(id));
        &mut self.machines[id.index()]
    }

    /// The documents of an application, to be changed.
    pub fn application_docs_mut(
        &mut self,
        id: ApplicationId,
        touched: &mut Touched,
    ) -> &mut ApplicationDocs {
        touched.push(Row::Application(id));
        &mut self.applications[id.index()]
    }

    /// The documents of a unit, to be changed.
    pub fn unit_docs_mut(&mut self, id: UnitId, touched: &mut Touched) -> &mut UnitDocs {
        touched.push(Row::Unit(id));
        &mut self.units[id.index()]
    }

    /// The documents of a relation, to be changed.
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
        self.set_scope(relation, unit, ScopeDoc { exists: true }, touched);
    }

    /// Deletes the scope document of `unit` in `relation`.
    pub fn leave_scope(&mut self, relation: RelationId, unit: UnitId, touched: &mut Touched) {
        self.set_scope(relation, unit, ScopeDoc { exists: false }, touched);
    }

    fn set_scope(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        scope: ScopeDoc,
        touched: &mut Touched,
    ) {
        touched.push(Row::Scope(relation, unit));
        self.scopes[relation.index()].put(unit, scope);
    }

    /// The settings document of `unit` in `relation`.
    ///
    /// # Panics
    /// If the world has not the detail `relations`.
    pub fn settings(&self, relation: RelationId, unit: UnitId) -> SettingsDoc {
        note(Read::Row(Row::Settings(relation, unit)));
        self.settings[relation.index()].of(unit)
    }

    /// Replaces the settings document of `unit` in `relation`.
    pub fn set_settings(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        settings: SettingsDoc,
        touched: &mut Touched,
    ) {
        touched.push(Row::Settings(relation, unit));
        self.settings[relation.index()].put(unit, settings);
    }

    /// The settings documents of the units of `relation`, where the world has the detail
    /// `relations`.
    pub(crate) fn settings_docs(&self, relation: RelationId) -> Option<&SettingsDocs> {
        note(Read::Relation(RowKind::Settings, relation));
        self.settings.get(relation.index())
    }

    /// Whether a relation's rows of this kind are kept by columns.
    pub fn has_columns(kind: RowKind) -> bool {
        matches!(kind, RowKind::Scope | RowKind::Settings)
    }

    /// The members of `units`, bits from the unit `first` on, that have flag `number` set in their
    /// row of this kind in a relation.
    ///
    /// # Panics
    /// If these rows are not kept by columns, or have no such flag.
    pub fn flagged(
        &self,
        (kind, number): (RowKind, usize),
        relation: RelationId,
        first: UnitId,
        units: u64,
    ) -> u64 {
        let flagged = match kind {
            RowKind::Scope => [&self.scope_docs(relation).exists][number],
            RowKind::Settings => {
                let rows = identities(first, units).map(|unit| Row::Settings(relation, unit));
                note_each(rows.map(Read::Row));
                let SettingsDocs { exists, written } = &self.settings[relation.index()];
                [exists, written][number]
            }
            _ => unreachable!("rows of other kinds are not kept by columns"),
        };
        units & flagged.word_from(first)
    }

    /// Removes the rows that details add.
    pub(crate) fn hide_details(&mut self) {
        self.settings.clear();
        for docs in &mut self.machines {
            if let Some(machine) = &mut docs.machine {
                machine.start = StartStatus::default();
            }
        }
    }

    /// The scope documents of `relation`.
    pub(crate) fn scope_docs(&self, relation: RelationId) -> &ScopeDocs {
        note(Read::Relation(RowKind::Scope, relation));
        &self.scopes[relation.index()]
    }
}

table! { Store:
    MachineDocs machine_docs machine_docs_mut machines;
    ApplicationDocs application_docs application_docs_mut applications;
    UnitDocs unit_docs unit_docs_mut units;
    RelationDocs relation_docs relation_docs_mut relations;
}

impl RowTable<ScopeDoc> for Store {
    #[inline]
    fn look<T>(&self, (id, unit): (RelationId, UnitId), look: impl FnOnce(&ScopeDoc) -> T) -> T {
        look(&self.scope_docs(id).of(unit))
    }

    fn change(
        &mut self,
        (id, unit): (RelationId, UnitId),
        touched: &mut Touched,
        change: impl FnOnce(&mut ScopeDoc),
    ) {
        let mut scope = self.scope_docs(id).of(unit);
        change(&mut scope);
        self.set_scope(id, unit, scope, touched);
    }

    #[inline]
    fn restore(&mut self, (id, unit): (RelationId, UnitId), other: &Self) {
        self.scopes[id.index()].put(unit, other.scope_docs(id).of(unit));
    }
}

impl RowTable<SettingsDoc> for Store {
    #[inline]
    fn look<T>(&self, (id, unit): (RelationId, UnitId), look: impl FnOnce(&SettingsDoc) -> T) -> T {
        look(&self.settings(id, unit))
    }

    fn change(
        &mut self,
        (id, unit): (RelationId, UnitId),
        touched: &mut Touched,
        change: impl FnOnce(&mut SettingsDoc),
    ) {
        let mut settings = self.settings(id, unit);
        change(&mut settings);
        self.set_settings(id, unit, settings, touched);
    }

    #[inline]
    fn restore(&mut self, (id, unit): (RelationId, UnitId), other: &Self) {
        self.settings[id.index()].put(unit, other.settings(id, unit));
    }
}
