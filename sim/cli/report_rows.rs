//! The rows of the simulator's page: made again, or kept from the committed page.

use std::path::PathBuf;

use deathwatch_scenario::scenario::display;
use deathwatch_show::report::{
    self, AnsweredScenario,
    simulation::{self, Committed, LARGE, SIMULATION, SimulationRows},
};

use crate::{
    exit::{Abandon, Exit},
    load,
    progress::ProgressLine,
    report::{Maker, undecided},
};

impl Maker<'_> {
    /// The rows; the exit code, if there is no answer within the limits.
    pub(crate) fn simulate(
        &self,
        answered: &[AnsweredScenario],
    ) -> Result<Result<SimulationRows, Exit>, Abandon> {
        let there = simulation::committed(&self.read(SIMULATION));
        let known = if self.args.quick { there.clone() } else { Committed::default() };
        let mut rows = SimulationRows::default();
        for scenario in answered {
            let line = ProgressLine::new(&scenario.name);
            line.set_text(|name| format!("{name}: by seeds"));
            let Some(searches) = self.search(scenario, &known) else {
                return Ok(Err(undecided(&scenario.name)));
            };
            rows.searches.extend(searches);
            if simulation::is_workload(&scenario.scenario) {
                let key = report::linked(scenario);
                let Some(row) = self.measure(&scenario.scenario, &key, &known)? else {
                    return Ok(Err(undecided(&scenario.name)));
                };
                rows.scales.push(row);
            }
        }
        let folder = PathBuf::from(LARGE);
        let addresses = if folder.is_dir() { load::files(&[folder])? } else { Vec::new() };
        for address in addresses {
            let name = address.name();
            let key = format!("[{name}](../{})", display(&address.file));
            if !self.args.large {
                rows.scales.extend(there.row([key.as_str()]).cloned());
                continue;
            }
            let _line = ProgressLine::new(&name);
            for ready in load::each(&[address])? {
                let row = self.measure(&ready.scenario, &key, &Committed::default())?;
                let Some(row) = row else { return Ok(Err(undecided(&name))) };
                rows.scales.push(row);
            }
        }
        Ok(Ok(rows))
    }

    /// The rows of the violations that seeds look for; `None` if it was stopped.
    fn search(&self, scenario: &AnsweredScenario, known: &Committed) -> Option<Vec<String>> {
        let targets = simulation::targets(scenario);
        let rows: Option<Vec<String>> = targets
            .iter()
            .map(|it| known.row(it.key().each_ref().map(String::as_str)).cloned())
            .collect();
        if rows.is_some() {
            return rows;
        }
        let searches = simulation::search(&targets, &|| self.searches.deadline.stop().is_some())?;
        Some(searches.iter().map(simulation::SeedSearch::row).collect())
    }

    fn measure(
        &self,
        scenario: &deathwatch_scenario::Scenario,
        key: &str,
        known: &Committed,
    ) -> Result<Option<String>, Abandon> {
        if let Some(row) = known.row([key]) {
            return Ok(Some(row.clone()));
        }
        let row = simulation::measure(scenario, key, &|| self.searches.deadline.stop().is_some());
        Ok(row?)
    }
}
