//! The ratchet: the number of lines of each crate, of its program and of its tests, only shrinks,
//! unless `ratchet.toml` names the feature for which it grew, and the code that this made
//! superfluous.

use std::collections::BTreeMap;

use toml::Table;

use super::{read, root, sources};

/// The greatest number of lines that the table may exceed the real number by, so that small changes
/// do not have to edit it.
const SLACK: i64 = 100;

/// The lines of a crate: of its program, and of its tests.
type CrateLines = [i64; 2];

#[test]
fn no_crate_grows_without_saying_why() {
    let mut counted: BTreeMap<String, CrateLines> = BTreeMap::new();
    for (file, text) in sources() {
        let lines = counted.entry(crate_of(&file).to_owned()).or_default();
        let [product, tests] = split(&file, &text);
        lines[0] += product;
        lines[1] += tests;
    }
    let allowed = allowed(&ratchet());
    let mut faults = Vec::new();
    for name in counted.keys().chain(allowed.keys().filter(|it| !counted.contains_key(*it))) {
        let [has, may] =
            [&counted, &allowed].map(|lines| lines.get(name).copied().unwrap_or_default());
        for (part, (has, may)) in ["product", "tests"].iter().zip(has.into_iter().zip(may)) {
            if has > may {
                faults.push(format!(
                    "{name} has {has} lines of {part}, {} more than ratchet.toml allows: say there \
                     for which feature, and what it made superfluous",
                    has - may
                ));
            } else if may > has + SLACK {
                faults
                    .push(format!("{name} has {has} lines of {part}: lower {may} in ratchet.toml"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The table of numbers that may only shrink.
pub(crate) fn ratchet() -> Table {
    read(&root().join("tests/tidy/ratchet.toml")).parse().expect("it is TOML")
}

/// The lines that a table allows: those of each crate, and those by which it has grown since.
fn allowed(table: &Table) -> BTreeMap<String, CrateLines> {
    let mut allowed: BTreeMap<String, CrateLines> = BTreeMap::new();
    let number = |row: &Table, key: &str| row.get(key).and_then(toml::Value::as_integer);
    for (name, row) in table["crates"].as_table().expect("a table of crates") {
        let row = row.as_table().expect("a crate has a table");
        allowed.insert(name.clone(), ["product", "tests"].map(|it| number(row, it).unwrap_or(0)));
    }
    for row in table.get("grown").and_then(toml::Value::as_array).into_iter().flatten() {
        let row = row.as_table().expect("a row is a table");
        let text = |key: &str| {
            let text = row.get(key).and_then(toml::Value::as_str);
            text.filter(|it| !it.trim().is_empty()).unwrap_or_else(|| panic!("{row:?}: no {key}"))
        };
        let lines = allowed.get_mut(text("crate")).unwrap_or_else(|| panic!("{row:?}: no crate"));
        let (_feature, _superfluous) = (text("feature"), text("superfluous"));
        for (place, key) in ["product", "tests"].into_iter().enumerate() {
            lines[place] += number(row, key).unwrap_or(0);
        }
    }
    allowed
}

/// The crate of a file: its folder, or the folder that holds the tests of several crates.
fn crate_of(file: &str) -> &str {
    let parts: Vec<&str> = file.splitn(3, '/').collect();
    match parts.as_slice() {
        [folder, "src" | "examples", _] => folder,
        [folder, part, _] if *folder != "tests" => &file[..folder.len() + 1 + part.len()],
        [folder, ..] => folder,
        [] => file,
    }
}

/// The numbers of a file's lines that are program and that are tests.
fn split(file: &str, text: &str) -> CrateLines {
    let is_test = |part: &str| matches!(part, "tests" | "tests.rs" | "benches" | "examples");
    let count = |text: &str| i64::try_from(text.lines().count()).expect("it is small");
    if file.split('/').any(is_test) {
        return [0, count(text)];
    }
    match text.split_once("#[cfg(test)]\nmod tests {") {
        Some((product, tests)) => [count(product), count(tests) + 1],
        None => [count(text), 0],
    }
}

#[test]
fn lines_are_counted_by_crate_and_part() {
    assert_eq!(crate_of("model/src/rows/mod.rs"), "model");
    assert_eq!(crate_of("model/checker/src/lib.rs"), "model/checker");
    assert_eq!(crate_of("sim/tests/seeds.rs"), "sim/tests");
    assert_eq!(crate_of("tests/tidy/main.rs"), "tests");
    assert_eq!(crate_of("benches/claims.rs"), "benches");
    let inline = "//! A.\n\n#[cfg(test)]\nmod tests {\n    // B.\n}\n";
    assert_eq!(split("model/src/a.rs", inline), [2, 4]);
    assert_eq!(split("model/src/a/tests.rs", inline), [0, 6]);
    assert_eq!(split("model/src/a.rs", "#[cfg(test)]\nmod tests;\n"), [2, 0]);
}

#[test]
fn what_has_grown_says_why() {
    let good = "[crates]\nmodel = { product = 5, tests = 1 }\n\
                [[grown]]\ncrate = \"model\"\nproduct = 2\nfeature = \"A.\"\nsuperfluous = \"B.\"\n";
    let parsed = |text: &str| text.parse::<Table>().expect("it is TOML");
    assert_eq!(allowed(&parsed(good))["model"], [7, 1]);
    for bad in [good.replace("feature = \"A.\"", ""), good.replace("B.", " ")] {
        assert!(std::panic::catch_unwind(|| allowed(&parsed(&bad))).is_err(), "{bad}");
    }
}
