//! The page of all scenarios: what each shows, its answers and its figures.

use std::fmt::Write as _;

use deathwatch_scenario::scenario::Expected;

use super::{
    Answered,
    markdown::{self, From, MADE_BY, cells, count, head, link, row, say},
};

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Scenarios\n");
    say(
        &mut page,
        "Each row is made by `deathwatch check scenarios/FOLDER/NAME.toml --verbose`. A scenario \
         without figures is a script alone: nothing is searched.",
    );
    let mut folder = None;
    for scenario in answered {
        if folder != Some(scenario.folder()) {
            folder = Some(scenario.folder());
            let _ = write!(page, "\n## {}\n", scenario.folder());
            head(&mut page, &["scenario", "shows", "claims", "#states", "#transitions", "#depth"]);
        }
        let [states, transitions, depth] = cells(scenario.figures);
        let name = link(From::Reports, scenario, scenario.short_name());
        let shows = &scenario.scenario.shows;
        row(&mut page, &[&name, shows, &claims(scenario), &states, &transitions, &depth]);
    }
    page
}

/// The number of claims with each answer.
fn claims(scenario: &Answered) -> String {
    let answers = [
        (Expected::Violated, "violated"),
        (Expected::Holds, "held"),
        (Expected::Vacuous, "vacuous"),
    ];
    let counts = answers.map(|(answer, word)| (scenario.claims(answer).len(), word));
    let told = counts.iter().filter(|(number, _)| *number > 0);
    let mut parts: Vec<String> = told.map(|(number, word)| format!("{number} {word}")).collect();
    match scenario.scenario.steps.len() {
        0 => {}
        steps => parts.push(count(steps, "step", "steps")),
    }
    markdown::few(&parts, parts.len(), "")
}
