//! The Juju entity lifecycle protocol as a state machine.
//!
//! The protocol is written once, as pure functions: [`protocol::enabled`] lists what can happen
//! in a [`state::State`] of a [`world::World`], and [`protocol::step`] does it. Everything else
//! (explorers, replay, reports) only calls these two.

pub mod action;
pub mod actor;
pub mod agents;
pub mod clause;
pub mod free_ids;
pub mod history;
pub mod ids;
mod interner;
pub mod life;
pub mod operation;
pub mod ops;
mod outline;
pub mod pack;
pub mod prefetch;
pub mod protocol;
pub mod refusal;
pub mod rows;
pub mod runtime;
pub mod state;
pub mod store;
pub mod syntax;
pub mod table;
pub mod txn;
pub mod variants;
pub mod world;
