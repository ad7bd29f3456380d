//! The end of a run that is too long to be written down whole: its last steps, from the state
//! before them on.

use std::collections::BTreeSet;

use deathwatch_model::{
    action::Action,
    actor::Actor,
    rows::{Row, RowKind},
};
use deathwatch_scenario::{replay::Interpreter, scenario::Scenario};

use super::{played::Played, recorder::MOST_KEPT};

/// The greatest number of steps of an end.
const MOST_STEPS: usize = 50;

/// The end of a run.
pub struct Ending {
    /// The scenario, which begins where the end does.
    scenario: Scenario,
    /// The number of steps before it.
    skipped: usize,
}

impl Ending {
    /// The end of a run that is too long; nothing, if it can be written down whole.
    pub fn of(played: &Played<'_>) -> Option<Self> {
        let (scenario, steps) = (played.scenario, played.actions.len());
        let rows: usize = RowKind::ALL.into_iter().map(|kind| kind.count(&scenario.world)).sum();
        let room = (MOST_KEPT / rows.max(1)).saturating_sub(1);
        if steps <= room || played.cycle > 0 {
            return None;
        }
        let kept = room.min(MOST_STEPS);
        let skipped = steps - kept;
        let begun = &played.actions[..skipped];
        let mut scenario = scenario.clone();
        scenario.start = Interpreter::after(&scenario.world, scenario.start, begun).state;
        let shows = &scenario.shows;
        scenario.shows =
            format!("{shows} Here are the last {kept} of {steps} steps, counted anew.");
        Some(Self { scenario, skipped })
    }
}

impl<'a> Played<'a> {
    /// The ending of this run. Reasons why actions are impossible are asked only for the actors of
    /// the ending and the agents of the claims' subjects.
    #[must_use]
    pub fn ending(mut self, ending: &'a Ending) -> Self {
        let Ending { scenario, skipped } = ending;
        self.scenario = scenario;
        self.actions.drain(..skipped);
        self.lines = self.lines.get(*skipped..).unwrap_or_default();
        let before = skipped.saturating_sub(self.script);
        self.times = self.times.get(before..).unwrap_or_default();
        self.script = self.script.saturating_sub(*skipped);
        let mut asked: BTreeSet<Actor> = self.actions.iter().map(Action::actor).collect();
        for found in &mut self.found {
            found.state = found.state.saturating_sub(*skipped);
            found.wait_for = found.wait_for.take().map(|it| it.since(*skipped));
            found.no_return = found.no_return.take().map(|it| it.since(*skipped));
            asked.extend(found.subject.and_then(Row::actor).and_then(Actor::agent_of));
        }
        self.asking(asked)
    }
}

/// Does `write` with what a page shows of a run: of one that is too long the steps that made what
/// holds its end, or else its end.
pub fn abridged<T>(played: Played<'_>, write: impl FnOnce(Played<'_>) -> T) -> T {
    if let Some(slice) = played.slice() {
        return write(played.sliced(slice));
    }
    match Ending::of(&played) {
        Some(ending) => write(played.ending(&ending)),
        None => write(played),
    }
}
