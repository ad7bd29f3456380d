//! The assumptions that each claim needs, as `assume` prints them.

use insta::assert_snapshot;
use serde_json::Value;

use crate::fixture::{AS_EXPECTED, BUG, Folder, LARGE, NOT_ASKED, UNDECIDED, UNIT, stdout_of};

/// The width of text for people, in columns.
const WIDTH: usize = 80;

fn bug() -> String {
    format!("{BUG}[claims]\n\"a Dying relation is removed\" = \"violated\"\n")
}

#[test]
fn a_claim_needs_assumptions_or_fixes() {
    let folder = Folder::new().with("bug.toml", bug());
    assert_snapshot!(folder.seen("assume bug.toml"));
}

#[test]
fn what_is_needed_is_told_in_json() {
    let folder = Folder::new().with("bug.toml", bug());
    let variants = "relation-tracking=remote-scope,dead-while-in-scope=allowed";
    let seen = folder.seen(&format!("assume bug.toml --variants {variants} --format json"));
    assert_snapshot!(seen);
}

/// A claim that holds whatever happens is lost with another variant. After a script that makes the
/// unit Dead, its removal needs only agents that act.
#[test]
fn what_is_lost_and_what_agents_that_act_are_enough_for_is_told() {
    let claims = "[claims]\n\"a Dead unit is in no scope\" = \"holds\"\n\
                  \"a Dying unit is removed\" = \"vacuous\"\n";
    let folder = Folder::new()
        .with("bug.toml", format!("{}\"destroy-unit mysql/0\" = 1\n{claims}", user_last(BUG)))
        .with("unit.toml", UNIT);
    assert_snapshot!(folder.seen("assume bug.toml --variants dead-while-in-scope=allowed"));
    let claim = "a Dead unit is removed";
    let output =
        folder.command(&["assume", "unit.toml", "--no-variants", "--claim", claim]).assert();
    let output = output.code(AS_EXPECTED).get_output().stdout.clone();
    assert_snapshot!(String::from_utf8(output).expect("text"));
}

/// A provisioner that may choose what to do next is kept from a Dead machine by a user who goes on.
/// What the scenario assumes makes no difference.
#[test]
fn an_end_of_commands_or_fairness_to_each_duty_is_told() {
    let world = "shows = \"Churn.\"\n[claims]\n\"a Dead machine is removed\" = \"violated\"\n\
                 [world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n2 = {}\n\
                 [user]\n\"destroy-machine 1\" = \"unlimited\"\n\
                 \"destroy-machine 2\" = \"unlimited\"\n\"add-machine 2\" = \"unlimited\"\n";
    let folder = Folder::new().with("churn.toml", world);
    let seen = folder.seen("assume churn.toml --no-variants");
    assert_snapshot!(seen);
    let json = |folder: &Folder| {
        let line = "assume churn.toml --no-variants --format json";
        let found = folder.run(line).code(AS_EXPECTED).get_output().stdout.clone();
        serde_json::from_slice::<Value>(&found).expect("JSON")["runs"].clone()
    };
    let needs = json(&folder);
    let holds = &needs[0]["questions"][0]["holds"];
    assert_eq!(holds[0]["assume"], serde_json::json!(["agents-act", "finitely-many-commands"]));
    assert_eq!(holds[1]["assume"], serde_json::json!(["agents-act", "per"]));
    for assumed in ["per = \"duty\"", "finitely-many-commands = true", "strong = true"] {
        let other = Folder::new().with("churn.toml", format!("{world}[assume]\n{assumed}\n"));
        assert_eq!(json(&other), needs, "{assumed}");
    }
}

/// The scenario with its table `[user]` at the end.
fn user_last(source: &str) -> String {
    let (before, rest) = source.split_once("[user]\n").expect("it has one");
    let (user, faults) = rest.split_once("[faults]\n").expect("it has one");
    format!("{before}[faults]\n{faults}[user]\n{user}")
}

/// The unit's own hook fails, its agent crashes, and its machine's hardware fails unnoticed.
const TROUBLE: &str = concat!("\n", include_str!("../worlds/trouble.toml"));

#[test]
fn a_claim_that_never_holds_hides_no_witness_that_is_never_reached() {
    let never = "witnesses = [\"deploy.1\"]\n[own.\"nothing is Dying\"]\n\
                 always = \"units.all(u, u.life != 'dying')\"\n";
    let start = "[start]\ndying = [\"wordpress/0\"]\n";
    let world = "[world.applications]\nwordpress.units = [\"1\"]\n";
    let folder =
        Folder::new().with("never.toml", format!("shows = \"Never.\"\n{never}{world}{start}"));
    let seen = folder.seen("assume never.toml --no-variants");
    assert!(seen.contains("nothing is Dying\n  never holds, whatever is assumed\n"), "{seen}");
    assert!(seen.contains("deploy.1 is carried out\n  is never reached"), "{seen}");
}

#[test]
fn what_waits_for_a_cure_is_told_with_its_chain() {
    let folder = Folder::new().with("trouble.toml", TROUBLE).with("bug.toml", bug());
    assert_snapshot!(folder.seen("assume trouble.toml bug.toml --stuck"));
    assert_snapshot!(folder.seen("assume trouble.toml --stuck --format json"));
    folder.run("assume trouble.toml --stuck --max-states 2").code(UNDECIDED).stdout("");
    folder.run("assume trouble.toml --stuck --no-variants").code(NOT_ASKED).stdout("");
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    let folder = Folder::new().with("bug.toml", bug()).with("unit.toml", UNIT);
    let folder = folder.with("trouble.toml", TROUBLE);
    for line in [
        "assume bug.toml",
        "assume bug.toml unit.toml",
        "assume unit.toml --no-variants",
        "assume trouble.toml --stuck",
    ] {
        let assert = folder.run(line).code(AS_EXPECTED);
        let text = stdout_of(&assert);
        assert!(text.lines().count() > 5);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH && !line.ends_with(' '), "{line}");
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let folder = Folder::new().with("bug.toml", bug());
    let with = |threads: u32| {
        let line = format!("assume bug.toml --format json --threads {threads}");
        folder.run(&line).code(AS_EXPECTED).get_output().stdout.clone()
    };
    assert_eq!(with(1), with(5));
}

#[test]
fn what_is_cut_off_is_undecided() {
    let remote = format!("{}[variants]\nrelation-tracking = \"remote-scope\"\n", bug());
    let folder =
        Folder::new().with("bug.toml", bug()).with("remote.toml", remote).with("large.toml", LARGE);
    assert_snapshot!(folder.seen("assume large.toml --max-states 1000"));
    // The world as it is fits, and the one with another value, which has more states, does not.
    let line = "assume remote.toml --variants relation-tracking=local-directory";
    let whole = folder.run(&format!("{line} --format json")).code(AS_EXPECTED);
    let whole: Value = serde_json::from_slice(&whole.get_output().stdout).expect("JSON");
    let states = whole["runs"][0]["states"].as_u64().expect("it was explored");
    assert_snapshot!(folder.seen(&format!("{line} --max-states {states}")));
    // Here the world as it is does not fit: a claim that holds with the fix may hold without it.
    let line = "assume bug.toml --variants relation-tracking=remote-scope";
    assert_snapshot!(folder.seen(&format!("{line} --max-states {states}")));
    folder.run("assume large.toml --time 1ms").code(UNDECIDED);
}

/// Both values of all these variants make too many worlds. Then only the given world is answered,
/// and the next scenario is answered, too.
#[test]
fn a_world_with_too_many_choices_does_not_keep_others_from_an_answer() {
    let folder = Folder::new().with("bug.toml", bug()).with("unit.toml", UNIT);
    let values = "relation-tracking,unprovisioned-unit,manager-machine,dead-while-in-scope,\
                  undeployed-unit-not-alive,settings-cleanup,peer-relations,unit-assignment,\
                  clean-machine,forced-unit,forced-machine,kept-subordinate";
    assert_snapshot!(folder.seen(&format!("assume bug.toml unit.toml --variants {values}")));
    let json = folder.run(&format!("assume bug.toml --format json --variants {values}"));
    let json = json.code(UNDECIDED).get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["runs"][0]["decided"], false);
    let why = json["runs"][0]["others"].as_str().expect("it says why");
    assert!(why.contains("more than 4096 combinations"), "{why}");
}

/// With `--chosen`, the scenario's own choices are tried at their defaults.
#[test]
fn which_of_its_choices_a_claim_needs_is_told() {
    let chosen = "[variants]\nrelation-tracking = \"remote-scope\"\nforced-unit = \"removed\"\n";
    let folder = Folder::new().with("remote.toml", format!("{}{chosen}", bug()));
    assert_snapshot!(folder.seen("assume remote.toml --chosen"));
    for more in ["--no-variants", "--stuck", "--variants relation-tracking"] {
        folder.run(&format!("assume remote.toml --chosen {more}")).code(NOT_ASKED).stdout("");
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let folder = Folder::new().with("bug.toml", bug()).with("silent.toml", silent());
    for line in [
        "assume",
        "assume missing.toml",
        "assume silent.toml",
        "assume bug.toml --variants no-such",
        "assume bug.toml --variants relation-tracking=no-such",
        "assume bug.toml --variants relation-tracking --no-variants",
        "assume bug.toml --claim no-such",
        "assume bug.toml --format junit",
        "assume bug.toml --threads 0",
        "assume bug.toml --output bug.toml",
    ] {
        folder.run(line).code(NOT_ASKED).stdout("");
    }
    assert_snapshot!(folder.seen("assume bug.toml --variants relation-tracking=no-such"));
    assert_snapshot!(folder.seen("assume silent.toml"));
}

fn silent() -> String {
    BUG.replace("witnesses = [\"leave-scope.1\"]\n", "claims = {}\n")
}
