//! House rules that a machine can check.

mod arrows;
mod comments;
mod editors;
mod headers;
mod imports;
mod lines;
mod links;
mod mutants;
mod names;
mod passages;

use std::{
    fs,
    path::{Path, PathBuf},
};

use deathwatch_model::clause::{Clause, Rule};
use deathwatch_scenario::{
    Scenario,
    scenario::{self, Address},
};

/// The greatest number of lines of a source file.
const MOST_LINES: usize = 500;

/// The files that may be longer, and why.
const LONG: &[(&str, &str)] = &[(
    "model/src/agents/charm/settings.rs",
    "what a hook reads and writes, and how it gets to the store",
)];

/// Tests that are programs of their own.
const PROGRAMS: &[&str] = &["sim/tests/claims.rs"];

/// Words that are not used, and the words used instead: those of Juju and of the field.
const WORDS: &[(&str, &str)] = &[
    ("service", "application"),
    ("services", "applications"),
    ("flight", "pending transaction"),
    ("flights", "pending transactions"),
    ("party", "process"),
    ("parties", "processes"),
    ("sleepers", "scheduler"),
    ("rouse", "wake"),
    ("roused", "woken"),
    ("doze", "park"),
    ("oversleep", "lost wake-up"),
    ("oversleeper", "lost wake-up"),
    ("desk", "work queue"),
    ("tempt", "may crash after"),
    ("census", "recount"),
    ("spares", "free identifiers"),
    ("recollection", "membership"),
    ("teller", "builder"),
    ("crew", "pool of threads"),
];

#[test]
fn every_rule_has_its_file() {
    for rule in Rule::ALL {
        let file = root().join("model/src").join(rule.file());
        let text = read(&file);
        assert!(text.starts_with("//!"), "{} says what it is", file.display());
    }
}

#[test]
fn no_actor_reads_history() {
    for folder in ["agents", "ops", "txn", "store", "runtime"] {
        let all = files(&format!("model/src/{folder}"), "rs");
        assert!(all.len() > 1, "{folder} was found");
        for (name, text) in all {
            assert!(!text.contains(".history"), "{name} reads history");
        }
    }
}

#[test]
fn every_clause_is_in_the_protocol() {
    let protocol = read(&root().join("PROTOCOL.md"));
    for clause in Clause::all() {
        let row = format!("| `{clause}` | ");
        let rows = protocol.lines().filter(|line| line.starts_with(&row));
        let info = clause.info().expect("it is one of its rule");
        let says = rows.filter(|line| line.contains(info.says) && line.contains(info.source));
        assert_eq!(says.count(), 1, "{clause} has a row in PROTOCOL.md");
    }
}

#[test]
fn every_rule_has_a_scenario_and_a_claim_or_a_witness() {
    let scenarios = scenarios();
    let lacks = |is_so: &dyn Fn(&Scenario, Rule) -> bool| -> Vec<&str> {
        let rules = Rule::ALL.iter().copied();
        let lacking = rules.filter(|rule| !scenarios.iter().any(|it| is_so(it, *rule)));
        lacking.map(Rule::name).collect()
    };
    let about = |clauses: &[Clause], rule| clauses.iter().any(|clause| clause.rule == rule);
    let none: Vec<&str> = Vec::new();
    let is_named = |it: &Scenario, rule| about(&it.rules, rule) || about(&it.witnesses, rule);
    assert_eq!(lacks(&is_named), none, "no scenario names these");
    let is_watched = |it: &Scenario, rule| {
        about(&it.witnesses, rule) || about(&it.rules, rule) && !it.claims.is_empty()
    };
    assert_eq!(lacks(&is_watched), none, "no scenario claims anything of these, or waits for them");
}

#[test]
fn every_claim_is_asked() {
    let scenarios = scenarios();
    for claim in deathwatch_claims::all() {
        let is_asked =
            scenarios.iter().any(|it| it.claims.iter().any(|(it, _)| it.name == claim.name));
        assert!(is_asked, "no scenario asks whether {}", claim.name);
    }
}

#[test]
fn every_source_file_says_what_it_is_and_is_short() {
    let mut exceptions: Vec<&str> = LONG.iter().map(|(file, _)| *file).collect();
    for (name, text) in sources() {
        assert!(text.starts_with("//!"), "{name} begins with what it is");
        let lines = text.lines().count();
        if lines > MOST_LINES {
            let reason = exceptions.iter().position(|file| *file == name);
            let reason = reason.unwrap_or_else(|| panic!("{name} has {lines} lines"));
            exceptions.remove(reason);
        }
    }
    assert!(exceptions.is_empty(), "these are short enough: {exceptions:?}");
}

#[test]
fn every_test_of_the_simulator_is_run() {
    // These files are modules of one program; a file that no module declares would not be compiled.
    let files = files("sim/tests", "rs");
    for (name, _) in files.iter().filter(|(name, _)| !PROGRAMS.contains(&name.as_str())) {
        let path = Path::new(name);
        let (module, folder) = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("main") => continue,
            Some("mod") => (path.parent().and_then(Path::file_name), path.ancestors().nth(2)),
            _ => (path.file_stem(), path.parent()),
        };
        let module = module.and_then(|it| it.to_str()).expect("it has a name");
        let folder = folder.expect("it is in a folder");
        let mut parents = files.iter().filter(|(parent, _)| {
            [folder.join("mod.rs"), folder.join("main.rs")].contains(&PathBuf::from(parent))
        });
        let is_named =
            |text: &str| text.lines().any(|line| line.ends_with(&format!("mod {module};")));
        assert!(parents.any(|(_, text)| is_named(text)), "nobody names {name}");
    }
    assert!(files.len() > 31, "{}", files.len());
}

#[test]
fn we_use_our_own_words() {
    // Exempt are this list of words, the documents, and the names of HTTP.
    let exceptions = ["tests/tidy/main.rs", "PROTOCOL.md", "sim/show/src/loopback/request.rs"];
    let all = sources().into_iter().chain(markdown()).chain(files("scenarios", "toml"));
    for (name, text) in all.filter(|(name, _)| !exceptions.contains(&name.as_str())) {
        for (number, line) in text.lines().enumerate() {
            for word in ours(line).split(|letter: char| !letter.is_alphanumeric()) {
                let bad = WORDS.iter().find(|(bad, _)| *bad == word.to_lowercase());
                if let Some((bad, good)) = bad {
                    panic!("{name}:{}: the word is {good}, not {bad}", number + 1);
                }
            }
        }
    }
}

/// A line without its quotations, if it is a comment: the documents keep their words.
fn ours(line: &str) -> String {
    if line.trim_start().starts_with("//") {
        return line.split('"').step_by(2).collect();
    }
    line.to_owned()
}

#[test]
fn scenarios_are_named_and_say_what_they_show() {
    for scenario in scenarios() {
        let path = scenario.address.file.strip_prefix(root()).expect("it is below the root");
        for part in &path.with_extension("") {
            let part = part.to_string_lossy();
            let is_kebab = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
            let is_named =
                part.split('-').all(|word| !word.is_empty() && word.chars().all(is_kebab));
            assert!(is_named, "{} is in kebab case", path.display());
        }
        if let Some(also) = &scenario.address.also {
            let is_plain = |it: char| it.is_ascii_alphanumeric() || " -,".contains(it);
            let is_words = also.chars().all(is_plain) && !also.starts_with(char::is_uppercase);
            assert!(is_words, "{} has a name of words", scenario.address);
        }
        let shows = &scenario.shows;
        assert!(shows.ends_with('.'), "{} shows a sentence: {shows}", path.display());
        let first = shows.chars().next().unwrap_or(' ');
        assert!(!first.is_lowercase(), "{} shows a sentence: {shows}", path.display());
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn scenarios() -> Vec<Scenario> {
    let files = scenario::find(&[root().join("scenarios")]).expect("there are scenarios");
    let load =
        |it: &Address| scenario::load(it).unwrap_or_else(|problem| panic!("{it}: {problem}"));
    files.iter().map(load).collect()
}

/// Our source files, by their names below the root.
fn sources() -> Vec<(String, String)> {
    ["model", "sim", "tests", "benches"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
        .collect()
}

fn markdown() -> Vec<(String, String)> {
    let mut texts = files("reports", "md");
    texts.extend(files("docs", "md"));
    for name in
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "deploy/README.md"]
    {
        let path = root().join(name);
        if path.exists() {
            texts.push((name.to_owned(), read(&path)));
        }
    }
    texts
}

/// The files of a folder and of the folders below it, with this extension: names and texts.
fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                let name = path.strip_prefix(root()).expect("it is below the root");
                found.push((name.to_string_lossy().into_owned(), read(&path)));
            }
        }
    }
    found.sort();
    found
}
