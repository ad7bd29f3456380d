//! `deathwatch list`: scenarios, claims, variants and clauses, with their names.

use std::path::PathBuf;

use clap::Subcommand;
use deathwatch_model::{
    claims::Claim,
    clause::{Clause, Rule},
    variants::Variants,
};
use deathwatch_sim::escape::escape;
use serde_json::{Value, json};

use crate::{
    exit::{Abandon, Exit},
    format::{ListFormat, json_list},
    load,
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch list scenarios scenarios/caveats
  deathwatch list claims --format json
  deathwatch list clauses | grep destroy";

/// List what there is: scenarios, claims, variants or clauses
///
/// Answers: what can be checked, and what are its names?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,

    /// How to write the list
    #[arg(long, value_enum, default_value_t, global = true)]
    format: ListFormat,
}

#[derive(Subcommand)]
enum What {
    /// The scenarios, and what each shows
    Scenarios {
        /// Scenario files, or folders of them
        #[arg(default_value = "scenarios")]
        paths: Vec<PathBuf>,
    },
    /// The claims, and the passages that they rest on
    Claims,
    /// The variants of the protocol, the default first
    Variants,
    /// The clauses of the protocol
    Clauses,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let list = match &args.what {
        What::Scenarios { paths } => scenarios(paths)?,
        What::Claims => claims(),
        What::Variants => variants(),
        What::Clauses => clauses(),
    };
    let mut output = Output::stdout();
    output.write(&match args.format {
        ListFormat::Text => list.text,
        ListFormat::Json => json_list(list.of, list.items),
    })?;
    output.finish()?;
    Ok(Exit::AsExpected)
}

/// A list in both formats.
struct List {
    of: &'static str,
    text: String,
    items: Vec<Value>,
}

impl List {
    fn new(of: &'static str) -> Self {
        Self { of, text: String::new(), items: Vec::new() }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&escape(line));
        self.text.push('\n');
    }
}

fn scenarios(paths: &[PathBuf]) -> Result<List, Abandon> {
    let mut list = List::new("scenarios");
    for ready in load::scenarios(paths)? {
        let scenario = ready.scenario;
        list.line(&format!("{}  {}", scenario.name, scenario.shows));
        list.items.push(json!({
            "name": scenario.name,
            "shows": scenario.shows,
            "path": scenario.path.to_string_lossy(),
            "steps": scenario.steps.len(),
            "claims": scenario.claims.iter().map(|(claim, _)| claim.name).collect::<Vec<_>>(),
        }));
    }
    Ok(list)
}

fn claims() -> List {
    let mut list = List::new("claims");
    for claim in Claim::all() {
        let (name, kind, source) = (claim.name, claim.kind().name(), claim.source);
        list.line(&format!("{kind:<6}  {name}  ({source})"));
        list.items.push(json!({ "name": name, "kind": kind, "source": source }));
    }
    list
}

fn variants() -> List {
    let mut list = List::new("variants");
    for variant in Variants::LIST {
        list.line(&format!("{}  {}", variant.name, variant.about));
        let mut values = Vec::new();
        for (index, (value, meaning)) in variant.values.iter().enumerate() {
            let default = if index == 0 { " (default)" } else { "" };
            list.line(&format!("  {value}{default}  {meaning}"));
            values.push(json!({ "value": value, "means": meaning }));
        }
        list.items.push(json!({
            "name": variant.name,
            "about": variant.about,
            "values": values,
        }));
    }
    list
}

fn clauses() -> List {
    let mut list = List::new("clauses");
    for clause in Clause::all() {
        let info = clause.info().expect("every clause is one of its rule");
        list.line(&format!("{clause:<26}  {}  ({})", info.says, info.source));
        list.items.push(json!({
            "name": clause.to_string(),
            "says": info.says,
            "source": info.source,
            "file": file(clause.rule),
        }));
    }
    list
}

fn file(rule: Rule) -> String {
    format!("model/src/{}", rule.file())
}
