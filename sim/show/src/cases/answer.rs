//! The cases of an answer: its script, its size, its claims, all witnesses as one, and warnings.

use deathwatch_documents::{
    Answer, ClaimAnswer, Status,
    case::{Cases, QuestionCase, Readers},
};

use super::{ANSWERED, SCRIPT, WARNED_OF, file, line_of};
use crate::answers::{headword, text_of_claim};

/// The cases of an answered scenario. A viewer shows unexpected ones first, then undecided ones,
/// then warnings.
pub fn of_answer(answer: &Answer) -> Cases {
    let folder = answer.scenario.rsplit_once('/').map_or("scenarios", |(it, _)| it);
    let mut all = script(answer);
    all.extend(size(answer));
    let told = answer.claims.iter().filter(|it| !it.is_witness() || it.status().is_wrong());
    all.extend(told.map(|it| claim(answer, it)));
    all.extend(witnesses(answer));
    let why = "this engine cannot decide it";
    all.extend(answer.left_out.iter().map(|it| QuestionCase {
        readers: Readers::BuildServers,
        ..case(answer, it, Status::Undecided, why.to_owned())
    }));
    all.extend(whole(answer));
    if !answer.warnings.is_empty() {
        let lines: Vec<&str> = answer.warnings.iter().map(|it| it.text.as_str()).collect();
        all.push(case(answer, WARNED_OF, Status::AsExpected, lines.join("\n")));
    }
    Cases {
        suite: folder.to_owned(),
        scenario: answer.scenario.clone(),
        file: file(&answer.file),
        seconds: answer.seconds,
        all,
    }
}

fn case(answer: &Answer, question: &str, status: Status, message: String) -> QuestionCase {
    let known = answer.known.map(|_| false);
    QuestionCase { line: answer.line, known, ..super::case(question, status, message) }
}

/// The cases of the script: its failures, or its success, if it expects anything.
fn script(answer: &Answer) -> Vec<QuestionCase> {
    let is_all = answer.states.is_none() && answer.too_large.is_none() && answer.reason.is_none();
    if answer.failures.is_empty() && (answer.steps > 0 || is_all) {
        return vec![case(answer, SCRIPT, Status::AsExpected, String::new())];
    }
    let failures = answer.failures.iter().map(|it| QuestionCase {
        line: line_of(it).or(answer.line),
        brief: format!("script: {it}"),
        ..case(answer, SCRIPT, Status::Unexpected, it.clone())
    });
    failures.collect()
}

/// The numbers of states and transitions, if they are unexpected or unknown; or a note that the
/// scenario was not answered.
fn size(answer: &Answer) -> Vec<QuestionCase> {
    let miscounts = answer.miscounts.iter().map(|it| {
        let found = format!("found {it}");
        let question = "the world is as large as expected";
        QuestionCase { brief: found.clone(), ..case(answer, question, Status::Unexpected, found) }
    });
    let mut all: Vec<QuestionCase> = miscounts.collect();
    let is_cut = answer.stopped.is_some() && answer.status == Status::Undecided;
    let is_open = is_cut || answer.too_large.is_some() || answer.unanswered;
    if let Some(why) = answer.reason.as_ref().filter(|_| is_open && all.is_empty()) {
        let end = "the world is searched to its end";
        let question = if answer.unanswered { ANSWERED } else { end };
        let readers = Readers::BuildServers;
        all.push(QuestionCase {
            readers,
            ..case(answer, question, Status::Undecided, why.clone())
        });
    }
    all
}

/// A claim, or a witness that is not seen. Hosts have one case for all that is undecided.
fn claim(answer: &Answer, it: &ClaimAnswer) -> QuestionCase {
    let status = it.status();
    let readers = match status {
        _ if it.is_witness() => Readers::Hosts,
        Status::Undecided => Readers::BuildServers,
        _ => Readers::All,
    };
    let is_told = status != Status::AsExpected;
    let message = if is_told { text_of_claim(it, answer) } else { String::new() };
    let steps = it.trace.iter().filter(|_| status.is_wrong());
    let steps = steps.flat_map(|it| it.steps.iter().chain(&it.cycle)).map(ToString::to_string);
    QuestionCase {
        source: it.source.clone(),
        line: it.line.or(answer.line),
        known: it.known,
        brief: headword(it),
        steps: steps.collect(),
        readers,
        ..case(answer, &it.name, status, message)
    }
}

/// All witnesses as one case for build servers, as they would outnumber the claims.
fn witnesses(answer: &Answer) -> Option<QuestionCase> {
    let witnesses = || answer.claims.iter().filter(|it| it.is_witness());
    let worst = witnesses().map(ClaimAnswer::status).max()?;
    let open = witnesses().filter(|it| it.status() != Status::AsExpected);
    let lines: Vec<String> = open.map(|it| text_of_claim(it, answer)).collect();
    let readers = Readers::BuildServers;
    Some(QuestionCase { readers, ..case(answer, "every witness is seen", worst, lines.join("\n")) })
}

/// The case of a whole scenario without an answer, with the names of the open claims, for hosts: a
/// line for each would be too many.
fn whole(answer: &Answer) -> Option<QuestionCase> {
    let readers = Readers::Hosts;
    if let Some(why) = &answer.too_large {
        let question = "the world can be searched";
        return Some(QuestionCase {
            readers,
            ..case(answer, question, Status::Unexpected, why.clone())
        });
    }
    if answer.status != Status::Undecided {
        return None;
    }
    let open = || answer.claims.iter().filter(|it| it.status() == Status::Undecided);
    let own = open().find_map(|it| it.reason.as_deref());
    let why = answer.reason.as_deref().or(own).unwrap_or("an answer is open");
    let lines = std::iter::once(format!("undecided: {why}"));
    let lines: Vec<String> = lines.chain(open().map(|it| it.name.clone())).collect();
    Some(QuestionCase { readers, ..case(answer, ANSWERED, Status::Undecided, lines.join("\n")) })
}
