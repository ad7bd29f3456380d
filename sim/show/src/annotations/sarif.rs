//! SARIF 2.1.0, the Static Analysis Results Interchange Format: a rule for each claim that is not
//! answered as expected, and a result for each scenario of which that is so.

use std::fmt::Write as _;

use deathwatch_documents::{Answer, Sweep};
use serde_json::{Value, json};

use super::{Annotation, of_answer, of_sweep};
use crate::status::row;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The unexpected answers of these scenarios.
pub fn sarif<'a>(answers: impl Iterator<Item = &'a Answer>) -> Value {
    document(&answers.flat_map(of_answer).collect::<Vec<_>>(), None)
}

/// The unexpected answers of the seeds of these scenarios.
pub fn sarif_of_sweeps(sweeps: &[Sweep]) -> Value {
    document(&sweeps.iter().flat_map(of_sweep).collect::<Vec<_>>(), None)
}

/// That nothing was answered, as a limit came before the scenarios were loaded.
pub fn sarif_of_unloaded(why: &str) -> Value {
    document(&[], Some(&format!("undecided: {why}")))
}

fn document(all: &[Annotation], undecided: Option<&str>) -> Value {
    let mut rules: Vec<(String, &Annotation)> = Vec::new();
    for it in all {
        let id = rule_id(&it.rule);
        if rules.iter().all(|(known, _)| *known != id) {
            rules.push((id, it));
        }
    }
    let index = |it: &Annotation| {
        let id = rule_id(&it.rule);
        rules.iter().position(|(known, _)| *known == id).expect("every rule is listed")
    };
    let results: Vec<Value> = all.iter().map(|it| result(it, index(it))).collect();
    let listed: Vec<Value> = rules.iter().map(|(id, it)| rule(id, it)).collect();
    let notes: Vec<Value> = undecided
        .iter()
        .map(|why| json!({ "level": "warning", "message": { "text": why } }))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "deathwatch",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": listed,
                },
            },
            "invocations": [{
                "executionSuccessful": undecided.is_none(),
                "toolExecutionNotifications": notes,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// A rule: the claim, and the passages that it rests on.
fn rule(id: &str, it: &Annotation) -> Value {
    let mut rule = json!({ "id": id, "shortDescription": { "text": it.rule } });
    if let Some(source) = &it.source {
        rule["fullDescription"] = json!({ "text": format!("{} ({source})", it.rule) });
    }
    rule
}

fn result(it: &Annotation, rule: usize) -> Value {
    let [kind, level] = row(it.status).sarif;
    let mut result = json!({
        "ruleId": rule_id(&it.rule),
        "ruleIndex": rule,
        "kind": kind,
        "level": level,
        "message": { "text": it.message },
        "locations": [{ "physicalLocation": place(it) }],
        "partialFingerprints": { "scenarioAndClaim/v1": format!("{}: {}", it.scenario, it.rule) },
    });
    if let Some(is_known) = it.known {
        result["baselineState"] = json!(if is_known { "unchanged" } else { "new" });
    }
    if !it.steps.is_empty() {
        let steps = it.steps.iter().map(|step| {
            json!({ "location": { "physicalLocation": place(it), "message": { "text": step } } })
        });
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn place(it: &Annotation) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&it.file) },
        "region": { "startLine": it.line.unwrap_or(1) },
    })
}

/// A claim as a name: its words with "-" between them.
fn rule_id(claim: &str) -> String {
    let words = claim.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// A path as a reference: other bytes than those that stand for themselves are written in
/// hexadecimal digits.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02X}").expect("it takes any text");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_references_have_few_letters() {
        assert_eq!(rule_id("a unit's scope: \"left\""), "a-unit-s-scope-left");
        assert_eq!(uri("my files/é%.toml"), "my%20files/%C3%A9%25.toml");
    }
}
