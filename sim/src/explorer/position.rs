//! Positions: the run that an address names, done again.

use std::iter;

use deathwatch_model::{
    action::Action,
    agents,
    claims::{Claim, Diagnosis, Monitor},
    rows::Row,
    state::State,
    world::World,
};

use super::address::Address;
use crate::{
    problem::Problem,
    quiescence,
    recording::enabled,
    replay::{Interpreter, Replay},
    scenario::Scenario,
    wait_for::WaitFor,
};

/// The run that an address names, and the state in it that is looked at.
pub(super) struct Position {
    /// The steps: those of the script that it begins with, then those of the path.
    pub(super) actions: Vec<Action>,
    /// The number of the steps that are the script's.
    pub(super) script: usize,
    /// The number of the state that is looked at.
    pub(super) at: usize,
    /// That state.
    pub(super) state: State,
    /// What is owed there.
    pub(super) owed: Vec<(&'static Claim, Row)>,
    /// The states that the last steps go through for ever, if they do.
    pub(super) around: Vec<State>,
}

impl Position {
    /// Does the run that `address` names. Of `claims` it is noted what is owed.
    ///
    /// # Errors
    /// If the address names no run of this scenario.
    pub(super) fn of(
        scenario: &Scenario,
        replay: &Replay,
        claims: &[&'static Claim],
        address: &Address,
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
        if address.around > address.path.len() {
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
            around: Vec::new(),
        };
        let is_around = |state: usize| address.around > 0 && state + address.around >= last;
        if is_around(0) {
            run.around.push(scenario.start.clone());
        }
        for number in 0..last {
            let action = match number.checked_sub(script) {
                None => replay.actions[number],
                Some(index) => chosen(world, &interpreter.state, address.path[index], number)?,
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
                run.around.push(state.clone());
            }
        }
        match (run.around.first(), run.around.last()) {
            (Some(first), Some(last)) if first != last => {
                Err(Problem::new("what is said to go round does not end where it begins"))
            }
            _ => Ok(run),
        }
    }

    /// The steps that are repeated for ever.
    pub(super) fn cycle(&self) -> &[Action] {
        let count = self.around.len().saturating_sub(1);
        &self.actions[self.actions.len() - count..]
    }

    /// The steps up to the state that is looked at.
    pub(super) fn so_far(&self) -> &[Action] {
        &self.actions[..self.at]
    }

    /// Whether a condition, as a claim that it can be reached, holds in this state.
    pub(super) fn meets(&self, world: &World, claim: &'static Claim) -> bool {
        let mut is_met = false;
        Monitor::new(world, &self.state, iter::once(claim), &mut |_, _| is_met = true);
        is_met
    }

    /// Who waits for whom in this state, for each entity that something is owed to.
    pub(super) fn wait_for(&self, world: &World) -> Vec<WaitFor> {
        let mut graphs: Vec<WaitFor> = Vec::new();
        for (claim, row) in &self.owed {
            let subject = claim.subject(*row).filter(|subject| subject.actor().is_some());
            let diagnosis = subject.map(|it| Diagnosis::of(world, &self.state, it));
            let graph = diagnosis.and_then(|diagnosis| WaitFor::of(world, &diagnosis));
            graphs
                .extend(graph.filter(|it| graphs.iter().all(|known| known.subject != it.subject)));
        }
        graphs
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

/// The places of `actions`, which are done one after the other from `state` on.
pub(super) fn places(world: &World, state: &State, actions: &[Action]) -> Vec<usize> {
    let mut interpreter = Interpreter::new(world, state.clone());
    let place = |action: &Action| {
        let place = place(world, &interpreter.state, *action);
        interpreter.step(*action, None);
        place
    };
    actions.iter().map_while(place).collect()
}

/// The place of an action among those that are possible.
fn place(world: &World, state: &State, action: Action) -> Option<usize> {
    let enabled = enabled(world, state);
    let same = enabled.iter().position(|it| *it == action);
    same.or_else(|| enabled.iter().position(|it| it.act == action.act))
}

/// The world left to itself: who is assumed to act takes turns until nobody can move, or for `most`
/// steps.
pub(super) struct LeftAlone {
    /// The steps.
    pub(super) actions: Vec<Action>,
    /// Whether nobody could move in the end; else what was still moving.
    pub(super) ended: Result<(), String>,
}

impl LeftAlone {
    /// Leaves the world alone in `state`.
    pub(super) fn from(world: &World, state: &State, most: usize) -> Self {
        let mut interpreter = Interpreter::new(world, state.clone());
        let mut actions = Vec::new();
        let act = |task| {
            if actions.len() == most {
                return false;
            }
            let Some((action, planned)) = interpreter.first_enabled(task) else { return false };
            interpreter.step(action, planned);
            actions.push(action);
            true
        };
        let bound = quiescence::bound(world).min(most);
        let ended = quiescence::take_turns(&agents::assumed_tasks(world), bound, act);
        let is_quiescent = ended.is_ok() && agents::is_quiescent(world, &interpreter.state);
        let recent = actions.iter().rev().take(100);
        let ended = if is_quiescent { Ok(()) } else { Err(quiescence::what_moves(world, recent)) };
        Self { actions, ended }
    }
}
