//! `deathwatch simulate`: whether the runs of seeds have the answers that their scenarios expect.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use deathwatch_documents::Sweep;
use deathwatch_scenario::{Problem, Scenario};
use deathwatch_show::cases;
use deathwatch_study::{
    assume::NamedVariant,
    baseline::Baseline,
    journal::Journal,
    recording,
    simulate::Simulation,
    sweep::{
        self, About, Options, Progress, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Tally,
        Until,
    },
    verdict,
};

use crate::{
    diagnostics,
    exit::{Abandon, Exit, heard},
    format::{Format, HowMuch},
    interrupt::Deadline,
    limits,
    load::{self, Ready},
    output::Results,
    progress::SeedLine,
    set, shrink_kinds, write,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch simulate my.toml                      the known seeds of the scenario, and 0..100
  deathwatch simulate my.toml --seeds 0..10000 --keep-going --journal my.jsonl
  deathwatch simulate my.toml --seeds 0..10000 --shard 2/8 --journal 2.jsonl
  deathwatch simulate my.toml --keep-going --baseline before.jsonl
  deathwatch simulate my.toml --seed 17 --verify
  deathwatch simulate my.toml --keep-going --shrink-kinds --format html --output my.html

With --journal, the same command goes on where it was interrupted, and one with more seeds runs only
those that are new; the report is the one that it would have written at once. One journal holds all
scenarios of the command.

Exit codes: 0 as expected, 1 not as expected, 2 could not be asked, 3 undecided: seeds were not run
(--time, Ctrl-C) or did not settle, or a violation that is expected of all seeds is not among those
of one shard; `deathwatch merge` decides that.";

/// The seeds that are run by default.
const USUAL: SeedRange = SeedRange::new(0, 100);

/// Run scenarios by seed, with random workloads and faults
///
/// Answers: does each claim hold on these runs? A seed decides who acts when, what the user does
/// and what fails. Then comes a calm without faults and commands, in which everything has to
/// settle. For worlds that are too large to be searched exhaustively. Seeds that the scenario knows
/// to have failed are run first. The report does not depend on the number of jobs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is given on its own")]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    ///
    /// A file stands for all scenarios in it, `FILE#NAME` for one of them, and `FILE#` for the
    /// first alone.
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Run these seeds, from the first number to before the last (may be given again)
    #[arg(long, value_name = "FROM..TO")]
    seeds: Vec<SeedRange>,

    /// Run this seed (may be given again)
    #[arg(long = "seed", value_name = "N", value_parser = sweep::seed)]
    singles: Vec<u64>,

    /// Run only this part of the seeds, such as 2/8, the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Run with this variant, whatever the scenarios say of it, as in
    /// relation-tracking=remote-scope (may be given again)
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting, conflicts_with = "record")]
    set: Vec<NamedVariant>,

    /// Go on after an unexpected violation
    #[arg(long)]
    keep_going: bool,

    /// Give up after this long in all, such as 90s, 10m or 1h30m [default: never]
    #[arg(long, value_name = "DURATION", value_parser = limits::time)]
    time: Option<Duration>,

    /// The number of seeds that run at a time [default: one per core]; the report does not depend
    /// on it
    #[arg(long, value_name = "N", value_parser = limits::threads)]
    jobs: Option<usize>,

    /// Write finished seeds to this file, and do not run those again that it has
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Report what this journal of before has, too, as known, and fail by nothing but the rest (may
    /// be given again, for shards)
    #[arg(long, value_name = "JOURNAL", requires = "keep_going")]
    baseline: Vec<PathBuf>,

    /// Run each seed twice, and compare everything that is enabled and chosen
    #[arg(long)]
    verify: bool,

    /// Shrink the runs of each kind of failure, the smallest seed's and the clearest one's, and
    /// show the shortest
    #[arg(long)]
    shrink_kinds: bool,

    /// Add the smallest seed of each group of unexpected violations to the scenario's known seeds
    #[arg(long)]
    record: bool,

    #[command(flatten)]
    results: Results,

    /// Print how long each scenario took, and the seeds and steps in a second
    #[arg(long)]
    timings: bool,

    #[command(flatten)]
    how_much: HowMuch,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let sweeper = Sweeper { args, deadline: Deadline::begin(args.time) };
    let loaded = load::askable_within(&sweeper.deadline, &args.paths);
    let from = (args.paths.as_slice(), args.journal.as_deref());
    let loaded = args.results.of_loaded("simulate", from, loaded)?;
    let left_out = loaded.report_bad(args.journal.as_deref())?;
    let scenarios = set::all(&args.set, loaded.ready)?;
    load::all_finished(&scenarios)?;
    let simulations = simulations(&scenarios)?;
    let header = header(args, &scenarios, &simulations);
    let mut inputs = load::inputs(&scenarios);
    let baseline = inputs.baseline(&args.baseline, Baseline::of_sweeps)?;
    if let Some(journal) = &args.journal {
        inputs.spare(journal)?;
        inputs.add(journal);
    }
    let mut output = args.results.open(&inputs)?;
    let mut journal = None;
    let mut earlier = vec![BTreeMap::new(); scenarios.len()];
    if let Some(path) = &args.journal {
        let (opened, found) = Journal::open(path, &header)?;
        (journal, earlier) = (Some(opened), found);
    }
    let look = args.results.look(args.how_much.detail());
    let mut sweeps = Vec::new();
    for ((at, simulation), earlier) in simulations.iter().enumerate().zip(earlier) {
        let mut keep = |result: &SeedResult| match &mut journal {
            Some(journal) => journal.add(at, result),
            None => Ok(()),
        };
        let mut swept =
            sweeper.sweep(&header, &header.scenarios[at], simulation, earlier, &mut keep)?;
        if args.shrink_kinds {
            let of = (simulation, &scenarios[at].replay);
            shrink_kinds::shortest(&mut swept, of, &sweeper.deadline);
        }
        if args.results.format == Format::Html {
            let ready = &scenarios[at];
            let of = (simulation, &ready.scenario, &ready.replay);
            recording::clearest(&mut swept, of, &|| sweeper.deadline.stop());
        }
        if let Some(baseline) = &baseline {
            baseline.compare_sweep(&mut swept);
        }
        output.write(&args.results.format.each_sweep(&swept, &look))?;
        sweeps.push(swept);
    }
    if let Some(journal) = &mut journal {
        journal.make_sure()?;
    }
    output.write(&args.results.format.all_sweeps(&mut sweeps, &look))?;
    output.finish()?;
    args.results.format.sum_up("simulate", sweeps.iter().map(cases::of_sweep))?;
    if args.record {
        record(scenarios.iter().zip(&sweeps))?;
    }
    Ok(exit(&sweeps).max(left_out))
}

/// The exit code for the results of `sweeps`.
pub(crate) fn exit(sweeps: &[Sweep]) -> Exit {
    let exits = sweeps.iter().map(|swept| swept.status.into());
    exits.max().unwrap_or(Exit::AsExpected)
}

pub(crate) fn simulations(scenarios: &[Ready]) -> Result<Vec<Simulation<'_>>, Abandon> {
    let mut simulations = Vec::new();
    let mut problems = Vec::new();
    for ready in scenarios {
        match Simulation::new(&ready.scenario, &ready.replay) {
            Ok(simulation) => simulations.push(simulation),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(simulations) } else { Err(Abandon::Problems(problems)) }
}

fn header(args: &Args, scenarios: &[Ready], simulations: &[Simulation<'_>]) -> SweepHeader {
    let is_usual = args.seeds.is_empty() && args.singles.is_empty();
    let ranges: &[SeedRange] = if is_usual { &[USUAL] } else { &args.seeds };
    let seeds = Seeds::new(ranges, &args.singles);
    let until = if args.keep_going { Until::End } else { Until::FirstSurprise };
    let about =
        |(simulation, ready): (&Simulation<'_>, &Ready)| About::new(simulation, &ready.replay);
    let abouts = simulations.iter().zip(scenarios).map(about).collect();
    let mut header = SweepHeader::new(seeds, args.shard, until, abouts);
    header.verify = args.verify;
    header
}

/// The options that all scenarios share.
struct Sweeper<'a> {
    args: &'a Args,
    deadline: Deadline,
}

impl Sweeper<'_> {
    fn sweep(
        &self,
        header: &SweepHeader,
        about: &About,
        simulation: &Simulation<'_>,
        earlier: BTreeMap<u64, SeedResult>,
        keep: &mut dyn FnMut(&SeedResult) -> Result<(), Problem>,
    ) -> Result<Sweep, Problem> {
        let line = SeedLine::new(&about.scenario);
        let begun = Instant::now();
        let how = Options {
            jobs: self.args.jobs.unwrap_or_else(limits::available_threads),
            stop: &|| self.deadline.stop().is_some(),
            progress: &|progress| line.show(progress),
        };
        let run = |seed: u64, stop: &(dyn Fn() -> bool + Sync)| {
            let _witness = Witness { scenario: &about.scenario, seed };
            if self.args.verify {
                return SeedResult::by_verifying(simulation, seed, stop);
            }
            SeedResult::by_running(simulation, seed, stop)
        };
        let plan = header.plan(about);
        let mut tally = Tally::new(about, &plan, header.until);
        let Progress { seeds, earlier, steps, .. } =
            sweep::run(&mut tally, earlier, &how, run, keep)?;
        let mut swept = tally.document(&[]);
        end(&mut swept, &self.deadline);
        if self.args.timings {
            swept.took(begun.elapsed(), seeds - earlier, steps);
        }
        Ok(swept)
    }
}

/// Notes in a sweep the limit that ended it early, if one did.
pub(crate) fn end(swept: &mut Sweep, deadline: &Deadline) {
    if let Some(stop) = deadline.stop() {
        swept.lacks(Some(stop.into()), verdict::stopped(stop).to_owned());
    }
}

/// Prints the seed if its run panics, as the panic does not name it.
struct Witness<'a> {
    scenario: &'a str,
    seed: u64,
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let Self { scenario, seed } = self;
            diagnostics::say(format_args!("that was seed {seed} of {scenario}"));
        }
    }
}

/// Records the seeds of the unexpected results of each sweep in its scenario.
fn record<'a>(swept: impl Iterator<Item = (&'a Ready, &'a Sweep)>) -> Result<(), Abandon> {
    let recorded =
        swept.map(|(ready, swept)| record_one(&ready.scenario, &swept.surprising_seeds()));
    let problems: Vec<Problem> = recorded.filter_map(Result::err).collect();
    if problems.is_empty() { Ok(()) } else { Err(Abandon::Problems(problems)) }
}

fn record_one(scenario: &Scenario, seeds: &[u64]) -> Result<(), Problem> {
    if seeds.is_empty() {
        return Ok(());
    }
    let address = &scenario.address;
    let failed = |why: &str| Problem::new(format!("failed to record seeds in {address}: {why}"));
    // A link is followed: its target is replaced, not the link.
    let file = fs::canonicalize(&address.file).map_err(|error| failed(&write::reason(&error)))?;
    let _lock = lock(&file);
    let source = fs::read_to_string(&file).map_err(|error| failed(&write::reason(&error)))?;
    if source != scenario.source() {
        return Err(failed("it was changed in the meantime"));
    }
    if let Some(text) =
        sweep::record(&source, address.also.as_deref(), seeds).map_err(|why| failed(&why))?
    {
        write::write_file(&file, &text)?;
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        diagnostics::say(format_args!("recorded in {address}: seeds {}", seeds.join(", ")));
    }
    Ok(())
}

/// Makes other processes that record in the same file wait: they then see that it was changed.
#[cfg(unix)]
fn lock(file: &Path) -> Option<File> {
    // Without a lock, two processes may both find the file as it was; one of them loses its seeds.
    File::open(file).ok().filter(|file| file.lock().is_ok())
}

/// Elsewhere a locked file cannot be read.
#[cfg(not(unix))]
fn lock(_: &Path) -> Option<File> {
    None
}
