//! What claims need, as a table of 80 columns: premises on the left, variants on the right. Claims
//! that need the same stand together.

use deathwatch_claims::{ClaimKind, check::FindingSubject};
use deathwatch_study::assume::{
    Assumed, NeedsSet, QuestionAnswer, VariantSetting,
    document::{reason, why_no_others},
};

use crate::text::add_line;

/// The width of the table.
const WIDTH: usize = 80;
/// The width of its left column, and of its right one.
const COLUMNS: [usize; 2] = [42, 32];

/// One scenario.
pub fn table(assumed: &Assumed) -> String {
    let mut text = String::new();
    head(&mut text, assumed);
    let mut told: Vec<&QuestionAnswer> = Vec::new();
    for (asked, answered) in &assumed.answers {
        if told.contains(&answered) {
            continue;
        }
        told.push(answered);
        let alike = assumed
            .answers
            .iter()
            .filter(|(it, is)| is == answered && is_wanted(*it) == is_wanted(*asked));
        text.push('\n');
        for (asked, _) in alike {
            paragraph(&mut text, 0, 2, &name(*asked));
        }
        answer(&mut text, is_wanted(*asked), answered);
    }
    for (choice, open) in &assumed.open {
        let line = format!("undecided with variants {}: {}", chosen(choice), reason(open));
        text.push('\n');
        paragraph(&mut text, 0, 2, &line);
    }
    if assumed.others.is_err() {
        text.push('\n');
        paragraph(&mut text, 0, 2, &format!("undecided with other variants: {}", why_no_others()));
    }
    text
}

/// The scenario, and which values of variants were tried.
fn head(text: &mut String, assumed: &Assumed) {
    paragraph(text, 0, 2, &assumed.scenario);
    let states = assumed.states.map_or_else(String::new, |states| format!("{states} states, "));
    let choices = if assumed.choices == 1 { "choice" } else { "choices" };
    paragraph(text, 2, 4, &format!("{states}{} {choices} of variants", assumed.choices));
    for (name, values) in &assumed.tried {
        let verb = if assumed.others.is_ok() { "tried" } else { "not tried" };
        paragraph(text, 2, 4, &format!("{verb}: {name} = {}", values.join(", ")));
    }
    let is_tried = |name: &str| assumed.tried.iter().any(|(tried, _)| *tried == name);
    let mut names: Vec<String> = assumed
        .indifferent
        .iter()
        .map(
            |(name, value)| {
                if is_tried(name) { format!("{name} = {value}") } else { (*name).into() }
            },
        )
        .collect();
    names.dedup();
    if !names.is_empty() {
        paragraph(text, 2, 4, &format!("without effect: {}", names.join(", ")));
    }
}

/// The name of a question.
fn name(asked: FindingSubject) -> String {
    match asked {
        FindingSubject::Claim(claim) => claim.name.to_owned(),
        FindingSubject::Witness(clause) => format!("{clause} is carried out"),
        FindingSubject::Refinement => unreachable!("it is not asked here"),
    }
}

fn is_wanted(asked: FindingSubject) -> bool {
    asked.claim().is_none_or(|claim| claim.kind() == ClaimKind::Reachable)
}

fn answer(text: &mut String, is_wanted: bool, answered: &QuestionAnswer) {
    let holds = if is_wanted { "is reached if" } else { "holds if" };
    for (verb, sets) in [(holds, &answered.holds), ("is vacuous if", &answered.vacuous)] {
        if !sets.is_empty() {
            row(text, "  ", [verb, "with variants"]);
            for it in sets {
                set(text, it);
            }
        }
    }
    if !answered.open.is_empty() {
        let choices = joined(answered.open.iter().map(|choice| chosen(choice)), " | ");
        paragraph(text, 2, 4, &format!("is undecided with variants {choices}"));
    } else if answered.holds.is_empty() && answered.vacuous.is_empty() {
        let never = if is_wanted { "is never reached" } else { "never holds" };
        paragraph(text, 2, 4, &format!("{never}, whatever is assumed"));
    }
}

/// A set, and what is to be known of it.
fn set(text: &mut String, set: &NeedsSet) {
    let premises = match &set.premises.says()[..] {
        [] => "whatever happens".to_owned(),
        says => says.join("; "),
    };
    row(text, "  - ", [&premises, &chosen(&set.variants)]);
    for more in &set.lost_with {
        paragraph(text, 4, 6, &format!("but no more with {}", chosen(more)));
    }
    if !set.is_minimal {
        paragraph(text, 4, 6, "a smaller set may do: one is undecided");
    }
}

/// A row of two cells, behind `mark`. A cell that is too wide takes several lines.
fn row(text: &mut String, mark: &str, cells: [&str; 2]) {
    let [left, right] = COLUMNS;
    let (lefts, rights) = (wrapped(cells[0], left), wrapped(cells[1], right));
    for line in 0..lefts.len().max(rights.len()) {
        let cell = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
        let (one, two) = (cell(&lefts), cell(&rights));
        let mark = if line == 0 { mark } else { "" };
        add_line(text, 0, format!("{mark:4}{one:left$}  {two}").trim_end());
    }
}

/// A line, wrapped where it is too long.
pub(super) fn paragraph(text: &mut String, first: usize, rest: usize, line: &str) {
    for (index, line) in wrapped(line, WIDTH - first.max(rest)).iter().enumerate() {
        add_line(text, if index == 0 { first } else { rest }, line);
    }
}

/// The words of a line on as many lines as they take. A word that is too long stays whole.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("there is one from the start");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A choice of variants in words.
fn chosen(variants: &[VariantSetting]) -> String {
    match variants {
        [] => "as they are".to_owned(),
        some => joined(some.iter().map(|(name, value)| format!("{name} = {value}")), "; "),
    }
}

fn joined(parts: impl Iterator<Item = String>, by: &str) -> String {
    parts.collect::<Vec<_>>().join(by)
}
