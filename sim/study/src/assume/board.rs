//! A board of verdicts: the claims of a scenario in its world as it is, in those of other scenarios
//! of its file, and with each fix that makes a difference there.
//!
//! A fix is a variant at its default, or at a value that is a fix. One that leaves every state and
//! every step as it is has no column: its answers are those of the world as it is.

use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, SearchSettings},
};
use deathwatch_scenario::{
    replay::{self, Replay},
    scenario::Scenario,
};

use super::{
    AssumeOptions, Tried, VariantSetting,
    choices::{self, candidates, with},
    evaluate::{Evaluator, at_a_time},
    repair::world,
};
use crate::workers;

/// The verdicts.
#[derive(Clone, Debug)]
pub struct Board {
    /// The claims, a row each.
    pub claims: Vec<&'static Claim>,
    /// The worlds: the first is the one as it is.
    pub columns: Vec<BoardColumn>,
    /// The fixes that leave the world as it is; none if that cannot be told, as the world is too
    /// large.
    pub without_effect: Option<Vec<VariantSetting>>,
}

/// A world in which claims are decided.
#[derive(Clone, Debug)]
pub struct BoardColumn {
    /// The world.
    pub world: BoardWorld,
    /// The answer to each claim, where it can be asked; none at all if there is no such world, as
    /// the script is not possible there.
    pub answers: Option<Vec<Option<CheckAnswer>>>,
}

/// A world beside the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardWorld {
    /// The world of the scenario.
    AsItIs,
    /// The world of another scenario of the file, by its place among these.
    Beside(usize),
    /// The world of the scenario with a fix.
    Fixed(VariantSetting),
}

impl Board {
    /// The board of `claims` of `scenario`, whose script led to `replay`, and of the worlds
    /// `beside` it.
    pub fn of(
        (scenario, replay): (&Scenario, &Replay),
        beside: &[Scenario],
        claims: &[&'static Claim],
        settings: &SearchSettings<'_>,
    ) -> Self {
        let options = AssumeOptions {
            only: &[],
            variants: Tried::DefaultsAndFixes,
            settings: SearchSettings { ..*settings },
            progress: &|_, _| {},
        };
        let all = candidates(scenario, options.variants);
        let fixes = Evaluator::new(scenario, replay, &options).that_differ(&all);
        let mut worlds = vec![BoardWorld::AsItIs];
        worlds.extend((0..beside.len()).map(BoardWorld::Beside));
        worlds.extend(fixes.iter().flatten().copied().map(BoardWorld::Fixed));
        let columns = workers::all(at_a_time(settings), worlds.len(), &|_| {}, |index| {
            let world = worlds[index];
            let of = match world {
                BoardWorld::AsItIs => Some((scenario.clone(), replay.clone())),
                BoardWorld::Beside(place) => played(beside[place].clone()),
                BoardWorld::Fixed(fix) => with(scenario, &[fix]).ok().and_then(played),
            };
            let settings = (settings, worlds.len());
            let answers = of.map(|(of, replay)| answers((&of, &replay), claims, settings));
            BoardColumn { world, answers }
        });
        let without = |fixes: Vec<VariantSetting>| {
            choices::settings(&all).filter(|value| !fixes.contains(value)).collect()
        };
        Self { claims: claims.to_vec(), columns, without_effect: fixes.map(without) }
    }
}

fn played(scenario: Scenario) -> Option<(Scenario, Replay)> {
    let replay = replay::replay(&scenario).ok()?;
    Some((scenario, replay))
}

/// The answers to the claims among `claims` that the scenario asks, or that can be asked of its
/// world; `None` for the others.
fn answers(
    (scenario, replay): (&Scenario, &Replay),
    claims: &[&'static Claim],
    settings: (&SearchSettings<'_>, usize),
) -> Vec<Option<CheckAnswer>> {
    let here = |claim: &&'static Claim| {
        let mut own = scenario.claims.iter().map(|(claim, _)| *claim);
        let own = own.find(|own| own.name == claim.name);
        let is_there = !claim.is_own() && claim.lacks(scenario.world.detail).is_none();
        own.or_else(|| is_there.then_some(*claim))
    };
    let asked: Vec<&'static Claim> = claims.iter().filter_map(here).collect();
    let kept = scenario.clone().keeping(asked.iter().copied());
    let again = played(kept);
    let of = again.as_ref().map_or((scenario, replay), |(scenario, replay)| (scenario, replay));
    let answers = world::answers(of, &asked, settings);
    let answer = |claim: &&'static Claim| {
        let found = answers.iter().find(|it| it.claim.name == claim.name);
        found.map(|it| it.answer)
    };
    claims.iter().map(answer).collect()
}
