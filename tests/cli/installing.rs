//! Installation and first use: completions, manual pages, a first scenario.

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, says, stdout_of, unit};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn every_shell_gets_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&format!("completions {shell}")).code(AS_EXPECTED);
        let names = ["deathwatch", "simulate", "write-traces", "stateright"];
        for name in names {
            let text = stdout_of(&script);
            assert!(text.contains(name), "{shell} completes {name}");
        }
    }
    folder.run("completions cobol").code(NOT_ASKED);
}

/// bash loads the script, and completes a flag with it.
#[test]
fn bash_completes_a_flag() {
    let folder = Folder::new();
    let script = folder.run("completions bash").code(AS_EXPECTED).get_output().stdout.clone();
    let folder = folder.with("complete.bash", script);
    let asks = "source ./complete.bash; COMP_WORDS=(deathwatch check --write); COMP_CWORD=2; \
                _deathwatch deathwatch --write check; echo \"${COMPREPLY[@]}\"";
    let mut bash = assert_cmd::Command::new("bash");
    let bash = bash.current_dir(folder.0.path()).args(["-c", asks]).assert().success();
    bash.stdout("--write-traces --write-graph\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    folder.run("man pages/man1").code(AS_EXPECTED).stdout("");
    let help = stdout_of(&folder.run("--help"));
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands.filter(|name| !name.is_empty()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let page = folder.read(&format!("pages/man1/deathwatch-{command}.1"));
        assert!(page.contains(&format!(".TH deathwatch-{command} 1")), "{page}");
        assert!(page.contains("Examples:") || command == "report", "{command} has examples");
    }
    let page = folder.read("pages/man1/deathwatch.1");
    assert!(page.contains("Exit codes"), "{page}");
    let folder = folder.with("file", "");
    folder.run("man file").code(NOT_ASKED).stderr(predicate::str::contains("failed to make file"));
    folder.run("man pages/man1").code(AS_EXPECTED);
    let folder = folder.with("pages/man1/deathwatch-check.1", "mine").with("pages/new", "");
    let others = "failed to write pages/man1/deathwatch-check.1: somebody else has made it";
    folder.run("man pages/man1").code(NOT_ASKED).stderr(predicate::str::contains(others));
    assert_eq!(folder.read("pages/man1/deathwatch-check.1"), "mine");
}

#[test]
fn a_new_scenario_is_answered_and_nothing_is_overwritten() {
    let folder = Folder::new();
    let next = "wrote my.toml; next: deathwatch check my.toml --verbose\n";
    folder.run("new my.toml").code(AS_EXPECTED).stdout(next);
    let line = predicate::str::contains(" 1 violated, 18 states");
    folder.run("check my.toml").code(AS_EXPECTED).stdout(line);
    folder.run("simulate my.toml --keep-going").code(AS_EXPECTED);
    let text = folder.read("my.toml");
    let refused = predicate::str::contains("there is a file of that name");
    folder.run("new my.toml").code(NOT_ASKED).stderr(refused);
    assert_eq!(folder.read("my.toml"), text);
    folder.run("new none/my.toml").code(AS_EXPECTED);
    assert_eq!(folder.read("none/my.toml"), text, "folders that are missing are made");
    // The alternatives in its comments are possible, too, and have the answers that they state.
    let fixed = text
        .replace("# [variants]\n# relation", "[variants]\nrelation")
        .replace("= \"violated\"", "= \"holds\"");
    let begun = text.replace("# steps = \"\"\"\n# client", "steps = \"\"\"\nclient");
    let begun = begun.replace("server\n# \"\"\"", "server\n\"\"\"");
    let folder = folder.with("fixed.toml", fixed).with("begun.toml", begun);
    let both = predicate::str::contains("2 scenarios as expected: 1 violated, 1 holds");
    folder.run("check fixed.toml begun.toml").code(AS_EXPECTED).stdout(both);
}

/// Outside of a checkout the shipped scenarios are those in the program, for every command.
#[test]
fn the_shipped_scenarios_are_in_the_program() {
    let folder = Folder::new();
    let note = "no folder scenarios is here: those in the program are read\n";
    let checked = folder.run("check scenarios/starts --quiet").code(AS_EXPECTED);
    checked.stdout("").stderr(note);
    let together = "check scenarios/starts --quiet --processes 2";
    folder.run(together).code(AS_EXPECTED).stdout("").stderr(note);
    let listed = stdout_of(&folder.run("list scenarios").code(AS_EXPECTED).stderr(note));
    let in_checkout = folder.command(&["list", "scenarios"]).current_dir(ROOT).output();
    assert_eq!(listed, String::from_utf8(in_checkout.expect("it runs").stdout).expect("text"));
    assert!(listed.lines().count() > 500, "{listed}");
    let long = "list scenarios scenarios/by-name/exhaustive ./scenarios/relations";
    let long = folder.run(long).code(AS_EXPECTED);
    let long = stdout_of(&long);
    assert!(
        long.contains("scenarios/by-name/exhaustive/three-units-a-side")
            && long.contains("scenarios/relations/")
    );
    folder.run("replay scenarios/relation-scope-bug/1-as-written.toml#").code(AS_EXPECTED);
    let near =
        predicate::str::contains("did you mean `scenarios/relation-scope-bug/1-as-written.toml`");
    let wrong = folder.run("check scenarios/relation-scope-bug/1-as-writen.toml");
    wrong.code(NOT_ASKED).stderr(near);
    // A folder of that name takes precedence, whatever is in it.
    let folder = folder.with("scenarios/mine.toml", unit());
    let own = predicate::str::contains("1 scenario as expected");
    folder.run("check").code(AS_EXPECTED).stdout(own).stderr("");
    folder.run("check scenarios/starts").code(NOT_ASKED);
}

#[test]
fn a_shipped_scenario_is_written_and_nothing_is_overwritten() {
    let folder = Folder::new();
    let name = "relation-scope-bug/1-as-written";
    let next = "wrote 1-as-written.toml; next: deathwatch check 1-as-written.toml --verbose\n";
    folder.run(&format!("new --from {name}")).code(AS_EXPECTED).stdout(next);
    let path = format!("scenarios/{name}.toml");
    let text = std::fs::read_to_string(format!("{ROOT}/{path}")).expect("it is shipped");
    assert_eq!(folder.read("1-as-written.toml"), text);
    folder.run("check 1-as-written.toml").code(AS_EXPECTED);
    folder.run(&format!("new other.toml --from {path}")).code(AS_EXPECTED);
    assert_eq!(folder.read("other.toml"), text);
    let refused = folder.run(&format!("new --from {name} other.toml")).code(NOT_ASKED);
    refused.stderr(predicate::str::contains("there is a file of that name"));
    for wrong in ["relation-scope-bug/1-as-writen", "1-as-written"] {
        let refused = folder.run(&format!("new --from {wrong} third.toml")).code(NOT_ASKED);
        refused.stderr(says(&format!("did you mean `{name}`")));
    }
    let refused = folder.run("new --from zzz third.toml").code(NOT_ASKED);
    refused.stderr(
        says("no shipped scenario is called \"zzz\"").and(says("deathwatch list scenarios")),
    );
    assert_eq!(folder.names(), ["1-as-written.toml", "other.toml"]);
    folder.run("new").code(NOT_ASKED);
    let script = folder.run("completions fish").get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&script).contains(name), "shells complete names");
}
