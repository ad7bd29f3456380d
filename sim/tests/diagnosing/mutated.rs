//! Samples with random changes: they are read or refused, and nothing panics.

use deathwatch_diagnose::{Juju, diagnose};
use deathwatch_show::diagnosis::screen;
use serde_json::{Value, json};

use super::{round_trips::SeededNumbers, samples::sample};

const SAMPLES: [&str; 3] = ["s1-hook-error-in-scope", "s4-agent-lost", "s5-pending-container"];

/// The number of changes of bytes.
const BYTES: usize = 3_000;
/// The number of changes of values.
const VALUES: usize = 100;

/// Reads files, and diagnoses the model if there is one. Returns whether there was.
fn survives(files: &[Vec<u8>], is_searched: bool) -> bool {
    let name = |index: usize| format!("{index}.json");
    let files = files.iter().enumerate();
    let files: Vec<_> = files.map(|(at, it)| (name(at), it.clone())).collect();
    let refused = |problem: String| {
        let is_placed = problem.starts_with(|it: char| it.is_ascii_digit());
        let is_about_all = ["there is no output of", "the model"].iter();
        let mut is_about_all = is_about_all.map(|it| problem.starts_with(it));
        assert!(is_placed || is_about_all.any(|it| it), "it names no file: {problem}");
        false
    };
    let juju = match Juju::read(&files) {
        Ok(juju) => juju,
        Err(problem) => return refused(problem.to_string()),
    };
    if !is_searched {
        return true;
    }
    match diagnose(&juju, &|| None) {
        Ok(diagnosed) => {
            let screen = screen(&diagnosed.report, &|_, text| text.to_owned());
            assert!(screen.starts_with("Juju "), "{screen}");
            true
        }
        Err(problem) => refused(problem.to_string()),
    }
}

#[test]
fn bytes_that_are_changed_are_read_or_refused() {
    let mut drawn = SeededNumbers(0x2545_F491_4F6C_DD1D);
    let mut read = 0;
    for round in 0..BYTES {
        let mut files: Vec<Vec<u8>> =
            sample(SAMPLES[round % SAMPLES.len()]).into_iter().map(String::into_bytes).collect();
        let file = drawn.below(files.len());
        let bytes = &mut files[file];
        let (at, other) = (drawn.below(bytes.len()), drawn.below(bytes.len()));
        match drawn.below(5) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << drawn.below(8),
            2 => drop(bytes.drain(at.min(other)..at.max(other))),
            3 => {
                let part: Vec<u8> = bytes[at.min(other)..at.max(other)].to_vec();
                bytes.splice(at..at, part);
            }
            _ => bytes[at] = u8::try_from(drawn.below(256)).expect("it is a byte"),
        }
        read += usize::from(survives(&files, false));
    }
    assert!((1..BYTES).contains(&read), "{read} of {BYTES} were read");
}

#[test]
fn values_that_are_changed_are_read_or_refused() {
    let mut drawn = SeededNumbers(0x9E37_79B9_7F4A_7C15);
    let mut read = 0;
    for round in 0..VALUES {
        let files = sample(SAMPLES[round % SAMPLES.len()]);
        let changed = drawn.below(files.len());
        let change = |(at, text): (usize, &String)| {
            let mut tree: Value = serde_json::from_str(text).expect("it is JSON");
            if at == changed {
                mutate(&mut tree, &mut drawn);
            }
            tree.to_string().into_bytes()
        };
        let files: Vec<Vec<u8>> = files.iter().enumerate().map(change).collect();
        read += usize::from(survives(&files, true));
    }
    assert!((1..VALUES).contains(&read), "{read} of {VALUES} were read");
}

/// Changes one value of a tree, removes it, or gives it another key.
fn mutate(tree: &mut Value, drawn: &mut SeededNumbers) {
    let mut places = Vec::new();
    list(tree, "", &mut places);
    let place = &places[drawn.below(places.len())];
    let (parent, key) = place.rsplit_once('/').expect("it is below something");
    let key = key.replace("~1", "/").replace("~0", "~");
    let parent = tree.pointer_mut(parent).expect("it is there");
    match (drawn.below(12), parent) {
        (0, Value::Object(map)) => drop(map.remove(&key)),
        (1, Value::Object(map)) => {
            let value = map.remove(&key).expect("it is there");
            map.insert(other_key(drawn), value);
        }
        (_, Value::Object(map)) => drop(map.insert(key, other_value(drawn))),
        (_, Value::Array(list)) => {
            let at: usize = key.parse().expect("a number");
            list[at] = other_value(drawn);
        }
        (_, other) => *other = other_value(drawn),
    }
}

/// Lists the places in a tree as JSON pointers.
fn list(tree: &Value, at: &str, places: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match tree {
        Value::Object(map) => map.iter().map(|(key, it)| (key.clone(), it)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(index, it)| (index.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in below {
        let place = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        list(value, &place, places);
        places.push(place);
    }
}

fn other_key(drawn: &mut SeededNumbers) -> String {
    let keys = ["0", "1", "pg/1", "tally/0", "0/lxd/7", "", "a b", "db", "life", "units", "-1"];
    keys[drawn.below(keys.len())].to_owned()
}

fn other_value(drawn: &mut SeededNumbers) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(""),
        json!("0"),
        json!("dying"),
        json!("dead"),
        json!("error"),
        json!("lost"),
        json!("down"),
        json!("pending"),
        json!("destroying"),
        json!("2.0"),
        json!("4.7"),
        json!([]),
        json!({}),
        json!({ "life": "dying" }),
        json!(["pg"]),
        json!("x".repeat(10_000)),
        json!("hook failed: \"stop\""),
    ];
    values[drawn.below(values.len())].clone()
}
