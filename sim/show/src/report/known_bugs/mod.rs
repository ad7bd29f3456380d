//! The page of known bugs: those of Juju that left entities stuck, each with a world that has it
//! and the same world with the fix.
//!
//! A bug is a pair of scenarios whose names begin with its number, such as
//! `05-dead-while-in-scope`. One pair may serve two numbers, if they are one mechanism. What it
//! takes to have the bug, and to be rid of it, is the difference of their worlds.

use std::{cmp::Reverse, collections::BTreeMap, sync::LazyLock};

use deathwatch_claims::{Claim, ClaimKind};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context};
use serde::Deserialize;

use super::{
    Answered, Run,
    markdown::{From, command, in_quotes, number, target},
    settings::{peculiar, restored},
    template::{data, render},
};

/// The folder of the scenarios that the page is about.
pub const FOLDER: &str = "known-bugs";
/// The number of the last bug.
pub const LAST: u8 = 44;
/// A known bug that is left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LeftOut {
    /// Its number.
    pub number: u8,
    /// Where it was reported, or the beginning of the commit that fixed it.
    pub known_as: String,
    /// Its mechanism.
    pub mechanism: String,
    /// The reason.
    pub why: String,
}

#[derive(Deserialize)]
struct LeftOutFile {
    bug: Vec<LeftOut>,
}

/// Those that are left out, in the order of their numbers.
pub static LEFT_OUT: LazyLock<Vec<LeftOut>> =
    LazyLock::new(|| data::<LeftOutFile>(include_str!("left-out.toml")).bug);

/// A bug that a pair of scenarios shows.
pub struct KnownBug<'a> {
    /// Its numbers.
    pub numbers: Vec<u8>,
    /// The scenario that has it.
    pub broken: &'a Answered,
    /// The scenario that has the fix.
    pub fixed: &'a Answered,
}

/// The bugs that are shown, in the order of their first numbers: pairs whose names begin with the
/// same numbers, the one first in which more stays, or else in which more claims are violated.
pub fn shown(answered: &[Answered]) -> Vec<KnownBug<'_>> {
    let mut pairs: BTreeMap<Vec<u8>, Vec<&Answered>> = BTreeMap::new();
    for it in answered.iter().filter(|it| it.folder() == FOLDER) {
        pairs.entry(numbers(it.short_name())).or_default().push(it);
    }
    let bugs = pairs.into_iter().filter_map(|(numbers, mut pair)| {
        pair.sort_by_key(|it| {
            let violated = it.claims(Expected::Violated);
            let stuck = violated.iter().filter(|claim| claim.kind() == ClaimKind::Leads).count();
            Reverse((stuck, violated.len()))
        });
        let [broken, fixed] = pair[..] else { return None };
        Some(KnownBug { numbers, broken, fixed })
    });
    bugs.collect()
}

/// The numbers that a name begins with.
fn numbers(name: &str) -> Vec<u8> {
    name.split('-').map_while(|part| part.parse().ok()).collect()
}

impl KnownBug<'_> {
    /// The claims that are violated with the bug and not with the fix.
    pub fn claims(&self) -> Vec<&'static Claim> {
        let mut claims = self.broken.claims(Expected::Violated);
        claims.retain(|claim| self.fixed.answer(claim) != Some(Expected::Violated));
        claims
    }

    /// The shortest run that shows what stays, or else what is wrong.
    pub fn run(&self) -> Option<&Run> {
        let claims = self.claims();
        let mine = |run: &&Run| claims.iter().any(|claim| claim.name == run.claim.name);
        let is_less = |run: &&Run| run.claim.kind() != ClaimKind::Leads;
        self.broken.runs.iter().filter(mine).min_by_key(|run| (is_less(run), run.len()))
    }

    /// What its number is where it was reported, and the commits that its comment names.
    fn known_as(&self) -> String {
        let notes = self.broken.notes().unwrap_or_default();
        let words = notes.split(' ').map(|word| word.trim_matches([',', ';', ':', '.', '(', ')']));
        words.filter(|word| is_reference(word)).collect::<Vec<_>>().join(", ")
    }

    /// How it ends with the fix.
    fn verdict(&self) -> String {
        match &self.fixed.claims(Expected::Violated)[..] {
            [] => "holds".to_owned(),
            some => format!("holds, but for what is meant: {}", in_quotes(some)),
        }
    }
}

/// Whether a word is the number of a report, or the beginning of a commit's.
fn is_reference(word: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix("lp:").or_else(|| word.strip_prefix('#')).is_some_and(is_number)
        || word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The page.
pub fn page(answered: &[Answered]) -> String {
    let bugs = shown(answered);
    let numbered = (1..=LAST).flat_map(|number| {
        let shown = bugs.iter().filter(move |it| it.numbers.contains(&number));
        let out = LEFT_OUT.iter().filter(move |it| it.number == number);
        shown.map(move |it| row(number, it)).chain(out.map(left_out))
    });
    let data = context! {
        shown => bugs.iter().map(|it| it.numbers.len()).sum::<usize>() as u64,
        left_out => LEFT_OUT.len() as u64,
        rows => numbered.collect::<Vec<_>>(),
        bugs => bugs.iter().map(one).collect::<Vec<_>>(),
    };
    render(include_str!("../pages/known-bugs.md"), data)
}

fn row(number: u8, bug: &KnownBug<'_>) -> Value {
    context! {
        number => u64::from(number),
        known_as => bug.known_as(),
        mechanism => bug.broken.scenario.shows.clone(),
        has => peculiarities(bug),
        steps => bug.run().map(|run| run.len() as u64),
        fix => fixes(bug),
        verdict => bug.verdict(),
    }
}

fn left_out(it: &LeftOut) -> Value {
    let LeftOut { number, known_as, mechanism, why } = it;
    context! { number => u64::from(*number), known_as, mechanism, why }
}

fn peculiarities(bug: &KnownBug<'_>) -> String {
    peculiar(&bug.broken.scenario.world, &bug.fixed.scenario.world).join(", ")
}

fn fixes(bug: &KnownBug<'_>) -> String {
    restored(&bug.broken.scenario.world, &bug.fixed.scenario.world).join(", ")
}

/// A bug in more words.
fn one(bug: &KnownBug<'_>) -> Value {
    let numbers: Vec<String> = bug.numbers.iter().map(u8::to_string).collect();
    context! {
        numbers => numbers.join(", "),
        notes => bug.broken.notes().unwrap_or_default(),
        fixed => bug.fixed.scenario.shows.clone(),
        command => command(bug.broken),
        broken => Value::from_safe_string(target(From::Reports, bug.broken)),
        with_fix => Value::from_safe_string(target(From::Reports, bug.fixed)),
        states => bug.fixed.figures.map(|it| number(it.states)).unwrap_or_default(),
    }
}
