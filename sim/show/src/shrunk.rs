//! The result of a reduction in a few lines.

use deathwatch_documents::{Outcome, QuestionKind, Shrunk, shrunk::Size};

use crate::text::{number_of, thousands};

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

/// The result of the reduction, which is written to this file, in a few lines.
pub fn summary(shrunk: &Shrunk, file: Option<&str>) -> Vec<String> {
    let both = counts(shrunk.before).into_iter().zip(counts(shrunk.after));
    let both = both.filter(|((before, _), _)| *before > 0);
    let parts = both.map(|((before, name), (after, _))| {
        format!("{} -> {}", number_of(before as u64, name), thousands(after as u64))
    });
    let parts: Vec<String> = parts.collect();
    let mut lines = vec![format!("{} ({} tries)", parts.join(", "), thousands(shrunk.tries))];
    let Shrunk { claim, subject, kind, .. } = shrunk;
    let root = shrunk.root.as_ref().map(|root| format!(", held by {root}")).unwrap_or_default();
    lines.push(format!("{}: \"{claim}\", for {subject}{root}", kind.decided()));
    let (answer, found) = match kind {
        QuestionKind::Reachable => (Outcome::Holds, "such a state"),
        _ => (Outcome::Violated, "the violation"),
    };
    lines.push(match shrunk.check {
        Some(it) if it == answer => format!("an exhaustive search finds {found}, too"),
        Some(_) => format!("an exhaustive search did not get so far as to find {found}"),
        None => "the world is too large for an exhaustive search".to_owned(),
    });
    if !shrunk.minimal {
        lines.push("it was cut short: it may not be minimal".to_owned());
    }
    lines.extend(file.map(|file| format!("written to {file}")));
    lines
}
