//! What waits for a cure that never comes, as a table of 80 columns.

use deathwatch_study::assume::{Stuck, Wait};

use super::text::paragraph;

/// One scenario.
pub fn stuck(scenario: &str, all: &[Stuck]) -> String {
    let mut text = String::new();
    paragraph(&mut text, 0, 2, scenario);
    if all.is_empty() {
        paragraph(&mut text, 2, 4, "nothing here can need a cure");
    }
    for Stuck { without, waits } in all {
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
