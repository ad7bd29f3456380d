//! Moves of the explorer: to the nearest state with a condition, to a run that violates a claim,
//! and to the end of all moves. Each has bounds, and a page names the one that was reached and how
//! to raise it.

use deathwatch_claims::Claim;
use deathwatch_model::agents::{self, Task};
use deathwatch_scenario::{
    problem::Problem,
    replay,
    scenario::{Instruction, Runner},
};

use super::{
    Explorer, SaidOfPage,
    address::{MOST_STEPS, RunAddress, Taken},
    answer::{Response, StatusCode},
    bounds::Patience,
    links::onward,
    position::{LeftAlone, Position, taken},
};

impl Explorer {
    /// Goes to the nearest state where the condition holds.
    pub(super) fn nearest(
        &self,
        address: RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        let claim = match self.condition(&address) {
            Ok(Some(claim)) => claim,
            Ok(None) => {
                let problem = "a condition was expected, such as: units.all(u, !u.exists)";
                return Err(Problem::new(problem));
            }
            // The page says under the field what is wrong with it.
            Err(_) => {
                let page = self.page(&address, position, None)?;
                return Ok(Response::page(StatusCode::Bad, page));
            }
        };
        self.go_by_search(address, position, claim)
    }

    /// Shows a run that violates the claim from the present state on.
    pub(super) fn counterexample(
        &self,
        address: RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        let name = address.claim.as_deref().unwrap_or_default();
        let claim = self.claims.iter().find(|claim| claim.name == name);
        let claim = claim.ok_or_else(|| {
            Problem::new(format!("nothing is asked here that is called \"{name}\""))
        })?;
        self.go_by_search(address, position, claim)
    }

    fn go_by_search(
        &self,
        address: RunAddress,
        position: &Position,
        claim: &'static Claim,
    ) -> Result<Response, Problem> {
        let world = &self.scenario.world;
        if let Some(problem) = unfinished(position) {
            return Err(problem);
        }
        let searched = self.searches.look(world, &position.state, claim, &self.bounds);
        let Some(trace) = searched.trace else {
            let note = format!("{}: {}", claim.name, searched.sentence);
            return Ok(Response::page(
                StatusCode::Found,
                self.page(&address, position, Some(note))?,
            ));
        };
        let steps: Vec<_> = trace.steps.iter().chain(&trace.cycle).copied().collect();
        let patience = Patience::begin(&self.bounds);
        let more = taken(world, &position.state, &steps, &patience)?;
        let mut found = self.on(&address, position, more)?;
        found.cycle_len = trace.cycle.len();
        found.claim = address.claim;
        Ok(Response::elsewhere(format!("/{}", found.query())))
    }

    /// The address after these actions more.
    fn on(
        &self,
        address: &RunAddress,
        position: &Position,
        more: Vec<Taken>,
    ) -> Result<RunAddress, Problem> {
        let count = more.len();
        let there = onward(self.script(), address, position, more);
        if there.path.len() > MOST_STEPS {
            let problem = format!("a run of {count} steps more is too long here");
            let help = format!("an address holds at most {MOST_STEPS} steps after the script");
            return Err(Problem::new(problem).with_help(help));
        }
        Ok(there)
    }

    /// Goes to the end of all moves of actors that are assumed to act.
    pub(super) fn idle(
        &self,
        address: &RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        let tasks = agents::assumed_tasks(&self.scenario.world);
        self.leave_alone(address, position, &tasks).map(|(_, answer)| answer)
    }

    /// Goes to where none of `tasks` can move. Returns how many steps that took, too.
    fn leave_alone(
        &self,
        address: &RunAddress,
        position: &Position,
        tasks: &[Task],
    ) -> Result<(usize, Response), Problem> {
        let (world, state) = (&self.scenario.world, &position.state);
        let most = self.bounds.steps.min(MOST_STEPS.saturating_sub(address.path.len()));
        let patience = Patience::begin(&self.bounds);
        let alone = LeftAlone::from(world, state, tasks, most, &patience)?;
        let count = alone.actions.len();
        let taken = taken(world, state, &alone.actions, &patience)?;
        let there = self.on(address, position, taken)?;
        let so_far = position.so_far().iter().chain(&alone.actions).copied();
        self.memory.keep(position.script.min(position.at), &there, &so_far.collect::<Vec<_>>());
        let Err(moving) = alone.ended else {
            return Ok((count, Response::elsewhere(format!("/{}", there.query()))));
        };
        let raise = if most < self.bounds.steps {
            format!("an address holds at most {MOST_STEPS} steps after the script")
        } else {
            format!("`explore --max-steps`, here {most}, lets it take more at once")
        };
        let steps = if count == 1 { "step" } else { "steps" };
        let moving = if moving.is_empty() { String::new() } else { format!(": {moving}") };
        let note =
            format!("after {count} more {steps} there was still something to do{moving} ({raise})");
        let position = self.position(&there)?;
        Ok((count, Response::page(StatusCode::Found, self.page(&there, &position, Some(note))?)))
    }

    /// Takes the typed step. A mistake in it stands beside the field.
    pub(super) fn step(
        &self,
        address: &RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        match self.typed(address, position) {
            Ok(answer) => Ok(answer),
            Err(problem) => {
                let refused = Some(&problem);
                let said = SaidOfPage { refused, ..SaidOfPage::default() };
                let page = self.shown(address, position, said)?;
                Ok(Response::page(StatusCode::Bad, page))
            }
        }
    }

    fn typed(&self, address: &RunAddress, position: &Position) -> Result<Response, Problem> {
        let line = address.step.as_deref().unwrap_or_default();
        let (world, state) = (&self.scenario.world, &position.state);
        let (step, typed) = self.scenario.going_on(state, line)?;
        let tasks = match step.instruction {
            Instruction::Run(Runner::All) => agents::assumed_tasks(world),
            Instruction::Run(Runner::Actor(actor)) => agents::tasks(world, actor),
            Instruction::Act(_) | Instruction::Retry(..) => {
                let done = replay::replay(&typed).map_err(|impossible| impossible.problem)?;
                if let Some(failure) = done.failures.first().filter(|_| step.outcome.is_some()) {
                    return Err(Problem::new(&failure.message));
                }
                let patience = Patience::begin(&self.bounds);
                let taken = taken(world, state, &done.actions, &patience)?;
                let there = self.on(address, position, taken)?;
                return Ok(Response::elsewhere(format!("/{}", there.query())));
            }
        };
        match self.leave_alone(address, position, &tasks)? {
            (1.., _) if step.outcome.is_some() => {
                Err(Problem::new("expected no-op, but there was something to do"))
            }
            (_, answer) => Ok(answer),
        }
    }
}

/// The problem that a client has pending work in the present state, so that the rest would wait for
/// it for ever.
pub(super) fn unfinished(position: &Position) -> Option<Problem> {
    let mut clients = position.state.runtime.clients().iter();
    clients.any(|client| client.pending.is_some()).then(|| {
        Problem::new("a client has a transaction pending here, which nobody would finish")
            .with_help("let the client say `commit` or `abort` first, or go to another step")
    })
}
