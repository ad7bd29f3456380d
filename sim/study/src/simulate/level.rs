//! Levels: the worlds of a scenario that differ in their details, of which each seed draws one.

use std::borrow::Cow;

use deathwatch_claims::Claim;
use deathwatch_model::state::State;
use deathwatch_scenario::{
    Scenario,
    replay::Replay,
    scenario::{self, Expected},
};
use deathwatch_simulator::{
    AllowedCommands,
    dice::{Dice, Stream},
};

/// A world that seeds of a scenario may draw.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub(super) scenario: Cow<'a, Scenario>,
    /// The state in which its runs begin: the end of its script.
    pub(super) start: State,
    pub(super) claims: Vec<&'static Claim>,
    pub(super) allowed: AllowedCommands,
}

/// The worlds that seeds of `scenario`, whose script led to `replay`, may draw; at least one.
pub(super) fn all<'a>(
    scenario: &'a Scenario,
    replay: &Replay,
    claims: &[(&'static Claim, Expected)],
) -> Vec<Level<'a>> {
    let asked: Vec<&'static Claim> = claims.iter().map(|(claim, _)| *claim).collect();
    let level = |scenario: Cow<'a, Scenario>, start: State, claims| {
        let allowed = AllowedCommands::of(&scenario.world);
        Level { scenario, start, claims, allowed }
    };
    if !scenario.simulate.draws_details {
        return vec![level(Cow::Borrowed(scenario), replay.state.clone(), asked)];
    }
    let drawn = scenario::drawn(scenario).into_iter().map(|scenario| {
        let claims = claims_of(&scenario, &asked);
        let scenario = scenario.keeping(claims.iter().copied());
        let start = scenario.start.clone();
        level(Cow::Owned(scenario), start, claims)
    });
    drawn.collect()
}

/// The index of the one of `count` worlds that `seed` draws.
pub fn draw(seed: u64, count: usize) -> usize {
    if count == 1 { 0 } else { Dice::new(seed, Stream::Details).index(count) }
}

/// The claims whose subjects this world has. A scenario's own claims are asked in every world, as
/// they look through all rows.
fn claims_of(scenario: &Scenario, asked: &[&'static Claim]) -> Vec<&'static Claim> {
    let is_about = |claim: &&'static Claim| claim.lacks(scenario.world.detail).is_none();
    asked.iter().copied().filter(is_about).collect()
}
