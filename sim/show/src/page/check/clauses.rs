//! The clauses with their texts and passages, once on a page, to which steps lead.

use deathwatch_model::clause::Clause;
use maud::{Markup, html};

pub(super) fn all() -> Markup {
    html! {
        details.clauses {
            summary { "Every clause with its text and its passages" }
            dl {
                @for clause in Clause::all() {
                    @if let Some(info) = clause.info() {
                        dt id=(id(&clause.to_string())) { code { (clause) } }
                        dd { (info.says) " " span.quiet { (info.source) } }
                    }
                }
            }
        }
    }
}

/// A clause, which leads to its text.
pub(super) fn link(name: &str) -> Markup {
    html! { a href=(format!("#{}", id(name))) { code { (name) } } }
}

fn id(name: &str) -> String {
    format!("clause-{name}")
}
