//! History: what has happened, kept by an observer and read by claims alone.
//!
//! An agent may forget what it ought to know, so a claim that reads the agent's notes forgets it,
//! too. Steps report events (`Step::happens`), and rows of history are folds of them. No actor
//! reads a row (`tests/tidy` looks for the word), so the states without history are a quotient of
//! those with it. A field is kept only where an asked claim reads it; elsewhere it takes no bit,
//! and the fold no time.

mod fold;
mod kept;
mod machine;
mod relation;
mod stored;
mod unit;

use std::collections::BTreeMap;

use self::kept::history;
pub use self::{
    machine::MachineHistory,
    relation::RelationHistory,
    unit::{FirstHooks, HookProcess, UnitHistory},
};
pub use crate::world::KeptHistory;
use crate::{
    action::Hook,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    rows::RowKind,
    world::World,
};

/// An event in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The process of a hook of this unit begins. In an atomic world it ends in the same step.
    HookBegins(UnitId, Hook),
    /// The joined hook of the first unit that begins is for the second one, which has left the
    /// relation by then.
    HookIsLate(UnitId, UnitId, RelationId),
    /// The joined hook of the first unit that begins is for the second one in a relation, too.
    HookIsFor(UnitId, UnitId, RelationId),
    /// The hook of this older agent's unit that runs, or its record, is cut short by a crash.
    HookCutShort(UnitId, Hook),
    /// A unit's agent is deployed, on an empty disk.
    AgentDeployed(UnitId),
    /// The process of a unit's agent ends, and starts again.
    AgentEnds(UnitId),
    /// A hook of this unit has run, or counts as run.
    HookEnds(UnitId),
    /// The operator asks for the hook error of a unit to be resolved.
    ResolutionAsked(UnitId),
    /// The error of a unit whose hook has failed is resolved.
    HookResolved(UnitId),
    /// The operator has the hook of a unit run again that failed last.
    HookRetried(UnitId),
    /// The charm of an application becomes another one, without force.
    CharmUpgraded(ApplicationId),
    /// The charm of an application becomes another one, by force.
    CharmForced(ApplicationId),
    /// A unit's agent begins to write its first charm directory.
    CharmInstalled(UnitId),
    /// A unit's agent begins to write the newest charm over another one.
    CharmWritten(UnitId),
    /// A unit's agent begins to write a charm that was forced, over another one, though a newer one
    /// is due.
    ForcedCharmWritten(UnitId),
    /// A unit is set Dead by its own agent.
    UnitEnds(UnitId),
    /// A hook of this unit counts as run, as it has succeeded. One that is for several units does
    /// for each.
    HookSucceeds(UnitId, Hook),
    /// A hook of this unit counts as failed: it fails, or its agent finds that it was cut short.
    HookFails(UnitId),
    /// The hook of the first unit that runs is given the settings of the second one in a relation.
    HookReads(UnitId, UnitId, RelationId),
    /// The hook of this unit that runs writes its settings in a relation. One of an older agent
    /// does so as it succeeds, and it happens if the store has others.
    HookWrites(UnitId, RelationId),
    /// A hook of this unit that has failed is tried again at once.
    HookRetries(UnitId, Hook),
    /// The process of a unit's agent ends, and its disk is kept.
    AgentCrashes(UnitId),
    /// The agent of a unit loses its connection to the store.
    Disconnected(UnitId),
    /// The agent of a unit is connected again.
    Connected(UnitId),
    /// A unit ceases to be Alive, or to be Dying.
    Dies(UnitId),
    /// The settings of a unit in a relation become others.
    SettingsChange(UnitId, RelationId),
    /// The configuration of an application becomes another one.
    ConfigChanges(ApplicationId),
    /// A unit enters the scope of a relation.
    Enters(UnitId, RelationId),
    /// Another actor takes a unit out of the scope of a relation.
    Leaves(UnitId, RelationId),
    /// A unit leaves the scope of a relation by itself, without being forced.
    LeavesByItself(UnitId, RelationId),
    /// The document of a unit is created, perhaps under the name of one that is gone.
    UnitCreated(UnitId),
    /// The provider is asked for an instance of a machine.
    InstanceAsked(MachineId),
    /// An instance of a machine comes to run, which its document does not name.
    InstanceRuns(MachineId),
    /// The document of a machine names an instance that it did not name before.
    InstanceNamed(MachineId),
    /// An instance of a machine that its document does not name ends, or is counted as one with
    /// another.
    InstanceEnds(MachineId),
    /// All instances of a machine that its document does not name end, with the host that they ran
    /// on.
    InstancesEnd(MachineId),
    /// The error of a machine's start is written into its document.
    ErrorWritten(MachineId),
    /// The administrator resolves the error of a machine's start.
    ErrorResolved(MachineId),
    /// The document of a machine is removed.
    MachineRemoved(MachineId),
}

/// The history of a run, as far as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct History {
    /// A row for each unit, where one of its fields is kept.
    units: Vec<UnitHistory>,
    /// The rows that differ from the default.
    relations: BTreeMap<(RelationId, UnitId), RelationHistory>,
    /// A row for each machine, where one of its fields is kept.
    machines: Vec<MachineHistory>,
}

impl History {
    /// The history of a run in which nothing has happened yet.
    pub fn empty(world: &World) -> Self {
        Self {
            units: vec![UnitHistory::default(); RowKind::UnitHistory.count(world)],
            relations: BTreeMap::new(),
            machines: vec![MachineHistory::default(); RowKind::MachineHistory.count(world)],
        }
    }

    /// The same history for a world that keeps more fields: these begin with their defaults.
    #[must_use]
    pub fn widened(&self, world: &World) -> Self {
        let mut wider = Self { relations: self.relations.clone(), ..Self::empty(world) };
        for (row, old) in wider.units.iter_mut().zip(&self.units) {
            row.clone_from(old);
        }
        for (row, old) in wider.machines.iter_mut().zip(&self.machines) {
            row.clone_from(old);
        }
        wider
    }
}
