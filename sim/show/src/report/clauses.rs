//! The page of clauses: which claims are violated without each.

use std::collections::BTreeSet;

use deathwatch_claims::Claim;
use deathwatch_documents::marked;
use deathwatch_scenario::scenario::Scenario;
use minijinja::{Value, context, value::Serde};

use super::{
    template::render,
    weaken::{ClauseCut, Noticed, explanation, worlds},
};

pub(super) fn page(noticed: &[Noticed]) -> String {
    let whole = noticed.iter().filter(|it| it.cut == ClauseCut::Whole);
    let rows = whole.map(|it| {
        let is_its =
            |other: &&Noticed| other.cut == ClauseCut::Asserts && other.clause == it.clause;
        row(it, noticed.iter().find(is_its))
    });
    let data = context! {
        worlds => worlds().len(),
        rows => rows.collect::<Vec<_>>(),
        ..two_users(noticed)
    };
    render(include_str!("pages/clauses.md"), data)
}

/// A clause, with the violations without it and without its asserts, and their worlds.
fn row(whole: &Noticed, asserts: Option<&Noticed>) -> Value {
    let parts = || [Some(whole), asserts].into_iter().flatten();
    let worlds: BTreeSet<&String> = parts().flat_map(|it| among(&it.broken)).collect();
    let undecided: BTreeSet<&String> = parts().flat_map(|it| &it.undecided).collect();
    context! {
        clause => whole.clause.to_string(),
        without => names(&whole.broken),
        why_none => explanation(whole.clause),
        asserts => asserts.map(|it| names(&it.broken)).unwrap_or_default(),
        worlds => Serde(worlds),
        undecided => Serde(undecided),
    }
}

/// Claims, each with the worlds that show it.
type ClaimWorlds = [(&'static Claim, Vec<String>)];

fn among(broken: &ClaimWorlds) -> impl Iterator<Item = &String> {
    broken.iter().flat_map(|(_, worlds)| worlds)
}

fn names(broken: &ClaimWorlds) -> Vec<String> {
    broken.iter().map(|(claim, _)| marked(claim)).collect()
}

/// The asserts that matter only if two users give commands at once.
fn two_users(noticed: &[Noticed]) -> Value {
    let chosen = |is_one: fn(&Scenario) -> bool| -> BTreeSet<String> {
        let worlds = worlds().into_iter().filter(|(_, world)| is_one(world));
        worlds.map(|(name, _)| name).collect()
    };
    let searched = chosen(|it| it.world.more_users == 0 && it.steps.is_empty());
    let scripts = chosen(|it| !it.steps.is_empty());
    let races: Vec<&Noticed> = noticed.iter().filter(|it| !it.races.is_empty()).collect();
    let within = |names: &BTreeSet<String>, it: &Noticed| -> BTreeSet<String> {
        among(&it.broken).filter(|it| names.contains(*it)).cloned().collect()
    };
    let alone = races.iter().filter(|it| within(&searched, it).is_empty()).count();
    let rows = races.iter().map(|it| {
        context! {
            clause => it.clause.to_string(),
            claims => names(&it.races),
            worlds => Serde(among(&it.races).collect::<BTreeSet<_>>()),
            by_one => Serde(within(&searched, it)),
            scripts => Serde(within(&scripts, it)),
        }
    });
    context! { races => rows.collect::<Vec<_>>(), alone }
}
