//! Charms and hooks of a unit agent (D4): hooks by name, the charm directory, relations, and the
//! sandbox of a hook.

pub(super) mod config;
pub(super) mod directory;
pub(super) mod hook_failures;
pub(super) mod hooks;
pub mod observers;
pub(super) mod ports;
pub(super) mod relations;
pub(super) mod requests;
pub(super) mod settings;
