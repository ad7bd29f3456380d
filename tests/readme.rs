//! What README.md shows is what one gets.

use std::{fs, path::Path};

use assert_cmd::Command;

const RUN: &str = "$ cargo run --release -- ";

/// Every command of README.md that is shown with its output prints just that.
#[test]
fn what_readme_shows_is_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("there is a README.md");
    let blocks = readme.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap_or_default());
    let mut shown = 0;
    for block in blocks {
        let Some((command, output)) = block.split_once('\n') else { continue };
        let Some(arguments) = command.strip_prefix(RUN) else { continue };
        if output.is_empty() || output.starts_with('$') {
            continue; // it is shown without its output
        }
        let mut deathwatch = Command::cargo_bin("deathwatch").expect("it is built");
        let run = deathwatch.current_dir(root).args(arguments.split(' ')).output();
        let printed = String::from_utf8(run.expect("it runs").stdout).expect("text");
        assert_eq!(output, printed, "README.md shows what `{arguments}` prints");
        shown += 1;
    }
    assert!(shown > 0, "README.md shows some output");
}

/// Every scenario that README.md shows is answered as it says.
#[test]
fn what_readme_has_as_a_scenario_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("there is a README.md");
    let folder = tempfile::tempdir().expect("a folder");
    let mut scenarios = 0;
    for block in readme.split("```toml\n").skip(1) {
        let (source, _) = block.split_once("```").expect("the block ends");
        let path = folder.path().join(format!("{scenarios}.toml"));
        // A block in a list is indented; TOML does not mind.
        fs::write(&path, source).expect("it can be written");
        scenarios += 1;
    }
    assert!(scenarios >= 2, "README.md shows scenarios");
    let mut deathwatch = Command::cargo_bin("deathwatch").expect("it is built");
    deathwatch.arg("check").arg(folder.path()).assert().success();
}

/// The workflow that README.md shows is the file in `deploy/`.
#[test]
fn what_readme_has_as_a_workflow_is_the_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("it is there");
    let readme = read("README.md");
    let (_, block) = readme.split_once("  ```yaml\n").expect("README.md shows a workflow");
    let (block, _) = block.split_once("  ```\n").expect("it ends");
    let lines = block.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    let shown: Vec<&str> = lines.collect();
    assert_eq!(shown, read("deploy/github/seeds.yml").lines().collect::<Vec<_>>());
}
