//! The page of claims: each under which readings, faults and assumptions it holds or not.

use std::{collections::BTreeMap, fmt::Write as _};

use deathwatch_model::claims::Claim;

use super::{
    Answered,
    markdown::{From, MADE_BY, count, head, links, row, say},
    settings::Settings,
};
use crate::scenario::Expected;

/// So many scenarios are named in a cell.
const NAMED: usize = 4;

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Claims\n");
    say(
        &mut page,
        "What holds under which readings of the documents, faults and assumptions. Readings are \
         the default ones but for those that are named (`deathwatch list variants` says what they \
         mean); faults strike at any time and any number of times, but finitely often; everything \
         is assumed but what is named. A claim is vacuous where nothing that it is about happens.",
    );
    for claim in Claim::all() {
        let _ = write!(page, "\n## {}\n", claim.name);
        let kind = claim.kind().name();
        say(&mut page, &format!("A claim of the kind \"{kind}\", from {}.", claim.source));
        one(&mut page, claim, answered);
    }
    page
}

/// What is to be said of one claim.
fn one(page: &mut String, claim: &Claim, answered: &[Answered]) {
    let asked = |answer| answered.iter().filter(move |it| it.answer(claim) == Some(answer));
    let (violated, held) = (asked(Expected::Violated).count(), asked(Expected::Holds).count());
    if violated > 0 {
        head(page, &["answer", "readings", "faults", "not assumed", "scenarios"]);
        rows(page, "violated", asked(Expected::Violated));
        rows(page, "holds", asked(Expected::Holds));
    } else if held > 0 {
        let scenarios = count(held, "scenario that asks", "scenarios that ask");
        let links = links(From::Reports, asked(Expected::Holds), NAMED);
        say(page, &format!("Holds in the {scenarios}: {links}."));
    } else {
        say(page, "No scenario asks for it.");
    }
    let vacuous = asked(Expected::Vacuous).count();
    if vacuous > 0 {
        let scenarios = count(vacuous, "scenario", "scenarios");
        let links = links(From::Reports, asked(Expected::Vacuous), NAMED);
        say(page, &format!("Vacuous in {scenarios}: {links}."));
    }
}

/// A row for each of the settings under which the answer is this one.
fn rows<'a>(page: &mut String, answer: &str, scenarios: impl Iterator<Item = &'a Answered>) {
    let mut by_settings: BTreeMap<Settings, Vec<&Answered>> = BTreeMap::new();
    for scenario in scenarios {
        by_settings.entry(Settings::of(&scenario.scenario.world)).or_default().push(scenario);
    }
    for (settings, scenarios) in by_settings {
        let [readings, faults, assumptions] = settings.cells();
        let assumptions = if assumptions == "all" { "" } else { &assumptions };
        let links = links(From::Reports, scenarios, NAMED);
        row(page, &[answer, &readings, &faults, assumptions, &links]);
    }
}
