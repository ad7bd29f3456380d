//! Fairness of agents: what can be assumed of it, and the least that a claim about what must follow
//! needs where all else is assumed as the scenario says.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{CheckAnswer, CheckQuestion, Frequency, RunPremise, SearchSettings},
};
use deathwatch_model::world::{Assumption, Assumptions, FaultKind, Per};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

use super::open::{SearchLimit, whole};

/// Assumptions about agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentFairness {
    /// No fairness: agents need not act.
    None,
    /// An agent that can act all the time acts in the end, whichever of its duties it does.
    WeakByAgent,
    /// Weak fairness of each duty: one that can be done all the time is done in the end.
    WeakByDuty,
    /// An agent that can act again and again acts again and again, whichever of its duties it does.
    StrongByAgent,
    /// Strong fairness of each duty: one that can be done again and again is done in the end.
    StrongByDuty,
}

impl AgentFairness {
    /// All of them, none that says less behind one that says more.
    pub const ALL: [Self; 5] =
        [Self::None, Self::WeakByAgent, Self::WeakByDuty, Self::StrongByAgent, Self::StrongByDuty];

    /// The ones of which each says more than the one before.
    pub const CHAIN: [Self; 4] =
        [Self::None, Self::WeakByAgent, Self::WeakByDuty, Self::StrongByDuty];

    /// Whether agents act, whether each duty is done, and whether fairness is strong.
    fn says(self) -> [bool; 3] {
        match self {
            Self::None => [false, false, false],
            Self::WeakByAgent => [true, false, false],
            Self::WeakByDuty => [true, true, false],
            Self::StrongByAgent => [true, false, true],
            Self::StrongByDuty => [true, true, true],
        }
    }

    /// Whether `other` says all that this one does.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.says().iter().zip(other.says()).all(|(mine, theirs)| *mine <= theirs)
    }

    /// Whether a claim that holds with this one holds with `other`. To say more is not enough: an
    /// agent whose duties take turns can always act, and owes no duty that can always be done.
    pub(super) fn carries(self, other: Self) -> bool {
        self.is_within(other) && (self, other) != (Self::WeakByAgent, Self::WeakByDuty)
    }

    /// The number of things that it says.
    pub(super) fn height(self) -> u32 {
        self.says().map(u32::from).iter().sum()
    }

    /// The sentence that it is, without its full stop.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::None => "agents need not act",
            Self::WeakByAgent => Assumption::AgentsAct.row().says,
            Self::WeakByDuty => "agents are fair to each duty",
            Self::StrongByAgent => Assumption::Strong.row().says,
            Self::StrongByDuty => "agents are strongly fair to each duty",
        }
    }

    /// The keys in `[assume]` that say it; `per` stands for `per = "duty"`.
    pub(super) fn keys(self) -> impl Iterator<Item = &'static str> {
        let keys = [Assumption::AgentsAct.row().key, "per", Assumption::Strong.row().key];
        keys.into_iter().zip(self.says()).filter(|(_, is_said)| *is_said).map(|(key, _)| key)
    }

    /// The usual assumptions with this one about agents.
    pub(super) fn beside(self, usual: &Assumptions) -> Assumptions {
        let [agents_act, by_duty, strong] = self.says();
        let per = if by_duty { Per::Duty } else { Per::Agent };
        Assumptions { agents_act, per, strong, ..usual.clone() }
    }
}

/// Each claim about what must follow that a scenario asks and that is about something there, with
/// the first of the chain under which it holds; `None` if it holds under none.
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
    let question = CheckQuestion {
        world: &scenario.world,
        start: &replay.state,
        claims,
        witnesses: Vec::new(),
        refines: None,
    };
    let survey = whole(&question, settings)?;
    for fairness in AgentFairness::CHAIN {
        let assumptions = fairness.beside(&scenario.world.assumptions);
        let premise = RunPremise { assumptions, faults: [Frequency::Finite; FaultKind::ALL.len()] };
        let answers = survey.leads(&premise, settings.stop).map_err(SearchLimit::Stopped)?;
        for (index, answer) in answers.into_iter().enumerate() {
            arises[index] |= answer != CheckAnswer::Vacuous;
            if answer == CheckAnswer::Holds {
                least[index].1.get_or_insert(fairness);
            }
        }
    }
    let mut arises = arises.into_iter();
    least.retain(|_| arises.next() == Some(true));
    Ok(least)
}
