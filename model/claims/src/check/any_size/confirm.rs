//! The search of instances, the smallest first, for answers that views leave open.

use std::sync::Arc;

use deathwatch_model::{clause::Clause, world::World};

use super::{AnySizeAnswer, InstanceRun, NoAnswer, family::Family, own};
use crate::{
    check::{CheckAnswer, CheckQuestion, SearchSettings, check},
    claims::{Claim, ClaimKind},
};

/// The greatest number of processes of a type in an instance that is searched.
const MOST_OF_A_TYPE: usize = 3;

/// The numbers of processes of each type in the instances that are searched, in order.
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
    // Among instances of one size, those first in which no type has many.
    all.sort_by_key(|sizes| (sizes.iter().sum::<usize>(), sizes.iter().max().copied()));
    all
}

/// The claims and the witnesses, each with its answer.
pub(super) type AllAnswers<'a> =
    (&'a mut [(&'static Claim, AnySizeAnswer)], &'a mut [(Clause, AnySizeAnswer)]);

/// Searches instances of a world for runs that decide open answers. Returns the numbers of
/// processes of each instance that was searched whole.
///
/// # Errors
/// If `settings.stop` returns a reason.
pub(super) fn confirm(
    world: &World,
    family: &Family,
    settings: &SearchSettings<'_>,
    (answers, witnesses): AllAnswers<'_>,
) -> Result<Vec<Vec<usize>>, NoAnswer> {
    let mut searched = Vec::new();
    let later = usize::from(family.has_births());
    for sizes in all_sizes(family.types.len()) {
        let unseen = witnesses.iter().enumerate().filter(|(_, (_, answer))| answer.is_open());
        let (unseen, clauses): (Vec<usize>, Vec<Clause>) =
            unseen.map(|(place, (clause, _))| (place, *clause)).unzip();
        if unseen.is_empty() && !answers.iter().any(|(_, answer)| answer.is_open()) {
            break;
        }
        let instance = Arc::new(family.instance_with(&sizes, later)?);
        let open = answers.iter().enumerate().filter(|(_, (_, answer))| answer.is_open());
        let open = open.filter_map(|(place, (claim, _))| {
            Some((place, own::in_instance(claim, world, &instance).ok()?))
        });
        let (open, claims): (Vec<usize>, Vec<&'static Claim>) = open.unzip();
        if open.is_empty() && unseen.is_empty() {
            break; // all that is open names somebody who is in no other instance
        }
        let smaller = CheckQuestion {
            world: &instance.world,
            start: &instance.start,
            claims,
            witnesses: clauses,
            refines: None,
        };
        let settings = SearchSettings { checkpoint: None, spill: None, ..*settings };
        let Ok(report) = check(&smaller, &settings) else { break };
        if let Some(stop) = (settings.stop)() {
            return Err(NoAnswer::Stopped(stop));
        }
        let (places, seen) = (open.len(), unseen.into_iter());
        let asked = open.into_iter().chain(seen);
        for (number, (place, finding)) in asked.zip(report.findings).enumerate() {
            let Some(trace) = finding.trace else { continue };
            let shown = Box::new(InstanceRun { instance: instance.clone(), trace });
            if number >= places {
                witnesses[place].1 = AnySizeAnswer::Reached(shown);
                continue;
            }
            let (claim, answer) = &mut answers[place];
            match (claim.kind(), finding.answer) {
                (ClaimKind::Reachable, CheckAnswer::Holds) => {
                    *answer = AnySizeAnswer::Reached(shown);
                }
                (ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads, CheckAnswer::Violated) => {
                    *answer = AnySizeAnswer::Violated(shown);
                }
                _ => {}
            }
        }
        if report.stopped.is_some() {
            break; // the others are larger
        }
        searched.push(sizes);
    }
    Ok(searched)
}
