//! Documents: what deathwatch has to say, as data.
//!
//! Whatever shows answers and runs is a function of these types: text, JSON, pages, diagrams.
//! Journals keep them.

pub mod answer;
mod any_size;
pub mod assumed;
pub mod case;
pub mod certificate;
pub mod diagnosis;
pub mod difference;
pub mod limit;
mod made;
mod no_return;
mod notes;
pub mod run;
pub mod shrunk;
mod status;
pub mod sweep;
pub mod trace;
pub mod wait_for;

pub use answer::{
    Answer, Answers, ClaimAnswer, Expected, IS_CARRIED_OUT, KEEPS_TO_ITS_OUTLINE, Outcome,
    PhaseTime, QuestionKind, SearchPhase, Warning, WarningOf,
};
pub use any_size::{AnySize, Beside, NotAsked, OpenClaim, OpenView, ShownWith};
pub use assumed::Assumed;
pub use diagnosis::ModelDiagnosis;
pub use difference::Differences;
pub use limit::Limit;
pub use made::{Made, headed, schema_of, to_json};
pub use no_return::NoReturn;
pub use notes::{NOTED, READ_OFF_NOTES, marked, with_mark};
pub use run::{Run, Runs};
pub use shrunk::Shrunk;
pub use status::Status;
pub use sweep::{Sweep, Sweeps};
pub use trace::{Begins, Line, TraceText};
pub use wait_for::WaitFor;
