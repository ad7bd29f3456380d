//! Journals, and their merging.

use std::{
    fs,
    path::{Path, PathBuf},
};

use deathwatch_scenario::{escape::escape, replay, scenario::parse};
use deathwatch_simulator::stats::Stats;
use deathwatch_study::{
    journal::Journal,
    simulate::Simulation,
    sweep::{
        self, About, Ended, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Until, Violated,
    },
};
use proptest::{
    collection::vec, prelude::*, sample::Index, sample::select, test_runner::TestRunner,
};
use serde_json::Value;

use super::{
    check,
    edits::{edited, edits},
    in_time,
};

const SCENARIO: &str = r#"
shows = "A world for sweeps."
[world.machines]
0 = { jobs = ["manage-model"] }
[simulate]
seeds = [500, 3]
[claims]
"a Dying relation is removed" = "violated"
"an application counts its relations" = "holds"
"#;

/// The header of the sweep whose journals are changed, or of a shard of it.
fn header(shard: Shard) -> SweepHeader {
    let scenario = parse(Path::new("test.toml"), SCENARIO).expect("a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let seeds = Seeds::new(&[SeedRange::new(0, 6), SeedRange::new(10, 12)], &[77]);
    SweepHeader::new(seeds, shard, Until::End, vec![About::new(&simulation, &replay)])
}

fn result(seed: u64) -> SeedResult {
    let mut stats = Stats { steps: 100 + seed, ..Stats::default() };
    stats.count_fault("crash");
    stats.removal[2].insert(seed * 1_001);
    let violated = Violated {
        claim: "a Dying relation is removed".to_owned(),
        subject: "relation x:y z:w".to_owned(),
        step: seed,
        wait_for: None,
        rule: Some(format!("rule {seed}")),
    };
    let violations = if seed.is_multiple_of(3) { vec![violated] } else { Vec::new() };
    SeedResult { seed, end: Ended::Settled, violations, stats, digest: seed << 40 }
}

/// Writes a journal of all seeds of the header, and returns its text.
fn journal(path: &Path, header: &SweepHeader) -> String {
    let (mut journal, _) = Journal::open(path, header).expect("it can be written");
    for seed in header.plan(&header.scenarios[0]).iter() {
        journal.add(0, &result(seed)).expect("there is room");
    }
    fs::read_to_string(path).expect("it was written")
}

/// Journals after any changes, which make checksums wrong.
pub fn damaged(runner: &mut TestRunner) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("journal");
    let header = header(Shard::WHOLE);
    let whole = journal(&path, &header);
    check(runner, &edits(), |edits| {
        let text = edited(&whole, &edits);
        fs::write(&path, &text)?;
        let ours: Vec<&str> = whole.lines().collect();
        let is_ours = text.lines().all(|line| ours.contains(&line));
        let is_torn = text.rsplit('\n').next() != Some("");
        match sweep::merge(std::slice::from_ref(&path)) {
            Ok(merged) => {
                prop_assert!(is_ours || is_torn, "a changed line is believed:\n{text}");
                prop_assert!(merged.sweeps[0].seeds <= merged.sweeps[0].planned);
            }
            Err(problem) => prop_assert!(!problem.to_string().is_empty()),
        }
        is_gone_on_with(&path, &header)
    })
}

/// Journals after changes with correct checksums, alone and merged with that of another shard.
pub fn changed(runner: &mut TestRunner) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let header = header(Shard { number: 1, of: 2 });
    let whole = journal(&one, &header);
    journal(&other, &self::header(Shard { number: 2, of: 2 }));
    let number = select(vec!["0", "1", "-1", "18446744073709551615", "1e99", "0.5"]);
    let text = select(vec![
        "",
        "x",
        "0..5",
        "5..0",
        "0..9223372036854775807",
        "1/1",
        "2/2",
        "0/0",
        "é",
        "\u{1b}",
    ]);
    let value = prop_oneof![
        number.prop_map(|number| serde_json::from_str(number).expect("a number")),
        text.prop_map(Value::from),
        Just(Value::Null),
        Just(Value::Bool(true)),
        Just(Value::Array(Vec::new())),
        Just(serde_json::json!({})),
        vec(0_u64..9, 0..4).prop_map(Value::from),
    ];
    let alteration = prop_oneof![
        4 => value.prop_map(Alteration::Other),
        1 => Just(Alteration::Twice),
    ];
    let change = (any::<Index>(), any::<Index>(), alteration);
    check(runner, &vec(change, 1..4), |changes| {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        for (line, node, alteration) in &changes {
            let at = line.index(lines.len());
            lines[at] = altered(&lines[at], *node, alteration);
        }
        fs::write(&one, lines.join("\n") + "\n")?;
        in_time(|| {
            is_merged(std::slice::from_ref(&one))?;
            is_merged(&[one.clone(), other.clone()])?;
            is_gone_on_with(&one, &header)
        })
    })
}

/// Asserts that journals are merged into consistent reports, or are refused.
fn is_merged(files: &[PathBuf]) -> Result<(), TestCaseError> {
    match sweep::merge(files) {
        Ok(merged) => {
            for report in &merged.sweeps {
                prop_assert!(report.seeds <= report.planned, "{report:?}");
            }
        }
        Err(problem) => {
            let told = problem.to_string();
            prop_assert!(!told.is_empty() && escape(&told) == told, "{told:?}");
        }
    }
    Ok(())
}

/// Asserts that a sweep goes on with a journal, or leaves it unchanged.
fn is_gone_on_with(path: &Path, header: &SweepHeader) -> Result<(), TestCaseError> {
    let before = fs::read(path)?;
    if Journal::open(path, header).is_err() {
        prop_assert_eq!(fs::read(path)?, before, "a journal that is refused is not changed");
    }
    Ok(())
}

#[derive(Clone, Debug)]
enum Alteration {
    Other(Value),
    /// Repeats the items of an array.
    Twice,
}

/// A line with a right checksum, in which the value with the index `node` is altered.
fn altered(line: &str, node: Index, alteration: &Alteration) -> String {
    let Some((body, _)) = line.rsplit_once(",\"crc32\":") else { return line.to_owned() };
    let Ok(mut object) = serde_json::from_str::<Value>(&format!("{body}}}")) else {
        return line.to_owned();
    };
    let mut left = node.index(nodes(&mut object, &mut |_| false));
    nodes(&mut object, &mut |here| {
        let is_it = left == 0;
        match (alteration, &mut *here) {
            _ if !is_it => {}
            (Alteration::Other(value), here) => *here = value.clone(),
            (Alteration::Twice, Value::Array(all)) => all.extend(all.clone()),
            (Alteration::Twice, _) => {}
        }
        left = left.wrapping_sub(1);
        is_it
    });
    let body = object.to_string();
    let Some(body) = body.strip_suffix('}') else { return body };
    format!("{body},\"crc32\":\"{:08x}\"}}", crc32fast::hash(body.as_bytes()))
}

/// Calls `see` with each value in `value`, until it returns true. Returns the number of calls.
fn nodes(value: &mut Value, see: &mut dyn FnMut(&mut Value) -> bool) -> usize {
    if see(value) {
        return 1;
    }
    1 + match value {
        Value::Array(all) => all.iter_mut().map(|it| nodes(it, see)).sum(),
        Value::Object(all) => all.values_mut().map(|it| nodes(it, see)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
