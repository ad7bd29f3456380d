//! Charms: which hooks an application's units run, and which of these are actions of their own.

use super::WorldBuilder;
use crate::{
    action::{Hook, table::Table},
    ids::UnitId,
    variants::HookRecord,
};

/// A charm: which hooks of a unit itself it has, and which of them may fail. By default it has all,
/// and each may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharmDef {
    /// A bit for each row of [`Hook`] that it has.
    hooks: u8,
    /// A bit for each that may fail.
    failing: u8,
    /// A bit for each that may open its unit's port.
    opening: u8,
    /// A bit for each that may close it.
    closing: u8,
}

impl Default for CharmDef {
    fn default() -> Self {
        Self { hooks: u8::MAX, failing: u8::MAX, opening: 0, closing: 0 }
    }
}

impl CharmDef {
    /// The charm with these hooks, of which those may fail.
    pub fn new(hooks: &[Hook], failing: &[Hook]) -> Self {
        Self { hooks: bits(hooks), failing: bits(failing), ..Self::default() }
    }

    /// The same charm, of whose hooks these may open its unit's port, and those may close it.
    #[must_use]
    pub fn with_ports(self, opening: &[Hook], closing: &[Hook]) -> Self {
        Self { opening: bits(opening), closing: bits(closing), ..self }
    }

    /// Whether `hook` may open the port of its unit.
    pub fn may_open(&self, hook: Hook) -> bool {
        self.opening >> hook.index() & 1 == 1
    }

    /// Whether `hook` may close the port of its unit.
    pub fn may_close(&self, hook: Hook) -> bool {
        self.closing >> hook.index() & 1 == 1
    }

    /// Whether it has `hook`. One that is missing counts as run (D4:18-19).
    pub fn has(&self, hook: Hook) -> bool {
        self.hooks >> hook.index() & 1 == 1
    }

    /// Whether `hook` may fail.
    pub fn may_fail(&self, hook: Hook) -> bool {
        self.failing >> hook.index() & 1 == 1
    }
}

/// A bit for each of these hooks.
fn bits(hooks: &[Hook]) -> u8 {
    hooks.iter().fold(0, |bits, hook| bits | 1 << hook.index())
}

impl WorldBuilder {
    /// Whether the hooks of departures are actions of their own: they are asked for, or can fail.
    pub fn has_hooks(&self) -> bool {
        self.hooks || self.faults.hook_failure || self.detail.hooks
    }

    /// Whether stop hooks are actions of their own: they are asked for, or can fail.
    pub fn has_unit_hooks(&self) -> bool {
        self.hooks || self.faults.unit_hook_failure || self.detail.hooks
    }

    /// Whether the exit of a hook and the record of it are two steps. Only a crash can come between
    /// them, so without crashes they are one.
    pub fn hooks_exit(&self) -> bool {
        self.detail.hooks && self.faults.crash && self.variants.hook_record == HookRecord::ByAgent
    }

    /// The charm of `unit`.
    pub fn charm_of(&self, unit: UnitId) -> CharmDef {
        self.application_of(unit).1.charm
    }
}
