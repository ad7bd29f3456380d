//! `deathwatch merge`: the journals of shards as one report.

use std::path::PathBuf;

use deathwatch_documents::Answer;
use deathwatch_scenario::{Problem, shell::quoted};
use deathwatch_show::cases;
use deathwatch_study::{
    answers,
    baseline::Baseline,
    journal, recording,
    sweep::{self, Merged},
};

use crate::{
    check,
    diagnostics::say,
    exit::{Abandon, Exit, heard},
    format::{Format, HowMuch, Timed},
    inputs::Inputs,
    interrupt::Deadline,
    output::Results,
    shrink_kinds, simulate,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch check scenarios --shard 1/2 --journal 1.jsonl
  deathwatch check scenarios --shard 2/2 --journal 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl

  deathwatch simulate my.toml --seeds 0..10000 --shard 1/2 --journal 1.jsonl
  deathwatch simulate my.toml --seeds 0..10000 --shard 2/2 --journal 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl --shrink-kinds
  deathwatch merge 1.jsonl 2.jsonl --baseline before/1.jsonl --baseline before/2.jsonl

With --shrink-kinds, the scenarios have to be where the journals say, as they were.

Exit codes: 0 as expected, 1 not as expected, 2 the journals are damaged, about different questions,
or contradict each other, or a scenario to shrink is missing or has changed, 3 undecided: scenarios or
seeds are missing, or seeds did not settle.";

/// Merge the journals of shards into one report
///
/// Answers: what is the result of all shards? The report is the one that `check` or `simulate`
/// would have written without --shard, to the byte. The scenarios are not needed, but for
/// --shrink-kinds and for the HTML page of seeds.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Journals that `check --journal` wrote, or `simulate --journal`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Shrink the runs of each kind of failure, the smallest seed's and the clearest one's, and
    /// show the shortest; needs the scenarios
    #[arg(long)]
    shrink_kinds: bool,

    /// Report what this journal of before has, too, as known, and fail by nothing but the rest (may
    /// be given again, for shards)
    #[arg(long, value_name = "JOURNAL")]
    baseline: Vec<PathBuf>,

    #[command(flatten)]
    results: Results,

    #[command(flatten)]
    how_much: HowMuch,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let mut inputs = Inputs::of(args.files.iter().map(PathBuf::as_path));
    if args.files.iter().any(|file| journal::command_of(file).as_deref() == Some("check")) {
        if args.shrink_kinds {
            let problem = Problem::new("failed to shrink kinds: these are journals of `check`");
            return Err(problem.with_help("--shrink-kinds is for those of `simulate`").into());
        }
        return answers(args, inputs);
    }
    let deadline = Deadline::begin(None);
    let Merged { mut sweeps, scenarios: journals, missing } = sweep::merge(&args.files)?;
    let is_page = args.results.format == Format::Html;
    let journals = if args.shrink_kinds || is_page { journals } else { Vec::new() };
    let loaded = shrink_kinds::scenarios(&deadline, &journals);
    let scenarios = if args.shrink_kinds { loaded? } else { loaded.unwrap_or_default() };
    for ready in &scenarios {
        inputs.add(&ready.scenario.address.file);
    }
    let made = simulate::simulations(&scenarios);
    let mut simulations = if args.shrink_kinds { made? } else { made.unwrap_or_default() };
    if let Err(changed) = shrink_kinds::all_unchanged(&journals, &scenarios, &simulations) {
        if args.shrink_kinds {
            return Err(changed);
        }
        simulations.clear();
    }
    if is_page && simulations.is_empty() {
        say(format_args!(
            "the page has no runs, as not all scenarios are at hand as they were in the journals"
        ));
    }
    let shards: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let why = match shards.as_slice() {
        [] => "not all seeds are in the journals".to_owned(),
        [only] => format!("shard {only} is missing"),
        all => format!("shards {} are missing", all.join(", ")),
    };
    let baseline = inputs.baseline(&args.baseline, Baseline::of_sweeps)?;
    let look = args.results.look(args.how_much.detail());
    let mut output = args.results.open(&inputs)?;
    for (at, swept) in sweeps.iter_mut().enumerate() {
        swept.lacks(None, why.clone());
        if let Some(simulation) = simulations.get(at) {
            let ready = &scenarios[at];
            if args.shrink_kinds {
                shrink_kinds::shortest(swept, (simulation, &ready.replay), &deadline);
            }
            if is_page {
                let of = (simulation, &ready.scenario, &ready.replay);
                recording::clearest(swept, of, &|| deadline.stop());
            }
        }
        if let Some(baseline) = &baseline {
            baseline.compare_sweep(swept);
        }
        output.write(&args.results.format.each_sweep(swept, &look))?;
    }
    output.write(&args.results.format.all_sweeps(&mut sweeps, &look))?;
    output.finish()?;
    args.results.format.sum_up("simulate", sweeps.iter().map(cases::of_sweep))?;
    Ok(simulate::exit(&sweeps))
}

/// Merges the journals of `check`.
fn answers(args: &Args, mut inputs: Inputs) -> Result<Exit, Abandon> {
    let merged = answers::merge(&args.files)?;
    let baseline = inputs.baseline(&args.baseline, Baseline::of_answers)?;
    let timed = |(subject, answer): (answers::AskedScenario, Result<Answer, String>)| {
        let mut answer = answer.unwrap_or_else(|shard| missing(&subject, &shard));
        if let Some(baseline) = &baseline {
            baseline.compare(&mut answer);
        }
        Timed::before(answer)
    };
    let mut all: Vec<Timed> = merged.into_iter().map(timed).collect();
    let (format, look) = (args.results.format, args.results.look(args.how_much.detail()));
    let mut output = args.results.open(&inputs)?;
    for timed in &all {
        output.write(&format.each(timed, &look))?;
    }
    let among = check::among(all.len());
    output.write(&format.all(&mut all, among, (&look, args.results.path())))?;
    output.finish()?;
    format.sum_up("check", all.iter().map(|it| cases::of_answer(&it.answer)))?;
    Ok(check::exit(&all))
}

/// The answers to a scenario that is in a shard of which there is none.
fn missing(subject: &answers::AskedScenario, shard: &str) -> Answer {
    let command = format!("deathwatch check {} --verbose", quoted(&subject.file));
    let why = format!("shard {shard} has no answer");
    Answer::missing(&subject.scenario, &subject.file, command, why)
}
