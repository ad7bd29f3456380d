//! `deathwatch merge`: the journals of shards as one report.

use std::path::PathBuf;

use deathwatch_sim::{
    answers,
    sweep::{self, Merged},
};

use crate::{
    check,
    exit::{Abandon, Exit, heard},
    format::{Detail, HowMuch, Lacks, Swept, Told},
    inputs::Inputs,
    output::Results,
    simulate,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch check scenarios --shard 1/2 --journal 1.jsonl
  deathwatch check scenarios --shard 2/2 --journal 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl

  deathwatch simulate my.toml --seeds 0..10000 --shard 1/2 --journal 1.jsonl
  deathwatch simulate my.toml --seeds 0..10000 --shard 2/2 --journal 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl

Exit codes: 0 as expected, 1 not as expected, 2 the journals are damaged, about different questions,
or contradict each other, 3 undecided: scenarios or seeds are missing, or seeds did not settle.";

/// Merge the journals of shards into one report
///
/// Answers: what is the result of all shards? The report is the one that `check` or `simulate` would
/// have written without --shard, to the byte. The scenarios are not needed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Journals that `check --journal` wrote, or `simulate --journal`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    results: Results,

    #[command(flatten)]
    how_much: HowMuch,
}

/// Merges the journals.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let inputs = Inputs::of(args.files.iter().map(PathBuf::as_path));
    if args.files.iter().any(|file| answers::is_journal(file)) {
        return answers(args, &inputs);
    }
    let Merged { reports, missing } = sweep::merge(&args.files)?;
    let shards: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let which = match shards.as_slice() {
        [] => None,
        [only] => Some(format!("shard {only} is")),
        all => Some(format!("shards {} are", all.join(", "))),
    };
    let swept = |report: sweep::Report| {
        let lacks = (!report.missing.is_empty()).then(|| Lacks::NotMerged(which.clone()));
        Swept { report, lacks, took: None, shrunk: Vec::new(), asked: Vec::new() }
    };
    let sweeps: Vec<Swept> = reports.into_iter().map(swept).collect();
    let detail = Detail::of(&args.how_much);
    let mut output = args.results.open(&inputs)?;
    for swept in &sweeps {
        output.write(&args.results.format.each_sweep(swept, detail))?;
    }
    output.write(&args.results.format.all_sweeps(&sweeps, detail))?;
    output.finish()?;
    Ok(simulate::exit(&sweeps))
}

/// Merges the journals of `check`.
fn answers(args: &Args, inputs: &Inputs) -> Result<Exit, Abandon> {
    let merged = answers::merge(&args.files)?;
    let told = |(subject, answered): (answers::Subject, Result<answers::Answered, String>)| {
        answered.map_or_else(|shard| Told::missing(&subject, &shard), Told::before)
    };
    let all: Vec<Told> = merged.answers.into_iter().map(told).collect();
    let (format, look) = (args.results.format, args.results.look(Detail::of(&args.how_much)));
    let mut output = args.results.open(inputs)?;
    for told in &all {
        output.write(&format.each(told, &look))?;
    }
    output.write(&format.all(&all, check::among(all.len()), &look))?;
    output.finish()?;
    Ok(check::exit(&all))
}
