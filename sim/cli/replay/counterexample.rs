//! `deathwatch replay --counterexample`: the run by which a search violates a claim.

use deathwatch_claims::{Claim, ClaimKind, check::CheckAnswer};
use deathwatch_documents::{Run, Status};
use deathwatch_scenario::{Problem, escape::escape, shell::quoted};
use deathwatch_show::{
    page::check::ScenarioPlacement,
    text::{clauses, fitted},
};
use deathwatch_study::{
    recording::{Keep, Played, record},
    to_regression_text,
    verdict::{Engine, Judged, Refines, Verdict},
};

use super::{Args, RunFormat, data};
use crate::{
    diagnostics,
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
    progress::ProgressLine,
    search::Searches,
    traces::shows,
};

/// The number of runs that the page of a single scenario shows whole.
const MOST_WHOLE: usize = 6;

/// Searches, and writes the run that is found. `name` is that of the claim, or empty.
pub(super) fn run(
    args: &Args,
    mut ready: Ready,
    name: &str,
    searches: &Searches<'_>,
) -> Result<Exit, Abandon> {
    load::all_finished(std::slice::from_ref(&ready))?;
    let only: Vec<&'static Claim> = match name {
        "" => Vec::new(),
        name => vec![load::claim(name, &ready.scenario)?],
    };
    ready.keep(&only);
    let ready = &ready;
    let file = args.write_scenario.as_deref().map(Output::create).transpose()?;
    let mut output = args.output(std::slice::from_ref(&ready.scenario))?;
    let line = ProgressLine::new(&ready.scenario.name).expecting(ready.scenario.states);
    let refines = Refines::AsScenariosAsk;
    let verdict = searches.judge(ready, Engine::Own, &only, refines, &line, None);
    drop(line);
    let Some(judged) = verdict.judged.iter().find(|it| is_decided_by_a_run(it)) else {
        return none(&verdict, ready, &only);
    };
    if let Some(mut file) = file {
        let shows = shows(judged);
        let text = to_regression_text(&ready.scenario, &shows, judged);
        file.write(&text.expect("a run decides it"))?;
        file.finish()?;
    }
    if args.format == RunFormat::Text {
        output.write(&text(args, judged))?;
    } else {
        let played = played(ready, judged, &verdict).expect("a run decides it");
        let run = data::recorded(played, args.states)?;
        data::write(vec![run], args.format, &mut output)?;
    }
    output.finish()?;
    Ok(judged.status().into())
}

/// The run that decides the question, if one does, with the command that shows it again.
fn played<'a>(ready: &'a Ready, judged: &'a Judged, verdict: &'a Verdict) -> Option<Played<'a>> {
    let (scenario, replay) = (&ready.scenario, &ready.replay);
    let played = Played::found(scenario, replay, judged, verdict.report.as_ref())?;
    let claim = judged.claim().map(|claim| quoted(claim.name));
    let flags: Vec<String> = std::iter::once("--counterexample".to_owned()).chain(claim).collect();
    Some(played.made_by(data::made_by(scenario, &flags)))
}

/// Whether a run decides the claim, by violating it or by reaching its condition.
fn is_decided_by_a_run(judged: &Judged) -> bool {
    let decided = if judged.is_wanted() { CheckAnswer::Holds } else { CheckAnswer::Violated };
    judged.finding.answer == decided && !judged.is_witness() && judged.rendered.is_some()
}

/// The report and exit code of a search without a run to show.
fn none(verdict: &Verdict, ready: &Ready, named: &[&Claim]) -> Result<Exit, Abandon> {
    if verdict.judged.iter().any(|it| it.status() == Status::Undecided) {
        let why = verdict.undecided_because().unwrap_or("an answer is open");
        diagnostics::say(format_args!("undecided: {why}"));
        return Ok(Exit::Undecided);
    }
    let name = &ready.scenario.name;
    if let Some(claim) = named.first() {
        let what = if claim.kind() == ClaimKind::Reachable { "reached" } else { "violated" };
        let why = format!("no run to show: in {name} \"{}\" is not {what}", escape(claim.name));
        return Err(Problem::new(why).with_help("`check` has the answer to each claim").into());
    }
    let problem = Problem::new(format!("no run to show: in {name} nothing is violated"));
    Err(problem.with_help("name a claim that it does not ask: --counterexample CLAIM").into())
}

/// The run as text, as `check` prints it.
fn text(args: &Args, judged: &Judged) -> String {
    let answer = judged.claim().map_or("violated", |claim| claim.kind().decided());
    let mut lines = vec![format!("{answer}: \"{}\"", judged.name())];
    if let Some(rendered) = &judged.rendered {
        lines.extend(rendered.told());
        lines.extend(rendered.numbered().into_iter().map(|line| format!("  {line}")));
        lines.extend(clauses(&rendered.clauses()).into_iter().filter(|_| args.verbose));
    }
    let text: String = lines.iter().map(|line| escape(line).into_owned() + "\n").collect();
    fitted(&text, args.columns())
}

/// The run that violates each answer; `None` if there is none, or if it is too long. A scenario
/// that is alone has a few whole runs; of others the first state is kept. `made_by` is the command
/// that shows a run again, unless that is the usual one.
pub(crate) fn violating_runs(
    ready: &Ready,
    verdict: &Verdict,
    among: ScenarioPlacement,
    made_by: Option<&str>,
) -> Vec<Option<Run>> {
    let mut whole = match among {
        ScenarioPlacement::Alone => MOST_WHOLE,
        ScenarioPlacement::AmongOthers => 0,
    };
    let run = |judged: &Judged| {
        let played = || {
            let played = violating(ready, judged, verdict)?;
            Some(match made_by {
                Some(command) => played.made_by(command.to_owned()),
                None => played,
            })
        };
        if whole > 0
            && let Ok(run) = record(played()?, Keep::All)
        {
            whole -= 1;
            return Some(run);
        }
        record(played()?, Keep::First).ok()
    };
    verdict.judged.iter().map(run).collect()
}

/// The run that violates the question, if one does.
fn violating<'a>(ready: &'a Ready, judged: &'a Judged, verdict: &'a Verdict) -> Option<Played<'a>> {
    let is_violated = judged.finding.answer == CheckAnswer::Violated && !judged.is_wanted();
    played(ready, judged, verdict).filter(|_| is_violated)
}
