//! The cases of a sweep. A build server has a case for each part of the seeds: one for each seed
//! would be too many for a viewer, and one for each claim would hide where it fails. A claim that
//! must be violated by some seed is a case of its own. Hosts have a case for each claim.

use deathwatch_documents::{
    QuestionKind, Status, Sweep, WaitFor,
    case::{Cases, QuestionCase, Readers},
    sweep::{SeedPart, SweptClaim},
};

use super::{ANSWERED, SCRIPT, file, line_of};
use crate::sweep;

/// The cases of the seeds of a scenario.
pub fn of_sweep(swept: &Sweep) -> Cases {
    let failures = swept.failures.iter();
    let mut all: Vec<QuestionCase> = failures
        .map(|it| QuestionCase {
            line: line_of(it),
            brief: format!("script: {it}"),
            ..case(swept, Readers::All, SCRIPT, Status::Unexpected, it.clone())
        })
        .collect();
    let claims = swept.claims.iter();
    all.extend(claims.clone().filter(|it| it.needs_a_seed()).map(|it| needs_a_seed(swept, it)));
    // The first part may be empty, the others are not.
    let parts = swept.parts.iter().enumerate();
    let parts = parts.filter(|(at, part)| *at > 0 || part.seeds > 0);
    all.extend(parts.map(|(_, it)| part(swept, it)));
    all.extend(claims.filter(|it| it.status.is_wrong()).map(|it| claim(swept, it)));
    all.extend(open(swept));
    Cases {
        suite: swept.scenario.clone(),
        scenario: swept.scenario.clone(),
        file: file(&swept.file),
        seconds: swept.seconds,
        all,
    }
}

fn case(
    swept: &Sweep,
    readers: Readers,
    question: &str,
    status: Status,
    message: String,
) -> QuestionCase {
    let known = swept.known.map(|_| false);
    QuestionCase { known, readers, ..super::case(question, status, message) }
}

fn needs_a_seed(swept: &Sweep, claim: &SweptClaim) -> QuestionCase {
    let question = format!("some seed {} \"{}\"", claim.kind.decides(), claim.name);
    // That no seed does is a failure that no baseline knows.
    let (status, says) = match (claim.status, &swept.reason) {
        (Status::AsExpected, _) => (Status::AsExpected, String::new()),
        (Status::Undecided, Some(why)) => (Status::Undecided, format!("no seed so far: {why}")),
        (Status::Undecided, None) => (Status::Undecided, "no seed so far".to_owned()),
        _ => (Status::Unexpected, "no seed does".to_owned()),
    };
    case(swept, Readers::BuildServers, &question, status, says)
}

fn part(swept: &Sweep, part: &SeedPart) -> QuestionCase {
    let mut lines = Vec::new();
    let of = |claim: &str| swept.claims.iter().find(|it| it.name == claim);
    for it in &part.surprises {
        let (seed, claim) = (it.first_seed, &it.claim);
        let more = match it.seeds {
            1 => String::new(),
            seeds => format!(" and {} more", seeds - 1),
        };
        let decided = of(claim).map_or(QuestionKind::Always, |known| known.kind).decided();
        lines.push(format!("seed {seed}{more}: {decided}: \"{claim}\""));
        lines.push(format!("step {} of {}, for {}", it.step, it.steps, it.subject));
        lines.extend(it.wait_for.iter().flat_map(WaitFor::sentences));
        lines.extend(it.commands.clone());
    }
    lines.extend(part.diverged.as_ref().map(sweep::diverged));
    let is_known = |claim: &str| of(claim).is_some_and(|it| it.status == Status::Known);
    let are_known = part.surprises.iter().all(|it| is_known(&it.claim));
    let is_odd = part.diverged.is_some() || part.unsettled.is_some();
    let status = match &part.unsettled {
        _ if !lines.is_empty() && are_known && !is_odd => Status::Known,
        _ if !lines.is_empty() => Status::Unexpected,
        Some(odd) => {
            lines.push(sweep::unsettled(odd));
            Status::Undecided
        }
        None => {
            lines.extend((part.seeds == 0).then(|| "none of these seeds was run".to_owned()));
            Status::AsExpected
        }
    };
    case(swept, Readers::BuildServers, &part.name, status, lines.join("\n"))
}

/// A claim with an unexpected answer, and the waits of one kind of failure.
fn claim(swept: &Sweep, claim: &SweptClaim) -> QuestionCase {
    let headline = sweep::headline(claim);
    let mut lines = vec![headline.clone()];
    let groups = swept.groups.iter();
    let mut groups = groups.filter(|group| group.claims.iter().any(|it| it.name == claim.name));
    if let Some(group) = groups.next() {
        lines.extend(group.wait_for.iter().flat_map(WaitFor::sentences));
        lines.extend([group.replay.clone(), group.shrink.clone()]);
    }
    QuestionCase {
        known: claim.known,
        source: Some(claim.source.clone()),
        brief: headline,
        ..case(swept, Readers::Hosts, &claim.name, claim.status, lines.join("\n"))
    }
}

/// Seeds that were not run, or not to their end, or another way when run again.
fn open(swept: &Sweep) -> Vec<QuestionCase> {
    let hosts = |question, status, it| case(swept, Readers::Hosts, question, status, it);
    let mut all = Vec::new();
    if !swept.missing.is_empty() {
        let (why, seeds) = (swept.reason.as_deref().unwrap_or_default(), swept.missing.join(", "));
        let text = format!("{why}\nthese seeds are not run: {seeds}");
        let readers = Readers::BuildServers;
        all.push(case(swept, readers, "every seed is run", Status::Undecided, text));
    }
    let diverged = swept.diverged.as_ref().map(sweep::diverged);
    all.extend(diverged.map(|it| hosts("a seed is one run", Status::Unexpected, it)));
    let why = swept.reason.as_ref().filter(|_| swept.status == Status::Undecided);
    let unsettled = swept.unsettled.as_ref().map(sweep::unsettled);
    let open = unsettled.into_iter().chain(why.map(|it| format!("undecided: {it}")));
    all.extend(open.map(|it| hosts(ANSWERED, Status::Undecided, it)));
    all
}
