//! Answers for the page of assumptions: the premises of each removal claim in a few worlds, the
//! waits there without a cure, and the least fairness of agents in all small ones.

use deathwatch_claims::{
    Claim,
    check::{SearchSettings, Stop},
};
use deathwatch_scenario::replay;
use deathwatch_study::assume::{
    AgentFairness, AssumeOptions, ScenarioNeeds, Stuck, Tried, assume, least_fairness, stuck,
};
use serde::Deserialize;

use crate::report::{
    AnsweredScenario,
    claims::{begins_as_usual, keeps_all_clauses},
    template::data,
};

/// The worlds that are asked, by their names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Worlds {
    needs: Vec<Needing>,
    stuck: Vec<String>,
}

/// A world in which the needs of claims are asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Needing {
    world: String,
    variants: VariantChoice,
}

/// Whether other variants are tried in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum VariantChoice {
    Tried,
    /// None.
    AsTheyAre,
}

/// The number of states above which it is not asked how fair agents have to be.
pub(super) const LARGEST: u64 = 2_000;

/// The least fairness of agents that each claim about what must follow needs in a world.
pub(super) type LeastFairness = Vec<(&'static Claim, Option<AgentFairness>)>;

/// The answers for the worlds, by their names.
#[derive(Clone, Debug, Default)]
pub struct AssumptionAnswers {
    pub(super) needs: Vec<(String, ScenarioNeeds)>,
    pub(super) stuck: Vec<(String, Vec<Stuck>)>,
    /// The least fairness in each world.
    pub(super) fairness: Vec<(String, LeastFairness)>,
}

/// The answers for the worlds, as far as they are among `answered`; `None` if `stop` ended the
/// search.
///
/// # Panics
/// If a world is too large, or its variants are too many.
pub fn ask(
    answered: &[AnsweredScenario],
    threads: usize,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
    progress: &(dyn Fn(&str) + Sync),
) -> Option<AssumptionAnswers> {
    let settings = SearchSettings { stop, ..SearchSettings::without_limits(threads) };
    let removals: Vec<&'static Claim> = Claim::removals().collect();
    let mut all = AssumptionAnswers::default();
    let worlds: Worlds = data(include_str!("worlds.toml"));
    for Needing { world: name, variants } in &worlds.needs {
        let Some(it) = answered.iter().find(|it| it.name == *name) else { continue };
        progress(name);
        let replay = replay::replay(&it.scenario).expect("it was answered");
        let options = AssumeOptions {
            only: &removals,
            variants: match variants {
                VariantChoice::Tried => Tried::Fixes,
                VariantChoice::AsTheyAre => Tried::These(&[]),
            },
            settings,
            progress: &|_, _| {},
        };
        let assumed = assume(&it.scenario, &replay, &options);
        if stop().is_some() {
            return None;
        }
        assert!(assumed.is_whole(), "{name} is decided where there are no limits");
        all.needs.push((it.name.clone(), assumed));
    }
    for name in &worlds.stuck {
        let Some(it) = answered.iter().find(|it| it.name == *name) else { continue };
        progress(name);
        let replay = replay::replay(&it.scenario).expect("it was answered");
        let stuck = stuck(&it.scenario, &replay, &removals, &settings);
        if stop().is_some() {
            return None;
        }
        all.stuck.push((it.name.clone(), stuck.expect("it was decided before")));
    }
    for it in answered.iter().filter(|it| is_asked_how_fair(it)) {
        progress(&it.name);
        let replay = replay::replay(&it.scenario).expect("it was answered");
        let least = least_fairness(&it.scenario, &replay, &settings);
        if stop().is_some() {
            return None;
        }
        all.fairness.push((it.name.clone(), least.expect("it is small")));
    }
    Some(all)
}

fn is_asked_how_fair(it: &AnsweredScenario) -> bool {
    it.figures.is_some_and(|it| it.states <= LARGEST)
        && begins_as_usual(&it.scenario)
        && keeps_all_clauses(&it.scenario.world)
}
