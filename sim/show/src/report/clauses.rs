//! The page of clauses: which claims are violated without each.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_model::clause::Rule;
use deathwatch_scenario::scenario::Scenario;

use super::{
    markdown::{MADE_BY, head, row, say},
    weaken::{Cut, Noticed, explanation, worlds},
};

/// The page.
pub(super) fn page(noticed: &[Noticed]) -> String {
    let mut page = format!("{MADE_BY}\n\n# Clauses\n");
    say(
        &mut page,
        "The claims that are violated when a clause of the protocol is switched off. Every clause \
         is switched off in each of the worlds below: once altogether (its changes are not made \
         and nothing is asserted) and once only its asserts (its changes are made in any case). \
         Then every claim is checked on every run. Everything else is as in the fixed protocol, in \
         which the claims hold. The worlds are small, so a claim that is violated only in larger \
         worlds is missing here.",
    );
    say(
        &mut page,
        "Without a clause planning refuses nothing for its sake, takes no branch of it, and plans \
         none of its lines. Without its asserts a clause is planned as ever, but what was read may \
         have changed when it is committed.",
    );
    head(&mut page, &["world", "shows"]);
    for (name, scenario) in worlds() {
        let link = format!("[{name}](../scenarios/weakening/{name}.toml)");
        row(&mut page, &[&link, &scenario.shows]);
    }
    for &rule in Rule::ALL {
        let _ = write!(page, "\n## {}\n", rule.name());
        head(&mut page, &["clause", "switched off", "violated claims", "in the worlds"]);
        for it in noticed.iter().filter(|it| it.clause.rule == rule && is_told(it)) {
            clause_rows(&mut page, it);
        }
    }
    two_users(&mut page, noticed);
    page
}

/// The asserts that matter only if two users give commands at once.
fn two_users(page: &mut String, noticed: &[Noticed]) {
    page.push_str("\n## Two users at once\n");
    let names = |is_one: fn(&Scenario) -> bool| -> BTreeSet<String> {
        let worlds = worlds().into_iter().filter(|(_, world)| is_one(world));
        worlds.map(|(name, _)| name).collect()
    };
    let searched = names(|it| it.world.more_users == 0 && it.steps.is_empty());
    let scripts = names(|it| !it.steps.is_empty());
    let races: Vec<&Noticed> = noticed.iter().filter(|it| !it.races.is_empty()).collect();
    let alone = races.iter().filter(|it| among(&searched, it).is_empty()).count();
    say(
        page,
        &format!(
            "In some of these worlds two users give commands at once (`sessions = 2`). For \
             comparison one user gives the same commands in the same world, one after the other. \
             Without the asserts of {} clauses two users violate claims that one does not. For \
             {alone} of these clauses no search with one user, in any of the worlds, shows that \
             their asserts matter: only two users exercise them, or scripts of two clients.",
            races.len(),
        ),
    );
    let claims = "claims that two users violate";
    head(page, &["clause", claims, "in the worlds", "one user in", "scripts"]);
    let listed = |names: BTreeSet<&str>| {
        let names: Vec<&str> = names.into_iter().collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    for it in races {
        let claims: Vec<&str> = it.races.iter().map(|(claim, _)| claim.name).collect();
        let worlds = it.races.iter().flat_map(|(_, worlds)| worlds).map(String::as_str).collect();
        let others = [among(&searched, it), among(&scripts, it)].map(listed);
        let clause = format!("`{}`", it.clause);
        row(page, &[&clause, &claims.join("; "), &listed(worlds), &others[0], &others[1]]);
    }
}

/// Those of `worlds` in which a claim misses the clause.
fn among<'a>(worlds: &BTreeSet<String>, it: &'a Noticed) -> BTreeSet<&'a str> {
    let broken = it.broken.iter().flat_map(|(_, broken)| broken);
    broken.filter(|world| worlds.contains(*world)).map(String::as_str).collect()
}

/// Whether there is a row to write: asserts that no claim misses are not worth one.
fn is_told(it: &Noticed) -> bool {
    it.cut == Cut::Whole || !it.broken.is_empty() || !it.undecided.is_empty()
}

fn clause_rows(page: &mut String, it: &Noticed) {
    let cut = match it.cut {
        Cut::Whole => "all of it",
        Cut::Asserts => "its asserts",
    };
    let claims: Vec<&str> = it.broken.iter().map(|(claim, _)| claim.name).collect();
    let worlds: BTreeSet<&str> =
        it.broken.iter().flat_map(|(_, worlds)| worlds).map(String::as_str).collect();
    let worlds: Vec<&str> = worlds.into_iter().collect();
    let mut claims = claims.join("; ");
    if claims.is_empty() {
        claims = format!("none: {}", explanation(it.clause));
    }
    if !it.undecided.is_empty() {
        let _ = write!(claims, " (too large to be decided: {})", it.undecided.join(", "));
    }
    row(page, &[&format!("`{}`", it.clause), cut, &claims, &worlds.join(", ")]);
}
