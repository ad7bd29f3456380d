//! Worlds with rules of a scenario's own: a rule treats all units alike, or the world is refused.

use deathwatch_claims::{
    Claim,
    check::{self, AnySizeAnswer, CheckAnswer},
};
use deathwatch_scenario::{Scenario, replay};

use super::{SETTINGS, closed, missing, question, refused};
use crate::common::good;

/// A machine goes with its last unit, and a unit of a Dying application stays Dying.
const RULES: &str = "\
    [rule.\"a machine goes with its last unit\"]\nactor = \"machine-agent\"\neach = \"machine\"\n\
    when = 'it.life == \"alive\" && it.hosts_units && size(it.principals) == 0'\n\
    act = \"destroy-machine {it}\"\n\
    [rule.\"units go only before their application\"]\nonly = \"set-unit-dead\"\n\
    each = \"unit\"\nwhen = 'application(it.application).life == \"alive\"'\n";

const CLAIMS: &str = "[own.\"a machine without units goes\"]\neach = \"machine\"\n\
    leads = { from = 'it.exists && it.hosts_units && size(it.principals) == 0', to = '!it.exists' }\n\
    [claims]\n\"a machine without units goes\" = \"holds\"\n\
    \"a Dying unit is removed\" = \"holds\"\n\"a Dying machine is removed\" = \"holds\"\n";

fn ruled(rules: &str, transactions: &str) -> Scenario {
    good(&format!(
        "shows = \"A test.\"\nworld.transactions = \"{transactions}\"\n\
         [world.applications]\nwordpress = {{ units = [\"1\", \"2\"] }}\n\
         [user]\n\"destroy-unit *\" = \"unlimited\"\n\
         \"destroy-application *\" = \"unlimited\"\n{rules}{CLAIMS}"
    ))
}

#[test]
fn a_rule_says_the_same_of_each_unit() {
    for transactions in ["atomic", "split"] {
        let scenario = ruled(RULES, transactions);
        for from in 1..=3 {
            let (all, missing) = missing(&scenario, &[from], &[from], 6_000);
            assert!(all > 10, "{transactions}: {all} with {from}");
            assert_eq!(missing, 0, "of {all} with {from}, {transactions}");
        }
        assert!(closed(&scenario, 1) > 100);
    }
}

/// A rule may compare a number of units with a constant.
#[test]
fn a_rule_may_compare_numbers_of_units() {
    let rule = "[rule.\"the last unit takes its application along\"]\nactor = \"cleaner\"\n\
                each = \"application\"\nwhen = 'it.exists && it.units == 1'\n\
                act = \"destroy-application {it}\"\n";
    let scenario = ruled(rule, "atomic");
    for (from, least) in [(1, 9), (2, 50), (3, 300), (4, 1_000)] {
        let (all, missing) = missing(&scenario, &[from], &[from], 6_000);
        assert!(all > least, "{all} with {from}");
        assert_eq!(missing, 0, "of {all} with {from}");
    }
    assert!(closed(&scenario, 1) > 100);
}

/// A comparison changes between two numbers, in whichever form it is written: `< 3` is `<= 2`, so
/// that as few hidden units as possible have to be counted.
#[test]
fn a_comparison_counts_equally_many_units_in_each_form() {
    let views = |when: &str| {
        let rule = format!(
            "[rule.\"an application of this size goes\"]\nactor = \"cleaner\"\n\
             each = \"application\"\nwhen = 'it.exists && {when}'\n\
             act = \"destroy-application {{it}}\"\n"
        );
        closed(&ruled(&rule, "atomic"), 1)
    };
    for forms in [
        ["it.units <= 2", "it.units < 3", "2 >= it.units", "3 > it.units"],
        ["it.units > 2", "it.units >= 3", "2 < it.units", "3 <= it.units"],
    ] {
        let counts = forms.map(views);
        assert_eq!(counts, [counts[0]; 4], "{forms:?}");
    }
}

#[test]
fn what_rules_change_is_answered_as_in_instances() {
    let of = |claim: &str, rules: &str| match claim {
        "a machine without units goes" => !rules.is_empty(),
        "a Dying unit is removed" => rules.is_empty(),
        _ => true,
    };
    for rules in ["", RULES] {
        let scenario = ruled(rules, "atomic");
        let claims: Vec<&'static Claim> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
        let start = replay(&scenario).expect("it has no script").state;
        let asked = question(&scenario.world, &start, &claims);
        let Ok(report) = check::check_any_size(&asked, &SETTINGS) else { panic!("a template") };
        let checked = check::check(&asked, &SETTINGS).expect("it is small");
        for ((claim, answer), finding) in report.answers.iter().zip(&checked.findings) {
            let violated = !of(claim.name, rules);
            let name = claim.name;
            assert_eq!(matches!(answer, AnySizeAnswer::Violated(_)), violated, "{name}, {rules}");
            assert_eq!(finding.answer == CheckAnswer::Violated, violated, "{name}, {rules}");
        }
    }
}

#[test]
fn a_rule_about_others_is_refused_with_the_reason() {
    let world = "[world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n2 = {}\n[world.applications]\n\
                 wordpress = { units = [\"1\"] }\nmysql = { units = [\"2\"] }\n[world.relations]\n\
                 \"wordpress:db mysql:server\" = {}\n[user]\n\"destroy-unit *\" = \"unlimited\"\n";
    for (rule, reason) in [
        (
            "only = \"set-unit-dead\"\nwhen = 'unit(\"mysql/0\").life == \"alive\"'\n",
            "the rule `mine` names a unit or machine of which there may be any number",
        ),
        (
            "only = \"set-unit-dead\"\nwhen = 'units.exists(u, u.life == \"alive\")'\n",
            "the rule `mine` asks what depends on how many units there are",
        ),
        (
            "only = \"set-unit-dead\"\neach = \"unit\"\n\
             when = 'size(relation(\"wordpress:db mysql:server\").in_scope) > 1'\n",
            "the rows `scope` of all units are read",
        ),
        (
            "actor = \"machine-agent\"\neach = \"machine\"\nwhen = 'size(it.placed) == 0'\n\
             act = \"destroy-machine {it}\"\n",
            "one reads a row of another: `unit` of wordpress/0",
        ),
        (
            "actor = \"cleaner\"\neach = \"application\"\nwhen = 'it.exists && it.units * 2 == 6'\n\
             act = \"destroy-application {it}\"\n",
            "it matters whether more than 3 other units are counted",
        ),
        (
            "actor = \"cleaner\"\neach = \"unit\"\nwhen = 'it.life == \"alive\"'\n\
             act = \"destroy-unit mysql/0\"\n",
            "the rule `mine` does something to another unit or machine",
        ),
        (
            "actor = \"cleaner\"\neach = \"application\"\nwhen = 'it.life == \"dying\"'\n\
             act = \"destroy-unit mysql/0\"\n",
            "the rule `mine` does something to another unit or machine",
        ),
    ] {
        refused(&format!("{world}[rule.mine]\n{rule}"), reason);
    }
}
