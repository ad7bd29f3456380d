//! Claims asked alone, compared with the same claims asked together.
//!
//! A world keeps the history that its claims read and no other. A claim that finds its history only
//! where another claim reads it has another answer alone, and no second engine, thread or symmetry
//! can notice: all of them are given the same world.

use deathwatch_claims::{
    ClaimKind,
    check::{CheckAnswer, Finding, FindingSubject},
};
use deathwatch_language::{ExpressionKind, KINDS};
use deathwatch_model::{
    rows::RowKind,
    world::{KeptHistory, World},
};
use deathwatch_scenario::replay;
use deathwatch_simulator::dice::Dice;
use toml::{Table, Value};

use crate::{
    common::{asking, cases, dice, parse, worlds},
    expressions::generate::Generator,
};

/// The number of drawn claims that are asked together.
const DRAWN: usize = 24;

/// Own claims are asked alone in each small world, and all claims in some of these.
#[test]
fn a_claim_says_the_same_alone_and_beside_all_others() {
    let (most, every) = cases((100, 15), (2_000, 1));
    let mut tally = ComparedTally::default();
    for (number, (scenario, _)) in worlds::of_few_states(most).into_iter().enumerate() {
        let own = scenario.claims.iter().map(|(claim, _)| *claim);
        let own: Vec<&str> = own.filter(|it| it.is_own()).map(|it| it.name).collect();
        let built_in = deathwatch_claims::all_with(scenario.world.detail).map(|it| it.name);
        let all: Vec<&str> = built_in.chain(own.iter().copied()).collect();
        let alone = if number % every == 0 { &all } else { &own };
        tally.compare(&scenario.name, &scenario.table(), &all, alone, most);
    }
    assert!(tally.over_history > 100, "{tally:?}");
}

#[test]
fn a_drawn_claim_says_the_same_alone_and_beside_other_drawn_claims() {
    let most = cases(100, 2_000);
    let mut tally = ComparedTally::default();
    let mut dice = dice(17);
    let mut scenarios = worlds::of_few_states(most);
    // The generator names entities of each type.
    let has_all = |it: &World| !(it.relations.is_empty() || it.units.is_empty());
    let has_history = |it: &World| KINDS.iter().any(|kind| kind.is_history() && kind.count(it) > 0);
    scenarios.retain(|(it, _)| has_all(&it.world) && has_history(&it.world));
    for (scenario, _) in scenarios {
        let world = scenario.world.keeping_all();
        let (mut table, mut own) = (scenario.table(), Table::new());
        while own.len() < DRAWN {
            let name = format!("drawn {}", own.len());
            own.insert(name.clone(), Value::Table(drawn(&world, &mut dice)));
            table.insert("own".to_owned(), Value::Table(own.clone()));
            // Not every condition has a meaning, and one that no state decides is refused.
            if parse(&asking(&table, &[&name])).is_err() {
                own.remove(&name);
            }
        }
        table.insert("own".to_owned(), Value::Table(own.clone()));
        let names: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
        tally.compare(&scenario.name, &table, &names, &names, most);
    }
    let least = tally.over_history.min(tally.hold).min(tally.violated);
    assert!(least > 100, "a one-sided sample: {tally:?}");
}

/// A drawn claim as a table of a scenario, about history more often than not.
fn drawn(world: &World, dice: &mut Dice) -> Table {
    let kinds = KINDS.iter().copied().filter(|kind| kind.count(world) > 0);
    let (history, other): (Vec<RowKind>, Vec<RowKind>) = kinds.partition(|kind| kind.is_history());
    let from = if history.is_empty() || dice.index(4) == 0 { &other } else { &history };
    let each = Some(from[dice.index(from.len())]).filter(|_| dice.index(3) > 0);
    let (key, form) = match dice.index(3) {
        0 => ("step", ExpressionKind::Step(each)),
        1 => ("always", ExpressionKind::State(each)),
        _ => ("reachable", ExpressionKind::State(each)),
    };
    let depth = 1 + dice.index(3);
    let condition = Generator::of_all(world, form, dice).flag(depth);
    let each = each.map(|kind| ("each".to_owned(), kind.name().into()));
    each.into_iter().chain([(key.to_owned(), condition.into())]).collect()
}

/// The number of claims with each answer, and of those that keep history.
#[derive(Debug, Default)]
struct ComparedTally {
    hold: usize,
    violated: usize,
    vacuous: usize,
    over_history: usize,
}

impl ComparedTally {
    /// Compares the answers to the claims `alone` of `all` in the scenario `table`; a world of more
    /// than `most` states is left out.
    fn compare(&mut self, name: &str, table: &Table, all: &[&str], alone: &[&str], most: u64) {
        if alone.is_empty() {
            return;
        }
        let Some(together) = answers(table, all, most) else { return };
        for claim in alone {
            let one = answers(table, &[claim], most).expect("no more states than together");
            let same = together.iter().find(|it| it.name == *claim);
            assert_eq!(one.first(), same, "alone and together in {name}:\n{table}");
            match one[0].answer {
                CheckAnswer::Holds => self.hold += 1,
                CheckAnswer::Violated => self.violated += 1,
                CheckAnswer::Vacuous => self.vacuous += 1,
                CheckAnswer::Undecided => panic!("a whole search decides {claim}"),
            }
            self.over_history += usize::from(one[0].is_over_history);
        }
    }
}

/// An answer to a claim.
#[derive(Debug, PartialEq)]
struct ComparedAnswer {
    name: String,
    answer: CheckAnswer,
    /// The number of subjects that the claim is about, and whether its condition arose.
    subjects: usize,
    applied: bool,
    /// The number of steps of the run that shows the answer. A claim about what must follow has
    /// none: its run is not a shortest one.
    steps: Option<usize>,
    is_over_history: bool,
}

/// The answers to claims of these names in the scenario `table`, whose world keeps the history of
/// these alone; `None` if there are more than `most` states.
fn answers(table: &Table, names: &[&str], most: u64) -> Option<Vec<ComparedAnswer>> {
    let source = asking(table, names);
    let scenario = parse(&source).unwrap_or_else(|problem| panic!("{problem:?}\n{source}"));
    let claims = scenario.claims.iter().map(|(claim, _)| *claim).collect();
    let start = replay(&scenario).expect("the same script").state;
    let report = worlds::search(&scenario.world, &start, claims, most)?;
    let answer = |finding: &Finding| {
        let FindingSubject::Claim(claim) = finding.asked else { panic!("only claims are asked") };
        let steps = finding.trace.as_ref().map(|trace| trace.steps.len());
        ComparedAnswer {
            name: claim.name.to_owned(),
            answer: finding.answer,
            subjects: finding.subjects,
            applied: finding.applied > 0,
            steps: steps.filter(|_| claim.kind() != ClaimKind::Leads),
            is_over_history: claim.keeps() != KeptHistory::default(),
        }
    };
    Some(report.findings.iter().map(answer).collect())
}
