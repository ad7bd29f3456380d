//! What waits for a cure that never comes, as a table of 80 columns or as JSON.

use deathwatch_sim::assume::{Stuck, Wait};
use serde_json::{Value, json};

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
        for Wait { claim, subject, chain } in waits {
            paragraph(&mut text, 2, 4, &format!("not: {}", claim.name));
            paragraph(&mut text, 4, 6, if chain.is_empty() { subject } else { chain });
        }
    }
    text
}

/// One scenario, as JSON.
pub(super) fn json(scenario: &str, stuck: &[Stuck]) -> Value {
    let wait = |wait: &Wait| json!({"claim": wait.claim.name, "subject": wait.subject, "chain": wait.chain});
    let one = |stuck: &Stuck| {
        let waits: Vec<Value> = stuck.waits.iter().map(wait).collect();
        json!({"without": stuck.without.row().key, "waits": waits})
    };
    json!({"scenario": scenario, "stuck": stuck.iter().map(one).collect::<Vec<_>>()})
}
