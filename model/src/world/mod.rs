//! The constants of a model: names, bounds, faults, assumptions and variants.

mod arguments;
mod assumption;
mod assumptions;
mod charm;
mod command;
mod constraints;
mod detail;
mod every;
mod faults;
mod kept;
mod lookup;
mod own_rules;
mod probe;
mod relation;
mod renaming;
mod series;
mod smallest;

use std::ops::{Deref, Range};

use crate::{
    actor::Actor,
    clause::{Clause, Clauses, Rule},
    ids::{ApplicationId, EntityId, Id, MachineId, RelationId, UnitId, UserId},
    variants::{
        AgentUpgrade, RelationTracking, StrayInstance, UnprovisionedMachine, UnprovisionedUnit,
        Variants,
    },
};
pub use arguments::{CommandArgument, CommandArguments, CommandParameter};
pub use assumption::{Assumption, AssumptionRow};
pub use assumptions::{Assumptions, Obligation, Per};
pub use charm::{CharmDef, HookTrait};
pub use command::{Allowed, Command, CommandKind, CommandRow, Finds, FirstTransaction, Rest};
pub use constraints::{ConstraintValues, ConstraintsDef};
pub use detail::{DetailInfo, Details};
pub use every::{every, every_about, every_of};
pub use faults::{FaultKind, FaultRow, Faults, Rate, Strikes, Switch, SwitchMut};
pub use kept::{HistoryOf, KeptHistory};
use lookup::Lookup;
pub use own_rules::OwnRuleSet;
pub use probe::Probe;
use probe::ProbedClauses;
pub use relation::{RelationDef, Scope};
pub use series::{Series, SeriesDef};

/// Everything that does not change while the protocol runs: the constants that the world was built
/// from, and indices over them. It cannot be changed; [`World::changed`] builds another one.
#[derive(Clone, Debug)]
pub struct World {
    constants: WorldBuilder,
    lookup: Lookup,
    switches: ProbedClauses,
}

/// The constants of a world that is to be built.
#[derive(Clone, Debug, Default)]
pub struct WorldBuilder {
    /// The machines that may exist; a machine that is removed leaves its identifier free.
    pub machines: Vec<MachineDef>,
    /// The applications that may exist, each under one name.
    pub applications: Vec<ApplicationDef>,
    /// The units that may exist, those of one application next to each other.
    pub units: Vec<UnitDef>,
    /// The relations that may exist, each under its canonical name.
    pub relations: Vec<RelationDef>,
    /// The reading of the documents.
    pub variants: Variants,
    pub transactions: Transactions,
    /// Its levels of detail, beyond the protocol of D1 and D2.
    pub detail: Details,
    /// The series of machines and applications, in worlds that have the detail `series`.
    pub series: SeriesDef,
    /// The sets of constraints, in worlds that have the detail `constraints`.
    pub constraints: ConstraintsDef,
    /// Agents run the hooks of departures and stop hooks, which take their time, even if none can
    /// fail.
    pub hooks: bool,
    /// The number of times that a failed transition is tried again, in worlds that have the detail
    /// `workflow`.
    pub retries: u8,
    /// The commands that the users may give, and the limits for all of them together.
    pub commands: Vec<Allowed>,
    /// The number of users beside the first one, who give commands at the same time.
    pub more_users: u8,
    pub faults: Faults,
    /// The assumptions about agents, supervisor and operator.
    pub assumptions: Assumptions,
    /// The fields of history that asked claims read: no other is kept.
    pub history: KeptHistory,
    /// The number of times that a command is planned before it fails with excessive contention
    /// (D1:47-52).
    pub tries: u8,
    /// Clauses that are switched off altogether. Actors ask [`World::is_off`], which a probe notes.
    pub without: Clauses,
    /// Clauses whose changes are made without their asserts. Planning asks
    /// [`World::is_unasserted`].
    pub unasserted: Clauses,
    /// Clauses that agents neglect until they are upgraded (D1:31-37).
    pub neglected: Clauses,
    /// Clauses that are switched off at one place: for one entity.
    pub without_at: Vec<(Clause, EntityId)>,
    /// The actors that neglect a neglected clause, where not all do.
    pub neglected_by: Vec<(Clause, Actor)>,
    /// The rules of the scenario's own.
    pub own_rules: OwnRuleSet,
}

/// A machine or container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineDef {
    /// Its name, as in "0" or "1/lxc/0".
    pub name: String,
    /// The machine that it is a container of.
    pub parent: Option<MachineId>,
    /// It has the manage-model job.
    pub manages_model: bool,
    /// It has the host-units job.
    pub hosts_units: bool,
    /// No instance of it ever starts, where the world has the detail `provisioning`.
    pub never_starts: bool,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationDef {
    /// The name in scenarios and traces.
    pub name: String,
    /// Its charm is a subordinate one.
    pub subordinate: bool,
    pub charm: CharmDef,
    /// The relations it may be in.
    pub relations: Vec<RelationId>,
    pub units: Range<usize>,
}

impl ApplicationDef {
    pub fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        self.units.clone().map(UnitId::new)
    }
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitDef {
    /// Its name, as in "wordpress/0".
    pub name: String,
    pub application: ApplicationId,
}

/// The interleaving of transactions of different actors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transactions {
    /// Planning and committing are two actions; others can act in between.
    Split,
    /// Planning and committing are one action, for larger worlds.
    #[default]
    Atomic,
}

impl Deref for World {
    type Target = WorldBuilder;

    fn deref(&self) -> &WorldBuilder {
        &self.constants
    }
}

impl World {
    /// The world with some constants changed.
    #[must_use]
    pub fn changed(&self, change: impl FnOnce(&mut WorldBuilder)) -> Self {
        let mut constants = self.constants.clone();
        change(&mut constants);
        constants.build()
    }

    /// The relations in whose scope `unit` can be: any, by a script, if membership is not asserted.
    pub fn scopes_of(&self, unit: UnitId) -> impl Iterator<Item = RelationId> + '_ {
        let (mine, member) =
            (self.relations_of(unit), Clause { rule: Rule::EnterScope, number: 7 });
        let foreign = self.is_off(member) || self.is_unasserted(member);
        let all = foreign.then(|| self.relation_ids()).into_iter().flatten();
        mine.iter().copied().chain(all.filter(|id| !mine.contains(id)))
    }
}

impl WorldBuilder {
    pub fn build(self) -> World {
        World { lookup: Lookup::of(&self), switches: ProbedClauses::of(&self), constants: self }
    }

    /// The constants of `id`.
    pub fn machine(&self, id: MachineId) -> &MachineDef {
        &self.machines[id.index()]
    }

    /// The constants of `id`.
    pub fn application(&self, id: ApplicationId) -> &ApplicationDef {
        &self.applications[id.index()]
    }

    /// The constants of `id`.
    pub fn unit(&self, id: UnitId) -> &UnitDef {
        &self.units[id.index()]
    }

    /// The constants of `id`.
    pub fn relation(&self, id: RelationId) -> &RelationDef {
        &self.relations[id.index()]
    }

    /// The application of `unit`, with its identifier.
    pub fn application_of(&self, unit: UnitId) -> (ApplicationId, &ApplicationDef) {
        let id = self.unit(unit).application;
        (id, self.application(id))
    }

    /// The relations that the application of `unit` may be in.
    pub fn relations_of(&self, unit: UnitId) -> &[RelationId] {
        &self.application_of(unit).1.relations
    }

    /// Whether `unit` is of a subordinate application.
    pub fn is_subordinate(&self, unit: UnitId) -> bool {
        self.application_of(unit).1.subordinate
    }

    /// Every machine that may exist.
    pub fn machine_ids(&self) -> impl Iterator<Item = MachineId> + use<> {
        (0..self.machines.len()).map(MachineId::new)
    }

    /// Every application that may exist.
    pub fn application_ids(&self) -> impl Iterator<Item = ApplicationId> + use<> {
        (0..self.applications.len()).map(ApplicationId::new)
    }

    /// Every unit that may exist.
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.units.len()).map(UnitId::new)
    }

    /// Every relation that may exist.
    pub fn relation_ids(&self) -> impl Iterator<Item = RelationId> + use<> {
        (0..self.relations.len()).map(RelationId::new)
    }

    /// Every user: the first one and the others.
    pub fn user_ids(&self) -> impl Iterator<Item = UserId> + use<> {
        (0..=usize::from(self.more_users)).map(UserId::new)
    }

    /// Whether a machine's document names the last start of an instance, before it is asked for.
    pub fn names_starts(&self) -> bool {
        match self.variants.stray_instance {
            StrayInstance::Unrecorded => false,
            StrayInstance::Superseded | StrayInstance::DocumentsFirst => true,
        }
    }

    /// Whether another provisioner can take over while one still starts an instance.
    pub fn has_former_provisioners(&self) -> bool {
        self.detail.provisioning && !self.faults.fail_over.is_empty()
    }

    /// Whether hardware can be gone while the document of its machine says that it runs: it fails
    /// and nobody notices, or a provisioner stops an instance that another one records.
    pub fn hardware_falls_silent(&self) -> bool {
        !self.faults.undetected_hardware_failure.is_empty() || self.has_former_provisioners()
    }

    /// Whether hardware that agents run on can be gone, so that what is on its disk is lost.
    pub fn hardware_is_lost(&self) -> bool {
        !self.faults.hardware_failure.is_empty()
            || self.hardware_falls_silent()
            || self.has_versions()
    }

    /// Whether two provisioners can be starting an instance of this machine at once.
    pub fn is_shared(&self, id: MachineId) -> bool {
        self.faults.fail_over.binary_search(&id).is_ok()
    }

    /// Whether a machine that has lost its instance differs from one that never had any, at least
    /// once it is Dead.
    pub fn remembers_lost_instances(&self) -> bool {
        self.tells_who_lost_instances()
            || self.variants.unprovisioned_machine == UnprovisionedMachine::Left
    }

    /// Whether the two differ before the machine is Dead, too.
    pub fn tells_who_lost_instances(&self) -> bool {
        match self.variants.unprovisioned_unit {
            UnprovisionedUnit::RemovedDirectly
            | UnprovisionedUnit::WithoutMachine
            | UnprovisionedUnit::ByAnybody
            | UnprovisionedUnit::AssertingMore => true,
            UnprovisionedUnit::SetDying
            | UnprovisionedUnit::WithoutInstance
            | UnprovisionedUnit::IfFree => false,
        }
    }

    /// Whether agents remember the relations of their units on their disks, and not by the scope
    /// documents.
    pub fn has_directories(&self) -> bool {
        match self.variants.relation_tracking {
            RelationTracking::LocalDirectory
            | RelationTracking::LeaveWhenDetected
            | RelationTracking::Reconciled => true,
            RelationTracking::RemoteScope => false,
        }
    }

    /// Whether agents notice the other units in relations, and units have settings of their own.
    pub fn has_sightings(&self) -> bool {
        self.detail.relations || self.detail.workflow
    }

    /// Whether agents run one of two versions, the older of which neglects duties.
    pub fn has_versions(&self) -> bool {
        match self.variants.agent_upgrade {
            AgentUpgrade::InPlace => false,
            AgentUpgrade::OnFreshSystems => !self.neglected.is_empty(),
        }
    }
}
