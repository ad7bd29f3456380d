//! `PROTOCOL.md`: from the documents to the code, then every clause with the claims that check it.
//!
//! The text above the first mark and below the second is written by hand and stays.

use std::collections::BTreeSet;

use deathwatch_documents::marked;
use deathwatch_model::clause::{Clause, ClauseInfo, Rule};
use minijinja::{Value, context};

use super::{
    AnsweredScenario, guide,
    markdown::{From, few, links},
    template::{render, safe},
    weaken::{ClauseCut, Noticed, explanation},
};

/// The mark at the beginning of the generated part.
const BEGIN: &str = "<!-- From here on `cargo run --release -- report` writes; edit what it is made of instead. -->";
const END: &str = "<!-- Here it ends. -->";
/// The number of claims and scenarios that are named in a cell.
const NAMED: usize = 2;

/// The file with a new part between the marks.
pub(super) fn page(file: &str, answered: &[AnsweredScenario], noticed: &[Noticed]) -> String {
    let (before, rest) = file.split_once(BEGIN).unwrap_or((file, ""));
    let after = rest.split_once(END).map_or("\n", |(_, after)| after);
    let clause = |rule: Rule, info: &ClauseInfo| {
        let clause = Clause { rule, number: info.number };
        context! {
            name => clause.to_string(),
            says => info.says,
            source => info.source,
            claims => claims(clause, noticed),
            scenarios => scenarios(clause, answered),
        }
    };
    let rule = |rule: Rule| {
        let clauses = rule.clauses().iter().map(|info| clause(rule, info)).collect::<Vec<_>>();
        context! { name => rule.name(), file => rule.file(), clauses }
    };
    let unnoticed = noticed.iter().filter(|it| it.cut == ClauseCut::Whole && it.broken.is_empty());
    let unnoticed = unnoticed.map(|it| {
        context! { name => it.clause.to_string(), why => explanation(it.clause) }
    });
    let data = context! {
        guide => safe(guide::tables()),
        rules => Rule::ALL.iter().map(|it| rule(*it)).collect::<Vec<Value>>(),
        unnoticed => unnoticed.collect::<Vec<_>>(),
    };
    let made = render(include_str!("pages/protocol.md"), data);
    format!("{before}{BEGIN}\n\n{made}\n{END}{after}")
}

/// The claims that are violated without the clause.
fn claims(clause: Clause, noticed: &[Noticed]) -> String {
    let mine = noticed.iter().filter(|it| it.clause == clause);
    let mut seen = BTreeSet::new();
    let broken = mine.flat_map(|it| &it.broken).filter(|(claim, _)| seen.insert(claim.name));
    let broken: Vec<String> = broken.map(|(claim, _)| marked(claim)).collect();
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
fn scenarios(clause: Clause, answered: &[AnsweredScenario]) -> String {
    let about = answered.iter().filter(|it| it.scenario.rules.contains(&clause));
    let seen = answered.iter().filter(|it| {
        it.scenario.witnesses.contains(&clause) && !it.scenario.rules.contains(&clause)
    });
    links(From::Project, about.chain(seen), NAMED)
}
