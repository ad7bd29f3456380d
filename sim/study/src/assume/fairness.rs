//! Fairness of agents: the least that a claim about what must follow needs.
//!
//! All else is assumed as the scenario says. The unit of fairness is part of the labels of a graph,
//! so a world is explored twice: once where each agent is fair as a whole, and once where each of
//! its duties is.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{CheckAnswer, CheckQuestion, Frequency, Premise, SearchSettings},
};
use deathwatch_model::world::{Assumptions, FaultKind, Per};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

use super::open::{SearchLimit, whole};

/// Assumptions about agents; each assumes more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentFairness {
    /// No fairness: agents need not act.
    None,
    /// An agent that can act all the time acts in the end, whichever of its duties it does.
    WeakByAgent,
    /// Weak fairness of each duty: one that can be done all the time is done in the end.
    WeakByDuty,
    /// Strong fairness of each duty: one that can be done again and again is done in the end.
    StrongByDuty,
}

impl AgentFairness {
    /// All of them, the least first.
    pub const ALL: [Self; 4] =
        [Self::None, Self::WeakByAgent, Self::WeakByDuty, Self::StrongByDuty];

    fn per(self) -> Per {
        match self {
            Self::None | Self::WeakByAgent => Per::Agent,
            Self::WeakByDuty | Self::StrongByDuty => Per::Duty,
        }
    }

    /// The usual assumptions with this one about agents.
    fn beside(self, usual: &Assumptions) -> Assumptions {
        Assumptions {
            agents_act: self != Self::None,
            per: self.per(),
            strong: self == Self::StrongByDuty,
            ..usual.clone()
        }
    }
}

/// Each claim about what must follow that a scenario asks and that is about something there, with
/// the least under which it holds; `None` if it holds under none.
///
/// # Errors
/// If a search cannot be made, or ends at a limit.
pub fn least_fairness(
    scenario: &Scenario,
    replay: &Replay,
    settings: &SearchSettings<'_>,
) -> Result<Vec<(&'static Claim, Option<AgentFairness>)>, SearchLimit> {
    let asked = scenario.claims.iter().map(|(claim, _)| *claim);
    let claims: Vec<&'static Claim> =
        asked.filter(|claim| claim.kind() == ClaimKind::Leads && !claim.is_own()).collect();
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let mut least: Vec<(&Claim, Option<AgentFairness>)> =
        claims.iter().map(|claim| (*claim, None)).collect();
    let mut arises = vec![false; claims.len()];
    for per in [Per::Agent, Per::Duty] {
        let world = scenario.world.changed(|world| world.assumptions.per = per);
        let question = CheckQuestion {
            world: &world,
            start: &replay.state,
            claims: claims.clone(),
            witnesses: Vec::new(),
            refines: None,
        };
        let survey = whole(&question, settings)?;
        for fairness in AgentFairness::ALL.into_iter().filter(|it| it.per() == per) {
            let assumptions = fairness.beside(&scenario.world.assumptions);
            let premise =
                Premise { assumptions, faults: [Frequency::Finite; FaultKind::ALL.len()] };
            let answers = survey.leads(&premise, settings.stop).map_err(SearchLimit::Stopped)?;
            for (index, answer) in answers.into_iter().enumerate() {
                arises[index] |= answer != CheckAnswer::Vacuous;
                if answer == CheckAnswer::Holds {
                    least[index].1.get_or_insert(fairness);
                }
            }
        }
    }
    let mut arises = arises.into_iter();
    least.retain(|_| arises.next() == Some(true));
    Ok(least)
}
