//! `deathwatch replay --seed`: what happens in the run of a seed.

use std::collections::BTreeSet;

use deathwatch_claims::{Claim, ClaimKind};
use deathwatch_documents::Begins;
use deathwatch_model::{action::Action, clause::Clause};
use deathwatch_scenario::{
    Expected, describe, escape::escape, replay::RecordedRun, scenario::expected_of, shell::quoted,
};
use deathwatch_show::text::{clauses, fitted};
use deathwatch_study::{
    recording::{Played, abridged},
    simulate::{KeptBounds, SeedRun, SeedViolation, Simulation, SimulationEnd},
    to_scenario_text,
};

use super::{Args, RunFormat, data, slice};
use crate::{
    exit::{Abandon, Exit},
    interrupt::Deadline,
    load::{self, Ready},
    output::{Output, PIECE},
    search::Searches,
};

/// Prints the run of the seed.
pub(super) fn run(
    args: &Args,
    mut ready: Ready,
    seed: u64,
    searches: &Searches<'_>,
) -> Result<Exit, Abandon> {
    let asked = args.question.put_into(&mut ready)?;
    let name = args.claim.as_deref();
    let named = name.map(|name| load::claim(name, &ready.scenario)).transpose()?;
    let claim = asked.or(named);
    ready.keep(named.as_slice());
    let simulation = simulation(claim, &ready)?;
    let drawn = ready.drawn(&simulation, seed)?;
    let ready = drawn.as_ref().unwrap_or(&ready);
    let file = args.write_scenario.as_deref().map(Output::create).transpose()?;
    let mut output = args.output(std::slice::from_ref(&ready.scenario))?;
    let deadline = &searches.deadline;
    let bounds = KeptBounds {
        states: args.limits.max_states,
        bytes: searches.max_bytes(),
        stop: &|| deadline.stop(),
    };
    let traced = simulation.trace_within(seed, claim, &bounds);
    let (run, actions, times) = traced.map_err(Abandon::CutOff)?;
    if let Some(mut file) = file {
        let (scenario, shows) = (&ready.scenario, shows(ready, &run));
        file.write(&to_scenario_text(scenario, &shows, Begins::AfterScript, &actions, &[]))?;
        file.finish()?;
    }
    let is_surprise = |it: &SeedViolation| expected(&simulation, it) != Expected::Violated;
    let is_unexpected = run.violations.iter().any(is_surprise);
    let exit = if is_unexpected { Exit::Unexpected } else { Exit::AsExpected };
    let of = (&ready.scenario, &ready.replay);
    let played = Played::seed(&simulation, of, &run, (&actions, &times));
    if args.format != RunFormat::Text {
        let played = played.made_by(made_by(args, ready, seed));
        // Formats other than pages are whole.
        let write = |played: Played<'_>| data::recorded_within(deadline, played, args.states);
        let is_page = args.format == RunFormat::Html;
        let recorded = if is_page { abridged(played, write) } else { write(played) }?;
        data::write(vec![recorded], args.format, &mut output)?;
        output.finish()?;
        return Ok(exit);
    }
    if drawn.is_some() {
        let on: Vec<&str> = ready.scenario.world.detail.on().collect();
        let on = if on.is_empty() { "none".to_owned() } else { on.join(", ") };
        output.write(&format!("details that the seed draws: {on}\n"))?;
    }
    let slice = if args.verbose { None } else { played.slice() };
    let carried_out = match &slice {
        Some(slice) => {
            let (from, before) = (&ready.replay.state, ready.replay.actions.len());
            let world = &ready.scenario.world;
            let (text, clauses) = slice::text((world, from), (&actions, before), slice);
            output.write(&fitted(&text, args.columns_of_steps()))?;
            clauses
        }
        None => print_steps(args, ready, (&actions, deadline), &mut output)?,
    };
    output.write(&ending(args, ready, &simulation, &run))?;
    if args.verbose {
        let world = &ready.scenario.world;
        let cited = carried_out.iter().map(|it| world.clause_name(*it).into_owned());
        let lines = clauses(&cited.collect());
        let text: String = lines.iter().map(|line| escape(line).into_owned() + "\n").collect();
        output.write(&fitted(&text, args.columns()))?;
    }
    output.finish()?;
    Ok(exit)
}

/// The command that makes the run again.
fn made_by(args: &Args, ready: &Ready, seed: u64) -> String {
    let mut flags = vec![format!("--seed {seed}")];
    flags.extend(args.claim.iter().map(|claim| format!("--claim {}", quoted(claim))));
    flags.extend(args.question.flags());
    data::made_by(&ready.scenario, &flags)
}

/// The simulation, checking the claims that are asked for.
fn simulation<'a>(
    claim: Option<&'static Claim>,
    ready: &'a Ready,
) -> Result<Simulation<'a>, Abandon> {
    let simulation = Simulation::new(&ready.scenario, &ready.replay)?;
    let Some(claim) = claim else { return Ok(simulation) };
    let expected = expected_of(&simulation.claims, claim);
    let expected = expected.unwrap_or(Expected::Holds.of_seeds(claim));
    Ok(Simulation::asking(&ready.scenario, &ready.replay, vec![(claim, expected)])?)
}

/// Prints the steps. Returns the clauses that they carry out.
fn print_steps(
    args: &Args,
    ready: &Ready,
    (actions, deadline): (&[Action], &Deadline),
    output: &mut Output,
) -> Result<BTreeSet<Clause>, Abandon> {
    let render = if args.verbose { RecordedRun::render_step } else { RecordedRun::render_line };
    let mut run = RecordedRun::new(&ready.scenario.world, ready.replay.state.clone());
    let (mut piece, columns) = (String::new(), args.columns_of_steps());
    for action in actions {
        piece.push_str(&render(&mut run, *action));
        if piece.len() >= PIECE {
            output.write(&fitted(&piece, columns))?;
            piece.clear();
            if let Some(stop) = deadline.stop() {
                return Err(Abandon::CutOff(stop));
            }
        }
    }
    output.write(&fitted(&piece, columns))?;
    Ok(run.into_clauses())
}

/// The end of the run, and its violations.
fn ending(args: &Args, ready: &Ready, simulation: &Simulation<'_>, run: &SeedRun) -> String {
    let steps = match run.stats.steps {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    let mut lines = vec![match &run.end {
        SimulationEnd::Unsettled(moving) => format!("did not settle in {steps}: {moving}"),
        SimulationEnd::Settled if is_cut_short(args, run) => format!("ended after {steps}"),
        SimulationEnd::Settled => format!("and nothing more happens, after {steps}"),
    }];
    for violation in &run.violations {
        let (name, step) = (violation.claim.name, violation.step);
        let subject =
            describe::subject_of(&ready.scenario.world, violation.claim, violation.subject);
        let decided = violation.claim.kind().decided();
        let answer = match expected(simulation, violation) {
            Expected::Violated => format!("{decided} as expected"),
            Expected::Holds | Expected::NotViolated => decided.to_owned(),
            Expected::Vacuous => format!("{decided}, but expected to be vacuous"),
        };
        lines.push(format!("{answer}: \"{name}\" at step {step}, for {subject}"));
        lines.extend(violation.sentences().iter().map(|line| format!("  {line}")));
    }
    if run.violations.is_empty() {
        let decides = match simulation.claims.as_slice() {
            [(only, _)] => only.kind().decides(),
            _ => ClaimKind::Always.decides(),
        };
        lines.push(format!("it {decides} nothing that was asked"));
    }
    let text: String = lines.iter().map(|line| escape(line).into_owned() + "\n").collect();
    fitted(&text, args.columns())
}

/// Whether the run ended at the violation of the claim or question in the flags, and could have
/// gone on.
fn is_cut_short(args: &Args, run: &SeedRun) -> bool {
    let is_asked = args.claim.is_some() || args.question.question().is_some();
    is_asked && run.violations.iter().any(|it| it.claim.kind() != ClaimKind::Leads)
}

/// The expected answer to the violated claim.
fn expected(simulation: &Simulation<'_>, violation: &SeedViolation) -> Expected {
    expected_of(&simulation.claims, violation.claim).unwrap_or(Expected::Holds)
}

/// The sentence on the run.
fn shows(ready: &Ready, run: &SeedRun) -> String {
    let names: Vec<&str> = run.violations.iter().map(|it| it.claim.name).collect();
    let origin = format!("seed {} of {}", run.seed, ready.scenario.name);
    match names.as_slice() {
        [] => format!("The run of {origin}."),
        names => format!("Violated: {} ({origin}).", names.join("; ")),
    }
}
