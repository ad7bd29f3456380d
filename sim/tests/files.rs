//! Files of scenarios: which files are found, and which cannot be read.

use std::{
    fs,
    path::{Path, PathBuf},
};

use deathwatch_scenario::{Problem, find, load, scenario::Address};

use crate::common::{PAIR, render};

#[test]
fn scenarios_are_found_in_folders_in_order_and_once() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("b")).expect("a folder");
    for name in ["c.toml", "b/a.toml", "a.toml", "b/notes.md"] {
        fs::write(folder.join(name), format!("shows = \"A test.\"{PAIR}")).expect("a file");
    }
    let found = find(&[folder.join("c.toml"), folder.clone(), folder.join("b/../a.toml")]);
    let found = found.expect("they are there");
    let names: Vec<_> =
        found.iter().map(|it| it.file.strip_prefix(&folder).expect("inside")).collect();
    assert_eq!(names, ["c.toml", "a.toml", "b/a.toml"].map(std::path::Path::new));
    let here = find(&["./Cargo.toml".into(), "Cargo.toml".into()]).expect("it is there");
    assert_eq!(here, [Address::from(Path::new("Cargo.toml"))]);
    let scenario = load(&found[2]).expect("a scenario");
    assert!(scenario.name.ends_with("/found/b/a"), "{}", scenario.name);
    assert_eq!(scenario.address, found[2]);
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unreadable");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("empty/inner")).expect("a folder");
    let problem = |name: &str, content: &[u8]| {
        fs::write(folder.join(name), content).expect("a file");
        let problem = load(&folder.join(name)).expect_err(name);
        render(&problem).replace(&*folder.to_string_lossy(), "FOLDER")
    };
    let binary = problem("binary.toml", b"\x7fELF\0\0");
    assert!(binary.contains("this is a binary file") && binary.contains(":1:5]"), "{binary}");
    let latin = problem("latin.toml", b"# before\nshows = \"caf\xe9.\"\n");
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(latin) });
    let shown = |result: Result<(), Problem>| -> String {
        let problem = result.expect_err("nothing to read");
        render(&problem).replace(&*folder.to_string_lossy(), "FOLDER")
    };
    let missing = [
        shown(load(&folder.join("missing.toml")).map(|_| ())),
        shown(load(&folder.join("empty")).map(|_| ())),
        shown(find(&[folder.join("empty")]).map(|_| ())),
        shown(find(&[folder.join("missing")]).map(|_| ())),
    ];
    let missing = missing.join("\n");
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(missing) });
}

/// A file that describes several scenarios is parsed once for all of them, and each is the same as
/// when it is loaded alone.
#[test]
fn scenarios_of_one_file_are_the_same_together_and_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/relations");
    let addresses = find(&[root]).expect("there are some");
    let mut alike = 0;
    deathwatch_scenario::scenario::load_each(&addresses, |address, read| {
        let (together, alone) = (read().expect("it is good"), load(address.clone()));
        let alone = alone.expect("it is good");
        assert_eq!(format!("{together:?}"), format!("{alone:?}"), "{address}");
        alike += usize::from(address.also.is_some());
    });
    assert!(alike > 10, "{alike} stand in tables `also`");
}
