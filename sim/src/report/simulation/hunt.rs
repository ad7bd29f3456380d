//! Hunts: which seed first finds what the explorer knows, and how small its run becomes.

use deathwatch_model::claims::Claim;

use crate::{
    replay,
    report::{
        Answered,
        markdown::{From, link, number, row},
    },
    scenario::Expected,
    shrink::{self, Budget, Failing},
    simulate::{End, Simulation},
    trace::Ending,
};

/// So many seeds are run for a violation.
pub const MOST_SEEDS: u64 = 1_000;
/// So many candidates are tried to shrink a run.
const MOST_TRIES: u64 = 20_000;

/// A violation that the explorer found.
#[derive(Clone, Debug)]
pub struct Prey<'a> {
    /// The scenario.
    pub scenario: &'a Answered,
    /// The claim.
    pub claim: &'static Claim,
    /// How many steps the shortest run has, if the explorer was asked.
    shortest: Option<usize>,
    /// Whether that run goes round for ever.
    is_cycle: bool,
}

/// What became of it.
#[derive(Clone, Debug)]
pub struct Hunt<'a> {
    prey: Prey<'a>,
    found: Option<Found>,
    /// How many of the seeds did not settle.
    unsettled: u64,
}

/// The first run by seed that violates the claim.
#[derive(Clone, Copy, Debug)]
struct Found {
    seed: u64,
    steps: usize,
    shrunk: Option<usize>,
}

/// The violations that `scenario` shows by exhaustion, and those that it expects of seeds alone.
pub fn prey(scenario: &Answered) -> Vec<Prey<'_>> {
    let shown = scenario.runs.iter().map(|run| Prey {
        scenario,
        claim: run.claim,
        shortest: Some(run.len()),
        is_cycle: matches!(run.trace.ending, Ending::Cycle(_)),
    });
    let is_shown = |claim: &Claim| scenario.runs.iter().any(|run| run.claim.name == claim.name);
    let of_seeds = scenario.scenario.simulate.claims.iter().flatten();
    let of_seeds = of_seeds.filter(|(claim, it)| *it == Expected::Violated && !is_shown(claim));
    let of_seeds =
        of_seeds.map(|&(claim, _)| Prey { scenario, claim, shortest: None, is_cycle: false });
    shown.chain(of_seeds).collect()
}

/// Looks for all `prey` of one scenario. `None` if `stop` said so.
///
/// # Panics
/// If the script of the scenario cannot be carried out, as it was before.
pub fn hunt<'a>(prey: &[Prey<'a>], stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Hunt<'a>>> {
    let Some(Prey { scenario, .. }) = prey.first() else { return Some(Vec::new()) };
    let scenario = &scenario.scenario;
    let replay = replay::replay(scenario).expect("it was carried out to be answered");
    let mut hunts: Vec<Hunt<'a>> =
        prey.iter().map(|prey| Hunt { prey: prey.clone(), found: None, unsettled: 0 }).collect();
    let mut simulation =
        Simulation::new(scenario, &replay).expect("what is searched can be simulated");
    simulation.claims = prey.iter().map(|it| (it.claim, Expected::Holds)).collect();
    for seed in 0..MOST_SEEDS {
        if hunts.iter().all(|hunt| hunt.found.is_some()) {
            break;
        }
        let run = simulation.run(seed, stop)?;
        for hunt in hunts.iter_mut().filter(|hunt| hunt.found.is_none()) {
            hunt.unsettled += u64::from(matches!(run.end, End::Unsettled(_)));
            let claim = hunt.prey.claim;
            let Some(violation) = run.violations.iter().find(|it| it.claim.name == claim.name)
            else {
                continue;
            };
            let (_, actions) = simulation.trace(seed, Some(claim));
            let steps: Vec<_> = replay.actions.iter().copied().chain(actions).collect();
            let subject = Some(violation.subject);
            let failing = Failing { scenario, claim, subject, steps: &steps };
            let budget = Budget { tries: MOST_TRIES, stop: &|| stop(), progress: &|_| () };
            let shrunk = shrink::shrink(&failing, "a seed", budget).map(|it| it.after.steps);
            hunt.found = Some(Found { seed, steps: steps.len(), shrunk });
            if stop() {
                return None;
            }
        }
    }
    Some(hunts)
}

impl Prey<'_> {
    /// The first cells of its row.
    pub fn key(&self) -> [String; 2] {
        [link(From::Reports, self.scenario, &self.scenario.name), self.claim.name.to_owned()]
    }
}

impl Hunt<'_> {
    /// Its row.
    pub fn row(&self) -> String {
        let [scenario, claim] = self.prey.key();
        let count = |count: usize| number(count as u64);
        let shortest = self.prey.shortest.map_or_else(String::new, count);
        let cells = match self.found {
            // Seed 0 is the first, so that it takes one more than its number.
            Some(Found { seed, steps, shrunk }) => {
                [number(seed + 1), count(steps), shrunk.map_or_else(String::new, count)]
            }
            None => Default::default(),
        };
        let why = if self.found.is_some() { String::new() } else { self.why_not() };
        let mut text = String::new();
        let [seeds, steps, shrunk] = &cells;
        row(&mut text, &[&scenario, &claim, seeds, steps, shrunk, &shortest, &why]);
        text
    }

    fn why_not(&self) -> String {
        match (self.prey.is_cycle, self.unsettled) {
            (true, 0) => "goes round for ever".to_owned(),
            (true, unsettled) => {
                format!("goes round for ever; {} seeds did not settle", number(unsettled))
            }
            (false, 0) => "no seed found it".to_owned(),
            (false, unsettled) => {
                format!("no seed found it; {} did not settle", number(unsettled))
            }
        }
    }
}
