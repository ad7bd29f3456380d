//! The kinds of failures that a sweep reports: few, the same for shards, and preserved by `shrink`.

use std::{fs, path::Path};

use serde_json::Value;

use crate::fixture::{AS_EXPECTED, Folder, json};

/// The swarm over the protocol as the documents describe it.
fn swarm() -> Folder {
    let file = "scenarios/simulate/relation-scope-bug-by-swarm.toml";
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    Folder::new().with("swarm.toml", text.expect("it is shipped"))
}

const SWEEP: &str = "simulate swarm.toml --seeds 0..100 --keep-going --format json";

fn groups(folder: &Folder) -> Vec<Value> {
    let swept = json(&folder.run(SWEEP).code(AS_EXPECTED));
    swept["runs"][0]["groups"].as_array().expect("a list").clone()
}

/// The failures have four causes, though seven claims notice them.
#[test]
fn a_hundred_seeds_of_the_documents_fail_in_four_ways() {
    let groups = groups(&swarm());
    let kinds: Vec<&str> = groups.iter().filter_map(|group| group["kind"].as_str()).collect();
    assert_eq!(kinds, ["not-redeployed", "no-cleaner", "scope-unknown", "no-machine"]);
    let seeds = |group: &Value| group["seeds"].as_u64().expect("a number");
    assert!(groups.iter().all(|group| seeds(group) >= group["alone"].as_u64().expect("a number")));
    assert!(groups.is_sorted_by(|one, next| seeds(one) >= seeds(next)));
}

/// The command that is printed for the smallest seed of a kind, and the one for its clearest seed,
/// give a scenario whose search ends in a run of that kind.
#[test]
fn each_kind_shrinks_to_a_run_that_shows_it() {
    let folder = swarm();
    for group in groups(&folder) {
        for key in ["shrink", "shrink_clearest"] {
            let command = group[key].as_str().expect("text").replace("deathwatch ", "");
            folder.run(&format!("{command} --output small.toml --force")).code(AS_EXPECTED);
            let checked = json(&folder.run("check small.toml --format json").code(AS_EXPECTED));
            let wait_for = &checked["runs"][0]["claims"][0]["trace"]["wait_for"];
            let roots = wait_for["roots"].as_array().expect("it is about what must follow");
            assert!(
                roots.iter().any(|root| root["kind"] == group["kind"]),
                "{command}: {wait_for}"
            );
            let shrunk = json(&folder.run(&format!("{command} --format json")).code(AS_EXPECTED));
            assert!(shrunk["run"]["after"]["steps"].as_u64() < Some(10), "{shrunk}");
            assert_eq!(shrunk["run"]["root"], group["kind"]);
        }
    }
}

#[test]
fn shards_name_the_kinds_of_the_whole() {
    let folder = swarm();
    let whole = folder.run(SWEEP).code(AS_EXPECTED).get_output().stdout.clone();
    for shard in 1..=3 {
        folder.run(&format!("{SWEEP} --shard {shard}/3 --journal {shard}.jsonl"));
    }
    let merged = folder.run("merge 3.jsonl 1.jsonl 2.jsonl --format json").code(AS_EXPECTED);
    assert_eq!(merged.get_output().stdout, whole);
}

#[test]
fn a_kind_that_is_none_is_refused() {
    let run = swarm().run("shrink swarm.toml --seed 1 --root no-such-thing");
    run.code(2).stderr(predicates::str::contains("there is no root of that kind"));
}
