//! SARIF 2.1.0, the Static Analysis Results Interchange Format: a rule for each claim that is not
//! answered as expected, and a result for each scenario of which that is so.

use std::fmt::Write as _;

use deathwatch_documents::case::{Cases, QuestionCase};
use serde_json::{Value, json};

use crate::status::row;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of the unexpected answers of these scenarios.
pub fn sarif(scenarios: &[Cases]) -> Value {
    document(scenarios, None)
}

/// The log of a command without answers, as a limit came before the scenarios were loaded.
pub fn sarif_of_unloaded(why: &str) -> Value {
    document(&[], Some(&format!("undecided: {why}")))
}

fn document(scenarios: &[Cases], undecided: Option<&str>) -> Value {
    let mut rules: Vec<(String, &QuestionCase)> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for (of, it) in scenarios.iter().flat_map(|of| of.annotations().map(move |it| (of, it))) {
        let id = rule_id(&it.question);
        let at = rules.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
            rules.push((id.clone(), it));
            rules.len() - 1
        });
        results.push(result(of, it, (&id, at)));
    }
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
fn rule(id: &str, it: &QuestionCase) -> Value {
    let mut rule = json!({ "id": id, "shortDescription": { "text": it.question } });
    if let Some(source) = &it.source {
        rule["fullDescription"] = json!({ "text": format!("{} ({source})", it.question) });
    }
    rule
}

fn result(of: &Cases, it: &QuestionCase, (id, at): (&str, usize)) -> Value {
    let [kind, level] = row(it.status).sarif;
    let place = json!({
        "artifactLocation": { "uri": uri(&of.file) },
        "region": { "startLine": it.line.unwrap_or(1) },
    });
    let mut result = json!({
        "ruleId": id,
        "ruleIndex": at,
        "kind": kind,
        "level": level,
        "message": { "text": it.message },
        "locations": [{ "physicalLocation": place }],
        "partialFingerprints": {
            "scenarioAndClaim/v1": format!("{}: {}", of.scenario, it.question),
        },
    });
    if let Some(is_known) = it.known {
        result["baselineState"] = json!(if is_known { "unchanged" } else { "new" });
    }
    if !it.steps.is_empty() {
        let steps = it.steps.iter().map(|step| {
            json!({ "location": { "physicalLocation": place, "message": { "text": step } } })
        });
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
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
