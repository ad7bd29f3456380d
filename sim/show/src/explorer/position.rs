//! Positions: the run that an address names, done again.

use std::{collections::BTreeSet, iter};

use deathwatch_claims::{Claim, Diagnosis, Monitor};
use deathwatch_documents::{Begins, wait_for::WaitFor};
use deathwatch_model::{
    action::Action, actor::Actor, agents::Task, rows::Row, state::State, world::World,
};
use deathwatch_scenario::{
    problem::Problem,
    replay::{Interpreter, Replay, may_try, replay, why_not},
    scenario::{self, Expected, Instruction, Scenario},
};
use deathwatch_simulator::quiescence;
use deathwatch_study::{
    recording::enabled,
    verdict::ScriptFindings,
    wait_for,
    write::{NO_CLAIMS, expecting, to_scenario_text},
};

use super::{
    Explorer,
    address::{RunAddress, Taken},
    bounds::Patience,
};

/// The greatest number of entities for which a graph of waits is made.
const MOST_GRAPHS: usize = 8;

/// The run that an address names, and the state in it that is looked at.
pub(super) struct Position {
    /// The steps: those of the script that it begins with, then those of the path.
    pub(super) actions: Vec<Action>,
    /// The number of the steps that are the script's.
    pub(super) script: usize,
    /// The number of the state that is looked at.
    pub(super) at: usize,
    pub(super) state: State,
    pub(super) owed: Vec<(&'static Claim, Row)>,
    /// The states that the last steps go through for ever, if they do.
    pub(super) cycle_states: Vec<State>,
}

impl Position {
    /// The position at the end of the run that `address` names, whose first steps are `known`.
    /// Obligations are noted for `claims`.
    ///
    /// # Errors
    /// If the address names no run of this scenario, or if it takes too long.
    pub(super) fn of(
        scenario: &Scenario,
        replay: &Replay,
        claims: &[&'static Claim],
        (address, known): (&RunAddress, &[Action]),
        patience: &Patience,
    ) -> Result<Self, Problem> {
        let world = &scenario.world;
        let script = address.script.unwrap_or(replay.actions.len());
        if script > replay.actions.len() {
            let most = replay.actions.len();
            return Err(Problem::new(format!("the script has {most} steps, and not {script}")));
        }
        let last = script + address.path.len();
        let at = address.at.unwrap_or(last);
        if at > last {
            return Err(Problem::new(format!("the run has {last} steps, and not {at}")));
        }
        if address.cycle_len > address.path.len() {
            return Err(Problem::new("what goes round is longer than the path"));
        }
        let mut interpreter = Interpreter::new(world, scenario.start.clone());
        let asked = claims.iter().copied();
        let mut monitor = Monitor::new(world, &scenario.start, asked, &mut |_, _| {});
        let mut run = Self {
            actions: Vec::new(),
            script,
            at,
            state: scenario.start.clone(),
            owed: monitor.owed(world),
            cycle_states: Vec::new(),
        };
        let is_around = |state: usize| address.cycle_len > 0 && state + address.cycle_len >= last;
        if is_around(0) {
            run.cycle_states.push(scenario.start.clone());
        }
        for number in 0..last {
            patience.go_on()?;
            let action = match number.checked_sub(script) {
                Some(_) if number < known.len() => known[number],
                None => replay.actions[number],
                Some(index) => match &address.path[index] {
                    Taken::Place(place) => chosen(world, &interpreter.state, *place, number)?,
                    Taken::Line(line) => tried(scenario, &mut interpreter, line, number)?,
                },
            };
            let (action, planned) = interpreter.find(action).unwrap_or((action, None));
            interpreter.step(action, planned);
            run.actions.push(action);
            let (state, touched) = (&interpreter.state, &interpreter.effects.touched);
            monitor.check_step(world, state, touched, &mut |_, _| {});
            if number + 1 == at {
                run.state = state.clone();
                run.owed = monitor.owed(world);
            }
            if is_around(number + 1) {
                run.cycle_states.push(state.clone());
            }
        }
        match (run.cycle_states.first(), run.cycle_states.last()) {
            (Some(first), Some(last)) if first != last => {
                Err(Problem::new("what is said to go round does not end where it begins"))
            }
            _ => Ok(run),
        }
    }

    /// The steps that are repeated for ever.
    pub(super) fn cycle(&self) -> &[Action] {
        let count = self.cycle_states.len().saturating_sub(1);
        &self.actions[self.actions.len() - count..]
    }

    /// The steps up to the state that is looked at.
    pub(super) fn so_far(&self) -> &[Action] {
        &self.actions[..self.at]
    }

    /// The steps up to the state that is looked at, and those that go round for ever from there.
    pub(super) fn run(&self) -> (&[Action], &[Action]) {
        let cycle = self.cycle();
        let entry = self.actions.len() - cycle.len();
        if cycle.is_empty() || self.at < entry {
            return (self.so_far(), &[]);
        }
        (&self.actions[..entry], cycle)
    }

    /// Whether a condition, as a claim that it can be reached, holds in this state.
    pub(super) fn meets(&self, world: &World, claim: &'static Claim) -> bool {
        let mut is_met = false;
        Monitor::new(world, &self.state, iter::once(claim), &mut |_, _| is_met = true);
        is_met
    }

    /// The rows of entities that something is owed to in this state, each once.
    fn owed_to(&self) -> impl Iterator<Item = Row> {
        let subjects = self.owed.iter().filter_map(|(claim, row)| claim.subject(*row));
        let mut seen = BTreeSet::new();
        subjects.filter(move |row| row.actor().is_some_and(|entity| seen.insert(entity)))
    }

    /// The graphs of waits in this state for the first entities that are owed something, and the
    /// number of those that were left out.
    pub(super) fn wait_for(&self, world: &World) -> (Vec<WaitFor>, usize) {
        let graph = |row| wait_for::of(world, &Diagnosis::of(world, &self.state, row));
        let mut owed_to = self.owed_to();
        let graphs = owed_to.by_ref().filter_map(graph).take(MOST_GRAPHS).collect();
        (graphs, owed_to.count())
    }

    /// The agents of some entities that something is owed to.
    pub(super) fn agents_owed_to(&self) -> impl Iterator<Item = Actor> {
        self.owed_to().filter_map(|row| Actor::agent_of(row.actor()?))
    }
}

/// The action with this place among those that are possible after `number` steps.
fn chosen(world: &World, state: &State, place: usize, number: usize) -> Result<Action, Problem> {
    let enabled = enabled(world, state);
    enabled.get(place).copied().ok_or_else(|| {
        let count = enabled.len();
        Problem::new(format!(
            "after step {number} there are {count} possible actions, and the path asks for number \
             {place}, from 0"
        ))
    })
}

/// The action of a typed line after `number` steps; the protocol does not list it.
fn tried(
    scenario: &Scenario,
    interpreter: &mut Interpreter<'_>,
    line: &str,
    number: usize,
) -> Result<Action, Problem> {
    let Instruction::Act(action) = scenario.typed(line)?.instruction else {
        return Err(Problem::new(format!("a path has one action at a time, and not: {line}")));
    };
    if let Some((found, _)) = interpreter.find(action) {
        return Ok(found);
    }
    if may_try(action, &interpreter.state) {
        return Ok(action);
    }
    let why = why_not(action, interpreter).why;
    Err(Problem::new(format!("after step {number} this is not possible: {line}: {why}")))
}

/// The path of `actions`, taken one after the other from `state` on: their places, or the lines of
/// those that the protocol does not list.
pub(super) fn taken(
    world: &World,
    state: &State,
    actions: &[Action],
    patience: &Patience,
) -> Result<Vec<Taken>, Problem> {
    let mut interpreter = Interpreter::new(world, state.clone());
    let taken = |action: &Action| {
        patience.go_on()?;
        let taken = match place(world, &interpreter.state, *action) {
            Some(place) => Taken::Place(place),
            None => Taken::Line(world.show(action)),
        };
        interpreter.step(*action, None);
        Ok(taken)
    };
    actions.iter().map(taken).collect()
}

/// The place of an action among those that are possible.
fn place(world: &World, state: &State, action: Action) -> Option<usize> {
    let enabled = enabled(world, state);
    let same = enabled.iter().position(|it| *it == action);
    same.or_else(|| enabled.iter().position(|it| it.act == action.act))
}

/// The world left to some tasks, which take turns until none of them can move, or for `most` steps.
pub(super) struct LeftAlone {
    pub(super) actions: Vec<Action>,
    /// The last moves of a world that still moved after `most` steps; `Ok` if none was left.
    pub(super) ended: Result<(), String>,
}

impl LeftAlone {
    /// Leaves the world to `tasks` in `state`.
    pub(super) fn from(
        world: &World,
        state: &State,
        tasks: &[Task],
        most: usize,
        patience: &Patience,
    ) -> Result<Self, Problem> {
        let mut interpreter = Interpreter::new(world, state.clone());
        let mut actions = Vec::new();
        let act = |task| {
            if actions.len() == most || patience.is_over().is_some() {
                return false;
            }
            let Some((action, planned)) = interpreter.first_enabled(task) else { return false };
            interpreter.step(action, planned);
            actions.push(action);
            true
        };
        let bound = quiescence::bound(world).min(most);
        let ended = quiescence::take_turns(tasks, bound, act);
        patience.go_on()?;
        let mut is_done = |task: &Task| interpreter.first_enabled(*task).is_none();
        let is_quiescent = ended.is_ok() && tasks.iter().all(&mut is_done);
        let recent = actions.iter().rev().take(100);
        let ended = if is_quiescent { Ok(()) } else { Err(quiescence::what_moves(world, recent)) };
        Ok(Self { actions, ended })
    }
}

impl Explorer {
    /// The run so far as a scenario file, with the claims that it shows to be violated.
    pub(super) fn saved(&self, address: &RunAddress, position: &Position) -> String {
        let shows = format!("What was explored of {}.", self.scenario.name);
        let whole = self.replay.actions.len();
        let (so_far, cycle) = position.run();
        let is_after = address.script.is_none() && so_far.len() >= whole;
        let (begins, steps) = if is_after {
            (Begins::AfterScript, &so_far[whole..])
        } else {
            (Begins::BeforeScript, so_far)
        };
        let text = to_scenario_text(&self.scenario, &shows, begins, steps, cycle);
        match self.violated_by(&text) {
            Some(violated) => text.strip_suffix(NO_CLAIMS).unwrap_or(&text).to_owned() + &violated,
            None => text,
        }
    }

    /// The claims of this scenario that the script of a saved run violates, as a table.
    fn violated_by(&self, text: &str) -> Option<String> {
        let saved = scenario::parse_again(&self.scenario.address, text).ok()?;
        let saved = saved.keeping(self.claims.iter().copied());
        let replay = replay(&saved).ok()?;
        let findings = ScriptFindings::of(&saved, &replay, self.claims.iter().copied());
        let violated: Vec<_> = findings.shown().map(|it| (it, Expected::Violated)).collect();
        (!violated.is_empty()).then(|| expecting(&self.scenario, &violated))
    }
}
