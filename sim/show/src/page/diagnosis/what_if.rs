//! Outcomes of a case, one line for each step that an operator might take.

use deathwatch_documents::diagnosis::{Case, ThingOutcome, WhatIf, WhatIfGoes, WhatIfKind};
use maud::{Markup, html};

use crate::diagnosis::tried;

pub(super) fn panel(case: &Case) -> Markup {
    html! {
        @if !case.what_if.is_empty() {
            section.panel aria-label="What if you …" {
                h2 { "What if you …" small { "each was tried in the states that Juju's output allows" } }
                div.scroll {
                    table.stacked.what-if {
                        thead { tr { th { "what you do" } th { "does all go?" } th { "what stays" } } }
                        tbody { @for it in &case.what_if { (row(it)) } }
                    }
                }
            }
        }
        @if !case.goes.is_empty() {
            details.things {
                summary { "What becomes of each thing" }
                ul { @for it in &case.goes { li { strong { (it.thing) } " " (outcome(it)) } } }
            }
        }
    }
}

fn row(what_if: &WhatIf) -> Markup {
    let (class, goes) = match what_if.goes {
        WhatIfGoes::Yes => ("good", "yes"),
        WhatIfGoes::No => ("bad", "no"),
        WhatIfGoes::InSomeStates => ("open", "in some of these states"),
        WhatIfGoes::Undecided => ("open", "not decided"),
    };
    html! {
        tr {
            th scope="row" {
                (doing(what_if))
                @for how in &what_if.how { br; code { (how) } }
            }
            td {
                strong.(class) { (goes) }
                span.quiet {
                    (tried(what_if))
                    @if let Some(states) = what_if.following { " " (states) " states searched" }
                }
            }
            td { (what_if.stays.join(", ")) }
        }
    }
}

fn doing(what_if: &WhatIf) -> String {
    let doing = &what_if.doing;
    match what_if.kind {
        WhatIfKind::Nothing | WhatIfKind::Act | WhatIfKind::Force => doing.clone(),
        WhatIfKind::Upgrade => format!("upgrade to a Juju in which {doing}"),
    }
}

fn outcome(it: &ThingOutcome) -> String {
    if it.by_itself {
        "goes by itself".to_owned()
    } else if it.needs.is_empty() {
        "stays, whatever you do short of force".to_owned()
    } else {
        let needs: Vec<String> = it.needs.iter().map(|set| set.join(" and ")).collect();
        format!("goes if {}", needs.join(", or "))
    }
}
