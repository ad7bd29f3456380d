//! The engine of the simulator: a seed becomes a run of the protocol.
//!
//! It is a discrete-event simulation. A *process* is a source of events: an agent, a task of a
//! manager, the supervisor or the operator about one of those they look after, a user, a kind of
//! fault. At each of its events it does at most one action, or it parks until what it watches is
//! touched. A run is a storm, in which users give commands and faults are injected, and then a
//! calm, in which only those processes act that are assumed to. A state is *quiescent* if none of
//! these has an enabled action. A calm that reaches a quiescent state has *settled*: what is still
//! owed there is owed for ever.
//!
//! Time is virtual, in milliseconds: an action takes no time to compute, and as long as is drawn
//! for it. A run is decided by its [`Setup`], its seed and the version of this crate, and by
//! nothing else: numbers are integers, random ones come from [`dice`], and there is no clock.
//!
//! The engine knows the protocol and nothing of scenario files. It calls the protocol that the
//! exhaustive explorer calls, and checks the same claims: those about states and steps in every
//! state and after every step, and those about what must follow at the end of the calm.

pub mod dice;
mod digest;
pub mod duties;
mod event_queue;
mod fault_injector;
pub mod long_way;
mod lost_wakeup;
mod metrics;
mod process;
pub mod quiescence;
mod ready_set;
mod run;
mod scheduler;
pub mod settings;
pub mod stats;
mod swarm;
mod user;
mod verify;
mod work_queue;

use deathwatch_claims::Claim;
use deathwatch_model::{action::Action, clause::Rule, rows::Row, state::State, world::World};

use self::{run::Simulator, settings::SimulationSettings, stats::Stats};
pub use self::{user::AllowedCommands, verify::Divergence};

/// The world and the settings that the runs of all seeds have in common.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    pub world: &'a World,
    /// The state in which runs begin.
    pub start: &'a State,
    /// Whether rows may disagree in that state.
    pub is_inconsistent: bool,
    /// The commands that the world allows.
    pub allowed: &'a AllowedCommands,
    pub settings: &'a SimulationSettings,
    pub claims: &'a [&'static Claim],
    /// The claims that were violated on the way to the first state, each with the subject that
    /// violates it: every run violates them.
    pub violated: &'a [(&'static Claim, Row)],
}

impl Setup<'_> {
    /// Runs `seed`, while `observer` looks on; `None` if `stop`, which is called every few thousand
    /// events, said so.
    pub fn run(
        &self,
        seed: u64,
        observer: &mut dyn Observer,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<SimulatedRun> {
        Simulator::new(self, seed, observer).run(stop)
    }
}

/// Observes a run step by step.
pub trait Observer {
    /// `action` was chosen out of `enabled` actions at this time, in milliseconds, and led to
    /// `state`. Says whether to go on.
    fn observe_step(&mut self, enabled: usize, action: &Action, state: &State, now: u64) -> bool {
        let _ = (enabled, action, state, now);
        true
    }

    /// `violation` was found. Says whether to go on.
    fn observe_violation(&mut self, violation: &SimulatedViolation) -> bool {
        let _ = violation;
        true
    }
}

/// The result of one seed.
#[derive(Clone, Debug)]
pub struct SimulatedRun {
    pub seed: u64,
    pub end: SimulationEnd,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<SimulatedViolation>,
    pub stats: Stats,
    /// A hash of all that was enabled and chosen, and when: equal if two runs were the same.
    pub digest: u64,
    /// Its last state.
    pub state: State,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationEnd {
    /// In a quiescent state: what must follow is decided.
    Settled,
    /// The calm reached its bound of steps before it settled; says what kept moving.
    Unsettled(String),
}

/// A violated claim.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedViolation {
    pub claim: &'static Claim,
    pub subject: Row,
    /// After how many steps it was found.
    pub step: u64,
    pub why: ViolationCause,
}

/// The cause of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationCause {
    /// A step: one of this rule, which is the transaction's if it is one; `None` if the step is a
    /// fault, or not known.
    Step(Option<Rule>),
    /// A subject that waits for ever in the last state, which is quiescent.
    Waits,
}
