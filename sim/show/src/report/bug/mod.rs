//! The page of the relation-scope bug, for researchers: what the documents admit, the shortest run
//! that shows it, and the answer to each fix that they propose.

mod prose;

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_documents::Line;
use deathwatch_model::clause::Clause;
use deathwatch_scenario::scenario::Expected;

use self::prose::{INTRODUCTION, SECTIONS, Section};
use super::{
    Answered, Run,
    markdown::{
        From, MADE_BY, block, cells, command, count, head, in_quotes, link, number, picture, row,
        say, sentence,
    },
    settings::{Settings, fixed},
};

/// The folder of the scenarios that the page is about.
pub(super) const FOLDER: &str = "relation-scope-bug";
/// The claim whose run comes first.
const MAIN: &str = "a Dying relation is removed";

/// The page.
pub(super) fn page(answered: &[Answered]) -> String {
    let mine: Vec<&Answered> = answered.iter().filter(|it| it.folder() == FOLDER).collect();
    let mut page = format!("{MADE_BY}\n\n# The relation-scope bug\n");
    say(&mut page, &INTRODUCTION.join("\n\n"));
    say(&mut page, &format!("\"Fixed\" is short for {}.", fixed()));
    page.push_str("\n## In short\n\n");
    for scenario in in_order(&mine) {
        let link = link(From::Reports, scenario, scenario.short_name());
        let _ = writeln!(page, "- {} ({link})", scenario.scenario.shows);
    }
    // The page quotes each clause once.
    let mut quoted = BTreeSet::new();
    for section in SECTIONS {
        let scenarios = of(section, &mine);
        if !scenarios.is_empty() {
            section_text(&mut page, section, &scenarios, &mut quoted);
        }
    }
    page.push_str("\n## Every figure\n");
    table(&mut page, &in_order(&mine));
    page
}

/// The scenarios of a section, in its order.
fn of<'a>(section: &Section, scenarios: &[&'a Answered]) -> Vec<&'a Answered> {
    let prefix = format!("{}-", section.number);
    let mut mine: Vec<&Answered> =
        scenarios.iter().copied().filter(|it| it.short_name().starts_with(&prefix)).collect();
    let rank = |it: &&Answered| {
        let rank = section.order.iter().position(|end| it.short_name().ends_with(end));
        rank.unwrap_or(section.order.len())
    };
    mine.sort_by_key(rank);
    mine
}

/// All scenarios in the order of the page; those of no section come last.
fn in_order<'a>(scenarios: &[&'a Answered]) -> Vec<&'a Answered> {
    let mut all: Vec<&Answered> = SECTIONS.iter().flat_map(|it| of(it, scenarios)).collect();
    let others = scenarios.iter().filter(|it| !all.iter().any(|other| other.name == it.name));
    let others: Vec<&Answered> = others.copied().collect();
    all.extend(others);
    all
}

fn section_text(
    page: &mut String,
    section: &Section,
    scenarios: &[&Answered],
    quoted: &mut BTreeSet<Clause>,
) {
    let _ = write!(page, "\n## {}\n", section.title);
    for text in section.before {
        say(page, text);
    }
    for scenario in scenarios {
        let _ = write!(page, "\n### {}\n", scenario.short_name());
        say(page, &scenario.scenario.shows);
        if let Some(notes) = scenario.notes() {
            say(page, &notes);
        }
        say(page, &Settings::of(&scenario.scenario.world).sentence());
        block(page, [command(scenario).as_str()]);
        holds(page, scenario);
        runs(page, scenario, quoted);
    }
    for text in section.after {
        say(page, text);
    }
}

/// The claims that hold, and the number of states.
fn holds(page: &mut String, scenario: &Answered) {
    let Some(figures) = scenario.figures else { return };
    let (states, transitions) = (number(figures.states), number(figures.transitions));
    let mut parts =
        vec![format!("All {states} states and {transitions} transitions were searched.")];
    let held = scenario.claims(Expected::Holds);
    match held.len() {
        0 => {}
        1..=3 => parts.push(format!("On every run it holds that {}.", in_quotes(&held))),
        many => parts.push(format!("On every run {many} claims hold.")),
    }
    let vacuous = scenario.claims(Expected::Vacuous);
    if !vacuous.is_empty() {
        parts.push(format!("Vacuous in this world: {}.", in_quotes(&vacuous)));
    }
    say(page, &parts.join(" "));
}

/// The run that violates the main claim, or else the shortest run; the other claims are named.
fn runs(page: &mut String, scenario: &Answered, quoted: &mut BTreeSet<Clause>) {
    let main = scenario.runs.iter().find(|run| run.claim.name == MAIN);
    let Some(shown) = main.or_else(|| scenario.shortest()) else { return };
    run(page, shown, quoted);
    let others = scenario.runs.iter().filter(|run| run.claim.name != shown.claim.name);
    let others = others.map(|run| {
        let steps = count(run.trace.steps.len(), "step", "steps");
        format!("\"{}\" ({}; in {steps})", run.claim.name, run.claim.source)
    });
    let others: Vec<String> = others.collect();
    if !others.is_empty() {
        say(page, &format!("Violated as well: {}.", others.join(", ")));
    }
}

fn run(page: &mut String, run: &Run, quoted: &mut BTreeSet<Clause>) {
    let steps = match run.trace.steps.len() {
        0 => "Violated at the start".to_owned(),
        steps => format!("The shortest run that violates it has {}", count(steps, "step", "steps")),
    };
    let of = run.trace.subject.as_ref().map(|it| format!(", for {it}")).unwrap_or_default();
    say(page, &format!("Violated: \"{}\" ({}){of}. {steps}.", run.claim.name, run.claim.source));
    page.push('\n');
    lines(page, 1, &run.trace.steps, quoted);
    if run.trace.quiescent {
        say(page, "And nothing more happens.");
    }
    if !run.trace.cycle.is_empty() {
        say(page, "And then, again and again:");
        page.push('\n');
        lines(page, run.trace.steps.len() + 1, &run.trace.cycle, quoted);
    }
    picture(page, run.picture.as_deref());
    if let Some(diagnosis) = &run.trace.diagnosis {
        say(page, &sentence(diagnosis));
    }
}

/// Steps as a numbered list, with the text of the clauses that were not quoted before.
fn lines(page: &mut String, first: usize, lines: &[Line], quoted: &mut BTreeSet<Clause>) {
    for (number, line) in (first..).zip(lines) {
        let (fresh, known): (Vec<Clause>, Vec<Clause>) =
            distinct(&line.clauses).into_iter().partition(|clause| quoted.insert(*clause));
        let known: Vec<String> = known.iter().map(Clause::to_string).collect();
        let known =
            if known.is_empty() { known.join("") } else { format!(" ({})", known.join(", ")) };
        let _ = writeln!(page, "{number}. `{}`{known}", line.text);
        let indent = format!("{number}. ").len();
        for clause in fresh {
            if let Some(info) = clause.info() {
                let _ = writeln!(page, "{:indent$}- {clause}: {} ({})", "", info.says, info.source);
            }
        }
    }
}

/// Each clause once.
fn distinct(clauses: &[Clause]) -> Vec<Clause> {
    let mut seen = BTreeSet::new();
    clauses.iter().copied().filter(|clause| seen.insert(*clause)).collect()
}

/// A row for each scenario: the command that makes it, the answer and the figures.
fn table(page: &mut String, scenarios: &[&Answered]) {
    head(page, &["made by", "violated", "hold", "#states", "#transitions", "#depth"]);
    for scenario in scenarios {
        let violated: Vec<&str> =
            scenario.claims(Expected::Violated).iter().map(|claim| claim.name).collect();
        let violated = if violated.is_empty() { "none".to_owned() } else { violated.join("; ") };
        let held = match scenario.claims(Expected::Holds).len() {
            0 => "no other was asked".to_owned(),
            held => count(held, "claim", "claims"),
        };
        let [states, transitions, depth] = cells(scenario.figures);
        let command = format!("`{}`", command(scenario));
        row(page, &[&command, &violated, &held, &states, &transitions, &depth]);
    }
}
