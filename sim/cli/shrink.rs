//! `deathwatch shrink`: a failing run as a small scenario.

use std::path::PathBuf;

use clap::ArgGroup;
use deathwatch_model::{
    action::Action,
    check::{Answer, Settings},
    claims::{Claim, diagnosis::RootKind},
    rows::Row,
    world::Details,
};
use deathwatch_sim::{
    Expected, Problem, Scenario,
    scenario::display,
    shrink::{self, Budget, Failing, Progress, Shrunk},
    simulate::{Simulation, Violation},
    sweep,
};
use indicatif::HumanCount;

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    format::{ListFormat, json_object, shrunk},
    interrupt::Deadline,
    limits::{available_threads, tries},
    load::{self, Ready},
    output::Output,
    progress::Line,
    question::{FLAGS, QuestionArgs},
};

const EXAMPLES: &str = "\
Examples:
  deathwatch shrink big.toml --seed 4711 --output found.toml
  deathwatch shrink big.toml --seed 4711 --root not-redeployed
  deathwatch shrink found.toml --claim \"a Dying unit is removed\"
  deathwatch shrink big.toml --seed 4711 --always 'units.all(u, u.life != \"dead\")'
  deathwatch shrink found.toml --format json

Exit codes: 0 shrunk, 1 the run violates no claim, 2 could not be asked, 3 perhaps not minimal.";

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

    /// What everything stuck has to come from, as `simulate` names it, such as no-machine [default:
    /// the first root of the run]
    #[arg(long, value_name = "KIND", value_parser = root)]
    root: Option<RootKind>,

    #[command(flatten)]
    question: QuestionArgs,

    /// Write the scenario to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if there is such a file
    #[arg(long)]
    force: bool,

    /// Give up after this many tries, with the best scenario so far
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = tries)]
    tries: u64,

    /// How to write the result: text to stderr, or one object, with the scenario, to stdout
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
}

/// Shrinks the run.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let mut ready = load::scenario(&args.file, "shrink")?;
    let asked = args.question.put_into(&mut ready)?;
    let inputs = load::inputs(std::slice::from_ref(&ready));
    if let Some(output) = args.output.as_deref().filter(|path| path.is_file() && !args.force) {
        let message = format!("failed to write {}: there is a file of that name", display(output));
        return Err(Problem::new(message).with_help("--force replaces it").into());
    }
    let output = args.output.as_deref();
    let output = output.map(|path| Output::open(Some(path), &inputs)).transpose()?;
    let Some(found) = Found::of(args, &ready, asked)? else {
        let origin = origin(args, &ready);
        say(format_args!(
            "{origin} violates nothing that was asked (going round for ever does not count)"
        ));
        return Ok(Exit::Unexpected);
    };
    let deadline = Deadline::begin(None);
    let line = Line::new(&ready.scenario.name);
    let budget = Budget {
        tries: args.tries,
        stop: &|| deadline.stop().is_some(),
        progress: &|progress: Progress| line.set_text(|scenario| progress_text(scenario, progress)),
    };
    let origin = origin(args, &ready);
    let Some(shrunk) = shrink::shrink(&found.failing(), &origin, budget) else {
        say(format_args!("{origin} cannot be carried out again without its simulation"));
        return Ok(Exit::Unexpected);
    };
    drop(line);
    let confirmed = confirm(&shrunk, &deadline);
    write(args, output, &shrunk, confirmed)?;
    Ok(if shrunk.is_minimal { Exit::AsExpected } else { Exit::Undecided })
}

/// A run that violates a claim.
struct Found {
    claim: &'static Claim,
    subject: Option<Row>,
    root: Option<RootKind>,
    steps: Vec<Action>,
    /// The scenario in whose world it runs.
    scenario: Scenario,
}

impl Found {
    /// The run that is to be shrunk, if it violates the claim.
    fn of(
        args: &Args,
        ready: &Ready,
        question: Option<&'static Claim>,
    ) -> Result<Option<Self>, Abandon> {
        let Ready { scenario, replay } = ready;
        let named = args.claim.as_deref().map(|name| load::claim(name, scenario)).transpose()?;
        let claim = question.or(named);
        let details = scenario.world.detail;
        let Some(seed) = args.seed else {
            let (steps, scenario) = (&replay.actions, scenario);
            let found = |claim| Self {
                claim,
                subject: None,
                root: args.root,
                steps: steps.clone(),
                scenario: scenario.clone(),
            };
            let asked = asked(claim, &scenario.claims, details).into_iter();
            let mut found = asked.map(|(claim, _)| found(claim));
            return Ok(found.find(|it| shrink::violates(&it.failing()).is_some()));
        };
        let simulation = Simulation::new(scenario, replay)?;
        let asked = asked(claim, &simulation.claims, details);
        let simulation = match claim {
            Some(_) => Simulation::asking(scenario, replay, asked.clone())?,
            None => simulation,
        };
        let (run, actions) = simulation.trace(seed, claim);
        let violation =
            |claim: &Claim| run.violations.iter().find(|it| it.claim.name == claim.name);
        let is_for = |it: &&Violation| args.root.is_none_or(|root| has_root(it, root));
        let found = asked.into_iter().filter_map(|(claim, _)| violation(claim)).filter(is_for);
        // Of several, the one that comes from the fewest roots says most about this one.
        let found = match args.root {
            None => found.into_iter().next(),
            Some(_) => found.min_by_key(|it| it.wait_for.as_ref().map_or(0, |it| it.roots.len())),
        };
        Ok(found.map(|violation| Self {
            claim: violation.claim,
            subject: Some(violation.subject),
            root: args.root,
            steps: replay.actions.iter().copied().chain(actions).collect(),
            scenario: simulation.drawn(seed).clone(),
        }))
    }

    fn failing(&self) -> Failing<'_> {
        let Self { claim, subject, root, steps, scenario } = self;
        Failing { scenario, claim, subject: *subject, steps, root: *root }
    }
}

/// The kind of root that is called so.
fn root(name: &str) -> Result<RootKind, String> {
    RootKind::named(name).ok_or_else(|| "there is no root of that kind".to_owned())
}

/// Whether what is stuck comes from such a root.
fn has_root(violation: &Violation, root: RootKind) -> bool {
    violation.wait_for.as_ref().is_some_and(|it| it.kinds().any(|kind| kind == root))
}

/// The claims to try: the one that is asked for, or those of the scenario, or all. Those that are
/// expected to be violated come last.
fn asked(
    claim: Option<&'static Claim>,
    claims: &[(&'static Claim, Expected)],
    details: Details,
) -> Vec<(&'static Claim, Expected)> {
    let expected = |claim| (claim, Expected::Holds);
    let mut asked: Vec<_> = match claim {
        Some(claim) => vec![expected(claim)],
        None if claims.is_empty() => Claim::all_with(details).map(expected).collect(),
        None => claims.to_vec(),
    };
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
fn confirm(shrunk: &Shrunk, deadline: &Deadline) -> Option<Answer> {
    let settings = Settings {
        threads: available_threads(),
        max_states: Some(MOST_STATES),
        max_bytes: None,
        stop: &|| deadline.stop(),
        progress: &|_| (),
    };
    shrink::confirm(shrunk, settings)
}

fn progress_text(scenario: &str, progress: Progress) -> String {
    let steps = u64::try_from(progress.steps).unwrap_or(u64::MAX);
    format!("{scenario}: {} steps, {} tries", HumanCount(steps), HumanCount(progress.tries))
}

/// Writes the scenario and the result of the reduction.
fn write(
    args: &Args,
    output: Option<Output>,
    shrunk: &Shrunk,
    confirmed: Option<Answer>,
) -> Result<(), Abandon> {
    let mut stdout = Output::stdout();
    let is_elsewhere = output.is_some();
    if let Some(mut output) = output {
        output.write(&shrunk.text)?;
        output.finish()?;
    }
    match args.format {
        ListFormat::Text => {
            if !is_elsewhere {
                stdout.write(&shrunk.text)?;
            }
            for line in shrunk::summary(shrunk, confirmed, args.output.as_deref()) {
                say(format_args!("{line}"));
            }
        }
        ListFormat::Json => {
            stdout.write(&json_object("shrink", "run", shrunk::object(shrunk, confirmed)))?;
        }
    }
    stdout.finish()
}
