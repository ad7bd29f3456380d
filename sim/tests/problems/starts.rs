//! Bad starts: what cannot be set, and rows that disagree.

use super::{MIXED, bad, diagnostics, plain};

/// A world of split transactions with crashes and a command, whose start is stated.
fn start(lines: &str) -> String {
    format!(
        "shows = \"A test.\"\n[world]\ntransactions = \"split\"\n{MIXED}[faults]\ncrash = true\n\
         downtime = true\nhook-failure = true\n[user]\n\"deploy mysql 1\" = 1\n[start]\n{lines}\n"
    )
}

#[test]
fn what_cannot_be_set_is_refused() {
    let _plain = plain();
    let huge = u64::from(u32::MAX) + 1;
    insta::assert_snapshot!(diagnostics([
        ("an unknown field", start("lives = []")),
        ("a field that is no table", start("units = 2")),
        ("nobody's field", start("units.drupal = 1")),
        ("another's field", start("units.\"wordpress/0\" = 1")),
        ("a wrong kind", start("units.wordpress = \"two\"")),
        ("a negative count", start("units.wordpress = -1")),
        ("a count beyond its bound", start("units.wordpress = 5")),
        ("a count beyond all bounds", start(&format!("units.wordpress = {huge}"))),
        ("a life twice", start("dying = [\"mysql\"]\nalive = [\"mysql\"]")),
        ("a field of nothing", start("units.mysql = 0")),
        ("a unit in a scope of others", start("in-scope.\"wordpress:cluster\" = [\"logging/0\"]")),
        ("a principal of another kind", start("subordinates.\"wordpress/0\" = [\"wordpress/1\"]")),
        ("a principal of itself", start("placement.\"wordpress/0\" = \"wordpress/0\"")),
        ("a container that is none", start("containers.1 = [\"0/lxc/0\"]")),
        ("a state that it is never in", start("charm.\"wordpress/0\" = \"failed\"")),
        ("a failure that nobody ends", start("hardware.0 = \"silent\"")),
        ("no such state", start("hardware.0 = \"broken\"")),
        ("what follows from others", start("deployed.0 = [\"wordpress/0\"]")),
        ("a transaction", start("pending.\"wordpress/0\" = \"set-unit-dead wordpress/0\"")),
        ("a user's transaction", start("pending.user = \"destroy-unit wordpress/0\"")),
        ("an aborted transaction", start("aborts.user = 1")),
        ("the rest of no command", start("units.user = 1")),
        ("more than a command has", start("application.user = \"mysql\"\nunits.user = 2")),
        ("an unknown command", start("given.user = { \"deploy mysql\" = 1 }")),
        ("a command too often", start("given.user = { \"deploy mysql 1\" = 2 }")),
        ("a command far too often", start("given.user = { \"deploy mysql 1\" = 300 }")),
        ("an unknown cleanup", start("cleanups = [\"force unit drupal/0\"]")),
        ("an upgrade without neglect", start("upgraded.agents = true")),
        ("what is meant", start("dead = [\"wordpress/0\"]\ninconsistent = \"yes\"")),
    ]));
}

#[test]
fn rows_that_disagree_are_told() {
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("a wrong count", start("units.wordpress = 1")),
        ("a document that goes alone", start("gone = [\"wordpress/1\"]")),
        ("a list that is not kept both ways", start("principals.1 = []")),
        ("a Dead unit in scope", start("dead = [\"wordpress/0\"]")),
        ("an instance without id", start("instance.0 = false")),
        ("no hardware below agents", start("hardware.\"0/lxc/0\" = \"absent\"")),
        ("a container without host", start("hardware.0 = \"absent\"\ninstance.0 = false")),
        ("an agent on no machine", start("deployed-by.\"wordpress/1\" = \"1\"")),
        ("an agent that is nowhere", start("hook-error.\"wordpress/1\" = \"wordpress:cluster\"")),
        ("a directory of nobody", start("directory.\"wordpress:cluster\" = [\"wordpress/2\"]")),
        (
            "a name that says no",
            start("inconsistent = false\ncount-in-scope.\"wordpress:cluster\" = 0")
        ),
    ]));
    let meant = start("inconsistent = true\nunits.wordpress = 1\ndead = [\"wordpress/0\"]");
    crate::common::good(&meant);
    let problem = bad(&start("inconsistent = true\nunits.wordpress = 99"));
    assert_eq!(problem.to_string(), "`units` of application wordpress is never this in this world");
}
