//! The assumptions as rows.
//!
//! An assumption is made or dropped by its row. Each assumption excludes runs and adds none: an
//! actor that owes more has fewer fair runs.

use super::Assumptions;

/// The row of an assumption.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionRow {
    /// Its key in `[assume]`.
    pub key: &'static str,
    /// The assumption, a clause without its full stop.
    pub says: &'static str,
}

/// Makes the assumptions of rows: name, field, key and meaning. A field of [`Assumptions`] that is
/// neither here nor in the list of exceptions is a compile error.
macro_rules! assumptions {
    (all but $($out:ident),+: $($name:ident $field:ident $key:literal $says:literal;)+) => {
        /// An assumption that a world makes or does not make.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Assumption {
            $(#[doc = $says] $name),+
        }

        impl Assumption {
            /// Every assumption, in the order of `[assume]`.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its row.
            pub fn row(self) -> AssumptionRow {
                match self { $(Self::$name => AssumptionRow { key: $key, says: $says }),+ }
            }

            /// Whether it is made.
            pub fn is_made(self, assumptions: &Assumptions) -> bool {
                let Assumptions { $($field,)+ $($out: _),+ } = assumptions;
                match self { $(Self::$name => *$field),+ }
            }

            /// Makes it, or drops it.
            pub fn set(self, assumptions: &mut Assumptions, is_made: bool) {
                match self { $(Self::$name => assumptions.$field = is_made),+ }
            }
        }
    };
}

assumptions! {
    all but per:
    AgentsAct agents_act "agents-act" "agents keep acting";
    CrashedAgentsRestart crashed_agents_restart "crashed-agents-restart" "crashed agents restart";
    FailedHardwareIsTerminated failed_hardware_is_terminated "failed-hardware-is-terminated"
        "failed hardware is terminated";
    HookErrorsAreResolved hook_errors_are_resolved "hook-errors-are-resolved"
        "hook errors are resolved";
    FailedStartsAreResolved failed_starts_are_resolved "failed-starts-are-resolved"
        "failed starts are resolved";
    AgentsAreUpgraded agents_are_upgraded "agents-are-upgraded" "neglectful agents are upgraded";
    AgentsAreRedeployed agents_are_redeployed "agents-are-redeployed"
        "neglectful agents are redeployed";
    CommandsFinish commands_finish "commands-finish" "commands finish";
    FinitelyManyCommands finitely_many_commands "finitely-many-commands"
        "commands are finitely many";
    Strong strong "strong" "agents are strongly fair";
}

impl Assumption {
    /// Whether a world makes it unless its scenario says otherwise.
    pub fn is_usual(self) -> bool {
        self.is_made(&Assumptions::default())
    }

    /// Whether it is the assumption that an actor repairs some failure.
    pub fn is_cure(self) -> bool {
        match self {
            Self::CrashedAgentsRestart
            | Self::FailedHardwareIsTerminated
            | Self::HookErrorsAreResolved
            | Self::FailedStartsAreResolved
            | Self::AgentsAreUpgraded
            | Self::AgentsAreRedeployed => true,
            Self::AgentsAct | Self::CommandsFinish | Self::FinitelyManyCommands | Self::Strong => {
                false
            }
        }
    }
}
