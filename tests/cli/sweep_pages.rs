//! Pages of sweeps and of shrunk runs, each in a single file without dependencies.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use predicates::prelude::*;
use serde_json::Value;

use crate::{
    fixture::{
        AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNEXPECTED, bug_as_it_is, bug_not_known, json,
        stderr_of, unit,
    },
    hostile::is_harmless,
    sweeps::stdout,
};

fn folder() -> Folder {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("new.toml", bug_not_known());
    folder.with("large.toml", LARGE)
}

pub(crate) fn failing_seed(folder: &Folder, file: &str) -> u64 {
    let line = format!("simulate {file} --seeds 0..60 --keep-going --format json");
    let groups = &json(&folder.run(&line))["runs"][0]["groups"];
    groups[0]["first_seed"].as_u64().expect("one fails")
}

/// The texts between `open` and the next quotation mark.
fn quoted<'a>(page: &'a str, open: &str) -> BTreeSet<&'a str> {
    page.split(open).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

/// Asserts that every link of the page leads to a place in it, and none leads out.
fn stands_alone(page: &str) {
    let (body, _) = page.split_once("<script").expect("the script comes last");
    let (ids, links) = (quoted(body, " id=\""), quoted(body, "href=\"#"));
    let dead: Vec<_> = links.difference(&ids).collect();
    assert!(dead.is_empty(), "{dead:?} lead nowhere");
    assert_eq!(body.matches(" id=\"").count(), ids.len(), "each id is there once");
    for outside in
        ["http:", "https:", "src=", "url(", "@import", "<link", "<iframe", "<form", "style="]
    {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
    assert_eq!(page.matches("<h1").count(), 1);
}

#[test]
fn a_sweep_is_a_page_that_needs_nothing_else() {
    let folder = folder();
    let line = "simulate bug.toml new.toml large.toml --seeds 0..60 --keep-going --format html";
    folder.run(&format!("{line} --output page.html")).code(UNEXPECTED).stdout("");
    let page = folder.read("page.html");
    stands_alone(&page);
    for told in [
        "3 scenarios",
        "not expected",
        "who waits for whom",
        "never removed",
        "Percentiles are about what was removed",
        "deathwatch replay new.toml --seed",
        "deathwatch shrink new.toml --seed",
        "clauses carried out",
        "gave up in excessive contention",
    ] {
        assert!(page.contains(told), "{told}");
    }
    assert!(!page.contains("throughput"), "it depends on the machine");
    let timed = folder.run("simulate large.toml --seeds 0..3 --timings --format html");
    timed.stdout(predicates::str::contains("throughput"));
}

#[test]
fn a_page_of_a_sweep_is_the_same_for_any_number_of_jobs_and_shards() {
    let folder = folder();
    let line = "simulate large.toml bug.toml --seeds 0..60 --keep-going";
    let whole = stdout(&folder, &format!("{line} --jobs 1 --format html"));
    assert_eq!(stdout(&folder, &format!("{line} --jobs 3 --format html")), whole);
    for shard in 1..=3 {
        folder.run(&format!("{line} --shard {shard}/3 --journal {shard}.jsonl"));
    }
    let merge = "merge 3.jsonl 1.jsonl 2.jsonl --format html";
    assert_eq!(stdout(&folder, merge), whole);
    let of_runs = "the page has no runs, as not all scenarios are at hand";
    assert!(!stderr_of(&folder.run(merge)).contains(of_runs));
    let folder = folder.with("bug.toml", "shows = \"Another one.\"\n");
    assert!(stderr_of(&folder.run(merge)).contains(of_runs));
}

/// Each scenario of a folder has its line, and a section if there is more to report.
#[test]
fn of_many_sweeps_those_are_told_that_find_something() {
    let copies: Vec<String> = (0..20).map(|copy| format!("{copy}.toml")).collect();
    let folder = copies.iter().fold(folder(), |folder, copy| folder.with(copy, LARGE));
    let files = copies.join(" ");
    let line = format!("simulate new.toml large.toml {files} --seeds 0..30 --keep-going");
    let page = |line: &str| folder.stdout(&format!("{line} --format html"), UNEXPECTED);
    let (few, many) = (page(&line.replace(" 19.toml", "").replace(" 18.toml", "")), page(&line));
    assert_eq!(few.matches("<section class=\"sweep\"").count(), 20);
    assert_eq!(many.matches("<section class=\"sweep\"").count(), 1);
    assert!(many.contains("22 scenarios") && many.contains("<td>19</td>"));
    stands_alone(&few);
    stands_alone(&many);
}

/// The page shows each seed in a column and in a row; if they are many, columns are added up and
/// rows are left out.
#[test]
fn seeds_have_columns_and_the_first_ones_have_rows() {
    let folder = folder();
    let page = |seeds: u64| {
        stdout(&folder, &format!("simulate bug.toml --seeds 0..{seeds} --keep-going --format html"))
    };
    let (few, many) = (page(60), page(3_000));
    assert!(few.contains("pale where a seed has several causes"), "a column is a seed");
    assert_eq!(few.matches("<tr id=\"sweep-0-seed-").count(), 60);
    assert!(many.contains("a column is 16 seeds"));
    assert_eq!(many.matches("<tr id=\"sweep-0-seed-").count(), 1_000);
    assert!(many.contains("2,000 seeds more are added up above"));
    stands_alone(&many);
    assert!(many.len() < 1 << 20, "{} bytes", many.len());
}

#[test]
fn what_a_file_says_stays_text() {
    let hostile = "<script>alert(1)</script><img src=x onerror=alert(2)> ' \" \u{202e}";
    let name = serde_json::Value::from(hostile);
    let own = format!("\n[own]\n{name}.always = 'relations.size() > 9'\n");
    let claims = format!("[claims]\n{name} = \"holds\"\n");
    let folder =
        Folder::new().with("<b>.toml", bug_not_known().replace("[claims]\n", &claims) + &own);
    for args in [
        &["simulate", "<b>.toml", "--format", "html", "--shrink-kinds"][..],
        &["shrink", "<b>.toml", "--seed", "0", "--format", "html"],
    ] {
        let output = folder.command(args).output().expect("it runs");
        let page = String::from_utf8(output.stdout).expect("text");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "it is told: {errors}");
        assert_eq!(page.matches("<script").count(), 1, "the one script is ours");
        assert!(!page.contains("<img") && !page.contains("<b>"));
        assert!(is_harmless(&page));
    }
}

#[test]
fn each_kind_of_failure_has_its_shortest_run() {
    let folder = folder();
    let line = "simulate bug.toml --seeds 0..60 --keep-going --shrink-kinds";
    let text = stdout(&folder, line);
    assert!(text.contains("shortest: "), "{text}");
    let whole = stdout(&folder, &format!("{line} --format json --jobs 3"));
    let document: Value = serde_json::from_str(&whole).expect("it is JSON");
    let run = document["runs"][0].clone();
    let page = stdout(&folder, &format!("{line} --format html"));
    stands_alone(&page);
    let shards = "simulate bug.toml --seeds 0..60 --keep-going";
    for number in [1, 2] {
        folder.run(&format!("{shards} --shard {number}/2 --journal {number}.jsonl"));
    }
    let merged = "merge 2.jsonl 1.jsonl --shrink-kinds --format";
    for (format, written) in [("text", &text), ("json", &whole), ("html", &page)] {
        assert_eq!(stdout(&folder, &format!("{merged} {format}")), *written, "{format}");
    }
    let groups = run["groups"].as_array().expect("a list");
    assert!(!groups.is_empty());
    for group in groups {
        let shrunk = &group["shrunk"];
        let steps = shrunk["steps"].as_array().expect("it has one");
        assert!(
            shrunk["minimal"] == true
                && (steps.len() as u64) < group["steps"].as_u64().expect("a number")
        );
        for step in steps {
            let step = step.as_str().expect("text");
            assert!(text.contains(step), "{step}");
            assert!(page.contains(step), "{step}");
        }
        // The shown run is the one that the printed command writes.
        let seed = &shrunk["seed"];
        let command = if *seed == group["first_seed"] { "shrink" } else { "shrink_clearest" };
        let command = group[command].as_str().expect("text").replace("deathwatch ", "");
        let typed = json(&folder.run(&format!("{command} --format json")).code(AS_EXPECTED));
        assert_eq!(typed["run"]["after"]["steps"], steps.len());
        assert_eq!(typed["run"]["root"], group["kind"]);
    }
    let without = json(&folder.run("simulate bug.toml --seeds 0..60 --keep-going --format json"));
    assert!(without["runs"][0]["groups"][0].get("shrunk").is_none(), "it has to be asked for");
}

/// Shards are shrunk with their scenario, which must be unchanged.
#[test]
fn to_shrink_what_is_merged_takes_the_scenario() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    folder.run("simulate unit.toml bug.toml --seeds 0..3 --keep-going --journal both.jsonl");
    folder.run("check unit.toml --journal answers.jsonl").code(AS_EXPECTED);
    let merge = "merge both.jsonl --shrink-kinds";
    folder.run(&format!("{merge} --output unit.toml")).code(NOT_ASKED);
    assert_eq!(folder.read("unit.toml"), unit(), "it is read, so it is not replaced");
    let one = Folder::new().with("both.jsonl", folder.read("both.jsonl"));
    assert_snapshot!(one.seen(merge));
    one.run("merge both.jsonl").stderr("");
    let folder = folder.with("bug.toml", bug_not_known());
    assert_snapshot!(folder.seen(merge));
    let folder = folder.with("bug.toml", "shows = 3\n");
    let unread = folder.run(merge).code(NOT_ASKED).stdout("");
    unread.stderr(predicate::str::contains("bug.toml:1:9"));
    assert_snapshot!(folder.seen("merge answers.jsonl --shrink-kinds"));
}

#[test]
fn a_shrunk_run_is_a_page_with_what_was_left_out() {
    let folder = folder();
    let seed = failing_seed(&folder, "bug.toml");
    let line = format!("shrink bug.toml --seed {seed} --format");
    let page = stdout(&folder, &format!("{line} html"));
    let shrunk = json(&folder.run(&format!("{line} json")).code(AS_EXPECTED))["run"].clone();
    stands_alone(&page);
    let steps = shrunk["steps"].as_array().expect("a list");
    assert!(page.contains(&format!("id=\"run-0-{}\"", steps.len())), "each moment is there");
    assert!(page.contains("What was left out"));
    for step in steps {
        assert!(page.contains(step.as_str().expect("text")), "{step}");
    }
    for told in [
        "a Dying relation is removed",
        "never done",
        "and nothing more happens by itself",
        "deathwatch shrink bug.toml --seed",
    ] {
        assert!(page.contains(told), "{told}");
    }
    assert_eq!(stdout(&folder, &format!("{line} html")), page, "the same run is the same page");
}
