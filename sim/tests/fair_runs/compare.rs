//! The comparison: every claim about what must follow, decided twice.

use deathwatch_model::{
    check::{self, Answer, Question, Settings},
    claims::{Claim, ClaimKind},
};
use deathwatch_sim::{Replay, Scenario};

use super::world::{Decided, Runs};

/// The number of claims that were decided, by their answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Worlds.
    pub(crate) worlds: usize,
    /// Their states.
    pub(crate) states: usize,
    /// Claims that hold.
    pub(crate) holds: usize,
    /// Claims that are violated.
    pub(crate) violated: usize,
    /// Those of them by a run that goes on for ever.
    pub(crate) cycles: usize,
    /// Claims that are vacuous.
    pub(crate) vacuous: usize,
}

/// Decides every claim about what must follow that concerns this world, or is its own, and compares with
/// the checker. Nothing, if its world has more than `most` states.
pub(crate) fn compare(
    scenario: &Scenario,
    replay: &Replay,
    most: usize,
    tally: &mut Tally,
) -> Result<(), String> {
    let (world, start) = (&scenario.world, &replay.state);
    let own = scenario.claims.iter().map(|(claim, _)| *claim);
    let mut claims: Vec<&'static Claim> = Claim::all_with(world.detail).collect();
    claims.extend(own.filter(|claim| claim.lacks(world.detail).is_none() && claim.source == "own"));
    claims.retain(|claim| claim.kind() == ClaimKind::Leads);
    let Some(runs) = Runs::of(world, start, most) else { return Ok(()) };
    let question = Question {
        world,
        start,
        claims: claims.clone(),
        witnesses: Vec::new(),
        refines: None,
    };
    let report = check::check(&question, &Settings::without_limits(1)).map_err(|why| {
        format!("{}: {} states are too many for the checker: {why:?}", scenario.name, runs.states())
    })?;
    if report.states != runs.states() as u64 {
        let (theirs, mine) = (report.states, runs.states());
        return Err(format!("{}: {theirs} states, and not {mine}", scenario.name));
    }
    tally.worlds += 1;
    tally.states += runs.states();
    for (claim, finding) in claims.iter().zip(&report.findings) {
        let decided = runs.decide(claim);
        let subject = finding.trace.as_ref().and_then(|trace| trace.subject);
        let is_same = match (&decided, finding.answer) {
            (Decided::Holds, Answer::Holds) | (Decided::Vacuous, Answer::Vacuous) => true,
            (Decided::Violated(subjects), Answer::Violated) => {
                subject.is_none_or(|subject| subjects.contains(&subject))
            }
            (Decided::Holds | Decided::Vacuous | Decided::Violated(_), _) => false,
        };
        if !is_same {
            let answer = finding.answer;
            return Err(format!(
                "{}: \"{}\": {answer:?} {subject:?}, and not {decided:?}",
                scenario.name, claim.name
            ));
        }
        match decided {
            Decided::Holds => tally.holds += 1,
            Decided::Vacuous => tally.vacuous += 1,
            Decided::Violated(_) => {
                tally.violated += 1;
                let goes_on = |trace: &check::Trace| !trace.cycle.is_empty();
                tally.cycles += usize::from(finding.trace.as_ref().is_some_and(goes_on));
            }
        }
    }
    Ok(())
}
