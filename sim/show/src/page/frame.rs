//! The frame of a page: its head, its style, its script, and the policy that lets nothing else in.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use deathwatch_scenario::escape::escape_lines;

const STYLE: &str = include_str!("style.css");
/// The script by which every page can change its theme.
const THEME: &str = include_str!("theme.js");

/// The behaviour of a page beside showing its text.
struct Behaviour {
    script: &'static str,
    /// The rules that its style sheet has beside those of all pages.
    style: &'static str,
    /// The addresses to which its forms and its script may send requests, as a content policy.
    server: &'static str,
}

const FILE: Behaviour =
    Behaviour { script: include_str!("script.js"), style: "", server: "'none'" };

/// A file with the graph of a world.
const GRAPH: Behaviour = Behaviour {
    script: concat!(include_str!("script.js"), include_str!("graph.js")),
    style: "",
    server: "'none'",
};

/// A file about a real model.
const DIAGNOSIS: Behaviour = Behaviour {
    script: include_str!("script.js"),
    style: include_str!("diagnosis/style.css"),
    server: "'none'",
};

const ASSUMED: Behaviour = Behaviour {
    script: include_str!("script.js"),
    style: include_str!("assumed/style.css"),
    server: "'none'",
};

const EXPLORER: Behaviour = Behaviour {
    script: include_str!("explorer/script.js"),
    style: include_str!("explorer/style.css"),
    server: "'self'",
};

/// The name by which a page says who has made it.
pub(super) const GENERATOR: &str = "deathwatch, which writes it again";

/// The page with this title and body. Invisible characters are escaped.
pub(super) fn frame(title: &str, body: &Markup) -> String {
    framed(title, body, &FILE)
}

/// The page with this title and body, which has the graph of a world.
pub(super) fn with_graph(title: &str, body: &Markup) -> String {
    framed(title, body, &GRAPH)
}

/// The page about a real model with this title and body.
pub(super) fn diagnosis(title: &str, body: &Markup) -> String {
    framed(title, body, &DIAGNOSIS)
}

/// The page of the needs of claims, with this title and body.
pub(super) fn assumed(title: &str, body: &Markup) -> String {
    framed(title, body, &ASSUMED)
}

/// The page of the explorer with this title and body.
pub(super) fn explorer(title: &str, body: &Markup) -> String {
    framed(title, body, &EXPLORER)
}

fn framed(title: &str, body: &Markup, behaviour: &Behaviour) -> String {
    let script = format!("{THEME}{}", behaviour.script);
    let style = format!("{STYLE}{}", behaviour.style);
    let server = behaviour.server;
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action {server}; \
         connect-src {server}",
        source(&style),
        source(&script),
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · deathwatch" }
                style { (PreEscaped(&style)) }
            }
            body {
                (marks())
                header.bar {
                    strong { "deathwatch" }
                    " " span.quiet { (title) }
                    button #theme type="button" hidden { "light / dark" }
                }
                (body)
                script { (PreEscaped(&script)) }
            }
        }
    };
    escape_lines(&page.into_string()).into_owned()
}

/// A style or a script, as a policy names it.
pub(super) fn source(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The shapes that stand for lives, and for steps.
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
            defs {
                circle #step-done r="6" {}
                circle #step-planned.step-planned r="5" {}
                rect #step-local x="-5" y="-5" width="10" height="10" rx="2" {}
                path #step-fault d="M-5-5l10 10m0-10l-10 10" {}
                g #step-failed { circle.step-planned r="5" {} path.step-failed d="M-3-3l6 6m0-6l-6 6" {} }
                circle #step-reached r="3.5" {}
                path #step-met d="M-4 0l3 3l6-7" {}
            }
        }
    }
}
