//! The definition of every field of history in terms of events: one has happened, and another one
//! has not since.
//!
//! Each definition reads the past of any moment anew, without memory, so it is slow. It shares
//! nothing with the folds of the model but the names of the fields.

use deathwatch_model::{
    action::Hook,
    agents::has_unrecorded,
    history::{FirstHooks, HookProcess, MachineHistory, UnitHistory},
    ids::{MachineId, UnitId},
    rows::{Strays, Transition, UpgradeDue, Workflow},
    state::State,
    variants::UnrecordedInstance,
    world::World,
};

use super::happened::Happened::{self, *};

/// The events up to some moment.
#[derive(Clone, Copy)]
pub(super) struct Past<'a> {
    pub(super) world: &'a World,
    pub(super) happened: &'a [Happened],
}

impl<'a> Past<'a> {
    /// The past before the event at this index.
    pub(super) fn until(self, at: usize) -> Self {
        Self { happened: &self.happened[..at], ..self }
    }

    /// The indices of the events that satisfy `is`.
    pub(super) fn all(
        self,
        is: impl Fn(Happened) -> bool + 'a,
    ) -> impl DoubleEndedIterator<Item = usize> + 'a {
        (0..self.happened.len()).filter(move |at| is(self.happened[*at]))
    }

    /// The index of the last event that satisfies `is`.
    pub(super) fn last(self, is: impl Fn(Happened) -> bool + 'a) -> Option<usize> {
        self.all(is).next_back()
    }

    /// Whether an event after the index `at` satisfies `is`.
    pub(super) fn after(self, at: usize, is: impl Fn(Happened) -> bool) -> bool {
        self.happened[at + 1..].iter().any(|it| is(*it))
    }

    /// Whether an event has satisfied `one` and none has satisfied `other` since.
    pub(super) fn since(
        self,
        one: impl Fn(Happened) -> bool + 'a,
        other: impl Fn(Happened) -> bool,
    ) -> bool {
        self.last(one).is_some_and(|at| !self.after(at, other))
    }
}

/// Whether the event makes the unit or its disk a new one.
pub(super) fn is_new(unit: UnitId) -> impl Fn(Happened) -> bool + Copy {
    move |it| it == IsDeployed(unit) || it == IsCreated(unit)
}

pub(super) fn begins(unit: UnitId) -> impl Fn(Happened) -> bool + Copy {
    move |it| matches!(it, Begins(it, _) if it == unit)
}

pub(super) fn begins_as(
    unit: UnitId,
    is: impl Fn(Hook) -> bool + Copy,
) -> impl Fn(Happened) -> bool + Copy {
    move |it| matches!(it, Begins(it, hook) if it == unit && is(hook))
}

pub(super) fn succeeds_as(
    unit: UnitId,
    is: impl Fn(Hook) -> bool + Copy,
) -> impl Fn(Happened) -> bool + Copy {
    move |it| matches!(it, Succeeds(it, hook) if it == unit && is(hook))
}

fn changes(unit: UnitId) -> impl Fn(Happened) -> bool + Copy {
    move |it| matches!(it, Changes(it, _) if it == unit)
}

/// A unit with the agent of D4.
#[derive(Clone, Copy)]
struct NewerUnit(UnitId);

impl NewerUnit {
    fn last_hook(self, past: Past<'_>) -> Option<Hook> {
        let Self(me) = self;
        let at = past.last(begins(me))?;
        let Begins(_, hook) = past.happened[at] else { return None };
        let is_over = past.after(at, |it| it == Ends(me) || is_new(me)(it));
        (!is_over && !matches!(hook, Hook::Departure(_))).then_some(hook)
    }

    fn retried(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        past.last(|it| it == IsRetried(me)).is_some_and(|at| {
            self.last_hook(past.until(at)).is_some()
                && !past.after(at, |it| begins(me)(it) || is_new(me)(it))
        })
    }

    /// The state of the process of its last hook.
    fn process(self, past: Past<'_>) -> HookProcess {
        let Self(me) = self;
        let Some(at) = past.last(begins(me)) else { return HookProcess::Over };
        let is_told = !matches!(past.happened[at], Begins(_, Hook::Departure(_)));
        let is_over = |it| it == Ends(me) || it == Fails(me) || is_new(me)(it);
        match past.after(at, |it| it == Crashes(me)) {
            _ if !is_told || past.after(at, is_over) => HookProcess::Over,
            true => HookProcess::CutShort,
            false => HookProcess::Runs,
        }
    }

    /// Whether the agent has crashed and, if its charm has config-changed, not begun that hook
    /// since. False for a unit that has stopped or was set Dead by its own agent.
    fn restarted(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let is_configured = begins_as(me, |hook| hook == Hook::ConfigChanged);
        let is_over = move |it| is_configured(it) || it == EndsItself(me) || is_new(me)(it);
        past.world.charm_of(me).has(Hook::ConfigChanged)
            && !self.stopped(past)
            && past.since(|it| it == Crashes(me), is_over)
    }

    fn asked(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let asks = move |it| matches!(it, Asks(it, _) if it == me);
        past.since(asks, |it| it == IsResolved(me) || is_new(me)(it))
    }

    /// The first hooks that its charm has, in their order.
    fn first_ones(self, past: Past<'_>) -> Vec<(Hook, FirstHooks)> {
        let charm = past.world.charm_of(self.0);
        let all = [
            (Hook::Install, FirstHooks::Install),
            (Hook::ConfigChanged, FirstHooks::ConfigChanged),
            (Hook::Start, FirstHooks::Start),
        ];
        all.into_iter().filter(|(hook, _)| charm.has(*hook)).collect()
    }

    /// The number of hooks that have begun since its agent was deployed, without those that ran
    /// again; `None` if the agent is older than the run.
    fn begun(self, past: Past<'_>) -> Option<usize> {
        let Self(me) = self;
        let at = past.last(is_new(me)).filter(|at| past.happened[*at] == IsDeployed(me))?;
        let after = past.all(begins(me)).filter(|it| *it > at);
        Some(after.filter(|it| !self.retried(past.until(*it))).count())
    }

    fn first_hooks(self, past: Past<'_>) -> FirstHooks {
        let Self(me) = self;
        let Some(begun) = self.begun(past) else { return FirstHooks::Unknown };
        let ones = self.first_ones(past);
        match begun.checked_sub(1) {
            None => FirstHooks::Fresh,
            Some(place) => match ones.get(place) {
                Some((_, FirstHooks::Start))
                    if past.since(|it| it == Ends(me), |it| begins(me)(it)) =>
                {
                    FirstHooks::Past
                }
                Some((_, it)) => *it,
                None => FirstHooks::Past,
            },
        }
    }

    fn out_of_order(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let Some(deployed) = past.last(is_new(me)) else { return false };
        past.all(begins(me)).filter(|at| *at > deployed).any(|at| {
            let (before, Begins(_, hook)) = (past.until(at), past.happened[at]) else {
                return false;
            };
            let is_first = hook == Hook::Install || hook == Hook::Start;
            match self.first_hooks(before) {
                FirstHooks::Unknown => false,
                FirstHooks::Past => is_first,
                _ if self.retried(before) => false,
                _ => match self.first_ones(past).get(self.begun(before).unwrap_or_default()) {
                    Some((due, _)) => hook != *due,
                    None => is_first,
                },
            }
        })
    }

    fn stopped(self, past: Past<'_>) -> bool {
        past.since(begins_as(self.0, |hook| hook == Hook::Stop), is_new(self.0))
    }

    fn ended_unstopped(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        past.last(|it| it == EndsItself(me)).is_some_and(|at| {
            let before = past.until(at);
            past.world.charm_of(me).has(Hook::Stop)
                && self.first_hooks(before) != FirstHooks::Fresh
                && !self.stopped(before)
                && !past.after(at, is_new(me))
        })
    }

    fn unwritten(self, past: Past<'_>) -> UpgradeDue {
        let Self(me) = self;
        let (application, _) = past.world.application_of(me);
        let is_written = move |it| it == Installs(me) || it == WritesOver(me) || is_new(me)(it);
        let is_upgraded = move |it| it == IsUpgraded(application) || it == IsForced(application);
        match past.last(move |it| is_written(it) || is_upgraded(it)).map(|at| past.happened[at]) {
            Some(IsUpgraded(_)) => UpgradeDue::Quietly,
            Some(IsForced(_)) => UpgradeDue::Forced,
            _ => UpgradeDue::None,
        }
    }

    fn unfollowed(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let follows = begins_as(me, |hook| hook == Hook::UpgradeCharm);
        past.world.charm_of(me).has(Hook::UpgradeCharm)
            && past.all(|it| it == WritesOver(me)).any(|at| {
                self.unwritten(past.until(at)) == UpgradeDue::Quietly
                    && !past.after(at, |it| follows(it) || is_new(me)(it))
            })
    }

    /// Whether upgrade-charm has begun, and config-changed, if the charm has it, has not begun
    /// since. False if a charm was written by force since, or if the unit's own agent set it Dead.
    fn unconfigured(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let Some(at) = past.last(begins_as(me, |hook| hook == Hook::UpgradeCharm)) else {
            return false;
        };
        let is_configured = begins_as(me, |hook| hook == Hook::ConfigChanged);
        let is_over = |it| {
            let is_dead = it == EndsItself(me) || is_new(me)(it);
            is_configured(it) || it == WritesOlder(me) || is_dead
        };
        let is_forced = |at| self.unwritten(past.until(at)) == UpgradeDue::Forced;
        past.world.charm_of(me).has(Hook::ConfigChanged)
            && !past.after(at, is_over)
            && !past.all(|it| it == WritesOver(me)).any(|it| it > at && is_forced(it))
    }

    fn published(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let is_over = move |it| {
            let ends = succeeds_as(me, |_| true)(it) || it == Fails(me);
            ends || begins(me)(it) || is_new(me)(it)
        };
        past.since(changes(me), is_over)
    }

    /// Whether some event satisfied `is` while `so` held, on the present disk.
    fn was(
        self,
        past: Past<'_>,
        is: impl Fn(Happened) -> bool,
        so: impl Fn(Past<'_>, Happened) -> bool,
    ) -> bool {
        past.all(is)
            .any(|at| so(past.until(at), past.happened[at]) && !past.after(at, is_new(self.0)))
    }
}

pub(super) fn unit(past: Past<'_>, me: UnitId) -> UnitHistory {
    let (detail, it) = (past.world.detail, NewerUnit(me));
    if detail.workflow {
        return older_unit(past, OlderUnit(me));
    }
    let (application, _) = past.world.application_of(me);
    let is_configured = begins_as(me, |hook| hook == Hook::ConfigChanged);
    let begins_other = |past: Past<'_>, now| match now {
        Begins(_, hook) => it.retried(past) && it.last_hook(past) != Some(hook),
        _ => false,
    };
    let passes_over = |past: Past<'_>, now| match now {
        Begins(_, hook) => it.unfollowed(past) && hook != Hook::UpgradeCharm,
        _ => false,
    };
    let begins_unconfigured = |past: Past<'_>, now| match now {
        Begins(_, Hook::UpgradeCharm | Hook::ConfigChanged) => false,
        _ => it.unconfigured(past),
    };
    let mut row = UnitHistory::default();
    if detail.charm {
        row.config_unseen = past.world.charm_of(me).has(Hook::ConfigChanged)
            && past.since(
                |it| it == IsConfigured(application),
                |it| is_configured(it) || it == IsCreated(me),
            );
        row.unwritten = it.unwritten(past);
        row.unfollowed = it.unfollowed(past);
        row.follower_passed_over = it.was(past, begins(me), passes_over);
        row.unconfigured = it.unconfigured(past);
        row.configuration_passed_over = it.was(past, begins(me), begins_unconfigured);
    }
    if detail.hooks {
        row.last_hook = it.last_hook(past);
        row.retried = it.retried(past);
        row.retry_passed_over = it.was(past, begins(me), begins_other);
        row.cut_short_passed_over = it.was(
            past,
            |now| begins(me)(now) || now == Ends(me),
            |past, _| it.process(past) == HookProcess::CutShort,
        );
        row.process = it.process(past);
        row.restarted = it.restarted(past);
        row.asked = it.asked(past);
        row.resolved_unasked = it.was(past, |now| now == IsResolved(me), |past, _| !it.asked(past));
        row.first_hooks = it.first_hooks(past);
        row.out_of_order = it.out_of_order(past);
        row.stopped = it.stopped(past);
        row.ended_unstopped = it.ended_unstopped(past);
    }
    if detail.settings {
        row.published = it.published(past);
        row.failed_published = it.was(past, |now| now == Fails(me), |past, _| it.published(past));
    }
    row
}

/// A unit with the agent of D5.
#[derive(Clone, Copy)]
struct OlderUnit(UnitId);

impl OlderUnit {
    fn is_transition(self) -> impl Fn(Happened) -> bool + Copy {
        begins_as(self.0, |hook| Transition::by(hook).is_some())
    }

    /// The last transition that has begun on this disk, with the index of its beginning.
    fn last_transition(self, past: Past<'_>) -> Option<(usize, Transition)> {
        let at = past.last(self.is_transition())?;
        let Begins(_, hook) = past.happened[at] else { return None };
        let transition = Transition::by(hook).filter(|_| !past.after(at, is_new(self.0)));
        transition.map(|it| (at, it))
    }

    fn reached(self, past: Past<'_>) -> Workflow {
        let is_made = succeeds_as(self.0, |hook| Transition::by(hook).is_some());
        match past.last(is_made) {
            Some(at) if !past.after(at, is_new(self.0)) => match past.happened[at] {
                Succeeds(_, hook) => Transition::by(hook).map_or(Workflow::New, |it| it.to),
                _ => Workflow::New,
            },
            _ => Workflow::New,
        }
    }

    /// The number of times that a transition has begun since one succeeded or an error was
    /// resolved.
    fn tries(self, past: Past<'_>) -> usize {
        let Self(me) = self;
        let is_made = succeeds_as(me, |hook| Transition::by(hook).is_some());
        let first = past.last(move |it| is_made(it) || it == IsResolved(me) || is_new(me)(it));
        let tries = past.all(move |it| self.is_transition()(it) || it == IsTriedAgain(me));
        tries.filter(|at| first.is_none_or(|first| *at > first)).count()
    }

    fn ends(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        past.since(|it| it == Dies(me), |it| it == IsCreated(me))
    }

    fn uninstalled(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        let installs = succeeds_as(me, |hook| hook == Hook::Install);
        let is_over = |it| installs(it) || it == IsCreated(me);
        !self.ends(past) && past.since(|it| it == IsDeployed(me), is_over)
    }

    fn left_alive(self, past: Past<'_>) -> bool {
        let Self(me) = self;
        past.last(|it| it == IsCutOff(me)).is_some_and(|at| {
            !self.ends(past.until(at))
                && !past.after(at, |it| it == IsConnected(me) || is_new(me)(it))
        })
    }
}

fn older_unit(past: Past<'_>, it: OlderUnit) -> UnitHistory {
    let OlderUnit(me) = it;
    let allowed = usize::from(past.world.retries) + 1;
    let last = it.last_transition(past);
    let is_try = move |now| it.is_transition()(now) || now == IsTriedAgain(me);
    let last_try = past.last(is_try).filter(|at| !past.after(*at, is_new(me)));
    UnitHistory {
        reached: it.reached(past),
        uninstalled: it.uninstalled(past),
        repeats: last.is_some_and(|(at, transition)| {
            let reached = it.reached(past.until(at));
            let is_installed = transition.hook == Hook::Install && reached != Workflow::New;
            is_installed || reached == transition.to
        }),
        tries: u8::try_from(it.tries(past).min(allowed + 1)).expect("few"),
        tried_too_often: last_try.is_some_and(|at| it.tries(past.until(at)) >= allowed),
        ends: it.ends(past),
        left_alive: it.left_alive(past),
        started_late: last.is_some_and(|(at, transition)| {
            let before = past.until(at);
            transition.hook == Hook::Start && it.ends(before) && !it.left_alive(before)
        }),
        ..UnitHistory::default()
    }
}

/// The row of a machine. The number of running instances that no document names is read from the
/// state, as it is no fact about the past.
pub(super) fn machine(past: Past<'_>, state: &State, id: MachineId) -> MachineHistory {
    if !past.world.detail.provisioning {
        return MachineHistory::default();
    }
    let in_error = move |past: Past<'_>| {
        past.since(|it| it == IsInError(id), |it| it == IsOutOfError(id) || it == IsRemoved(id))
    };
    let runtime = state.runtime.machine(id);
    let running = [
        has_unrecorded(id, past.world, state),
        runtime.former.runs(),
        runtime.named_stray,
        runtime.strays != Strays::None,
    ];
    let unheard = u8::try_from(running.into_iter().filter(|it| *it).count()).expect("four");
    MachineHistory {
        in_error: in_error(past),
        asked_in_error: past
            .all(|it| it == AsksForInstance(id))
            .any(|at| in_error(past.until(at)) && !past.after(at, |it| it == IsRemoved(id))),
        unheard,
        unheard_agents: match past.world.variants.unrecorded_instance {
            UnrecordedInstance::AgentWaits => 0,
            UnrecordedInstance::AgentRuns => unheard,
        },
    }
}
