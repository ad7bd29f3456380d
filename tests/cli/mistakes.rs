//! Several mistakes of one file: each is reported, unless it follows from another one.

use std::fmt::Write as _;

use crate::fixture::{AS_EXPECTED, BUG, Folder, NOT_ASKED, says, stderr_of};

/// The messages of a refused file, each with its line.
fn mistakes(text: &str) -> Vec<String> {
    let folder = Folder::new().with("a.toml", text);
    let refused = folder.run("check a.toml").code(NOT_ASKED).stdout("");
    let stderr = stderr_of(&refused);
    let mut found = Vec::new();
    for line in stderr.lines() {
        if let Some(message) = line.trim_start().strip_prefix("× ") {
            found.push(message.to_owned());
        } else if let Some((_, at)) = line.split_once("a.toml:").filter(|_| line.contains('╭')) {
            let last = found.last_mut().expect("the message is first");
            *last = format!("{} {last}", at.trim_end_matches(']'));
        }
    }
    found
}

#[test]
fn mistakes_of_different_tables_are_told_in_the_order_of_the_file() {
    let text = format!(
        r#"{BUG}machine-crsh = ["1"]
[variants]
relation-trackin = "remote-scope"
unit-removal = "x"
[claims]
"a Dying relation is remved" = "violated"
"a Dying unit is removed" = "holds"
"a Dying machine is removed" = "hold"
[own."no units"]
always = "unts.size() == 0"
[own."no machines"]
each = "machine"
always = "it.lif == 'dead'"
[check]
stats = 3
"#
    )
    .replace("leave-scope.1\"]", "leave-scope.1\", \"leave-scop.2\", \"leave-scope.2\"]");
    let found = mistakes(&text);
    insta::assert_snapshot!(found.join("\n"));
}

/// A fact that is missing because of another mistake is not reported.
#[test]
fn what_follows_from_a_mistake_is_not_told() {
    // Without its units the application has none that could be in the scope.
    let world = BUG.replace("wordpress.units", "wordpress.unit");
    assert_eq!(mistakes(&world).len(), 1, "{:?}", mistakes(&world));
    // An own claim that is wrong still exists, so an expectation of it is not reported.
    let own = format!("{BUG}[own.mine]\nalways = \"1 +\"\n[claims]\nmine = \"violated\"\n");
    assert_eq!(mistakes(&own).len(), 1, "{:?}", mistakes(&own));
    // A finding needs a violated claim.
    let finding = "finding = { severity = \"lost\", sentence = \"It is.\" }\n";
    let text = format!("{finding}{BUG}[claims]\n\"a Dyng unit is removed\" = \"violated\"\n");
    assert_eq!(mistakes(&text).len(), 1, "{:?}", mistakes(&text));
    let both = world.replace("leave-scope.1", "leave-scop.1");
    assert_eq!(mistakes(&both).len(), 2, "clauses are the same in every world");
}

#[test]
fn every_wrong_line_of_a_script_is_told() {
    let script = "steps = \"\"\"\nclient: destroy-unt wordpress/0\nclient: destroy-unit mysql/0\n\
                  client: destroy-unit mysql/7\n\"\"\"\n";
    let found = mistakes(&format!("{script}{BUG}"));
    let lines: Vec<&str> = found.iter().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(lines, ["2", "4"], "{found:?}");
}

#[test]
fn ten_mistakes_are_told_and_the_others_counted() {
    let mut text = format!("{BUG}[claims]\n");
    for number in 0..13 {
        writeln!(text, "\"claim {number}\" = \"holds\"").expect("it takes any text");
    }
    let found = mistakes(&text);
    assert_eq!(found.len(), 11, "{found:?}");
    assert_eq!(found[10], "and 3 more mistakes in a.toml");
    assert!(found[9].contains("claim 9"), "{found:?}");
}

/// The message for a common mistake contains the remedy, in words that can be written.
#[test]
fn a_remedy_is_told_in_words_to_be_written() {
    let own =
        |text: &str| format!("{BUG}[own.mine]\neach = \"application\"\nalways = \"{text}\"\n");
    let steps = "shows = \"A test.\"\n[world]\nsteps = \"run all\"\n".to_owned();
    let script = |steps: &str| format!("steps = \"{steps}\"\n{}", BUG.trim_start());
    let user = |key: &str| BUG.replace("[faults]", &format!("{key} = 1\n[faults]"));
    for (text, told) in [
        (own("it.relations > 0"), "write `it.exists && …` before this"),
        (steps, "it belongs above the first [table]"),
        (script("user: destroy-machine 1 => refused: not dead"), "did you mean `it is not Dead`?"),
        (script("provisioner: begin start-instance 2"), "this is done without `begin`"),
        (user("\"destroi-unit wordpress/0\""), "did you mean `destroy-unit`?"),
    ] {
        let folder = Folder::new().with("a.toml", text);
        folder.run("check a.toml").code(NOT_ASKED).stderr(says(told));
    }
    let folder = Folder::new().with("a.toml", BUG);
    let claim = ["check", "a.toml", "--claim", "a Dying relation is remov"];
    let told = "did you mean `a Dying relation is removed`";
    folder.command(&claim).assert().code(NOT_ASKED).stderr(says(told));
    let line = "assume a.toml --variants relation-trackin";
    folder.run(line).code(NOT_ASKED).stderr(says("did you mean `relation-tracking`?"));
}

/// A command has one spelling in `[user]` and one in scripts, and each is accepted in both.
#[test]
fn a_command_that_forces_is_understood_by_either_name() {
    let world = |user: &str, step: &str| {
        format!(
            "shows = \"A machine is destroyed by force.\"\nsteps = \"\"\"\nuser: {step}\n\"\"\"\n\
             world.machines = {{ 0 = {{ jobs = [\"manage-model\"] }}, 1 = {{}} }}\n\
             user.\"{user}\" = 1\nclaims = {{}}\n"
        )
    };
    let names = ["destroy-machine --force 1", "force-destroy-machine 1"];
    for (user, step) in names.iter().flat_map(|user| names.iter().map(move |step| (user, step))) {
        let folder = Folder::new().with("a.toml", world(user, step));
        let replayed = folder.run("replay a.toml");
        replayed.stdout(says("user: force-destroy-machine 1"));
    }
}

/// The same for commands with constraints as an option.
#[test]
fn a_command_with_constraints_is_understood_by_either_name() {
    let world = |user: &str, step: &str| {
        format!(
            "shows = \"An application is deployed with constraints.\"\nsteps = \"\"\"\nuser: {step}\n\
             \"\"\"\ndetail = {{ constraints = true }}\nworld.constraints = [\"mem=2G\"]\n\
             world.applications.mysql = {{ exists = false, most-units = 1 }}\n\
             user.\"{user}\" = 1\nclaims = {{}}\n"
        )
    };
    let users = ["deploy mysql 0 --constraints mem=2G", "deploy-constrained mysql 0 mem=2G"];
    let steps = ["deploy mysql --constraints mem=2G", "deploy-constrained mysql mem=2G"];
    for (user, step) in users.iter().flat_map(|user| steps.iter().map(move |step| (user, step))) {
        let folder = Folder::new().with("a.toml", world(user, step));
        let replayed = folder.run("replay a.toml").code(AS_EXPECTED);
        replayed.stdout(says("user: deploy-constrained mysql mem=2G"));
    }
}
