//! Scale: the figures of each workload in a world of each size.

use deathwatch_scenario::{
    Problem, replay,
    scenario::{Expected, Scenario},
};
use deathwatch_simulator::settings::Workload;
use deathwatch_study::simulate::{SeedViolation, Simulation, SimulationEnd};

use crate::report::markdown::{read_number, row};
use crate::text::thousands;

/// The figures of a row that curves are drawn of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    pub workload: String,
    pub steps: u64,
    /// The greatest number of documents at a time.
    pub documents: u64,
}

impl Scale {
    /// The figures in a row that `measure` made.
    pub fn read(row: &str) -> Option<Self> {
        let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
        let (name, _) = cells.first()?.strip_prefix('[')?.split_once(']')?;
        let workload = name.rsplit('/').next()?.to_owned();
        let [steps, documents] = [1, 9].map(|at| read_number(cells.get(at)?));
        Some(Self { workload, steps: steps?, documents: documents? })
    }
}

/// Whether the scenario is about a workload.
pub fn is_workload(scenario: &Scenario) -> bool {
    scenario.simulate.settings.workload != Workload::Any
}

/// The row of a scenario, by a run of seed 0; `None` if `stop` said so.
///
/// # Errors
/// If it cannot be simulated, or its run is not as expected.
pub fn measure(
    scenario: &Scenario,
    key: &str,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<String>, Problem> {
    let replay = replay::replay(scenario).map_err(|impossible| impossible.problem)?;
    let simulation = Simulation::new(scenario, &replay)?;
    let Some(run) = simulation.run(0, stop) else { return Ok(None) };
    let expected: Vec<&str> = simulation
        .claims
        .iter()
        .filter(|(_, it)| *it == Expected::Violated)
        .map(|(claim, _)| claim.name)
        .collect();
    let is_unexpected = |it: &SeedViolation| !expected.contains(&it.claim.name);
    if run.end != SimulationEnd::Settled || run.violations.iter().any(is_unexpected) {
        let path = scenario.address.to_string();
        return Err(Problem::new(format!("seed 0 of {path} does not end as expected"))
            .with_help(format!("deathwatch simulate {path} --seed 0 --verbose")));
    }
    let stats = run.stats;
    let [machines, applications, units, relations] = [0, 1, 2, 3].map(|kind| &stats.removal[kind]);
    let time = |percent| units.percentile(percent).map_or_else(String::new, thousands);
    let cells = [
        key.to_owned(),
        thousands(stats.steps),
        thousands(stats.commands),
        thousands(stats.planned),
        thousands(stats.aborted),
        thousands(machines.len()),
        thousands(applications.len()),
        thousands(units.len()),
        thousands(relations.len()),
        thousands(stats.largest.iter().sum()),
        time(50),
        time(99),
    ];
    Ok(Some(row(&cells)))
}
