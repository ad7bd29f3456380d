//! Comparison of the answers with symmetry reduction with those of a search of every state.

use deathwatch_claims::{
    Claim,
    check::{self, CheckQuestion, CheckReport, FindingSubject, SearchSettings, Symmetry},
};
use deathwatch_model::clause::Clause;
use deathwatch_scenario::{Scenario, replay};

#[derive(Debug, Default)]
pub(crate) struct SymmetryTally {
    /// Worlds, and those of them with symmetries.
    pub(crate) worlds: usize,
    pub(crate) reduced: usize,
    /// The states of the latter, and the representatives that were kept of them.
    pub(crate) states: u64,
    pub(crate) representatives: u64,
}

/// Compares the answers to every claim and every witness in a world; a world of more than `most`
/// states is left out.
///
/// # Errors
/// The description of a difference, if there is one.
pub(crate) fn compare(
    scenario: &Scenario,
    most: u64,
    tally: &mut SymmetryTally,
) -> Result<(), String> {
    let start = replay(scenario).expect("every step is possible").state;
    let own = scenario.claims.iter().map(|(claim, _)| *claim);
    let is_own = |it: &&Claim| {
        deathwatch_claims::all_in(&scenario.world).all(|other| !std::ptr::eq(*it, other))
    };
    let claims = deathwatch_claims::all_in(&scenario.world).chain(own.filter(is_own));
    let question = CheckQuestion {
        world: &scenario.world,
        start: &start,
        claims: claims.collect(),
        witnesses: Clause::all().collect(),
        refines: None,
    };
    let ask = |symmetry, threads| {
        let limits = SearchSettings::without_limits(threads);
        check::check(&question, &SearchSettings { symmetry, max_states: Some(most), ..limits })
    };
    let Ok(every) = ask(Symmetry::Off, 1) else { return Ok(()) };
    if every.stopped.is_some() {
        return Ok(());
    }
    let reduced = ask(Symmetry::On, 1).expect("the world is small");
    tally.worlds += 1;
    if let Some(representatives) = reduced.representatives {
        tally.reduced += 1;
        tally.states += every.states;
        tally.representatives += representatives;
        let again = ask(Symmetry::On, 2).expect("the world is small");
        let is_same = (again.representatives, &again.exchanges)
            == (Some(representatives), &reduced.exchanges);
        if said(&again) != said(&reduced) || !is_same {
            return Err(format!("{}: two threads say something else", scenario.name));
        }
    }
    if reduced.representatives.is_some() == reduced.exchanges.made.is_empty() {
        return Err(format!("{}: it does not say what was exchanged", scenario.name));
    }
    let (every, reduced) = (said(&every), said(&reduced));
    match every.iter().zip(&reduced).find(|(one, other)| one != other) {
        None => Ok(()),
        Some((one, other)) => Err(format!("{}: {one} became {other}", scenario.name)),
    }
}

/// Everything that has to be equal: counts, and for each finding its answer, whether it applied,
/// and the length of its run.
fn said(report: &CheckReport) -> Vec<String> {
    let CheckReport { stopped, states, transitions, depth, .. } = report;
    let counts = format!("{stopped:?}, {states} states, {transitions} transitions, depth {depth}");
    let findings = report.findings.iter().map(|finding| {
        let name = match finding.asked {
            FindingSubject::Claim(claim) => claim.name.to_owned(),
            FindingSubject::Witness(clause) => clause.to_string(),
            FindingSubject::Refinement => unreachable!("it is not asked"),
        };
        let length = finding.trace.as_ref().map(|trace| trace.steps.len());
        let (answer, subjects, applied) = (finding.answer, finding.subjects, finding.applied);
        format!("{name}: {answer:?}, {subjects} subjects, applied {applied}, run {length:?}")
    });
    std::iter::once(counts).chain(findings).collect()
}
