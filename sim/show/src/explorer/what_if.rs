//! What-if: the same run in a world with other settings, and the verdict asked anew.
//!
//! A path names actions by their places, which are others in another world. So the run is done
//! again by its lines, as far as they are possible, and the page says by which it parts.

use std::sync::{Arc, Mutex, PoisonError};

use deathwatch_claims::{Claim, ClaimKind, check::CheckAnswer};
use deathwatch_scenario::{
    problem::Problem,
    replay::{self, Interpreter, why_not},
    scenario::{Instruction, Scenario, toggles},
};

use super::{
    Explorer, SaidOfPage,
    address::{MOST_STEPS, RunAddress},
    answer::{Response, StatusCode},
    bounds::Patience,
    position::{Position, taken},
    search::Searched,
};

/// The explorer of the last world that was set otherwise, by its settings, or of the last other
/// scenario of the file, by its name.
#[derive(Debug, Default)]
pub(super) struct LastVaried(pub(super) Mutex<Option<(Vec<String>, Arc<Explorer>)>>);

/// A step that is not possible any more, and why.
#[derive(Debug)]
pub(crate) struct PartingStep {
    pub(crate) line: String,
    /// Why it is not possible.
    pub(crate) why: String,
}

impl Explorer {
    /// The explorer of the same world with these settings; `None` if there are none: it is this.
    pub(super) fn set(&self, settings: &[String]) -> Result<Option<Arc<Self>>, Problem> {
        if settings.is_empty() { Ok(None) } else { self.varied(settings).map(Some) }
    }

    fn varied(&self, settings: &[String]) -> Result<Arc<Self>, Problem> {
        let mut last = self.varied.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, explorer)) = last.as_ref().filter(|(known, _)| known == settings) {
            return Ok(Arc::clone(explorer));
        }
        let scenario = toggles::set(&self.scenario, settings)?;
        let all = deathwatch_claims::all_with(scenario.world.detail);
        let scenario: Scenario = scenario.keeping(all);
        let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
        let explorer = Self::new(scenario, replay, self.bounds.clone())?;
        let explorer = Self {
            bad_file: self.bad_file.clone(),
            digest: self.digest.clone(),
            file: Arc::clone(&self.file),
            ..explorer
        };
        let explorer = Arc::new(explorer);
        *last = Some((settings.to_vec(), Arc::clone(&explorer)));
        Ok(explorer)
    }

    /// The run of `position`, which is one of this world, in the one with the settings of
    /// `address.with`. `file` is the explorer of the world of the file.
    pub(super) fn what_if(
        &self,
        file: &Self,
        address: &RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        let claim = self.claim_of(address, position);
        let there = RunAddress {
            cycle_len: address.cycle_len,
            claim: claim.map(|claim| claim.name.to_owned()),
            open: address.open.clone(),
            set: address.with.clone(),
            file: address.file.clone(),
            also: address.also.clone(),
            has_board: address.has_board,
            ..RunAddress::default()
        };
        let varied = file.set(&there.set)?;
        let varied = varied.as_deref().unwrap_or(file);
        let (there, now) = self.again_in(varied, there, position)?;
        let verdict = claim.map(|claim| varied.verdict_anew(claim, &now));
        let said = SaidOfPage { verdict, ..SaidOfPage::default() };
        Ok(Response::page(StatusCode::Found, varied.shown(&there, &now, said)?))
    }

    /// A run that violates the claim of `address` in the world with its settings, from the end of
    /// the run of `position` on as far as that is possible there.
    pub(super) fn counterexample_with(
        &self,
        file: &Self,
        address: &RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        let there = RunAddress { set: address.with.clone(), with: Vec::new(), ..address.clone() };
        let varied = file.set(&there.set)?;
        let varied = varied.as_deref().unwrap_or(file);
        let (there, now) = self.again_in(varied, there, position)?;
        varied.counterexample(there, &now)
    }

    /// The run of `position`, which is one of this world, in the world of `varied`, as far as it is
    /// possible there. `there` has the rest of the address.
    pub(super) fn again_in(
        &self,
        varied: &Self,
        mut there: RunAddress,
        position: &Position,
    ) -> Result<(RunAddress, Position), Problem> {
        (there.at, there.parts) = (None, None);
        let (world, start) = (&varied.scenario.world, &varied.scenario.start);
        let patience = Patience::begin(&self.bounds);
        let mut interpreter = Interpreter::new(world, start.clone());
        let mut here = Interpreter::new(&self.scenario.world, self.scenario.start.clone());
        let mut actions = Vec::new();
        for action in &position.actions {
            patience.go_on()?;
            let line = self.scenario.world.show(action);
            let was_tried = replay::was_tried(&mut here, *action);
            let step = varied.scenario.typed(&line).ok().map(|step| step.instruction);
            let again = match step {
                Some(Instruction::Act(again)) => {
                    let again = replay::done_again(&mut interpreter, again, was_tried);
                    again.map(|(action, _)| action)
                }
                Some(Instruction::Run(_) | Instruction::Retry(..)) | None => None,
            };
            let Some(again) = again.filter(|_| actions.len() < MOST_STEPS) else {
                there.parts = Some(line);
                break;
            };
            interpreter.step(again, None);
            actions.push(again);
        }
        let script = varied.replay.actions.len();
        let is_after = actions.starts_with(&varied.replay.actions);
        let (begun, more) = actions.split_at(if is_after { script } else { 0 });
        there.script = (!is_after).then_some(0);
        let begun = Interpreter::after(world, start.clone(), begun);
        there.path = taken(world, &begun.state, more, &patience)?;
        if there.parts.is_some() {
            there.cycle_len = 0;
        }
        match varied.position(&there) {
            Ok(now) => Ok((there, now)),
            // What went round in the other world need not do so in this one.
            Err(_) if there.cycle_len > 0 => {
                there.cycle_len = 0;
                let now = varied.position(&there)?;
                Ok((there, now))
            }
            Err(problem) => Err(problem),
        }
    }

    /// The claim that a run is about: the one of the address, or the first that is owed at the end.
    fn claim_of(&self, address: &RunAddress, position: &Position) -> Option<&'static Claim> {
        let named = address.claim.as_deref();
        let named = named.and_then(|name| self.claims.iter().find(|claim| claim.name == name));
        named.copied().or_else(|| position.owed.first().map(|(claim, _)| *claim))
    }

    /// The answers to `claim` in this world: from the end of the run on, and from the start.
    fn verdict_anew(&self, claim: &'static Claim, position: &Position) -> String {
        let name = claim.name;
        let Some(claim) = self.claims.iter().find(|it| it.name == name) else {
            return format!("{name}: nothing here is about that");
        };
        let world = &self.scenario.world;
        let look = |state| self.searches.look(world, state, claim, &self.bounds);
        let from_here = look(&position.state);
        let from_start = look(&self.scenario.start);
        let said = |searched: &Searched| {
            let among = format!("among {} states", searched.states);
            match (searched.answer, claim.kind() == ClaimKind::Reachable) {
                (Some(CheckAnswer::Violated), true) => format!("it is never reached, {among}"),
                (Some(CheckAnswer::Holds), true) => format!("it is reached, {among}"),
                (Some(CheckAnswer::Violated), false) => format!("it is violated, {among}"),
                (Some(CheckAnswer::Holds), false) => format!("it holds, {among}"),
                (Some(CheckAnswer::Vacuous | CheckAnswer::Undecided) | None, _) => {
                    searched.sentence.clone()
                }
            }
        };
        format!("{name}: after this run {}; from the start {}", said(&from_here), said(&from_start))
    }

    /// The step by which the run parts from the one that it was under other settings, and the
    /// reason.
    pub(super) fn parting(&self, address: &RunAddress, position: &Position) -> Option<PartingStep> {
        let line = address.parts.as_deref()?;
        let Scenario { world, start, .. } = &self.scenario;
        let mut interpreter = Interpreter::after(world, start.clone(), &position.actions);
        let why = match self.scenario.typed(line).map(|step| step.instruction) {
            Ok(Instruction::Act(action)) if interpreter.find(action).is_none() => {
                why_not(action, &interpreter).why
            }
            Ok(_) => "it was possible".to_owned(),
            Err(problem) => problem.to_string(),
        };
        Some(PartingStep { line: line.to_owned(), why })
    }
}
