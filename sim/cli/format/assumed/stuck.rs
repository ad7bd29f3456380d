//! What waits for a cure that never comes, as a table of 80 columns or as JSON.

use deathwatch_documents::assumed::{StuckRun, StuckWithout, WaitingClaim};
use deathwatch_study::assume::{Stuck, Wait};

use super::text::paragraph;

/// One scenario, as text.
pub(super) fn text(scenario: &str, stuck: &[Stuck]) -> String {
    let mut text = String::new();
    paragraph(&mut text, 0, 2, scenario);
    if stuck.is_empty() {
        paragraph(&mut text, 2, 4, "nothing here can need a cure");
    }
    for Stuck { without, waits } in stuck {
        text.push('\n');
        paragraph(&mut text, 0, 2, &format!("unless {}", without.row().says));
        if waits.is_empty() {
            paragraph(&mut text, 2, 4, "nothing waits for ever");
        }
        for Wait { claim, subject, chain, .. } in waits {
            paragraph(&mut text, 2, 4, &format!("not: {}", claim.name));
            let lines = if chain.is_empty() { std::slice::from_ref(subject) } else { chain };
            for line in lines {
                paragraph(&mut text, 4, 6, line);
            }
        }
    }
    text
}

/// One scenario, as a document.
pub(super) fn document(scenario: &str, stuck: &[Stuck]) -> StuckRun {
    let wait = |Wait { claim, subject, chain, wait_for }: &Wait| WaitingClaim {
        claim: claim.name.to_owned(),
        subject: subject.clone(),
        chain: chain.join("; "),
        wait_for: wait_for.clone(),
    };
    let one = |stuck: &Stuck| StuckWithout {
        without: stuck.without.row().key.to_owned(),
        waits: stuck.waits.iter().map(wait).collect(),
    };
    StuckRun { scenario: scenario.to_owned(), stuck: stuck.iter().map(one).collect() }
}
