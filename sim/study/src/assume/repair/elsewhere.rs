//! Costs of a repair elsewhere: the claims of other scenarios that hold without it, and are
//! violated or vacuous with it.

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::assumed::{Amendment, ClaimOf, Elsewhere};
use deathwatch_scenario::{
    replay::{self, Replay},
    scenario::Scenario,
};

use super::{
    change::changed,
    world::{self, AskedClaim},
};
use crate::{assume::evaluate::at_a_time, workers};

/// Other scenarios, each with the replay of its script.
pub type OtherReplays<'a> = [(&'a Scenario, &'a Replay)];

/// The costs of each of these repairs for `others`.
pub fn costs(
    others: &OtherReplays<'_>,
    repairs: &[&[Amendment]],
    settings: &SearchSettings<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<Elsewhere> {
    let by_scenario = workers::all(at_a_time(settings), others.len(), progress, |index| {
        let (scenario, replay) = others[index];
        of_scenario((scenario, replay), repairs, (settings, others.len()))
    });
    let mut all = vec![Elsewhere::default(); repairs.len()];
    for of_scenario in by_scenario {
        for (all, one) in all.iter_mut().zip(of_scenario) {
            add(all, one);
        }
    }
    all
}

/// The costs of each repair for one scenario.
fn of_scenario(
    (scenario, replay): (&Scenario, &Replay),
    repairs: &[&[Amendment]],
    settings: (&SearchSettings<'_>, usize),
) -> Vec<Elsewhere> {
    let mut before = None;
    let of_repair = |changes: &&[Amendment]| {
        let mut cost = Elsewhere::default();
        let name = || scenario.name.clone();
        let changed = match changed(scenario, changes) {
            Ok(None) => return cost,
            Ok(Some(changed)) => replay::replay(&changed).ok().map(|replay| (changed, replay)),
            Err(_) => None,
        };
        cost.changed = 1;
        let Some((changed, replayed)) = changed else {
            cost.impossible.push(name());
            return cost;
        };
        let claims = |of: &Scenario| of.claims.iter().map(|(claim, _)| *claim).collect::<Vec<_>>();
        let ask =
            |of: &Scenario, replay: &Replay| world::answers((of, replay), &claims(of), settings);
        let before = before.get_or_insert_with(|| ask(scenario, replay));
        let after = ask(&changed, &replayed);
        for (before, after) in before.iter().zip(&after) {
            compare(&mut cost, &scenario.name, before, after);
        }
        cost
    };
    repairs.iter().map(of_repair).collect()
}

/// Compares the answers to a claim of a scenario, without and with a repair.
fn compare(cost: &mut Elsewhere, scenario: &str, before: &AskedClaim, after: &AskedClaim) {
    let claim = || ClaimOf::new(scenario, before.claim.name);
    match (before.answer, after.answer) {
        (CheckAnswer::Undecided, _) | (_, CheckAnswer::Undecided) => {
            if cost.open.last().is_none_or(|last| last != scenario) {
                cost.open.push(scenario.to_owned());
            }
        }
        (CheckAnswer::Holds | CheckAnswer::Vacuous, CheckAnswer::Violated) => {
            cost.breaks.push(claim());
        }
        (CheckAnswer::Holds, CheckAnswer::Vacuous) => cost.vacuous.push(claim()),
        (CheckAnswer::Violated, CheckAnswer::Holds) => cost.mends.push(claim()),
        (CheckAnswer::Holds, CheckAnswer::Holds)
        | (CheckAnswer::Vacuous, CheckAnswer::Holds | CheckAnswer::Vacuous)
        | (CheckAnswer::Violated, CheckAnswer::Violated | CheckAnswer::Vacuous) => {}
    }
}

fn add(all: &mut Elsewhere, one: Elsewhere) {
    all.changed += one.changed;
    all.breaks.extend(one.breaks);
    all.vacuous.extend(one.vacuous);
    all.mends.extend(one.mends);
    all.impossible.extend(one.impossible);
    all.open.extend(one.open);
}
