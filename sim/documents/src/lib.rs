//! Documents: what a command has to say, as data.

mod made;

pub use made::{Made, headed, schema_of, to_json};
