//! `PROTOCOL.md`: from the documents to the code, then every clause with the claims that check it.
//!
//! The text above the first mark and below the second is written by hand and stays.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_model::clause::{Clause, Rule};

use super::{
    Answered, guide,
    markdown::{From, few, head, links, row, say},
    weaken::{Cut, Noticed, explanation},
};

/// The mark at the beginning of the generated part.
const BEGIN: &str = "<!-- From here on `cargo run --release -- report` writes; edit what it is made of instead. -->";
/// The mark at its end.
const END: &str = "<!-- Here it ends. -->";
/// The explanation of the claims in a clause's row.
const CLAIMS: &str = "**Claims it matters to** are those that are violated when the clause, or only \
     its asserts, is switched off in one of a few small worlds. This is computed: `deathwatch \
     report` searches all runs of each of these worlds again without the clause. \
     [reports/clauses.md](reports/clauses.md) names the worlds and has the whole answer. A clause \
     that no claim misses is listed at the end of this file, with the reason. A clause that is \
     switched off is gone from planning and from the commit: it refuses nothing, its branch is not \
     taken, nothing of it is done. Without its asserts it is planned as ever, and the commit does \
     not look again.";
/// The explanation of the scenarios in a clause's row.
const SCENARIOS: &str = "**Scenarios** are those that are about the clause, then those in which it \
     has to be carried out on some run.";
/// The number of claims and scenarios that are named in a cell.
const NAMED: usize = 2;

/// The file with a new part between the marks.
pub(super) fn page(file: &str, answered: &[Answered], noticed: &[Noticed]) -> String {
    let (before, rest) = file.split_once(BEGIN).unwrap_or((file, ""));
    let after = rest.split_once(END).map_or("\n", |(_, after)| after);
    let mut page = before.to_owned();
    page.push_str(BEGIN);
    page.push('\n');
    page.push_str(&guide::tables());
    page.push_str("\n## The rules, clause by clause\n");
    say(&mut page, CLAIMS);
    say(&mut page, SCENARIOS);
    for &rule in Rule::ALL {
        section(&mut page, rule, answered, noticed);
    }
    unnoticed(&mut page, noticed);
    let _ = write!(page, "\n{END}{after}");
    page
}

fn section(page: &mut String, rule: Rule, answered: &[Answered], noticed: &[Noticed]) {
    let _ = write!(page, "\n### {}\n", rule.name());
    let file = format!("model/src/{}", rule.file());
    say(page, &format!("File: [{file}]({file})"));
    head(page, &["clause", "says", "passage", "claims it matters to", "scenarios"]);
    for info in rule.clauses() {
        let clause = Clause { rule, number: info.number };
        let name = format!("`{clause}`");
        let claims = claims(clause, noticed);
        row(page, &[&name, info.says, info.source, &claims, &scenarios(clause, answered)]);
    }
}

/// The claims that are violated without the clause.
fn claims(clause: Clause, noticed: &[Noticed]) -> String {
    let mine = noticed.iter().filter(|it| it.clause == clause);
    let mut seen = BTreeSet::new();
    let broken = mine.flat_map(|it| &it.broken).filter(|(claim, _)| seen.insert(claim.name));
    let broken: Vec<String> = broken.map(|(claim, _)| claim.name.to_owned()).collect();
    let none = "[none](#clauses-that-no-claim-misses)";
    let text = few(&broken, NAMED, none);
    match text.rsplit_once(" and ") {
        Some((named, more)) if broken.len() > NAMED + 1 => {
            format!("{named} and [{more}](reports/clauses.md)")
        }
        _ => text,
    }
}

/// The scenarios that are about the clause, then those that have it as a witness.
fn scenarios(clause: Clause, answered: &[Answered]) -> String {
    let about = answered.iter().filter(|it| it.scenario.rules.contains(&clause));
    let seen = answered.iter().filter(|it| {
        it.scenario.witnesses.contains(&clause) && !it.scenario.rules.contains(&clause)
    });
    links(From::Project, about.chain(seen), NAMED)
}

/// The clauses that can be switched off without violating a claim, each with the explanation.
fn unnoticed(page: &mut String, noticed: &[Noticed]) {
    page.push_str("\n## Clauses that no claim misses\n");
    head(page, &["clause", "why"]);
    for it in noticed.iter().filter(|it| it.cut == Cut::Whole && it.broken.is_empty()) {
        let why = explanation(it.clause);
        row(page, &[&format!("`{}`", it.clause), why]);
    }
}
