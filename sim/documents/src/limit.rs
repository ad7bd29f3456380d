//! Limits: why a search ended before it had seen everything.
//!
//! A limit is a row here: its word in documents, its meaning, the checker's reason, `passing` if
//! another search may get further, the reason in words, and the flag that raises it, if one does.

use deathwatch_claims::check::Stop;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($limit:ident $is:literal $stop:ident $($brief:ident)? $why:literal $($flag:literal)?;)+) => {
        /// A limit that ended a search early.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Limit {
            $(#[doc = $is] $limit,)+
        }

        impl Limit {
            /// The reason, as the end of "undecided: …".
            pub fn reason(self) -> &'static str {
                match self { $(Self::$limit => $why,)+ }
            }

            /// Whether asking again would end there, too, so that a journal keeps the answer.
            pub fn is_lasting(self) -> bool {
                let brief: &[&str] = match self { $(Self::$limit => &[$(stringify!($brief))?],)+ };
                brief.is_empty()
            }

            /// The flag that raises it, if there is one.
            pub fn flag(self) -> Option<&'static str> {
                let flags: &[&str] = match self { $(Self::$limit => &[$($flag)?],)+ };
                flags.first().copied()
            }
        }

        impl From<Stop> for Limit {
            fn from(stop: Stop) -> Self {
                match stop { $(Stop::$stop => Self::$limit,)+ }
            }
        }
    };
}

limits! {
    States "The number of states." States
        "the greatest number of states was reached" "--max-states";
    Memory "The memory." Memory
        "the greatest amount of memory was reached" "--max-memory";
    Time "The time." Time passing
        "the time was over" "--time";
    Interrupted "Somebody has interrupted it." Interrupted passing
        "it was interrupted";
    Edges "The number of transitions between a few thousand states." Edges
        "there were more transitions between a few thousand states than it can number";
    Threads "The number of threads that may be started." Threads passing
        "no thread could be started";
    Transactions "The number of transactions that may be pending." Space
        "there were too many different transactions pending";
    Disk "The disk to which transitions are written with `--spill`." Spill passing
        "transitions could not be written to disk";
    Process "Another process of the cluster, which was lost." Peer passing
        "another process of the cluster was lost, or cannot be understood";
}

pub fn stopped(stop: Stop) -> &'static str {
    Limit::from(stop).reason()
}
