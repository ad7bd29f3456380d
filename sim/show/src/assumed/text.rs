//! Premises of claims, as a table of 80 columns: premises on the left, variants on the right.
//! Claims with the same needs stand together.

use deathwatch_documents::{
    Assumed, QuestionKind,
    assumed::{Choice, Needs, Premise, StuckRun},
};

use crate::text::add_line;

const WIDTH: usize = 80;
/// The width of its left column, and of its right one.
const COLUMNS: [usize; 2] = [42, 32];

pub fn table(assumed: &Assumed) -> String {
    let mut text = String::new();
    head(&mut text, assumed);
    let questions = &assumed.questions;
    for (index, needs) in questions.iter().enumerate() {
        if questions[..index].iter().any(|it| is_alike(it, needs)) {
            continue;
        }
        text.push('\n');
        for it in questions.iter().filter(|it| is_alike(it, needs)) {
            paragraph(&mut text, 0, 2, &it.name);
        }
        answer(&mut text, needs);
    }
    for open in &assumed.open {
        let line = format!("undecided with variants {}: {}", chosen(&open.variants), open.reason);
        text.push('\n');
        paragraph(&mut text, 0, 2, &line);
    }
    if let Some(why) = &assumed.others {
        text.push('\n');
        paragraph(&mut text, 0, 2, &format!("undecided with other variants: {why}"));
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
        let verb = if assumed.others.is_none() { "tried" } else { "not tried" };
        paragraph(text, 2, 4, &format!("{verb}: {name} = {}", values.join(", ")));
    }
    let indifferent = assumed.indifferent.iter().flatten();
    let mut names: Vec<String> = indifferent
        .map(|(name, value)| {
            if assumed.tried.contains_key(name) {
                format!("{name} = {value}")
            } else {
                name.clone()
            }
        })
        .collect();
    names.dedup();
    if !names.is_empty() {
        paragraph(text, 2, 4, &format!("without effect: {}", names.join(", ")));
    }
}

/// Whether two questions have the same answer, in the same words.
pub(crate) fn is_alike(one: &Needs, other: &Needs) -> bool {
    let answer =
        |it: &Needs| (is_wanted(it), it.holds.clone(), it.vacuous.clone(), it.open.clone());
    answer(one) == answer(other)
}

pub(crate) fn is_wanted(needs: &Needs) -> bool {
    matches!(needs.kind, QuestionKind::Reachable | QuestionKind::Witness)
}

fn answer(text: &mut String, needs: &Needs) {
    let is_wanted = is_wanted(needs);
    let holds = if is_wanted { "is reached if" } else { "holds if" };
    for (verb, sets) in [(holds, &needs.holds), ("is vacuous if", &needs.vacuous)] {
        if !sets.is_empty() {
            row(text, "  ", [verb, "with variants"]);
            for it in sets {
                set(text, it);
            }
        }
    }
    if !needs.open.is_empty() {
        let choices = joined(needs.open.iter().map(chosen), " | ");
        paragraph(text, 2, 4, &format!("is undecided with variants {choices}"));
    } else if needs.holds.is_empty() && needs.vacuous.is_empty() {
        let never = if is_wanted { "is never reached" } else { "never holds" };
        paragraph(text, 2, 4, &format!("{never}, whatever is assumed"));
    }
}

/// A set, and the notes on it.
fn set(text: &mut String, set: &Premise) {
    let premises = match &set.says[..] {
        [] => "whatever happens".to_owned(),
        says => says.join("; "),
    };
    row(text, "  - ", [&premises, &chosen(&set.variants)]);
    for more in &set.lost_with {
        paragraph(text, 4, 6, &format!("but no more with {}", chosen(more)));
    }
    if !set.minimal {
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
pub(crate) fn chosen(variants: &Choice) -> String {
    if variants.is_empty() {
        return "as they are".to_owned();
    }
    joined(variants.iter().map(|(name, value)| format!("{name} = {value}")), "; ")
}

fn joined(parts: impl Iterator<Item = String>, by: &str) -> String {
    parts.collect::<Vec<_>>().join(by)
}

pub fn stuck(run: &StuckRun) -> String {
    let mut text = String::new();
    paragraph(&mut text, 0, 2, &run.scenario);
    if run.stuck.is_empty() {
        paragraph(&mut text, 2, 4, "nothing here can need a cure");
    }
    for cure in &run.stuck {
        text.push('\n');
        paragraph(&mut text, 0, 2, &format!("unless {}", cure.says));
        if cure.waits.is_empty() {
            paragraph(&mut text, 2, 4, "nothing waits for ever");
        }
        for wait in &cure.waits {
            paragraph(&mut text, 2, 4, &format!("not: {}", wait.claim));
            let is_known = !wait.chain.is_empty();
            let lines =
                if is_known { &wait.chain[..] } else { std::slice::from_ref(&wait.subject) };
            for line in lines {
                paragraph(&mut text, 4, 6, line);
            }
        }
    }
    text
}
