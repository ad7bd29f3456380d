//! Instances: what views do not decide is looked for in some of them, the smallest first.

use std::sync::Arc;

use super::{AnySizeAnswer, NoAnswer, Violation, family::Family};
use crate::{
    check::{CheckAnswer, CheckQuestion, SearchSettings, check},
    claims::Claim,
};

/// The most processes of a type in an instance that is searched.
const MOST_OF_A_TYPE: usize = 3;

/// The numbers of processes of each type of the instances that are searched, in order.
fn all_sizes(types: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..types {
        all = all
            .iter()
            .flat_map(|sizes| {
                (1..=MOST_OF_A_TYPE).map(|more| sizes.iter().copied().chain([more]).collect())
            })
            .collect();
    }
    // Of as many processes those first of which no type has many.
    all.sort_by_key(|sizes| (sizes.iter().sum::<usize>(), sizes.iter().max().copied()));
    all
}

/// Searches instances for violations of the claims that are not decided, and gives these an answer.
/// Returns the numbers of processes of each instance that was searched whole.
///
/// # Errors
/// If somebody wants the search to stop.
pub(super) fn confirm(
    family: &Family,
    settings: &SearchSettings<'_>,
    answers: &mut [(&'static Claim, AnySizeAnswer)],
) -> Result<Vec<Vec<usize>>, NoAnswer> {
    let mut searched = Vec::new();
    let later = usize::from(family.has_births());
    for sizes in all_sizes(family.types.len()) {
        let is_open = |it: &usize| answers[*it].1.is_open() && !answers[*it].0.is_own();
        let open: Vec<usize> = (0..answers.len()).filter(is_open).collect();
        if open.is_empty() {
            break;
        }
        let instance = Arc::new(family.instance_with(&sizes, later)?);
        let claims = open.iter().map(|it| answers[*it].0).collect();
        let smaller = CheckQuestion {
            world: &instance.world,
            start: &instance.start,
            claims,
            witnesses: Vec::new(),
            refines: None,
        };
        let settings = SearchSettings { checkpoint: None, spill: None, ..*settings };
        let Ok(report) = check(&smaller, &settings) else { break };
        if let Some(stop) = (settings.stop)() {
            return Err(NoAnswer::Stopped(stop));
        }
        for (place, finding) in open.into_iter().zip(report.findings) {
            if let (CheckAnswer::Violated, Some(trace)) = (finding.answer, finding.trace) {
                let violation = Violation { instance: instance.clone(), trace };
                answers[place].1 = AnySizeAnswer::Violated(Box::new(violation));
            }
        }
        if report.stopped.is_some() {
            break; // the others are larger
        }
        searched.push(sizes);
    }
    Ok(searched)
}
