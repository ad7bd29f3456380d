//! Bad scripts and expectations: steps that cannot be read, steps that are not possible, and
//! expectations of nothing.

use super::{diagnostics, plain, with};
use crate::common::{PAIR, good};

fn steps(lines: &str) -> String {
    format!("shows = \"A test.\"\nsteps = \"\"\"\n# A comment.\n\n  {lines}\n\"\"\"{PAIR}")
}

#[test]
fn expectations_of_nothing_are_refused() {
    let expect = |line: &str| with(&format!("[expect]\n{line}"));
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("an unknown name", expect("gone = [\"wordpress/9\"]")),
        ("two fates", expect("gone = [\"wordpress/0\"]\nalive = [\"mysql\", \"wordpress/0\"]")),
        ("an unknown application", expect("units = { wordpres = 1 }")),
        ("no count", expect("relations = { wordpress = \"one\" }")),
        ("an unknown relation", expect("in-scope = { \"wordpress:db\" = [] }")),
        (
            "an unknown unit",
            expect("in-scope = { \"wordpress:db mysql:server\" = [\"wordpress\"] }")
        ),
        ("an unknown cleanup", expect("cleanups = [\"setting of wordpress:db mysql:server\"]")),
        ("a cleanup of nothing", expect("cleanups = [\"force unit wordpress/4\"]")),
    ]));
}

#[test]
fn steps_that_do_not_parse_are_reported_with_their_positions() {
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("no action", steps("remove everything")),
        ("no actor", steps("janitor: commit")),
        ("no such agent", steps("unit-agent wordpress/9: commit")),
        ("no verb", steps("client: remove wordpress/0")),
        ("no verb but nearly", steps("client: destroy-units wordpress/0")),
        ("no unit", steps("client: destroy-unit wordpres/0")),
        ("nothing named", steps("client: destroy-unit")),
        ("a word too many", steps("client: destroy-unit wordpress/0 now")),
        ("no relation", steps("client: destroy-relation wordpress:db")),
        ("no such client", steps("client 8: commit")),
        ("no outcome", steps("client: destroy-unit wordpress/0 => fine")),
        ("no reason", steps("client: destroy-unit wordpress/0 => refused: it has unit")),
        ("no clause", steps("client: destroy-unit wordpress/0 => aborted: destroy-unit.9")),
        ("no name of a clause", steps("client: destroy-unit wordpress/0 => aborted:")),
        ("a duty", steps("client: destroy-unit wordpress/0 => aborted: unit-agent.9")),
        ("an agent's act by a client", steps("client: recall-unit wordpress/0")),
        (
            "on one line",
            format!("shows = \"A test.\"\nsteps = \"client: destroy-unit wordpress/7\"{PAIR}")
        ),
        (
            "after escapes",
            format!(
                "shows = \"A test.\"\nsteps = \"# \\u00e9\\nclient: destroy-unit wordpress/7\"{PAIR}"
            )
        ),
        ("with foreign line ends", steps("client: destroy-unit wordpress/7").replace('\n', "\r\n")),
    ]));
}

#[test]
fn impossible_steps_are_reported_with_the_possible_ones() {
    let split = |lines: &str| format!("{}[world]\ntransactions = \"split\"\n", steps(lines));
    let _plain = plain();
    insta::assert_snapshot!(diagnostics([
        ("not yet", steps("unit-agent wordpress/0: set-unit-dead wordpress/0")),
        (
            "another one",
            steps(
                "client: destroy-unit wordpress/0\n  unit-agent wordpress/0: set-unit-dead wordpress/0"
            )
        ),
        ("not allowed", steps("user: destroy-unit wordpress/0")),
        (
            "atomic",
            steps(
                "client: destroy-application mysql\n  unit-agent mysql/0: begin destroy-unit mysql/0"
            )
        ),
        (
            "split",
            split("client: destroy-application mysql\n  unit-agent mysql/0: destroy-unit mysql/0")
        ),
        ("nothing pending", split("client 1: commit")),
        (
            "one at a time",
            split("client: begin destroy-unit mysql/0\n  client: begin destroy-unit mysql/0")
        ),
        ("no such fault", steps("faults: crash unit-agent mysql/0")),
    ]));
}

#[test]
fn a_byte_order_mark_does_no_harm() {
    let scenario = good(&format!("\u{feff}{}", steps("client: destroy-unit wordpress/0")));
    assert_eq!(scenario.steps[0].line, 5);
    let span = scenario.steps[0].span.clone();
    assert_eq!(&scenario.source()[span], "client: destroy-unit wordpress/0");
}
