//! `deathwatch list`: scenarios, claims, variants, clauses, and what scripts can say.

use std::path::PathBuf;

use clap::Subcommand;
use deathwatch_language::{KINDS, QUIESCENT, list_name};
use deathwatch_model::{
    claims::Claim,
    clause::{Clause, Rule},
    txn::Why,
    variants::Variants,
};
use deathwatch_sim::{
    escape::escape,
    scenario::{
        FieldForm, field_forms,
        language::{self, Form},
    },
};
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
  deathwatch list clauses | grep destroy
  deathwatch list steps | grep unit-agent
  deathwatch list rows";

/// List what there is: scenarios, claims, variants, clauses, or what scripts can say
///
/// Answers: what can be checked, what can be written, and what are its names?
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
    /// The steps of scripts: actors, verbs with their arguments, outcomes, and examples
    Steps,
    /// The reasons why an operation is refused, and the clauses that say so
    Refusals,
    /// The fields that `[expect]` and `[start]` can name, with their values and meanings
    Fields,
    /// The rows that conditions in CEL are about, with their fields, values and meanings
    Rows,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let list = match &args.what {
        What::Scenarios { paths } => scenarios(paths)?,
        What::Claims => claims(),
        What::Variants => variants(),
        What::Clauses => clauses(),
        What::Steps => steps(),
        What::Refusals => refusals(),
        What::Fields => fields(),
        What::Rows => rows(),
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

    /// Adds rows of the scenario language.
    fn forms(&mut self, kind: &str, forms: &[Form]) {
        for Form { form, example, meaning } in forms {
            self.line(&format!("  {form}  {meaning}  ({example})"));
            let name = form.trim_start_matches("=> ");
            self.items.push(json!({
                "kind": kind,
                "name": name,
                "form": form,
                "means": meaning,
                "example": example,
            }));
        }
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

fn steps() -> List {
    let mut list = List::new("steps");
    list.line("A line of a script is an actor and a step. An actor:");
    list.forms("actor", &language::ACTORS);
    list.line("A step, below the actors that do it:");
    let mut actors = "";
    for step in language::steps() {
        if step.actors != actors {
            actors = step.actors;
            list.line(&format!("  {actors}:"));
        }
        let (form, meaning, example) = (step.form(), step.row.meaning, step.example());
        list.line(&format!("    {form}  {meaning}  ({example})"));
        list.items.push(json!({
            "kind": "step",
            "name": step.row.verb,
            "form": form,
            "arguments": step.arguments(),
            "actors": actors.split(", ").collect::<Vec<_>>(),
            "means": meaning,
            "example": example,
        }));
    }
    list.line("What scripts say beside that, where transactions are split or actors run:");
    list.forms("script", &language::SCRIPT_STEPS);
    list.line("An outcome, behind a step that is not meant to do anything:");
    list.forms("outcome", &language::OUTCOMES);
    list
}

fn refusals() -> List {
    let mut list = List::new("refusals");
    for why in Why::ALL {
        let clauses: Vec<String> = why.clauses().iter().map(Clause::to_string).collect();
        let (text, example) = (why.text(), why.example());
        list.line(&format!("{text}  ({}; {example})", clauses.join(", ")));
        list.items.push(json!({
            "name": text,
            "clauses": clauses,
            "example": format!("{example} => refused: {text}"),
        }));
    }
    list
}

fn fields() -> List {
    let mut list = List::new("fields");
    for FieldForm { name, of, values, is_settable, meaning } in field_forms() {
        let where_not = if is_settable { "" } else { "  (not in [start])" };
        list.line(&format!("{name}  of {of}: {values}  {meaning}{where_not}"));
        list.items.push(json!({
            "name": name,
            "of": of,
            "values": values,
            "means": meaning,
            "start": is_settable,
        }));
    }
    list
}

fn rows() -> List {
    let mut list = List::new("rows");
    for kind in KINDS {
        let (name, about) = (kind.row_type().name, kind.row_type().of);
        let found = deathwatch_language::finder(kind);
        let found_by = found.as_ref().map_or(String::new(), |it| format!(", one by {it}"));
        let all = list_name(kind);
        list.line(&format!("{name}  {about}; all of them are `{all}`{found_by}"));
        let mut fields = Vec::new();
        for field in deathwatch_language::fields(kind) {
            let (values, meaning) = (field.values(), field.meaning);
            let guard = if field.needs_guard(true) { "; where it exists" } else { "" };
            list.line(&format!("  {}  {values}{guard}  {meaning}", field.name));
            fields.push(json!({
                "name": field.name,
                "values": values,
                "guarded": field.needs_guard(true),
                "means": meaning,
            }));
        }
        list.items.push(json!({
            "name": name,
            "about": about,
            "list": all,
            "found_by": found,
            "fields": fields,
        }));
    }
    let quiescent = "whether nobody can move who is assumed to act";
    list.line(&format!("{QUIESCENT}  of the whole state: true or false  {quiescent}"));
    list.items.push(json!({ "name": QUIESCENT, "about": quiescent }));
    list
}

fn file(rule: Rule) -> String {
    format!("model/src/{}", rule.file())
}
