//! `deathwatch ask`: a question on the spot, in CEL.

use std::{collections::BTreeMap, num::NonZero, path::PathBuf, thread};

use clap::builder::PossibleValuesParser;
use deathwatch_model::{claims::Claim, rows::RowKind};
use deathwatch_sim::{
    Expected, Problem,
    scenario::own::{self, Asked},
    simulate::Simulation,
    sweep::{
        self, About, Header, Options, Report, SeedRange, SeedResult, Seeds, Shard, Tally, Until,
    },
    verdict::Engine,
};

use crate::{
    exit::{Abandon, Exit, heard},
    format::{Detail, Lacks, Run, Swept},
    limits::Limits,
    load::{self, Ready},
    output::Results,
    progress::SeedLine,
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

Exit codes: 0 it holds or is reached, 1 it does not or is not, 2 could not be asked, 3 no answer
within the limits.";

/// Ask a question of a world on the spot, in CEL
///
/// Answers: is this so in every state, in some state, of every transition, or in the end? The answer
/// comes with the shortest run that shows it. What is asked often belongs into the table [own] of a
/// scenario.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scenario; its script comes first
    file: PathBuf,

    #[command(flatten)]
    asked: AskedArgs,

    /// Ask it of every row of this kind, one by one: the row is called `it`, or `before` and `after`
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(own::kinds()))]
    each: Option<String>,

    /// Ask it of the runs of these seeds, and not of all runs
    #[arg(long, value_name = "FROM..TO")]
    seeds: Option<SeedRange>,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    results: Results,
}

/// What is asked.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct AskedArgs {
    /// Does this hold in every state?
    #[arg(long, value_name = "CONDITION")]
    always: Option<String>,

    /// Can a state be reached in which this holds?
    #[arg(long, value_name = "CONDITION")]
    reachable: Option<String>,

    /// Does this hold of every transition that changes what it reads?
    #[arg(long, value_name = "CONDITION")]
    step: Option<String>,

    /// Is the first followed by the second, on every fair run?
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    leads: Option<Vec<String>>,
}

/// Answers the question.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let searches = Searches::begin(&args.limits);
    let ready = load::scenario(&args.file, "ask")?;
    load::all_finished(std::slice::from_ref(&ready))?;
    let claim = question(args, &ready)?;
    let mut output = args.results.open(&load::inputs(std::slice::from_ref(&ready)))?;
    let format = args.results.format;
    let exit = if let Some(seeds) = args.seeds {
        let swept = by_seeds(args, &searches, &ready, claim, seeds)?;
        output.write(&format.each_sweep(&swept, Detail::Violations))?;
        let sweeps = [swept];
        output.write(&format.all_sweeps(&sweeps))?;
        simulate::exit(&sweeps)
    } else {
        let verdict = searches.judge(&ready, Engine::Own, &[claim]);
        let exit = crate::check::exit_of(&verdict);
        let run = Run { verdict, took: None };
        output.write(&format.each(&run, Detail::Violations))?;
        output.write(&format.all(&[run]))?;
        exit
    };
    output.finish()?;
    Ok(exit)
}

/// The question as a claim.
fn question(args: &Args, ready: &Ready) -> Result<&'static Claim, Abandon> {
    let AskedArgs { always, reachable, step, leads } = &args.asked;
    let each: Option<RowKind> = args.each.as_deref().and_then(own::kind_named);
    let condition = |text: &Option<String>, flag, asked: fn(_) -> _| {
        text.as_ref().map(|text| asked((flag, text.clone())))
    };
    let asked = condition(always, "--always", Asked::Always)
        .or_else(|| condition(reachable, "--reachable", Asked::Reachable))
        .or_else(|| condition(step, "--step", Asked::Step))
        .or_else(|| match leads.as_deref() {
            Some([from, to]) => {
                Some(Asked::Leads(("--leads FROM", from.clone()), ("--leads TO", to.clone())))
            }
            Some(_) | None => None,
        });
    let asked = asked.expect("clap has required one");
    Ok(own::ask(&ready.scenario.world, each, asked)?)
}

/// Runs seeds, up to the first that decides the claim.
fn by_seeds(
    args: &Args,
    searches: &Searches<'_>,
    ready: &Ready,
    claim: &'static Claim,
    seeds: SeedRange,
) -> Result<Swept, Abandon> {
    let claims = vec![(claim, Expected::Holds.of_seeds(claim))];
    let simulation = Simulation::asking(&ready.scenario, &ready.replay, claims)?;
    let mut about = About::new(&simulation, &ready.replay);
    about.known.clear();
    let seeds = Seeds::new(&[seeds], &[]);
    let header = Header::new(seeds, Shard::WHOLE, Until::FirstSurprise, vec![about]);
    let about = &header.scenarios[0];
    let line = SeedLine::new(&about.scenario);
    let options = Options {
        jobs: args
            .limits
            .threads
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get)),
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
    let report = Report::of(tally);
    let stopped = searches.deadline.stop().filter(|_| !report.missing.is_empty());
    Ok(Swept { report, lacks: stopped.map(Lacks::Stopped), took: None })
}
