//! The page of claims: under which variants, faults and assumptions each of them holds.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use deathwatch_model::claims::Claim;
use deathwatch_scenario::scenario::Expected;

use super::{
    Answered,
    markdown::{From, MADE_BY, anchor, count, head, links, row, say},
    settings::{Settings, fixed},
};

/// The number of scenarios that are named in a cell.
const NAMED: usize = 2;

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Claims\n");
    say(
        &mut page,
        "The variants, faults and assumptions under which each claim holds or not. Variants are \
         \"as written\", the default of each, or \"fixed\", followed by the differences; \
         `deathwatch list variants` explains the variants. Faults happen at any time and any \
         number of times, but finitely often. Assumptions are named where they differ from the \
         usual ones. A claim is vacuous if nothing that it is about ever happens.",
    );
    say(&mut page, &format!("\"Fixed\" is short for {}.", fixed()));
    overview(&mut page, answered);
    for claim in deathwatch_claims::all() {
        let _ = write!(page, "\n## {}\n", claim.name);
        let kind = claim.kind().name();
        say(&mut page, &format!("A claim of the kind \"{kind}\", from {}.", claim.source));
        if claim.reads_notes() {
            say(&mut page, "It reads what the agent notes, and forgets what the agent forgets.");
        }
        one(&mut page, claim, answered);
    }
    page
}

/// The number of scenarios for each claim and each answer.
fn overview(page: &mut String, answered: &[Answered]) {
    head(page, &["claim", "kind", "#violated", "#holds", "#vacuous"]);
    for claim in deathwatch_claims::all() {
        let name = format!("[{}](#{})", claim.name, anchor(claim.name));
        let count = |answer| {
            let count = answered.iter().filter(|it| it.answer(claim) == Some(answer)).count();
            count.to_string()
        };
        let [violated, holds, vacuous] =
            [Expected::Violated, Expected::Holds, Expected::Vacuous].map(count);
        row(page, &[&name, claim.kind().name(), &violated, &holds, &vacuous]);
    }
}

/// The section of one claim.
fn one(page: &mut String, claim: &Claim, answered: &[Answered]) {
    let asked = |answer| -> Vec<&Answered> {
        answered.iter().filter(|it| it.answer(claim) == Some(answer)).collect()
    };
    let (violated, held) = (asked(Expected::Violated), asked(Expected::Holds));
    if !violated.is_empty() {
        head(page, &["answer", "variants", "assumptions", "may go wrong", "scenarios"]);
        rows(page, "violated", groups(claim, answered, Expected::Violated));
        rows(page, "holds", groups(claim, answered, Expected::Holds));
    } else if held.is_empty() {
        say(page, "No scenario finds that it holds or that it does not.");
    } else {
        let scenarios = count(held.len(), "scenario that asks", "scenarios that ask");
        let links = links(From::Reports, held, NAMED);
        say(page, &format!("Holds in the {scenarios}: {links}."));
    }
    let vacuous = asked(Expected::Vacuous);
    if !vacuous.is_empty() {
        let scenarios = count(vacuous.len(), "scenario", "scenarios");
        let links = links(From::Reports, vacuous, NAMED);
        say(page, &format!("Vacuous in {scenarios}: {links}."));
    }
}

/// The assumptions of most scenarios, in words.
pub(crate) const USUAL: &str = "the usual";

/// The scenarios with the same variants, assumptions and answer to a claim.
#[derive(Clone)]
pub(crate) struct Group<'a> {
    /// The answer.
    pub(crate) answer: Expected,
    /// The variants, in words.
    pub(crate) variants: String,
    /// The assumptions, in words.
    pub(crate) assumptions: String,
    /// The faults, which differ between the scenarios.
    pub(crate) faults: String,
    /// The scenarios.
    pub(crate) scenarios: Vec<&'a Answered>,
}

/// A group for each combination of variants and assumptions with this answer to a claim.
pub(crate) fn groups<'a>(
    claim: &Claim,
    answered: &'a [Answered],
    answer: Expected,
) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(String, String), Vec<&Answered>> = BTreeMap::new();
    for scenario in answered.iter().filter(|it| it.answer(claim) == Some(answer)) {
        let settings = Settings::of(&scenario.scenario.world);
        let key = (settings.variants, settings.assumptions.join(", "));
        groups.entry(key).or_default().push(scenario);
    }
    let group = |((variants, assumptions), scenarios): ((String, String), Vec<&'a Answered>)| {
        let faults: BTreeSet<String> = scenarios.iter().map(|it| faults(it)).collect();
        let faults = faults.into_iter().collect::<Vec<_>>().join("; or ");
        let assumptions = if assumptions.is_empty() { USUAL.to_owned() } else { assumptions };
        Group { answer, variants, assumptions, faults, scenarios }
    };
    groups.into_iter().map(group).collect()
}

/// A row for each group.
fn rows(page: &mut String, answer: &str, groups: Vec<Group<'_>>) {
    for Group { variants, assumptions, faults, scenarios, .. } in groups {
        let links = links(From::Reports, scenarios, NAMED);
        row(page, &[answer, &variants, &assumptions, &faults, &links]);
    }
}

/// The faults of a scenario.
fn faults(scenario: &Answered) -> String {
    let faults = Settings::of(&scenario.scenario.world).faults;
    if faults.is_empty() { "nothing".to_owned() } else { faults.join(", ") }
}
