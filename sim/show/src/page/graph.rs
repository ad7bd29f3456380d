//! The whole graph of a small world in a page: its reader walks through the world.
//!
//! That alone needs a script. Without one, the panel is not there.

use deathwatch_scenario::shell::quoted;
use deathwatch_study::graph::GraphData;
use maud::{Markup, PreEscaped, html};

/// The greatest size of a page with a graph, in bytes.
const MOST_BYTES: usize = 1_000_000;
/// The bytes set aside for a page's style and scripts.
const FRAME: usize = 40_000;

/// The panel, and the data behind it, for a page of which `taken` bytes are taken. Where there is
/// no room, it says so.
pub(super) fn graph(data: &GraphData, taken: usize, file: &str) -> Markup {
    let json = json(data);
    if taken + json.len() + FRAME > MOST_BYTES {
        return html! {
            section.panel aria-label="State by state" {
                h2 { "State by state" }
                p { "With all its states this page would be larger than a megabyte. They are shown by" }
                pre.command { "$ deathwatch explore " (quoted(file)) }
            }
        };
    }
    html! {
        section #walk.panel.scripted aria-label="State by state" hidden {
            h2 { "State by state" small #walk-where aria-live="polite" {} nav aria-label="Walk" { a #walk-start { "⇤" } a #walk-back { "←" } } }
            p #walk-runs {}
            div.columns {
                div { h3 { "What can happen" } ul.walk #walk-next {} }
                div { h3 { "What there is" } ul.walk #walk-lines {} }
            }
            details { summary { "The way" } ol.walk #walk-way {} }
        }
        script #graph type="application/json" { (PreEscaped(json)) }
    }
}

/// The data as JSON in which nothing ends an element.
fn json(data: &GraphData) -> String {
    serde_json::to_string(data).expect("it has texts and numbers").replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_room_for_the_graph_says_how_it_is_shown() {
        let told = |taken| graph(&GraphData::default(), taken, "a b.toml").into_string();
        let (small, large) = (told(0), told(MOST_BYTES - FRAME));
        assert!(small.contains("application/json") && !small.contains("deathwatch explore"));
        assert!(!large.contains("application/json"), "{large}");
        assert!(large.contains("$ deathwatch explore 'a b.toml'"), "{large}");
    }

    /// Style and scripts have to fit into the bytes that are set aside for them.
    #[test]
    fn style_and_scripts_take_no_more_than_is_set_aside() {
        let empty = super::super::frame::with_graph("", &html! {});
        assert!(empty.len() <= FRAME, "{}", empty.len());
    }
}
