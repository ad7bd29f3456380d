//! Charms: the hooks of an application's units, and which of them are actions of their own.

use super::WorldBuilder;
use crate::{
    action::{Hook, HookKind},
    ids::UnitId,
    variants::{HookDecision, HookRecord, HookWrites, ResolvedRequest, SandboxOrder},
    world::Transactions,
};

/// A trait of hooks, which a charm gives to some kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookTrait {
    /// The charm has it. One that is missing counts as run (D4:18-19).
    Exists,
    Fails,
    /// It writes settings of its unit.
    Writes,
    /// It writes other settings of its unit each time.
    WritesNew,
    /// It reads the settings of others.
    Reads,
    /// It may open the port of its unit.
    OpensPort,
    /// It may close the port of its unit.
    ClosesPort,
    ReadsConfig,
    /// It never succeeds: each time that it runs, it fails.
    NeverSucceeds,
}

impl HookTrait {
    /// Every trait.
    const ALL: [Self; 9] = [
        Self::Exists,
        Self::Fails,
        Self::Writes,
        Self::WritesNew,
        Self::Reads,
        Self::OpensPort,
        Self::ClosesPort,
        Self::ReadsConfig,
        Self::NeverSucceeds,
    ];
}

/// A charm: for each trait a bit for each kind of hook that has it. By default it has all hooks,
/// each may fail, and none does anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharmDef([u16; HookTrait::ALL.len()]);

impl Default for CharmDef {
    fn default() -> Self {
        let none = Self([0; HookTrait::ALL.len()]);
        none.with(HookTrait::Exists, HookKind::ALL).with(HookTrait::Fails, HookKind::ALL)
    }
}

impl CharmDef {
    /// The same charm, with the trait for these hooks and no others.
    #[must_use]
    pub fn with(mut self, its: HookTrait, hooks: &[HookKind]) -> Self {
        self.0[its as usize] = hooks.iter().fold(0, |bits, hook| bits | 1 << *hook as u16);
        self
    }

    /// The same charm without the hooks of this kind.
    #[must_use]
    pub fn without(mut self, hook: HookKind) -> Self {
        self.0[HookTrait::Exists as usize] &= !(1 << hook as u16);
        self
    }

    /// Whether a hook, or hooks of this kind, have the trait. A hook without a name has none.
    #[inline]
    pub fn is(&self, hook: impl Into<Option<HookKind>>, its: HookTrait) -> bool {
        hook.into().is_some_and(|hook| self.hooks(its) & 1 << hook as u16 != 0)
    }

    /// Whether it has a hook, or hooks of this kind.
    #[inline]
    pub fn has(&self, hook: impl Into<Option<HookKind>>) -> bool {
        self.is(hook, HookTrait::Exists)
    }

    /// Whether it has this hook, and the hook fails each time.
    pub fn never_succeeds(&self, hook: Hook) -> bool {
        self.has(hook) && self.is(hook, HookTrait::NeverSucceeds)
    }

    /// Whether some hook of the charm has the trait.
    pub fn has_some(&self, its: HookTrait) -> bool {
        self.hooks(its) & self.hooks(HookTrait::Exists) != 0
    }

    /// A bit for each kind of hook that has the trait. A hook that writes new settings writes some.
    fn hooks(&self, its: HookTrait) -> u16 {
        match its {
            HookTrait::Writes => {
                self.0[HookTrait::Writes as usize] | self.0[HookTrait::WritesNew as usize]
            }
            _ => self.0[its as usize],
        }
    }
}

impl WorldBuilder {
    /// Whether hooks of departures are actions of their own: as requested, or as they can fail.
    pub fn has_hooks(&self) -> bool {
        !self.detail.workflow && (self.hooks || self.faults.hook_failure || self.detail.hooks)
    }

    /// Whether stop hooks are actions of their own: as requested, or because they can fail.
    pub fn has_unit_hooks(&self) -> bool {
        self.hooks || self.faults.unit_hook_failure || self.detail.hooks
    }

    /// Whether the exit of a hook and its record are two steps. Only the end of the agent can come
    /// between them, so where it cannot end they are one.
    pub fn hooks_exit(&self) -> bool {
        let runs_hooks = self.detail.hooks || self.detail.workflow;
        runs_hooks
            && self.agents_are_cut_short()
            && self.variants.hook_record == HookRecord::ByAgent
    }

    /// Whether the writes of a hook go to the store in a step apart from the record that it has
    /// run, which is on the disk. In an atomic world the two are one step, as they are where
    /// nothing can come between.
    pub fn flushes_apart(&self) -> bool {
        self.detail.settings
            && self.transactions == Transactions::Split
            && self.agents_are_cut_short()
            && self.variants.hook_writes == HookWrites::FlushedOnSuccess
    }

    /// Whether the writes are flushed before the record.
    pub fn flushes_first(&self) -> bool {
        self.flushes_apart() && self.variants.sandbox_order == SandboxOrder::FlushFirst
    }

    /// Whether agents may end in the middle of their work.
    fn agents_are_cut_short(&self) -> bool {
        self.agents_crash() || self.hardware_is_lost()
    }

    /// Whether the processes of agents may end while their disks stay: alone, or with all others on
    /// their machine.
    pub fn agents_crash(&self) -> bool {
        self.faults.crash || !self.faults.reboot.is_empty()
    }

    /// Whether the request to resolve a hook error and the agent's answer are steps of their own.
    pub fn requests_resolution(&self) -> bool {
        let in_steps = match self.variants.resolved_request {
            ResolvedRequest::AtOnce => false,
            ResolvedRequest::ClearedAfter | ResolvedRequest::ClearedBefore => true,
        };
        self.detail.hooks && !self.detail.workflow && in_steps
    }

    /// Whether an agent decides on a hook in one step and begins it in the next.
    pub fn decides_late(&self) -> bool {
        self.detail.hooks && self.variants.hook_decision == HookDecision::LateView
    }

    /// The charm of `unit`.
    pub fn charm_of(&self, unit: UnitId) -> CharmDef {
        self.application_of(unit).1.charm
    }
}
