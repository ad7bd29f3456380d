//! Moves that concern all other processes: they ask whether some unit is Alive, or tell the others
//! that what is pending about a machine is lost.

use super::{SETTINGS, closed, missing, question};
use crate::common::good;
use deathwatch_claims::{
    Claim,
    check::{self, AnySizeAnswer},
};
use deathwatch_scenario::Scenario;

/// A world in which the cleaner destroys the units of a Dying application, and their agents do not.
/// It has no faults, as these would reach the states that a mistake would.
fn cleaned(transactions: &str, units: &str) -> Scenario {
    good(&format!(
        "shows = \"A test.\"\n[world]\ntransactions = \"{transactions}\"\n\
         [world.applications]\nwordpress = {{ units = [{units}] }}\n\
         [variants]\nunits-of-dying-application = \"agents-and-cleanup\"\n\
         [switch-off]\nclauses = [\"unit-agent.6\"]\n\
         [user]\n\"destroy-application wordpress\" = \"unlimited\"\n"
    ))
}

#[test]
fn whether_a_hidden_unit_is_alive_is_known() {
    for (transactions, from, least) in [
        ("atomic", 1, 9),
        ("atomic", 2, 80),
        ("atomic", 3, 500),
        ("atomic", 4, 3_000),
        ("split", 1, 15),
        ("split", 2, 200),
        ("split", 3, 2_000),
    ] {
        let scenario = cleaned(transactions, "\"1\", \"2\"");
        let (all, missing) = missing(&scenario, &[from], &[from], 20_000);
        assert!(all > least, "{transactions}: {all} with {from}");
        assert_eq!(missing, 0, "of {all} with {from}, {transactions}");
    }
    for (transactions, least) in [("atomic", 100), ("split", 1_000)] {
        let all = closed(&cleaned(transactions, "\"1\""), 1);
        assert!(all > least, "{transactions}: only {all}");
    }
}

/// The cleaner is not done before each unit is Dying, so no unit is forgotten.
#[test]
fn the_cleaner_destroys_any_number_of_units() {
    let name = "a unit of a Dying application becomes Dying";
    let claim: &'static Claim = deathwatch_claims::named(name).expect("there is such a claim");
    for transactions in ["atomic", "split"] {
        let scenario = cleaned(transactions, "\"1\"");
        let question = question(&scenario.world, &scenario.start, &[claim]);
        let Ok(report) = check::check_any_size(&question, &SETTINGS) else { panic!("a template") };
        assert!(matches!(report.answers[0].1, AnySizeAnswer::Holds), "{:?}", report.answers[0].1);
    }
}

/// A world in which instances are started and recorded in two steps. If the manager's agent crashes
/// in between, the started instance is a stray.
fn provisioned(transactions: &str, units: &str) -> Scenario {
    good(&format!(
        "shows = \"A test.\"\n[detail]\nprovisioning = true\n\
         [world]\ntransactions = \"{transactions}\"\n[world.machines]\n\
         0 = {{ jobs = [\"manage-model\"] }}\n1 = {{ provisioned = false }}\n\
         2 = {{ provisioned = false }}\n[world.applications]\n\
         wordpress = {{ units = [{units}], deployed = false }}\n\
         [faults]\ncrash = true\nstart-failure = true\n\
         [user]\n\"destroy-unit *\" = \"unlimited\"\n"
    ))
}

#[test]
fn what_becomes_of_a_machine_whose_start_is_lost_is_known() {
    for (transactions, from, least) in
        [("atomic", 1, 20), ("atomic", 2, 200), ("atomic", 3, 1_000), ("split", 2, 1_000)]
    {
        let scenario = provisioned(transactions, "\"1\", \"2\"");
        let (all, missing) = missing(&scenario, &[from], &[from], 6_000);
        assert!(all > least, "{transactions}: {all} with {from}");
        assert_eq!(missing, 0, "of {all} with {from}, {transactions}");
    }
    for (transactions, every, least) in [("atomic", 1, 7_000), ("split", 53, 400)] {
        let all = closed(&provisioned(transactions, "\"1\", \"2\""), every);
        assert!(all > least, "{transactions}: only {all}");
    }
}
