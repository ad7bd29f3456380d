//! Faults and commands that a scenario allows without any effect, and own claims about nothing:
//! they are reported, and shipped scenarios have none.

use std::path::Path;

use deathwatch_model::{
    clause::Clause,
    ids::EntityId,
    protocol::{self, Effects},
    variants::{DoneAlready, UnprovisionedUnit, Variants},
    world::{Transactions, World},
};
use deathwatch_scenario::load;

use crate::{
    bounds::drawn,
    common::{cases, dice, good, parse},
};

#[test]
fn shipped_scenarios_allow_what_can_strike() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = deathwatch_scenario::find(&[root]).expect("there are some");
    for address in files.iter().filter(|it| !it.file.starts_with("by-name")) {
        let scenario = load(address).expect("it is good");
        assert!(scenario.idle.is_empty(), "{}: {:?}", scenario.name, scenario.idle);
    }
}

/// The reports for a world of two machines, one of which manages the model, and two related units.
fn idle(more: &str) -> Vec<String> {
    let pair = crate::common::PAIR.replace(", most-units = 2", "");
    told(&format!("shows = \"A test.\"\n{pair}{more}"))
}

fn told(source: &str) -> Vec<String> {
    good(source).idle.into_iter().map(|it| it.text).collect()
}

#[test]
fn a_fault_that_can_strike_nothing_is_told() {
    let cases = [
        ("[faults]\ndowntime = true", "`downtime` can strike nothing here: no agent crashes"),
        ("[faults]\nabort = true", "`abort` can strike nothing"),
        ("[faults]\nlost-connection = true", "no command that is allowed takes several"),
        (
            "[detail]\nprovisioning = true\n[faults]\nfail-over = true",
            "`fail-over` can strike nothing here: there is no second manager machine",
        ),
        ("[detail]\nprovisioning = true\n[faults]\nstart-failure = [\"1\"]", "ever started"),
    ];
    for (more, told) in cases {
        let sentences = idle(more);
        assert!(sentences.len() == 1 && sentences[0].contains(told), "{more}: {sentences:?}");
    }
    assert_eq!(idle("[faults]\nhook-failure = true\nunit-hook-failure = true"), [""; 0]);
    // Where units have relations, an agent has directories to lose.
    let crash = "[faults]\ncrash = true\n";
    assert_eq!(idle(crash), [""; 0]);
    let alone = told(&format!(
        "shows = \"A test.\"\n[world]\napplications.mysql = {{ units = [\"1\"] }}\n{crash}"
    ));
    assert!(alone.len() == 1 && alone[0].contains("loses nothing"), "{alone:?}");
}

#[test]
fn a_command_that_can_do_nothing_is_told() {
    let deploys = "[user]\n\"deploy mysql 1\" = 1\n";
    let sentences = idle(deploys);
    assert!(sentences[0].contains("`deploy mysql 1` can do nothing here"), "{sentences:?}");
    assert_eq!(idle(&format!("{deploys}\"destroy-application mysql\" = 1\n")), [""; 0]);
    let world = "shows = \"A test.\"\n[world]\nmachines = {}\n\
                 applications.mysql = { exists = false, most-units = 1 }\n";
    let never = told(&format!("{world}[user]\n\"destroy-unit mysql/0\" = 1\n"));
    assert!(never[0].ends_with("what it is about never exists"), "{never:?}");
    let some = format!("{world}[user]\n\"destroy-unit mysql/0\" = 1\n\"deploy mysql 1\" = 1\n");
    assert_eq!(told(&some), [""; 0]);
}

#[test]
fn a_limit_that_is_never_reached_is_told() {
    let world = |transactions: &str, more: &str| {
        format!(
            "shows = \"A test.\"\n[world]\ntransactions = \"{transactions}\"\n{more}\n\
             applications.mysql = {{ units = [\"1\"], most-units = 3 }}\n"
        )
    };
    let adds = "[user]\n\"add-unit mysql\" = 1\n";
    let never = told(&world("split", ""));
    let most = "`world.applications.mysql.most-units` can limit nothing here";
    assert!(never.len() == 1 && never[0].starts_with(most), "{never:?}");
    assert_eq!(told(&format!("{}{adds}", world("split", "tries = 2"))), [""; 0]);
    let atomic = told(&format!("{}{adds}", world("atomic", "tries = 2")));
    assert!(atomic.len() == 1 && atomic[0].starts_with("`world.tries`"), "{atomic:?}");
    let workflow = |faults: &str| {
        let more = format!("{adds}[detail]\nworkflow = true\n[faults]\n{faults}\n");
        told(&format!("{}{more}", world("split", "retries = 2")))
    };
    let never = workflow("");
    assert!(never.len() == 1 && never[0].starts_with("`world.retries`"), "{never:?}");
    assert_eq!(workflow("unit-hook-failure = true"), [""; 0]);
}

#[test]
fn a_claim_about_rows_of_which_there_are_none_is_told() {
    let world = "shows = \"A test.\"\n[world.applications]\nmysql = { units = [\"1\"] }\n";
    let cases = [
        ("each = 'relation'\nalways = \"it.life != 'dead'\"", "relation"),
        ("each = 'scope'\nstep = 'before.in_scope || !after.in_scope'", "scope"),
        ("each = 'relation'\nreachable = 'it.exists'", "relation"),
        // The answer to this one is vacuous.
        ("each = 'relation'\nleads = { from = 'it.exists', to = '!it.exists' }", ""),
        ("each = 'unit'\nalways = \"it.life != 'dead'\"", ""),
        ("always = \"relations.all(r, r.life != 'dead')\"", ""),
    ];
    for (claim, kind) in cases {
        let told = told(&format!("{world}[own.mine]\n{claim}\n"));
        let expected = format!("the claim \"mine\" is about nothing here: the world has no {kind}");
        let expected: &[String] = if kind.is_empty() { &[] } else { &[expected] };
        assert_eq!(told, expected, "{claim}");
    }
}

/// The world with all that the warnings say changes nothing: other values of variants, and clauses
/// that are off or not asserted.
fn with_idle_settings(world: &World, pick: usize) -> World {
    let has_none =
        |needs: &[&str]| !needs.is_empty() && !needs.iter().any(|it| world.detail.has(it));
    let variants = Variants::LIST.iter().filter(|it| has_none(it.needs));
    let lacks = |clause: &Clause| clause.needs().iter().any(|it| !world.detail.has(it));
    let finds_what_it_asserts = world.transactions == Transactions::Atomic
        && !world.detail.provisioning
        && world.without.is_empty()
        && !world.is_amended()
        && world.variants.done_already == DoneAlready::Noticed
        && world.variants.unprovisioned_unit != UnprovisionedUnit::AssertingMore;
    world.changed(|it| {
        for variant in variants {
            let (value, _) = variant.values[pick % variant.values.len()];
            it.variants.set(variant.name, value).expect("a variant and its value");
        }
        Clause::all().filter(lacks).for_each(|clause| it.without.insert(clause));
        let asserted =
            Clause::all().filter(|clause| finds_what_it_asserts && clause.rule.is_operation());
        asserted.for_each(|clause| it.unasserted.insert(clause));
    })
}

#[test]
fn settings_that_are_told_as_idle_change_no_step() {
    change_no_step(cases(3_000, 20_000), |world| {
        [1, 2].map(|pick| with_idle_settings(world, pick)).to_vec()
    });
}

/// Checks that drawn worlds do the same, step by step, as the other worlds made of them.
fn change_no_step(worlds: u64, others: impl Fn(&World) -> Vec<World>) {
    for seed in 0..worlds {
        let mut dice = dice(seed);
        let text = drawn(&mut dice);
        let scenario = good(&text);
        let others = others(&scenario.world);
        let (mut state, mut effects) = (scenario.start, Effects::default());
        for _ in 0..40 {
            let mut listed = Vec::new();
            protocol::enabled(&scenario.world, &state, &mut listed);
            for world in &others {
                let mut also = Vec::new();
                protocol::enabled(world, &state, &mut also);
                assert_eq!(also, listed, "{text}");
            }
            if listed.is_empty() {
                break;
            }
            let action = listed[dice.index(listed.len())];
            let before = state.clone();
            protocol::step(&scenario.world, &mut state, action, &mut effects);
            for world in &others {
                let mut also = before.clone();
                protocol::step(world, &mut also, action, &mut effects);
                assert_eq!(also, state, "{text}");
            }
        }
    }
}

#[test]
fn a_clause_is_refused_only_at_places_where_it_changes_no_step() {
    let world = format!("shows = \"A test.\"\n{}", crate::common::PAIR);
    let is_refused = |clause: &Clause, place: &str| {
        let off = format!("{world}\n[switch-off]\nclauses = [\"{clause} {place}\"]\n");
        parse(&off).is_err_and(|it| it.to_string().contains("is never about the"))
    };
    let places = ["1", "mysql", "mysql/0", "wordpress:db mysql:server"];
    let refused: Vec<[bool; 4]> =
        Clause::all().map(|clause| places.map(|place| is_refused(&clause, place))).collect();
    assert!(refused.iter().flatten().filter(|it| **it).count() > 100);
    change_no_step(cases(1_000, 20_000), |world| {
        let machines = world.machine_ids().map(|it| (0, EntityId::Machine(it)));
        let entities = machines
            .chain(world.application_ids().map(|it| (1, EntityId::Application(it))))
            .chain(world.unit_ids().map(|it| (2, EntityId::Unit(it))))
            .chain(world.relation_ids().map(|it| (3, EntityId::Relation(it))));
        let entities: Vec<(usize, EntityId)> = entities.collect();
        let off = Clause::all().zip(&refused).flat_map(|(clause, refused)| {
            let at = entities.iter().filter(|(kind, _)| refused[*kind]);
            at.map(move |(_, entity)| (clause, *entity))
        });
        let off: Vec<_> = off.collect();
        vec![world.changed(|it| it.without_at.extend(off))]
    });
}

#[test]
fn a_setting_that_changes_nothing_is_told() {
    let world = "shows = \"A test.\"\n[world.applications]\nmysql = { units = [\"1\"] }\n";
    let cases = [
        (
            "[variants]\nhook-reads = \"fresh\"",
            "the variant `hook-reads` can change nothing here: the detail `charm` or `settings` is off",
        ),
        ("[variants]\nhook-reads = \"cached\"", ""),
        ("[variants]\nforced-unit = \"removed\"", ""),
        (
            "[switch-off]\nclauses = [\"settings.1\"]",
            "switching off `settings.1` changes nothing here: the detail `settings` is off",
        ),
        ("[switch-off]\nneglected = [\"unit-agent.17\"]", "the detail `hooks` is off"),
        ("[switch-off]\nasserts = [\"set-unit-dead.2\"]", "no other transaction can come between"),
        ("[switch-off]\nclauses = [\"set-unit-dead.2\"]", ""),
        ("[switch-off]\nasserts = [\"set-unit-dead.2\"]\n[world]\ntransactions = \"split\"", ""),
    ];
    for (more, expected) in cases {
        let told = match more.split_once("[world]") {
            None => told(&format!("{world}{more}\n")),
            Some((before, keys)) => {
                let world = world.replace("[world.", &format!("[world]{keys}\n[world."));
                told(&format!("{world}{before}"))
            }
        };
        let is_expected = match told.as_slice() {
            [] => expected.is_empty(),
            [one] => !expected.is_empty() && one.ends_with(expected),
            _ => false,
        };
        assert!(is_expected, "{more}: {told:?}");
    }
}
