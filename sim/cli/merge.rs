//! `deathwatch merge`: the journals of shards as one report.

use std::path::PathBuf;

use deathwatch_sim::sweep::{self, Merged};

use crate::{
    exit::{Abandon, Exit, heard},
    format::{Detail, HowMuch, Lacks, Swept},
    inputs::Inputs,
    output::Results,
    simulate,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch simulate my.toml --seeds 0..10000 --shard 1/2 --journal 1.jsonl
  deathwatch simulate my.toml --seeds 0..10000 --shard 2/2 --journal 2.jsonl
  deathwatch merge 1.jsonl 2.jsonl

Exit codes: 0 as expected, 1 not as expected, 2 the journals are damaged, of different sweeps, or
contradict each other, 3 undecided: seeds are missing or did not settle.";

/// Merge the journals of shards into one report
///
/// Answers: what is the result of all shards of a sweep? The report is the one that `simulate`
/// would have written without --shard, to the byte. The scenarios are not needed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Journals that `simulate --journal` wrote
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
    let Merged { reports, missing } = sweep::merge(&args.files)?;
    let shards: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let which = match shards.as_slice() {
        [] => None,
        [only] => Some(format!("shard {only} is")),
        all => Some(format!("shards {} are", all.join(", "))),
    };
    let swept = |report: sweep::Report| {
        let lacks = (!report.missing.is_empty()).then(|| Lacks::NotMerged(which.clone()));
        Swept { report, lacks, took: None, asked: Vec::new() }
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
