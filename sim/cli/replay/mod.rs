//! `deathwatch replay`: the changes of each step of a script, or of the run of a seed, or of the
//! one by which a search violates a claim.

mod counterexample;
mod data;
mod seed;
mod slice;

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use deathwatch_model::ids::EntityId;
use deathwatch_scenario::{
    Problem, Replay, Scenario, describe,
    escape::escape,
    replay::{self, replay},
    scenario::display,
};
use deathwatch_show::text::{TextDetail, clauses, fitted};
use deathwatch_study::{
    assume::NamedVariant,
    needs_history,
    recording::{Played, Slice},
    sweep, to_start_text,
    verdict::ScriptFindings,
};

pub(crate) use self::counterexample::violating_runs;
use self::data::{RunFormat, WhichStates};
use crate::{
    appearance::Appearance,
    diagnostics::say,
    exit::{Abandon, Exit, heard},
    inputs::Inputs,
    limits::Limits,
    load::{self, Ready},
    output::{Output, no_page_to_terminal},
    question::{FLAGS, QuestionArgs},
    search::Searches,
    set,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch replay scenarios/transactions/remove-unit
  deathwatch replay counterexample.toml
  deathwatch replay my.toml --counterexample
  deathwatch replay my.toml --counterexample \"a Dying unit is removed\" --format mermaid
  deathwatch replay my.toml --counterexample --format json --output run.json
  deathwatch replay counterexample.toml --write-end from-there.toml
  deathwatch replay big.toml --seed 4711
  deathwatch replay big.toml --seed 4711 --claim \"a Dying unit is removed\" --verbose
  deathwatch replay big.toml --seed 4711 --always 'units.all(u, u.life != \"dead\")'

Exit codes: 0 as expected, 1 not as expected, 2 a step is not possible or a file is bad.
With --seed: 0 no unexpected violation, 1 an unexpected one, 2 could not be asked, 3 the run did not
end within the limits.
With --counterexample: 0 one that is expected, 1 one that is not, 2 none, 3 none within the limits.";

/// Replay the script of a scenario, the run of a seed, or a counterexample, and show each step
///
/// Answers: what happens in this run? Prints each step with the documents that it changed, then the
/// expectations that the documents do not meet. A step that is not possible ends the script, and is
/// explained. Nothing is searched. With --seed, prints the run that `simulate` makes of the seed,
/// from the end of the script on: a line for each step, with the clauses that it carries out, then
/// the claims that it violates. With --counterexample, searches as `check` does, and shows the
/// shortest run by which a claim is violated. Each of these can be written for other tools:
/// --format.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("question").args(FLAGS).requires("seed").conflicts_with("claim")))]
#[command(group(ArgGroup::new("found").args(["seed", "counterexample"])))]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    ///
    /// A file stands for all scenarios in it, `FILE#NAME` for one of them, and `FILE#` for the
    /// first alone.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Replay the run of this seed instead, of one scenario
    #[arg(long, value_name = "N", value_parser = sweep::seed)]
    seed: Option<u64>,

    /// Check this claim only, and end where it is violated
    #[arg(long, value_name = "CLAIM", requires = "seed")]
    claim: Option<String>,

    /// Search for a run that violates this claim, and show that one: by default of the first claim
    /// that is violated
    #[arg(
        long,
        value_name = "CLAIM",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with = "seed",
    )]
    counterexample: Option<String>,

    /// Replay with this variant, whatever the scenarios say of it, as in
    /// relation-tracking=remote-scope (may be given again)
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting)]
    set: Vec<NamedVariant>,

    /// The format of the run
    #[arg(long, value_enum, default_value_t)]
    format: RunFormat,

    /// Write the run to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The states that JSON has
    #[arg(long, value_enum, default_value_t)]
    states: WhichStates,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    question: QuestionArgs,

    /// Print the texts of the clauses that the steps carry out, and all documents after the script;
    /// with --seed, the outcome and the changes of each step as well
    #[arg(long, short)]
    verbose: bool,

    /// Write the run of a seed, or the counterexample, to this new file, as the script of a
    /// scenario
    #[arg(long, value_name = "FILE", requires = "found")]
    write_scenario: Option<PathBuf>,

    /// Write a scenario to this new file that begins where the script of this one ends
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "counterexample"])]
    write_end: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    if let Some(seed) = args.seed {
        let searches = Searches::begin(&args.limits);
        let ready = only_within(args, &searches, &format!("replay seed {seed}"))?;
        return seed::run(args, ready, seed, &searches);
    }
    if let Some(claim) = &args.counterexample {
        let searches = Searches::begin(&args.limits);
        let ready = only_within(args, &searches, "show a counterexample")?;
        return heard(counterexample::run(args, ready, claim, &searches));
    }
    if let Some(file) = &args.write_end {
        let ready = only(load::named(&args.files)?, "write where it ends")?;
        write_end(file, &set::played(&args.set, ready)?)?;
    }
    let scenarios = load::unplayed(&args.files, args.is_about_one())?.into_iter();
    let scenarios = scenarios.map(|it| set::unplayed(&args.set, it));
    let scenarios: Vec<Scenario> = scenarios.collect::<Result<_, Problem>>()?;
    let mut output = args.output(&scenarios)?;
    if args.format != RunFormat::Text {
        return write_scripts(args, &scenarios, output);
    }
    let mut exit = Exit::AsExpected;
    let mut problems = Vec::new();
    for (index, scenario) in scenarios.iter().enumerate() {
        if index > 0 {
            output.write("\n")?;
        }
        if scenarios.len() > 1 {
            output.write(&format!("# {}\n", escape(&scenario.name)))?;
        }
        let replay = match replay(scenario) {
            Ok(replay) => {
                problems.extend(
                    replay::unfinished(scenario, &replay).filter(|_| scenario.is_searched()),
                );
                replay
            }
            Err(impossible) => {
                problems.push(impossible.problem);
                impossible.reached
            }
        };
        output.write(&transcript(args, scenario, &replay))?;
        if !replay.failures.is_empty() {
            exit = Exit::Unexpected;
        }
    }
    output.finish()?;
    if problems.is_empty() {
        return Ok(exit);
    }
    Err(Abandon::Problems(problems))
}

impl Args {
    /// Whether a file stands for itself alone, without its tables `also`.
    fn is_about_one(&self) -> bool {
        self.write_end.is_some() || self.format.draws_one()
    }

    fn look(&self) -> Appearance {
        let detail = TextDetail::Violations;
        match self.output {
            Some(_) => Appearance::of_file(detail),
            None => Appearance::of_stdout(detail),
        }
    }

    /// The number of columns that text may take.
    fn columns(&self) -> usize {
        self.look().columns
    }

    /// The number of columns that a step may take. Elsewhere than on a terminal programs read
    /// steps, each in a line.
    fn columns_of_steps(&self) -> usize {
        let look = self.look();
        if look.is_terminal { look.columns } else { usize::MAX }
    }

    /// Opens the output, which must be none of these files.
    fn output(&self, scenarios: &[Scenario]) -> Result<Output, Abandon> {
        let read = scenarios.iter().map(|scenario| scenario.address.file.as_path());
        // What one output has another may not replace.
        let written = self.write_scenario.iter().chain(&self.write_end).map(PathBuf::as_path);
        let inputs = Inputs::of(read.chain(written));
        if self.format == RunFormat::Html {
            no_page_to_terminal(self.output.as_deref())?;
        }
        Output::open(self.output.as_deref(), &inputs)
    }
}

/// Writes the scripts in a format for other tools.
fn write_scripts(args: &Args, scenarios: &[Scenario], mut output: Output) -> Result<Exit, Abandon> {
    if args.format.draws_one() && scenarios.len() != 1 {
        let count = scenarios.len();
        let message = format!("failed to draw one run: these are {count} scenarios");
        return Err(Problem::new(message).into());
    }
    let (mut runs, mut exit) = (Vec::new(), Exit::AsExpected);
    for scenario in scenarios {
        let replay = replay(scenario).map_err(|impossible| impossible.problem)?;
        if !replay.failures.is_empty() {
            exit = Exit::Unexpected;
        }
        let is_page = args.format == RunFormat::Html;
        let played = match long(scenario, &replay).filter(|_| is_page) {
            Some((played, slice)) => played.sliced(slice),
            None => Played::script(scenario, &replay),
        };
        let played = played.made_by(data::made_by(scenario, &[]));
        runs.push(data::recorded(played, args.states)?);
    }
    data::write(runs, args.format, &mut output)?;
    output.finish()?;
    Ok(exit)
}

/// The single scenario of the paths, unless it takes too long to load. `what` completes the message
/// that there must be exactly one.
fn only_within(args: &Args, searches: &Searches<'_>, what: &str) -> Result<Ready, Abandon> {
    let ready = only(load::named_within(&searches.deadline, &args.files)?, what)?;
    Ok(set::played(&args.set, ready)?)
}

fn only(mut ready: Vec<Ready>, what: &str) -> Result<Ready, Abandon> {
    match (ready.pop(), ready.len()) {
        (Some(ready), 0) => Ok(ready),
        (_, others) => {
            let count = others + 1;
            let message = format!("failed to {what}: these are {count} scenarios");
            Err(Problem::new(message).into())
        }
    }
}

/// Writes a scenario that begins where the script ends.
fn write_end(path: &Path, ready: &Ready) -> Result<(), Abandon> {
    let (scenario, state) = (&ready.scenario, &ready.replay.state);
    if needs_history(scenario, state) {
        let message = format!("failed to write {}: no table says what has happened", display(path));
        let problem = Problem::new(message);
        let help = "claims of this scenario ask about it: let the script stand, and the search \
                    find the rest";
        return Err(problem.with_help(help).into());
    }
    let asked = scenario.claims.iter().map(|(claim, _)| *claim);
    let found = ScriptFindings::of(scenario, &ready.replay, asked);
    if let Some((claim, subject, line)) = found.owed_since_script(&scenario.world) {
        let message = format!(
            "failed to write {}: \"{}\" is owed for {subject} since a step of the script, and no \
             table says that",
            display(path),
            claim.name,
        );
        let help = format!("end the script before line {line}, with which its cause passes");
        return Err(Problem::new(message).with_help(help).into());
    }
    if scenario.has_others() {
        say(format_args!("the tables [also] are not written: each begins in its own way"));
    }
    let shows = format!("Where the script of {} ends.", scenario.name);
    let Some(text) = to_start_text(scenario, &shows, state) else {
        let message = format!("failed to write {}: nothing begins as this ends", display(path));
        let help = "commit or abort the transactions that are pending at its end";
        return Err(Problem::new(message).with_help(help).into());
    };
    let mut file = Output::create(path)?;
    file.write(&text)?;
    file.finish()
}

/// A script that is too long to be read, and the slice of it that made the root at its end, if
/// there is one.
fn long<'a>(scenario: &'a Scenario, replay: &'a Replay) -> Option<(Played<'a>, Slice)> {
    if !Slice::is_needed(replay) {
        return None;
    }
    let played = Played::judged(scenario, replay);
    let slice = played.slice()?;
    Some((played, slice))
}

/// The transcript, the pending work at its end, and the differences from what the scenario expects.
fn transcript(args: &Args, scenario: &Scenario, replay: &Replay) -> String {
    let mut lines = Vec::new();
    if scenario.steps.is_empty() {
        lines.push(format!("{} has no steps", scenario.name));
        let met = replay::met_expectations(scenario, &replay.state).into_iter();
        lines.extend(met.map(|text| format!("as expected: {text}")));
    }
    match long(scenario, replay).filter(|_| !args.verbose) {
        Some((played, slice)) => {
            let (run, _) =
                slice::text((&scenario.world, &scenario.start), (&replay.actions, 0), &slice);
            lines.extend(run.lines().map(str::to_owned));
            lines.extend(played.decisions());
        }
        None => lines.extend(replay.transcript.lines().map(str::to_owned)),
    }
    lines.extend(replay::pending_at_end(scenario, replay));
    if args.verbose {
        lines.push("and then there is:".to_owned());
        let documents = EntityId::all(&scenario.world)
            .map(|it| describe::document(&scenario.world, &replay.state, it));
        lines.extend(documents.map(|document| format!("    {document}")));
        let names = replay.clauses.iter().map(|it| scenario.world.clause_name(*it).into_owned());
        lines.extend(clauses(&names.collect()));
    }
    lines.extend(replay.failures.iter().map(|it| format!("not as expected: {it}")));
    let text: String = lines.iter().map(|line| escape(line).into_owned() + "\n").collect();
    fitted(&text, args.columns_of_steps())
}
