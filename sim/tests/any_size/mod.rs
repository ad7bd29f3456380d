//! Answers for every number of units, compared with instances.
//!
//! Every view of every state that an instance reaches has to be among the views that are computed
//! from the start of one size alone. With the views of smaller instances in the set, a wrong bound
//! of hidden counts would stay hidden.

mod exact;
mod kinds;
mod others;
mod own;
mod rules;

use std::{fmt::Write as _, path::Path};

use deathwatch_claims::{
    Claim,
    check::{
        self, AnySizeAnswer, CheckAnswer, CheckQuestion, Instance, NoAnswer, SearchSettings, Views,
    },
};
use deathwatch_model::{
    actor::Client,
    ids::{Id as _, Placement, Renaming, UnitId},
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    variants::Variants,
    world::{FaultKind, World},
};
use deathwatch_scenario::{
    Scenario, replay,
    scenario::{self, Address},
};
use deathwatch_simulator::dice::Dice;

use indexmap::IndexSet;

use crate::common::{dice, good};

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

fn shipped(address: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(address);
    scenario::load(Address::given(&path)).expect("a scenario that loads")
}

/// Up to `most` states that an instance reaches, found by the protocol alone.
fn reached(instance: &Instance, most: usize) -> IndexSet<State> {
    let (mut known, mut done) = (IndexSet::from([instance.start.clone()]), 0);
    while done < known.len() && known.len() < most {
        let (state, mut actions) = (known[done].clone(), Vec::new());
        protocol::enabled(&instance.world, &state, &mut actions);
        for action in actions {
            let mut next = state.clone();
            protocol::step(&instance.world, &mut next, action, &mut Effects::default());
            known.insert(next);
        }
        done += 1;
    }
    known
}

/// Renames each subordinate to an identifier of its principal's process: in the protocol it has the
/// first that is free of all. Each principal has at most one subordinate of an application.
fn at_home(instance: &Instance, state: &State) -> State {
    let world = &instance.world;
    let principal = |id: UnitId| -> Option<UnitId> {
        let document = state.store.unit(id).map(|it| it.placement);
        let placed = [document, Some(state.runtime.unit(id).deployed_by)];
        let of = |it: Placement| if let Placement::Principal(it) = it { Some(it) } else { None };
        let creates = |agent: &UnitId| {
            let txn = state.runtime.pending_txn(Client::Unit(*agent));
            txn.is_some_and(|txn| txn.units().any(|unit| unit == id))
        };
        let mut agents = world.unit_ids().filter(|it| !world.is_subordinate(*it));
        placed.into_iter().flatten().find_map(of).or_else(|| agents.find(creates))
    };
    let mut units: Vec<UnitId> = world.unit_ids().collect();
    let mut left: Vec<UnitId> = Vec::new();
    let (mut free, mut taken) = (Vec::new(), Vec::new());
    for id in world.unit_ids().filter(|id| world.is_subordinate(*id)) {
        let application = world.unit(id).application;
        match principal(id).map(|it| instance.with(it)) {
            Some(with) if !with.is_empty() => {
                let mut homes =
                    with.iter().filter(|it| world.unit(**it).application == application);
                units[id.index()] = *homes.next().expect("it may get one");
                taken.push(units[id.index()]);
            }
            Some(_) => taken.push(id),
            None => free.push(id),
        }
        left.push(id);
    }
    left.retain(|id| !taken.contains(id));
    for id in free {
        let application = world.unit(id).application;
        let place = left.iter().position(|it| world.unit(*it).application == application);
        units[id.index()] = left.remove(place.expect("as many as there are"));
    }
    let commands = (0..world.commands.len()).collect();
    let by = Renaming::into_other(units, world.machine_ids().collect(), commands);
    let mut home = State::empty(world);
    for row in RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world)) {
        home.take_renamed(state, row, &by);
    }
    home
}

/// The views that follow from the start of this size alone.
fn views_from(
    world: &World,
    start: &State,
    from: &[usize],
    settings: &SearchSettings<'_>,
) -> Views {
    match Views::of(world, start, Some(from), settings) {
        Ok(views) => views,
        Err(NoAnswer::NoTemplate(why)) => panic!("it is no template: {why}"),
        Err(NoAnswer::Stopped(stop)) => panic!("it has too many views: {stop:?}"),
    }
}

/// The number of views of an instance's states, and the number of these that are missing from the
/// views that begin with the size `from`.
fn missing(scenario: &Scenario, from: &[usize], sizes: &[usize], most: usize) -> (usize, usize) {
    let start = replay(scenario).expect("every step is possible").state;
    let mut views = views_from(&scenario.world, &start, from, &SETTINGS);
    let instance = views.instance(sizes).expect("it is a template");
    let (mut all, mut missing) = (0, 0);
    for state in reached(&instance, most) {
        for view in
            views.views_of(&instance, &at_home(&instance, &state)).expect("it is a template")
        {
            all += 1;
            missing += usize::from(!views.has(&view));
        }
    }
    (all, missing)
}

#[test]
fn every_view_of_every_state_of_an_instance_is_known() {
    for (address, from, sizes) in [
        ("relation-scope-bug/1-as-written.toml", [1, 1], [1, 1]),
        ("relation-scope-bug/1-as-written.toml", [2, 1], [2, 1]),
        ("relation-scope-bug/1-as-written.toml", [3, 1], [4, 1]),
        ("relation-scope-bug/3-no-fault-no-bug.toml", [2, 1], [2, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml", [2, 2], [2, 2]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [1, 1], [1, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [2, 1], [2, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [3, 1], [4, 1]),
    ] {
        let scenario = shipped(address);
        let (all, missing) = missing(&scenario, &from, &sizes, 6_000);
        assert!(all > 100);
        assert_eq!(missing, 0, "{address} from {from:?}, {sizes:?}: of {all}");
    }
}

/// A second computation of the closure, without the table of moves: a hidden process is put into a
/// whole state together with the visible ones, in each local state that it may have. Every view of
/// each successor has to be known.
#[test]
fn views_are_closed_under_what_whole_states_do() {
    for (address, every, least) in [
        ("relation-scope-bug/1-as-written.toml#", 1, 90_000),
        ("relation-scope-bug/2-a-crash-is-enough.toml#before-entering", 1, 3_000),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#remote-scope", 211, 10_000),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", 401, 10_000),
        ("weakening/deployer.toml#", 1, 50_000),
    ] {
        let all = closed(&shipped(address), every);
        assert!(all > least, "{address}: only {all}");
    }
}

/// Asserts that all views of the successors of whole states with a process beside the visible ones
/// are known. Takes every `every`th of these states, and returns the number of views.
fn closed(scenario: &Scenario, every: usize) -> usize {
    let start = replay(scenario).expect("every step is possible").state;
    let views = Views::of(&scenario.world, &start, None, &SETTINGS);
    let Ok(mut views) = views else { panic!("it is a template") };
    let world = views.world_beside().clone();
    let mut all = 0;
    for beside in views.all_beside().into_iter().step_by(every) {
        let Some(state) = views.state_beside(&beside) else { continue };
        for action in views.enabled_beside(&beside, &state) {
            let mut after = state.clone();
            protocol::step(&world, &mut after, action, &mut Effects::default());
            for view in views.views_beside(&beside, &after).expect("it is a template") {
                all += 1;
                let did = world.show(&action);
                let name = &scenario.name;
                assert!(views.has(&view), "{did} leads to {view:?} from {beside:?}: {name}");
            }
        }
    }
    all
}

/// The numbers of drawn worlds and of their answers.
#[derive(Debug, Default)]
struct AnswerCounts {
    /// Worlds that are no templates, or have too many views.
    not_asked: usize,
    templates: usize,
    /// Templates with fixed units, and templates to which units are added.
    fixed: usize,
    births: usize,
    views: usize,
    hold: usize,
    violated: usize,
    undecided: usize,
}

#[test]
fn what_holds_for_every_number_holds_in_instances() {
    let tally = draw(0..30);
    assert!(tally.templates >= 8 && tally.hold > 200 && tally.violated > 15, "{tally:?}");
    assert!(tally.fixed > 0 && tally.births > 0, "{tally:?}");
}

/// The same test with many more worlds.
#[test]
#[ignore = "takes minutes in a release build"]
fn what_holds_for_every_number_holds_in_instances_of_a_thousand_worlds() {
    println!("{:?}", draw(0..2_000));
}

fn draw(seeds: std::ops::Range<u64>) -> AnswerCounts {
    let mut tally = AnswerCounts::default();
    for seed in seeds {
        let text = drawn(&mut dice(seed));
        compare(&good(&text), &text, &[&[1, 1], &[2, 1], &[1, 2]], 20_000, &mut tally);
    }
    tally
}

fn question<'a>(
    world: &'a World,
    start: &'a State,
    claims: &[&'static Claim],
) -> CheckQuestion<'a> {
    CheckQuestion { world, start, claims: claims.to_vec(), witnesses: Vec::new(), refines: None }
}

/// Compares the answers for every number of units of a world with its instances of the sizes `all`.
fn compare(scenario: &Scenario, text: &str, all: &[&[usize]], most: u64, tally: &mut AnswerCounts) {
    let state = replay(scenario).expect("every step is possible").state;
    let (world, start) = (&scenario.world, &state);
    let claims: Vec<&'static Claim> = deathwatch_claims::all_in(world)
        .filter(|claim| claim.lacks(world.detail).is_none())
        .collect();
    let few = SearchSettings { max_states: Some(most), ..SETTINGS };
    let report = match check::check_any_size(&question(world, start, &claims), &few) {
        Ok(report) => report,
        Err(NoAnswer::NoTemplate(_) | NoAnswer::Stopped(_)) => {
            tally.not_asked += 1;
            return;
        }
    };
    tally.templates += 1;
    tally.fixed += usize::from(!report.fixed.is_empty());
    let later = usize::from(text.contains("\"add-unit "));
    tally.births += later;
    let mut views = views_from(world, start, all[1], &few);
    for sizes in all {
        let instance = views.instance_with(sizes, later).expect("it is a template");
        let settings = SearchSettings { max_states: Some(5_000), ..SETTINGS };
        let asked = question(&instance.world, &instance.start, &claims);
        let checked = check::check(&asked, &settings).expect("it is small");
        for ((claim, answer), finding) in report.answers.iter().zip(&checked.findings) {
            let holds = matches!(answer, AnySizeAnswer::Holds | AnySizeAnswer::Vacuous);
            let is_violated = finding.answer == CheckAnswer::Violated;
            assert!(!(holds && is_violated), "{} with {sizes:?} of\n{text}", claim.name);
            assert!(
                !matches!(answer, AnySizeAnswer::Vacuous) || finding.applied == 0 || is_violated,
                "{} is about something with {sizes:?} of\n{text}",
                claim.name
            );
        }
        if *sizes == all[1] {
            for state in reached(&instance, 600) {
                for view in views
                    .views_of(&instance, &at_home(&instance, &state))
                    .expect("it is a template")
                {
                    tally.views += 1;
                    assert!(views.has(&view), "a view of a state with {sizes:?} of\n{text}");
                }
            }
        }
    }
    for (_, answer) in &report.answers {
        match answer {
            AnySizeAnswer::Holds => tally.hold += 1,
            AnySizeAnswer::Violated(_) => tally.violated += 1,
            AnySizeAnswer::Undecided(_) => tally.undecided += 1,
            AnySizeAnswer::Vacuous
            | AnySizeAnswer::Reached(_)
            | AnySizeAnswer::NeverReached
            | AnySizeAnswer::NotAsked(_) => {}
        }
    }
}

/// The text of a random template: variants, faults, commands and some details, each by chance.
fn drawn(dice: &mut Dice) -> String {
    let mut chance = |per_mille| dice.index(1_000) < per_mille;
    let mut text = String::from("shows = \"A world that was drawn.\"\n[detail]\n");
    if chance(250) {
        text += "hooks = true\n";
        text += if chance(300) { "charm = true\n" } else { "" };
    }
    let split = if chance(350) { "split" } else { "atomic" };
    writeln!(text, "[world]\ntransactions = \"{split}\"").expect("it takes any text");
    text += "[world.applications]\nwordpress = { units = [\"1\"] }\nmysql = { units = [\"2\"] }\n\
             [world.relations]\n\"wordpress:db mysql:server\" = {}\n";
    text += if chance(200) { "\"wordpress:cluster\" = {}\n" } else { "" };
    text += if chance(200) { "\"wordpress:cache mysql:admin\" = {}\n" } else { "" };
    text += "[user]\n";
    for verb in ["relation", "unit", "application", "machine"] {
        if chance(500) {
            writeln!(text, "\"destroy-{verb} *\" = \"unlimited\"").expect("it takes any text");
        }
    }
    text += if chance(150) { "\"destroy-unit --force *\" = \"unlimited\"\n" } else { "" };
    text += "[faults]\n";
    for fault in FaultKind::ALL {
        if fault.row().needs.is_none() && chance(250) {
            writeln!(text, "{} = true", fault.key()).expect("it takes any text");
        }
    }
    text += "[variants]\n";
    for variant in Variants::LIST {
        if dice.index(1_000) < 150 {
            let (value, _) = variant.values[dice.index(variant.values.len())];
            writeln!(text, "{} = \"{value}\"", variant.name).expect("it takes any text");
        }
    }
    match dice.index(6) {
        0 => beside_another(&text),
        1 => with_births(&text),
        _ => text,
    }
}

/// The same world with a fixed unit: one of wordpress on the manager's machine.
fn beside_another(text: &str) -> String {
    let machines = "[world.machines]\n0 = { jobs = [\"manage-model\", \"host-units\"] }\n\
                    1 = {}\n2 = {}\n[world.applications]\n";
    let text = text.replacen("[world.applications]\n", machines, 1);
    text.replacen("wordpress = { units = [\"1\"] }", "wordpress = { units = [\"0\", \"1\"] }", 1)
}

/// The same world, to which a unit of wordpress may be added.
fn with_births(text: &str) -> String {
    let is_drawn =
        |line: &&str| !line.starts_with("unit-assignment = ") && !line.starts_with("placement = ");
    let text: Vec<&str> = text.lines().filter(is_drawn).collect();
    let machines = "[world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n2 = {}\n\
                    3 = { exists = false }\n[world.applications]\n";
    let text = text.join("\n").replacen("[world.applications]\n", machines, 1);
    let text = text.replacen("units = [\"1\"] }", "units = [\"1\"], most-units = 2 }", 1);
    let text = text.replacen("[user]\n", "[user]\n\"add-unit wordpress\" = \"unlimited\"\n", 1);
    format!("{text}\nunit-assignment = \"with-unit\"\nplacement = \"new-machine\"\n")
}

/// Asserts that a world is no template, for a reason that contains `reason`.
fn refused(more: &str, reason: &str) {
    let text = format!("shows = \"A test.\"\n{more}");
    let scenario = good(&text);
    let start = replay(&scenario).expect("every step is possible").state;
    match Views::of(&scenario.world, &start, None, &SETTINGS) {
        Err(NoAnswer::NoTemplate(why)) => {
            assert!(why.to_string().contains(reason), "{why}, not {reason}, of\n{text}");
        }
        Err(NoAnswer::Stopped(stop)) => panic!("{stop:?} of\n{text}"),
        Ok(views) => panic!("{} views of\n{text}", views.len()),
    }
}

#[test]
fn what_is_no_template_is_refused_with_its_reason() {
    let pair = "[world.applications]\nwordpress = { units = [\"1\", \"2\"] }\n\
                mysql = { units = [\"3\"] }\n[world.relations]\n\
                \"wordpress:db mysql:server\" = {}\n";
    let with = |more: &str| format!("{more}{pair}");
    refused("[world.machines]\n0 = { jobs = [\"manage-model\"] }\n", "no application has units");
    refused(&with("[detail]\nhooks = true\nrelations = true\n"), "of all units are read");
    let added = |variants: &str, more: &str| {
        format!(
            "[variants]\n{variants}\n[world.machines]\n1 = {{}}\n2 = {{ exists = false }}\n{more}\n\
             [world.applications]\nwordpress = {{ units = [\"1\"], most-units = 2 }}\n[user]\n\
             \"add-unit wordpress\" = \"unlimited\"\n"
        )
    };
    let both = "unit-assignment = \"with-unit\"\nplacement = \"new-machine\"";
    refused(&added("", ""), "`unit-assignment` has to be");
    refused(&added("unit-assignment = \"with-unit\"", ""), "`placement` has to be");
    refused(&added(both, "3 = {}"), "a unit that is added may get machine 3");
    refused(
        &format!("{}\"destroy-unit *\" = 1\n", added(both, "")),
        "a command is limited for each",
    );
    refused(
        "[world.machines]\n0 = { jobs = [\"manage-model\", \"host-units\"] }\n\
         [world.applications]\nwordpress = { units = [\"0\"] }\nmysql = { units = [\"0\"] }\n",
        "no unit may be any number: wordpress/0 shares its machine with another unit",
    );
    let subordinates = |most: &str, more: &str| {
        format!(
            "[world.applications]\nwordpress = {{ units = [\"1\"] }}\n\
             logging = {{ subordinate = true{most} }}\n[world.relations]\n\
             \"wordpress:info logging:info\" = {{ scope = \"container\" }}\n{more}"
        )
    };
    refused(&subordinates("", ""), "wordpress/0 lacks an identifier for a subordinate");
    refused(
        &subordinates(
            ", most-units = 2",
            "[switch-off]\nclauses = [\"destroy-unit.4\"]\n[user]\n\"destroy-unit logging/0\" = \"unlimited\"\n",
        ),
        "commands tell one unit of logging from another",
    );
}

/// No ranking exists where a relation can be made and destroyed again and again. So no claim of the
/// kind leads holds for every number, as a run need not end.
#[test]
fn where_commands_go_round_nothing_that_must_follow_holds() {
    let text = "shows = \"A test.\"\n[world.applications]\nwordpress = { units = [\"1\"] }\n\
                mysql = { units = [\"2\"] }\n[world.relations]\n\"wordpress:db mysql:server\" = {}\n\
                [variants]\nrelation-tracking = \"remote-scope\"\n[user]\n\
                \"destroy-relation *\" = \"unlimited\"\n\"integrate *\" = \"unlimited\"\n\
                [claims]\n\"a Dying relation is removed\" = \"holds\"\n\
                \"a Dead unit is in no scope\" = \"holds\"\n";
    let finite = format!("{text}[assume]\nfinitely-many-commands = true\n");
    for (text, holds) in [(text, false), (finite.as_str(), true)] {
        let scenario = good(text);
        let claims: Vec<&'static Claim> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
        let question = question(&scenario.world, &scenario.start, &claims);
        let Ok(report) = check::check_any_size(&question, &SETTINGS) else { panic!("a template") };
        let [(_, follows), (_, always)] = &report.answers[..] else { panic!("two answers") };
        match follows {
            AnySizeAnswer::Holds => assert!(holds, "a user gives commands for ever"),
            AnySizeAnswer::NotAsked(why) => {
                assert!(!holds && why.starts_with("it is not known that all runs end"), "{why}");
                let needed = "; it holds if `assume.finitely-many-commands` is made";
                assert!(why.ends_with(needed), "{why}");
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(always, AnySizeAnswer::Holds), "{always:?}");
    }
}
