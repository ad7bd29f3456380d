//! A clause: its text, which unfolds to the passages that it rests on, and to the lines of Rust
//! that carry it out.

use deathwatch_claims::passages::citations;
use deathwatch_documents::Run;
use maud::{Markup, html};

/// A place of the model where a clause is carried out.
struct CodePlace {
    /// The name of the clause.
    clause: &'static str,
    /// The file, from the root of the repository.
    file: &'static str,
    /// The first line that cites the clause.
    line: u32,
    /// The function.
    function: &'static str,
    /// The statements that cite the clause; `…` stands for the lines between them.
    code: &'static str,
}

/// All places, in the order of the names of clauses. The build script reads them off the model.
static PLACES: &[CodePlace] = include!(concat!(env!("OUT_DIR"), "/places.rs"));

/// A clause of a run, folded.
pub(super) fn folded(run: &Run, clause: &str) -> Markup {
    let Some(text) = run.clauses.get(clause) else { return html! { p { code { (clause) } } } };
    html! {
        details.clause {
            summary { (name_and_text(run, clause)) }
            @for citation in citations(&text.source) {
                @for passage in citation.passages() {
                    p { span.quiet { (citation) } " " (passage.about()) }
                }
            }
            @for place in PLACES.iter().filter(|place| place.clause == clause) {
                p.quiet { (place.file) ":" (place.line) ", in " code { (place.function) } }
                pre.source { (place.code) }
            }
        }
    }
}

/// A clause of a run with its text and the passages that it cites.
pub(super) fn name_and_text(run: &Run, clause: &str) -> Markup {
    html! {
        code { (clause) } " "
        @if let Some(text) = run.clauses.get(clause) { (text.says) " " span.quiet { (text.source) } }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use deathwatch_model::clause::Clause;

    use super::*;

    #[test]
    fn each_clause_has_lines_of_rust_and_no_line_is_of_no_clause() {
        let all: BTreeSet<String> = Clause::all().map(|it| it.to_string()).collect();
        let carried_out: BTreeSet<String> = PLACES.iter().map(|it| it.clause.to_owned()).collect();
        assert_eq!(all, carried_out);
    }

    /// Statements shown for a clause stand in the named file, at the named line.
    #[test]
    fn the_lines_are_those_of_the_model() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for CodePlace { clause, file, line, function, code } in PLACES {
            let text = fs::read_to_string(root.join(file)).expect(file);
            let lines: BTreeSet<&str> = text.lines().map(str::trim).collect();
            let shown = || code.lines().map(str::trim).filter(|it| *it != "…");
            assert!(shown().all(|it| lines.contains(it)), "{clause}: {code}");
            let named = text.lines().nth(*line as usize - 1).expect(file).trim();
            assert!(shown().any(|it| it == named), "{clause}, {file}:{line}: {named}");
            assert!(text.contains(&format!("fn {function}")), "{clause}, {file}: {function}");
        }
    }

    #[test]
    fn the_statements_of_a_clause_are_those_that_carry_it_out() {
        let shown = |clause: &str, function: &str| {
            let mut of = PLACES.iter().filter(|it| it.clause == clause && it.function == function);
            of.next().unwrap_or_else(|| panic!("{clause} in {function}")).code
        };
        for (clause, function, code) in [
            ("leave-scope.4", "leave_scope", "txn.change(4, relation, RelationChange::Remove);"),
            ("leave-scope.6", "release_counterpart", "remove_application(txn, 6, id);"),
            // The number is an argument of the caller.
            ("destroy-unit.1", "destroy_unit", "require_alive(txn, 1, id)?"),
            // The condition of a duty is part of it, and so is the line of the document.
            ("machine-agent.5", "owed", "// Detect its machine's Dying state, and set it to Dead."),
            ("machine-agent.5", "owed", "if machine.life == Dying && sets_dead(me, list.world) {"),
            // What a function says by number.
            ("unit-agent.8", "departure", "(_, Dying) if is_member => Some(8),"),
            // What a comment names.
            ("assign-unit.7", "assign", "txn.require(satisfied, machine"),
            // The rule of a function that the number is told, by name and from another file.
            ("relation-hooks.13", "wakes_for_nothing", "relations::SAME_SETTINGS_CHANGE_NOTHING"),
            ("workflow.9", "has_node", "workflow::clause(9)"),
        ] {
            let told = shown(clause, function);
            assert!(told.contains(code), "{clause}: {told}");
        }
        // A number that is none of a clause: `any([Units(1)])` in the lines of clause 3.
        assert_eq!(shown("leave-scope.1", "leave_scope").lines().count(), 1);
    }
}
