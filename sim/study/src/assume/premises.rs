//! The minimal premises of the questions under one choice of variants.

use std::collections::BTreeMap;

use deathwatch_claims::{
    ClaimKind,
    check::{
        self, CheckAnswer, CheckQuestion, Finding, FindingSubject, SearchSettings, Stop, Survey,
    },
};
use deathwatch_model::world::FaultKind;

use super::{
    lattice::{AxisLevels, Lattice, Point},
    open::SearchLimit,
    set::{Axis, Premises},
};

/// The minimal premises of a question under one choice.
#[derive(Clone, Debug)]
pub(super) enum MinimalPremises {
    /// The minimal premises under which it holds, and those under which it is vacuous.
    Sets { holds: Vec<Premises>, vacuous: Vec<Premises> },
    /// The script leaves open an obligation that the search would have to know.
    Open,
}

/// The name of a question: that of the claim, which another choice may have made anew.
pub(super) fn key(asked: FindingSubject) -> String {
    match asked {
        FindingSubject::Claim(claim) => claim.name.to_owned(),
        FindingSubject::Witness(clause) => clause.to_string(),
        FindingSubject::Refinement => unreachable!("it is not asked here"),
    }
}

/// The minimal premises of claims about what must follow.
pub(super) fn leads_premises(
    question: &CheckQuestion<'_>,
    survey: &Survey<'_>,
    settings: &SearchSettings<'_>,
) -> Result<BTreeMap<String, MinimalPremises>, Stop> {
    let axes = Axis::of(survey.assumptions(), survey.faults());
    let usual = &question.world.assumptions;
    let mut answers: BTreeMap<Point, Vec<CheckAnswer>> = BTreeMap::new();
    let least = Lattice::new(&axes).least(question.claims.len(), |point| {
        let given = survey.leads(&Premises::at(&axes, point).premise(usual), settings.stop)?;
        let holds = given.iter().map(|answer| *answer != CheckAnswer::Violated).collect();
        answers.insert(point.to_vec(), given);
        Ok(holds)
    })?;
    let found = question.claims.iter().zip(least).enumerate().map(|(index, (claim, least))| {
        // Nothing below a least point is true, so it was judged itself.
        let (vacuous, holds): (Vec<Point>, Vec<Point>) =
            least.into_iter().partition(|point| answers[point][index] == CheckAnswer::Vacuous);
        let sets = |points: Vec<Point>| -> Vec<Premises> {
            points.iter().map(|point| Premises::at(&axes, point)).collect()
        };
        (
            claim.name.to_owned(),
            MinimalPremises::Sets { holds: sets(holds), vacuous: sets(vacuous) },
        )
    });
    Ok(found.collect())
}

/// The minimal premises of all other questions: which faults must never strike, or, where something
/// is to be reached, which may have to.
pub(super) fn safety_premises(
    question: &CheckQuestion<'_>,
    faults: &[FaultKind],
    settings: &SearchSettings<'_>,
) -> Result<BTreeMap<String, MinimalPremises>, SearchLimit> {
    let mut known: BTreeMap<Vec<FaultKind>, Vec<Finding>> = BTreeMap::new();
    let mut without = |absent: Vec<FaultKind>| -> Result<Vec<Finding>, SearchLimit> {
        if let Some(known) = known.get(&absent) {
            return Ok(known.clone());
        }
        let report =
            check::check_without(question, &absent, settings).map_err(SearchLimit::TooLarge)?;
        if let Some(stop) = report.stopped {
            return Err(SearchLimit::Stopped(stop));
        }
        known.insert(absent, report.findings.clone());
        Ok(report.findings)
    };
    let asked: Vec<FindingSubject> =
        question.claims.iter().copied().map(FindingSubject::Claim).collect();
    let witnesses = question.witnesses.iter().copied().map(FindingSubject::Witness);
    let asked: Vec<FindingSubject> = asked.into_iter().chain(witnesses).collect();
    let mut found = BTreeMap::new();
    let chains = vec![1; faults.len()];
    let lattice = Lattice::<u8>::new(&chains);
    for (axis, absent_at, wanted) in
        [(Axis::Faults as fn(FaultKind) -> Axis, 1, false), (Axis::Strikes, 0, true)]
    {
        let mine: Vec<usize> =
            (0..asked.len()).filter(|index| is_wanted(asked[*index]) == wanted).collect();
        let least = lattice.least(mine.len(), |point| {
            let absent = faults.iter().zip(point).filter(|(_, level)| **level == absent_at);
            let findings = without(absent.map(|(kind, _)| *kind).collect())?;
            Ok(mine.iter().map(|index| findings[*index].answer == CheckAnswer::Holds).collect())
        })?;
        let axes: Vec<Axis> = faults.iter().copied().map(axis).collect();
        // That a fault never strikes is the highest level of its axis.
        let top = axes.first().map_or(1, AxisLevels::top);
        for (index, points) in mine.into_iter().zip(least) {
            let high = |point: &Point| point.iter().map(|level| level * top).collect::<Point>();
            let sets = points.iter().map(|point| Premises::at(&axes, &high(point)));
            let sets = MinimalPremises::Sets { holds: sets.collect(), vacuous: Vec::new() };
            found.insert(key(asked[index]), sets);
        }
    }
    Ok(found)
}

/// Whether the question is whether something can be reached.
pub(super) fn is_wanted(asked: FindingSubject) -> bool {
    asked.claim().is_none_or(|claim| claim.kind() == ClaimKind::Reachable)
}
