//! Tables `[also."NAME"]`: several scenarios in one file.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known, json,
};

/// Two more scenarios of the file of the bug.
const ALSO: &str = r#"
[check]
states = 18

[also."with the second fix"]
shows = "The second fix is enough."
[also."with the second fix".variants]
relation-tracking = "remote-scope"
[also."with the second fix".claims]
all = "holds"
"the settings of a removed relation are deleted" = "violated"

# Nothing
# fails.
[also."no faults"]
shows = "Without faults, and with another command, no relation is Dying."
without = ["faults", 'user."destroy-relation wordpress:db mysql:server"']
user."destroy-unit wordpress/0" = 1
claims."a Dying relation is removed" = "vacuous"
witnesses = []
"#;

fn folder() -> Folder {
    Folder::new().with("bug.toml", bug_as_it_is() + ALSO)
}

#[test]
fn a_file_stands_for_all_its_scenarios_and_an_address_for_one() {
    let folder = folder();
    assert_snapshot!(folder.seen("check bug.toml"));
    assert_snapshot!(folder.seen("list scenarios ."));
    let one = folder.command(&["check", "bug.toml#no faults", "--format", "json"]);
    let one = json(&{ one }.assert().code(AS_EXPECTED));
    let names: Vec<_> =
        one["runs"].as_array().expect("a list").iter().map(|it| &it["scenario"]).collect();
    assert_eq!(names, ["bug#no faults"]);
    let twice = ["check", "bug.toml#no faults", "bug.toml", "bug.toml#no faults"];
    let said = predicate::str::contains("3 scenarios as expected");
    folder.command(&twice).assert().code(AS_EXPECTED).stdout(said);
}

#[test]
fn an_address_without_a_name_is_the_first_scenario_alone() {
    let folder = folder();
    let seen = |line: &str| folder.seen(line).split_once('\n').expect("lines").1.to_owned();
    assert_snapshot!(folder.seen("check bug.toml#"));
    for line in ["check ./bug.toml#", "check bug.toml# bug.toml#"] {
        assert_eq!(seen(line), seen("check bug.toml#"), "{line}");
    }
    let all = predicate::str::contains("3 scenarios as expected");
    folder.run("check bug.toml# bug.toml").code(AS_EXPECTED).stdout(all);
    for (line, code) in [
        ("simulate bug.toml# --seeds 0..40", AS_EXPECTED),
        ("replay bug.toml#", AS_EXPECTED),
        ("assume bug.toml# --no-variants", AS_EXPECTED),
        ("list scenarios bug.toml#", AS_EXPECTED),
        ("check bug.toml# --format json", AS_EXPECTED),
        ("check bug.toml# --journal one.jsonl", AS_EXPECTED),
        ("merge one.jsonl", AS_EXPECTED),
    ] {
        let no_other = predicate::str::contains("bug#").not();
        folder.run(line).code(code).stdout(predicate::str::contains("bug").and(no_other));
    }
    for line in [
        "ask bug.toml? --reachable quiescent",
        "shrink bug.toml? --seed 1",
        "replay bug.toml? --counterexample",
        "replay bug.toml? --seed 1",
    ] {
        assert_eq!(seen(&line.replace('?', "#")), seen(&line.replace('?', "")), "{line}");
    }
}

#[test]
fn a_mistake_in_the_first_scenario_alone_has_its_place() {
    let wrong = bug_as_it_is().trim_start().replace("[faults]", "[faults]\nflood = true");
    let line = 1 + wrong.lines().position(|it| it == "flood = true").expect("it is there");
    let folder = Folder::new().with("bug.toml", wrong + ALSO).with("is.toml#", bug_as_it_is());
    let place = predicate::str::contains(format!("bug.toml:{line}:1]"));
    folder.run("check bug.toml#").code(NOT_ASKED).stderr(place);
    let none = predicate::str::contains("there is no file none.toml");
    folder.run("check none.toml#").code(NOT_ASKED).stderr(none);
    folder.run("check is.toml#").code(AS_EXPECTED);
}

#[test]
fn a_command_about_one_world_takes_the_first_scenario_of_a_file() {
    let folder = folder();
    let shown = predicate::str::contains("violated: \"a Dying relation is removed\"");
    folder.run("replay bug.toml --counterexample").code(AS_EXPECTED).stdout(shown);
    folder.run("replay bug.toml --format dot").code(AS_EXPECTED);
    folder.run("shrink bug.toml --seed 1 --output small.toml").success();
    folder.run("ask bug.toml --reachable quiescent").success();
    folder.run("replay bug.toml --write-end end.toml").success();
    let named = ["replay", "bug.toml#with the second fix", "--counterexample"];
    let shown = predicate::str::contains("the settings of a removed relation are deleted");
    folder.command(&named).assert().code(AS_EXPECTED).stdout(shown);
    let text = folder.command(&[
        "replay",
        "bug.toml#with the second fix",
        "--counterexample",
        "--write-scenario",
        "run.toml",
    ]);
    { text }.assert().code(AS_EXPECTED);
    let text = folder.read("run.toml");
    assert!(
        text.contains("relation-tracking = \"remote-scope\"") && !text.contains("also"),
        "{text}"
    );
    folder.run("check run.toml").code(AS_EXPECTED);
}

#[test]
fn every_command_over_many_takes_each_scenario_of_a_file() {
    let folder = folder();
    folder.run("check bug.toml --write-traces traces").code(AS_EXPECTED);
    folder.run("check traces").code(AS_EXPECTED).stdout(predicate::str::contains("2 scenarios"));
    folder.run("check bug.toml --format junit").stdout(predicate::str::contains("bug#no faults"));
    let row = predicate::str::contains("<th scope=\"row\">bug.toml#no faults</th>");
    folder.run("check bug.toml --format html").stdout(row);
    folder
        .run("assume bug.toml --no-variants")
        .stdout(predicate::str::contains("\nbug#no faults\n"));
    folder
        .run("replay bug.toml")
        .code(AS_EXPECTED)
        .stdout(predicate::str::contains("# bug#no faults"));
    for shard in ["1/2", "2/2"] {
        let journal = format!("{}.jsonl", &shard[..1]);
        let answered = [AS_EXPECTED, UNEXPECTED, UNDECIDED];
        let check = format!("check bug.toml --shard {shard} --journal {journal}");
        folder.run(&check).code(predicate::in_iter(answered));
        let simulate = "simulate bug.toml --seeds 0..6 --keep-going --shard";
        folder
            .run(&format!("{simulate} {shard} --journal s{journal}"))
            .code(predicate::in_iter(answered));
    }
    let seen = |line: &str| folder.seen(line).split_once('\n').expect("lines").1.to_owned();
    assert_eq!(seen("merge 1.jsonl 2.jsonl"), seen("check bug.toml"));
    let undivided = seen("simulate bug.toml --seeds 0..6 --keep-going --shrink-kinds");
    assert_eq!(seen("merge s1.jsonl s2.jsonl --shrink-kinds"), undivided);
}

#[test]
fn a_seed_is_recorded_in_the_table_of_its_scenario() {
    let claims = "claims.\"the settings of a removed relation are deleted\" = \"holds\"";
    let also =
        format!("\n[also.fixed]\nshows = \"Fixed.\"\n{claims}\n[also.other]\nshows = \"Other.\"\n");
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + &also);
    folder
        .command(&["simulate", "bug.toml#fixed", "--seeds", "0..40", "--record"])
        .assert()
        .code(UNEXPECTED);
    let text = folder.read("bug.toml");
    let (_, fixed) = text.split_once("[also.fixed]").expect("it is there");
    let (fixed, other) = fixed.split_once("[also.other]\n").expect("it is there");
    assert!(fixed.contains("[also.fixed.simulate]\nseeds = ["), "{text}");
    assert!(!other.contains("seeds"), "{text}");
}

#[test]
fn a_seed_of_the_first_scenario_alone_is_recorded_outside_of_the_tables() {
    let also = "\n[also.other]\nshows = \"Other.\"\n";
    let folder = Folder::new().with("bug.toml", bug_not_known() + also);
    folder.run("simulate bug.toml# --seeds 0..40 --record").code(UNEXPECTED);
    let text = folder.read("bug.toml");
    assert!(text.contains("\n[simulate]\nseeds = [") && !text.contains("other.simulate"), "{text}");
    folder.run("list scenarios bug.toml").code(AS_EXPECTED);
}

#[test]
fn mistakes_in_a_table_have_their_places() {
    for (also, at, said) in [
        ("shows = \"x\"\nworld.machines.3 = { exist = true }", "4:22", "unknown key `exist`"),
        ("shows = \"x\"\nclaim = {}", "4:1", "unknown key `claim`"),
        ("shows = \"x\"\nwithout = [\"world.machines.2\"]", "15:21", "no such machine: `2`"),
        ("shows = \"x\"\nwithout = [\"steps\"]", "4:12", "the file has no `steps`"),
        ("shows = \"x\"\nwithout = \"steps\"", "4:11", "the value of `without` is not as expected"),
        ("shows = \"x\"\nwithout = [\"steps.\"]", "4:12", "`steps.` is not a key"),
        ("shows = \"x\"\nalso.more.shows = \"y\"", "4:1", "a table `also` has no further ones"),
        ("variants = {}", "2:7", "missing key `shows`"),
    ] {
        let text = bug_as_it_is().trim_start().to_owned();
        let lines = text.lines().count();
        let text = format!("{text}\n[also.wrong]\n{also}\n");
        let (line, column) = at.split_once(':').expect("two numbers");
        let line: usize = line.parse().expect("a number");
        let line = if line > 9 { line } else { lines + line };
        let folder = Folder::new().with("bug.toml", text);
        let place = format!("bug.toml:{line}:{column}]");
        let run = folder.command(&["check", "bug.toml#wrong"]).assert().code(NOT_ASKED);
        run.stderr(predicate::str::contains(place).and(predicate::str::contains(said)));
        folder.run("check bug.toml").code(NOT_ASKED).stderr(predicate::str::contains(said));
    }
}

#[test]
fn a_mistake_outside_of_a_table_names_the_table() {
    let also = "\n[also.fewer]\nshows = \"Fewer.\"\nwithout = [\"world.machines.2\"]\n";
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + also);
    assert_snapshot!(folder.seen("check bug.toml"));
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + ALSO);
    assert_snapshot!(folder.seen("check bug.toml#no-fault"));
    assert_snapshot!(folder.seen("check bug.toml#x bug.toml"));
    let folder =
        Folder::new().with("bug.toml", bug_as_it_is() + "\n[also.\"a/b\"]\nshows = \"x\"\n");
    folder
        .run("check bug.toml")
        .code(NOT_ASKED)
        .stderr(predicate::str::contains("cannot be the name"));
}
