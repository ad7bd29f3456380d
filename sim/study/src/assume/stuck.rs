//! Waits without a cure: if a fault is never put right, the entities that wait for ever, and by
//! which chain.
//!
//! Each assumption about a cure is dropped alone: that crashed agents restart, that an operator
//! resolves errors, terminates hardware, upgrades agents. What must follow is decided again, and
//! each claim that is violated now and was not before has a run that shows it. What holds up the
//! entity of that run is what its diagnosis says; nothing of it is written by hand.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{CheckAnswer, CheckQuestion, SearchSettings},
};
use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::world::{Assumption, Assumptions, World};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

use super::open::{SearchLimit, whole};
use crate::verdict::{self, Engine, Judged, Refines, VerdictOptions};

/// A cure that is dropped, and the waits for it.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The assumption that is not made.
    pub without: Assumption,
    /// The waits, in the order of the claims.
    pub waits: Vec<Wait>,
}

/// A claim that is violated without a cure.
#[derive(Clone, Debug)]
pub struct Wait {
    pub claim: &'static Claim,
    /// The entity that waits in the shortest run.
    pub subject: String,
    /// The chain that holds it up, in sentences without full stops, the roots first, each with the
    /// reason why it does not go on.
    pub chain: Vec<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
}

/// The waits in the world of `scenario`, for each cure that an actor there may need. Of its claims
/// about what must follow those in `only` are asked, or all, if that is empty.
///
/// # Errors
/// If a search cannot be made, or ends at a limit.
pub fn stuck(
    scenario: &Scenario,
    replay: &Replay,
    only: &[&'static Claim],
    settings: &SearchSettings<'_>,
) -> Result<Vec<Stuck>, SearchLimit> {
    let own = scenario.claims.iter().map(|(claim, _)| *claim);
    let asked: Vec<&'static Claim> = if only.is_empty() { own.collect() } else { only.to_vec() };
    let claims: Vec<&'static Claim> =
        asked.into_iter().filter(|claim| claim.kind() == ClaimKind::Leads).collect();
    if claims.is_empty() {
        return Ok(Vec::new());
    }
    let violated = |without: Option<Assumption>| -> Result<Vec<Judged>, SearchLimit> {
        let mut scenario = scenario.clone();
        let assumptions = all_but(&scenario.world.assumptions, without);
        scenario.world = scenario.world.changed(|world| world.assumptions = assumptions);
        let options = VerdictOptions {
            engine: Engine::Own,
            only: &claims,
            refines: Refines::AsScenariosAsk,
            settings: *settings,
        };
        let verdict = verdict::judge(&scenario, replay, &options).map_err(SearchLimit::TooLarge)?;
        if let Some(stop) = verdict.stopped() {
            return Err(SearchLimit::Stopped(stop));
        }
        let judged = verdict.judged.into_iter();
        Ok(judged.filter(|judged| judged.finding.answer == CheckAnswer::Violated).collect())
    };
    let anyway = violated(None)?;
    let is_new = |judged: &Judged| !anyway.iter().any(|it| it.name() == judged.name());
    let mut all = Vec::new();
    for without in cures(scenario, replay, settings)? {
        let waits = violated(Some(without))?;
        let neglect = neglect(&scenario.world, without);
        let new = waits.into_iter().filter(is_new);
        let waits = new.filter_map(|judged| wait(judged, neglect.as_ref())).collect();
        all.push(Stuck { without, waits });
    }
    Ok(all)
}

/// The cures that an actor in this world may need: assumptions about others than agents and users.
fn cures(
    scenario: &Scenario,
    replay: &Replay,
    settings: &SearchSettings<'_>,
) -> Result<Vec<Assumption>, SearchLimit> {
    let question = CheckQuestion {
        world: &scenario.world,
        start: &replay.state,
        claims: Vec::new(),
        witnesses: Vec::new(),
        refines: None,
    };
    let survey = whole(&question, settings)?;
    Ok(survey.assumptions().filter(|it| it.is_cure()).collect())
}

/// All assumptions but one, and that agents are strongly fair only where they are.
fn all_but(usual: &Assumptions, without: Option<Assumption>) -> Assumptions {
    let mut assumptions = usual.clone();
    for assumption in Assumption::ALL.iter().filter(|it| it.is_usual()) {
        assumption.set(&mut assumptions, Some(*assumption) != without);
    }
    assumptions
}

/// The neglect of agents, if the cure is an assumption against it. A diagnosis follows documents
/// and agents that cannot act; without this sentence, an agent that could and does not would go
/// unmentioned.
fn neglect(world: &World, without: Assumption) -> Option<String> {
    match without {
        Assumption::AgentsAreUpgraded | Assumption::AgentsAreRedeployed => {
            let clauses: Vec<String> =
                world.neglected.iter().map(|it| world.clause_name(it).into_owned()).collect();
            Some(format!("agents neglect {}", clauses.join(", ")))
        }
        Assumption::AgentsAct
        | Assumption::CrashedAgentsRestart
        | Assumption::FailedHardwareIsTerminated
        | Assumption::HookErrorsAreResolved
        | Assumption::FailedStartsAreResolved
        | Assumption::CommandsFinish
        | Assumption::FinitelyManyCommands
        | Assumption::Strong => None,
    }
}

fn wait(judged: Judged, neglect: Option<&String>) -> Option<Wait> {
    let (claim, mut run) = (judged.claim()?, judged.rendered?);
    // The run is not shown, so its steps mean nothing.
    run.wait_for = run.wait_for.map(WaitFor::without_steps);
    let chain = run.sentences().into_iter().chain(neglect.cloned()).collect();
    Some(Wait { claim, subject: run.subject.unwrap_or_default(), chain, wait_for: run.wait_for })
}
