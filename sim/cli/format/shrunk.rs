//! The result of a reduction in a few lines.

use std::path::Path;

use deathwatch_documents::shrunk::Size;
use deathwatch_model::{check::CheckAnswer, claims::ClaimKind};
use deathwatch_scenario::{describe, scenario::display};
use deathwatch_study::shrink::Shrunk;
use indicatif::HumanCount;

/// The numbers in a size, with their names.
fn counts(size: Size) -> [(usize, &'static str); 5] {
    let Size { steps, machines, applications, units, relations } = size;
    [
        (steps, "steps"),
        (machines, "machines"),
        (applications, "applications"),
        (units, "units"),
        (relations, "relations"),
    ]
}

/// The result of the reduction, in a few lines.
pub(crate) fn summary(
    shrunk: &Shrunk,
    confirmed: Option<CheckAnswer>,
    file: Option<&Path>,
) -> Vec<String> {
    let number = |count: usize| HumanCount(u64::try_from(count).unwrap_or(u64::MAX));
    let both = counts(shrunk.before).into_iter().zip(counts(shrunk.after));
    let both = both.filter(|((before, _), _)| *before > 0);
    let parts: Vec<String> = both
        .map(|((before, name), (after, _))| {
            format!("{} {name} -> {}", number(before), number(after))
        })
        .collect();
    let tries = HumanCount(shrunk.tries);
    let mut lines = vec![format!("{} ({tries} tries)", parts.join(", "))];
    let subject = describe::subject_of(&shrunk.scenario.world, shrunk.claim, shrunk.subject);
    let (kind, name) = (shrunk.claim.kind(), shrunk.claim.name);
    let root = shrunk.root.map(|root| format!(", held by {root}")).unwrap_or_default();
    lines.push(format!("{}: \"{name}\", for {subject}{root}", kind.decided()));
    let (answer, found) = match kind {
        ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => {
            (CheckAnswer::Violated, "the violation")
        }
        ClaimKind::Reachable => (CheckAnswer::Holds, "such a state"),
    };
    lines.push(match confirmed {
        Some(it) if it == answer => format!("an exhaustive search finds {found}, too"),
        Some(_) => format!("an exhaustive search did not get so far as to find {found}"),
        None => "the world is too large for an exhaustive search".to_owned(),
    });
    if !shrunk.is_minimal {
        lines.push("it was cut short: it may not be minimal".to_owned());
    }
    lines.extend(file.map(|file| format!("written to {}", display(file))));
    lines
}
