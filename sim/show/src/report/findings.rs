//! The page of findings: the mistakes of the documents that scenarios show, the worst first, and
//! the assumptions without which something stays. What is not removed or lost has its run; each
//! other mistake has a line, so that the page can be read in one go.

use deathwatch_claims::Claim;
use deathwatch_model::world::Assumption;
use deathwatch_scenario::scenario::{DocumentMistake, Expected, Severity};
use minijinja::{Value, context};

use super::{
    AnsweredScenario, Counterexample,
    claims::keeps_all_clauses,
    fix::fix,
    settings::readings,
    story,
    template::{render, safe},
};

/// The number of lines of a run.
const MOST_LINES: usize = 6;

pub(super) fn page(answered: &[AnsweredScenario]) -> String {
    let mut number = 0;
    let level = |severity: Severity| {
        let mine = answered.iter().filter_map(|it| Some((it, it.scenario.finding.as_ref()?)));
        let mut mine: Vec<(&AnsweredScenario, &DocumentMistake)> =
            mine.filter(|(_, finding)| finding.severity == severity).collect();
        // What takes the fewest choices to be seen comes first.
        mine.sort_by_key(|(it, _)| {
            let world = &it.scenario.world;
            (!readings(world).is_empty(), world.variants.changed().count())
        });
        let findings: Vec<Value> = mine
            .into_iter()
            .map(|(scenario, finding)| {
                number += 1;
                one(number, scenario, finding, answered)
            })
            .collect();
        context! { says => severity.text(), findings }
    };
    let levels: Vec<Value> = Severity::ALL.into_iter().map(level).collect();
    let usual = Assumption::ALL.iter().filter(|it| it.is_usual());
    let needed = usual.filter_map(|it| needed(*it, answered));
    let data = context! { levels, needed => needed.collect::<Vec<_>>() };
    render(include_str!("pages/findings.md"), data)
}

fn one(
    number: usize,
    it: &AnsweredScenario,
    finding: &DocumentMistake,
    answered: &[AnsweredScenario],
) -> Value {
    // Where something stays, the shortest run that shows this.
    let removal = it.shortest_removal().filter(|_| finding.severity.is_about_removal());
    let run = removal.or_else(|| it.shortest());
    let has_run = finding.severity <= Severity::Lost;
    context! {
        number,
        readings => readings(&it.scenario.world),
        fix => fix(it, answered).map(|fix| safe(fix.text())),
        has_run,
        run => run.filter(|_| has_run).map(|run| story::excerpt(it, run, MOST_LINES)),
        ..data(it, finding)
    }
}

/// A run as the page has it, in a few lines.
pub(crate) fn excerpt(run: &Counterexample) -> String {
    story::lines(run, MOST_LINES).iter().flat_map(|line| [line, "\n"]).collect()
}

/// The mistakes that some worlds show, in the order of their names, for the pages about their
/// subjects.
pub(super) fn of(worlds: &[&AnsweredScenario]) -> Vec<Value> {
    worlds.iter().filter_map(|it| Some(data(it, it.scenario.finding.as_ref()?))).collect()
}

fn data(it: &AnsweredScenario, finding: &DocumentMistake) -> Value {
    context! { sentence => safe(finding.sentence.clone()), ..story::scenario(it) }
}

/// The number of worlds with an entity that stays if an assumption is not made, and an example.
fn needed(assumption: Assumption, answered: &[AnsweredScenario]) -> Option<Value> {
    let worlds: Vec<&AnsweredScenario> = answered
        .iter()
        .filter(|it| keeps_some(it, assumption) && !removals(it).is_empty())
        .collect();
    let most = worlds.iter().rev().max_by_key(|it| removals(it).len())?;
    Some(context! {
        says => assumption.row().says,
        worlds => worlds.len(),
        claims => removals(most).len(),
        ..story::scenario(most)
    })
}

/// Whether a world drops this usual assumption, and makes the other ones.
fn keeps_some(it: &AnsweredScenario, assumption: Assumption) -> bool {
    let assumed = &it.scenario.world.assumptions;
    let usual = |it: &&Assumption| it.is_usual();
    Assumption::ALL.iter().filter(usual).all(|it| it.is_made(assumed) == (*it != assumption))
        && keeps_all_clauses(&it.scenario.world)
}

/// The claims about removal that are violated in a world.
fn removals(it: &AnsweredScenario) -> Vec<&'static Claim> {
    let violated = it.claims(Expected::Violated);
    Claim::removals().filter(|claim| violated.iter().any(|it| it.name == claim.name)).collect()
}
