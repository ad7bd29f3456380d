//! `deathwatch shrink`: a failing run as a small scenario.

use std::{path::PathBuf, time::Duration};

use clap::ArgGroup;
use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, SearchSettings},
    diagnosis::RootKind,
};
use deathwatch_scenario::{Expected, Problem, Scenario, replay, scenario::display, shell::quoted};
use deathwatch_show::{page, shrunk};
use deathwatch_study::{
    assume::NamedVariant,
    recording::{Keep, Played, TooLong, record},
    shrink::{self, Budget, FoundViolation, ShrinkProgress, ShrinkResult},
    simulate::{KeptBounds, Simulation},
    sweep,
};
use indicatif::HumanCount;

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    format::{DocumentFormat, json},
    interrupt::Deadline,
    limits::{self, available_threads, tries},
    load::{self, Ready},
    output::{Output, no_page_to_terminal},
    progress::ProgressLine,
    question::{FLAGS, QuestionArgs},
    set,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch shrink big.toml --seed 4711 --output found.toml
  deathwatch shrink big.toml --seed 4711 --root not-redeployed
  deathwatch shrink big.toml --seed 4711 --time 10m --output found.toml
  deathwatch shrink found.toml --claim \"a Dying unit is removed\"
  deathwatch shrink big.toml --seed 4711 --always 'units.all(u, u.life != \"dead\")'
  deathwatch shrink found.toml --format json
  deathwatch shrink big.toml --seed 4711 --format html --output found.html

Exit codes: 0 shrunk, 1 the run violates no claim, 2 could not be asked, 3 perhaps not minimal, or no
run within the limits.";

/// The greatest number of states of the confirming search. Beyond it, `check` can be run.
const MOST_STATES: u64 = 200_000;

/// Make a failing run small: the run of a seed, or the script of a scenario
///
/// Answers: which part of this run matters? Removes steps, units, machines, applications,
/// relations, commands, faults and variants while the claim is still violated, and writes the rest
/// as a scenario that `replay` replays and `check` answers as expected.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("question").args(FLAGS).conflicts_with("claim")))]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,

    /// The seed whose run is to be shrunk; without it, the script of the scenario is
    #[arg(long, value_name = "N", value_parser = sweep::seed)]
    seed: Option<u64>,

    /// The claim that the run violates [default: one of those that it violates, an unexpected one
    /// if any]
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,

    /// The root of everything stuck, as `simulate` names it, such as no-machine [default: the first
    /// root of the run]
    #[arg(long, value_name = "KIND", value_parser = root)]
    root: Option<RootKind>,

    /// Carry it out with this variant, whatever the scenario says of it, as in
    /// relation-tracking=remote-scope (may be given again)
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting)]
    set: Vec<NamedVariant>,

    #[command(flatten)]
    question: QuestionArgs,

    /// Write the scenario, or with --format html the page, to this file, whole or not at all,
    /// instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if there is such a file
    #[arg(long)]
    force: bool,

    /// Give up after this many tries, with the best scenario so far
    #[arg(long, value_name = "N", default_value_t = shrink::TRIES, value_parser = tries)]
    tries: u64,

    /// Give up after this long in all, such as 90s or 10m, with the best scenario so far [default:
    /// never]
    #[arg(long, value_name = "DURATION", value_parser = limits::time)]
    time: Option<Duration>,

    /// The format of the result: text to stderr; one object or a page, with the scenario, to stdout
    #[arg(long, value_enum, default_value_t)]
    format: DocumentFormat,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    if args.format == DocumentFormat::Html {
        no_page_to_terminal(None)?;
    }
    let deadline = Deadline::begin(args.time);
    let ready = load::scenario_within(&deadline, &args.file, "shrink")?;
    let mut ready = set::played(&args.set, ready)?;
    if let Err(impossible) = replay::replay(&ready.scenario) {
        return Err(impossible.problem.into());
    }
    let question = args.question.put_into(&mut ready)?;
    let named = args.claim.as_deref().map(|name| load::claim(name, &ready.scenario)).transpose()?;
    let asked = claims_to_try(question.or(named), args.seed, &ready.scenario);
    ready.keep(&claims(&asked));
    let inputs = load::inputs(std::slice::from_ref(&ready));
    if let Some(output) = args.output.as_deref().filter(|path| path.is_file() && !args.force) {
        let message = format!("failed to write {}: there is a file of that name", display(output));
        return Err(Problem::new(message).with_help("--force replaces it").into());
    }
    let output = args.output.as_deref();
    let output = output.map(|path| Output::open(Some(path), &inputs)).transpose()?;
    let Some(found) = found(args, &ready, question.or(named), &asked, &deadline)? else {
        let origin = origin(args, &ready);
        say(format_args!(
            "{origin} violates nothing that was asked (going round for ever does not count)"
        ));
        if args.seed.is_none() {
            let file = quoted(&display(&args.file));
            say(format_args!("what a search finds behind it can be written, and shrunk:"));
            say(format_args!(
                "  deathwatch replay {file} --counterexample --write-scenario NEW.toml"
            ));
        }
        return Ok(Exit::Unexpected);
    };
    let line = ProgressLine::new(&ready.scenario.name);
    let budget = Budget {
        tries: args.tries,
        stop: &|| deadline.stop().is_some(),
        progress: &|progress: ShrinkProgress| {
            line.set_text(|scenario| progress_text(scenario, progress));
        },
    };
    let origin = origin(args, &ready);
    let Some(shrunk) = shrink::shrink(&found.failing(), &origin, budget) else {
        if let Some(stop) = deadline.stop() {
            return Err(Abandon::CutOff(stop));
        }
        say(format_args!("{origin} cannot be carried out again without its simulation"));
        return Ok(Exit::Unexpected);
    };
    drop(line);
    let confirmed = confirm(&shrunk, &deadline);
    write(args, output, &shrunk, confirmed)?;
    Ok(if shrunk.is_minimal { Exit::AsExpected } else { Exit::Undecided })
}

/// The run that is to be shrunk, if it violates the claim.
fn found(
    args: &Args,
    ready: &Ready,
    claim: Option<&'static Claim>,
    asked: &[(&'static Claim, Expected)],
    deadline: &Deadline,
) -> Result<Option<FoundViolation>, Abandon> {
    let Ready { scenario, replay } = ready;
    let Some(seed) = args.seed else {
        let found = |claim| FoundViolation {
            claim,
            subject: None,
            root: args.root,
            steps: replay.actions.clone(),
            scenario: scenario.clone(),
        };
        let mut found = claims(asked).into_iter().map(found);
        return Ok(found.find(|it| shrink::violates(&it.failing()).is_some()));
    };
    let simulation = match claim {
        Some(_) => Simulation::asking(scenario, replay, asked.to_vec())?,
        None => Simulation::new(scenario, replay)?,
    };
    let bounds =
        KeptBounds { states: None, bytes: limits::free_bytes(), stop: &|| deadline.stop() };
    let of = (&simulation, replay);
    FoundViolation::of_seed(of, seed, &claims(asked), claim, args.root, &bounds)
        .map_err(Abandon::CutOff)
}

fn claims(asked: &[(&'static Claim, Expected)]) -> Vec<&'static Claim> {
    asked.iter().map(|(claim, _)| *claim).collect()
}

/// The kind of root that is called so.
fn root(name: &str) -> Result<RootKind, String> {
    RootKind::named(name).ok_or_else(|| "there is no root of that kind".to_owned())
}

/// The claims to try: the one that is asked for, or those of the scenario, or all. Those that are
/// expected to be violated come last.
fn claims_to_try(
    claim: Option<&'static Claim>,
    seed: Option<u64>,
    scenario: &Scenario,
) -> Vec<(&'static Claim, Expected)> {
    let expected = |claim| (claim, Expected::Holds);
    let mut asked: Vec<_> = match (claim, seed) {
        (Some(claim), _) => vec![expected(claim)],
        (None, Some(_)) => scenario.claims_of_seeds(),
        (None, None) => scenario.claims.clone(),
    };
    if asked.is_empty() {
        asked = deathwatch_claims::all_with(scenario.world.detail).map(expected).collect();
    }
    asked.sort_by_key(|(_, expected)| *expected == Expected::Violated);
    asked
}

/// The origin of the run, in a few words.
fn origin(args: &Args, ready: &Ready) -> String {
    let name = &ready.scenario.name;
    match args.seed {
        Some(seed) => format!("seed {seed} of {name}"),
        None => format!("the script of {name}"),
    }
}

/// The answer of a search from the result on, if its world is small enough.
fn confirm(shrunk: &ShrinkResult, deadline: &Deadline) -> Option<CheckAnswer> {
    let settings = SearchSettings {
        max_states: Some(MOST_STATES),
        max_bytes: limits::free_bytes(),
        stop: &|| deadline.stop(),
        ..SearchSettings::without_limits(available_threads())
    };
    shrink::confirm(shrunk, settings)
}

pub(crate) fn progress_text(scenario: &str, progress: ShrinkProgress) -> String {
    let steps = u64::try_from(progress.steps).unwrap_or(u64::MAX);
    format!("{scenario}: {} steps, {} tries", HumanCount(steps), HumanCount(progress.tries))
}

/// Writes the scenario and the result of the reduction.
fn write(
    args: &Args,
    output: Option<Output>,
    shrunk: &ShrinkResult,
    confirmed: Option<CheckAnswer>,
) -> Result<(), Abandon> {
    let document = shrink::document(shrunk, confirmed);
    let mut stdout = Output::stdout();
    let is_elsewhere = output.is_some();
    if let Some(mut output) = output {
        output.write(&match args.format {
            DocumentFormat::Html => page(args, shrunk, &document)?,
            DocumentFormat::Text | DocumentFormat::Json => shrunk.text.clone(),
        })?;
        output.finish()?;
    }
    match args.format {
        DocumentFormat::Text => {
            if !is_elsewhere {
                stdout.write(&shrunk.text)?;
            }
            let file = args.output.as_deref().map(display);
            for line in shrunk::summary(&document, file.as_deref()) {
                say(format_args!("{line}"));
            }
        }
        DocumentFormat::Json => stdout.write(&json::text(&document.document()))?,
        DocumentFormat::Html if is_elsewhere => {}
        DocumentFormat::Html => stdout.write(&page(args, shrunk, &document)?)?,
    }
    stdout.finish()
}

fn page(
    args: &Args,
    shrunk: &ShrinkResult,
    document: &deathwatch_documents::Shrunk,
) -> Result<String, Problem> {
    let replay = replay(&shrunk.scenario).map_err(|impossible| impossible.problem)?;
    let played = Played::shrunk(shrunk, &replay).made_by(made_by(args));
    let run = record(played, Keep::All).map_err(|TooLong { states, rows }| {
        Problem::new(format!("the run is too long: {states} states of {rows} rows each"))
    })?;
    Ok(page::of_shrunk(&run, document))
}

/// The command that shrinks it again.
fn made_by(args: &Args) -> String {
    let mut words = vec!["deathwatch shrink".to_owned(), quoted(&display(&args.file))];
    words.extend(set::flags(&args.set));
    words.extend(args.seed.map(|seed| format!("--seed {seed}")));
    words.extend(args.claim.iter().map(|claim| format!("--claim {}", quoted(claim))));
    words.extend(args.root.map(|root| format!("--root {}", quoted(&root.to_string()))));
    words.extend(args.question.flags());
    words.join(" ")
}
