//! `deathwatch replay`: what each step of a script changes, or what happens in the run of a seed.

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use deathwatch_model::{
    action::Action,
    claims::{Claim, ClaimKind},
};
use deathwatch_sim::{
    Expected, Problem, Replay, Scenario, describe,
    escape::escape,
    replay::{self, Detail, RecordedRun, replay},
    scenario::display,
    simulate::{End, Run, Simulation, Violation},
    sweep, to_scenario_text, to_start_text,
    trace::Begins,
};

use crate::{
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
    question::{FLAGS, QuestionArgs},
};

const EXAMPLES: &str = "\
Examples:
  deathwatch replay scenarios/transactions/remove-unit
  deathwatch replay counterexample.toml
  deathwatch replay counterexample.toml --write-end from-there.toml
  deathwatch replay big.toml --seed 4711
  deathwatch replay big.toml --seed 4711 --claim \"a Dying unit is removed\" --verbose
  deathwatch replay big.toml --seed 4711 --always 'units.all(u, u.life != \"dead\")'

Exit codes: 0 as expected, 1 not as expected, 2 a step is not possible or a file is bad.
With --seed: 0 no unexpected violation, 1 an unexpected one, 2 could not be asked.";

/// The number of bytes that are written at once.
const PIECE: usize = 1 << 16;

/// Replay the script of a scenario, or the run of a seed, and show each step
///
/// Answers: what happens in this run? Prints each step with the documents that it changed, then the
/// expectations that the documents do not meet. A step that is not possible ends the script, and is
/// explained. Nothing is searched. With --seed, prints the run that `simulate` makes of the seed,
/// from the end of the script on: a line for each step, with the clauses that it carries out, then
/// the claims that it violates.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("question").args(FLAGS).requires("seed").conflicts_with("claim")))]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Replay the run of this seed instead, of one scenario
    #[arg(long, value_name = "N", value_parser = sweep::seed)]
    seed: Option<u64>,

    /// Check this claim only, and end where it is violated
    #[arg(long, value_name = "CLAIM", requires = "seed")]
    claim: Option<String>,

    #[command(flatten)]
    question: QuestionArgs,

    /// Print all documents after the script as well; with --seed, the outcome and the changes of
    /// each step
    #[arg(long, short)]
    verbose: bool,

    /// Write the run to this new file, as the script of a scenario
    #[arg(long, value_name = "FILE", requires = "seed")]
    write_scenario: Option<PathBuf>,

    /// Write a scenario to this new file that begins where the script of this one ends
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    write_end: Option<PathBuf>,
}

/// Prints the transcripts.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    if let Some(seed) = args.seed {
        return run_seed(args, only(args, &format!("replay seed {seed}"))?, seed);
    }
    if let Some(file) = &args.write_end {
        write_end(file, &only(args, "write where it ends")?)?;
    }
    let scenarios = load::unplayed(&args.files)?;
    let mut output = Output::stdout();
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

/// The scenario that is asked about. `what` needs exactly one.
fn only(args: &Args, what: &str) -> Result<Ready, Abandon> {
    let mut ready = load::scenarios(&args.files)?;
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
    let shows = format!("Where the script of {} ends.", scenario.name);
    let Some(text) = to_start_text(scenario, &shows, state) else {
        let message = format!("failed to write {}: nothing begins as this ends", display(path));
        let help = "commit or abort the transactions that are pending at its end";
        return Err(Problem::new(message).with_help(help).into());
    };
    let mut file = new_file(path, ready)?;
    file.write(&text)?;
    file.finish()
}

/// A file that does not exist yet.
fn new_file(path: &Path, ready: &Ready) -> Result<Output, Abandon> {
    if path.exists() {
        let message = format!("failed to write {}: there is a file of that name", display(path));
        return Err(Problem::new(message).into());
    }
    Output::open(Some(path), &load::inputs(std::slice::from_ref(ready)))
}

/// The transcript, what is pending at its end, and where it is not as the scenario expects.
fn transcript(args: &Args, scenario: &Scenario, replay: &Replay) -> String {
    let mut lines = Vec::new();
    if scenario.steps.is_empty() {
        lines.push(format!("{} has no steps", scenario.name));
    }
    lines.extend(replay.transcript.lines().map(str::to_owned));
    lines.extend(replay::pending_at_end(scenario, replay));
    if args.verbose {
        lines.push("and then there is:".to_owned());
        let documents = describe::subjects(&scenario.world)
            .map(|it| describe::document(&scenario.world, &replay.state, it));
        lines.extend(documents.map(|document| format!("    {document}")));
    }
    lines.extend(replay.failures.iter().map(|it| format!("not as expected: {it}")));
    lines.iter().map(|line| escape(line).into_owned() + "\n").collect()
}

/// Prints the run of the seed.
fn run_seed(args: &Args, mut ready: Ready, seed: u64) -> Result<Exit, Abandon> {
    let asked = args.question.put_into(&mut ready)?;
    let name = args.claim.as_deref();
    let named = name.map(|name| load::claim(name, &ready.scenario)).transpose()?;
    let claim = asked.or(named);
    let simulation = simulation(claim, &ready)?;
    let drawn = ready.drawn(&simulation, seed)?;
    let ready = drawn.as_ref().unwrap_or(&ready);
    let file = args.write_scenario.as_deref().map(|file| new_file(file, ready)).transpose()?;
    let (run, actions) = simulation.trace(seed, claim);
    if let Some(mut file) = file {
        let (scenario, shows) = (&ready.scenario, shows(ready, &run));
        file.write(&to_scenario_text(scenario, &shows, Begins::AfterScript, &actions, &[]))?;
        file.finish()?;
    }
    let mut output = Output::stdout();
    if drawn.is_some() {
        let on: Vec<&str> = ready.scenario.world.detail.on().collect();
        let on = if on.is_empty() { "none".to_owned() } else { on.join(", ") };
        output.write(&format!("details that the seed draws: {on}\n"))?;
    }
    print_steps(args, ready, &actions, &mut output)?;
    output.write(&ending(args, ready, &simulation, &run))?;
    output.finish()?;
    let is_surprise = |it: &Violation| expected(&simulation, it) != Expected::Violated;
    let is_unexpected = run.violations.iter().any(is_surprise);
    Ok(if is_unexpected { Exit::Unexpected } else { Exit::AsExpected })
}

/// The simulation, checking the claims that are asked for.
fn simulation<'a>(
    claim: Option<&'static Claim>,
    ready: &'a Ready,
) -> Result<Simulation<'a>, Abandon> {
    let simulation = Simulation::new(&ready.scenario, &ready.replay)?;
    let Some(claim) = claim else { return Ok(simulation) };
    let mut known = simulation.claims.iter().filter(|(it, _)| it.name == claim.name);
    let expected = known.next().map_or(Expected::Holds.of_seeds(claim), |(_, expected)| *expected);
    Ok(Simulation::asking(&ready.scenario, &ready.replay, vec![(claim, expected)])?)
}

fn print_steps(
    args: &Args,
    ready: &Ready,
    actions: &[Action],
    output: &mut Output,
) -> Result<(), Abandon> {
    let detail = if args.verbose { Detail::Changes } else { Detail::Lines };
    let start = ready.replay.state.clone();
    let mut run = RecordedRun::new(&ready.scenario.world, start, detail);
    let mut piece = String::new();
    for action in actions {
        piece.push_str(&run.render_step(*action));
        if piece.len() >= PIECE {
            output.write(&piece)?;
            piece.clear();
        }
    }
    Ok(output.write(&piece)?)
}

/// The end of the run, and its violations.
fn ending(args: &Args, ready: &Ready, simulation: &Simulation<'_>, run: &Run) -> String {
    let steps = match run.stats.steps {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    let mut lines = vec![match &run.end {
        End::Unsettled(moving) => format!("did not settle in {steps}: {moving}"),
        End::Settled if is_cut_short(args, run) => format!("ended after {steps}"),
        End::Settled => format!("and nothing more happens, after {steps}"),
    }];
    for violation in &run.violations {
        let (name, step) = (violation.claim.name, violation.step);
        let subject =
            describe::subject_of(&ready.scenario.world, violation.claim, violation.subject);
        let decided = violation.claim.kind().decided();
        let answer = match expected(simulation, violation) {
            Expected::Violated => format!("{decided} as expected"),
            Expected::Holds => decided.to_owned(),
            Expected::Vacuous => format!("{decided}, but expected to be vacuous"),
        };
        lines.push(format!("{answer}: \"{name}\" at step {step}, for {subject}"));
        if !violation.diagnosis.is_empty() {
            lines.push(format!("  {}", violation.diagnosis));
        }
    }
    if run.violations.is_empty() {
        let decides = match simulation.claims.as_slice() {
            [(only, _)] => only.kind().decides(),
            _ => ClaimKind::Always.decides(),
        };
        lines.push(format!("it {decides} nothing that was asked"));
    }
    lines.iter().map(|line| escape(line).into_owned() + "\n").collect()
}

/// Whether the run ended at the violation that was asked for, and could have gone on.
fn is_cut_short(args: &Args, run: &Run) -> bool {
    let is_asked = args.claim.is_some() || args.question.question().is_some();
    is_asked && run.violations.iter().any(|it| it.claim.kind() != ClaimKind::Leads)
}

/// The expected answer to the violated claim.
fn expected(simulation: &Simulation<'_>, violation: &Violation) -> Expected {
    let mut claims = simulation.claims.iter();
    let asked = claims.find(|(claim, _)| claim.name == violation.claim.name);
    asked.map_or(Expected::Holds, |(_, expected)| *expected)
}

/// The text that says what the run shows.
fn shows(ready: &Ready, run: &Run) -> String {
    let names: Vec<&str> = run.violations.iter().map(|it| it.claim.name).collect();
    let origin = format!("seed {} of {}", run.seed, ready.scenario.name);
    match names.as_slice() {
        [] => format!("The run of {origin}."),
        names => format!("Violated: {} ({origin}).", names.join("; ")),
    }
}
