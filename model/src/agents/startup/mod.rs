//! The older unit agent (D5): a unit's workflow, and what it watches in relations.

pub(super) mod watch_events;
pub mod watches;
pub mod workflow;
pub(super) mod workflow_failures;
