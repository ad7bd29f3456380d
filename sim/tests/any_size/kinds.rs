//! Kinds of worlds that are templates: processes beside fixed units, with subordinates, with limits
//! of their own, and processes that `add-unit` creates.

use deathwatch_claims::{
    Claim,
    check::{self, AnySizeAnswer, SearchSettings, Views},
};
use deathwatch_scenario::Scenario;

use super::{AnswerCounts, SETTINGS, compare, missing, question, reached, refused, shipped};
use crate::common::{cases, good};

/// A world in which wordpress/0 is on the manager's machine, so it is a fixed unit beside any
/// number of others.
pub(super) const BESIDE: &str = "shows = \"A test.\"\nvariants.relation-tracking = \"remote-scope\"\n\
    [world.machines]\n0 = { jobs = [\"manage-model\", \"host-units\"] }\n1 = {}\n2 = {}\n\
    [world.applications]\nwordpress = { units = [\"0\", \"1\"] }\nmysql = { units = [\"2\"] }\n\
    [world.relations]\n\"wordpress:db mysql:server\" = {}\n\
    [user]\n\"destroy-unit wordpress/0\" = \"unlimited\"\n\
    \"destroy-unit wordpress/1\" = \"unlimited\"\n\
    \"destroy-relation *\" = \"unlimited\"\n\"destroy-application *\" = \"unlimited\"\n";

/// A principal gets a subordinate as it enters a scope.
const SUBORDINATES: &str = "shows = \"A test.\"\nvariants.relation-tracking = \"remote-scope\"\n\
    [world.applications]\nwordpress = { units = [\"1\"] }\n\
    nrpe = { subordinate = true, most-units = 1 }\n\
    [world.relations]\n\"wordpress:juju-info nrpe:host\" = { scope = \"container\" }\n\
    [user]\n\"destroy-unit wordpress/0\" = \"unlimited\"\n";

/// Asserts that, for each size (the first two, unless all cases are asked for), no view of the
/// instance's states is missing from the views that begin with that size, and that the answers
/// agree with those of the instances.
fn agree(name: &str, scenario: &Scenario, all: &[&[usize]], most: usize) {
    let all = &all[..cases(2, all.len()).min(all.len())];
    for sizes in all {
        let (views, missing) = missing(scenario, sizes, sizes, most);
        assert!(views > 8, "{name} has {views} views of {sizes:?}");
        assert_eq!(missing, 0, "{name} from {sizes:?}: of {views}");
    }
    let mut tally = AnswerCounts::default();
    compare(scenario, name, all, 400_000, &mut tally);
    assert_eq!(tally.templates, 1, "{name}");
}

#[test]
fn a_unit_beside_any_number_counts_with_them() {
    agree("beside", &good(BESIDE), &[&[1, 1], &[2, 1], &[3, 1]], 2_000);
    // Split transactions have more steps, so there are fewer commands.
    let commands = BESIDE.split_once("[user]").expect("it has commands").0;
    let split =
        commands.replacen("[world.mach", "[world]\ntransactions = \"split\"\n[world.mach", 1);
    let split = format!("{split}[user]\n\"destroy-relation *\" = \"unlimited\"\n");
    agree("beside, split", &good(&split), &[&[1, 1], &[2, 1]], 2_000);
    for (address, all) in [
        ("known-bugs/41-peer-scopes-are-never-left.toml", [&[1][..], &[2], &[3]]),
        ("known-bugs/41-peer-scopes-are-never-left.toml#fixed", [&[1], &[2], &[3]]),
        ("workflow/presence-comes-first.toml", [&[1], &[2], &[3]]),
    ] {
        agree(address, &shipped(address), &all, 2_000);
    }
}

/// Identifiers that no command or document uses belong to no process.
#[test]
fn units_that_never_exist_are_left_out() {
    let address = "known-bugs/15-last-relation-and-last-unit-at-once.toml";
    agree(address, &shipped(address), &[&[1], &[2], &[3]], 2_000);
}

#[test]
fn subordinates_go_with_their_principals() {
    agree("subordinates", &good(SUBORDINATES), &[&[1], &[2], &[3]], 2_000);
    for (address, all) in [
        ("known-bugs/10-untold-subordinates.toml", [&[1][..], &[2], &[3]]),
        ("known-bugs/10-untold-subordinates.toml#fixed", [&[1], &[2], &[3]]),
        ("known-bugs/09-dying-subordinate-counted-as-present.toml#fixed", [&[1], &[2], &[3]]),
    ] {
        agree(address, &shipped(address), &all, 2_000);
    }
}

#[test]
fn a_limit_for_each_unit_is_one_of_its_process() {
    let text = "shows = \"A test.\"\n[world.applications]\nwordpress = { units = [\"1\"] }\n\
                mysql = { units = [\"2\"] }\n[world.relations]\n\
                \"wordpress:db mysql:server\" = {}\n[user]\n\"destroy-unit *\" = 1\n\
                \"destroy-relation *\" = 1\n[faults]\ncrash = true\n";
    agree("limits", &good(text), &[&[1, 1], &[2, 1], &[2, 2]], 2_000);
    let split = text.replacen("[world.app", "[world]\ntransactions = \"split\"\n[world.app", 1);
    agree("limits, split", &good(&split), &[&[1, 1], &[2, 1]], 2_000);
}

/// A world in which `add-unit` may be given, with further tables.
fn with_births(more: &str) -> String {
    format!(
        "shows = \"A test.\"\n[variants]\nunit-assignment = \"with-unit\"\n\
         placement = \"new-machine\"\nrelation-tracking = \"remote-scope\"\n\
         undeployed-unit-not-alive = \"deployed-while-held\"\nsettings-cleanup = \"cleaner\"\n\
         [world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
         2 = {{}}\n3 = {{ exists = false }}\n[world.applications]\n\
         wordpress = {{ units = [\"1\"], most-units = 2 }}\nmysql = {{ units = [\"2\"] }}\n\
         [world.relations]\n\"wordpress:db mysql:server\" = {{}}\n[user]\n\
         \"add-unit wordpress\" = \"unlimited\"\n\"add-unit mysql\" = \"unlimited\"\n\
         \"destroy-unit *\" = \"unlimited\"\n\
         \"destroy-relation wordpress:db mysql:server\" = \"unlimited\"\n\
         \"destroy-application *\" = \"unlimited\"\n{more}"
    )
}

/// Added units take the first identifiers that are free among all, so a unit and its machine may
/// come from different processes. Views are independent of identifiers, so all of them are known.
#[test]
fn every_view_of_an_instance_to_which_units_are_added_is_known() {
    for (more, sizes, later, most) in [
        ("", [1, 1], 1, 6_000),
        ("", [2, 1], 1, 6_000),
        ("", [2, 2], 1, 3_000),
        ("", [3, 1], 1, 3_000),
        ("\"destroy-machine *\" = \"unlimited\"\n", [1, 1], 1, 10_000),
        ("[faults]\nhardware-failure = true\n", [1, 1], 2, 6_000),
        ("[world]\ntransactions = \"split\"\n", [1, 1], 1, 10_000),
    ] {
        let scenario = good(&with_births(more));
        let start = &scenario.start;
        let mut views = match Views::of(&scenario.world, start, Some(&sizes), &SETTINGS) {
            Ok(views) => views,
            Err(why) => panic!("{why:?} with {more}"),
        };
        let instance = views.instance_with(&sizes, later).expect("it is a template");
        let (mut all, mut missing) = (0, 0);
        for state in reached(&instance, most) {
            for view in views.views_of(&instance, &state).expect("it is a template") {
                all += 1;
                missing += usize::from(!views.has(&view));
            }
        }
        assert!(all > 100);
        assert_eq!(missing, 0, "{more} with {sizes:?}: of {all}");
    }
}

/// With destroyed machines, too, identifiers become free again and again. So runs end only if the
/// user stops, and claims of the kind leads need that assumption.
#[test]
fn what_must_follow_where_units_are_added_needs_finitely_many_commands() {
    let answers = |more: &str| {
        let scenario = good(&with_births(more));
        let claims: Vec<&'static Claim> = deathwatch_claims::all_in(&scenario.world)
            .filter(|claim| claim.lacks(scenario.world.detail).is_none())
            .collect();
        let few = SearchSettings { max_states: Some(20_000), ..SETTINGS };
        let question = question(&scenario.world, &scenario.start, &claims);
        let Ok(report) = check::check_any_size(&question, &few) else { panic!("a template") };
        let removed =
            |(claim, _): &&(&Claim, AnySizeAnswer)| claim.name == "a Dying unit is removed";
        report.answers.iter().find(removed).expect("it is asked").1.clone()
    };
    let machines = "\"destroy-machine *\" = \"unlimited\"\n";
    assert!(!matches!(answers(machines), AnySizeAnswer::Holds));
    let answer = answers(&format!("{machines}[assume]\nfinitely-many-commands = true\n"));
    assert!(matches!(answer, AnySizeAnswer::Holds));
}

/// A claim that holds for every number in worlds with `add-unit` is violated in no instance to
/// which one unit is added.
#[test]
fn what_holds_where_units_are_added_holds_in_instances() {
    let more = "\"destroy-machine *\" = \"unlimited\"\n[assume]\nfinitely-many-commands = true\n";
    let scenario = good(&with_births(more));
    let claims: Vec<&'static Claim> = deathwatch_claims::all_in(&scenario.world)
        .filter(|claim| claim.lacks(scenario.world.detail).is_none())
        .collect();
    let of_all = question(&scenario.world, &scenario.start, &claims);
    let few = SearchSettings { max_states: Some(20_000), ..SETTINGS };
    let Ok(report) = check::check_any_size(&of_all, &few) else { panic!("a template") };
    let held = report.answers.iter().filter(|it| matches!(it.1, AnySizeAnswer::Holds));
    let held: Vec<&'static Claim> = held.map(|it| it.0).collect();
    assert!(held.len() > 20, "only {} hold", held.len());
    let Ok(views) = Views::of(&scenario.world, &scenario.start, None, &SETTINGS) else {
        panic!("a template")
    };
    let instance = views.instance_with(&[1, 1], 1).expect("it is a template");
    let of_instance = question(&instance.world, &instance.start, &held);
    let most = SearchSettings { max_states: Some(cases(50_000, 400_000)), ..SETTINGS };
    let report = check::check(&of_instance, &most).expect("it is small");
    for (claim, finding) in held.iter().zip(&report.findings) {
        assert_ne!(finding.answer, check::CheckAnswer::Violated, "{}", claim.name);
    }
}

/// An agent that is not assumed to act may rest although it has something to do.
#[test]
fn what_is_not_assumed_is_not_owed() {
    let text = |more: &str| {
        format!(
            "shows = \"A test.\"\n[world.applications]\nwordpress = {{ units = [\"1\"] }}\n\
             mysql = {{ units = [\"2\"] }}\n[world.relations]\n\"wordpress:db mysql:server\" = {{}}\n\
             [user]\n\"destroy-relation *\" = \"unlimited\"\n[faults]\ncrash = true\ndowntime = true\n\
             [variants]\nrelation-tracking = \"remote-scope\"\n\
             undeployed-unit-not-alive = \"deployed-while-held\"\n[claims]\n\
             \"a Dying relation is removed\" = \"holds\"\n{more}"
        )
    };
    for (more, holds) in [
        ("", true),
        ("[assume]\nagents-act = false\n", false),
        ("[assume]\ncrashed-agents-restart = false\n", false),
    ] {
        let scenario = good(&text(more));
        let claims: Vec<&'static Claim> = scenario.claims.iter().map(|it| it.0).collect();
        let question = question(&scenario.world, &scenario.start, &claims);
        let Ok(report) = check::check_any_size(&question, &SETTINGS) else { panic!("a template") };
        let [(_, answer)] = &report.answers[..] else { panic!("one answer") };
        assert_eq!(matches!(answer, AnySizeAnswer::Holds), holds, "{more}: {answer:?}");
        assert_eq!(matches!(answer, AnySizeAnswer::Violated(_)), !holds, "{more}: {answer:?}");
    }
}

/// A process that does not exist at the start, or that is gone, must have left no rows behind, as
/// another one may take its identifier. Worlds in which rows are left are refused.
#[test]
fn what_is_left_of_an_identifier_is_refused() {
    let births = |more: &str, reason: &str| {
        let text = with_births(more);
        refused(text.strip_prefix("shows = \"A test.\"\n").expect("it begins so"), reason);
    };
    births("[detail]\nhooks = true\n", "something is left of a unit or machine that is gone");
    births(
        "\"destroy-unit --force *\" = \"unlimited\"\n[start.force]\n\"wordpress/1\" = true\n",
        "something is there at the start of a unit that is not",
    );
    let subordinates = |more: &str| {
        format!(
            "[world.applications]\nwordpress = {{ units = [\"1\"] }}\n\
             logging = {{ subordinate = true, most-units = 2 }}\n[world.relations]\n\
             \"wordpress:info logging:info\" = {{ scope = \"container\" }}\n[user]\n\
             \"destroy-relation *\" = \"unlimited\"\n{more}"
        )
    };
    refused(
        &subordinates("[detail]\nhooks = true\n"),
        "something is left of a subordinate that is gone",
    );
    refused(
        &subordinates(
            "\"destroy-unit logging/0\" = 1\n\"destroy-unit logging/1\" = 1\n\
             [switch-off]\nclauses = [\"destroy-unit.4\"]\n",
        ),
        "commands tell one unit of logging from another",
    );
}

/// Units may be created by `add-unit` alone, and all units of a type must behave alike.
#[test]
fn who_comes_to_be_or_is_unlike_others_is_refused() {
    let pair = "[world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n2 = {}\n3 = { exists = false }\n[world.applications]\n\
                wordpress = { units = [\"1\", \"2\"] }\n";
    let with = |more: &str| format!("{pair}{more}[user]\n\"destroy-unit *\" = \"unlimited\"\n");
    refused(
        &format!(
            "{}\"deploy mysql 1\" = 1\n",
            with("mysql = { exists = false, most-units = 1 }\n")
        ),
        "units come to be otherwise than by add-unit",
    );
    refused(
        &format!(
            "{}\"destroy-machine *\" = \"unlimited\"\n\"add-machine *\" = \"unlimited\"\n",
            with("")
        ),
        "units come to be",
    );
    for more in [
        "clauses = [\"unit-agent.6 wordpress/0\"]\n",
        "neglected = [\"unit-agent.6 unit-agent wordpress/0\"]\n",
    ] {
        refused(
            &format!("{}[switch-off]\n{more}", with("")),
            "`unit-agent.6` is off at one place alone, or neglected by one agent",
        );
    }
    refused(
        &format!("{}[switch-off]\nclauses = [\"remove-unit.3\"]\n", with("")),
        "`application` of wordpress does not count what there is",
    );
}
