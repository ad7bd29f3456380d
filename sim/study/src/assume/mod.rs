//! Assumptions and variants that each claim needs: the minimal sets under which it holds.
//!
//! For each choice of variants the world is explored once, and all premises about actors and faults
//! are decided on that graph ([`deathwatch_claims::check::Survey`]). What holds under a premise
//! holds under every one that assumes more, so a few premises decide all others. Variants are not
//! like that: a second fix may break what the first one mended, so every choice is decided for
//! itself, and a set is minimal if none of its proper parts will do, whatever lies above it.
//!
//! A claim about states or transitions needs no one to act: only faults that never strike can save
//! it. A witness, or a claim that something can be reached, is the reverse: what it needs is that
//! faults may strike. Vacuous is not the same as true: a set under which nothing happens that a
//! claim is about is told apart.

pub mod board;
mod choices;
pub mod document;
mod evaluate;
mod fairness;
mod lattice;
mod merge;
mod open;
mod premises;
pub mod repair;
mod set;
mod stuck;
#[cfg(test)]
mod tests;

use deathwatch_claims::{
    Claim,
    check::{FindingSubject, SearchSettings},
};

pub use self::{
    choices::{MOST_CHOICES, NamedVariant, TooMany, Tried, VariantSetting, with},
    fairness::{AgentFairness, least_fairness},
    merge::{NeedsSet, QuestionAnswer},
    open::{SearchLimit, UndecidedReason},
    set::{Axis, Premises},
    stuck::{Stuck, Wait, stuck},
};
use self::{
    choices::{VariantCandidate, candidates, combinations},
    evaluate::{Evaluated, Evaluator},
};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

/// The question, the choices, and the limits of their searches.
pub struct AssumeOptions<'a> {
    /// The claims; if empty, all that the scenario asks, and its witnesses.
    pub only: &'a [&'static Claim],
    pub variants: Tried<'a>,
    /// Threads and limits. The limit on states is that of each exploration.
    pub settings: SearchSettings<'a>,
    /// Gets the number of worlds that are begun, and of all.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// The answers for a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioNeeds {
    pub scenario: String,
    /// The number of choices of variants.
    pub choices: usize,
    /// The values that were tried, by variant, or would have been if they had not been too many.
    pub tried: Vec<(&'static str, Vec<&'static str>)>,
    /// The values that were not tried in combinations, as they make no difference: neither to the
    /// world as it is nor to the one with all the others.
    pub indifferent: Vec<VariantSetting>,
    /// The number of states of the world as the scenario has it, if it was explored.
    pub states: Option<u64>,
    /// The choices that could not be decided, and why.
    pub open: Vec<(Vec<VariantSetting>, UndecidedReason)>,
    /// The reason why the world is decided as it is only, and with no other choice.
    pub others: Result<(), TooMany>,
    /// The answer to each question, in the order of claims and then of witnesses.
    pub answers: Vec<(FindingSubject, QuestionAnswer)>,
}

impl ScenarioNeeds {
    pub fn is_whole(&self) -> bool {
        let is_impossible =
            |(_, open): &(_, UndecidedReason)| matches!(open, UndecidedReason::Impossible);
        let decided = |(_, answered): &(_, QuestionAnswer)| answered.is_decided();
        self.others.is_ok()
            && self.open.iter().all(is_impossible)
            && self.answers.iter().all(decided)
    }
}

/// The minimal sets for each claim of `scenario`, whose script led to `replay`.
pub fn assume(scenario: &Scenario, replay: &Replay, options: &AssumeOptions<'_>) -> ScenarioNeeds {
    let evaluator = Evaluator::new(scenario, replay, options);
    let all = candidates(scenario, options.variants);
    let (tried, indifferent) = match options.variants {
        Tried::These(_) => (all, Vec::new()),
        Tried::Fixes | Tried::FixesAndDefaults | Tried::DefaultsAndFixes => {
            evaluator.that_matter(&all).unwrap_or_default()
        }
    };
    let (choices, others) = match combinations(&tried) {
        Ok(choices) => (choices, Ok(())),
        Err(too_many) => (vec![Vec::new()], Err(too_many)),
    };
    let mut evaluated = evaluator.evaluate(&choices);
    let states = evaluated.first().and_then(Evaluated::states);
    let answers = merge::answers(&evaluator.asked, &choices, &evaluated);
    let open = choices.iter().zip(&mut evaluated);
    let open = open.filter_map(|(choice, it)| Some((choice.clone(), it.open()?)));
    ScenarioNeeds {
        scenario: scenario.name.clone(),
        choices: choices.len(),
        open: open.collect(),
        others,
        tried: tried.into_iter().map(|VariantCandidate { name, values }| (name, values)).collect(),
        indifferent,
        states,
        answers,
    }
}
