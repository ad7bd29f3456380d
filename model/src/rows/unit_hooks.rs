//! The progress of a unit's hooks: the detail `hooks` (D4:163-189).

use super::{
    declare::row,
    field::Unset,
    field::{FieldKind, FieldText, ShownValue, hidden, shown},
    number::states,
    packed_number::PackedNumber,
    slot::{Slot, below, flag},
};
use crate::{
    action::{Hook, HookKind},
    ids::{RelationId, UnitId},
    world::CharmDef,
};

row! {
    /// The progress of the hooks of a unit.
    UnitHooks of UnitId [Default, Copy] {
        /// On its disk: which of the first hooks have run, or count as run.
        phase: Phase = "phase", |_, _| below(4),
            FieldText::at(66).note().both([
                shown("it is not installed"),
                shown("it is installed"),
                shown("it is configured"),
                hidden("it is started"),
            ]);
        /// On its disk: the hook that was begun and has not run yet, or that failed.
        mark: Option<HookKind> = "mark", |of, _| of.mark(),
            FieldText::at(67).note().both([
                hidden("no hook is marked"),
                shown("its install hook is marked"),
                shown("its config-changed hook is marked"),
                shown("its start hook is marked"),
                shown("its stop hook is marked"),
                shown("its upgrade-charm hook is marked"),
                shown("its joined hook is marked"),
                shown("its changed hook is marked"),
                shown("its departed hook is marked"),
                shown("its broken hook is marked"),
            ]);
        /// The relation of the marked hook, if it is a relation hook.
        marked_relation: Option<RelationId> = "marked-relation", |of, _| of.marked_relation(),
            FieldText::at(67).note().both([hidden(""), shown(" in {}")]);
        /// The other unit that the marked hook is about, if it is about one.
        marked_unit: Option<UnitId> = "marked-unit", |of, _| of.marked_unit(),
            FieldText::at(67).note().both([hidden(""), shown(" about {}")]);
        /// Whether the marked hook has exited with success.
        exited: bool = "exited", |of, _| of.exits(),
            FieldText::at(68).note().both([hidden("the hook has not succeeded"), shown("the hook has succeeded")]);
        /// On its disk: whether the marked hook is to run again, as the operator has said.
        retry: bool = "retry", |of, _| of.retries(),
            FieldText::at(68).note().both([hidden("no hook is to run again"), shown("that hook is to run again")]);
        /// In the store: how the operator has asked for its hook error to be resolved.
        request: Request = "request", |of, _| of.requests(),
            FieldText::at(61).both([
                hidden("nobody asks to resolve"),
                shown("it is asked to count its hook as run"),
                shown("it is asked to run its hook again"),
            ]);
        /// In its memory: the request that it acts on, and has read or cleared in the store.
        acts_on: Request = "acts-on", |of, _| of.requests(),
            FieldText::at(62).note().both([
                hidden("it acts on no request"),
                shown("it acts on the request to count its hook as run"),
                shown("it acts on the request to run its hook again"),
            ]);
        /// In its memory: the hook that it has decided on by what it has seen, and begins next.
        decided: Option<Hook> = "decided", |of, _| of.decided(),
            FieldText::at(72).note().both([
                hidden("it has decided on no hook"),
                hidden(""),
                shown("it is about to begin {}"),
            ]);
        /// In its memory: it runs config-changed again, as it has just started.
        config_due: bool = "config-due", |of, _| flag(of.world.agents_crash()),
            FieldText::at(69).note().both([hidden("config-changed is not due"), shown("config-changed is due")]);
    }
}

states! {
    /// Which of the first hooks of a unit have run, or count as run.
    Phase {
        /// None has.
        Fresh "fresh";
        /// The install hook has.
        Installed "installed";
        /// The first config-changed hook has, too.
        Configured "configured";
        /// The start hook has, too.
        Started "started";
    }
}

states! {
    /// The operator's request to resolve a hook error.
    Request {
        /// Not at all.
        None "none";
        /// The hook counts as run.
        Skip "skip";
        /// The hook is run again.
        Retry "retry";
    }
}

/// The kind of the hook that a mark on the disk names; 0 if there is no mark.
impl PackedNumber for Option<HookKind> {
    const KIND: FieldKind = FieldKind::State(&MARKS);

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        self.map_or(0, |kind| 1 + kind as u64)
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        let index = usize::try_from(number).expect("as it was put").checked_sub(1)?;
        Some(HookKind::ALL[index])
    }

    fn show(&self) -> ShownValue<'_> {
        let number = self.map_or(0, |kind| 1 + kind as usize);
        ShownValue::State(number, MARKS[number])
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        match shown {
            ShownValue::State(0, _) => Ok(None),
            ShownValue::State(number, _) => {
                HookKind::ALL.get(number - 1).copied().map(Some).ok_or(Unset::Kind)
            }
            _ => Err(Unset::Kind),
        }
    }
}

/// The names of marks: the one for no mark, and those of the kinds of hooks.
const MARKS: [&str; 1 + HookKind::ALL.len()] = {
    let (mut names, mut number) = (["none"; 1 + HookKind::ALL.len()], 1);
    while number < names.len() {
        names[number] = HookKind::NAMES[number - 1];
        number += 1;
    }
    names
};

impl Phase {
    /// The hook that comes next, and the phase once it has run; `None` if the unit is started.
    fn next(self) -> Option<(Hook, Self)> {
        match self {
            Self::Fresh => Some((Hook::Install, Self::Installed)),
            Self::Installed => Some((Hook::ConfigChanged, Self::Configured)),
            Self::Configured => Some((Hook::Start, Self::Started)),
            Self::Started => None,
        }
    }

    /// The phase after skipping the next hooks that the charm lacks, which count as run (D4:18-19).
    #[must_use]
    pub fn settled(self, charm: CharmDef) -> Self {
        match self.next() {
            Some((hook, then)) if !charm.has(hook) => then.settled(charm),
            Some(_) | None => self,
        }
    }

    /// The hook that comes next; `None` if the unit is started.
    pub fn due(self) -> Option<Hook> {
        self.next().map(|(hook, _)| hook)
    }

    /// The phase after `hook` has run.
    #[must_use]
    pub fn after(self, hook: Hook, charm: CharmDef) -> Self {
        match self.next() {
            Some((due, then)) if due == hook => then.settled(charm),
            Some(_) | None => self,
        }
    }
}

impl UnitHooks {
    pub fn marked(&self) -> Option<Hook> {
        let (relation, other) = (self.marked_relation, self.marked_unit);
        Some(match self.mark? {
            HookKind::Install => Hook::Install,
            HookKind::ConfigChanged => Hook::ConfigChanged,
            HookKind::Start => Hook::Start,
            HookKind::Stop => Hook::Stop,
            HookKind::UpgradeCharm => Hook::UpgradeCharm,
            HookKind::Joined => Hook::Joined(other?, relation?),
            HookKind::Changed => Hook::Changed(other?, relation?),
            HookKind::Departed => Hook::Departed(other?, relation?),
            HookKind::Broken => Hook::Broken(relation?),
        })
    }

    /// The other units that its mark and its decision name.
    pub fn named(&self) -> [Option<UnitId>; 2] {
        [self.marked_unit, self.decided.and_then(Hook::other)]
    }

    /// Marks `hook`, if it has a mark, or none. A hook that has only begun has not exited.
    pub fn set_mark(&mut self, hook: Option<Hook>) {
        let hook = hook.filter(|hook| hook.kind().is_some());
        self.mark = hook.and_then(Hook::kind);
        self.marked_relation = hook.and_then(Hook::relation);
        self.marked_unit = hook.and_then(Hook::other);
        (self.exited, self.retry) = (false, false);
    }

    /// The hooks of a unit whose agent has an empty disk.
    #[must_use]
    pub fn on_an_empty_disk(self, charm: CharmDef) -> Self {
        Self { phase: Phase::Fresh.settled(charm), ..self.without_agent() }
    }

    /// The part that outlives the disk and the process: it is in the store.
    #[must_use]
    pub fn without_agent(self) -> Self {
        Self { request: self.request, ..Self::default() }
    }
}
