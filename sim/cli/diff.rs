//! `deathwatch check --diff`: the differences between the answers to two scenarios, or between two
//! journals.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use deathwatch_claims::Claim;
use deathwatch_documents::{Differences, difference::Sides};
use deathwatch_scenario::{
    Problem,
    scenario::{Address, Scenario, display},
};
use deathwatch_show::{difference::text, page, text::TextDetail};
use deathwatch_study::{
    assume::NamedVariant,
    difference::{self, ComparedScenario},
    journal,
    verdict::{self, Engine, Refines, Verdict},
};

use crate::{
    diagnostics,
    exit::{Abandon, Exit},
    format::{Format, json},
    inputs::Inputs,
    limits::Limits,
    load::{self, Ready},
    output::Results,
    progress::ProgressLine,
    search::Searches,
    set,
};

/// A comparison, and how it is shown.
pub(crate) struct DiffTask<'a> {
    /// The named paths: two scenarios, two journals, or one scenario.
    pub(crate) paths: &'a [PathBuf],
    /// The variants that B has otherwise.
    pub(crate) set: &'a [NamedVariant],
    /// The only claims that are asked, if there are any.
    pub(crate) claims: &'a [String],
    pub(crate) limits: &'a Limits,
    /// The file and the format of the output.
    pub(crate) results: &'a Results,
    pub(crate) detail: TextDetail,
}

pub(crate) fn run(task: &DiffTask<'_>) -> Result<Exit, Abandon> {
    if !matches!(task.results.format, Format::Text | Format::Json | Format::Html) {
        let problem = Problem::new("differences are written as text, JSON or HTML");
        return Err(problem.into());
    }
    let paths = paths(task)?;
    let is_journal = |path: &Path| path.is_file() && journal::command_of(path).is_some();
    let inputs = Inputs::of([paths.a, paths.b].map(given_file).iter().map(PathBuf::as_path));
    if is_journal(paths.a) && is_journal(paths.b) {
        if !task.set.is_empty() || !task.claims.is_empty() {
            let problem = Problem::new("a journal has answers only: nothing more can be asked");
            return Err(problem.with_help("leave out --set and --claim").into());
        }
        let mut output = task.results.open(&inputs)?;
        let differences = difference::of_journals(paths.a, paths.b)?;
        output.write(&shown(task, &differences))?;
        output.finish()?;
        return Ok(exit(&differences, false));
    }
    if is_journal(paths.a) || is_journal(paths.b) {
        let problem = Problem::new("a scenario cannot be compared with a journal");
        return Err(problem.with_help("name two scenarios, or two journals").into());
    }
    scenarios(task, &paths, &inputs)
}

/// The two that are compared. With other variants, one may be named alone.
fn paths<'a>(task: &DiffTask<'a>) -> Result<Sides<&'a Path>, Problem> {
    match task.paths {
        [a, b] => Ok(Sides { a, b }),
        [both] if !task.set.is_empty() => Ok(Sides { a: both, b: both }),
        _ => {
            let problem = Problem::new("--diff compares two scenarios, or two journals");
            let help = "name both; or one scenario, and with --set NAME=VALUE what is different";
            Err(problem.with_help(help))
        }
    }
}

/// The file that a path or an address names.
fn given_file(path: &Path) -> PathBuf {
    Address::given(path).file
}

/// Answers both scenarios, and compares the answers.
fn scenarios(task: &DiffTask<'_>, paths: &Sides<&Path>, inputs: &Inputs) -> Result<Exit, Abandon> {
    let searches = Searches::begin(task.limits);
    let load = |path: &Path| load::askable_scenario_within(&searches.deadline, path, "compare");
    let (mut a, b) = (load(paths.a)?.scenario, load(paths.b)?.scenario);
    let mut b = set::unplayed(task.set, b)?;
    if task.claims.is_empty() {
        difference::ask_alike(&mut a, &mut b);
    }
    let named = |scenario: &Scenario| -> Result<Vec<&'static Claim>, Problem> {
        task.claims.iter().map(|name| load::claim(name, scenario)).collect()
    };
    let claims = Sides { a: named(&a)?, b: named(&b)? };
    let kept = |scenario: Scenario, named: &[&'static Claim]| {
        let asked = asked(&scenario, named);
        scenario.keeping(asked.into_iter())
    };
    let [a, b] = difference::keep_alike(kept(a, &claims.a), kept(b, &claims.b));
    let ready = Sides { a: played(a)?, b: played(b)? };
    load::all_finished(std::slice::from_ref(&ready.a))?;
    load::all_finished(std::slice::from_ref(&ready.b))?;
    let mut output = task.results.open(inputs)?;
    let judge = |ready: &Ready, claims: &[&'static Claim]| -> Verdict {
        let line = ProgressLine::new(&ready.scenario.name).expecting(ready.scenario.states);
        searches.judge(ready, Engine::Own, claims, Refines::AsScenariosAsk, &line, None)
    };
    let verdicts = Sides { a: judge(&ready.a, &claims.a), b: judge(&ready.b, &claims.b) };
    let sides = Sides { a: answered(&ready.a, &verdicts.a), b: answered(&ready.b, &verdicts.b) };
    for side in [&sides.a, &sides.b] {
        if let Some(why) = &side.verdict.too_large {
            return Err(verdict::unsearchable(side.scenario, why).into());
        }
    }
    let differences = difference::of_scenarios(names(task, paths), &sides);
    output.write(&shown(task, &differences))?;
    output.finish()?;
    let why_open = [&verdicts.a, &verdicts.b].into_iter().find_map(Verdict::undecided_because);
    if let Some(why) = why_open {
        diagnostics::say(format_args!("undecided: {why}"));
    }
    Ok(exit(&differences, why_open.is_some()))
}

fn answered<'a>(ready: &'a Ready, verdict: &'a Verdict) -> ComparedScenario<'a> {
    ComparedScenario { scenario: &ready.scenario, replay: &ready.replay, verdict }
}

fn names(task: &DiffTask<'_>, paths: &Sides<&Path>) -> Sides<String> {
    let mut names = paths.map(|path| display(path));
    for it in task.set {
        let value = it.value.unwrap_or_default();
        write!(names.b, " --set {}={value}", it.variant).expect("a string takes any text");
    }
    names
}

/// The scenario with its script, which may end at a step that is not possible.
fn played(scenario: Scenario) -> Result<Ready, Problem> {
    let replay = load::replay_or_cut(&scenario)?;
    Ok(Ready { scenario, replay })
}

/// The claims that a scenario is asked: those that are named, or its own.
fn asked(scenario: &Scenario, named: &[&'static Claim]) -> Vec<&'static Claim> {
    let own = scenario.claims.iter().map(|(claim, _)| *claim);
    if named.is_empty() { own.collect() } else { named.to_vec() }
}

fn shown(task: &DiffTask<'_>, differences: &Differences) -> String {
    match task.results.format {
        Format::Json => json::text(&differences.document()),
        Format::Html => page::of_differences(differences),
        _ => text(differences, task.detail, task.results.look(task.detail).columns),
    }
}

/// The exit code: that something differs is not as expected.
fn exit(differences: &Differences, is_cut_short: bool) -> Exit {
    if differences.is_any() {
        Exit::Unexpected
    } else if differences.is_open() || is_cut_short {
        Exit::Undecided
    } else {
        Exit::AsExpected
    }
}
