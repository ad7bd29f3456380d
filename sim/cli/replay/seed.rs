//! The run of a seed, told step by step.

use deathwatch_model::{action::Action, claims::ClaimKind};
use deathwatch_sim::{
    Expected, Problem, describe,
    escape::escape,
    replay::{Detail, RecordedRun},
    scenario::display,
    simulate::{End, Run, Simulation, Violation},
    to_scenario_text,
    trace::Begins,
};

use super::Args;
use crate::{
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
};

/// So much is written at once.
const PIECE: usize = 1 << 16;

/// Runs the seed and tells what happened.
pub(super) fn run(args: &Args, ready: &Ready, seed: u64) -> Result<Exit, Abandon> {
    let simulation = simulation(args, ready)?;
    let inputs = load::inputs(std::slice::from_ref(ready));
    let file = args.write_scenario.as_deref();
    if let Some(file) = file.filter(|file| file.exists()) {
        let message = format!("failed to write {}: there is a file of that name", display(file));
        return Err(Problem::new(message).into());
    }
    let file = file.map(|file| Output::open(Some(file), &inputs)).transpose()?;
    let (run, actions) = simulation.trace(seed, args.claim);
    if let Some(mut file) = file {
        let (scenario, shows) = (&ready.scenario, shows(ready, &run));
        file.write(&to_scenario_text(scenario, &shows, Begins::AfterScript, &actions, &[]))?;
        file.finish()?;
    }
    let mut output = Output::stdout();
    tell_steps(args, ready, &actions, &mut output)?;
    output.write(&ending(args, ready, &simulation, &run))?;
    output.finish()?;
    let is_surprise = |it: &Violation| expected(&simulation, it) != Expected::Violated;
    let is_unexpected = run.violations.iter().any(is_surprise);
    Ok(if is_unexpected { Exit::Unexpected } else { Exit::AsExpected })
}

/// The simulation, watching what is asked.
fn simulation<'a>(args: &Args, ready: &'a Ready) -> Result<Simulation<'a>, Abandon> {
    let mut simulation = Simulation::new(&ready.scenario, &ready.replay)?;
    if let Some(claim) = args.claim {
        simulation.claims.retain(|(it, _)| it.name == claim.name);
        if simulation.claims.is_empty() {
            simulation.claims.push((claim, Expected::Holds));
        }
    }
    Ok(simulation)
}

fn tell_steps(
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

/// How the run ended, and what it violates.
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
        let subject = describe::name(&ready.scenario.world, violation.subject);
        let answer = match expected(simulation, violation) {
            Expected::Violated => "violated as expected",
            Expected::Holds => "violated",
            Expected::Vacuous => "violated, but expected to be vacuous",
        };
        lines.push(format!("{answer}: \"{name}\" at step {step}, for {subject}"));
        if !violation.diagnosis.is_empty() {
            lines.push(format!("  {}", violation.diagnosis));
        }
    }
    if run.violations.is_empty() {
        lines.push("it violates nothing that was asked".to_owned());
    }
    lines.iter().map(|line| escape(line).into_owned() + "\n").collect()
}

/// Whether the run was ended by the claim that was asked for, and might have gone on.
fn is_cut_short(args: &Args, run: &Run) -> bool {
    args.claim.is_some() && run.violations.iter().any(|it| it.claim.kind() != ClaimKind::Leads)
}

/// The answer that is expected of the claim that is violated.
fn expected(simulation: &Simulation<'_>, violation: &Violation) -> Expected {
    let mut claims = simulation.claims.iter();
    let asked = claims.find(|(claim, _)| claim.name == violation.claim.name);
    asked.map_or(Expected::Holds, |(_, expected)| *expected)
}

/// What the run shows, in a sentence.
fn shows(ready: &Ready, run: &Run) -> String {
    let names: Vec<&str> = run.violations.iter().map(|it| it.claim.name).collect();
    let origin = format!("seed {} of {}", run.seed, ready.scenario.name);
    match names.as_slice() {
        [] => format!("The run of {origin}."),
        names => format!("Violated: {} ({origin}).", names.join("; ")),
    }
}
