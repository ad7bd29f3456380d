//! Why no claim notices that a clause is gone: a sentence for each clause of which that is so.

use deathwatch_model::clause::Clause;

use super::{Cut, Noticed};

/// Why no claim notices that `clause` is switched off, if somebody said so.
pub fn explanation(clause: Clause) -> Option<&'static str> {
    let name = clause.to_string();
    UNNOTICED.iter().find(|(clause, _)| *clause == name).map(|(_, why)| *why)
}

/// The clauses that lack an explanation, and those that have one and need none.
pub fn unexplained(noticed: &[Noticed]) -> (Vec<String>, Vec<String>) {
    let unnoticed: Vec<String> = noticed
        .iter()
        .filter(|it| it.cut == Cut::Whole && it.broken.is_empty())
        .map(|it| it.clause.to_string())
        .collect();
    let explained = UNNOTICED.iter().map(|(clause, _)| (*clause).to_owned());
    let superfluous = explained.filter(|clause| !unnoticed.contains(clause)).collect();
    let is_explained = |name: &str| UNNOTICED.iter().any(|(clause, _)| *clause == name);
    (unnoticed.iter().filter(|it| !is_explained(it)).cloned().collect(), superfluous)
}

/// Sentences without a full stop, which follow "no claim notices:".
const UNNOTICED: &[(&str, &str)] = &[];
