//! `deathwatch list`: scenarios, claims, variants, details, clauses, and the language of scripts.

mod language;

use std::path::PathBuf;

use clap::Subcommand;
use deathwatch_claims::Claim;
use deathwatch_documents::READ_OFF_NOTES;
use deathwatch_model::{
    clause::{Clause, Rule},
    variants::{VariantInfo, Variants},
    world::Details,
};
use deathwatch_scenario::{Problem, escape::escape, problem::nearest};
use deathwatch_show::text::{TextDetail, fitted};
use serde_json::{Value, json};

use crate::{
    appearance::Appearance,
    exit::{Abandon, Exit},
    format::{ListFormat, json_list},
    load,
    output::Output,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch list scenarios scenarios/caveats
  deathwatch list claims --format json
  deathwatch list variants relation-tracking
  deathwatch list clauses | grep destroy
  deathwatch list steps | grep unit-agent
  deathwatch list rows";

/// List what there is: scenarios, claims, variants, details, clauses, or what scripts can say
///
/// Answers: what can be checked, what can be written, and what are its names?
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    topic: Topic,

    /// The format of the list
    #[arg(long, value_enum, default_value_t, global = true)]
    format: ListFormat,
}

#[derive(Subcommand)]
enum Topic {
    /// The scenarios, and what each shows
    Scenarios {
        /// Scenario files, or folders of them
        #[arg(default_value = "scenarios")]
        paths: Vec<PathBuf>,
    },
    /// The claims, and the passages that they rest on
    Claims,
    /// The variants of the protocol, the default first
    Variants {
        /// The names to list [default: all]
        names: Vec<String>,
    },
    /// The levels of detail, each off by default, and what each adds and needs
    Details,
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

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let list = match &args.topic {
        Topic::Scenarios { paths } => scenarios(paths)?,
        Topic::Claims => claims(),
        Topic::Variants { names } => variants(names)?,
        Topic::Details => details(),
        Topic::Clauses => clauses(),
        Topic::Steps => language::steps(),
        Topic::Refusals => language::refusals(),
        Topic::Fields => language::fields(),
        Topic::Rows => language::rows(),
    };
    let mut output = Output::stdout();
    let look = Appearance::of_stdout(TextDetail::Violations);
    output.write(&match args.format {
        // What goes to another program is a line each.
        ListFormat::Text if look.is_terminal => fitted(&list.text, look.columns),
        ListFormat::Text => list.text,
        ListFormat::Json => json_list(list.of, list.items),
    })?;
    output.finish()?;
    Ok(Exit::AsExpected)
}

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
        let severity = scenario.finding.as_ref().map(|it| it.severity.name());
        let finding = severity.map_or_else(String::new, |it| format!("  (finding: {it})"));
        list.line(&format!("{}  {}{finding}", scenario.name, scenario.shows));
        list.items.push(json!({
            "name": scenario.name,
            "shows": scenario.shows,
            "finding": scenario.finding.as_ref().map(|it| json!({
                "severity": it.severity.name(),
                "sentence": it.sentence,
            })),
            "path": scenario.address.to_string(),
            "steps": scenario.steps.len(),
            "claims": scenario.claims.iter().map(|(claim, _)| claim.name).collect::<Vec<_>>(),
        }));
    }
    Ok(list)
}

fn claims() -> List {
    let mut list = List::new("claims");
    for claim in deathwatch_claims::all() {
        let (name, kind, source) = (claim.name, claim.kind().name(), claim.source);
        let notes = claim.reads_notes();
        let by = if notes { format!("; {READ_OFF_NOTES}") } else { String::new() };
        let needs = details_of(claim);
        let with = if needs.is_empty() {
            String::new()
        } else {
            format!("; needs {}", needs.join(" and "))
        };
        list.line(&format!("{kind:<6}  {name}  ({source}{by}{with})"));
        list.items.push(json!({
            "name": name,
            "kind": kind,
            "source": source,
            "notes": notes,
            "details": needs,
        }));
    }
    list
}

/// The details without which a claim is about nothing.
fn details_of(claim: &Claim) -> Vec<&'static str> {
    let (mut details, mut needs) = (Details::default(), Vec::new());
    while let Some(detail) = claim.lacks(details) {
        let _ = details.set(detail, true);
        needs.push(detail);
    }
    needs
}

fn variants(names: &[String]) -> Result<List, Problem> {
    let mut list = List::new("variants");
    for name in names {
        if VariantInfo::named(name).is_none() {
            let problem = Problem::new(format!("there is no variant \"{name}\""));
            let like = nearest(name, Variants::LIST.iter().map(|variant| variant.name));
            return Err(problem.with_help(like.unwrap_or("`list variants` names all".to_owned())));
        }
    }
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    for variant in Variants::LIST.iter().filter(|variant| is_asked(variant.name)) {
        let (name, about, needs) = (variant.name, variant.about, variant.needs);
        let with = if needs.is_empty() {
            String::new()
        } else {
            format!("  (needs {})", needs.join(" or "))
        };
        list.line(&format!("{name}  {about}{with}"));
        let mut values = Vec::new();
        for (index, (value, meaning)) in variant.values.iter().enumerate() {
            let default = if index == 0 { " (default)" } else { "" };
            list.line(&format!("  {value}{default}  {meaning}"));
            values.push(json!({ "value": value, "means": meaning }));
        }
        list.items.push(json!({
            "name": name,
            "about": about,
            "needs": needs,
            "values": values,
        }));
    }
    Ok(list)
}

fn details() -> List {
    let mut list = List::new("details");
    for detail in Details::LIST {
        let (name, adds, source, needs) = (detail.name, detail.adds, detail.source, detail.needs);
        let others = |verb: &str, names: &[&str]| match names {
            [] => String::new(),
            names => format!("; {verb} {}", names.join(" and ")),
        };
        let (needed, excluded) = (others("needs", needs), others("excludes", detail.excludes));
        list.line(&format!("{name}  {adds}  ({source}{needed}{excluded})"));
        list.items.push(json!({
            "name": name,
            "adds": adds,
            "source": source,
            "needs": needs,
            "excludes": detail.excludes,
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
