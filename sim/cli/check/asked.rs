//! Tasks of `check`: its flags, the scenarios, and the claims.

use deathwatch_claims::Claim;
use deathwatch_model::agents::not_of_outline;
use deathwatch_scenario::{Problem, scenario::Scenario, shell::quoted};
use deathwatch_study::{
    answers::{AnswersHeader, AskedScenario},
    verdict::Refines,
};

use super::Args;
use crate::{
    cluster::ConnectedProcess,
    diagnostics,
    exit::{Abandon, Exit},
    load::{self, Ready},
    search::Searches,
    set,
};

/// The task of a run of `check`.
pub(super) struct CheckTask {
    pub(super) scenarios: Vec<Ready>,
    /// The claims that the flags name, for each scenario; an empty list asks all.
    pub(super) claims: Vec<Vec<&'static Claim>>,
    pub(super) refines: Refines,
    pub(super) header: AnswersHeader,
}

impl CheckTask {
    pub(super) fn new(args: &Args, ready: Vec<Ready>) -> Result<Self, Abandon> {
        let mut scenarios = set::all(&args.set, ready)?;
        if !args.claims.is_empty() {
            load::all_finished(&scenarios)?;
        }
        let refines = refines(args, &scenarios)?;
        let claims: Vec<Vec<&'static Claim>> =
            scenarios.iter().map(|ready| claims(args, ready)).collect::<Result<_, Problem>>()?;
        for (ready, claims) in scenarios.iter_mut().zip(&claims) {
            ready.keep(claims);
        }
        let header = header(args, &scenarios);
        Ok(Self { scenarios, claims, refines, header })
    }

    /// Helps another process to answer.
    pub(super) fn follow(
        &self,
        joined: ConnectedProcess<'_>,
        searches: &Searches<'_>,
        timings: bool,
    ) -> Result<Exit, Abandon> {
        for (at, (ready, claims)) in self.scenarios.iter().zip(&self.claims).enumerate() {
            if !self.header.has(at) {
                continue;
            }
            if let Err(problem) = joined.follow(searches, ready, claims, self.refines) {
                return Err(joined.refuse(problem));
            }
        }
        Ok(joined.finish(timings))
    }
}

/// The command that answers a scenario again, with all that there is to say.
pub(super) fn again(words: &str, args: &Args) -> String {
    let flag = if args.any_size { "--any-size " } else { "" };
    format!("deathwatch check {words} {flag}--verbose")
}

pub(super) fn asks(args: &Args) -> Vec<String> {
    let mut asks = vec![format!("--engine {}", args.engine.name())];
    asks.extend(args.claims.iter().map(|claim| format!("--claim {}", quoted(claim))));
    asks.extend(args.refines.then(|| "--refines".to_owned()));
    asks.extend(set::flags(&args.set));
    asks
}

/// The header of a journal: the flags, the scenarios, and the shard that is answered here.
fn header(args: &Args, scenarios: &[Ready]) -> AnswersHeader {
    let mut asks = asks(args);
    asks.extend(args.limits.of_answers());
    // Of these runs only the first states are kept.
    let is_recorded = args.has_runs_as_data();
    asks.extend(is_recorded.then(|| "--format json --verbose".to_owned()));
    let subjects = scenarios.iter().map(|ready| AskedScenario::new(&ready.scenario)).collect();
    AnswersHeader::new(args.shard, asks.join(" "), subjects)
}

/// The scenarios that are compared with their outlines, at least one. A named one that cannot be
/// compared is an error.
fn refines(args: &Args, scenarios: &[Ready]) -> Result<Refines, Problem> {
    if !args.refines {
        return Ok(Refines::AsScenariosAsk);
    }
    let mut detailed = scenarios.iter().map(|it| &it.scenario).filter(|it| it.world.detail.any());
    let Some(first) = detailed.next() else {
        let problem = Problem::new("no world here has details that could be hidden");
        return Err(problem.with_help("the table [detail] says what a world has beside D1 and D2"));
    };
    let is_searched = |it: &&Scenario| !args.claims.is_empty() || it.is_searched();
    let mut searched = [first].into_iter().chain(detailed).filter(is_searched).peekable();
    if searched.peek().is_none() {
        let problem = Problem::new("no world here that has details is searched");
        return Err(problem.with_help("say [check] refines = true to have it searched for this"));
    }
    let (mut others, mut compared) = (Vec::new(), 0);
    for scenario in searched {
        let Some((rule, why)) = not_of_outline(&scenario.world) else {
            compared += 1;
            continue;
        };
        let (name, rule) = (&scenario.name, scenario.world.clause_name(rule));
        let what = "cannot be compared with its outline";
        others.push(format!("{name} {what}, for the sake of the rule `{rule}`: {why}"));
    }
    if compared == 0 {
        let problem = Problem::new("no world here that is searched can be compared");
        return Err(others.into_iter().fold(problem, Problem::with_help));
    }
    for other in others {
        diagnostics::say(format_args!("warning: {other}"));
    }
    Ok(Refines::EveryDetailedWorld)
}

/// The claims that are named, which the engine has to decide.
fn claims(args: &Args, ready: &Ready) -> Result<Vec<&'static Claim>, Problem> {
    let claims = args.claims.iter().map(|name| load::claim(name, &ready.scenario));
    let claims: Vec<&'static Claim> = claims.collect::<Result<_, Problem>>()?;
    let Some(claim) = claims.iter().find(|claim| !args.engine().decides(claim)) else {
        return Ok(claims);
    };
    let message = format!("stateright cannot decide \"{}\"", claim.name);
    Err(Problem::new(message)
        .with_help("it decides witnesses and claims of the kinds always and reachable only"))
}
