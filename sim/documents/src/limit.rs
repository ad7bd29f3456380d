//! Limits: why a search ended before it had seen everything.
//!
//! A limit is a row here: its word in documents, its meaning, the reason of the checker that it
//! stands for, whether it stays, the reason in words, and the flag that raises it, if one does.

use deathwatch_claims::check::Stop;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($limit:ident $is:literal $stop:ident $stays:ident $reason:literal $($flag:literal)?;)+) => {
        /// A limit that ended a search early.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Limit {
            $(#[doc = $is] $limit,)+
        }

        impl Limit {
            /// The reason, as the end of "undecided: …".
            pub fn reason(self) -> &'static str {
                match self { $(Self::$limit => $reason,)+ }
            }

            /// Whether asking again would end at this limit, too. A journal keeps such an answer;
            /// one that time, a user or a machine has cut short is asked again.
            pub fn is_lasting(self) -> bool {
                let stays = match self { $(Self::$limit => Stays::$stays,)+ };
                stays == Stays::Lasting
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

/// The time for which a limit stays where it is.
#[derive(PartialEq, Eq)]
enum Stays {
    /// Every search of the world ends there.
    Lasting,
    /// Another search may go further.
    Passing,
}

limits! {
    States "The number of states." States Lasting
        "the greatest number of states was reached" "--max-states";
    Memory "The memory." Memory Lasting
        "the greatest amount of memory was reached" "--max-memory";
    Time "The time." Time Passing
        "the time was over" "--time";
    Interrupted "Somebody has interrupted it." Interrupted Passing
        "it was interrupted";
    Edges "The number of transitions between a few thousand states." Edges Lasting
        "there were more transitions between a few thousand states than it can number";
    Threads "The number of threads that may be started." Threads Passing
        "no thread could be started";
    Transactions "The number of transactions that may be pending." Space Lasting
        "there were too many different transactions pending";
    Disk "The disk to which transitions are written with `--spill`." Spill Passing
        "transitions could not be written to disk";
    Process "Another process of the cluster, which was lost." Peer Passing
        "another process of the cluster was lost, or cannot be understood";
}

/// The reason why a search gave up, as the end of "undecided: …".
pub fn stopped(stop: Stop) -> &'static str {
    Limit::from(stop).reason()
}
