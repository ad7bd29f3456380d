//! A real Juju model that is stuck: who holds what, what has to happen next, and whether it goes.
//!
//! What Juju prints becomes a typed model ([`Juju`]); what is not Alive in it, with what holds it,
//! becomes a cut; the cut with each value of what Juju does not print becomes a scenario; and each
//! scenario that no check refuses is searched. The answers are grouped by the hidden fact that
//! decides.

mod answer;
mod cut;
mod hidden;
mod holders;
mod juju;
mod search;
mod tree;
mod version;
mod way_out;
mod words;
mod world;

pub use answer::{Considered, Diagnosed, diagnose, variants};
pub use juju::Juju;
pub use way_out::WayOut;
