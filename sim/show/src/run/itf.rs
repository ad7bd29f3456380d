//! A run in the Informal Trace Format of Apalache (its ADR 015), which trace viewers and
//! model-based tests read.
//!
//! A variable is a kind of rows: a map from names to records. What may be missing is a set of at
//! most one value, as the format has no null, and a reader of types wants each field to have one.
//! Numbers are of any size. A name of a field is an identifier: a hyphen becomes an underscore.

use serde_json::{Map, Value as Json, json};

use deathwatch_documents::run::{End, Kind, Moment, Run, Value};

/// The page that describes the format.
const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// The variable with the action that led to a state.
const ACTION: &str = "action_taken";

/// The run as a trace. Of a cycle the last state is left out, as it is the one to which it goes
/// back.
pub fn itf(run: &Run) -> Json {
    let (count, goes_back) = match run.end {
        End::Cycle { from, to } => (to, Some(from)),
        End::Quiescent | End::Open => (run.states.len(), None),
    };
    let mut vars = vec![Json::from(ACTION)];
    vars.extend(run.kinds.keys().map(|kind| Json::from(identifier(kind))));
    let states = run.states.iter().take(count).enumerate();
    let states = states.map(|(number, moment)| state(run, number, moment));
    let answers: Vec<String> =
        run.answers.iter().map(|it| format!("{}: {}", it.answer, it.claim)).collect();
    let mut trace = Map::new();
    trace.insert(
        "#meta".into(),
        json!({
            "format": "ITF",
            "format-description": DESCRIPTION,
            "source": run.header.file,
            "status": answers.join("; "),
            "description": run.header.shows,
            "made-by": run.header.made_by,
        }),
    );
    trace.insert("vars".into(), vars.into());
    trace.insert("states".into(), states.collect());
    if let Some(back) = goes_back {
        trace.insert("loop".into(), back.into());
    }
    Json::Object(trace)
}

fn state(run: &Run, number: usize, moment: &Moment) -> Json {
    let mut state = Map::new();
    state.insert("#meta".into(), json!({ "index": number }));
    let step = number.checked_sub(1).map(|at| &run.steps[at]);
    let line = step.map_or("start", |step| step.act.line.as_str());
    state.insert(ACTION.into(), line.into());
    for (name, kind) in &run.kinds {
        let rows = moment.rows.get(name).into_iter().flatten();
        let rows = rows.filter(|(_, fields)| !fields.is_empty());
        let pairs = rows.map(|(name, fields)| json!([name, record(kind, fields)]));
        state.insert(identifier(name), json!({ "#map": pairs.collect::<Vec<Json>>() }));
    }
    Json::Object(state)
}

fn record(kind: &Kind, fields: &deathwatch_documents::run::Table<Option<Value>>) -> Json {
    let fields = fields.iter().map(|(name, is)| {
        let may_be_missing = kind.fields.get(name).is_none_or(|field| field.optional);
        let written = is.as_ref().map(value);
        let written = if may_be_missing {
            json!({ "#set": written.into_iter().collect::<Vec<Json>>() })
        } else {
            written.unwrap_or_default()
        };
        (identifier(name), written)
    });
    Json::Object(fields.collect())
}

fn value(value: &Value) -> Json {
    match value {
        Value::Flag(holds) => (*holds).into(),
        Value::Count(count) => number(*count),
        Value::Word(word) => word.as_str().into(),
        Value::Names(names) => json!({ "#set": names }),
        Value::Machine { machine } => machine.as_str().into(),
        Value::Unit { unit } => unit.as_str().into(),
        Value::Transaction { transaction, .. } => transaction.as_str().into(),
        Value::Hook { hook } => hook.as_str().into(),
        Value::Aborts { aborts, again } => json!({ "#tup": [number(u64::from(*aborts)), again] }),
        Value::Commands(counts) => {
            let pairs = counts.iter().map(|(name, count)| json!([name, number(u64::from(*count))]));
            json!({ "#map": pairs.collect::<Vec<Json>>() })
        }
    }
}

fn number(number: u64) -> Json {
    json!({ "#bigint": number.to_string() })
}

fn identifier(name: &str) -> String {
    name.replace('-', "_")
}
