//! Repairs, in lines of 80 columns.

use std::collections::BTreeMap;

use deathwatch_documents::assumed::{
    Amendment, ClaimOf, Elsewhere, OtherScenarios, Repair, Repaired,
};

use super::text::paragraph;
use crate::text::plural;

/// The greatest number of claims, or of scenarios, that are listed one by one.
const MOST_TOLD: usize = 12;

/// The repairs of some scenarios.
pub fn repaired(it: &Repaired) -> String {
    let mut text = String::new();
    head(&mut text, it);
    text.push('\n');
    if it.repairs.is_empty() {
        let sets = if it.decided { "no set of these changes" } else { "no set that was decided" };
        paragraph(&mut text, 0, 2, &format!("with {sets} every claim holds"));
    } else if it.repairs.iter().any(|repair| repair.changes.is_empty()) {
        paragraph(&mut text, 0, 2, "every claim holds as it is: there is nothing to repair");
    } else {
        paragraph(&mut text, 0, 2, "every claim holds with");
        for repair in &it.repairs {
            one(&mut text, repair, it.elsewhere.as_ref());
        }
    }
    if !it.vacuous.is_empty() {
        text.push('\n');
        paragraph(&mut text, 0, 2, "no claim is violated, and more are vacuous, with");
        for set in &it.vacuous {
            paragraph(&mut text, 2, 4, &format!("- {}", changes(&set.changes)));
            claims(&mut text, "makes vacuous", &set.claims);
        }
    }
    if !it.open.is_empty() {
        text.push('\n');
    }
    for set in &it.open {
        let set = (changes(&set.changes), &set.reason);
        paragraph(&mut text, 0, 2, &format!("undecided with {}: {}", set.0, set.1));
    }
    text.push('\n');
    tried(&mut text, it);
    text
}

/// The scenarios, and the claims that they violate as they are.
fn head(text: &mut String, it: &Repaired) {
    match &it.scenarios[..] {
        [one] => paragraph(text, 0, 2, one),
        all => {
            for name in all.iter().take(MOST_TOLD) {
                paragraph(text, 0, 2, name);
            }
            let more = all.len().saturating_sub(MOST_TOLD);
            if more > 0 {
                paragraph(text, 0, 2, &format!("and {more} more scenarios"));
            }
        }
    }
    let (count, claims) = (it.violated.len(), plural(it.claims, "claim"));
    paragraph(text, 2, 4, &format!("{claims}, {count} violated as it is"));
    let mut names: Vec<&str> = it.violated.iter().map(|it| it.claim.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        paragraph(text, 2, 4, &format!("violated: {name}"));
    }
    for name in &it.except {
        paragraph(text, 2, 4, &format!("not asked: {name}"));
    }
}

/// A repair, and its costs.
fn one(text: &mut String, repair: &Repair, others: Option<&OtherScenarios>) {
    paragraph(text, 2, 4, &format!("- {}", changes(&repair.changes)));
    if !repair.minimal {
        paragraph(text, 4, 6, "a smaller set may do: one is undecided");
    }
    if let (Some(cost), Some(others)) = (&repair.elsewhere, others) {
        costs(text, cost, others);
    }
}

/// The costs of a repair in other scenarios.
fn costs(text: &mut String, cost: &Elsewhere, others: &OtherScenarios) {
    let OtherScenarios { folder, scenarios } = others;
    let is_free = cost.breaks.is_empty() && cost.vacuous.is_empty() && cost.impossible.is_empty();
    let changed = cost.changed;
    let breaks = if is_free && changed > 0 { ", and breaks no claim there" } else { "" };
    let line = format!("changes {changed} of the other {scenarios} scenarios in {folder}{breaks}");
    paragraph(text, 4, 6, &line);
    claims(text, "breaks", &cost.breaks);
    claims(text, "makes vacuous", &cost.vacuous);
    for (what, names) in [("not possible with it", &cost.impossible), ("undecided", &cost.open)] {
        if let [first, rest @ ..] = &names[..] {
            let more =
                if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            paragraph(text, 4, 6, &format!("{what}: {first}{more}"));
        }
    }
    if !cost.mends.is_empty() {
        let mends = plural(cost.mends.len(), "violated claim");
        paragraph(text, 4, 6, &format!("mends {mends} there"));
    }
}

/// The claims that become something, each with the scenarios in which they do.
fn claims(text: &mut String, verb: &str, all: &[ClaimOf]) {
    let mut by_claim: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for it in all {
        by_claim.entry(&it.claim).or_default().push(&it.scenario);
    }
    for (claim, scenarios) in by_claim.iter().take(MOST_TOLD) {
        let of = match &scenarios[..] {
            [one] => (*one).to_owned(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            [] => String::new(),
        };
        paragraph(text, 4, 6, &format!("{verb}: {claim}, of {of}"));
    }
    if by_claim.len() > MOST_TOLD {
        paragraph(text, 4, 6, &format!("{verb}: {} more claims", by_claim.len() - MOST_TOLD));
    }
}

/// The changes that were tried.
fn tried(text: &mut String, it: &Repaired) {
    let tried = &it.tried;
    let sets = plural(tried.sets, "set");
    let changes = plural(tried.most, "change");
    let line = format!(
        "{sets} of up to {changes}: {} refuted by a run that was found before, {} not possible, {} \
         searched",
        tried.filtered, tried.impossible, tried.searched
    );
    paragraph(text, 0, 2, &line);
    for (name, values) in &it.variants {
        paragraph(text, 2, 4, &format!("tried: {name} = {}", values.join(", ")));
    }
    for switch in &it.switched_on {
        paragraph(text, 2, 4, &format!("tried: {switch}"));
    }
    let mut names: Vec<&str> = it.indifferent.iter().flatten().map(|(name, _)| &**name).collect();
    names.dedup();
    if !names.is_empty() {
        paragraph(text, 2, 4, &format!("without effect: {}", names.join(", ")));
    }
    if let Some(why) = &tried.others {
        paragraph(text, 0, 2, &format!("larger sets were not tried: {why}"));
    }
}

/// Changes in words.
fn changes(set: &[Amendment]) -> String {
    match set {
        [] => "it as it is".to_owned(),
        set => set.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    }
}
