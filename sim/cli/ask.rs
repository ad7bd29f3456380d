//! `deathwatch ask`: a question on the spot, in CEL.

use std::{collections::BTreeMap, path::PathBuf};

use clap::ArgGroup;
use deathwatch_claims::Claim;
use deathwatch_documents::Sweep;
use deathwatch_scenario::{Expected, Problem, shell::quoted};
use deathwatch_show::{page::check::ScenarioPlacement, text::TextDetail};
use deathwatch_study::{
    answers,
    simulate::Simulation,
    sweep::{self, About, Options, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Tally, Until},
    verdict::{self, Engine, Refines},
};

use crate::{
    diagnostics,
    exit::{Abandon, Exit, heard},
    format::{self, Format},
    limits::{Limits, SymmetryArgs},
    load::{self, Ready},
    output::Results,
    progress::{ProgressLine, SeedLine},
    question::{self, QuestionArgs},
    replay::violating_runs,
    search::Searches,
    simulate,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch ask my.toml --always 'machines.exists(m, m.manager && m.life == \"alive\")'
  deathwatch ask my.toml --reachable 'units.exists(u, u.deployed && !u.exists)'
  deathwatch ask my.toml --each unit --step 'before.machine == after.machine || after.exists'
  deathwatch ask my.toml --each unit --leads 'it.life == \"dying\"' '!it.exists'
  deathwatch ask my.toml --always 'units.all(u, u.life != \"dead\")' --seeds 0..1000

`deathwatch list rows` names the rows and their fields.

Exit codes: 0 it holds or is reached, 1 it does not, is not or is vacuous, 2 could not be asked, 3 no
answer within the limits.";

/// Ask a question of a world on the spot, in CEL
///
/// Answers: is this so in every state, in some state, of every transition, or in the end? The
/// answer comes with the shortest run that shows it. What is asked often belongs into the table
/// `[own]` of a scenario.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("question").args(question::FLAGS).required(true)))]
pub(crate) struct Args {
    /// The scenario; its script comes first
    file: PathBuf,

    #[command(flatten)]
    question: QuestionArgs,

    /// Ask it of the runs of these seeds, and not of all runs
    #[arg(long, value_name = "FROM..TO")]
    seeds: Option<SeedRange>,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    symmetry: SymmetryArgs,

    #[command(flatten)]
    results: Results,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let searches = Searches::begin(&args.limits).with_symmetry(args.symmetry);
    let loaded = load::scenario_within(&searches.deadline, &args.file, "ask");
    let from = (std::slice::from_ref(&args.file), None);
    let mut ready = args.results.of_loaded("ask", from, loaded)?;
    load::all_finished(std::slice::from_ref(&ready))?;
    let question = args.question.question().expect("clap has required one");
    let claim = question.claim(&ready.scenario.world)?;
    ready.keep(&[claim]);
    let mut output = args.results.open(&load::inputs(std::slice::from_ref(&ready)))?;
    let format = args.results.format;
    let look = args.results.look(TextDetail::Violations);
    let exit = if let Some(seeds) = args.seeds {
        let swept = by_seeds(args, &searches, &ready, claim, seeds)?;
        let exit = swept.status.into();
        output.write(&format.asked_of_seeds(swept, &look))?;
        exit
    } else {
        let line = ProgressLine::new(&ready.scenario.name).expecting(ready.scenario.states);
        let refines = Refines::AsScenariosAsk;
        let verdict = searches.judge(&ready, Engine::Own, &[claim], refines, &line, None);
        drop(line);
        if let Some(why) = &verdict.too_large {
            diagnostics::report(&[verdict::unsearchable(&ready.scenario, why)]);
        }
        let file = ready.scenario.address.to_string();
        let mut words = vec!["deathwatch ask".to_owned(), quoted(&file)];
        words.extend(args.question.flags());
        let command = words.join(" ");
        let mut answer = answers::of(&ready.scenario, &verdict, command.clone());
        if format == Format::Html {
            let runs = violating_runs(&ready, &verdict, ScenarioPlacement::Alone, Some(&command));
            answer = answers::with_runs(answer, runs);
        }
        output.write(&format.asked(&answer, &look))?;
        format::exit(&answer)
    };
    output.finish()?;
    Ok(exit)
}

/// Runs seeds, up to the first that violates the claim.
fn by_seeds(
    args: &Args,
    searches: &Searches<'_>,
    ready: &Ready,
    claim: &'static Claim,
    seeds: SeedRange,
) -> Result<Sweep, Abandon> {
    let claims = vec![(claim, Expected::Holds.of_seeds(claim))];
    let simulation = Simulation::asking(&ready.scenario, &ready.replay, claims)?;
    let mut about = About::new(&simulation, &ready.replay);
    about.known.clear();
    let seeds = Seeds::new(&[seeds], &[]);
    let header = SweepHeader::new(seeds, Shard::WHOLE, Until::FirstSurprise, vec![about]);
    let about = &header.scenarios[0];
    let line = SeedLine::new(&about.scenario);
    let options = Options {
        jobs: args.limits.threads(),
        stop: &|| searches.deadline.stop().is_some(),
        progress: &|progress| line.show(progress),
    };
    let run = |seed: u64, stop: &(dyn Fn() -> bool + Sync)| {
        SeedResult::by_running(&simulation, seed, stop)
    };
    let plan = header.plan(about);
    let mut tally = Tally::new(about, &plan, header.until);
    let mut keep = |_: &SeedResult| Ok::<(), Problem>(());
    sweep::run(&mut tally, BTreeMap::new(), &options, run, &mut keep)?;
    let mut swept = tally.document(&args.question.flags());
    simulate::end(&mut swept, &searches.deadline);
    Ok(swept)
}
