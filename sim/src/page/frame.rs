//! The frame of a page: its head, its style, its script, and the policy that lets nothing else in.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::escape::escape_lines;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page with this title and body. Characters that nobody sees are escaped.
pub(super) fn frame(title: &str, body: &Markup) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        source(STYLE),
        source(SCRIPT),
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · deathwatch" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (marks())
                header.bar {
                    strong { "deathwatch" }
                    " " span.quiet { (title) }
                    button #theme type="button" hidden { "light / dark" }
                }
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    escape_lines(&page.into_string()).into_owned()
}

/// A style or a script, as a policy names it.
pub(super) fn source(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The shapes by which lives are told apart.
fn marks() -> Markup {
    html! {
        svg.defs width="0" height="0" aria-hidden="true" {
            symbol id="mark-alive" viewBox="0 0 10 10" { circle cx="5" cy="5" r="4.2" {} }
            symbol id="mark-dying" viewBox="0 0 10 10" { path d="M.6 1.2h8.8L5 9.2z" {} }
            symbol id="mark-dead" viewBox="0 0 10 10" {
                path d="M1 1h8v8H1zM1 1l8 8M9 1L1 9" fill="none" stroke="currentColor"
                    stroke-width="1.4" {}
            }
            symbol id="mark-gone" viewBox="0 0 10 10" {
                circle cx="5" cy="5" r="4" fill="none" stroke="currentColor"
                    stroke-dasharray="2 1.6" {}
            }
        }
    }
}
