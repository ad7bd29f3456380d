//! How far the hooks of a unit have come: the detail `hooks` (D4:163-189).

use super::{
    declare::row,
    field::{FieldText, hidden, shown},
    number::states,
    value::{below, flag},
};
use crate::{
    action::Hook,
    ids::{RelationId, UnitId},
    world::CharmDef,
};

row! {
    /// How far the hooks of a unit have come.
    UnitHooks of UnitId [Default, Copy] {
        /// On its disk: which of the first hooks have run, or count as run.
        phase: Phase = "phase", |_, _| below(4),
            FieldText::at(66).both([
                shown("it is not installed"),
                shown("it is installed"),
                shown("it is configured"),
                hidden("it is started"),
            ]);
        /// On its disk: the hook that was begun and has not run yet, or that failed.
        mark: Mark = "mark", |of, _| of.mark(),
            FieldText::at(67).both([
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
            FieldText::at(67).both([hidden(""), shown(" in {}")]);
        /// The other unit that the marked hook is about, if it is about one.
        marked_unit: Option<UnitId> = "marked-unit", |of, _| of.marked_unit(),
            FieldText::at(67).both([hidden(""), shown(" about {}")]);
        /// Whether the marked hook has exited with success.
        exited: bool = "exited", |of, _| of.exits(),
            FieldText::at(68).both([hidden("the hook has not succeeded"), shown("the hook has succeeded")]);
        /// On its disk: whether the marked hook is to run again, as the operator has said.
        retry: bool = "retry", |of, _| of.retries(),
            FieldText::at(68).both([hidden("no hook is to run again"), shown("that hook is to run again")]);
        /// In the store: how the operator has asked for its hook error to be resolved.
        request: Request = "request", |of, _| of.requests(),
            FieldText::at(61).both([
                hidden("nobody asks to resolve"),
                shown("it is asked to count its hook as run"),
                shown("it is asked to run its hook again"),
            ]);
        /// In its memory: the request that it acts on, and has read or cleared in the store.
        acts_on: Request = "acts-on", |of, _| of.requests(),
            FieldText::at(62).both([
                hidden("it acts on no request"),
                shown("it acts on the request to count its hook as run"),
                shown("it acts on the request to run its hook again"),
            ]);
        /// In its memory: it runs config-changed again, as it has just started.
        config_due: bool = "config-due", |of, _| flag(of.world.faults.crash),
            FieldText::at(69).both([hidden("config-changed is not due"), shown("config-changed is due")]);
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
    /// How the operator asks for a hook error to be resolved.
    Request {
        /// Not at all.
        None "none";
        /// The hook counts as run.
        Skip "skip";
        /// The hook is run again.
        Retry "retry";
    }
}

states! {
    /// The hook that a mark on the disk names.
    Mark {
        /// There is no mark.
        None "none";
        /// The install hook.
        Install "install";
        /// The config-changed hook.
        ConfigChanged "config-changed";
        /// The start hook.
        Start "start";
        /// The stop hook.
        Stop "stop";
        /// The upgrade-charm hook.
        UpgradeCharm "upgrade-charm";
        /// A joined hook.
        Joined "relation-joined";
        /// A changed hook.
        Changed "relation-changed";
        /// A departed hook.
        Departed "relation-departed";
        /// A broken hook.
        Broken "relation-broken";
    }
}

impl Mark {
    /// The marks of the hooks of a unit itself, in the order in which they run.
    pub const OF_UNITS: [Self; 5] =
        [Self::Install, Self::ConfigChanged, Self::Start, Self::Stop, Self::UpgradeCharm];

    /// The marks of the hooks of a relation, in the order in which they run.
    pub const OF_RELATIONS: [Self; 4] = [Self::Joined, Self::Changed, Self::Departed, Self::Broken];

    /// The mark of `hook`; there is none of a departure whose hooks have no names.
    pub fn of(hook: Hook) -> Self {
        match hook {
            Hook::Departure(_) => Self::None,
            Hook::Joined(..) => Self::Joined,
            Hook::Changed(..) => Self::Changed,
            Hook::Departed(..) => Self::Departed,
            Hook::Broken(_) => Self::Broken,
            Hook::Install => Self::Install,
            Hook::ConfigChanged => Self::ConfigChanged,
            Hook::Start => Self::Start,
            Hook::Stop => Self::Stop,
            Hook::UpgradeCharm => Self::UpgradeCharm,
        }
    }

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

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

    /// The phase once all hooks count as run that come next and that the charm does not have
    /// (D4:18-19).
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
    /// The hook that is marked.
    pub fn marked(&self) -> Option<Hook> {
        let (relation, other) = (self.marked_relation, self.marked_unit);
        Some(match self.mark {
            Mark::None => return None,
            Mark::Install => Hook::Install,
            Mark::ConfigChanged => Hook::ConfigChanged,
            Mark::Start => Hook::Start,
            Mark::Stop => Hook::Stop,
            Mark::UpgradeCharm => Hook::UpgradeCharm,
            Mark::Joined => Hook::Joined(other?, relation?),
            Mark::Changed => Hook::Changed(other?, relation?),
            Mark::Departed => Hook::Departed(other?, relation?),
            Mark::Broken => Hook::Broken(relation?),
        })
    }

    /// Marks `hook`, if it has a mark, or none. One that has begun has not exited.
    pub fn set_mark(&mut self, hook: Option<Hook>) {
        let hook = hook.filter(|hook| Mark::of(*hook) != Mark::None);
        self.mark = hook.map_or(Mark::None, Mark::of);
        self.marked_relation = hook.and_then(Hook::relation);
        self.marked_unit = hook.and_then(Hook::other);
        (self.exited, self.retry) = (false, false);
    }

    /// The hooks of a unit whose agent has an empty disk.
    pub fn fresh(charm: CharmDef) -> Self {
        Self { phase: Phase::Fresh.settled(charm), ..Self::default() }
    }
}
