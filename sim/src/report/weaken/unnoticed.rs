//! Why no claim notices that a clause is gone.

use deathwatch_model::clause::Clause;

use super::Cut;

/// Why no claim notices that this is taken from the clause, if somebody said so.
pub fn explanation(clause: Clause, cut: Cut) -> Option<&'static str> {
    let name = clause.to_string();
    let table: &[(&str, &str)] = match cut {
        Cut::Whole => WHOLE,
        Cut::Asserts => ASSERTS,
    };
    table.iter().find(|(clause, _)| *clause == name).map(|(_, why)| *why)
}

/// Of clauses that are switched off altogether.
const WHOLE: &[(&str, &str)] = &[];

/// Of clauses whose asserts alone are switched off.
const ASSERTS: &[(&str, &str)] = &[];
