//! `deathwatch check`: whether every scenario is answered as it expects.

mod asked;
mod run;
mod sinks;

use std::path::PathBuf;

use clap::ValueEnum;
use deathwatch_scenario::shell::quoted;
use deathwatch_show::{page::check::ScenarioPlacement, text::TextDetail};
use deathwatch_study::{assume::NamedVariant, sweep::Shard, verdict::Engine};

use self::{
    asked::{CheckTask, again, asks},
    run::CheckRun,
    sinks::Sinks,
};
use crate::{
    checkpoints::CheckpointArgs,
    cluster::{self, ClusterArgs},
    diff,
    exit::{Abandon, Exit, heard},
    format::{self, Format, HowMuch, Timed},
    graph_file::{self, GraphPath},
    limits::{Limits, SymmetryArgs},
    load::{self, Askable},
    output::Results,
    search::{Searches, SpillArgs},
    set, shipped, watch,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch check
  deathwatch check scenarios/relation-scope-bug --verbose
  deathwatch check my.toml --claim \"a Dying unit is removed\"
  deathwatch check my.toml --watch
  deathwatch check --format junit --output junit.xml --time 10m --max-memory 4GiB
  deathwatch check scenarios --format html --output answers.html
  deathwatch check my.toml --write-traces found
  deathwatch check small.toml --write-graph small.aut
  deathwatch check small.toml --claim \"a Dying unit is removed\" --write-graph small.hoa
  deathwatch check scenarios --refines
  deathwatch check my.toml --any-size
  deathwatch check my.toml --any-size --certificate certificate.jsonl
  deathwatch check large.toml --checkpoint kept --resume
  deathwatch check large.toml --processes 4 --max-memory 4GiB
  deathwatch check large.toml --cluster hosts --process 2 --secret secret
  deathwatch check scenarios --shard 2/8 --journal 2.jsonl
  deathwatch check scenarios --baseline before.jsonl
  deathwatch check --diff my.toml --set relation-tracking=remote-scope
  deathwatch check --diff my.toml#before my.toml#after --format html --output differences.html

With --journal, the same command goes on where it was interrupted, and `deathwatch merge` makes the
journals of all shards the report of an undivided check.

With --diff, that something differs is not as expected.

Exit codes: 0 as expected, 1 not as expected, 2 could not be asked, 3 no answer within the limits.";

/// Answer scenarios exhaustively, and compare with what they expect
///
/// Answers: does each claim hold on every run? Replays the script of each scenario, searches all
/// that can follow, and decides claims and witnesses on both. An expected violation passes; a claim
/// that unexpectedly holds fails. If an answer is not the expected one, the shortest run that shows
/// it is printed, each step with the clauses that it carries out.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is given on its own")]
pub(crate) struct Args {
    /// Scenario files, or folders of them
    ///
    /// A file stands for all scenarios in it, `FILE#NAME` for one of them, and `FILE#` for the
    /// first alone.
    #[arg(default_value = "scenarios")]
    paths: Vec<PathBuf>,

    /// Compare the answers to two scenarios, A and B, or two journals: which differ, and the
    /// shortest run that only one of them has, with where it parts from what the other one can do
    ///
    /// Both are asked the same: what either asks. A file stands for its first scenario. Of two
    /// journals, such as those of two versions of a scenario or of this program, the answers are
    /// compared, and the runs as far as they have them. Nothing is printed if nothing differs; with
    /// --verbose the steps of both runs are.
    #[arg(long, conflicts_with_all = [
        "engine", "refines", "timings", "shard", "journal", "baseline", "checkpoint", "spill",
        "write_traces", "write_graph", "any_size", "certificate",
    ])]
    diff: bool,

    /// Answer with this variant, whatever the scenarios say of it, as in
    /// relation-tracking=remote-scope (may be given again); with --diff, only B has it, and one
    /// scenario may be named alone
    ///
    /// The numbers of states that a scenario expects are those of its own world, and are not
    /// compared.
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting)]
    set: Vec<NamedVariant>,

    /// The checker; stateright, the second opinion, decides witnesses and claims of the kinds
    /// always and reachable only
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    spill: SpillArgs,

    #[command(flatten)]
    symmetry: SymmetryArgs,

    /// Decide this claim only (may be given again), and no witnesses
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,

    /// Decide, too, whether every world with details that is searched keeps to the protocol without
    /// them
    #[arg(long)]
    refines: bool,

    /// Answer for every number of units of each application, and not for the number that a scenario
    /// has
    ///
    /// What holds is proved for all numbers at once, by views; what is violated is shown by a run
    /// of some instance, the smallest first. Witnesses, and claims that read several units at once,
    /// are left out; such a claim of the scenario's own is undecided. A scenario asks for it by
    /// `check.any-size`, too.
    #[arg(long, conflicts_with_all = [
        "diff", "engine", "refines", "shard", "journal", "baseline", "checkpoint", "resume", "spill",
        "write_traces", "write_graph", "processes", "cluster",
    ])]
    any_size: bool,

    /// With --any-size, write the evidence of the answers to one scenario to this file, as JSON
    /// Lines: all views, moves and ranks, and the open claims, for a program that checks it and
    /// shares no code with this one
    #[arg(long, value_name = "FILE", requires = "any_size", conflicts_with = "watch")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    results: Results,

    /// Say how long each scenario took and how much memory it used; and for which share of the time
    /// all threads were at work
    #[arg(long)]
    timings: bool,

    #[command(flatten)]
    how_much: HowMuch,

    /// Answer only this part of the scenarios, such as 2/8, the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Write answers to this file as they come, and do not ask again those scenarios that it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["timings", "write_traces"])]
    journal: Option<PathBuf>,

    /// Report what this journal of before has, too, as known, and fail by nothing but the rest (may
    /// be given again, for shards)
    #[arg(long, value_name = "JOURNAL")]
    baseline: Vec<PathBuf>,

    /// Answer again when a file changes, until Ctrl-C; a mistake in a file is reported, and does
    /// not end it
    ///
    /// Where a path is a folder, new files in it are answered, too. `--time` bounds each time that
    /// the scenarios are answered, and the exit code is that of the last.
    #[arg(long, conflicts_with_all = [
        "diff", "journal", "output", "checkpoint", "write_traces", "write_graph",
    ])]
    watch: bool,

    #[command(flatten)]
    checkpoints: CheckpointArgs,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Write the run of each violated claim to this folder, as a scenario file
    #[arg(long, value_name = "DIR")]
    write_traces: Option<PathBuf>,

    /// Write the reachable graph of one scenario's world to this file: for Graphviz if its name
    /// ends in .dot, in the form of Aldebaran for other checkers if it ends in .aut; if it ends in
    /// .hoa, the part that decides one claim, for tools that decide whether an automaton is empty
    ///
    /// The states of .dot and .aut are all that can follow the script, and each transition has the
    /// step that it is: every interleaving, nothing reduced. So it has as many as `check` says.
    ///
    /// .hoa is the Hanoi Omega-Automata format, version 1, with an automaton for each subject of
    /// the one claim that `--claim` names, which has to be of the kind leads. Its states are those
    /// in which the claim is owed to the subject, each with its number in .dot and .aut as its
    /// name, and its runs are fair: faults (set 0) strike finitely often, a class that is weakly
    /// fair moves, or cannot move, again and again, and one that is strongly fair moves again and
    /// again or can move finitely often only. So the claim is violated if and only if one of the
    /// automata accepts a run.
    #[arg(long, value_name = "FILE", value_parser = graph_file::path)]
    write_graph: Option<GraphPath>,

    /// Write a .hoa about this subject of the claim only, such as "wordpress/0" or "machine 1"
    #[arg(long, value_name = "SUBJECT", requires = "write_graph")]
    subject: Option<String>,
}

/// The engines by name.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum EngineName {
    /// Our own explorer: every claim, on every core
    #[default]
    Own,
    /// stateright's breadth-first checker
    Stateright,
}

impl EngineName {
    fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Stateright => "stateright",
        }
    }
}

impl Args {
    /// Whether the runs of violated claims are written as data.
    fn has_runs_as_data(&self) -> bool {
        (self.results.format, self.how_much.detail()) == (Format::Json, TextDetail::Violations)
    }

    fn engine(&self) -> Engine {
        match self.engine {
            EngineName::Own => Engine::Own,
            EngineName::Stateright => Engine::Stateright,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(match args {
        Args { diff: true, .. } => compare(args),
        Args { watch: true, .. } => watch::run(&args.paths, || answer(args)),
        Args { .. } => answer(args),
    })
}

fn compare(args: &Args) -> Result<Exit, Abandon> {
    let Args { paths, set, claims, limits, results, .. } = args;
    let detail = args.how_much.detail();
    diff::run(&diff::DiffTask { paths, set, claims, limits, results, detail })
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    args.cluster.refuse_stateright(args.engine())?;
    if args.cluster.was_started() {
        shipped::leave_unsaid();
    }
    let limits = args.cluster.share(&args.limits);
    let spill = args.spill.open(args.engine())?;
    let searches = Searches::begin(&limits).with_symmetry(args.symmetry).with_spill(spill);
    let loaded = load::askable_within(&searches.deadline, &args.paths);
    let from = (args.paths.as_slice(), args.journal.as_deref());
    let loaded = args.results.of_loaded("check", from, loaded)?;
    // What is wrong is told once, by the process that answers.
    let left_out = if args.cluster.follows() && !loaded.ready.is_empty() {
        Exit::AsExpected
    } else {
        loaded.report_bad(args.journal.as_deref())?
    };
    let Askable { ready, bad } = loaded;
    let task = CheckTask::new(args, ready)?;
    // A search goes on as it began, and an answer says what it kept.
    let kept = [args.symmetry.flag(), args.spill.flag(), args.limits.cache_flag()];
    let kept = kept.into_iter().flatten();
    let flags: Vec<String> = asks(args).into_iter().chain(kept).collect();
    let flags = flags.join(" ");
    let checkpoints = args.checkpoints.of(args.engine(), &flags, args.cluster.process())?;
    let checkpoints = checkpoints.as_ref();
    let join = || {
        let flags = format!("{flags}{}", args.checkpoints.flags());
        let same = cluster::question(&flags, &task.header, &task.scenarios)?;
        args.cluster.join(&limits, &searches.deadline, &same, checkpoints)
    };
    if args.cluster.follows() {
        return task.follow(join()?, &searches, args.timings);
    }
    let mut inputs = load::inputs(&task.scenarios);
    let first = sinks::open_first(args, &mut inputs)?;
    let sinks = Sinks::open(args, &task, &inputs, first)?;
    let joined = args.cluster.is_asked().then(join).transpose()?;
    if let Some(checkpoints) = checkpoints {
        let is_asked = |at: usize| task.header.has(at) && !sinks.has(at);
        checkpoints.tell_missing(&task.scenarios, is_asked);
    }
    let (task, searches, not_asked) = (&task, &searches, left_out);
    let mut run = CheckRun { args, task, searches, checkpoints, joined, sinks, not_asked };
    for at in (0..task.scenarios.len()).filter(|at| task.header.has(*at)) {
        run.answer(at)?;
    }
    for (address, problems) in bad {
        let again = again(&quoted(&address.to_string()), args);
        run.sinks.write(Timed::before(load::not_asked(&address, &problems, again)))?;
    }
    run.finish()
}

/// The place of a scenario that is alone among `scenarios`, or is not.
pub(crate) fn among(scenarios: usize) -> ScenarioPlacement {
    if scenarios == 1 { ScenarioPlacement::Alone } else { ScenarioPlacement::AmongOthers }
}

/// The exit code for these answers.
pub(crate) fn exit(all: &[Timed]) -> Exit {
    all.iter().map(|timed| format::exit(&timed.answer)).max().unwrap_or(Exit::AsExpected)
}
