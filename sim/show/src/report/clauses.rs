//! The page of clauses: which claims are violated without each.

use std::collections::BTreeSet;

use deathwatch_claims::Claim;
use deathwatch_scenario::scenario::Scenario;
use minijinja::{Value, context};

use super::{
    template::render,
    weaken::{Cut, Noticed, explanation, worlds},
};

/// The number of claims that are named in a cell.
const NAMED: usize = 4;

/// The page.
pub(super) fn page(noticed: &[Noticed]) -> String {
    let whole = noticed.iter().filter(|it| it.cut == Cut::Whole);
    let rows = whole.map(|it| {
        let is_its = |other: &&Noticed| other.cut == Cut::Asserts && other.clause == it.clause;
        row(it, noticed.iter().find(is_its))
    });
    let data = context! {
        worlds => worlds().len() as u64,
        rows => rows.collect::<Vec<_>>(),
        ..two_users(noticed)
    };
    render(include_str!("pages/clauses.md"), data)
}

/// A clause: what is violated without it, without its asserts, and where.
fn row(whole: &Noticed, asserts: Option<&Noticed>) -> Value {
    let parts = || [Some(whole), asserts].into_iter().flatten();
    let worlds: BTreeSet<&str> =
        parts().flat_map(|it| among(&it.broken)).map(String::as_str).collect();
    let undecided: BTreeSet<&str> =
        parts().flat_map(|it| &it.undecided).map(String::as_str).collect();
    let without = match &whole.broken[..] {
        [] => format!("none: {}", explanation(whole.clause)),
        some => names(some),
    };
    context! {
        clause => whole.clause.to_string(),
        without,
        asserts => asserts.map(|it| names(&it.broken)).unwrap_or_default(),
        worlds => worlds.into_iter().collect::<Vec<_>>().join(", "),
        undecided => undecided.into_iter().collect::<Vec<_>>().join(", "),
    }
}

/// Claims, each with the worlds that show it.
type Broken = [(&'static Claim, Vec<String>)];

fn among(broken: &Broken) -> impl Iterator<Item = &String> {
    broken.iter().flat_map(|(_, worlds)| worlds)
}

/// The first few names of the claims.
fn names(broken: &Broken) -> String {
    let shown = if broken.len() > NAMED + 1 { NAMED } else { broken.len() };
    let mut names: Vec<&str> = broken.iter().take(shown).map(|(claim, _)| claim.name).collect();
    let more = format!("and {} more", broken.len() - shown);
    if broken.len() > shown {
        names.push(&more);
    }
    names.join("; ")
}

/// The asserts that matter only if two users give commands at once.
fn two_users(noticed: &[Noticed]) -> Value {
    let chosen = |is_one: fn(&Scenario) -> bool| -> BTreeSet<String> {
        let worlds = worlds().into_iter().filter(|(_, world)| is_one(world));
        worlds.map(|(name, _)| name).collect()
    };
    let searched = chosen(|it| it.world.more_users == 0 && it.steps.is_empty());
    let scripts = chosen(|it| !it.steps.is_empty());
    let within = |names: &BTreeSet<String>, it: &Noticed| {
        let mine: BTreeSet<&String> = among(&it.broken).filter(|it| names.contains(*it)).collect();
        let mine: Vec<&str> = mine.into_iter().map(String::as_str).collect();
        if mine.is_empty() { "none".to_owned() } else { mine.join(", ") }
    };
    let races: Vec<&Noticed> = noticed.iter().filter(|it| !it.races.is_empty()).collect();
    let alone = races.iter().filter(|it| within(&searched, it) == "none").count();
    let rows = races.iter().map(|it| {
        let worlds: BTreeSet<&str> = among(&it.races).map(String::as_str).collect();
        context! {
            clause => it.clause.to_string(),
            claims => names(&it.races),
            worlds => worlds.into_iter().collect::<Vec<_>>().join(", "),
            by_one => within(&searched, it),
            scripts => within(&scripts, it),
        }
    });
    context! { races => rows.collect::<Vec<_>>(), alone => alone as u64 }
}
