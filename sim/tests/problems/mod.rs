//! Bad input: for every file that is no scenario, the problem has a position and says what was
//! expected.

mod provisioned;
mod scripts;
mod starts;

use std::fmt::Write as _;

use deathwatch_scenario::replay;

use crate::common::{MIXED, PAIR, bad, parse, render};

/// Snapshots without the expression that made them.
fn plain() -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind_to_scope()
}

/// The diagnostics for bad scenarios, each below its heading.
fn diagnostics<'a>(sources: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut text = String::new();
    for (what, source) in sources {
        let problem = match parse(&source) {
            Err(problem) => problem,
            Ok(scenario) => replay(&scenario).expect_err(what).problem,
        };
        assert!(problem.line_column().is_some(), "{what}: no place");
        let place = problem.position().expect("there is one");
        let _ = write!(text, "## {what} ({place})\n{}\n", render(&problem));
    }
    text
}

/// A scenario with `table` after a good beginning.
fn with(table: &str) -> String {
    format!("shows = \"A test.\"{PAIR}{table}\n")
}

fn world(tables: &str) -> String {
    format!("shows = \"A test.\"\n{tables}\n")
}

fn machines(lines: &str) -> String {
    world(&format!("[world.machines]\n{lines}"))
}

fn applications(lines: &str) -> String {
    machines(&format!(
        "0 = {{}}\n1 = {{ jobs = [] }}\n2 = {{ exists = false }}\n[world.applications]\n{lines}"
    ))
}

fn relations(lines: &str) -> String {
    applications(&format!(
        "wordpress = {{ units = [\"0\"], most-units = 2 }}\nmysql = {{}}\nhaproxy = {{ exists = false }}\n\
         logging = {{ subordinate = true }}\n[world.relations]\n{lines}"
    ))
}

#[test]
fn a_file_that_is_no_scenario_is_refused() {
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("an empty file", String::new()),
        ("a blank file", "\n \n".into()),
        ("no TOML", "shows: A test.".into()),
        ("an unclosed string", "shows = \"A test.".into()),
        ("an unclosed script", format!("shows = 'A test.'\nsteps = \"\"\"\nclient: x\n{PAIR}")),
        ("an unclosed table", with("[user")),
        ("an unknown key", with("[world]\ntrie = 3")),
        ("an unknown key at the top", format!("witness = []\n{}", with(""))),
        ("an unknown key in a line", machines("0 = { job = [] }")),
        ("a wrong type", machines("0 = { host = 1 }")),
        ("a wrong type of a table", world("world = 3")),
        ("a wrong word", machines("0 = { jobs = [\"host-unit\"] }")),
        ("a key given twice", machines("0 = {}\n0 = {}")),
        ("no sentence", PAIR.into()),
        ("an empty sentence", format!("shows = ''{PAIR}")),
        ("no world", "shows = \"A test.\"".into()),
        ("a control character", with("# \u{1b}[31m")),
        ("numbers for names", with("[faults]\nhardware-failure = [1]")),
        ("a word for a list", with("[faults]\nhardware-failure = \"1\"")),
    ]));
}

#[test]
fn a_world_that_cannot_be_is_refused() {
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("a bound of zero", machines("[world]\ntries = 0")),
        (
            "unit hooks that fail and are not there",
            machines("[world]\nhooks = false\n[faults]\nunit-hook-failure = true")
        ),
        ("a huge bound", applications("wordpress = { most-units = 1000000 }")),
        (
            "a huge bound in sum",
            applications("a = { most-units = 60000 }\nb = { most-units = 60000 }")
        ),
        ("no place", applications("wordpress = { most-units = 0 }")),
        ("too few places", applications("wordpress = { units = [\"0\", \"0\"], most-units = 1 }")),
        ("a machine's name", machines("zero = {}")),
        ("an unknown host", machines("0 = {}\n\"0/lxc/0\" = { host = \"1\" }")),
        ("a container of itself", machines("0 = { host = \"0\" }")),
        (
            "containers in a circle",
            machines(
                "3 = { host = \"0\" }\n0 = { host = \"1\" }\n1 = { host = \"2\" }\n2 = { host = \"0\" }"
            )
        ),
        ("an absent host", machines("0 = { exists = false }\n1 = { host = \"0\" }")),
        ("an instance without a machine", machines("0 = { exists = false, provisioned = true }")),
        (
            "an instance in none",
            machines("0 = { provisioned = false }\n1 = { host = \"0\", provisioned = true }")
        ),
        ("an application's name", applications("\"word press\" = {}")),
        ("an unknown machine", applications("wordpress = { units = [\"7\"] }")),
        ("a machine for no units", applications("wordpress = { units = [\"1\"] }")),
        ("an absent machine", applications("wordpress = { units = [\"2\"] }")),
        ("units of nothing", applications("wordpress = { exists = false, units = [\"0\"] }")),
        (
            "subordinates on a machine",
            applications("wordpress = { subordinate = true, units = [\"0\"] }")
        ),
        (
            "principals with one",
            applications("a = { units = [\"0\"] }\nb = { subordinates = [\"a/0\"] }")
        ),
        (
            "a principal twice",
            applications(
                "a = { units = [\"0\"] }\nb = { subordinate = true, subordinates = [\"a/0\", \"a/0\"] }"
            )
        ),
        (
            "an absent principal",
            applications(
                "a = { most-units = 1 }\nb = { subordinate = true, subordinates = [\"a/0\"] }"
            )
        ),
        (
            "a subordinate's subordinate",
            applications(
                "a = { units = [\"0\"] }\nb = { subordinate = true, subordinates = [\"a/0\"] }\nc = { subordinate = true, subordinates = [\"b/0\"] }"
            )
        ),
        ("no endpoint", relations("wordpress = {}")),
        ("three endpoints", relations("\"wordpress:a mysql:b logging:c\" = {}")),
        ("an unknown application", relations("\"wordpress:db mysq:server\" = {}")),
        ("two endpoints of one", relations("\"wordpress:a wordpress:b\" = {}")),
        (
            "a relation twice",
            relations("\"wordpress:a mysql:b\" = {}\n\"mysql:b wordpress:a\" = {}")
        ),
        ("an absent application", relations("\"wordpress:a haproxy:b\" = {}")),
        (
            "a container of principals",
            relations("\"wordpress:a mysql:b\" = { scope = \"container\" }")
        ),
        ("a container of peers", relations("\"wordpress:a\" = { scope = \"container\" }")),
        ("an unknown scope", relations("\"wordpress:a mysql:b\" = { scope = \"peer\" }")),
        ("an absent unit in scope", relations("\"wordpress:a\" = { entered = [\"wordpress/1\"] }")),
        ("a stranger in scope", relations("\"mysql:a\" = { entered = [\"wordpress/0\"] }")),
        (
            "a scope of nothing",
            relations("\"wordpress:a\" = { exists = false, entered = [\"wordpress/0\"] }")
        ),
    ]));
}

#[test]
fn patterns_that_stand_for_nothing_are_refused() {
    let user = |line: &str| with(&format!("[user]\n{line}"));
    let mixed = |table: &str| format!("shows = \"A test.\"{MIXED}{table}");
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("a range that is backwards", machines("\"9..=1\" = {}")),
        ("a range without its end", machines("\"1..9\" = {}")),
        ("a range that is open", machines("\"1..\" = {}")),
        ("a range of containers", machines("\"1/lxc/0..=9\" = {}")),
        ("a range of odd numbers", machines("\"01..=9\" = {}")),
        ("a range too large", machines("\"0..=100000\" = {}")),
        ("a range beyond all numbers", machines("\"0..=99999999999\" = {}")),
        ("ranges too large in sum", machines("\"1..=60000\" = {}\n\"60001..=120000\" = {}")),
        ("ranges that overlap", machines("\"1..=10\" = {}\n\"8..=12\" = {}")),
        ("a range over a machine", machines("5 = {}\n\"1..=10\" = {}")),
        ("a range of a missing machine", applications("wordpress = { units = [\"0..=3\"] }")),
        ("a range of units that is backwards", applications("a = { units = [\"3..=0\"] }")),
        (
            "ranges of units too large in sum",
            format!(
                "{}[world.applications]\na = {{ units = [\"1..=60000\", \"1..=60000\"] }}",
                machines("\"1..=60000\" = {}")
            )
        ),
        ("a fault in a range", with("[faults]\nhardware-failure = [\"1..=7\"]")),
        ("faults in two ranges", with("[faults]\nhardware-failure = [\"0..=1\", \"1..=2\"]")),
        ("a scope of no units", relations("\"mysql:cluster\" = { entered = [\"mysql/*\"] }")),
        (
            "a scope of an unknown application",
            relations("\"mysql:cluster\" = { entered = [\"mysq/*\"] }")
        ),
        (
            "a scope of units twice",
            relations("\"wordpress:a\" = { entered = [\"wordpress/*\", \"wordpress/0\"] }")
        ),
        (
            "a scope of an application twice",
            relations("\"wordpress:a\" = { entered = [\"wordpress/*\", \"wordpress/*\"] }")
        ),
        ("units of an unknown application", user("\"destroy-unit mysq/*\" = 1")),
        ("any subordinate", mixed("[user]\n\"destroy-unit --force logging/*\" = 1")),
        ("any relation of none", format!("{}[user]\n\"integrate *\" = 1", machines("0 = {}"))),
        ("any application deployed", user("\"deploy * 1\" = 1")),
    ]));
}

#[test]
fn too_many_machines_are_refused() {
    let lines: String =
        (0..=100_000).fold(String::new(), |lines, id| lines + &format!("{id} = {{}}\n"));
    let problem = bad(&machines(&lines));
    assert_eq!(problem.to_string(), "there can be at most 100000 machines");
    assert_eq!(problem.line_column(), Some((100_003, 1)));
    let deep = (1..100).fold("0 = {}\n".to_owned(), |lines, id| {
        lines + &format!("{id} = {{ host = \"{}\" }}\n", id - 1)
    });
    let problem = bad(&machines(&deep));
    assert_eq!(problem.to_string(), "containers nest too deeply");
}

#[test]
fn commands_and_clauses_that_do_not_exist_are_refused() {
    let user = |line: &str| with(&format!("[user]\n{line}"));
    let mixed = |table: &str| format!("shows = \"A test.\"{MIXED}{table}");
    let charmed = |charm: &str, on: &str| {
        format!(
            "shows = \"A test.\"\n[detail]\n{on}\n[world.machines]\n0 = {{}}\n\
             [world.applications]\nwordpress = {{ units = [\"0\"], {charm} }}\n"
        )
    };
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("no command", user("\"remove-unit wordpress/0\" = 1")),
        ("never", user("\"destroy-unit wordpress/0\" = 0")),
        ("no users", user("sessions = 0")),
        ("users without number", user("sessions = \"unlimited\"")),
        ("too often", user("\"destroy-unit wordpress/0\" = 256")),
        ("not how often", user("\"destroy-unit wordpress/0\" = \"always\"")),
        ("an unknown unit", user("\"destroy-unit wordpress/7\" = 1")),
        ("an unknown unit by force", user("\"destroy-unit --force wordpres/0\" = 1")),
        ("nothing named", user("destroy-machine = 1")),
        ("no number of units", user("\"deploy wordpress\" = 1")),
        ("no such number of units", user("\"deploy wordpress many\" = 1")),
        ("too many units", user("\"deploy wordpress 3\" = 1")),
        ("a command twice", user("\"deploy wordpress 1\" = 1\n\"deploy wordpress 2\" = 1")),
        ("a subordinate's user", mixed("[user]\n\"destroy-unit logging/0\" = 1")),
        ("a subordinate by force", mixed("[user]\n\"destroy-unit --force logging/0\" = 1")),
        ("units of a subordinate", mixed("[user]\n\"add-unit logging\" = 1")),
        ("units deployed with one", mixed("[user]\n\"deploy logging 1\" = 1")),
        ("a peer relation's user", mixed("[user]\n\"destroy-relation wordpress:cluster\" = 1")),
        ("an unknown variant", with("[variants]\nrelation-trackin = \"remote-scope\"")),
        ("an unknown value", with("[variants]\nrelation-tracking = \"remote\"")),
        ("an unknown detail", with("[detail]\nhook = true")),
        ("a detail without its need", with("[detail]\ncharm = true")),
        ("a command of a detail", user("\"upgrade-charm --force wordpress\" = 1")),
        ("details that exclude each other", with("[detail]\nhooks = true\nworkflow = true")),
        ("hooks without a detail", charmed("hooks = []", "")),
        ("upgrades without a detail", charmed("may-fail = [\"upgrade-charm\"]", "hooks = true")),
        ("ports without a detail", charmed("open-port = [\"start\"]", "hooks = true")),
        ("failing starts without a detail", with("[faults]\nstart-failure = true")),
        ("no starts without a detail", charmed("", "[world.machines.7]\nnever-starts = true")),
        ("a detail that is neither on nor off", with("[detail]\nhooks = \"on\"")),
        ("an unknown machine", with("[faults]\nhardware-failure = [\"1\", \"one\"]")),
        ("a machine twice", with("[faults]\nhardware-failure = [\"1\", \"1\"]")),
        ("an unknown rule", format!("rules = [\"remove-units.4\"]\n{}", with(""))),
        ("an unknown clause", format!("witnesses = [\"remove-unit.9\"]\n{}", with(""))),
        (
            "a witness twice",
            format!("witnesses = [\"leave-scope\", \"leave-scope.1\"]\n{}", with(""))
        ),
        ("a rule that is no clause", with("[switch-off]\nclauses = [\"leave-scope\"]")),
        ("a duty without asserts", with("[switch-off]\nasserts = [\"unit-agent.9\"]")),
        ("a clause that is no duty", with("[switch-off]\nneglected = [\"leave-scope.1\"]")),
        ("a duty that only prevents", with("[switch-off]\nneglected = [\"unit-agent.16\"]")),
        ("no agent's", with("[switch-off]\nneglected = [\"operator.1\"]")),
        ("an answer", with("[claims]\nall = \"true\"")),
        ("a bad assumption", with("[assume]\nper = \"unit\"")),
        ("nothing that could be hidden", with("[check]\nrefines = true")),
        ("a negative count", with("[check]\nstates = -1")),
    ]));
    let problem = bad(&with("[claims]\n\"pigs fly\" = \"holds\""));
    assert_eq!(problem.to_string(), "no such claim: `pigs fly`");
    assert_eq!(problem.line_column(), Some((12, 1)));
}
