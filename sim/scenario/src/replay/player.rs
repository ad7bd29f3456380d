//! The player: does the steps of a script one after the other, and writes the transcript.
//!
//! A step that stands for many actions becomes a comment in the transcript, and the actions follow
//! it. So the lines of a transcript that are not indented are a script again.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_model::{
    action::{Act, Action, Outcome, TxnAct},
    actor::Client,
    agents,
    clause::Clause,
    operation::Operation,
    protocol,
    state::State,
    txn::Txn,
    world::{Transactions, World},
};
use deathwatch_simulator::quiescence::{self, OutOfBound};

use super::{
    Failure, Obstacle, Replay,
    interpreter::Interpreter,
    notes,
    perform::{self, PerformedStep},
    transcript,
};
use crate::{
    scenario::{ExpectedOutcome, Instruction, Runner, Scenario, ScriptStep},
    turns,
};

/// The number of actions of a run without end that a transcript shows.
const SHOWN: usize = 20;

/// The number of last actions that are searched for the ones that kept repeating.
const RECENT: usize = 256;

pub(super) struct Player<'a> {
    scenario: &'a Scenario,
    interpreter: Interpreter<'a>,
    transcript: String,
    failures: Vec<Failure>,
    clauses: BTreeSet<Clause>,
    actions: Vec<Action>,
    /// The number of actions before those that are repeated for ever.
    loop_begins: Option<usize>,
    /// The line of the file that asks for each action.
    lines: Vec<usize>,
}

impl<'a> Player<'a> {
    /// The replay of `scenario` before its first step.
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            interpreter: Interpreter::new(&scenario.world, scenario.start.clone()),
            transcript: String::new(),
            failures: Vec::new(),
            clauses: BTreeSet::new(),
            actions: Vec::with_capacity(scenario.steps.len()),
            loop_begins: None,
            lines: Vec::with_capacity(scenario.steps.len()),
        }
    }

    /// The result of the steps that were done.
    pub(super) fn finish(self) -> Replay {
        let Self { interpreter, transcript, failures, clauses, mut actions, lines, .. } = self;
        let cycle = actions.split_off(self.loop_begins.unwrap_or(actions.len()));
        let state = interpreter.state;
        Replay { state, transcript, failures, clauses, actions, cycle, lines, is_cut: false }
    }

    /// Does `steps`, which are repeated for ever.
    ///
    /// # Errors
    /// If one of them is not possible.
    pub(super) fn go_round(&mut self, steps: &[ScriptStep]) -> Result<(), Obstacle> {
        let Some(last) = steps.last() else { return Ok(()) };
        let first = self.actions.len();
        let entry = self.interpreter.state.clone();
        self.transcript.push_str("# and this again and again:\n");
        steps.iter().try_for_each(|step| self.perform(step))?;
        let flaws = flaws(&self.scenario.world, (&entry, first), &self.actions[first..]);
        // Steps that cannot be repeated are steps all the same.
        self.loop_begins = flaws.is_empty().then_some(first);
        let failure = |message| Failure { line: last.line, message };
        self.failures.extend(flaws.into_iter().map(failure));
        Ok(())
    }

    /// Does `step`.
    ///
    /// # Errors
    /// If it is not possible.
    pub(super) fn perform(&mut self, step: &ScriptStep) -> Result<(), Obstacle> {
        let done = match step.instruction {
            Instruction::Act(action) => self.act(step, action),
            Instruction::Run(runner) => self.run(step, runner),
            Instruction::Retry(client, operation) => self.retry(step, client, operation),
        };
        self.lines.resize(self.actions.len(), step.line);
        done
    }

    fn act(&mut self, step: &ScriptStep, action: Action) -> Result<(), Obstacle> {
        let done = perform::perform(self.scenario, step, action, &mut self.interpreter)?;
        let states_outcome = step.outcome.is_some() && done.failure.is_none();
        let line = self.line(step);
        let rendered = transcript::render(&self.interpreter, &line, states_outcome, &done);
        self.transcript.push_str(&rendered);
        self.note(&done);
        self.clauses.extend(&self.interpreter.effects.clauses);
        self.actions.push(done.action);
        self.failures.extend(done.failure);
        Ok(())
    }

    /// Lets `runner` act until there is nothing left to do.
    fn run(&mut self, step: &ScriptStep, runner: Runner) -> Result<(), Obstacle> {
        let world = &self.scenario.world;
        let tasks = match runner {
            Runner::Actor(actor) => agents::tasks(world, actor),
            Runner::All => agents::assumed_tasks(world),
        };
        let mut lines = RenderedActions::default();
        let settled = quiescence::take_turns(&tasks, quiescence::bound(world), |task| {
            let Some((action, planned)) = self.interpreter.first_enabled(task) else {
                return false;
            };
            self.enabled(action, planned, &mut lines);
            true
        });
        let count = lines.0.len();
        if let Err(OutOfBound) = settled {
            let line = self.line(step);
            let _ = writeln!(self.transcript, "# {line}, which does not end:");
            lines.0.truncate(SHOWN);
            self.transcript.extend(lines.0);
            let _ = writeln!(self.transcript, "# and so on: {count} steps were done");
            return Err(self.endless(step, count));
        }
        if count > 0 {
            self.comment(step, lines);
        } else {
            let line = self.line(step);
            let _ = writeln!(self.transcript, "{line}\n  nothing to do");
        }
        let message = match step.outcome {
            None if count == 0 => Some("expected it to do something, but there was nothing to do"),
            Some(ExpectedOutcome::NoOp) if count > 0 => {
                Some("expected no-op, but there was something to do")
            }
            _ => None,
        };
        self.failures.extend(message.map(|it| Failure { line: step.line, message: it.to_owned() }));
        Ok(())
    }

    /// The obstacle that `step` was not over after `count` actions.
    fn endless(&self, step: &ScriptStep, count: usize) -> Obstacle {
        let recent = &self.actions[self.actions.len().saturating_sub(RECENT)..];
        let moving = quiescence::what_moves(&self.scenario.world, recent.iter());
        let message = format!("this was not over after {count} steps");
        let problem =
            self.scenario.text.problem(&step.span, &message, "something is always left to do");
        let problem = problem.with_help_lines(&[
            format!("this kept moving: {moving}"),
            "write the steps one by one, or let fewer actors run".to_owned(),
        ]);
        Obstacle { problem, failure: Some(Failure { line: step.line, message }) }
    }

    /// Lets `client` plan `operation` and commit it, again if it aborts. A transaction that is
    /// pending is finished first.
    fn retry(
        &mut self,
        step: &ScriptStep,
        client: Client,
        operation: Operation,
    ) -> Result<(), Obstacle> {
        let mut lines = RenderedActions::default();
        let asked = Act::Txn(client, TxnAct::Run(operation));
        let mut aborts = 0;
        let last = loop {
            let action = self.next_try(client, operation);
            let found = perform::possible(self.scenario, step, action, &mut self.interpreter);
            let (action, planned) = match found {
                Ok(found) => found,
                Err(obstacle) => {
                    self.transcript.extend(lines.0);
                    return Err(obstacle);
                }
            };
            let done = self.enabled(action, planned, &mut lines);
            aborts += u8::from(done.outcome == Outcome::Aborted);
            let goes_on = match done.outcome {
                Outcome::Planned => true,
                Outcome::Aborted => aborts < self.scenario.world.tries,
                Outcome::Done
                | Outcome::Committed
                | Outcome::Contended
                | Outcome::NoOp
                | Outcome::Refused(_)
                | Outcome::NotEnabled => false,
            };
            if !goes_on {
                break done;
            }
        };
        self.comment(step, lines);
        self.note(&last);
        let message = perform::wrong_outcome(step, asked, &last);
        self.failures.extend(message.map(|message| Failure { line: step.line, message }));
        Ok(())
    }

    /// The action by which a retry goes on.
    fn next_try(&mut self, client: Client, operation: Operation) -> Action {
        let action = |act| Action { act: Act::Txn(client, act), duty: None };
        let pending = protocol::pending(&self.interpreter.state, client);
        if pending.is_some_and(|txn| txn.operation == operation)
            && let Some((finish, _)) = self.interpreter.find(action(TxnAct::Commit))
        {
            return finish;
        }
        action(match self.scenario.world.transactions {
            Transactions::Split => TxnAct::Begin(operation),
            Transactions::Atomic => TxnAct::Run(operation),
        })
    }

    /// Adds the notes on the last step to the transcript.
    fn note(&mut self, done: &PerformedStep) {
        for note in notes::notes(&self.interpreter, done) {
            let _ = writeln!(self.transcript, "    note: {note}");
        }
    }

    /// The line of `step`, every entity by its canonical name.
    fn line(&self, step: &ScriptStep) -> String {
        let line = step.instruction.show(&self.scenario.world);
        match step.outcome {
            Some(outcome) => format!("{line} => {outcome}"),
            None => line,
        }
    }

    /// Does `action`, which is possible, and adds it to `lines`.
    fn enabled(
        &mut self,
        action: Action,
        planned: Option<Txn>,
        lines: &mut RenderedActions,
    ) -> PerformedStep {
        let done = perform::perform_enabled(&mut self.interpreter, action, planned);
        lines.0.push(transcript::render_done(&self.interpreter, &done));
        self.clauses.extend(&self.interpreter.effects.clauses);
        self.actions.push(done.action);
        done
    }

    /// Adds a step that stood for several actions to the transcript.
    fn comment(&mut self, step: &ScriptStep, lines: RenderedActions) {
        let steps = if lines.0.len() == 1 { "step" } else { "steps" };
        let line = self.line(step);
        let _ = writeln!(self.transcript, "# {line} ({} {steps})", lines.0.len());
        self.transcript.extend(lines.0);
    }
}

/// The actions that a step stands for, rendered.
#[derive(Default)]
struct RenderedActions(Vec<String>);

/// The loop of a script is a run that never ends: its steps lead back to where they begin, and keep
/// nobody from acting for ever who is assumed to act.
///
/// Why `steps` cannot be repeated for ever from `entry` on, which has the number `first`; nothing,
/// if they can.
pub(super) fn flaws(
    world: &World,
    (entry, first): (&State, usize),
    steps: &[Action],
) -> Vec<String> {
    let states = Interpreter::new(world, entry.clone()).states(steps);
    if steps.is_empty() || states[steps.len()] != *entry {
        return vec!["the loop does not lead back to where it begins".to_owned()];
    }
    match turns::turns(world, &states, steps, first) {
        Ok(turns) => {
            let unfair = turns.into_iter().filter(|turn| !turn.is_fair);
            unfair.map(|it| format!("the loop is not fair: {} {}", it.actor, it.says)).collect()
        }
        Err(why) => vec![format!("the loop cannot be judged: {}", why.reason())],
    }
}

/// Whether `steps` can be repeated for ever from `entry` on.
pub fn is_lasso(world: &World, entry: &State, steps: &[Action]) -> bool {
    flaws(world, (entry, 0), steps).is_empty()
}
