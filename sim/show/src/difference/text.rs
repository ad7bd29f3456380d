//! Differences as lines of text; none, if nothing differs.

use std::collections::BTreeSet;

use deathwatch_documents::{
    Differences, Run,
    difference::{Difference, Parting, RunDifference, Side, Sides},
    run::Step,
};
use deathwatch_scenario::listed::in_quotes;

use super::sentences::{self, common, step_clauses};
use crate::text::{TextDetail, add_line, clauses, fitted};

/// The number of differences of a kind that are listed, unless all are asked for.
const FEW: usize = 6;

/// The differences, in lines of at most that number of columns, or in more detail with the steps of
/// both runs.
pub fn text(differences: &Differences, detail: TextDetail, columns: usize) -> String {
    let mut text = String::new();
    let is_one = differences.scenarios.len() == 1;
    let most = if detail == TextDetail::Violations { usize::MAX } else { FEW };
    let mut say = |indent: usize, line: &str| add_line(&mut text, indent, line);
    for difference in &differences.scenarios {
        let Sides { a, b } = &difference.scenario;
        if !is_one {
            say(0, a);
        } else if a != b && detail == TextDetail::Violations {
            say(0, &format!("A is {a}, B is {b}"));
        }
        let indent = if is_one { 0 } else { 2 };
        one(difference, most, &mut |more, line| say(indent + more, line));
        if let Some(run) = difference.run.as_ref().filter(|_| detail == TextDetail::Violations) {
            steps(run, &mut |line| say(indent + 2, line));
        }
    }
    let Sides { a, b } = &differences.alone;
    for (side, names) in [("A", a), ("B", b)] {
        for name in few(names, most) {
            say(0, &format!("only in {side}: {name}"));
        }
    }
    for sweep in &differences.sweeps {
        for line in sentences::seeds(sweep, most) {
            say(0, &line);
        }
    }
    fitted(&text, columns)
}

fn one(difference: &Difference, most: usize, say: &mut impl FnMut(usize, &str)) {
    let world = few(&sentences::settings(difference), most);
    if !world.is_empty() {
        say(0, &world.join("; "));
    }
    // What is different at the start mostly follows from what the worlds are.
    let is_alike = difference.run.as_ref().is_some_and(|it| it.parting == Parting::OtherClaim);
    let start = few(&sentences::start(difference), most);
    if !start.is_empty() && (world.is_empty() || is_alike || most > FEW) {
        say(0, &format!("at the start {}", start.join("; ")));
    }
    for (answer, claims) in sentences::answers(difference) {
        let names = few(&in_quotes(claims.iter().map(|it| &it.name)), most);
        say(0, &format!("{answer}: {}", names.join(", ")));
    }
    if let Some(failures) = &difference.failures {
        for (side, failures) in [("A", &failures.a), ("B", &failures.b)] {
            for it in few(failures, most) {
                say(0, &format!("script, in {side}: {it}"));
            }
        }
    }
    if let Some(counts) = sentences::counts(difference) {
        say(0, &counts);
    }
    for (head, clauses) in sentences::carried_out(difference) {
        match few(&clauses, most).as_slice() {
            [] => say(0, &head),
            clauses => say(0, &format!("{head}: {}", clauses.join(", "))),
        }
    }
    if let Some((head, claims)) = sentences::open(difference) {
        say(0, &format!("{head}: {}", few(&claims, most).join(", ")));
    }
    if let Some(run) = &difference.run {
        let (head, rest) = sentences::parting(run);
        let head = format!("{}; {head}", sentences::decides(difference, run));
        match rest.as_slice() {
            [] => say(0, &head),
            [only] => say(0, &format!("{head}: {only}")),
            rest => {
                say(0, &format!("{head}:"));
                for line in rest {
                    say(2, line);
                }
            }
        }
    }
}

/// The first of these, and how many there are beside.
fn few(all: &[String], most: usize) -> Vec<String> {
    let mut few: Vec<String> = all.iter().take(most).cloned().collect();
    let more = all.len().saturating_sub(most);
    few.extend((more > 0).then(|| format!("and {more} more")));
    few
}

/// The steps of both runs: those that are alike once, then those of each side, and the clauses.
fn steps(run: &RunDifference, say: &mut impl FnMut(&str)) {
    let mut cited: BTreeSet<String> = BTreeSet::new();
    if run.parting != Parting::OtherChanges {
        for line in run.changes.iter().flat_map(sentences::numbered) {
            say(&line);
        }
    }
    let steps = |side: Side| run.runs.of(side).as_ref().map_or(&[][..], |it: &Run| &it.steps);
    let line = |mark: &str, step: &Step, cited: &mut BTreeSet<String>| {
        cited.extend(step.clauses.iter().cloned());
        format!("{mark}  {:>2}  {}{}", step.number, step.act.line, step_clauses(step))
    };
    let both = common(run);
    for (a, b) in steps(Side::A).iter().zip(steps(Side::B)).take(both) {
        if a.clauses == b.clauses {
            say(&line(" ", a, &mut cited));
        } else {
            say(&line("A", a, &mut cited));
            say(&line("B", b, &mut cited));
        }
    }
    for side in [Side::A, Side::B] {
        for step in steps(side).iter().skip(both) {
            let is_own = side != run.side && step.number > run.followed;
            let by = if is_own { "  (by itself)" } else { "" };
            say(&format!("{}{by}", line(side.name(), step, &mut cited)));
        }
    }
    for line in clauses(&cited) {
        say(&line);
    }
}
