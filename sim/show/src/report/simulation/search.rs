//! Seeds against the explorer: the first seed that finds a violation which the explorer found, and
//! the length of its run when it is shrunk.

use deathwatch_claims::Claim;
use deathwatch_scenario::{replay, scenario::Expected};
use deathwatch_study::{
    shrink::{self, Budget, FailingRun},
    simulate::{Simulation, SimulationEnd},
};

use crate::{
    report::{
        AnsweredScenario, Counterexample,
        markdown::{link_by_name, row},
    },
    text::thousands,
};

/// The number of seeds that are run for a violation.
pub const MOST_SEEDS: u64 = 1_000;
/// The number of seeds that do not settle after which a violation that ends in a cycle is run no
/// more: all of them show that the cycle goes on for ever, and each takes all steps of its calm for
/// it.
pub const MOST_UNSETTLED: u64 = 20;
/// The number of candidates that are tried to shrink a run.
const MOST_TRIES: u64 = 20_000;

/// A violation that the explorer found.
#[derive(Clone, Debug)]
pub struct SeedTarget<'a> {
    pub scenario: &'a AnsweredScenario,
    pub claim: &'static Claim,
    /// The number of steps of the shortest run, if the explorer was asked.
    shortest: Option<usize>,
    /// Whether that run ends in a cycle.
    is_cycle: bool,
}

/// The search for a violation by seeds, and its result.
#[derive(Clone, Debug)]
pub struct SeedSearch<'a> {
    target: SeedTarget<'a>,
    found: Option<FirstViolation>,
    /// The number of seeds that were run for it.
    seeds: u64,
    /// The number of them that did not settle.
    unsettled: u64,
}

/// The first run that violates the claim, in order of the seeds.
#[derive(Clone, Copy, Debug)]
struct FirstViolation {
    seed: u64,
    steps: usize,
    shrunk: Option<usize>,
}

/// The violations that an exhaustive check of `scenario` shows, if it is a finding, and those that
/// it expects of seeds alone.
pub fn targets(scenario: &AnsweredScenario) -> Vec<SeedTarget<'_>> {
    let is_finding = |_: &&Counterexample| scenario.scenario.finding.is_some();
    let shown = scenario.runs.iter().filter(is_finding).map(|run| SeedTarget {
        scenario,
        claim: run.claim,
        shortest: Some(run.len()),
        is_cycle: !run.trace.cycle.is_empty(),
    });
    let is_shown = |claim: &Claim| scenario.runs.iter().any(|run| run.claim.name == claim.name);
    let of_seeds = scenario.scenario.simulate.claims.iter().flatten();
    let of_seeds = of_seeds.filter(|(claim, it)| *it == Expected::Violated && !is_shown(claim));
    let of_seeds =
        of_seeds.map(|&(claim, _)| SeedTarget { scenario, claim, shortest: None, is_cycle: false });
    shown.chain(of_seeds).collect()
}

/// Searches for all `targets` of one scenario. `None` if `stop` said so.
///
/// # Panics
/// If the script of the scenario cannot be replayed, although it was replayed before.
pub fn search<'a>(
    targets: &[SeedTarget<'a>],
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<SeedSearch<'a>>> {
    let Some(SeedTarget { scenario, .. }) = targets.first() else { return Some(Vec::new()) };
    let scenario = &scenario.scenario;
    let replay = replay::replay(scenario).expect("it was carried out to be answered");
    let mut searches: Vec<SeedSearch<'a>> = targets
        .iter()
        .map(|target| SeedSearch { target: target.clone(), found: None, seeds: 0, unsettled: 0 })
        .collect();
    let claims = targets.iter().map(|it| (it.claim, Expected::Holds)).collect();
    let simulation =
        Simulation::asking(scenario, &replay, claims).expect("what is searched can be simulated");
    for seed in 0..MOST_SEEDS {
        if searches.iter().all(SeedSearch::is_over) {
            break;
        }
        let run = simulation.run(seed, stop)?;
        for search in searches.iter_mut().filter(|search| !search.is_over()) {
            search.seeds += 1;
            search.unsettled += u64::from(matches!(run.end, SimulationEnd::Unsettled(_)));
            let claim = search.target.claim;
            let Some(violation) = run.violations.iter().find(|it| it.claim.name == claim.name)
            else {
                continue;
            };
            let (_, actions) = simulation.trace(seed, Some(claim));
            let steps: Vec<_> = replay.actions.iter().copied().chain(actions).collect();
            let subject = Some(violation.subject);
            let scenario = simulation.drawn(seed);
            let failing = FailingRun { scenario, claim, subject, steps: &steps, root: None };
            let budget = Budget { tries: MOST_TRIES, stop: &|| stop(), progress: &|_| () };
            let shrunk = shrink::shrink(&failing, "a seed", budget).map(|it| it.after.steps);
            search.found = Some(FirstViolation { seed, steps: steps.len(), shrunk });
            if stop() {
                return None;
            }
        }
    }
    Some(searches)
}

impl SeedTarget<'_> {
    /// The first cells of its row.
    pub fn key(&self) -> [String; 2] {
        [link_by_name(&self.scenario.name), self.claim.name.to_owned()]
    }
}

impl SeedSearch<'_> {
    /// Whether it needs no more seeds.
    fn is_over(&self) -> bool {
        self.found.is_some() || (self.target.is_cycle && self.unsettled == MOST_UNSETTLED)
    }

    pub fn row(&self) -> String {
        let [scenario, claim] = self.target.key();
        let count = |count: usize| thousands(count as u64);
        let shortest = self.target.shortest.map_or_else(String::new, count);
        let [seeds, steps, shrunk] = match self.found {
            // Seed 0 is the first, so the number of seeds is one more than the seed.
            Some(FirstViolation { seed, steps, shrunk }) => {
                [thousands(seed + 1), count(steps), shrunk.map_or_else(String::new, count)]
            }
            None => Default::default(),
        };
        let why = if self.found.is_some() { String::new() } else { self.why_not() };
        row(&[scenario, claim, seeds, steps, shrunk, shortest, why])
    }

    fn why_not(&self) -> String {
        match (self.target.is_cycle, self.unsettled) {
            (true, 0) => "ends in a cycle".to_owned(),
            (true, unsettled) => {
                let seeds = thousands(self.seeds);
                format!("ends in a cycle; {} of {seeds} seeds did not settle", thousands(unsettled))
            }
            (false, 0) => "no seed found it".to_owned(),
            (false, unsettled) => {
                format!("no seed found it; {} did not settle", thousands(unsettled))
            }
        }
    }
}
