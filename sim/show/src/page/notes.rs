//! The mark of claims that read the notes of agents, with its meaning on hover.

use deathwatch_documents::{NOTED, READ_OFF_NOTES};
use maud::{Markup, html};

/// The mark behind the name of a claim, if it `reads_notes`.
pub(super) fn mark(reads_notes: bool) -> Markup {
    html! { @if reads_notes { " " abbr title=(READ_OFF_NOTES) tabindex="0" { (NOTED) } } }
}
