//! `--set`: a scenario with another value of a variant than in its file.

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, UNIT, bug_as_it_is, bug_not_known, json, says,
};

const FIXED: &str = "--set relation-tracking=remote-scope";

#[test]
fn scenarios_are_answered_with_other_variants() {
    let pinned = "[check]\nstates = 107\n[also.fixed]\nshows = \"It is left.\"\n\
                  variants.relation-tracking = \"reconciled\"\n\
                  claims.\"a Dying relation is removed\" = \"holds\"\n";
    let folder = Folder::new()
        .with("bug.toml", bug_not_known())
        .with("known.toml", format!("{}{pinned}", bug_as_it_is()));
    folder.run("check bug.toml").code(UNEXPECTED);
    folder.run(&format!("check bug.toml {FIXED}")).code(AS_EXPECTED);
    // Expectations stay the same, and the printed command has the variant.
    let known = folder.run(&format!("check known.toml {FIXED}")).code(UNEXPECTED);
    known.stdout(says(&format!("deathwatch check known.toml {FIXED} --verbose")));
    folder.run("check known.toml#fixed --set relation-tracking=local-directory").code(UNEXPECTED);
    let assumed = folder.run(&format!("assume known.toml# --no-variants {FIXED} --format json"));
    let assumed = json(&assumed.code(AS_EXPECTED));
    let holds = assumed["runs"][0]["questions"][0]["holds"].as_array().expect("sets");
    let says = holds.iter().map(|set| set["faults"]["hardware-failure"].clone());
    assert!(says.clone().any(|it| it == "finitely often"), "{:?}", says.collect::<Vec<_>>());
}

/// Places in messages are those of the file, whatever is set.
#[test]
fn a_script_is_played_with_other_variants() {
    let script = UNIT.replace(
        "client: destroy-unit wordpress/0",
        "client: destroy-unit wordpress/0\ncleaner: run-cleanup",
    );
    let folder = Folder::new().with("unit.toml", UNIT).with("late.toml", &script);
    let replayed = folder.run(&format!("replay unit.toml {FIXED} --format json"));
    let replayed = json(&replayed.code(AS_EXPECTED));
    let run = &replayed["runs"][0];
    assert_eq!(run["header"]["variants"]["relation-tracking"]["value"], "remote-scope", "{run}");
    let made = run["header"]["made_by"].as_str().expect("a command");
    assert_eq!(made, format!("deathwatch replay unit.toml {FIXED}"));
    let place = |line: &str| {
        let output = folder.run(line).code(NOT_ASKED).get_output().stderr.clone();
        String::from_utf8(output).expect("text")
    };
    assert_eq!(place("replay late.toml"), place(&format!("replay late.toml {FIXED}")));
}

/// The commands that reproduce a seed's run have the variant, and so has a journal.
#[test]
fn seeds_are_run_with_other_variants() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let line = "simulate bug.toml --seeds 0..40 --keep-going --format json";
    let as_it_is = json(&folder.run(line).code(AS_EXPECTED));
    let local = "--set relation-tracking=local-directory";
    let same = json(&folder.run(&format!("{line} {local}")).code(AS_EXPECTED));
    let sweep = &same["runs"][0];
    assert_eq!(sweep["digest"], as_it_is["runs"][0]["digest"]);
    assert_eq!(sweep["set"][0], "relation-tracking=local-directory");
    for verb in ["replay", "shrink"] {
        let command = sweep["groups"][0][verb].as_str().expect("a command");
        let begins = format!("deathwatch {verb} bug.toml {local} --seed ");
        assert!(command.starts_with(&begins), "{command}");
        let words = command.strip_prefix("deathwatch ").expect("it does");
        folder.run(&format!("{words} --format json")).stdout(says("a Dying relation is removed"));
    }
    let fixed = json(&folder.run(&format!("{line} {FIXED} --journal j.jsonl")).code(UNEXPECTED));
    assert_ne!(fixed["runs"][0]["digest"], as_it_is["runs"][0]["digest"]);
    let merged = folder.run("merge j.jsonl --shrink-kinds --format json").code(UNEXPECTED);
    assert_eq!(json(&merged)["runs"][0]["set"], fixed["runs"][0]["set"]);
    // Seeds recorded in a file are about its own variants.
    folder.run(&format!("{line} {FIXED} --record")).code(NOT_ASKED);
}

/// Pinned numbers are those of the file's own world; answers for every number of units are asked of
/// this one, too.
#[test]
fn every_number_of_units_is_asked_with_other_variants() {
    let pinned = "[check]\nany-size = { views = 1, not-asked = 9 }\n";
    let folder = Folder::new().with("bug.toml", bug_not_known() + pinned);
    let fixed =
        json(&folder.run(&format!("check bug.toml {FIXED} --format json")).code(AS_EXPECTED));
    let hold = &fixed["runs"][0]["any_size"]["hold"];
    assert_eq!(*hold, serde_json::json!(["a Dying relation is removed"]));
}

#[test]
fn what_cannot_be_set_is_refused() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    for line in [
        "check bug.toml --set relation-tracking",
        "check bug.toml --set relation-tracking=no-such",
        "check bug.toml --set no-such=x",
        "replay bug.toml --set no-such=x",
        "assume bug.toml --set no-such=x",
        "simulate bug.toml --set no-such=x",
        "shrink bug.toml --set no-such=x",
        "explore bug.toml --port 0 --set no-such=x",
        "explore bug.toml --port 0 --set relation-tracking",
        "check bug.toml --set relation-tracking=remote-scope --set relation-tracking=reconciled",
    ] {
        folder.run(line).code(NOT_ASKED).stdout("");
    }
}
