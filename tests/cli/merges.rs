//! Reports of sweeps, as `merge` writes them. A fake simulator makes the journals, so that there is
//! every kind of answer.

use std::{fs, path::PathBuf};

use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::clause::{Clause, Rule};
use deathwatch_scenario::{replay, scenario::parse};
use deathwatch_simulator::{duties::DutyStage, stats::Stats};
use deathwatch_study::{
    journal::Journal,
    simulate::Simulation,
    sweep::{About, Ended, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Until, Violated},
};
use insta::assert_snapshot;
use predicates::prelude::*;
use serde_json::json;

use crate::fixture::{AS_EXPECTED, BUG, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, json, sealed};

const REMOVED: &str = "a Dying relation is removed";
const COUNTED: &str = "an application counts its relations";

/// The result of `seed`, changed by `change`.
fn fake(seed: u64, change: &dyn Fn(&mut SeedResult)) -> SeedResult {
    let mut stats = Stats {
        steps: 100 + seed,
        time: 90_000 * seed,
        commands: 3,
        planned: 9,
        ..Stats::default()
    };
    (stats.committed, stats.aborted, stats.largest) = (8, 1, [3, 2, 1 + seed % 3, 1]);
    stats.count_fault("crash");
    stats.removal[2].insert(seed * 1_501);
    stats.clauses = Clause::all().skip(60).collect();
    for (number, stage) in
        [(1, DutyStage::Planned), (11, DutyStage::Departure), (4, DutyStage::Done)]
    {
        let duty = Clause { rule: Rule::UnitAgent, number };
        stats.duties.insert(stage, duty);
        if seed == 20 && stage == DutyStage::Planned {
            stats.struck.entry("crash".into()).or_default().insert(stage, duty);
        }
    }
    let mut result =
        SeedResult { seed, end: Ended::Settled, violations: Vec::new(), stats, digest: seed };
    if seed.is_multiple_of(7) {
        let kind = if seed.is_multiple_of(2) { "scope-unknown" } else { "not-redeployed" };
        let wait_for = Some(held(&format!("unit mysql/{seed}"), kind));
        let violated = violated(REMOVED, "relation wordpress:db mysql:server");
        result.violations.push(Violated { wait_for, rule: None, ..violated });
    }
    change(&mut result);
    result
}

/// A relation that waits for a unit, which is held for the reason `kind`.
fn held(unit: &str, kind: &str) -> WaitFor {
    let relation = "relation wordpress:db mysql:server";
    let graph = json!({
        "subject": relation,
        "nodes": [
            { "entity": relation, "condition": "Dying, counts 1 unit in scope" },
            { "entity": unit, "condition": "Dying" },
        ],
        "edges": [{
            "from": relation,
            "to": unit,
            "reason": "in-scope",
            "role": "waits",
            "text": "a unit is in its scope",
            "passage": "D2:303",
        }],
        "roots": [
            { "kind": kind, "entities": [unit], "count": 1, "text": "it stays", "passage": "D2:71" },
        ],
    });
    serde_json::from_value(graph).expect("that is how it is written")
}

fn violated(claim: &str, subject: &str) -> Violated {
    let (claim, subject) = (claim.to_owned(), subject.to_owned());
    let rule = Some("leave-scope".to_owned());
    Violated { claim, subject, step: 42, wait_for: None, rule }
}

fn as_it_is(_: &mut SeedResult) {}

/// Two seeds violate a claim about relation counts; the first of them ends the sweep.
fn miscounted(result: &mut SeedResult) {
    if [11, 23].contains(&result.seed) {
        result.violations.push(violated(COUNTED, "application mysql"));
    }
}

fn unsettled(result: &mut SeedResult) {
    if result.seed == 30 {
        result.end = Ended::Unsettled("unit-agent mysql/0 kept moving".to_owned());
    }
}

fn diverged(result: &mut SeedResult) {
    if result.seed == 31 {
        result.end = Ended::Diverged("step 7: 3 actions were offered, then 4".to_owned());
    }
}

/// Writes the journal of a shard of seeds 0..40 with this number of finished seeds.
fn journal(
    folder: &Folder,
    name: &str,
    (shard, until, done): (&str, Until, usize),
    change: &dyn Fn(&mut SeedResult),
) {
    let text = format!("{BUG}[claims]\n\"{REMOVED}\" = \"violated\"\n\"{COUNTED}\" = \"holds\"\n");
    let path = PathBuf::from("my worlds/bug.toml");
    let scenario = parse(&path, text).expect("a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let about = About::new(&simulation, &replay);
    let shard: Shard = shard.parse().expect("a shard");
    let seeds = Seeds::new(&[SeedRange::new(0, 40)], &[77]);
    let header = SweepHeader::new(seeds, shard, until, vec![about]);
    let (mut journal, _) = Journal::open(&folder.path(name), &header).expect("it is writable");
    for seed in header.plan(&header.scenarios[0]).iter().take(done) {
        journal.add(0, &fake(seed, change)).expect("there is room");
    }
}

const WHOLE: (&str, Until, usize) = ("1/1", Until::End, 1000);

#[test]
fn a_sweep_as_expected_is_a_line() {
    let folder = Folder::new();
    journal(&folder, "whole", WHOLE, &as_it_is);
    assert_snapshot!(folder.seen("merge whole"));
    assert_snapshot!(folder.seen("merge whole --verbose"));
}

#[test]
fn an_unexpected_violation_is_shown_with_its_commands() {
    let folder = Folder::new();
    journal(&folder, "whole", WHOLE, &miscounted);
    assert_snapshot!(folder.seen("merge whole"));
    assert_snapshot!(folder.seen("merge whole --format json"));
    assert_snapshot!(folder.seen("merge whole --format junit"));
    journal(&folder, "ended", ("1/1", Until::FirstSurprise, 1000), &miscounted);
    assert_snapshot!(folder.seen("merge ended"));
}

#[test]
fn an_open_claim_has_no_answer() {
    let folder = Folder::new();
    journal(&folder, "unsettled", WHOLE, &unsettled);
    assert_snapshot!(folder.seen("merge unsettled"));
    journal(&folder, "part", ("2/3", Until::End, 1000), &as_it_is);
    assert_snapshot!(folder.seen("merge part"));
    journal(&folder, "cut", ("1/1", Until::End, 5), &as_it_is);
    assert_snapshot!(folder.seen("merge cut --format junit"));
    let value = json(&folder.run("merge cut --format json").code(UNDECIDED));
    assert_eq!(value["runs"][0]["claims"][1]["answer"], "undecided");
    assert_eq!(value["runs"][0]["missing"][0], "4..40");
}

#[test]
fn a_run_that_cannot_be_repeated_is_a_failure() {
    let folder = Folder::new();
    journal(&folder, "diverged", WHOLE, &diverged);
    assert_snapshot!(folder.seen("merge diverged"));
    folder.run("merge diverged --format junit").code(UNEXPECTED);
}

#[test]
fn shards_make_the_whole_in_every_format() {
    for until in [Until::End, Until::FirstSurprise] {
        let folder = Folder::new();
        journal(&folder, "whole", ("1/1", until, 1000), &miscounted);
        journal(&folder, "1", ("1/2", until, 1000), &miscounted);
        journal(&folder, "2", ("2/2", until, 1000), &miscounted);
        for flags in ["", "--verbose", "--format json", "--format junit"] {
            let seen = |files: &str| folder.stdout(&format!("merge {files} {flags}"), UNEXPECTED);
            assert_eq!(seen("2 1"), seen("whole"));
        }
    }
}

#[test]
fn journals_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    journal(&folder, "1", ("1/2", Until::End, 1000), &as_it_is);
    journal(&folder, "2", ("2/2", Until::FirstSurprise, 1000), &as_it_is);
    assert_snapshot!(folder.seen("merge 1 2"));
    let text = folder.read("1");
    let changed = sealed(&text.replace("\"crash\":1", "\"crash\":2"));
    fs::write(folder.path("3"), changed).expect("written");
    assert_snapshot!(folder.seen("merge 1 3"));
    let senseless = sealed(&text.replacen("\n{\"", "\n{", 1));
    fs::write(folder.path("4"), senseless).expect("written");
    assert_snapshot!(folder.seen("merge 4"));
    fs::write(folder.path("5"), text.replacen("\"crash\":1", "\"crash\":2", 1)).expect("written");
    let damaged = folder.run("merge 5").code(NOT_ASKED).stdout("");
    damaged.stderr(predicate::str::contains("line 2 of the journal 5 is damaged"));
    assert_snapshot!(folder.seen("merge missing"));
    let folder = folder.with("hello.txt", "hello\n");
    folder.run("merge hello.txt").code(NOT_ASKED);
    folder.run("merge .").code(NOT_ASKED);
    folder.run("merge").code(NOT_ASKED);
}

#[test]
fn a_report_may_go_to_a_file() {
    let folder = Folder::new();
    journal(&folder, "whole", WHOLE, &as_it_is);
    let value = json(&folder.run("merge whole --format json").code(AS_EXPECTED));
    assert_eq!(value["runs"][0]["stats"]["removal_ms"]["units"]["count"], 41);
    folder.run("merge whole --output out.txt").code(AS_EXPECTED).stdout("");
    assert!(folder.read("out.txt").ends_with("1 scenario as expected\n"));
    journal(&folder, "none", ("1/1", Until::End, 0), &as_it_is);
    folder.run("merge none --output out.txt").code(UNDECIDED);
}
