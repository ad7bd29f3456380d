//! Waits for a cure that never comes, as a table of 80 columns.

use deathwatch_documents::assumed::StuckRun;

use super::text::paragraph;

pub fn stuck(run: &StuckRun) -> String {
    let mut text = String::new();
    paragraph(&mut text, 0, 2, &run.scenario);
    if run.stuck.is_empty() {
        paragraph(&mut text, 2, 4, "nothing here can need a cure");
    }
    for cure in &run.stuck {
        text.push('\n');
        paragraph(&mut text, 0, 2, &format!("unless {}", cure.says));
        if cure.waits.is_empty() {
            paragraph(&mut text, 2, 4, "nothing waits for ever");
        }
        for wait in &cure.waits {
            paragraph(&mut text, 2, 4, &format!("not: {}", wait.claim));
            let is_known = !wait.chain.is_empty();
            let lines =
                if is_known { &wait.chain[..] } else { std::slice::from_ref(&wait.subject) };
            for line in lines {
                paragraph(&mut text, 4, 6, line);
            }
        }
    }
    text
}
