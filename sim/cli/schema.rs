//! `deathwatch schema`: the form of scenario files, for editors, and of answers, runs and sweeps as
//! JSON, for programs.

use clap::ValueEnum;
use deathwatch_documents::{
    Answers, Differences, Runs, Sweeps, assumed::AssumeDocument, certificate::CertificateLine,
    diagnosis::DiagnosisDocument, schema_of, shrunk::ShrunkDocument,
};

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
    of: SchemaKind,
}

/// Documents with a schema.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum SchemaKind {
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
        SchemaKind::Scenario => deathwatch_scenario::schema(),
        SchemaKind::Check => schema_of::<Answers<'_>>("Answers of deathwatch"),
        SchemaKind::Run => schema_of::<Runs>("Runs of deathwatch"),
        SchemaKind::Sweep => schema_of::<Sweeps<'_>>("Sweeps of deathwatch"),
        SchemaKind::Shrink => schema_of::<ShrunkDocument>("Shrunk runs of deathwatch"),
        SchemaKind::Assume => schema_of::<AssumeDocument>("What claims need, by deathwatch"),
        SchemaKind::Diff => schema_of::<Differences>("Differences of deathwatch"),
        SchemaKind::Diagnosis => schema_of::<DiagnosisDocument>("Diagnoses of deathwatch"),
        SchemaKind::Certificate => {
            schema_of::<CertificateLine>("A line of a certificate of deathwatch")
        }
    };
    output.write(&format!("{schema:#}\n"))?;
    output.finish()?;
    Ok(Exit::AsExpected)
}
