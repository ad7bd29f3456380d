//! Counterexamples as regression tests: as expected while the bug exists, and unexpected once it is
//! fixed.

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, BUG, CYCLE, Folder, NOT_ASKED, UNEXPECTED, bug_not_known};

const TRACE: &str = "a-dying-relation-is-removed.toml";
const NAME: &str = "\"a Dying relation is removed\"";

#[test]
fn a_run_that_ends_stuck_is_one() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    folder.run("check bug.toml --write-traces found").code(UNEXPECTED);
    let text = folder.read(&format!("found/bug/{TRACE}"));
    assert!(text.contains("\nrun all => no-op\n"), "{text}");
    let violated = predicate::str::contains(format!("violated as expected: {NAME}"));
    folder.run("check found --verbose").code(AS_EXPECTED).stdout(violated);
    folder.run("replay found").code(AS_EXPECTED);
    let fixed = format!("{text}[variants]\nrelation-tracking = \"remote-scope\"\n");
    let folder = folder.with("fixed.toml", fixed);
    let wrong = predicate::str::contains("but expected to be violated");
    folder.run("check fixed.toml").code(UNEXPECTED).stdout(wrong);
    let acts = predicate::str::contains("expected no-op, but there was something to do");
    folder.run("replay fixed.toml").code(UNEXPECTED).stdout(acts);
}

#[test]
fn a_run_that_goes_round_for_ever_is_one_with_its_loop() {
    let folder = Folder::new().with("cycle.toml", CYCLE);
    folder.run("check cycle.toml --write-traces found").code(UNEXPECTED);
    let text = folder.read(&format!("found/cycle/{TRACE}"));
    let again = predicate::str::contains("in the script:")
        .and(predicate::str::contains("and then, again and again:"));
    folder.run("check found --verbose").code(AS_EXPECTED).stdout(again);
    let around = predicate::str::contains("# and this again and again:");
    folder.run("replay found").code(AS_EXPECTED).stdout(around);
    let cycle = predicate::str::contains("\"is\": \"cycle\"");
    folder.run("replay found --format json").code(AS_EXPECTED).stdout(cycle);
    let fair = |more: &str| text.clone() + more;
    let folder = folder
        .with("duties.toml", fair("[assume]\nper = \"duty\"\nstrong = true\n"))
        .with("back.toml", text.replace("loop = \"\"\"\nuser: integrate", "loop = \"\"\"\n# user: integrate"))
        .with("short.toml", text.replace("unit-agent wordpress/0: leave-scope wordpress/0 wordpress:web mysql:admin\n\"\"\"\n\n", "\"\"\"\n\n"));
    let unfair = predicate::str::contains("the loop is not fair: unit-agent wordpress/0");
    folder.run("check duties.toml").code(UNEXPECTED).stdout(unfair.clone());
    folder.run("replay duties.toml").code(UNEXPECTED).stdout(unfair);
    let cut = predicate::str::contains("line 11: not possible: refused: it does not exist");
    folder.run("check back.toml").code(UNEXPECTED).stdout(cut);
    let open = predicate::str::contains("the loop does not lead back to where it begins");
    folder.run("check short.toml").code(UNEXPECTED).stdout(open);
}

#[test]
fn a_claim_of_the_scenarios_own_is_kept_with_it() {
    let own = "[own.\"it is removed\"]\neach = \"relation\"\n\
               leads = { from = \"it.life == 'dying'\", to = \"it.life == 'gone'\" }\n";
    let folder = Folder::new().with("bug.toml", format!("{BUG}{own}"));
    folder.run("check bug.toml --write-traces found").code(UNEXPECTED);
    let violated = predicate::str::contains("violated as expected: \"it is removed\"");
    folder.run("check found --verbose").code(AS_EXPECTED).stdout(violated);
}

#[test]
fn a_counterexample_can_be_written_where_it_is_shown() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let line = "replay bug.toml --counterexample --write-scenario";
    folder.run(&format!("{line} found.toml")).code(UNEXPECTED);
    folder.run("check found.toml").code(AS_EXPECTED);
    folder.run(&format!("{line} found.toml")).code(NOT_ASKED);
    folder.run("replay bug.toml --write-scenario other.toml").code(NOT_ASKED);
    folder.run("replay bug.toml --counterexample --write-end end.toml").code(NOT_ASKED);
    assert_eq!(folder.names(), ["bug.toml", "found.toml"]);
}

#[test]
fn the_step_that_made_the_cause_is_told() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("cycle.toml", CYCLE);
    let since = predicate::str::contains("held by unit wordpress/0 since step ")
        .or(predicate::str::contains("held by unit mysql/0 since step "));
    folder.run("check bug.toml").code(UNEXPECTED).stdout(since);
    let data = predicate::str::contains("\"since\": ");
    folder.run("replay bug.toml --counterexample --format json").stdout(data);
    let busy = predicate::str::contains("kept-busy");
    folder.run("replay cycle.toml --counterexample --format json").stdout(busy);
}

#[test]
fn the_page_of_a_shrunk_run_goes_where_it_is_to_go_and_to_its_end() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    let found = (0..60).find(|seed| {
        let line = format!("shrink bug.toml --seed {seed} --format html --output page.html");
        folder.run(&line).get_output().status.code() == Some(AS_EXPECTED)
    });
    let seed = found.expect("some seed violates the claim");
    assert!(folder.read("page.html").starts_with("<!DOCTYPE html>"));
    folder.run(&format!("shrink bug.toml --seed {seed} --output small.toml")).success();
    folder.run("check small.toml").code(AS_EXPECTED);
}

#[test]
fn a_condition_may_begin_with_a_minus() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    folder.command(&["ask", "bug.toml", "--always", "-1 < size(units)"]).assert().success();
}

#[test]
fn each_claim_has_a_file_whatever_it_is_called() {
    let world = "shows = \"Claims whose names are alike.\"\n\
                 world.applications.wordpress = { units = [\"1\"] }\n\
                 user.\"destroy-unit wordpress/0\" = 1\n";
    let long = "x".repeat(300);
    let names = ["a+b", "a b", "ä", "ö", "a dead unit is removed", &long];
    let claim = |name: &&str| format!("own.\"{name}\".always = 'units.all(u, u.exists)'\n");
    let claims: String = names.iter().map(claim).collect();
    let folder = Folder::new().with("alike.toml", format!("{world}{claims}"));
    folder.run("check alike.toml --write-traces found").code(UNEXPECTED);
    let files = std::fs::read_dir(folder.path("found/alike")).expect("a folder").count();
    assert_eq!(files, names.len());
    assert!(folder.path("found/alike/a-b.toml").exists(), "a plain name is the file's");
    folder.run("check found").code(AS_EXPECTED);
}

#[test]
fn a_seed_without_steps_is_a_script_that_says_so() {
    let text = "shows = \"A unit on a machine that is never provisioned.\"\n\
                switch-off.clauses = [\"provisioner.1\"]\n\
                world.machines = { 0 = { jobs = [\"manage-model\"] }, 1 = { provisioned = false }, 2 = {} }\n\
                world.applications.wordpress = { units = [\"1\"], deployed = false }\n\
                world.applications.mysql = { units = [\"2\"] }\n\
                world.relations.\"wordpress:db mysql:server\" = { entered = [\"mysql/0\"] }\n\
                claims.\"an Alive unit that is assigned is deployed\" = \"violated\"\n";
    let folder = Folder::new().with("never.toml", text);
    let seed = ["replay", "never.toml", "--seed", "0", "--write-scenario", "found.toml"];
    folder.command(&seed).assert().code(AS_EXPECTED);
    assert!(folder.read("found.toml").contains("run all => no-op"));
    folder.run("check found.toml").code(AS_EXPECTED);
}
