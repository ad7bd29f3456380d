//! The map of the documents: a square for each passage, which leads to its row.

use deathwatch_claims::passages::{Citation, SourceDocument};
use maud::{Markup, html};

use crate::report::documents::{Coverage, PassageRow};

/// The map of the passages whose rows are in the text of a page.
pub(super) fn map(text: &str) -> Markup {
    let rows: Vec<PassageRow<'_>> = PassageRow::all(text).collect();
    html! {
        section.panel aria-label="Map" {
            h2 { "The documents as a map" small { "a square for each passage, by its first line" } }
            ul.legend {
                @for it in Coverage::ALL { li { span.passage.(class(it)) {} (it.name()) } }
            }
            @for document in SourceDocument::ALL { (squares(document, &rows)) }
        }
    }
}

/// The passages of a document, in line order.
fn squares(document: SourceDocument, rows: &[PassageRow<'_>]) -> Markup {
    let mut squares: Vec<(&Citation, &PassageRow<'_>)> = rows
        .iter()
        .flat_map(|row| row.citations.iter().map(move |citation| (citation, row)))
        .filter(|(citation, _)| citation.document == document)
        .collect();
    squares.sort_by_key(|(citation, _)| **citation);
    html! {
        h3 { (document) ", \"" (document.title()) "\"" }
        ol.passages {
            @for (citation, row) in squares {
                li {
                    a.passage.(class(row.coverage)) href=(format!("#{}", place(row)))
                        title=(format!("{citation}: {} ({})", row.says, row.coverage.name()))
                        { (citation.first) }
                }
            }
        }
    }
}

/// The place of a row on its page.
pub(super) fn place(row: &PassageRow<'_>) -> String {
    row.citations.first().map(Citation::to_string).unwrap_or_default()
}

/// The class of a passage with this coverage.
pub(super) fn class(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Checked => "checked",
        Coverage::CarriedOut => "carries",
        Coverage::Cited => "cited",
        Coverage::LeftOut => "left-out",
        Coverage::Nothing => "nothing",
    }
}
