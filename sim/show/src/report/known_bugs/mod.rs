//! The page of known bugs: those of Juju that left entities stuck, each with a world that has it
//! and the same world with the fix.
//!
//! A bug is a pair of scenarios whose names begin with its number, such as
//! `05-dead-while-in-scope`. One pair may serve two numbers, if they are one mechanism. What it
//! takes to have the bug, and to be rid of it, is the difference of their worlds.

use std::{cmp::Reverse, collections::BTreeMap, sync::LazyLock};

use deathwatch_claims::{Claim, ClaimKind};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context, value::Serde};
use serde::{Deserialize, Serialize};

use super::{
    AnsweredScenario, Counterexample,
    settings::{peculiar, restored},
    story,
    template::{data, render},
};

/// The folder of the scenarios that the page is about.
pub const FOLDER: &str = "known-bugs";
/// The number of the last bug.
pub const LAST: u8 = 44;
/// A known bug that is left out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all(deserialize = "kebab-case"), deny_unknown_fields)]
pub struct LeftOut {
    pub number: u8,
    /// The report of the bug, or the beginning of the commit that fixed it.
    pub known_as: String,
    pub mechanism: String,
    pub why: String,
}

#[derive(Deserialize)]
struct LeftOutFile {
    bug: Vec<LeftOut>,
}

/// The bugs that are left out, in the order of their numbers.
pub static LEFT_OUT: LazyLock<Vec<LeftOut>> =
    LazyLock::new(|| data::<LeftOutFile>(include_str!("left-out.toml")).bug);

/// A bug that a pair of scenarios shows.
pub struct KnownBug<'a> {
    pub numbers: Vec<u8>,
    pub broken: &'a AnsweredScenario,
    /// The scenario that has the fix.
    pub fixed: &'a AnsweredScenario,
}

/// The bugs that are shown, in the order of their first numbers: pairs whose names begin with the
/// same numbers, the one first in which more stays, or else in which more claims are violated.
pub fn shown(answered: &[AnsweredScenario]) -> Vec<KnownBug<'_>> {
    let mut pairs: BTreeMap<Vec<u8>, Vec<&AnsweredScenario>> = BTreeMap::new();
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

    /// The shortest run to an entity that stays, or else to the violation.
    pub fn run(&self) -> Option<&Counterexample> {
        let claims = self.claims();
        let mine = |run: &&Counterexample| claims.iter().any(|claim| claim.name == run.claim.name);
        let is_less = |run: &&Counterexample| run.claim.kind() != ClaimKind::Leads;
        self.broken.runs.iter().filter(mine).min_by_key(|run| (is_less(run), run.len()))
    }

    /// Its number where it was reported, and the commits that its comment names.
    fn known_as(&self) -> Vec<String> {
        let notes = self.broken.notes().unwrap_or_default();
        let words = notes.split(' ').map(|word| word.trim_matches([',', ';', ':', '.', '(', ')']));
        words.filter(|word| is_reference(word)).map(str::to_owned).collect()
    }

    /// The answers for every number of units: the smallest number with the bug, and whether the fix
    /// helps for all.
    fn every_number(&self) -> String {
        let claims = self.claims();
        let has = violated_with(self.broken, &claims).map(|units| format!("✗ {units}"));
        let is_fixed = !claims.is_empty() && holds_for_every(self.fixed, &claims);
        let fixed = is_fixed.then(|| "✓ with the fix".to_owned());
        has.into_iter().chain(fixed).collect::<Vec<_>>().join(", ")
    }

    fn data(&self) -> Value {
        let (broken, fixed) = (&self.broken.scenario.world, &self.fixed.scenario.world);
        context! {
            numbers => self.numbers.clone(),
            known_as => self.known_as(),
            has => peculiar(broken, fixed),
            steps => self.run().map(Counterexample::len),
            fix => restored(broken, fixed),
            every_number => self.every_number(),
            broken => story::scenario(self.broken),
            fixed => story::scenario(self.fixed),
        }
    }
}

/// The number of units of each application in the smallest world that violates one of these claims,
/// where it was asked for every number of units.
fn violated_with(it: &AnsweredScenario, claims: &[&Claim]) -> Option<String> {
    let violated = it.any_size.iter().flat_map(|it| &it.violated);
    let mine = violated.filter(|it| claims.iter().any(|claim| claim.name == it.claim));
    let units = mine.map(|it| &it.units).min_by_key(|units| units.iter().sum::<usize>())?;
    Some(units.iter().map(ToString::to_string).collect::<Vec<_>>().join("+"))
}

/// Whether all of these claims were found to hold for every number of units.
fn holds_for_every(it: &AnsweredScenario, claims: &[&Claim]) -> bool {
    let hold: Vec<&String> = it.any_size.iter().flat_map(|it| &it.hold).collect();
    claims.iter().all(|claim| hold.iter().any(|name| *name == claim.name))
}

/// Whether a word is the number of a report, or the beginning of a commit's.
fn is_reference(word: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix("lp:").or_else(|| word.strip_prefix('#')).is_some_and(is_number)
        || word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub fn page(answered: &[AnsweredScenario]) -> String {
    let bugs = shown(answered);
    let rows = (1..=LAST).flat_map(|number| {
        let shown = bugs.iter().filter(move |it| it.numbers.contains(&number));
        let out = LEFT_OUT.iter().filter(move |it| it.number == number);
        let shown = shown.map(move |bug| context! { number, bug => bug.data() });
        shown.chain(out.map(move |it| context! { number, left_out => Serde(it) }))
    });
    let data = context! {
        shown => bugs.iter().map(|it| it.numbers.len()).sum::<usize>(),
        left_out => LEFT_OUT.len(),
        rows => rows.collect::<Vec<_>>(),
        bugs => bugs.iter().map(KnownBug::data).collect::<Vec<_>>(),
    };
    render(include_str!("../pages/known-bugs.md"), data)
}
