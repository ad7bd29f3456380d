//! `deathwatch schema`: the form of scenario files, for editors, and of answers, runs and sweeps as
//! JSON, for programs.

use clap::ValueEnum;

use crate::{
    exit::{Abandon, Exit},
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch schema > scenario.schema.json
  deathwatch schema check > check.schema.json
  deathwatch schema run > run.schema.json
  deathwatch schema sweep > sweep.schema.json
  deathwatch schema shrink > shrink.schema.json
  deathwatch schema assume > assume.schema.json
  deathwatch schema diff > diff.schema.json
  deathwatch schema diagnosis > diagnosis.schema.json
  deathwatch schema certificate > certificate.schema.json

Editors with a TOML language server complete and check scenario files that begin with:
  #:schema ./scenario.schema.json";

/// Print the JSON Schema of scenario files, or of answers, runs or sweeps as JSON
///
/// Answers: what can a scenario file have, or what do `check`, `check --diff`, `replay`,
/// `simulate`, `shrink`, `assume` and `diagnose` write with --format json?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The documents whose form is printed
    #[arg(value_enum, default_value_t)]
    of: Form,
}

/// Documents with a schema.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Form {
    /// Scenario files
    #[default]
    Scenario,
    /// The output of `check --format json`
    Check,
    /// The output of `replay --format json`
    Run,
    /// The sweeps in the output of `simulate --format json` and `merge --format json`
    Sweep,
    /// The output of `shrink --format json`
    Shrink,
    /// The output of `assume --format json`
    Assume,
    /// The output of `check --diff --format json`
    Diff,
    /// The output of `diagnose --format json`
    Diagnosis,
    /// A line of a certificate, which `check --any-size --certificate` writes
    Certificate,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let mut output = Output::stdout();
    let schema = match args.of {
        Form::Scenario => deathwatch_scenario::schema(),
        Form::Check => deathwatch_documents::Answers::schema(),
        Form::Run => deathwatch_documents::Runs::schema(),
        Form::Sweep => deathwatch_documents::Sweeps::schema(),
        Form::Shrink => deathwatch_documents::Shrunk::schema(),
        Form::Assume => deathwatch_documents::Assumed::schema(),
        Form::Diff => deathwatch_documents::Differences::schema(),
        Form::Diagnosis => deathwatch_documents::ModelDiagnosis::schema(),
        Form::Certificate => deathwatch_documents::certificate::CertificateLine::schema(),
    };
    output.write(&format!("{schema:#}\n"))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
