//! Shards of `check`: their journals, and the merged results.

use std::fs;

use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, CYCLE, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, UNIT, bug_as_it_is,
    bug_not_known, sealed, stdout_of, unit,
};

/// Scenarios of all kinds: expected and unexpected answers, scripts, and some with a stated size.
fn folder() -> Folder {
    let mut folder = Folder::new()
        .with("bugs/known.toml", bug_as_it_is() + "[check]\nstates = 18\n")
        .with("bugs/unknown.toml", bug_not_known())
        .with("cycle.toml", CYCLE)
        .with("script.toml", UNIT.replace("witnesses = [\"remove-unit.1\", \"remove-unit.3\"]", ""))
        .with("unit.toml", unit() + "[check]\nstates = 7\n");
    for number in 0..6 {
        folder = folder.with(&format!("more/{number}.toml"), unit());
    }
    folder
}

/// The journals of the `of` shards of `folder`, each answered on its own.
fn shards(folder: &Folder, of: usize, flags: &str) -> String {
    let journal = |number: usize| {
        let name = format!("{number}-of-{of}.jsonl");
        let line = format!("check . --shard {number}/{of} --journal {name} {flags}");
        let code = folder.run(&line).get_output().status.code();
        assert!(matches!(code, Some(AS_EXPECTED | UNEXPECTED)), "{line}");
        name
    };
    (1..=of).map(journal).collect::<Vec<_>>().join(" ")
}

#[test]
fn shards_are_merged_to_the_report_of_an_undivided_check() {
    let folder = folder();
    let journals = shards(&folder, 4, "");
    for flags in ["", "--verbose", "--quiet", "--format json", "--format junit", "--color always"] {
        let whole = folder.run(&format!("check . {flags}")).code(UNEXPECTED);
        let merged = folder.run(&format!("merge {journals} {flags}")).code(UNEXPECTED);
        let (whole, merged) = (&whole.get_output().stdout, &merged.get_output().stdout);
        assert_eq!(String::from_utf8_lossy(merged), String::from_utf8_lossy(whole), "{flags}");
        assert!(!whole.is_empty());
    }
}

#[test]
fn every_scenario_is_answered_by_one_shard() {
    let folder = folder();
    let mut lines = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let shown = folder.run(&format!("check . --shard {shard}"));
        let text = stdout_of(&shown);
        let heads =
            text.lines().filter(|line| line.starts_with("ok ") || line.starts_with("FAIL "));
        lines.extend(heads.map(str::to_owned));
    }
    let whole = folder.run("check .");
    let text = stdout_of(&whole);
    let heads = text.lines().filter(|line| line.starts_with("ok ") || line.starts_with("FAIL "));
    let mut heads: Vec<&str> = heads.collect();
    heads.sort_unstable();
    lines.sort_unstable();
    assert_eq!(lines, heads);
    assert_eq!(lines.len(), 11);
    for bad in ["0/3", "4/3", "1", "1/0"] {
        folder.run(&format!("check . --shard {bad}")).code(NOT_ASKED);
    }
}

/// A journal that was cut anywhere is continued, and equals the whole one then.
#[test]
fn a_shard_goes_on_where_its_journal_ends() {
    let folder = folder();
    let whole = folder.run("check . --journal all.jsonl").code(UNEXPECTED);
    let whole = whole.get_output().stdout.clone();
    let journal = fs::read(folder.path("all.jsonl")).expect("written");
    for part in 1..8 {
        let end = journal.len() * part / 8;
        fs::write(folder.path("all.jsonl"), &journal[..end]).expect("written");
        let again = folder.run("check . --journal all.jsonl").code(UNEXPECTED);
        assert_eq!(again.get_output().stdout, whole, "from {end} bytes");
        assert_eq!(fs::read(folder.path("all.jsonl")).expect("written"), journal);
    }
    // Its answers are not computed again: a changed answer stays.
    let text = String::from_utf8(journal).expect("text");
    let changed = sealed(&text.replacen("\"miscounts\":[]", "\"miscounts\":[\"changed\"]", 1));
    let folder = folder.with("all.jsonl", changed);
    let told = predicate::str::contains("found changed");
    folder.run("check . --journal all.jsonl").code(UNEXPECTED).stdout(told);
}

#[test]
fn what_was_interrupted_is_asked_again() {
    let folder = Folder::new().with("a.toml", unit()).with("large.toml", LARGE);
    folder.run("check . --journal all.jsonl --time 1s").code(UNDECIDED);
    assert_eq!(folder.read("all.jsonl").lines().count(), 2, "a header, and one scenario");
    let open = predicate::str::contains("shard 1/1 has no answer")
        .and(predicate::str::contains("2 scenarios: 1 as expected, 1 undecided"));
    folder.run("merge all.jsonl").code(UNDECIDED).stdout(open);
}

#[test]
fn a_missing_shard_is_told() {
    let folder = folder();
    let journals = shards(&folder, 2, "");
    let first = journals.split(' ').next().expect("two");
    let missing = predicate::str::contains("undecided: shard 2/2 has no answer");
    folder.run(&format!("merge {first}")).code(UNEXPECTED).stdout(missing);
    let json = predicate::str::contains("\"reason\": \"shard 2/2 has no answer\"");
    folder.run(&format!("merge {first} --format json")).code(UNEXPECTED).stdout(json);
}

#[test]
fn journals_that_do_not_belong_together_are_refused() {
    let folder = folder();
    let journals = shards(&folder, 2, "");
    let refused = |line: &str, why: &str| {
        folder.run(line).code(NOT_ASKED).stderr(predicate::str::contains(why));
    };
    refused("check . --journal 1-of-2.jsonl", "it is of shard 1/2");
    refused("check . --shard 1/2 --journal 1-of-2.jsonl --refines", "has details");
    refused("check . --shard 1/2 --journal 1-of-2.jsonl --max-states 9", "another question");
    refused("check bugs --shard 1/2 --journal 1-of-2.jsonl", "of 11 scenarios, not 2");
    refused("check bugs more --shard 1/2 --journal 1-of-2.jsonl", "other scenarios, such as");
    fs::write(folder.path("none.jsonl"), "nothing\n").expect("written");
    refused("check . --shard 1/2 --journal none.jsonl", "none.jsonl is not a journal");
    refused("check . --journal x.jsonl --timings", "cannot be used with");
    folder.run("simulate bugs --seed 1 --journal seeds.jsonl --keep-going");
    refused("merge 1-of-2.jsonl seeds.jsonl", "seeds.jsonl is not a journal of `check`");
    refused("simulate bugs --seed 1 --journal 1-of-2.jsonl", "1-of-2.jsonl is not a journal");
    folder.run("check . --max-states 9 --journal nine.jsonl");
    refused("merge 1-of-2.jsonl nine.jsonl", "is of another question: --engine own --max-states 9");
    let damaged = folder.read("2-of-2.jsonl").replace("as-expected", "as_expected");
    fs::write(folder.path("2-of-2.jsonl"), damaged).expect("written");
    refused(&format!("merge {journals}"), "of the journal 2-of-2.jsonl is damaged");
    let folder = folder.with("cycle.toml", CYCLE.replace("kept busy", "busy"));
    let text = predicate::str::contains("another text of cycle");
    folder.run("check . --shard 1/2 --journal 1-of-2.jsonl").code(NOT_ASKED).stderr(text);
}

#[test]
fn shards_that_contradict_each_other_are_refused() {
    let folder = folder();
    let journals = shards(&folder, 1, "");
    let other =
        folder.read(&journals).replacen("\"miscounts\":[]", "\"miscounts\":[\"changed\"]", 1);
    let folder = folder.with("other.jsonl", sealed(&other));
    let why = predicate::str::contains("contradict each other about bugs/known");
    folder.run(&format!("merge {journals} other.jsonl")).code(NOT_ASKED).stderr(why);
}
