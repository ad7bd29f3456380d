//! The history of a unit.
//!
//! Fields about hooks are about one disk: an agent that is deployed anew begins again.

use super::{Event, history};
use crate::{
    action::Hook,
    ids::UnitId,
    rows::{
        FieldText, Transition, UpgradeDue, Workflow, WorldBounds, below, flag, hidden, shown,
        states,
    },
    world::{CharmDef, World},
};

history! {
    /// The history of a unit.
    UnitHistory of UnitId as Unit {
        /// Whether the configuration of its application has changed since a config-changed hook of
        /// it last began.
        config_unseen: bool = "config-unseen" of "charm" from [], |_, _| flag(true),
            FieldText::at(10).both([
                hidden("its last config-changed hook saw the newest configuration"),
                shown("the configuration has changed since its last config-changed hook began"),
            ]);
        /// The hook that began last, until it has run or counts as run. Without the detail
        /// `relations` those of a departure have no name.
        last_hook: Option<Hook> = "last-hook" of "hooks" from [], |of, _| WorldBounds::named_hook(of), FieldText::NEVER;
        /// Whether the operator has said that its last hook is to run again, and none has begun
        /// since.
        retried: bool = "retried" of "hooks" from ["last-hook"], |_, _| flag(true),
            FieldText::at(20).both([hidden("no hook is retried"), shown("its last hook is to run again")]);
        /// Whether another hook than the one that was to run again has begun.
        retry_passed_over: bool = "retry-passed-over" of "hooks" from ["last-hook", "retried"], |_, _| flag(true),
            FieldText::at(30).both([
                hidden("no retry was passed over"),
                shown("another hook began before the one that was to run again"),
            ]);
        /// Whether the process of its last hook runs, or was cut short, as its agent has crashed,
        /// and does not count as failed yet. Without the detail `relations` that is not told of
        /// the hooks of a departure.
        process: HookProcess = "hook-process" of "hooks" from [], |_, _| below(3),
            FieldText::at(36).both([hidden(""), shown("its hook runs"), shown("its hook was cut short")]);
        /// Whether a hook that was cut short did not count as failed: it counted as run, or another
        /// one began.
        cut_short_passed_over: bool = "cut-short-passed-over" of "hooks" from ["hook-process"], |_, _| flag(true),
            FieldText::at(38).both([
                hidden("each hook that was cut short counted as failed"),
                shown("a hook that was cut short did not count as failed"),
            ]);
        /// Whether the operator has asked for a hook error to be resolved, and none has been since.
        asked: bool = "resolution-asked" of "hooks" from [], |_, _| flag(true),
            FieldText::at(32).both([hidden("no resolution is asked for"), shown("a resolution is asked for")]);
        /// Whether a hook error was resolved for which nobody had asked since the one before.
        resolved_unasked: bool = "resolved-unasked" of "hooks" from ["resolution-asked"], |_, _| flag(true),
            FieldText::at(34).both([
                hidden("every error was resolved as somebody asked"),
                shown("an error was resolved for which nobody asked"),
            ]);
        /// Which of the first hooks has begun last since its agent was deployed.
        first_hooks: FirstHooks = "first-hooks" of "hooks" from ["last-hook", "retried"], |_, _| below(6),
            FieldText::at(40).both([
                hidden(""),
                shown("none of its hooks has begun"),
                shown("its install hook has begun"),
                shown("its first config-changed hook has begun"),
                shown("its start hook has begun"),
                hidden("its first hooks have begun"),
            ]);
        /// Whether one of the first hooks has begun out of order, or again.
        out_of_order: bool = "out-of-order" of "hooks" from ["first-hooks", "last-hook", "retried"], |_, _| flag(true),
            FieldText::at(50).both([
                hidden("its first hooks began in order"),
                shown("its first hooks began out of order"),
            ]);
        /// Whether its agent has ended since its last config-changed hook began, and it has not
        /// stopped since.
        restarted: bool = "restarted" of "hooks" from ["stop-begun"], |_, _| flag(true),
            FieldText::at(55).both([
                hidden("config-changed has begun since its agent ended last"),
                shown("its agent has ended since its last config-changed hook began"),
            ]);
        /// Whether its stop hook has begun.
        stopped: bool = "stop-begun" of "hooks" from [], |_, _| flag(true),
            FieldText::at(60).both([hidden("its stop hook has not begun"), shown("its stop hook has begun")]);
        /// Whether a unit of which hooks have run was set Dead without its stop hook.
        ended_unstopped: bool = "ended-unstopped" of "hooks" from ["first-hooks", "last-hook", "retried", "stop-begun"],
            |_, _| flag(true),
            FieldText::at(70).both([
                hidden("it did not end before it stopped"),
                shown("it ended before it stopped"),
            ]);
        /// The newest charm of its application, if the agent has not begun to write it.
        unwritten: UpgradeDue = "charm-unwritten" of "charm" from [], |_, _| below(3),
            FieldText::at(80).both([
                hidden("its agent has begun to write the newest charm"),
                shown("there is a newer charm"),
                shown("there is a newer charm, by force"),
            ]);
        /// Whether a charm was written over another one, without force, and upgrade-charm has not
        /// begun since.
        unfollowed: bool = "upgrade-unfollowed" of "charm" from ["charm-unwritten"], |_, _| flag(true),
            FieldText::at(90).both([
                hidden("every upgrade was followed by upgrade-charm"),
                shown("upgrade-charm has not begun since the last upgrade"),
            ]);
        /// Whether another hook has begun between such an upgrade and its upgrade-charm.
        follower_passed_over: bool = "upgrade-passed-over" of "charm" from ["charm-unwritten", "upgrade-unfollowed"],
            |_, _| flag(true),
            FieldText::at(100).both([
                hidden("no hook came before upgrade-charm"),
                shown("another hook began between an upgrade and its upgrade-charm"),
            ]);
        /// Whether its upgrade-charm hook has begun, and no config-changed hook since, nor has a
        /// charm been written by force, nor has it ended.
        unconfigured: bool = "upgrade-unconfigured" of "charm" from ["charm-unwritten"], |_, _| flag(true),
            FieldText::at(104).both([
                hidden("every upgrade-charm was followed by config-changed"),
                shown("config-changed has not begun since upgrade-charm"),
            ]);
        /// Whether another hook has begun between an upgrade-charm hook and its config-changed.
        configuration_passed_over: bool = "configuration-passed-over" of "charm"
            from ["charm-unwritten", "upgrade-unconfigured"], |_, _| flag(true),
            FieldText::at(106).both([
                hidden("no hook came between upgrade-charm and config-changed"),
                shown("another hook began between upgrade-charm and config-changed"),
            ]);
        /// Whether others can see what its last hook has written, which does not count as run or
        /// failed yet.
        published: bool = "published" of "settings" from [], |_, _| flag(true),
            FieldText::at(20).both([hidden("nobody sees its last hook's writes"), shown("its last hook's writes are seen")]);
        /// Whether others can see what a hook of it has written that counts as failed.
        failed_published: bool = "failed-published" of "settings" from ["published"], |_, _| flag(true),
            FieldText::at(22).both([hidden("no failed hook's writes are seen"), shown("a failed hook's writes are seen")]);
        /// The state to which the last transition has led that has succeeded on this disk.
        reached: Workflow = "reached" of "workflow" from [], |_, _| below(3),
            FieldText::at(100).both([
                hidden("no transition has succeeded"),
                shown("its last transition led to ready"),
                shown("its last transition led to running"),
            ]);
        /// Whether it is Alive and its agent was deployed on a disk on which no install hook has
        /// succeeded since, or counts as run.
        uninstalled: bool = "uninstalled" of "workflow" from ["ends"], |_, _| flag(true),
            FieldText::at(105).both([hidden(""), shown("nothing is installed on its disk")]);
        /// Whether the last transition that began had succeeded before.
        repeats: bool = "repeats" of "workflow" from ["reached"], |_, _| flag(true),
            FieldText::at(110).both([hidden(""), shown("it makes a transition again")]);
        /// The number of times that its transition has begun since one succeeded last, or an error
        /// was resolved; one more than is allowed at most.
        tries: u8 = "tries" of "workflow" from [], |of, _| of.attempts(),
            FieldText::at(120).both([hidden("nothing is tried"), shown("tried {} times")]);
        /// Whether it has begun more often than the world allows.
        tried_too_often: bool = "tried-too-often" of "workflow" from ["tries"], |_, _| flag(true),
            FieldText::at(130).both([hidden(""), shown("tried too often")]);
        /// Whether it is not Alive any more.
        ends: bool = "ends" of "workflow" from [], |_, _| flag(true),
            FieldText::at(140).both([hidden("it has been Alive"), shown("it has been destroyed")]);
        /// Whether it was Alive when its agent was cut off, which has not been connected since.
        left_alive: bool = "left-alive" of "workflow" from ["ends"], |_, _| flag(true),
            FieldText::at(150).both([hidden(""), shown("it was Alive when its agent was cut off")]);
        /// Whether the last transition that began was its start, although its agent could know that
        /// it was not Alive.
        started_late: bool = "started-late" of "workflow" from ["ends", "left-alive"], |_, _| flag(true),
            FieldText::at(160).both([hidden(""), shown("it is started although it is known not to be Alive")]);
    }
}

states! {
    /// The fate of the process of a hook.
    HookProcess {
        /// It has ended, or none has begun.
        Over "over";
        /// It runs.
        Runs "runs";
        /// It was cut short.
        CutShort "cut-short";
    }
}

states! {
    /// Which of the first hooks of a unit has begun last.
    FirstHooks {
        /// Nobody knows, as the agent was deployed before the run.
        Unknown "unknown";
        /// None.
        Fresh "fresh";
        /// The install hook.
        Install "install";
        /// The first config-changed hook.
        ConfigChanged "config-changed";
        /// The start hook.
        Start "start";
        /// The start hook has run, or others have begun since.
        Past "past";
    }
}

impl FirstHooks {
    /// The first hooks, in order.
    const ORDER: [(Hook, Self); 3] = [
        (Hook::Install, Self::Install),
        (Hook::ConfigChanged, Self::ConfigChanged),
        (Hook::Start, Self::Start),
    ];

    /// Its value after `hook` has begun, and whether the hook was in order.
    fn after(self, hook: Hook, again: Again, charm: CharmDef) -> (Self, bool) {
        match self {
            Self::Unknown => (self, true),
            Self::Past => (self, hook != Hook::Install && hook != Hook::Start),
            Self::Fresh | Self::Install | Self::ConfigChanged | Self::Start => {
                if again == Again::Yes {
                    return (self, true);
                }
                let mut later = Self::ORDER.into_iter().filter(|(_, it)| *it > self);
                match later.find(|(next, _)| charm.has(*next)) {
                    Some((next, then)) => (then, next == hook),
                    None => (Self::Past, hook != Hook::Install && hook != Hook::Start),
                }
            }
        }
    }
}

/// Whether a hook runs again because the operator has retried it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    Yes,
    No,
}

impl UnitHistory {
    /// Follows an event that is about the unit.
    pub(super) fn follow(&mut self, world: &World, event: Event) {
        if world.detail.workflow {
            return self.follow_workflow(world, event);
        }
        match event {
            Event::UnitCreated(_) => *self = Self::default(),
            Event::AgentDeployed(_) => {
                let config_unseen = self.config_unseen;
                let first_hooks = FirstHooks::Fresh;
                *self = Self { config_unseen, first_hooks, ..Self::default() };
            }
            Event::ConfigChanges(application) => {
                // A hook that the charm does not have counts as run (D4:18-19).
                self.config_unseen = world.application(application).charm.has(Hook::ConfigChanged);
            }
            Event::HookBegins(unit, hook) => self.begins(hook, world.charm_of(unit)),
            Event::AgentCrashes(_) if self.process == HookProcess::Runs => {
                self.process = HookProcess::CutShort;
            }
            Event::HookEnds(_) => {
                self.process_is(HookProcess::Over);
                self.last_hook = None;
                if self.first_hooks == FirstHooks::Start {
                    self.first_hooks = FirstHooks::Past;
                }
            }
            Event::ResolutionAsked(_) => self.asked = true,
            Event::HookResolved(_) => {
                self.resolved_unasked |= !self.asked;
                self.asked = false;
            }
            Event::HookRetried(_) => self.retried = self.last_hook.is_some(),
            Event::AgentEnds(unit) => {
                self.restarted = !self.stopped && world.charm_of(unit).has(Hook::ConfigChanged);
            }
            Event::CharmUpgraded(_) => self.unwritten = UpgradeDue::Quietly,
            Event::CharmForced(_) => self.unwritten = UpgradeDue::Forced,
            Event::CharmInstalled(_) => self.unwritten = UpgradeDue::None,
            Event::CharmWritten(unit) => {
                let has_hook = world.charm_of(unit).has(Hook::UpgradeCharm);
                self.unfollowed |= has_hook && self.unwritten == UpgradeDue::Quietly;
                // None of the hooks of an upgrade has to run after a forced one (D4:174-177).
                self.unconfigured &= self.unwritten != UpgradeDue::Forced;
                self.unwritten = UpgradeDue::None;
            }
            Event::ForcedCharmWritten(_) => self.unconfigured = false,
            Event::UnitEnds(unit) => {
                let has_hook = world.charm_of(unit).has(Hook::Stop);
                let has_run = self.first_hooks != FirstHooks::Fresh;
                self.ended_unstopped |= has_hook && has_run && !self.stopped;
                (self.restarted, self.unconfigured) = (false, false);
            }
            Event::SettingsChange(..) => self.published = true,
            Event::HookSucceeds(..) => self.published = false,
            Event::HookFails(_) => {
                self.process = HookProcess::Over;
                self.failed_published |= std::mem::take(&mut self.published);
            }
            _ => {}
        }
    }

    /// Sets the state of a hook's process, and notes if one that was cut short is passed over.
    fn process_is(&mut self, process: HookProcess) {
        self.cut_short_passed_over |= self.process == HookProcess::CutShort;
        self.process = process;
    }

    /// Follows the beginning of a hook.
    fn begins(&mut self, hook: Hook, charm: CharmDef) {
        let is_told = !matches!(hook, Hook::Departure(_));
        self.process_is(if is_told { HookProcess::Runs } else { HookProcess::Over });
        self.config_unseen &= hook != Hook::ConfigChanged;
        self.published = false;
        self.retry_passed_over |= self.retried && self.last_hook != Some(hook);
        let again = if self.retried { Again::Yes } else { Again::No };
        let (first_hooks, is_in_order) = self.first_hooks.after(hook, again, charm);
        (self.first_hooks, self.out_of_order) = (first_hooks, self.out_of_order || !is_in_order);
        self.follower_passed_over |= self.unfollowed && hook != Hook::UpgradeCharm;
        self.unfollowed &= hook != Hook::UpgradeCharm;
        let configures = matches!(hook, Hook::UpgradeCharm | Hook::ConfigChanged);
        self.configuration_passed_over |= self.unconfigured && !configures;
        if configures {
            self.unconfigured = hook == Hook::UpgradeCharm && charm.has(Hook::ConfigChanged);
        }
        self.restarted &= hook != Hook::ConfigChanged && hook != Hook::Stop;
        self.stopped |= hook == Hook::Stop;
        self.retried = false;
        self.last_hook = Some(hook).filter(|hook| !matches!(hook, Hook::Departure(_)));
    }

    /// Follows an event that is about the transitions of the unit.
    fn follow_workflow(&mut self, world: &World, event: Event) {
        match event {
            Event::HookBegins(_, hook) => {
                let Some(transition) = Transition::by(hook) else { return };
                self.repeats = match transition.to {
                    // An installed unit is not new, whatever has happened since.
                    Workflow::Ready if hook == Hook::Install => self.reached != Workflow::New,
                    to => self.reached == to,
                };
                self.tried(world);
                self.started_late = hook == Hook::Start && self.ends && !self.left_alive;
            }
            Event::HookRetries(..) => self.tried(world),
            Event::HookSucceeds(_, hook) => {
                let Some(transition) = Transition::by(hook) else { return };
                (self.reached, self.tries) = (transition.to, 0);
                self.uninstalled &= hook != Hook::Install;
            }
            Event::HookResolved(_) => self.tries = 0,
            Event::AgentDeployed(_) => {
                *self = Self { ends: self.ends, uninstalled: !self.ends, ..Self::default() };
            }
            Event::Disconnected(_) => self.left_alive = !self.ends,
            Event::Connected(_) => self.left_alive = false,
            Event::Dies(_) => (self.ends, self.uninstalled) = (true, false),
            Event::UnitCreated(_) => *self = Self::default(),
            _ => {}
        }
    }

    /// Counts a try of its transition.
    fn tried(&mut self, world: &World) {
        self.tries = (self.tries + 1).min(world.retries + 2);
        self.tried_too_often = self.tries > world.retries + 1;
    }
}
