//! Loading: every file is read, and every script replayed, before any search begins.
//!
//! A bad file is reported before time is spent, and all bad files are reported at once. Commands
//! that answer for many scenarios go on with the others, and a script that cannot go on is an
//! answer to them: a designer who changes a rule wants to know all that it breaks.

use std::path::{Path, PathBuf};

use deathwatch_claims::Claim;
use deathwatch_documents::{Answer, Warning};
use deathwatch_scenario::{
    Problem,
    problem::nearest,
    replay::{self, Replay},
    scenario::{self, Address, Scenario, how_to_switch_on},
};
use deathwatch_study::simulate::Simulation;

use crate::{
    diagnostics,
    exit::{Abandon, Exit},
    inputs::Inputs,
    interrupt::Deadline,
    shipped,
};

/// A scenario and the replay of its script.
pub(crate) struct Ready {
    pub(crate) scenario: Scenario,
    pub(crate) replay: Replay,
}

impl Ready {
    /// Keeps the history that these claims read, too, from the beginning of the script on.
    pub(crate) fn keep(&mut self, claims: &[&'static Claim]) {
        if claims.iter().any(|claim| !claim.keeps().is_empty()) {
            self.scenario = self.scenario.clone().keeping(claims.iter().copied());
            let replay = replay_or_cut(&self.scenario);
            self.replay = replay.expect("what is kept of history changes no step");
        }
    }

    /// The scenario in whose world the seed runs, if seeds draw its details. It has no script then.
    pub(crate) fn drawn(
        &self,
        simulation: &Simulation<'_>,
        seed: u64,
    ) -> Result<Option<Self>, Problem> {
        if !self.scenario.simulate.draws_details {
            return Ok(None);
        }
        let scenario = simulation.drawn(seed).clone();
        let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
        Ok(Some(Self { scenario, replay }))
    }
}

/// The loaded scenarios, and the problems of the others.
pub(crate) struct Askable {
    /// The scenarios that can be asked. A script that cannot go on has its replay up to there.
    pub(crate) ready: Vec<Ready>,
    /// The others, each with its mistakes.
    pub(crate) bad: Vec<(Address, Vec<Problem>)>,
}

impl Askable {
    /// Reports the problems, and returns their exit code. They end the command if no scenario is
    /// left, or if there is a `journal`: it would name scenarios that were not asked.
    pub(crate) fn report_bad(&self, journal: Option<&Path>) -> Result<Exit, Abandon> {
        if self.bad.is_empty() {
            return Ok(Exit::AsExpected);
        }
        let problems = self.bad.iter().flat_map(|(_, problems)| problems).cloned().collect();
        let problems = Abandon::Problems(problems);
        let ends = self.ready.is_empty() || journal.is_some();
        if ends { Err(problems) } else { Ok(problems.report()) }
    }
}

/// The scenarios that `paths` name and that can be asked, unless the deadline passes while they are
/// loaded.
pub(crate) fn askable_within(deadline: &Deadline, paths: &[PathBuf]) -> Result<Askable, Abandon> {
    let paths = paths.to_vec();
    let load = move || {
        let (ready, bad) = sorted(&files(&paths)?, load_askable);
        Ok(Askable { ready, bad })
    };
    deadline.wait_for(load).unwrap_or_else(|stop| Err(Abandon::Stopped(stop)))
}

/// The scenarios in `folder` whose scripts can be played, unless that takes longer than an answer
/// may.
pub(crate) fn readable(deadline: &Deadline, folder: &Path) -> Result<Vec<Ready>, Abandon> {
    let askable = askable_within(deadline, &[folder.to_owned()])?;
    Ok(askable.ready.into_iter().filter(|it| !it.replay.is_cut).collect())
}

/// Loads the scenarios that `paths` name, unless that takes longer than an answer may.
pub(crate) fn scenarios_within(
    deadline: &Deadline,
    paths: &[PathBuf],
) -> Result<Vec<Ready>, Abandon> {
    let paths = paths.to_vec();
    deadline.wait_for(move || scenarios(&paths)).unwrap_or_else(|stop| Err(Abandon::Stopped(stop)))
}

/// Loads the scenarios at these addresses, in their order.
pub(crate) fn each(addresses: &[Address]) -> Result<Vec<Ready>, Abandon> {
    all(addresses, load_whole)
}

/// Loads the scenarios at these addresses, as [`each`] does, unless that takes longer than an
/// answer may.
pub(crate) fn each_within(deadline: &Deadline, all: Vec<Address>) -> Result<Vec<Ready>, Abandon> {
    deadline.wait_for(move || each(&all)).unwrap_or_else(|stop| Err(Abandon::Stopped(stop)))
}

/// The scenario in `file`. `verb` completes the message that the command needs exactly one.
pub(crate) fn scenario(file: &Path, verb: &str) -> Result<Ready, Abandon> {
    only(named(&[file.to_owned()])?, file, verb)
}

/// Loads the scenarios that `paths` name: files, each without its tables `also`, or addresses.
pub(crate) fn named(paths: &[PathBuf]) -> Result<Vec<Ready>, Abandon> {
    each(&scenario::find_named(paths)?)
}

/// The result of [`named`], unless the deadline passes before.
pub(crate) fn named_within(deadline: &Deadline, paths: &[PathBuf]) -> Result<Vec<Ready>, Abandon> {
    let paths = paths.to_vec();
    deadline.wait_for(move || named(&paths)).unwrap_or_else(|stop| Err(Abandon::Stopped(stop)))
}

/// Loads the scenario in `file`, as [`scenario()`] does, unless that takes longer than an answer
/// may.
pub(crate) fn scenario_within(
    deadline: &Deadline,
    file: &Path,
    verb: &str,
) -> Result<Ready, Abandon> {
    one_within(deadline, file, verb, load_whole)
}

/// Loads the scenario in `file`, whose script may end at a step that is not possible, unless that
/// takes longer than an answer may.
pub(crate) fn askable_scenario_within(
    deadline: &Deadline,
    file: &Path,
    verb: &str,
) -> Result<Ready, Abandon> {
    one_within(deadline, file, verb, load_askable)
}

fn one_within(
    deadline: &Deadline,
    file: &Path,
    verb: &str,
    make: fn(Scenario) -> Result<Ready, Problem>,
) -> Result<Ready, Abandon> {
    let (path, verb) = (file.to_owned(), verb.to_owned());
    let load = move || {
        let addresses = scenario::find_named(std::slice::from_ref(&path))?;
        only(all(&addresses, make)?, &path, &verb)
    };
    deadline.wait_for(load).unwrap_or_else(|stop| Err(Abandon::Stopped(stop)))
}

fn only(mut ready: Vec<Ready>, file: &Path, verb: &str) -> Result<Ready, Abandon> {
    if let (Some(ready), true) = (ready.pop(), ready.is_empty()) {
        return Ok(ready);
    }
    let file = scenario::display(file);
    let message = format!("failed to {verb} {file}: it has more than one scenario");
    Err(Problem::new(message).into())
}

/// The files of `scenarios`.
pub(crate) fn inputs(scenarios: &[Ready]) -> Inputs {
    Inputs::of(scenarios.iter().map(|ready| ready.scenario.address.file.as_path()))
}

/// Loads the scenarios that `paths` name: files, or folders of files.
pub(crate) fn scenarios(paths: &[PathBuf]) -> Result<Vec<Ready>, Abandon> {
    all(&files(paths)?, load_whole)
}

/// Reads the scenarios that `paths` stand for, and carries out no script. Where one alone is
/// wanted, a file stands for itself without its tables `also`.
pub(crate) fn unplayed(paths: &[PathBuf], is_one: bool) -> Result<Vec<Scenario>, Abandon> {
    all(&if is_one { scenario::find_named(paths)? } else { files(paths)? }, Ok)
}

/// Loads all scenarios, or reports each that is bad.
fn all<T>(
    addresses: &[Address],
    make: impl Fn(Scenario) -> Result<T, Problem>,
) -> Result<Vec<T>, Abandon> {
    let (loaded, bad) = sorted(addresses, make);
    let problems: Vec<Problem> = bad.into_iter().flat_map(|(_, problems)| problems).collect();
    if problems.is_empty() { Ok(loaded) } else { Err(Abandon::Problems(problems)) }
}

/// Loads all scenarios, and sorts out those that are bad. Where that of a file is, those of its
/// tables `also` are not tried: they share the mistake.
fn sorted<T>(
    addresses: &[Address],
    make: impl Fn(Scenario) -> Result<T, Problem>,
) -> (Vec<T>, Vec<(Address, Vec<Problem>)>) {
    shipped::say_offered(addresses.iter().map(|address| &address.file));
    let mut loaded = Vec::new();
    let mut problems = Vec::new();
    let mut bad = None;
    scenario::load_each(addresses, |address, load| {
        if address.also.is_some() && bad.as_ref() == Some(&address.file) {
            return;
        }
        match load().and_then(&make) {
            Ok(scenario) => loaded.push(scenario),
            Err(problem) => {
                let all = scenario::mistakes(address);
                problems.push((address.clone(), if all.is_empty() { vec![problem] } else { all }));
                bad = address.also.is_none().then(|| address.file.clone()).or(bad.take());
            }
        }
    });
    (loaded, problems)
}

/// The answers to a scenario that cannot be asked, which this command asks again.
pub(crate) fn not_asked(address: &Address, problems: &[Problem], command: String) -> Answer {
    let file = address.to_string();
    let why = problems.first().map(ToString::to_string).unwrap_or_default();
    let line = problems.first().and_then(Problem::line_column).map(|(line, _)| line);
    Answer { line, ..Answer::missing(&address.name(), &file, command, why) }
}

/// The scenarios that `paths` name.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<Address>, Abandon> {
    Ok(scenario::find(paths)?)
}

/// Loads a scenario whose script has to go on to its end.
fn load_whole(scenario: Scenario) -> Result<Ready, Problem> {
    let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
    finished(Ready { scenario, replay })
}

/// Loads a scenario whose script may end at a step that is not possible.
fn load_askable(scenario: Scenario) -> Result<Ready, Problem> {
    let replay = replay_or_cut(&scenario)?;
    finished(Ready { scenario, replay })
}

/// The replay of a script, up to a step that is not possible if there is one.
pub(crate) fn replay_or_cut(scenario: &Scenario) -> Result<Replay, Problem> {
    replay::replay(scenario).or_else(|impossible| impossible.into_replay())
}

/// Checks that the script does not end in the middle of a client's transaction if a search follows.
fn finished(ready: Ready) -> Result<Ready, Problem> {
    warn(&ready.scenario, &ready.scenario.idle);
    match unfinished(&ready).filter(|_| ready.scenario.is_searched()) {
        Some(problem) => Err(problem),
        None => Ok(ready),
    }
}

/// Tells what a scenario says to no effect.
pub(crate) fn warn<'a>(scenario: &Scenario, warnings: impl IntoIterator<Item = &'a Warning>) {
    for warning in warnings {
        diagnostics::say(format_args!("warning: {}: {}", scenario.name, warning.text));
    }
}

/// Checks that no script ends in the middle of a client's transaction, even where the scenario asks
/// for no search.
pub(crate) fn all_finished(scenarios: &[Ready]) -> Result<(), Abandon> {
    let problems: Vec<Problem> = scenarios.iter().filter_map(unfinished).collect();
    if problems.is_empty() { Ok(()) } else { Err(Abandon::Problems(problems)) }
}

/// The claim called `name`: one that is built in, or one of the scenario's own.
pub(crate) fn claim(name: &str, scenario: &Scenario) -> Result<&'static Claim, Problem> {
    let mut own = scenario.claims.iter().map(|(claim, _)| *claim);
    let found = deathwatch_claims::named(name).or_else(|| own.find(|claim| claim.name == name));
    if let Some(detail) = found.and_then(|claim| claim.lacks(scenario.world.detail)) {
        let message = format!("\"{name}\" is about the detail `{detail}`");
        let problem = Problem::new(format!("{message}, which {} does not have", scenario.name));
        return Err(problem.with_help(how_to_switch_on(detail)));
    }
    found.ok_or_else(|| {
        let message = format!("{} has no claim \"{name}\", and none is built in", scenario.name);
        let built_in = deathwatch_claims::all().map(|claim| claim.name);
        let own = scenario.claims.iter().filter(|(claim, _)| claim.is_own());
        let known = built_in.chain(own.map(|(claim, _)| claim.name));
        let help = nearest(name, known);
        let all = "`deathwatch list claims` names those that are built in";
        Problem::new(message).with_help(help.unwrap_or(all.to_owned()))
    })
}

fn unfinished(ready: &Ready) -> Option<Problem> {
    let whole = Some(&ready.replay).filter(|replay| !replay.is_cut)?;
    replay::unfinished(&ready.scenario, whole)
}
