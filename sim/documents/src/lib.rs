//! Documents: what deathwatch has to say, as data.
//!
//! Whatever shows answers and runs is a function of these types: text, JSON, pages, diagrams. Journals
//! keep them.

mod made;
pub mod run;
pub mod wait_for;

pub use made::{Made, headed, schema_of, to_json};
pub use run::{Run, Runs};
pub use wait_for::WaitFor;
