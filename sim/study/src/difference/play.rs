//! Play: a run of one side, followed on the other side until that has no such step.

use std::collections::BTreeSet;

use deathwatch_claims::{ClaimKind, check::CheckReport};
use deathwatch_documents::{
    Run,
    difference::{Parting, RunDifference, Side, Sides, StepDifference},
    run::{Change, Possible, Step, StepOutcome},
};
use deathwatch_model::{action::Action, agents};
use deathwatch_scenario::{
    Instruction, Scenario,
    replay::{self, Impossibility, Interpreter, why_not},
    turns,
};
use deathwatch_simulator::quiescence;

use super::ComparedScenario;
use crate::{
    recording::{self, Keep, Played},
    verdict::Judged,
};

/// The greatest number of steps that the agents of the other side are shown to do by themselves.
const MOST_BY_THEMSELVES: usize = 40;

/// The greatest number of possible steps of the other side that a difference lists.
const MOST_POSSIBLE: usize = 3;

/// The run by which `judged` is decided on this side, and its parting from the other side.
pub(super) fn played(
    sides: &Sides<ComparedScenario<'_>>,
    side: Side,
    judged: &Judged,
) -> RunDifference {
    let (this, other) = (sides.of(side), sides.of(side.other()));
    let report: Option<&CheckReport> = this.verdict.report.as_ref();
    let found = Played::found(this.scenario, this.replay, judged, report);
    let found = found.expect("a run decides it");
    let (actions, cycle) = found.actions();
    let actions = actions.to_vec();
    let follows = judged.claim().is_some_and(|claim| claim.kind() == ClaimKind::Leads);
    let mut difference = RunDifference {
        claim: judged.name(),
        kind: judged.kind(),
        side,
        alike: 0,
        changes: Vec::new(),
        step: None,
        parting: Parting::NotPlayed,
        runs: Sides::default(),
        followed: 0,
    };
    let Ok(run) = recording::record(found, Keep::First) else { return difference };
    let mut followed = PlayedRun::begin(other.scenario);
    let stopped = followed.follow(this.scenario, &actions);
    let there = followed.recorded(other, 0);
    let fields = common(&run, &there);
    let pairs = || run.steps.iter().zip(&there.steps);
    let others = pairs().position(|(mine, theirs)| mine.outcome != theirs.outcome);
    difference.changes = pairs()
        .take(others.unwrap_or(there.steps.len()))
        .filter_map(|(mine, theirs)| changes(side, (mine, theirs), &fields))
        .collect();
    let first = difference.changes.first().map(|it| it.step);
    difference.alike =
        [others, first.map(|it| it - 1)].into_iter().flatten().min().unwrap_or(there.steps.len());
    (difference.step, difference.parting) = if let Some(at) = others {
        followed.cut(at + 1);
        (Some(at + 1), other_outcome(side, &run.steps[at], &there.steps[at]))
    } else if let Some(parting) = stopped {
        (Some(there.steps.len() + 1), parting)
    } else {
        match (at_end(&mut followed, other, &run, (follows, cycle)), first) {
            (Parting::OtherClaim, Some(first)) => (Some(first), Parting::OtherChanges),
            (parting, _) => (None, parting),
        }
    };
    difference.followed = followed.actions.len();
    let cycle = if difference.followed == actions.len() { cycle } else { 0 };
    if follows && cycle == 0 {
        followed.go_on();
    }
    let there = followed.recorded(other, cycle);
    difference.runs = Sides::placed(side, Some(run), Some(there));
    difference
}

/// A run of the other side, as far as it has been played there.
struct PlayedRun<'a> {
    scenario: &'a Scenario,
    interpreter: Interpreter<'a>,
    actions: Vec<Action>,
}

impl<'a> PlayedRun<'a> {
    /// A run that begins where the scenario does.
    fn begin(scenario: &'a Scenario) -> Self {
        let interpreter = Interpreter::new(&scenario.world, scenario.start.clone());
        Self { scenario, interpreter, actions: Vec::new() }
    }

    /// Does the steps that are `actions` in the world of `this`, as they are written. Says why the
    /// next one is not possible, if it is not.
    fn follow(&mut self, this: &Scenario, actions: &[Action]) -> Option<Parting> {
        let mut there = Interpreter::new(&this.world, this.start.clone());
        for action in actions {
            let line = this.world.show(action);
            let was_tried = replay::was_tried(&mut there, *action);
            let step = match self.scenario.typed(&line) {
                Ok(step) => step,
                Err(problem) => return Some(Parting::NotKnown { text: problem.to_string() }),
            };
            let Instruction::Act(action) = step.instruction else {
                unreachable!("an action is written as one");
            };
            if let Err(reason) = self.act(action, was_tried) {
                let Impossibility { kind, clauses, why, advice } = reason;
                let world = &self.scenario.world;
                let names = clauses.iter().map(|it| world.clause_name(*it).into_owned());
                let clauses = names.collect();
                return Some(Parting::NotPossible { reason: kind, clauses, text: why, advice });
            }
        }
        None
    }

    /// Does an action; says why it is not possible, if it is not.
    fn act(&mut self, action: Action, was_tried: bool) -> Result<(), Impossibility> {
        let interpreter = &mut self.interpreter;
        let Some((action, planned)) = replay::done_again(interpreter, action, was_tried) else {
            return Err(why_not(action, interpreter));
        };
        let done = replay::perform_enabled(interpreter, action, planned);
        self.actions.push(done.action);
        Ok(())
    }

    /// Leaves the first `steps` alone.
    fn cut(&mut self, steps: usize) {
        let Scenario { world, start, .. } = self.scenario;
        self.actions.truncate(steps);
        self.interpreter = Interpreter::after(world, start.clone(), &self.actions);
    }

    /// Lets the actors that are assumed to act do so in turns, until none of them can move.
    fn go_on(&mut self) {
        let tasks = agents::assumed_tasks(&self.scenario.world);
        let Self { interpreter, actions, .. } = self;
        let mut left = MOST_BY_THEMSELVES;
        let _ = quiescence::take_turns(&tasks, MOST_BY_THEMSELVES, |task| {
            if left == 0 {
                return false;
            }
            let Some((action, planned)) = interpreter.first_enabled(task) else { return false };
            left -= 1;
            actions.push(replay::perform_enabled(interpreter, action, planned).action);
            true
        });
    }

    /// The possible steps of actors that are assumed to act.
    fn can(&mut self) -> Vec<Possible> {
        let world = &self.scenario.world;
        let mut all: Vec<Action> = Vec::new();
        for task in agents::assumed_tasks(world) {
            let found = self.interpreter.first_enabled(task).map(|(action, _)| action);
            all.extend(found.filter(|it| all.iter().all(|known| known.act != it.act)));
        }
        all.truncate(MOST_POSSIBLE);
        recording::possible(world, &self.interpreter.state, &all)
    }

    /// The run as data, whose last `cycle` steps are repeated for ever.
    fn recorded(&self, side: &ComparedScenario<'_>, cycle: usize) -> Run {
        let steps = (self.actions.clone(), 0);
        let played = Played::explored(side.scenario, side.replay, steps, cycle);
        recording::record(played, Keep::First).expect("it is hardly longer than the other one")
    }
}

/// The parting at the end of a run all of whose steps are possible on the other side, too. Its last
/// `cycle` steps are repeated for ever, and it may decide a claim about what `follows`.
fn at_end(
    followed: &mut PlayedRun<'_>,
    other: &ComparedScenario<'_>,
    run: &Run,
    (follows, cycle): (bool, usize),
) -> Parting {
    let script = &other.replay.actions;
    let world = &other.scenario.world;
    let is_script = script
        .iter()
        .zip(&run.steps)
        .all(|(action, step)| step.act.line.split(" => ").next() == Some(&*world.show(action)));
    if !is_script {
        return Parting::OtherScript;
    }
    if cycle > 0 {
        let start = other.scenario.start.clone();
        let states = Interpreter::new(world, start).states(&followed.actions);
        let first = followed.actions.len() - cycle;
        let steps = &followed.actions[first..];
        if states[first] != states[followed.actions.len()] {
            let text = vec!["its last steps do not lead back to where they begin".to_owned()];
            return Parting::NotForEver { text };
        }
        if let Ok(turns) = turns::turns(world, &states[first..], steps, first) {
            let unfair = turns.into_iter().filter(|turn| !turn.is_fair);
            let text: Vec<String> =
                unfair.map(|turn| format!("{} {}", turn.actor, turn.says)).collect();
            if !text.is_empty() {
                return Parting::NotForEver { text };
            }
        }
        return Parting::OtherClaim;
    }
    // A claim about states or steps is decided wherever somebody could go on.
    let can = if follows { followed.can() } else { Vec::new() };
    if can.is_empty() { Parting::OtherClaim } else { Parting::GoesOn { can } }
}

/// The parting of two runs at a step that has another outcome.
fn other_outcome(side: Side, mine: &Step, theirs: &Step) -> Parting {
    Parting::OtherOutcome {
        outcome: Sides::placed(side, outcome_text(mine), outcome_text(theirs)),
        because: Sides::placed(side, mine.because.clone(), theirs.because.clone()),
    }
}

/// The changes to these fields that only one of two steps makes, if there are any.
fn changes(
    side: Side,
    (mine, theirs): (&Step, &Step),
    fields: &BTreeSet<(&str, &str)>,
) -> Option<StepDifference> {
    let is_common = |it: &&Change| fields.contains(&(it.document.kind.as_str(), it.field.as_str()));
    let only = |of: &Step, other: &Step| -> Vec<Change> {
        let changes = of.changes.iter().filter(is_common);
        changes.filter(|it| !other.changes.contains(it)).cloned().collect()
    };
    let (mine_only, theirs_only) = (only(mine, theirs), only(theirs, mine));
    let is_any = !mine_only.is_empty() || !theirs_only.is_empty();
    let changes = Sides::placed(side, mine_only, theirs_only);
    is_any.then_some(StepDifference { step: mine.number, changes })
}

/// The outcome of a step in words.
fn outcome_text(step: &Step) -> String {
    match (step.outcome, step.said.first()) {
        (StepOutcome::Done, _) | (_, None) => match step.outcome {
            StepOutcome::Done => "done".to_owned(),
            StepOutcome::Planned => "planned".to_owned(),
            StepOutcome::Committed => "committed".to_owned(),
            StepOutcome::Aborted => "aborted".to_owned(),
            StepOutcome::Contended => "given up".to_owned(),
            StepOutcome::NoOp => "nothing to do".to_owned(),
            StepOutcome::Refused => "refused".to_owned(),
            StepOutcome::NotEnabled => "not possible".to_owned(),
        },
        (_, Some(said)) => said.clone(),
    }
}

/// The fields that both worlds have, by their kinds of rows: one with more details has more.
fn common<'a>(run: &'a Run, other: &Run) -> BTreeSet<(&'a str, &'a str)> {
    let fields = run.kinds.iter().flat_map(|(kind, it)| it.fields.keys().map(move |it| (kind, it)));
    let is_there = |(kind, field): &(&String, &String)| {
        other.kinds.get(*kind).is_some_and(|it| it.fields.contains_key(*field))
    };
    fields.filter(is_there).map(|(kind, field)| (kind.as_str(), field.as_str())).collect()
}

/// Whether two steps come to the same.
pub(super) fn is_alike(a: &Step, b: &Step) -> bool {
    a.outcome == b.outcome && a.changes == b.changes
}
