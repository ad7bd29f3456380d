//! The headline of a run that violates its claim: the claim, and its root.

use maud::{Markup, html};

use super::{Explored, claims::verdict_text};
use crate::page::head;

/// The headline, at the end of such a run.
pub(super) fn headline(explored: &Explored<'_>) -> Markup {
    let run = explored.run;
    let strip = run.claims.iter().find(|strip| explored.claim == Some(strip.claim.as_str()));
    let said = strip.and_then(|strip| Some((strip, verdict_text(run, strip)?)));
    let Some((strip, (false, said))) = said else { return html! {} };
    let is_end = explored.at == run.steps.len();
    let decided = strip.decided.as_ref().and_then(|it| it.state.checked_sub(1));
    let by = decided.and_then(|index| run.steps.get(index));
    html! {
        section #headline aria-label="What this run shows" {
            h2.cause { span { span.bad { "violated: " } (strip.claim) } }
            @if let Some(step) = by {
                p.cause {
                    "By " a href=(explored.links.at(step.number)) { "step " (step.number) } ", "
                    strong { (step.act.action) } " by " (step.act.actor) "."
                }
            } @else {
                p.cause { (capitalized(&said)) "." }
                @if is_end {
                    @for graph in &explored.wait_for.0 {
                        @for root in &graph.roots { (head::held_by(root, graph)) }
                    }
                }
            }
        }
    }
}

/// The verdict with a capital, without the words that the heading has already.
fn capitalized(said: &str) -> String {
    let said = said.strip_prefix("violated: ").unwrap_or(said);
    let (first, rest) = said.split_at_checked(1).unwrap_or((said, ""));
    first.to_uppercase() + rest
}
