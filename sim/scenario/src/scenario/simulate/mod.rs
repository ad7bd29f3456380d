//! The settings of a scenario's simulation: the table `[simulate]`.
//!
//! `file` has the form of the table, `fault_rates` the rows of its table of faults, and `read`
//! turns them into settings.

mod fault_rates;
pub(super) mod file;
mod read;

use deathwatch_claims::Claim;
use deathwatch_simulator::settings::SimulationSettings;

pub(super) use self::{fault_rates::rates_lacking, read::read};
use super::Expected;

/// The simulation of a scenario: rates, steps, and the worlds that seeds draw.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// Whether the scenario has the table, and so is meant to be simulated.
    pub is_given: bool,
    /// The seeds that once failed. They run first.
    pub seeds: Vec<u64>,
    /// Whether each seed draws which of the details of the world are on.
    pub draws_details: bool,
    /// The settings from which its runs are drawn.
    pub settings: SimulationSettings,
    /// The claims and the answers expected of a sweep, if they are not those of `check`.
    pub claims: Option<Vec<(&'static Claim, Expected)>>,
}
