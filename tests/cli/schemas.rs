//! Published schemas: what the commands write has the form that `schema` prints.

use serde_json::Value;

use crate::fixture::{CYCLE, Folder, LARGE, bug_as_it_is, bug_not_known, json, unit};

/// A folder with scenarios of each answer.
fn folder() -> Folder {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("new.toml", bug_not_known());
    folder.with("unit.toml", unit()).with("round.toml", CYCLE).with("large.toml", LARGE)
}

/// The errors of a document by the schema of this form.
fn errors(folder: &Folder, form: &str, document: &Value) -> Vec<String> {
    let schema = json(&folder.run(&format!("schema {form}")));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.iter_errors(document).map(|error| error.to_string()).collect()
}

#[test]
fn what_check_writes_has_the_published_form() {
    let folder = folder();
    for line in [
        "check bug.toml new.toml unit.toml round.toml --format json",
        "check bug.toml new.toml unit.toml round.toml --format json --verbose",
        "check unit.toml --format json --timings",
        "check large.toml --format json --max-states 100",
        "check bug.toml --engine stateright --format json",
        "ask unit.toml --always true --format json",
    ] {
        let document = json(&folder.run(line));
        assert_eq!(errors(&folder, "check", &document), [""; 0], "{line}");
        let mut wrong = document.clone();
        wrong["runs"][0]["claims"][0]["answer"] = 1.into();
        assert!(!errors(&folder, "check", &wrong).is_empty(), "an answer is a word");
        let mut more = document;
        more["runs"][0]["mood"] = "good".into();
        assert!(!errors(&folder, "check", &more).is_empty(), "nothing else is in it");
    }
}

#[test]
fn what_merge_writes_of_answers_has_the_same_form() {
    let folder = folder();
    folder.run("check bug.toml unit.toml --shard 1/2 --journal 1.jsonl");
    let document = json(&folder.run("merge 1.jsonl --format json"));
    let missing = document["runs"].as_array().expect("a list").iter();
    assert_eq!(missing.filter(|run| run["answer"] == "inconclusive").count(), 1);
    assert_eq!(errors(&folder, "check", &document), [""; 0]);
}
