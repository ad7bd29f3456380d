//! Differences in sentences without full stops, for text and pages alike.

use deathwatch_documents::{
    Outcome, QuestionKind,
    difference::{
        ClaimDifference, Difference, Parting, RunDifference, SeedDifferences, Side, Sides,
        StepDifference,
    },
    run::{Change, Possible, Step},
};
use deathwatch_model::variants::VariantInfo;
use deathwatch_scenario::listed::in_quotes;

use crate::text::{plural, thousands, value};

/// The greatest number of claims that a headline names.
const MOST_NAMED: usize = 2;

/// The differences between the worlds of the scenarios, each in half a sentence.
pub(crate) fn settings(difference: &Difference) -> Vec<String> {
    let settings = difference.settings.iter().map(|setting| {
        let Sides { a, b } = setting.value.map(|it| it.as_deref().unwrap_or("not there"));
        format!("{} is {a} in A, and {b} in B", setting.name)
    });
    settings.collect()
}

/// The fields that have other values at the start.
pub(crate) fn start(difference: &Difference) -> Vec<String> {
    let start = difference.start.iter().map(|it| {
        let Sides { a, b } = it.value.map(|it| value(it.as_ref()));
        let (kind, name, field) = (&it.document.kind, &it.document.name, &it.field);
        format!("{field} of {kind} {name} is {a} in A, and {b} in B")
    });
    start.collect()
}

/// The differences between the answers: the change in B and its effect on claims; and, if all
/// claims change alike, the answers of both sides.
pub(crate) fn headline(difference: &Difference) -> (String, Option<String>) {
    let changed = difference.claims.iter().filter(|it| it.answer.a != it.answer.b);
    let (other, changed): (Vec<_>, Vec<_>) = changed.partition(|it| effect(it) == CHANGES);
    // That a claim is asked, or no longer vacuous, matters where nothing else changes.
    let changed: Vec<&ClaimDifference> = if changed.is_empty() { other } else { changed };
    let Some(first) = changed.first() else {
        let says = match (&difference.failures, difference.claims.is_empty()) {
            (Some(_), _) => "The scripts of A and B fail differently",
            (None, _) if !difference.every_number.is_empty() => {
                "A and B are answered differently for every number of units"
            }
            (None, false) if difference.claims.iter().any(|it| it.is_other) => {
                "A and B have different claims of the same names"
            }
            (None, false) => "A and B are answered alike, by other runs",
            (None, true) if difference.is_any() => "A and B are answered alike, in other sizes",
            (None, true) => "A and B may be answered differently",
        };
        return (says.to_owned(), None);
    };
    let mut effects: Vec<((&str, &str), usize)> = Vec::new();
    for effect in changed.iter().map(|it| effect(it)) {
        match effects.iter_mut().find(|(known, _)| *known == effect) {
            Some((_, count)) => *count += 1,
            None => effects.push((effect, 1)),
        }
    }
    let does = effects.iter().map(|((verb, end), count)| {
        let what = if changed.len() == 1 { "it".to_owned() } else { plural(*count, "claim") };
        format!("{verb} {what}{end}")
    });
    let does = does.collect::<Vec<_>>().join(" and ");
    let named: Vec<&str> = changed.iter().take(MOST_NAMED).map(|it| it.name.as_str()).collect();
    let more = changed.len() - named.len();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let words = answer_words(first);
    let is_alike = changed.iter().all(|it| answer_words(it) == words);
    let answers = is_alike.then(|| format!("A {}, B {}", words.a, words.b));
    (format!("{} {does}: {}{more}", otherwise(difference), named.join("; ")), answers)
}

/// The change in B in a few words, if it is a single one.
fn otherwise(difference: &Difference) -> String {
    let [only] = difference.settings.as_slice() else { return "B".to_owned() };
    match only.value.b.as_deref() {
        Some(value) if VariantInfo::named(&only.name).is_some() => format!("{}={value}", only.name),
        Some("there") => only.name.clone(),
        Some(value) => format!("{} {value}", only.name),
        None => format!("the lack of {}", only.name),
    }
}

/// The effect of B on a claim that is not asked in A, or vacuous.
const CHANGES: (&str, &str) = ("changes", "");

/// The effect of B on a claim: the verb, and the words behind the claim.
fn effect(claim: &ClaimDifference) -> (&'static str, &'static str) {
    use Outcome::{Holds, Vacuous, Violated};
    let is_wanted = claim.kind.is_shown();
    match (claim.answer.a, claim.answer.b) {
        (Some(Violated), Some(Holds)) if is_wanted => ("makes", " possible"),
        (Some(Holds), Some(Violated)) if is_wanted => ("makes", " impossible"),
        (Some(Violated), Some(Holds)) => ("fixes", ""),
        (Some(Holds | Vacuous), Some(Violated)) => ("breaks", ""),
        (Some(_), Some(Vacuous)) => ("makes", " vacuous"),
        _ => CHANGES,
    }
}

/// The claims that are answered differently, by their answers.
pub(crate) fn answers(difference: &Difference) -> Vec<(String, Vec<&ClaimDifference>)> {
    let mut groups: Vec<(String, Vec<&ClaimDifference>)> = Vec::new();
    let own = difference.claims.iter().map(|it| (it, answer(it)));
    let every_number = difference.every_number.iter();
    let every_number =
        every_number.map(|it| (it, format!("{} for every number of units", answer(it))));
    for (claim, said) in own.chain(every_number) {
        match groups.iter_mut().find(|(known, _)| *known == said) {
            Some((_, claims)) => claims.push(claim),
            None => groups.push((said, vec![claim])),
        }
    }
    groups
}

/// The answers to a claim, in words.
fn answer_words(claim: &ClaimDifference) -> Sides<&'static str> {
    claim.answer.map(|it| match (it, claim.kind == QuestionKind::Reachable) {
        (None, _) => "not asked",
        (Some(Outcome::Holds), true) => "reached",
        (Some(Outcome::Violated), true) => "never reached",
        (Some(outcome), _) => outcome.name(),
    })
}

/// The answers to a claim on both sides.
fn answer(claim: &ClaimDifference) -> String {
    let Sides { a, b } = answer_words(claim);
    if claim.is_other {
        return format!("{a} in A, and in B, where it is another claim, {b}");
    }
    if a != b {
        return format!("{a} in A, {b} in B");
    }
    let steps = |it: &Option<usize>| it.map_or("no steps".to_owned(), |it| plural(it, "step"));
    let Sides { a: short, b: long } = claim.steps.map(steps);
    format!("{a} by another run, of {short} in A, of {long} in B")
}

pub(crate) fn counts(difference: &Difference) -> Option<String> {
    let counts = difference.counts.iter().map(|it| {
        let number = |it: &Option<u64>| it.map_or("none".to_owned(), thousands);
        let Sides { a, b } = it.count.map(number);
        format!("{} {a} / {b}", it.of.name())
    });
    let counts: Vec<String> = counts.collect();
    (!counts.is_empty()).then(|| format!("{} in A / B", counts.join(", ")))
}

/// The clauses that only one side carries out, where only sizes differ.
pub(crate) fn carried_out(difference: &Difference) -> Vec<(String, Vec<String>)> {
    let Some(only) = &difference.carried_out else { return Vec::new() };
    if only.a.is_empty() && only.b.is_empty() {
        return vec![("A and B carry out the same clauses".to_owned(), Vec::new())];
    }
    let sides = [Side::A, Side::B].map(|side| (side, only.of(side).clone()));
    let sides = sides.into_iter().filter(|(_, clauses)| !clauses.is_empty());
    sides.map(|(side, clauses)| (format!("only {} carries out", side.name()), clauses)).collect()
}

/// The claims without an answer.
pub(crate) fn open(difference: &Difference) -> Option<(&'static str, Vec<String>)> {
    let open = in_quotes(&difference.open);
    (!open.is_empty()).then_some(("undecided in A or B", open))
}

/// The decision of the run, and its length.
pub(crate) fn decides(difference: &Difference, run: &RunDifference) -> String {
    let claim = match difference.claims.as_slice() {
        [only] if only.name == run.claim => "it".to_owned(),
        _ => format!("\"{}\"", run.claim),
    };
    let verb = run.kind.decides();
    let steps = |side: Side| {
        let run = run.runs.of(side).as_ref();
        run.map_or_else(String::new, |it| format!(" in {}", plural(it.steps.len(), "step")))
    };
    let (side, other) = (run.side, run.side.other());
    if run.parting == Parting::OtherRun {
        let also = format!("{}{}", other.name(), steps(other));
        return format!("{} {verb} {claim}{}, and {also}", side.name(), steps(side));
    }
    format!("{} {verb} {claim}{}", side.name(), steps(side))
}

/// The step at which the run parts from the other side: a sentence, and notes on it.
pub(crate) fn parting(run: &RunDifference) -> (String, Vec<String>) {
    let other = run.side.other().name();
    let step = |side: Side| {
        let steps = run.runs.of(side).as_ref().map(|it| &it.steps);
        run.step.and_then(|step| steps?.get(step - 1))
    };
    let named = step(run.side)
        .map_or_else(String::new, |it| format!("step {}, {}", it.number, it.act.line));
    let line = |side: Side| step(side).map_or("nothing", |it| it.act.line.as_str());
    let cited = |side: Side| step(side).map_or_else(String::new, step_clauses);
    let sides = |says: &dyn Fn(Side) -> String| {
        [Side::A, Side::B]
            .map(|side| format!("{}: {}{}", side.name(), says(side), cited(side)))
            .into()
    };
    match &run.parting {
        Parting::NotKnown { text } => {
            (format!("{named}, is about what {other} has not"), vec![text.clone()])
        }
        Parting::NotPossible { clauses, text, .. } => {
            let head = format!("{named}{}, is not possible in {other}", cited(run.side));
            (head, vec![format!("{text}{}", bracketed(clauses))])
        }
        Parting::OtherOutcome { outcome, because } => {
            let says = |side: Side| {
                let said = outcome.of(side);
                let why = because.of(side).as_ref().filter(|it| !said.contains(&it.text));
                why.map_or_else(|| said.clone(), |it| format!("{said}, {}", it.text))
            };
            (format!("{named}, has another outcome"), sides(&says))
        }
        Parting::OtherChanges => {
            let mut said = run.changes.first().map(numbered).unwrap_or_default();
            if cited(Side::A) == cited(Side::B) {
                let head = format!("{named}{}, changes something else", cited(run.side));
                return (head, said);
            }
            let clauses = [Side::A, Side::B].map(|side| format!("{}:{}", side.name(), cited(side)));
            said.extend(clauses);
            (format!("{named}, changes something else"), said)
        }
        Parting::GoesOn { can } => {
            let head = format!("{other} follows it to its end, and goes on");
            (head, can.iter().map(possible).collect())
        }
        Parting::NotForEver { text } => {
            (format!("{other} follows it, but cannot go round for ever"), text.clone())
        }
        Parting::OtherScript => {
            (format!("{other} can follow it, but its script is another one"), Vec::new())
        }
        Parting::OtherClaim => {
            (format!("{other} has the same run, which decides nothing there"), Vec::new())
        }
        Parting::OtherRun => {
            let head = match run.alike {
                0 => "they part at the first step".to_owned(),
                alike => format!("they part after {}", plural(alike, "step")),
            };
            (head, sides(&|side| line(side).to_owned()))
        }
        Parting::NotPlayed => {
            ("a journal has no world to play that in: compare the scenarios".to_owned(), Vec::new())
        }
    }
}

/// The number of first steps that both sides do with the same outcome, whatever else they change.
pub(crate) fn common(run: &RunDifference) -> usize {
    match (&run.parting, run.step) {
        (Parting::OtherOutcome { .. } | Parting::OtherRun, Some(step)) => step - 1,
        (Parting::OtherRun | Parting::NotPlayed, None) => run.alike,
        _ => run.followed,
    }
}

/// The changes of a numbered step on one side only, a line each.
pub(super) fn numbered(step: &StepDifference) -> Vec<String> {
    changed(step).into_iter().map(|line| format!("step {}, {line}", step.step)).collect()
}

/// The changes of a step on one side only, a line each.
pub(crate) fn changed(step: &StepDifference) -> Vec<String> {
    let told = |change: &Change| {
        let Change { document, field, before, after } = change;
        let (before, after) = (value(before.as_ref()), value(after.as_ref()));
        format!("{} {}: {field} {before} -> {after}", document.kind, document.name)
    };
    let Sides { a, b } = step.changes.map(|it| it.iter().map(told).collect::<Vec<_>>());
    // Transactions of one name may have other asserts.
    let both = a.iter().filter(|it| b.contains(it)).map(|it| format!("otherwise in B: {it}"));
    let only = |side: &'static str, of: &[String], other: &[String]| -> Vec<String> {
        let only = of.iter().filter(|it| !other.contains(it));
        only.map(|it| format!("in {side} only: {it}")).collect()
    };
    both.chain(only("A", &a, &b)).chain(only("B", &b, &a)).collect()
}

/// A possible action, with the clause that asks for it, or else with all its clauses.
fn possible(possible: &Possible) -> String {
    let duty = possible.act.duty.clone();
    let clauses = duty.map_or_else(|| possible.clauses.clone(), |duty| vec![duty]);
    format!("{}{}", possible.act.line, bracketed(&clauses))
}

/// The clauses that a step carries out, in brackets.
pub(super) fn step_clauses(step: &Step) -> String {
    bracketed(&step.clauses)
}

fn bracketed(clauses: &[String]) -> String {
    if clauses.is_empty() { String::new() } else { format!("  [{}]", clauses.join(", ")) }
}

/// The differences between the seeds of a scenario; the first `most` of many.
pub(crate) fn seeds(sweep: &SeedDifferences, most: usize) -> Vec<String> {
    let mut lines =
        vec![format!("{}: {} on both sides", sweep.scenario, number_of_seeds(sweep.seeds))];
    let Sides { a, b } = sweep.alone;
    if (a, b) != (0, 0) {
        lines.push(format!("  seeds of one side only: {a} of A, {b} of B"));
    }
    for (claim, count) in &sweep.claims {
        let Sides { a, b } = count.map(|it| number_of_seeds(*it));
        lines.push(format!("  \"{claim}\" is violated by {a} in A, by {b} in B"));
    }
    for it in sweep.other_ends.iter().take(most) {
        let what = |it: &Vec<String>| {
            if it.is_empty() { "is as it should be".to_owned() } else { it.join(", ") }
        };
        let Sides { a, b } = it.comes_to.map(what);
        lines.push(format!("  seed {}: {a} in A, {b} in B", it.seed));
    }
    let more = sweep.other_ends.len().saturating_sub(most);
    if more > 0 {
        lines.push(format!("  and {more} more seeds that come to something else"));
    }
    if sweep.other_runs > 0 {
        let seeds = number_of_seeds(sweep.other_runs);
        lines.push(format!("  {seeds} with another run that comes to the same"));
    }
    for side in [Side::A, Side::B] {
        let clauses = sweep.carried_out.of(side);
        if !clauses.is_empty() {
            lines.push(format!("  only {} carries out {}", side.name(), clauses.join(", ")));
        }
    }
    lines
}

fn number_of_seeds(count: u64) -> String {
    if count == 1 { "1 seed".to_owned() } else { format!("{} seeds", thousands(count)) }
}

#[cfg(test)]
mod tests {
    use deathwatch_documents::difference::Setting;

    use super::*;

    /// The headline of claims of this kind with these answers, where B has one thing otherwise.
    fn told(
        name: &str,
        value: Option<&str>,
        kind: QuestionKind,
        answers: &[[Outcome; 2]],
    ) -> String {
        let value = Sides { a: None, b: value.map(str::to_owned) };
        let claims = answers.iter().enumerate().map(|(number, [a, b])| ClaimDifference {
            name: format!("claim {number}"),
            kind,
            answer: Sides { a: Some(*a), b: Some(*b) },
            is_other: false,
            steps: Sides::default(),
        });
        let difference = Difference {
            scenario: Sides::default(),
            settings: vec![Setting { name: name.to_owned(), value }],
            start: Vec::new(),
            counts: Vec::new(),
            carried_out: None,
            claims: claims.collect(),
            every_number: Vec::new(),
            open: Vec::new(),
            failures: None,
            run: None,
        };
        let (says, answers) = headline(&difference);
        answers.map_or(says.clone(), |answers| format!("{says} ({answers})"))
    }

    #[test]
    fn a_headline_says_what_the_answers_say_differently() {
        use Outcome::{Holds, Vacuous, Violated};
        let (leads, reachable) = (QuestionKind::Leads, QuestionKind::Reachable);
        let fixed = told("relation-tracking", Some("remote-scope"), leads, &[[Violated, Holds]]);
        assert_eq!(fixed, "relation-tracking=remote-scope fixes it: claim 0 (A violated, B holds)");
        let broken = told("fault crash", Some("on"), leads, &[[Holds, Violated]; 4]);
        let named = "claim 0; claim 1; and 2 more (A holds, B violated)";
        assert_eq!(broken, format!("fault crash on breaks 4 claims: {named}"));
        let both = told("unit a/0", Some("there"), leads, &[[Violated, Holds], [Holds, Violated]]);
        assert_eq!(both, "unit a/0 fixes 1 claim and breaks 1 claim: claim 0; claim 1");
        let reached = told("unit a/0", None, reachable, &[[Holds, Violated]]);
        let answers = "(A reached, B never reached)";
        assert_eq!(reached, format!("the lack of unit a/0 makes it impossible: claim 0 {answers}"));
        let vacuous = told("users", Some("1"), leads, &[[Violated, Vacuous]]);
        assert_eq!(vacuous, "users 1 makes it vacuous: claim 0 (A violated, B vacuous)");
        assert_eq!(told("users", Some("1"), leads, &[]), "A and B may be answered differently");
    }
}
