//! Bounds of fields: no reachable state of any world has a value above its field's bound. The
//! worlds are random, as no list of them has every way in which a row comes to its values.

use std::{
    fmt::{self, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
};

use deathwatch_model::{
    action::{HookKind, Outcome},
    clause::Clause,
    pack::{Codec, Local},
    protocol::{self, Effects},
    variants::Variants,
    world::{CommandKind, Details, FaultKind},
};
use deathwatch_scenario::Scenario;
use deathwatch_simulator::dice::Dice;

use crate::common::{cases, dice, good};

const STEPS: usize = 50;

#[test]
fn whatever_happens_is_within_its_bounds() {
    let (mut broken, worlds) = (Vec::new(), cases(7_000, 20_000));
    for seed in 0..worlds {
        let mut dice = dice(seed);
        let text = drawn(&mut dice);
        let scenario = good(&text);
        if catch_unwind(AssertUnwindSafe(|| walk(&scenario, &mut dice))).is_err() {
            broken.push(text);
        }
    }
    assert!(broken.is_empty(), "{} of {worlds}, first in\n{}", broken.len(), broken[0]);
}

/// Walks through a world that keeps all history, and packs each state, which fails where a value is
/// above its bound.
fn walk(scenario: &Scenario, dice: &mut Dice) {
    let world = scenario.world.keeping_all();
    let mut state = scenario.start.clone();
    state.history = state.history.widened(&world);
    let codec = Codec::new(&world, &state).expect("a small world");
    let (mut txns, mut effects, mut listed) = (Local::default(), Effects::default(), Vec::new());
    for _ in 0..STEPS {
        listed.clear();
        protocol::enabled(&world, &state, &mut listed);
        if listed.is_empty() {
            break;
        }
        let action = listed[dice.index(listed.len())];
        let outcome = protocol::step(&world, &mut state, action, &mut effects);
        assert!(outcome != Outcome::NotEnabled, "{}", world.show(&action));
        codec.pack(&state, &mut txns);
    }
}

/// The text of a random world: details, variants, faults, commands, charms and clauses.
pub(crate) fn drawn(dice: &mut Dice) -> String {
    let details = details(dice);
    let has = |detail: &str| details.has(detail);
    let mut text = String::from("shows = \"A world that was drawn.\"\n[detail]\n");
    for detail in details.on() {
        put(&mut text, format_args!("{detail} = true\n"));
    }
    text += "[variants]\n";
    for variant in Variants::LIST {
        if chance(dice, 150) {
            let (value, _) = variant.values[dice.index(variant.values.len())];
            put(&mut text, format_args!("{} = \"{value}\"\n", variant.name));
        }
    }
    text += "[faults]\n";
    for fault in FaultKind::ALL {
        if fault.row().needs.is_none_or(has) && chance(dice, 500) {
            put(&mut text, format_args!("{} = true\n", fault.key()));
        }
    }
    text += &world(details, dice);
    text += "[user]\n\"deploy mysql 1\" = 2\n";
    for command in CommandKind::ALL {
        let row = command.row();
        let is_short = !row.verb.starts_with("deploy") && row.option().is_none();
        if is_short && command.lacks(details).is_none() && chance(dice, 300) {
            put(&mut text, format_args!("\"{} *\" = {}\n", row.verb, 1 + dice.index(2)));
        }
    }
    if chance(dice, 300) {
        let clauses: Vec<Clause> = Clause::all().collect();
        let asserting = clauses.iter().filter(|clause| clause.rule.is_operation());
        let asserting: Vec<Clause> = asserting.copied().collect();
        let [off, unasserted] =
            [&clauses, &asserting].map(|of| of[dice.index(of.len())].to_string());
        put(
            &mut text,
            format_args!("[switch-off]\nclauses = [{off:?}]\nasserts = [{unasserted:?}]\n"),
        );
    }
    text
}

/// Random details that are consistent: none lacks one that it needs, and none excludes another.
fn details(dice: &mut Dice) -> Details {
    loop {
        let mut details = Details::default();
        for name in some(dice, Details::NAMES, 400) {
            assert!(details.set(name, true), "it is a detail");
        }
        if details.lacking().is_none() && details.excluded().is_none() {
            return details;
        }
    }
}

/// Two principals, one of which may be deployed, and a subordinate, with relations between them.
fn world(details: Details, dice: &mut Dice) -> String {
    let has = |detail: &str| details.has(detail);
    let split = if chance(dice, 700) { "split" } else { "atomic" };
    let mut text = format!("[world]\ntransactions = \"{split}\"\n");
    if !has("workflow") && !has("hooks") && chance(dice, 500) {
        text += "hooks = true\n";
    }
    if has("workflow") {
        put(&mut text, format_args!("retries = {}\n", dice.index(3)));
    }
    if has("constraints") {
        text += "constraints = [\"mem=1G\", \"mem=2G\"]\n";
    }
    let provisioned = !chance(dice, 300);
    let series = if has("series") { ", series = \"precise\"" } else { "" };
    put(
        &mut text,
        format_args!(
            "[world.machines]\n0 = {{ jobs = [\"manage-model\", \"host-units\"]{series} }}\n\
         1 = {{ provisioned = {provisioned}{series} }}\n2 = {{ exists = false{series} }}\n\
         \"0/lxc/0\" = {{ host = \"0\"{series} }}\n[world.applications]\n"
        ),
    );
    let deployed = chance(dice, 500);
    let mysql = ["exists = false", "units = [\"1\"]"][dice.index(2)];
    for application in [
        format!(
            "wordpress = {{ units = [\"0/lxc/0\", \"1\"], most-units = 3, deployed = {deployed}"
        ),
        "logging = { subordinate = true, most-units = 2".to_owned(),
        format!("mysql = {{ {mysql}, most-units = 1"),
    ] {
        put(&mut text, format_args!("{application}{series}{} }}\n", charm(details, dice)));
    }
    let entered = if deployed && chance(dice, 500) { "\"wordpress/0\"" } else { "" };
    text + &format!(
        "[world.relations]\n\"wordpress:info logging:info\" = {{ scope = \"container\" }}\n\
         \"wordpress:cluster\" = {{ entered = [{entered}] }}\n\
         \"wordpress:db mysql:server\" = {{ exists = false }}\n"
    )
}

/// The fields of an application that describe its charm.
fn charm(details: Details, dice: &mut Dice) -> String {
    let has = |detail: &str| details.has(detail);
    if !has("hooks") && !has("workflow") {
        return String::new();
    }
    let exists = |kind: &&HookKind| match kind {
        HookKind::Install | HookKind::Start | HookKind::Stop => true,
        HookKind::ConfigChanged => has("hooks"),
        HookKind::UpgradeCharm => has("charm"),
        HookKind::Joined | HookKind::Changed | HookKind::Departed | HookKind::Broken => {
            has("relations") || has("workflow")
        }
    };
    let names = |kinds: &mut dyn Iterator<Item = &'static HookKind>| -> Vec<&'static str> {
        kinds.map(|kind| HookKind::NAMES[*kind as usize]).collect()
    };
    let can_write = |kind: &&HookKind| {
        let is_of_relation = **kind >= HookKind::Joined;
        is_of_relation && (has("settings") || **kind != HookKind::Broken)
    };
    let hooks = some(dice, &names(&mut HookKind::ALL.iter().filter(exists)), 800);
    let writing = names(&mut HookKind::ALL.iter().filter(exists).filter(can_write));
    let writing: Vec<_> = writing.into_iter().filter(|it| hooks.contains(it)).collect();
    let tools: [(&str, bool, &[&str]); 7] = [
        ("may-fail", true, &hooks),
        ("writes", !writing.is_empty(), &writing),
        ("writes-new", !writing.is_empty(), &writing),
        ("reads", has("settings"), &hooks),
        ("open-port", has("charm"), &hooks),
        ("close-port", has("charm"), &hooks),
        ("config-get", has("charm"), &hooks),
    ];
    let mut text = format!(", hooks = {hooks:?}");
    for (tool, is_there, of) in tools {
        if is_there && chance(dice, 400) {
            put(&mut text, format_args!(", {tool} = {:?}", some(dice, of, 500)));
        }
    }
    text
}

fn put(text: &mut String, more: fmt::Arguments<'_>) {
    text.write_fmt(more).expect("a string takes any text");
}

/// A random subset of `all`, with this chance in a thousand for each.
fn some<'a>(dice: &mut Dice, all: &[&'a str], per_mille: usize) -> Vec<&'a str> {
    all.iter().copied().filter(|_| chance(dice, per_mille)).collect()
}

/// True with this chance in a thousand.
fn chance(dice: &mut Dice, per_mille: usize) -> bool {
    dice.index(1_000) < per_mille
}
