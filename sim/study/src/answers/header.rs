//! The header: the scenarios, the question, and the shard that answers here.

use deathwatch_documents::Answer;
use deathwatch_scenario::scenario::Scenario;
use serde::{Deserialize, Serialize};

use crate::{
    journal::{self, JournalFormat},
    sweep::{Shard, digest},
};

/// The questions and scenarios of a journal: its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswersHeader {
    form: JournalFormat,
    /// The shard of the scenarios that is answered.
    pub shard: Shard,
    /// The question, in words that are the same for the same question.
    pub asks: String,
    /// All scenarios, in their order.
    pub scenarios: Vec<AskedScenario>,
}

/// A scenario that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedScenario {
    pub scenario: String,
    pub file: String,
    text: String,
    /// The number of states that it says it has.
    states: u64,
}

impl AskedScenario {
    /// The subject that `scenario` is.
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            scenario: scenario.name.clone(),
            file: scenario.address.to_string(),
            text: format!("{:016x}", digest(scenario.source().as_bytes())),
            states: scenario.states.unwrap_or_default(),
        }
    }
}

impl AnswersHeader {
    pub fn new(shard: Shard, asks: String, scenarios: Vec<AskedScenario>) -> Self {
        Self {
            form: JournalFormat::of(<Self as journal::JournalHeader>::COMMAND),
            shard,
            asks,
            scenarios,
        }
    }

    /// Whether the scenario with this number belongs to the shard.
    pub fn has(&self, number: usize) -> bool {
        self.shard_of(number) == self.shard.number
    }

    /// The number of the shard to which the scenario with this number belongs.
    ///
    /// Scenarios are dealt like cards, the largest first, to and fro: so every shard gets its share
    /// of large ones. Their sizes are those that the files say, so the shards depend on nothing
    /// else.
    pub(super) fn shard_of(&self, number: usize) -> u64 {
        let size = |number: usize| (std::cmp::Reverse(self.scenarios[number].states), number);
        let larger = (0..self.scenarios.len()).filter(|other| size(*other) < size(number)).count();
        let (round, place) = (larger as u64 / self.shard.of, larger as u64 % self.shard.of);
        if round % 2 == 0 { place + 1 } else { self.shard.of - place }
    }
}

impl journal::JournalHeader for AnswersHeader {
    const COMMAND: &'static str = "check";
    const OF: &'static str = "check";
    const DEPENDS: &'static str = "an answer depends on its scenario, the question";
    // A scenario takes seconds rather than microseconds.
    const SURE: u32 = 1;
    type Result = Answer;

    fn whole(&self) -> Self {
        Self { shard: Shard::WHOLE, ..self.clone() }
    }

    fn scenarios(&self) -> usize {
        self.scenarios.len()
    }

    fn subject(&self, scenario: usize, _: u64) -> String {
        self.scenarios[scenario].scenario.clone()
    }

    fn difference(&self, other: &Self) -> Option<String> {
        if self.asks != other.asks {
            return Some(format!("another question: {}", self.asks));
        }
        let (ours, theirs) = (self.scenarios.len(), other.scenarios.len());
        let mut pairs = self.scenarios.iter().zip(&other.scenarios);
        match pairs.find(|(mine, theirs)| mine != theirs) {
            Some((mine, theirs)) if mine.scenario == theirs.scenario => {
                Some(format!("another text of {}", mine.scenario))
            }
            Some((mine, _)) => Some(format!("other scenarios, such as {}", mine.scenario)),
            None if ours != theirs => Some(format!("{ours} scenarios, not {theirs}")),
            None => (self.shard != other.shard).then(|| format!("shard {}", self.shard)),
        }
    }

    fn validate(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn key(&self, scenario: usize, answer: &Answer) -> Result<u64, String> {
        if self.scenarios[scenario].scenario != answer.scenario {
            return Err("the scenario has another name".to_owned());
        }
        if !self.has(scenario) {
            return Err("the scenario is in another shard".to_owned());
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_in_one_shard_and_large_ones_are_spread() {
        let states = [5, 0, 900, 800, 0, 700, 600, 5, 5, 0];
        let subject = |states: u64| AskedScenario {
            scenario: String::new(),
            file: String::new(),
            text: String::new(),
            states,
        };
        let header = |number: u64| {
            let shard = Shard { number, of: 3 };
            AnswersHeader::new(shard, String::new(), states.map(subject).to_vec())
        };
        let shard = |number: u64| -> Vec<usize> {
            (0..states.len()).filter(|at| header(number).has(*at)).collect()
        };
        assert_eq!(
            [shard(1), shard(2), shard(3)],
            [vec![2, 7, 8], vec![0, 1, 3], vec![4, 5, 6, 9]]
        );
    }
}
