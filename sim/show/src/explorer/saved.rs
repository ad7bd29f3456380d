//! A run that was explored as a scenario file.

use deathwatch_documents::Begins;
use deathwatch_scenario::{
    replay::replay,
    scenario::{self, Expected},
};
use deathwatch_study::{
    verdict::ScriptFindings,
    write::{NO_CLAIMS, expecting, to_scenario_text},
};

use super::{Explorer, address::Address, position::Position};

impl Explorer {
    /// The run so far as a scenario file, with the claims that it shows to be violated.
    pub(super) fn saved(&self, address: &Address, position: &Position) -> String {
        let shows = format!("What was explored of {}.", self.scenario.name);
        let whole = self.replay.actions.len();
        let (so_far, cycle) = position.run();
        let is_after = address.script.is_none() && so_far.len() >= whole;
        let (begins, steps) = if is_after {
            (Begins::AfterScript, &so_far[whole..])
        } else {
            (Begins::BeforeScript, so_far)
        };
        let text = to_scenario_text(&self.scenario, &shows, begins, steps, cycle);
        match self.violated_by(&text) {
            Some(violated) => text.strip_suffix(NO_CLAIMS).unwrap_or(&text).to_owned() + &violated,
            None => text,
        }
    }

    /// The claims of this scenario that the script of a saved run violates, as a table.
    fn violated_by(&self, text: &str) -> Option<String> {
        let saved = scenario::parse_again(&self.scenario.address, text).ok()?;
        let replay = replay(&saved).ok()?;
        let findings = ScriptFindings::of(&saved, &replay, self.claims.iter().copied());
        let violated: Vec<_> = findings.shown().map(|it| (it, Expected::Violated)).collect();
        (!violated.is_empty()).then(|| expecting(&self.scenario, &violated))
    }
}
