//! Rules of a scenario's own: their effects, and that no short cut ignores them.

mod compare;

pub(crate) use compare::drawn;
use compare::{RuleTally, compare};

use crate::{
    clusters::compare::{self as clusters, ClusterTally, connected},
    common::good,
};

/// The number of random worlds, and the greatest number of states of one.
const DRAWN: u64 = 40;
const SMALL: u64 = 1_500;

#[test]
fn every_short_cut_agrees_with_the_long_way_where_rules_were_drawn() {
    let mut tally = RuleTally::default();
    for seed in 0..DRAWN {
        compare(seed, SMALL, &mut tally).unwrap_or_else(|problem| panic!("{problem}"));
    }
    assert!(tally.worlds >= 20, "{tally:?}");
    assert!(tally.applied * 3 > tally.worlds, "{tally:?}");
    assert!(tally.reduced > 0, "{tally:?}");
}

#[test]
fn several_processes_answer_as_one_where_rules_were_drawn() {
    let (clusters, mut tally) = ([connected(2)], ClusterTally::default());
    for seed in 0..12 {
        let compared = clusters::compare(good(&drawn(seed)), 400, &clusters, &mut tally);
        compared.unwrap_or_else(|problem| panic!("{problem}"));
    }
    assert!(tally.worlds >= 4, "{tally:?}");
}

/// Rules are numbered by name, so a file whose tables are written in another order has the same
/// clauses.
#[test]
fn a_rule_keeps_its_number_wherever_it_stands() {
    let rules = [
        "[rule.b]\nonly = \"set-unit-dead\"\nwhen = 'true'\n",
        "[rule.a]\nonly = \"remove-unit\"\nwhen = 'true'\n",
    ];
    let named = |rules: &[&str]| -> Vec<String> {
        let world = "shows = \"A test.\"\n[world.applications]\nwordpress = {}\n";
        let scenario = good(&format!("{world}{}", rules.concat()));
        scenario
            .world
            .own_rules
            .clauses()
            .map(|(clause, name)| format!("{clause} {name}"))
            .collect()
    };
    assert_eq!(named(&rules), ["rule.1 a", "rule.2 b"]);
    assert_eq!(named(&rules), named(&[rules[1], rules[0]]));
}

/// A rule that adds a duty makes claims about its act possible, even if no user may do it: they are
/// not vacuous.
#[test]
fn what_a_rule_can_do_is_not_vacuous() {
    let world = "shows = \"A test.\"\n[world.applications]\nwordpress = { units = [\"1\"] }\n[claims]\n\
                 \"a Dying machine is removed\" = \"holds\"\n";
    let rule = "[rule.goes]\nactor = \"machine-agent\"\neach = \"machine\"\n\
                when = 'it.life == \"alive\"'\nact = \"destroy-machine {it}\"\n";
    let is_vacuous = |text: &str| {
        let scenario = good(text);
        scenario.vacuous.iter().any(|(claim, _)| claim.name == "a Dying machine is removed")
    };
    assert!(is_vacuous(world));
    assert!(!is_vacuous(&format!("{world}{rule}")));
}
