//! The older unit agent (D5): a unit's workflow, and its watches in relations.

pub(super) mod watch_events;
pub mod watches;
pub mod workflow;
pub(super) mod workflow_failures;
