//! Answers as lines of text: numbers for a scenario that is as expected, and the details of one
//! that is not.

use deathwatch_documents::{
    Answer, Begins, ClaimAnswer, Expected, IS_CARRIED_OUT, NOTED, Outcome, PhaseTime, QuestionKind,
    READ_OFF_NOTES, SearchPhase, Status, TraceText, with_mark,
};
use deathwatch_scenario::listed::{in_quotes, quoted};

use super::{any_size, quiet};
use crate::{
    status::row,
    text::{TextDetail, add_line, clauses, number, plural, show_seconds, show_size, text_of},
};

/// The number of claims that are named, unless all are asked for.
const MOST_NAMED: usize = 4;

/// The size of the world, and the time and memory of the search, if the level of detail has it.
pub(super) fn size(answer: &Answer) -> Option<String> {
    let (states, transitions, depth) = (answer.states?, answer.transitions?, answer.depth?);
    let mut size =
        vec![number(states, "state"), number(transitions, "transition"), format!("depth {depth}")];
    size.extend(answer.representatives.map(explored));
    size.extend(answer.seconds.map(show_seconds));
    size.extend(answer.bytes.map(show_size));
    size.extend(answer.spilled_bytes.map(|bytes| format!("{} on disk", show_size(bytes))));
    Some(size.join(", "))
}

/// The number of states that were explored, where each stands for several.
pub(crate) fn explored(representatives: u64) -> String {
    format!("{} explored for all", number(representatives, "state"))
}

/// The time of a part of a search, and for which share of it all threads were at work.
fn phase(it: &PhaseTime) -> String {
    let name = match it.phase {
        SearchPhase::Exploring => "exploring",
        SearchPhase::Deciding => "deciding",
        SearchPhase::Generalizing => "for every number",
    };
    let share = it.all_busy.map(|busy| 100.0 * busy / it.seconds.max(f64::MIN_POSITIVE));
    let busy = share.map_or_else(String::new, |it| format!(", all threads busy for {it:.0} %"));
    format!("{name} {}{busy}", show_seconds(it.seconds))
}

/// Pairs that take each other's place.
fn pairs_of(pairs: &[[String; 2]]) -> String {
    pairs.iter().map(|[one, other]| format!("{one} with {other}")).collect::<Vec<_>>().join(", ")
}

/// The details below the line of a scenario, as lines with their indents.
pub fn details(answer: &Answer, detail: TextDetail) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    tell(answer, detail, &mut |indent, line: &str| lines.push((indent, line.to_owned())));
    lines
}

fn tell(answer: &Answer, detail: TextDetail, say: &mut impl FnMut(usize, &str)) {
    let is_sized = detail == TextDetail::Violations || answer.seconds.is_some();
    if let Some(size) = size(answer).filter(|_| is_sized) {
        say(6, &size);
        for pairs in &answer.exchanged {
            say(6, &format!("exchanged: {}", pairs_of(pairs)));
        }
        for pairs in &answer.not_exchanged {
            say(6, &format!("not exchanged: {}", pairs_of(pairs)));
        }
    }
    let phases: Vec<String> = answer.phases.iter().map(phase).collect();
    if !phases.is_empty() {
        say(6, &phases.join("; "));
    }
    if let Some(any_size) = &answer.any_size {
        let is_alone = answer.states.is_none() || answer.status.is_wrong();
        any_size::tell(any_size, is_alone, detail, say);
    }
    if let Some(why) = &answer.too_large {
        say(6, &format!("could not be searched: {why}"));
    }
    for failure in &answer.failures {
        say(6, &format!("script: {failure}"));
    }
    for miscount in &answer.miscounts {
        say(6, &format!("found {miscount}"));
    }
    undecided(answer, detail, say);
    for claims in by_run(answer.claims.iter().filter(|it| is_shown(it, detail))) {
        let trace = claims[0].trace.as_ref();
        match (&claims[..], trace) {
            ([claim], _) => {
                say(6, &headline(claim));
                if let Some(trace) = trace {
                    lines_of_trace(trace, answer, say);
                }
            }
            (claims, _) => several(claims, answer, say),
        }
        if detail == TextDetail::Violations {
            let lines = trace.map(|trace| clauses(&trace.clauses())).unwrap_or_default();
            for line in &lines {
                say(8, line);
            }
        }
    }
    if detail == TextDetail::Violations {
        as_expected(answer, say);
    }
}

/// The answers, those that one run shows together, at the place of the first of them.
fn by_run<'a>(claims: impl Iterator<Item = &'a ClaimAnswer>) -> Vec<Vec<&'a ClaimAnswer>> {
    let run = |claim: &ClaimAnswer| {
        let trace = claim.trace.as_ref()?;
        Some((trace.begins, trace.numbered())).filter(|(_, lines)| !lines.is_empty())
    };
    let mut groups: Vec<Vec<&ClaimAnswer>> = Vec::new();
    for claim in claims {
        let mine = run(claim);
        match groups.iter_mut().find(|group| mine.is_some() && run(group[0]) == mine) {
            Some(group) => group.push(claim),
            None => groups.push(vec![claim]),
        }
    }
    groups
}

/// Answers that one run shows: the cause of each, then the run.
fn several(claims: &[&ClaimAnswer], answer: &Answer, say: &mut impl FnMut(usize, &str)) {
    let mut told: Vec<Vec<String>> = Vec::new();
    for claim in claims {
        let trace = claim.trace.as_ref();
        let of = trace.and_then(|trace| trace.subject.as_ref());
        let of = of.map(|subject| format!(", for {subject}")).unwrap_or_default();
        say(6, &format!("{}{of}", headline(claim)));
        let said = trace.map(TraceText::sentences).unwrap_or_default();
        if !told.contains(&said) {
            for line in &said {
                say(8, line);
            }
            told.push(said);
        }
        if let Some(line) = trace.and_then(TraceText::point_of_no_return) {
            say(8, &line);
        }
    }
    let Some(trace) = claims[0].trace.as_ref() else { return };
    let place = place(trace, answer).map(|place| format!(", {place}")).unwrap_or_default();
    say(6, &format!("by one run{place}:"));
    trace.numbered().iter().for_each(|line| say(8, line));
}

/// Whether an answer has lines of its own.
fn is_shown(claim: &ClaimAnswer, detail: TextDetail) -> bool {
    let is_violated = claim.answer == Outcome::Violated;
    let has_run = claim.is_claim() && claim.trace.is_some();
    let is_as_expected = claim.status() == Status::AsExpected && (is_violated || has_run);
    claim.status().is_wrong() || is_as_expected && detail == TextDetail::Violations
}

/// An answer, and its difference from the expected one.
fn headline(claim: &ClaimAnswer) -> String {
    let about = match (&claim.source, claim.kind) {
        (_, QuestionKind::Witness) => return witness(claim),
        (Some(source), kind) => format!("{}; {source}", kind.name()),
        (None, kind) => kind.name().to_owned(),
    };
    let notes = if claim.notes { format!("; {READ_OFF_NOTES}") } else { String::new() };
    format!("{} ({about}{notes})", headword(claim))
}

/// An answer and its difference from the expected one, without the reason.
pub(crate) fn headword(claim: &ClaimAnswer) -> String {
    let known = if claim.known == Some(true) { "known by the baseline: " } else { "" };
    format!("{known}{}{}: \"{}\"", claim.word(), otherwise(claim), claim.name)
}

/// The difference from the expected answer, behind its word.
pub(crate) fn otherwise(claim: &ClaimAnswer) -> &'static str {
    if !claim.status().is_wrong() {
        return if claim.status() == Status::AsExpected { " as expected" } else { "" };
    }
    match (claim.expected, claim.kind == QuestionKind::Reachable) {
        (Expected::Holds, false) => ", but expected to hold",
        (Expected::Holds, true) => ", but expected to be reached",
        (Expected::Violated, false) => ", but expected to be violated",
        (Expected::Violated, true) => ", but expected to be out of reach",
        (Expected::Vacuous, _) => ", but expected to be vacuous",
        (Expected::NotViolated, _) => ", but expected not to be violated",
    }
}

fn witness(claim: &ClaimAnswer) -> String {
    let clause = clause(claim);
    let (says, source) = text_of(clause);
    let seen = row(claim.status()).witness;
    format!("{seen}: {clause} \"{says}\" (witness; {source})")
}

/// The clause that a witness is about.
fn clause(claim: &ClaimAnswer) -> &str {
    claim.name.strip_suffix(IS_CARRIED_OUT).unwrap_or(&claim.name)
}

/// The place where a run begins, if it is not the usual one.
fn place(trace: &TraceText, answer: &Answer) -> Option<&'static str> {
    match (trace.begins, answer.steps) {
        (Begins::BeforeScript, _) | (_, 0) if trace.numbered().is_empty() => Some("at the start"),
        (_, 0) => None,
        (Begins::BeforeScript, _) => Some("in the script"),
        (Begins::AfterScript, _) => Some("after the script"),
    }
}

/// The lines of a trace: its cause, then its steps.
pub(super) fn lines_of_trace(
    trace: &TraceText,
    answer: &Answer,
    say: &mut impl FnMut(usize, &str),
) {
    for line in trace.told() {
        say(8, &line);
    }
    let lines = trace.numbered();
    let place = place(trace, answer);
    let of = trace.subject.as_ref().map(|subject| format!("for {subject}"));
    let head: Vec<&str> = of.as_deref().into_iter().chain(place).collect();
    let end = if lines.is_empty() { "" } else { ":" };
    if !head.is_empty() {
        say(8, &format!("{}{end}", head.join(", ")));
    }
    for line in lines {
        say(8, &line);
    }
}

/// The details of one answer, for other formats.
pub(crate) fn text_of_claim(claim: &ClaimAnswer, answer: &Answer) -> String {
    let mut text = headline(claim);
    if let Some(why) = &claim.reason {
        text.push('\n');
        text.push_str(why);
    }
    if let Some(trace) = &claim.trace {
        lines_of_trace(trace, answer, &mut |_, line| {
            text.push('\n');
            text.push_str(line);
        });
    }
    text
}

/// The answers that are open: why, the claims by name, the witnesses by number.
fn undecided(answer: &Answer, detail: TextDetail, say: &mut impl FnMut(usize, &str)) {
    let is_cut = answer.status != Status::AsExpected;
    let is_other_engines = answer.claims.is_empty() && !answer.left_out.is_empty();
    let is_limit = answer.stopped.is_some() || answer.states.is_none() || is_other_engines;
    let is_told = is_cut && is_limit && answer.too_large.is_none();
    if let Some(why) = answer.reason.as_ref().filter(|_| is_told) {
        say(6, &format!("undecided: {why}"));
    }
    let is_open = |it: &&ClaimAnswer| it.status() == Status::Undecided && it.reason.is_none();
    let open = || answer.claims.iter().filter(is_open);
    let claims: Vec<&ClaimAnswer> = open().filter(|it| !it.is_witness()).collect();
    let all = answer.claims.iter().filter(|it| !it.is_witness()).count();
    let mut parts = Vec::new();
    if claims.len() == all && all > MOST_NAMED && detail != TextDetail::Violations {
        parts.push(format!("all {all} claims"));
    } else {
        parts.extend(few(claims.iter().map(|it| it.name.clone()).collect(), detail));
    }
    match open().count() - claims.len() {
        0 => {}
        witnesses => parts.push(plural(witnesses, "witness")),
    }
    list("undecided", &parts, say);
    for claim in &answer.claims {
        if let Some(why) = &claim.reason {
            say(6, &format!("undecided: {}: {why}", quoted(&claim.name)));
        }
    }
    if is_cut || detail == TextDetail::Violations {
        list("left out, not for this engine", &few(answer.left_out.clone(), detail), say);
    }
}

/// The claims that are answered as expected, without a run that shows it, and the witnesses.
fn as_expected(answer: &Answer, say: &mut impl FnMut(usize, &str)) {
    let mut reasons: Vec<Option<&str>> = Vec::new();
    for claim in quiet(answer, Outcome::Vacuous) {
        if !reasons.contains(&claim.vacuous.as_deref()) {
            reasons.push(claim.vacuous.as_deref());
        }
    }
    for reason in reasons {
        let head =
            reason.map_or("vacuous as expected".to_owned(), |it| format!("vacuous, as {it}"));
        let claims = quiet(answer, Outcome::Vacuous).filter(|it| it.vacuous.as_deref() == reason);
        list(&head, &quoted_and_marked(claims), say);
    }
    list("holds", &quoted_and_marked(quiet(answer, Outcome::Holds)), say);
    let seen = answer.claims.iter().filter(|it| it.status() == Status::AsExpected);
    let seen = seen.filter(|it| it.is_witness()).map(|it| clause(it).to_owned());
    list("seen", &seen.collect::<Vec<_>>(), say);
    let quiet = [Outcome::Vacuous, Outcome::Holds].map(|it| quiet(answer, it));
    if quiet.into_iter().flatten().any(|it| it.notes) {
        say(6, &format!("{NOTED}: {READ_OFF_NOTES}"));
    }
}

/// The names of claims in quotes, with the mark of those that read notes.
fn quoted_and_marked<'a>(claims: impl Iterator<Item = &'a ClaimAnswer>) -> Vec<String> {
    claims.map(|it| with_mark(&quoted(&it.name), it.notes)).collect()
}

/// A list of names under a heading.
fn list(head: &str, names: &[String], say: &mut impl FnMut(usize, &str)) {
    if !names.is_empty() {
        say(6, &format!("{head}: {}", names.join(", ")));
    }
}

/// The names of claims: a few, unless all are asked for.
fn few(names: Vec<String>, detail: TextDetail) -> Vec<String> {
    let more = names.len().saturating_sub(MOST_NAMED);
    let most = if detail == TextDetail::Violations { names.len() } else { MOST_NAMED };
    let mut few = in_quotes(names.into_iter().take(most));
    if detail != TextDetail::Violations && more > 0 {
        few.push(format!("and {more} more"));
    }
    few
}

/// The answer of a search to a question that was asked on the spot, and the run that shows it.
/// Nobody has written down an expectation, so the answer stands first, and in words of its own.
pub fn searched(answer: &Answer) -> String {
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for failure in &answer.failures {
        say(0, &format!("script: {failure}"));
    }
    for claim in &answer.claims {
        say(0, &format!("{}: {}", outcome_text(claim), claim.name));
        if let Some(why) = claim.reason.as_ref().or(answer.reason.as_ref()) {
            say(2, why);
        }
        if let Some(trace) = &claim.trace {
            lines_of_trace(trace, answer, &mut |_, line| say(2, line));
        }
    }
    let counts = size(answer);
    say(0, &format!("{} ({})", answer.scenario, counts.as_deref().unwrap_or("not searched")));
    text
}

/// The answer to a question, in a few words.
fn outcome_text(claim: &ClaimAnswer) -> &'static str {
    match (claim.answer, claim.kind) {
        (Outcome::Undecided, _) => "undecided",
        (Outcome::Vacuous, _) => "vacuous, as nothing is ever owed",
        (Outcome::Holds, QuestionKind::Always) => "holds in every state",
        (Outcome::Holds, QuestionKind::Step) => "holds of every transition",
        (Outcome::Holds, QuestionKind::Leads) => "holds on every fair run",
        _ => claim.word(),
    }
}
