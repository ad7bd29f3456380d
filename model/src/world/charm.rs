//! Charms: which hooks an application's units run, and which of these are actions of their own.

use super::WorldBuilder;
use crate::{
    action::Hook,
    ids::UnitId,
    rows::Mark,
    variants::{HookRecord, HookWrites, ResolvedRequest, SandboxOrder},
    world::Transactions,
};

/// A charm: which hooks it has, which of them may fail, and which write the unit's settings. By
/// default it has all, each may fail, and none writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharmDef {
    /// A bit for each hook that it has, by its mark.
    hooks: u16,
    /// A bit for each that may fail.
    failing: u16,
    /// A bit for each that writes the unit's settings.
    writing: u16,
    /// A bit for each of these that writes others each time.
    renewing: u16,
    /// A bit for each that reads the settings of others.
    reading: u16,
    /// A bit for each that may open its unit's port.
    opening: u16,
    /// A bit for each that may close it.
    closing: u16,
    /// A bit for each that reads the configuration.
    configured: u16,
}

impl Default for CharmDef {
    fn default() -> Self {
        Self {
            hooks: u16::MAX,
            failing: u16::MAX,
            writing: 0,
            renewing: 0,
            reading: 0,
            opening: 0,
            closing: 0,
            configured: 0,
        }
    }
}

/// The bit of the hooks with this mark.
fn bit(mark: Mark) -> u16 {
    1 << mark as u16
}

impl CharmDef {
    /// The charm with these hooks, of which those may fail.
    pub fn new(hooks: &[Mark], failing: &[Mark]) -> Self {
        Self { hooks: bits(hooks), failing: bits(failing), ..Self::default() }
    }

    /// The same charm without the hooks that have this mark.
    #[must_use]
    pub fn without(self, mark: Mark) -> Self {
        Self { hooks: self.hooks & !bit(mark), ..self }
    }

    /// The same charm, of whose hooks these write their unit's settings, and those read those of
    /// others.
    #[must_use]
    pub fn with_settings(self, writing: &[Mark], reading: &[Mark]) -> Self {
        Self { writing: bits(writing), reading: bits(reading), ..self }
    }

    /// The same charm, of whose hooks these write other settings of their unit each time.
    #[must_use]
    pub fn with_new_settings(self, renewing: &[Mark]) -> Self {
        Self { renewing: bits(renewing), ..self }
    }

    /// Whether `hook` writes other settings of its unit each time.
    pub fn writes_new(&self, hook: Hook) -> bool {
        self.lets_write_new(Mark::of(hook))
    }

    /// Whether the hooks with this mark write other settings of their unit each time.
    pub fn lets_write_new(&self, mark: Mark) -> bool {
        self.renewing & bit(mark) != 0
    }

    /// Whether some of its hooks write their unit's settings.
    pub fn has_writers(&self) -> bool {
        (self.writing | self.renewing) & self.hooks != 0
    }

    /// Whether some of its hooks read settings.
    pub fn has_readers(&self) -> bool {
        self.reading & self.hooks != 0
    }

    /// Whether `hook` reads the settings of others.
    pub fn reads(&self, hook: Hook) -> bool {
        self.lets_read(Mark::of(hook))
    }

    /// Whether the hooks with this mark read the settings of others.
    pub fn lets_read(&self, mark: Mark) -> bool {
        self.reading & bit(mark) != 0
    }

    /// The same charm, of whose hooks these may open its unit's port, and those may close it.
    #[must_use]
    pub fn with_ports(self, opening: &[Mark], closing: &[Mark]) -> Self {
        Self { opening: bits(opening), closing: bits(closing), ..self }
    }

    /// Whether `hook` may open the port of its unit.
    pub fn may_open(&self, hook: Hook) -> bool {
        self.lets_open(Mark::of(hook))
    }

    /// Whether the hooks with this mark may open the port of their unit.
    pub fn lets_open(&self, mark: Mark) -> bool {
        self.opening & bit(mark) != 0
    }

    /// Whether `hook` may close the port of its unit.
    pub fn may_close(&self, hook: Hook) -> bool {
        self.lets_close(Mark::of(hook))
    }

    /// Whether the hooks with this mark may close the port of their unit.
    pub fn lets_close(&self, mark: Mark) -> bool {
        self.closing & bit(mark) != 0
    }

    /// The same charm, of whose hooks these read the configuration.
    #[must_use]
    pub fn with_configuration(self, configured: &[Mark]) -> Self {
        Self { configured: bits(configured), ..self }
    }

    /// Whether `hook` reads the configuration.
    pub fn gets_config(&self, hook: Hook) -> bool {
        self.lets_get_config(Mark::of(hook))
    }

    /// Whether the hooks with this mark read the configuration.
    pub fn lets_get_config(&self, mark: Mark) -> bool {
        self.configured & bit(mark) != 0
    }

    /// Whether some of its hooks read the configuration.
    pub fn has_readers_of_config(&self) -> bool {
        self.configured != 0
    }

    /// Whether it has `hook`. One that is missing counts as run (D4:18-19).
    pub fn has(&self, hook: Hook) -> bool {
        self.has_named(Mark::of(hook))
    }

    /// Whether it has the hooks with this mark.
    pub fn has_named(&self, mark: Mark) -> bool {
        self.hooks & bit(mark) != 0
    }

    /// Whether `hook` may fail.
    pub fn may_fail(&self, hook: Hook) -> bool {
        self.lets_fail(Mark::of(hook))
    }

    /// Whether the hooks with this mark may fail.
    pub fn lets_fail(&self, mark: Mark) -> bool {
        self.failing & bit(mark) != 0
    }

    /// Whether `hook` writes its unit's settings.
    pub fn writes(&self, hook: Hook) -> bool {
        self.lets_write(Mark::of(hook))
    }

    /// Whether the hooks with this mark write the unit's settings.
    pub fn lets_write(&self, mark: Mark) -> bool {
        (self.writing | self.renewing) & bit(mark) != 0
    }
}

/// A bit for each of these hooks.
fn bits(hooks: &[Mark]) -> u16 {
    hooks.iter().fold(0, |bits, hook| bits | bit(*hook))
}

impl WorldBuilder {
    /// Whether the hooks of departures are actions of their own: they are asked for, or can fail.
    pub fn has_hooks(&self) -> bool {
        !self.detail.workflow && (self.hooks || self.faults.hook_failure || self.detail.hooks)
    }

    /// Whether stop hooks are actions of their own: they are asked for, or can fail.
    pub fn has_unit_hooks(&self) -> bool {
        self.hooks || self.faults.unit_hook_failure || self.detail.hooks
    }

    /// Whether the exit of a hook and the record of it are two steps. Only the end of the agent can
    /// come between them, so where nothing ends it they are one.
    pub fn hooks_exit(&self) -> bool {
        let runs_hooks = self.detail.hooks || self.detail.workflow;
        runs_hooks
            && self.agents_are_cut_short()
            && self.variants.hook_record == HookRecord::ByAgent
    }

    /// Whether what a hook has written goes to the store in a step apart from the record that it
    /// has run, which is on the disk. In an atomic world the two are one step, and so they are
    /// where nothing can come between them.
    pub fn flushes_apart(&self) -> bool {
        self.detail.settings
            && self.transactions == Transactions::Split
            && self.agents_are_cut_short()
            && self.variants.hook_writes == HookWrites::FlushedOnSuccess
    }

    /// Whether it does so before that record.
    pub fn flushes_first(&self) -> bool {
        self.flushes_apart() && self.variants.sandbox_order == SandboxOrder::FlushFirst
    }

    /// Whether agents may end in the middle of what they do.
    fn agents_are_cut_short(&self) -> bool {
        self.faults.crash
            || !self.faults.hardware_failure.is_empty()
            || !self.faults.undetected_hardware_failure.is_empty()
    }

    /// Whether the request to resolve a hook error and what the agent does about it are steps of
    /// their own.
    pub fn requests_resolution(&self) -> bool {
        let in_steps = match self.variants.resolved_request {
            ResolvedRequest::AtOnce => false,
            ResolvedRequest::ClearedAfter | ResolvedRequest::ClearedBefore => true,
        };
        self.detail.hooks && !self.detail.workflow && in_steps
    }

    /// The charm of `unit`.
    pub fn charm_of(&self, unit: UnitId) -> CharmDef {
        self.application_of(unit).1.charm
    }
}
