//! Round trips: a state, printed as by Juju, is among the considered states, and its answer is that
//! of a search of the whole world. The holders of known bugs are found again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

use deathwatch_claims::{
    ClaimKind,
    check::{CheckAnswer, CheckQuestion, Frequency, RunPremise, SearchSettings, Survey, Surveyed},
    diagnosis::RootKind,
};
use deathwatch_diagnose::{Considered, Diagnosed, Juju, diagnose, variants};
use deathwatch_model::{
    ids::EntityId,
    life::Life,
    protocol::{self, Effects},
    runtime::Hardware,
    state::State,
    world::{Assumption, Assumptions, FaultKind, World},
};
use deathwatch_scenario::{Scenario, describe, replay, scenario};
use deathwatch_study::{
    verdict::{self, Engine, Refines, VerdictOptions},
    write,
};
use toml::{Table, Value};

use super::exported::printed;
use crate::common::{cases, good};

/// Worlds whose states are drawn, without variants.
const WORLDS: [&str; 4] = [
    r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress = { units = ["1"] }
mysql = { units = ["2"] }
[world.relations]
"wordpress:db mysql:server" = { entered = ["wordpress/0", "mysql/0"] }
[user]
"destroy-unit wordpress/0" = "unlimited"
"destroy-application mysql" = "unlimited"
"destroy-relation wordpress:db mysql:server" = "unlimited"
"destroy-machine 1" = "unlimited"
[faults]
crash = true
downtime = true
hook-failure = true
"#,
    r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
pg = { units = ["1", "2"] }
[world.relations]
"pg:peers" = { entered = ["pg/0"] }
[user]
"destroy-unit *" = "unlimited"
"destroy-application pg" = "unlimited"
"destroy-machine 2" = "unlimited"
[faults]
hardware-failure = ["1"]
undetected-hardware-failure = ["1"]
"#,
    r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
[world.applications]
front = { units = ["1"] }
nrpe = { subordinate = true, subordinates = ["front/0"] }
[world.relations]
"front:info nrpe:info" = { scope = "container", entered = ["front/0", "nrpe/0"] }
[user]
"destroy-unit front/0" = "unlimited"
"destroy-application nrpe" = "unlimited"
"destroy-relation front:info nrpe:info" = "unlimited"
[faults]
crash = true
downtime = true
"#,
    r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = { provisioned = false }
"1/lxd/0" = { host = "1", provisioned = false }
[world.applications]
web = { units = ["2", "1"], deployed = false }
[user]
"destroy-unit *" = "unlimited"
"destroy-machine *" = "unlimited"
[faults]
hardware-failure = ["2"]
"#,
];

/// One version of each behaviour, as which states are exported.
const VERSIONS: [&str; 3] = ["2.7.8", "3.6.14", "4.0.3"];

/// A world with the variants of this version of Juju.
fn world(text: &str, version: &str) -> Scenario {
    let mut head = "shows = \"A world.\"\nclaims = {}\n[variants]\n".to_owned();
    for (name, value) in variants(version) {
        let _ = writeln!(head, "{name} = \"{value}\"");
    }
    if version.starts_with('4') {
        // This is known for containers; for machines both values are tried.
        head.push_str("unprovisioned-machine = \"left\"\n");
    }
    if version.starts_with('4') && text.contains(":peers") {
        // Agents of 4.x do not leave their peers.
        head.insert_str(0, "switch-off.clauses = [\"unit-agent.2\", \"unit-agent.8\"]\n");
    }
    good(&(head + text))
}

/// Pseudo-random numbers, the same each time.
pub(super) struct SeededNumbers(pub(super) u64);

impl SeededNumbers {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).expect("it is small")
    }
}

/// The states of a random walk.
fn walk(scenario: &Scenario, drawn: &mut SeededNumbers, steps: usize) -> Vec<State> {
    let (mut state, mut states) = (scenario.start.clone(), Vec::new());
    for _ in 0..steps {
        let mut actions = Vec::new();
        protocol::enabled(&scenario.world, &state, &mut actions);
        let Some(most) = std::num::NonZero::new(actions.len()) else { break };
        let action = actions[drawn.below(most.get())];
        protocol::step(&scenario.world, &mut state, action, &mut Effects::default());
        states.push(state.clone());
    }
    states
}

/// The facts that Juju knows or hides about the entities of a world: one line each, by name.
fn facts(
    world: &World,
    state: &State,
    among: &BTreeSet<String>,
    names: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let real = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let mut facts = BTreeMap::new();
    for entity in EntityId::all(world) {
        let name = key(&real(describe::bare_name(world, entity)));
        let Some(life) = entity.life(state) else { continue };
        let runtime = &state.runtime;
        let says = match entity {
            EntityId::Machine(id) => {
                let machine = runtime.machine(id);
                let is_down = machine.down && machine.hardware == Hardware::Running;
                format!("{life} {:?} {is_down}", machine.hardware)
            }
            EntityId::Application(_) => life.to_string(),
            EntityId::Unit(id) => {
                let unit = runtime.unit(id);
                let is_deployed = runtime.is_deployed(id);
                let error = unit.hook_error.map(|it| key(&world.relation(it).name));
                format!("{life} {is_deployed} {} {error:?}", unit.down)
            }
            EntityId::Relation(id) => {
                let mut members = Vec::new();
                for unit in world.unit_ids() {
                    let name = real(&world.unit(unit).name);
                    let knows = runtime.membership(id, unit).directory;
                    let in_scope = state.store.in_scope(id, unit);
                    if among.contains(&name) && (in_scope || knows) {
                        members.push(format!("{name} {in_scope} {knows}"));
                    }
                }
                members.sort();
                format!("{life} {members:?}")
            }
        };
        facts.insert(name, says);
    }
    facts
}

/// The name of an entity, with the ends of a relation in a fixed order.
fn key(name: &str) -> String {
    let mut ends: Vec<&str> = name.split(' ').collect();
    ends.sort_unstable();
    ends.join(" ")
}

/// Whether a considered state agrees with the true one about each entity that it contains.
fn is_true(considered: &Considered, world: &World, state: &State) -> bool {
    let fitting = good(&considered.scenario);
    let names: BTreeMap<String, String> =
        considered.names.iter().map(|(real, name)| (name.clone(), real.clone())).collect();
    let among: BTreeSet<String> = considered.names.keys().cloned().collect();
    let mine = facts(&fitting.world, &fitting.start, &among, &names);
    let truth = facts(world, state, &among, &BTreeMap::new());
    let mut mine = mine.into_iter().filter(|(name, _)| {
        // The controller is another machine there.
        !fitting.world.machine_ids().any(|it| {
            let machine = fitting.world.machine(it);
            machine.name == *name && machine.manages_model
        })
    });
    mine.all(|(name, says)| truth.get(&name) == Some(&says))
}

/// The answers of a search of the whole world about each entity that is not Alive: whether it goes
/// by itself, and whether it does once everything is repaired.
fn searched(base: &Scenario, state: &State) -> BTreeMap<String, (bool, bool)> {
    let start = write::start(&base.world, &scenario::described(base), state);
    let mut file = base.table();
    let mut own = Table::new();
    for entity in EntityId::all(&base.world) {
        if entity.life(state).is_some_and(|it| it != Life::Alive) {
            let name = describe::name(&base.world, entity);
            let (kind, own_name) = name.split_once(' ').expect("it has a kind");
            let it = format!("{kind}('{own_name}').exists");
            let mut leads = Table::new();
            leads.insert("to".to_owned(), format!("!{it}").into());
            leads.insert("from".to_owned(), it.into());
            own.insert(name, Table::from_iter([("leads".to_owned(), leads.into())]).into());
        }
    }
    let claims: Table = own.keys().map(|it| (it.clone(), "holds".into())).collect();
    for (key, table) in
        [("start", start.expect("nothing is pending")), ("own", own), ("claims", claims)]
    {
        file.insert(key.to_owned(), Value::Table(table));
    }
    file.remove("user");
    file["start"].as_table_mut().expect("it is one").insert("inconsistent".to_owned(), true.into());
    // Facts about the commands that were given make no difference.
    for gone in ["given", "application", "peers", "unassigned"] {
        file["start"].as_table_mut().expect("it is one").remove(gone);
    }
    let asked = good(&file.to_string());
    let claims: Vec<_> = asked.claims.iter().map(|(claim, _)| *claim).collect();
    let claims: Vec<_> = claims.into_iter().filter(|it| it.kind() == ClaimKind::Leads).collect();
    let question = CheckQuestion {
        world: &asked.world,
        start: &asked.start,
        claims: claims.clone(),
        witnesses: Vec::new(),
        refines: None,
    };
    let settings = SearchSettings::without_limits(1);
    let Ok(Surveyed::Whole(survey)) = Survey::without_faults(&question, &settings) else {
        panic!("the world is small");
    };
    let cures = [
        Assumption::HookErrorsAreResolved,
        Assumption::CrashedAgentsRestart,
        Assumption::FailedHardwareIsTerminated,
        Assumption::FailedStartsAreResolved,
    ];
    let [none, all] = [false, true].map(|is_made| {
        let mut assumptions = Assumptions::default();
        for cure in cures {
            cure.set(&mut assumptions, is_made);
        }
        let faults = [Frequency::Never; FaultKind::ALL.len()];
        survey.leads(&RunPremise { assumptions, faults }, &|| None).expect("nothing stops it")
    });
    let answers = none.into_iter().zip(all);
    let is_so = |it: CheckAnswer| it != CheckAnswer::Violated;
    let answers = answers.map(|(none, all)| (is_so(none), is_so(all)));
    claims.iter().map(|it| it.name.to_owned()).zip(answers).collect()
}

fn diagnosed(world: &World, state: &State, version: &str) -> Diagnosed {
    let [status, units] = printed(world, state, version);
    let files = [("status.json".to_owned(), status), ("units.json".to_owned(), units)];
    let files = files.map(|(name, text)| (name, text.into_bytes()));
    let juju = Juju::read(&files).unwrap_or_else(|problem| panic!("{problem}"));
    diagnose(&juju, &|| None).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Compares the diagnosis of a state with the truth. Returns the number of entities that are not
/// Alive.
fn compare(base: &Scenario, state: &State, version: &str) -> usize {
    let diagnosed = diagnosed(&base.world, state, version);
    let truth = searched(base, state);
    let is_shown = |name: &&String| !name.starts_with("relation ");
    let true_ones: Vec<&Considered> =
        diagnosed.considered.iter().filter(|it| is_true(it, &base.world, state)).collect();
    for name in truth.keys().filter(is_shown) {
        let answers: Vec<(bool, bool)> = true_ones
            .iter()
            .flat_map(|it| &it.goes)
            .filter(|it| it.thing == *name)
            .map(|it| (it.by_itself, it.by_itself || !it.needs.is_empty()))
            .collect();
        let what = || {
            let [status, units] = printed(&base.world, state, version);
            let state: Vec<String> = EntityId::all(&base.world)
                .map(|it| describe::document(&base.world, state, it))
                .collect();
            format!("{version}: {name}\n{}\n{status}\n{units}", state.join("\n"))
        };
        assert!(!answers.is_empty(), "the true state is not considered: {}", what());
        // All values of a variant are tried if this Juju's is unknown, and one answer is right.
        assert!(answers.contains(&truth[name]), "{answers:?}, not {:?}: {}", truth[name], what());
    }
    truth.keys().filter(is_shown).count()
}

#[test]
fn the_true_state_is_among_those_considered_and_its_answer_is_the_searchs() {
    let (mut drawn, mut met, mut things) =
        (SeededNumbers(0x9E37_79B9_7F4A_7C15), BTreeSet::new(), 0);
    let states = cases(300, 1_000);
    let worlds: Vec<(Scenario, &str)> = WORLDS
        .iter()
        .flat_map(|text| VERSIONS.map(|version| (world(text, version), version)))
        .collect();
    while met.len() < states {
        let (index, steps) = (drawn.below(worlds.len()), 1 + drawn.below(25));
        let (base, version) = &worlds[index];
        for state in walk(base, &mut drawn, steps) {
            // The controller is in another model, and assumed to run.
            let has_controller = state.active_manager(&base.world).is_some();
            if has_controller && met.len() < states && met.insert((index, state.clone())) {
                things += compare(base, &state, version);
            }
        }
    }
    assert!(things > states, "{things} things are not Alive");
}

/// Known bugs of the shipped scenarios, each with the version in which its run is printed.
const KNOWN_BUGS: [(&str, &str); 6] = [
    ("17-force-on-a-dying-unit", "3.6.14"),
    ("24-26-dying-machine-without-instance", "4.0.0"),
    ("38-unit-of-a-pending-machine", "4.0.3"),
    ("39-neither-machine-nor-unit-first", "4.0.3"),
    ("41-peer-scopes-are-never-left", "4.0.8"),
    ("42-44-hook-error-in-a-relation", "4.1"),
];

/// The roots at the end of a run that violates a claim of the scenario, and the output for that
/// state.
#[test]
fn the_holders_of_known_bugs_are_found_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/known-bugs");
    for (name, version) in KNOWN_BUGS {
        let scenario = scenario::load(folder.join(format!("{name}.toml")).as_path())
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let start = replay(&scenario).unwrap_or_else(|_| panic!("{name} has a script"));
        let options = VerdictOptions {
            engine: Engine::Own,
            only: &[],
            refines: Refines::AsScenariosAsk,
            settings: SearchSettings::without_limits(1),
        };
        let Ok(verdict) = verdict::judge(&scenario, &start, &options) else {
            panic!("{name} is small");
        };
        let mut compared = 0;
        for judged in &verdict.judged {
            let Some(trace) = &judged.finding.trace else { continue };
            let Some(diagnosis) = &trace.diagnosis else { continue };
            let mut state = start.state.clone();
            for step in &trace.steps {
                protocol::step(&scenario.world, &mut state, *step, &mut Effects::default());
            }
            let is_shown = |it: &EntityId| !matches!(it, EntityId::Relation(_));
            let roots = diagnosis.roots();
            let roots = roots.iter().filter(|it| !matches!(it.kind, RootKind::StillAlive));
            let holders: BTreeSet<String> = roots
                .flat_map(|it| it.entities.iter().filter(|it| is_shown(it)))
                .map(|it| describe::name(&scenario.world, *it))
                .collect();
            let diagnosed = diagnosed(&scenario.world, &state, version);
            let found: BTreeSet<String> = diagnosed
                .report
                .groups
                .iter()
                .flat_map(|it| &it.cases)
                .flat_map(|it| &it.holders)
                .map(|it| it.name.clone())
                .collect();
            assert!(found.is_superset(&holders), "{name}: {found:?}, not {holders:?}");
            compared += usize::from(!holders.is_empty());
        }
        assert!(compared > 0, "{name} has a run that leaves something");
    }
}
