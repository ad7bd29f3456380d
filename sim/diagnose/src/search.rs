//! The search of one state: what goes, and what has to be done for it.

use std::path::Path;

use deathwatch_claims::{
    ClaimKind, Diagnosis,
    check::{
        self, CheckAnswer, CheckQuestion, Frequency, RunPremise, SearchSettings, Stop, Survey,
        Surveyed,
    },
    disagreements,
};
use deathwatch_model::{
    action::Action,
    ids::EntityId,
    rows::Row,
    variants::DeadWhileInScope,
    world::{Assumption, Assumptions, FaultKind},
};
use deathwatch_scenario::{Problem, Scenario, replay, scenario};

use crate::{
    cut::Thing,
    world::{FittingState, goes},
};

/// The assumptions about what an operator does.
pub(crate) const CURES: [Assumption; 4] = [
    Assumption::HookErrorsAreResolved,
    Assumption::CrashedAgentsRestart,
    Assumption::FailedHardwareIsTerminated,
    Assumption::FailedStartsAreResolved,
];

/// The greatest number of states of one world.
const MOST_STATES: u64 = 50_000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RemovalCondition {
    ByItself,
    /// It does if the operator does all of one of these.
    With(Vec<Vec<Assumption>>),
    /// It does not, whatever an operator does short of force.
    Never,
}

impl RemovalCondition {
    /// Whether it goes if the operator does all of these.
    pub(crate) fn with(&self, done: &[Assumption]) -> bool {
        match self {
            Self::ByItself => true,
            Self::With(sets) => sets.iter().any(|set| set.iter().all(|it| done.contains(it))),
            Self::Never => false,
        }
    }
}

/// The result of the search of a state.
pub(crate) struct SearchedState {
    pub(crate) scenario: Scenario,
    /// The number of states from there on.
    pub(crate) states: u64,
    /// The operator's acts there that may make a difference.
    pub(crate) cures: Vec<Assumption>,
    /// The outcome of each thing that is not Alive.
    pub(crate) goes: Vec<(Thing, RemovalCondition)>,
}

/// A claim that does not hold, and the row of which it does not.
pub(crate) type BrokenClaim = (&'static str, Row);

/// Reads the scenario of a candidate, and tells where its rows disagree.
pub(crate) fn read(text: &str) -> Result<(Scenario, Vec<BrokenClaim>), Problem> {
    let scenario = scenario::parse(Path::new("diagnosis.toml"), text)?;
    let is_lax = scenario.world.variants.dead_while_in_scope != DeadWhileInScope::Forbidden;
    let mut broken = disagreements(&scenario.world, &scenario.start);
    broken.retain(|(says, _)| !(is_lax && *says == "a Dead unit is in no scope"));
    Ok((scenario, broken))
}

/// Searches the world of a candidate.
pub(crate) fn search(
    candidate: &FittingState<'_>,
    scenario: Scenario,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<SearchedState, String> {
    let things = candidate.things();
    let start = if scenario.steps.is_empty() {
        scenario.start.clone()
    } else {
        replay::replay(&scenario).map_err(|_| "it cannot be forced".to_owned())?.state
    };
    let claims = scenario.claims.iter().map(|(claim, _)| *claim);
    let leads: Vec<_> = claims.filter(|claim| claim.kind() == ClaimKind::Leads).collect();
    let question = CheckQuestion {
        world: &scenario.world,
        start: &start,
        claims: leads.clone(),
        witnesses: Vec::new(),
        refines: None,
    };
    let settings = settings(stop);
    let survey = match Survey::without_faults(&question, &settings) {
        Err(why) => return Err(why.reason().to_owned()),
        Ok(Surveyed::Stopped(Stop::States)) => return Err("there are too many states".to_owned()),
        Ok(Surveyed::Stopped(_)) => return Err("the time was up".to_owned()),
        Ok(Surveyed::Whole(survey)) => survey,
    };
    let needed: Vec<Assumption> = survey.assumptions().filter(|it| CURES.contains(it)).collect();
    let mut answers: Vec<(Vec<Assumption>, Vec<CheckAnswer>)> = Vec::new();
    for set in subsets(&needed) {
        let mut assumptions = Assumptions::default();
        for cure in CURES {
            cure.set(&mut assumptions, set.contains(&cure));
        }
        let premise = RunPremise { assumptions, faults: [Frequency::Never; FaultKind::ALL.len()] };
        let given = survey.leads(&premise, stop).map_err(|_| "the time was up".to_owned())?;
        let is_all = given.iter().all(|it| *it != CheckAnswer::Violated);
        answers.push((set, given));
        if is_all && answers.len() == 1 {
            break;
        }
    }
    let goes = things.into_iter().map(|thing| {
        let name = goes(candidate, &thing);
        let index = leads.iter().position(|it| it.name == name);
        let index = index.expect("the scenario asks of each thing");
        let mut sets: Vec<Vec<Assumption>> = Vec::new();
        for (set, given) in &answers {
            let is_more = |less: &Vec<Assumption>| less.iter().all(|it| set.contains(it));
            if given[index] != CheckAnswer::Violated && !sets.iter().any(is_more) {
                sets.push(set.clone());
            }
        }
        let goes = match &sets[..] {
            [] => RemovalCondition::Never,
            [one] if one.is_empty() => RemovalCondition::ByItself,
            _ => RemovalCondition::With(sets),
        };
        (thing, goes)
    });
    let goes = goes.collect();
    let states = survey.states();
    drop(survey);
    Ok(SearchedState { scenario, states, cures: needed, goes })
}

/// The shortest run by which all goes, if there is one.
pub(crate) fn way_out(
    scenario: &Scenario,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Option<Vec<Action>> {
    let claims = scenario.claims.iter().map(|(claim, _)| *claim);
    let question = CheckQuestion {
        world: &scenario.world,
        start: &scenario.start,
        claims: claims.filter(|claim| claim.kind() == ClaimKind::Reachable).collect(),
        witnesses: Vec::new(),
        refines: None,
    };
    let report = check::check_without(&question, FaultKind::ALL, &settings(stop)).ok()?;
    let finding = report.findings.into_iter().next()?;
    (finding.answer == CheckAnswer::Holds).then_some(finding.trace?.steps)
}

/// The reason why an entity waits in the state itself; if nobody moves there, why not.
pub(crate) fn diagnosis(scenario: &Scenario, entity: EntityId) -> Diagnosis {
    let row = match entity {
        EntityId::Machine(id) => Row::Machine(id),
        EntityId::Application(id) => Row::Application(id),
        EntityId::Unit(id) => Row::Unit(id),
        EntityId::Relation(id) => Row::Relation(id),
    };
    Diagnosis::at_end(&scenario.world, &scenario.start, row)
}

fn settings(stop: &(dyn Fn() -> Option<Stop> + Sync)) -> SearchSettings<'_> {
    SearchSettings { max_states: Some(MOST_STATES), stop, ..SearchSettings::without_limits(1) }
}

/// All sets of these, the smaller ones first.
fn subsets(of: &[Assumption]) -> Vec<Vec<Assumption>> {
    let mut all: Vec<Vec<Assumption>> = (0..1_usize << of.len())
        .map(|bits| {
            let one = of.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
            one.map(|(_, it)| *it).collect()
        })
        .collect();
    all.sort_by_key(Vec::len);
    all
}
