//! Documents: what deathwatch has to say, as data.
//!
//! Whatever shows answers and runs is a function of these types: text, JSON, pages, diagrams. Journals
//! keep them.

pub mod answer;
mod made;
pub mod run;
pub mod trace;
pub mod wait_for;

pub use answer::{Answer, Answers, ClaimAnswer, Expected, Outcome, QuestionKind, Status};
pub use made::{Made, headed, schema_of, to_json};
pub use run::{Run, Runs};
pub use trace::{Begins, Line, TraceText};
pub use wait_for::WaitFor;
