//! JSON: one object per invocation, the same bytes for the same answers.

use deathwatch_model::check::Stop;
use deathwatch_sim::{
    escape::escape_quoted,
    trace::{Begins, Line},
    verdict::{self, Judged},
};
use serde_json::{Map, Value, json};

use crate::format::Run;

/// The whole document.
pub(super) fn document(command: &str, of: &str, items: Vec<Value>) -> String {
    object(command, of, items.into())
}

/// The whole document with one entry.
pub(super) fn object(command: &str, of: &str, value: Value) -> String {
    let mut document = Map::new();
    document.insert("deathwatch".into(), env!("CARGO_PKG_VERSION").into());
    document.insert("command".into(), command.into());
    document.insert(of.into(), value);
    text(&Value::Object(document))
}

/// A document as text.
pub(crate) fn text(document: &Value) -> String {
    escape_quoted(&format!("{document:#}\n")).into_owned()
}

/// One scenario.
pub(super) fn run(run: &Run) -> Value {
    let Run { verdict, timing, recorded, .. } = run;
    let mut value = Map::new();
    let mut set = |key: &str, is: Value| value.insert(key.to_owned(), is);
    set("scenario", verdict.scenario.as_str().into());
    set("expected", verdict.is_as_expected().into());
    set("answer", verdict::answer(verdict.answer).into());
    if let Some(report) = &verdict.report {
        set("states", report.states.into());
        set("transitions", report.transitions.into());
        set("depth", report.depth.into());
    }
    if let Some(took) = timing.asked() {
        set("seconds", took.as_secs_f64().into());
    }
    let mut claims: Vec<Value> = verdict.judged.iter().map(claim).collect();
    for (claim, run) in claims.iter_mut().zip(recorded) {
        claim["run"] = run.clone();
    }
    set("claims", claims.into());
    let failures = verdict.failures.iter().chain(&verdict.miscounts);
    set("failures", failures.map(String::as_str).collect());
    set("left_out", verdict.left_out.iter().map(|claim| claim.name).collect());
    set("stopped", verdict.stopped().map(stop).into());
    set("reason", verdict.undecided_because().into());
    Value::Object(value)
}

/// One scenario that has no answer, as it is in a shard that is missing.
pub(super) fn missing(scenario: &str, why: &str) -> Value {
    json!({ "scenario": scenario, "expected": false, "answer": "inconclusive", "reason": why })
}

fn claim(judged: &Judged) -> Value {
    let rendered = judged.rendered.as_ref();
    json!({
        "name": judged.name(),
        "kind": judged.kind(),
        "answer": verdict::answer(judged.finding.answer),
        "expected": judged.expected.to_string(),
        "begins": rendered.map(|rendered| begins(rendered.begins)),
        "trace": rendered.map(|rendered| lines(&rendered.steps)),
        "cycle": rendered.map(|rendered| lines(rendered.cycle())),
        "reason": judged.open,
        "diagnosis": rendered.and_then(|rendered| rendered.diagnosis.as_deref()),
        "wait_for": rendered.and_then(|rendered| rendered.wait_for.as_ref()),
    })
}

/// The state in which a trace begins, in a word.
fn begins(begins: Begins) -> &'static str {
    match begins {
        Begins::BeforeScript => "before the script",
        Begins::AfterScript => "after the script",
    }
}

/// The reason that ended a search early, in a word.
fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "states",
        Stop::Memory => "memory",
        Stop::Time => "time",
        Stop::Interrupted => "interrupted",
        Stop::Edges => "edges",
        Stop::Threads => "threads",
        Stop::Space => "transactions",
    }
}

fn lines(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}
