//! What waits for a cure that never comes, as a table of 80 columns or as JSON.

use deathwatch_study::assume::{Stuck, Wait};
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

/// One scenario, as JSON.
pub(super) fn json(scenario: &str, stuck: &[Stuck]) -> Value {
    let wait = |Wait { claim, subject, chain, wait_for }: &Wait| {
        let chain = chain.join("; ");
        json!({"claim": claim.name, "subject": subject, "chain": chain, "wait_for": wait_for})
    };
    let one = |stuck: &Stuck| {
        let waits: Vec<Value> = stuck.waits.iter().map(wait).collect();
        json!({"without": stuck.without.row().key, "waits": waits})
    };
    json!({"scenario": scenario, "stuck": stuck.iter().map(one).collect::<Vec<_>>()})
}
