//! `deathwatch diagnose`: a real Juju model that is stuck.

use std::{fs, path::PathBuf, time::Duration};

use deathwatch_diagnose::{Juju, WayOut, diagnose};
use deathwatch_documents::diagnosis::StuckVerdict;
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_show::{
    diagnosis::{ScreenPart, screen},
    page,
    text::TextDetail,
};

use crate::{
    appearance::{Appearance, FAILURE, PROGRESS, SUCCESS, UNDECIDED},
    crashdump,
    exit::{Abandon, Exit, heard},
    format::{DocumentFormat, json},
    inputs::Inputs,
    interrupt::Deadline,
    limits,
    output::{self, Output},
    write,
};

const EXAMPLES: &str = "\
Examples:
  juju status --format json > status.json
  juju show-unit --format json $(jq -r '.applications[].units//{}|to_entries[]|.key,\
(.value.subordinates//{}|keys[])' status.json) > units.json
  deathwatch diagnose status.json units.json
  deathwatch diagnose juju-crashdump/
  deathwatch diagnose status.json units.json --format html --output stuck.html
  deathwatch diagnose status.json units.json --scenario stuck.toml

Exit codes: 0 everything goes by itself, 1 something needs you, 2 the files cannot be read, 3 it
depends on what Juju did not print, or was not decided.";

/// Say what holds what in a real Juju model that is stuck
///
/// Answers: who holds each thing that is not Alive, what has to happen next and who has to do it,
/// which known bug it looks like, and whether it goes by itself, in every state that Juju's output
/// allows. Nothing is sent anywhere, and nothing in Juju is touched.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The output of `juju status`, `juju show-unit` and, if you have it, `juju dump-db`, as JSON
    /// or YAML, in any order; or a folder with these files, as juju-crashdump makes it
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Write the state that fits as a scenario, for `explore`, `assume` and `ask`; where several
    /// answers are possible, the state of the first one
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,

    /// Give up after this long, such as 10s or 5m
    #[arg(long, value_name = "DURATION", value_parser = limits::time, default_value = "1m")]
    time: Duration,

    /// The format of the diagnosis
    #[arg(long, value_enum, default_value_t)]
    format: DocumentFormat,

    /// Write the diagnosis to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    let deadline = Deadline::begin(Some(args.time));
    let mut inputs = Inputs::of(args.files.iter().map(PathBuf::as_path));
    let mut files = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            for (path, bytes) in crashdump::outputs(path)? {
                inputs.add(&path);
                files.push((display(&path), bytes));
            }
            continue;
        }
        let bytes = fs::read(path).map_err(|error| {
            let reason = write::reason(&error);
            Problem::new(format!("{} cannot be read: {reason}", display(path)))
        })?;
        files.push((display(path), bytes));
    }
    if matches!(args.format, DocumentFormat::Html) {
        output::no_page_to_terminal(args.output.as_deref())?;
    }
    if let Some(path) = &args.scenario {
        inputs.spare(path)?;
        inputs.add(path);
    }
    let mut output = Output::open(args.output.as_deref(), &inputs)?;
    let juju = Juju::read(&files)?;
    drop(files);
    let stop = || deadline.stop();
    let diagnosed = diagnose(&juju, &stop)?;
    if let Some(path) = &args.scenario {
        let Some(text) = diagnosed.scenarios.first() else {
            return Err(Problem::new("nothing is stuck, so there is no scenario to write").into());
        };
        write::write_file(path, text)?;
    }
    let report = &diagnosed.report;
    let text = match args.format {
        DocumentFormat::Text => {
            let detail = TextDetail::Violations;
            let to_file = args.output.is_some();
            let look =
                if to_file { Appearance::of_file(detail) } else { Appearance::of_stdout(detail) };
            screen(report, &|part, text| match part {
                ScreenPart::Label => look.paint(PROGRESS, text),
                ScreenPart::StuckVerdict(StuckVerdict::GoesByItself) => look.paint(SUCCESS, text),
                ScreenPart::StuckVerdict(StuckVerdict::Depends | StuckVerdict::Undecided) => {
                    look.paint(UNDECIDED, text)
                }
                ScreenPart::StuckVerdict(_) => look.paint(FAILURE, text),
            })
        }
        DocumentFormat::Json => json::text(&report.clone().document()),
        DocumentFormat::Html => {
            let recorded = |ways: &Vec<WayOut>| ways.iter().map(WayOut::recorded).collect();
            let runs: Vec<Vec<_>> = diagnosed.ways_out.iter().map(recorded).collect();
            page::of_diagnosis(report, &runs)
        }
    };
    output.write(&text)?;
    output.finish()?;
    Ok(match report.verdict.code() {
        0 => Exit::AsExpected,
        3 => Exit::Undecided,
        _ => Exit::Unexpected,
    })
}
