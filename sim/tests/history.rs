//! History: it changes nothing but itself, and is kept only where a claim reads it.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_claims::check::SearchSettings;
use deathwatch_documents::Status;
use deathwatch_language::{Expression, ExpressionKind};
use deathwatch_model::{
    action::Action,
    history::{History, KeptHistory},
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    world::World,
};
use deathwatch_scenario::replay;
use deathwatch_study::verdict::{self, Engine, Refines, VerdictOptions};

use crate::common::{bad, cases, good, render, worlds};

/// The greatest number of states of a world whose graph is compared.
const SMALL: u64 = 1_500;

/// The kinds of rows of history.
const KINDS: [RowKind; 3] =
    [RowKind::UnitHistory, RowKind::RelationHistory, RowKind::MachineHistory];

/// The steps of each state, with the states that they lead to, as the protocol alone lists them.
type StepGraph = BTreeMap<State, BTreeSet<(String, State)>>;

/// The graph of a world; `None` if it has more than `most` states.
fn graph(world: &World, start: &State, most: u64) -> Option<StepGraph> {
    let (mut graph, mut open) = (StepGraph::new(), vec![start.clone()]);
    while let Some(state) = open.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        if graph.len() as u64 >= most {
            return None;
        }
        let mut actions: Vec<Action> = Vec::new();
        protocol::enabled(world, &state, &mut actions);
        let steps = actions.into_iter().map(|action| {
            let mut next = state.clone();
            protocol::step(world, &mut next, action, &mut Effects::default());
            (world.show(&action), next)
        });
        let steps: BTreeSet<(String, State)> = steps.collect();
        open.extend(steps.iter().map(|(_, next)| next.clone()));
        graph.insert(state, steps);
    }
    Some(graph)
}

/// The same graph without history.
fn quotient(graph: &StepGraph) -> StepGraph {
    let forget = |state: &State| State { history: History::default(), ..state.clone() };
    let mut quotient = StepGraph::new();
    for (state, steps) in graph {
        let steps: BTreeSet<_> =
            steps.iter().map(|(it, next)| (it.clone(), forget(next))).collect();
        let same = quotient.entry(forget(state)).or_insert_with(|| steps.clone());
        assert_eq!(*same, steps, "what can happen does not depend on history");
    }
    quotient
}

#[test]
fn a_graph_without_history_is_the_quotient_of_the_one_with_it() {
    let (mut compared, mut larger) = (0, 0);
    let every = cases(2, 1);
    for (scenario, replay) in worlds::of_few_states(SMALL / 3).into_iter().step_by(every) {
        let detail = scenario.world.detail;
        if KeptHistory::all(detail).is_empty() {
            continue;
        }
        let forgetful = scenario.world.changed(|world| world.history = KeptHistory::default());
        let keeping = scenario.world.changed(|world| world.history = KeptHistory::all(detail));
        let start = State { history: History::empty(&forgetful), ..replay.state.clone() };
        let kept = State { history: History::empty(&keeping), ..replay.state.clone() };
        let Some(without) = graph(&forgetful, &start, SMALL / 3) else { continue };
        let Some(with) = graph(&keeping, &kept, SMALL) else { continue };
        assert!(quotient(&with) == quotient(&without), "{}", scenario.name);
        compared += 1;
        larger += usize::from(with.len() > without.len());
    }
    assert!(compared * every > 80, "only {compared} worlds were compared");
    assert!(larger * every > 5, "history was kept in {larger} of them only");
}

/// A world in which a configuration changes.
const CONFIG: &str = r#"
shows = "A configuration."
[detail]
hooks = true
charm = true
[world.machines]
0 = { jobs = ["manage-model", "host-units"] }
[world.applications]
wordpress = { units = ["0"] }
[user]
"set-config wordpress" = "unlimited"
"#;

#[test]
fn only_what_a_claim_reads_is_kept() {
    let rows = |source: &str| {
        let scenario = good(source);
        KINDS.map(|kind| kind.count(&scenario.world))
    };
    let none = format!("{CONFIG}[claims]\n\"a Dying unit is removed\" = \"vacuous\"");
    assert_eq!(rows(&none), [0; 3]);
    let one =
        format!("{CONFIG}[own.mine]\neach = \"unit-history\"\nalways = \"!it.config_unseen\"");
    assert_eq!(rows(&one), [1, 0, 0]);
}

/// Asserts that a scenario without a script is answered as it expects.
fn assert_as_expected(source: &str) {
    let scenario = good(source);
    let played = replay(&scenario).expect("there is no script");
    let (refines, settings) = (Refines::default(), SearchSettings::without_limits(1));
    let how = VerdictOptions { engine: Engine::Own, only: &[], refines, settings };
    let verdict = verdict::judge(&scenario, &played, &how).expect("the world is small");
    assert_eq!(verdict.status, Status::AsExpected, "{source}{verdict:#?}");
}

/// A claim may ask which rows of history there are, and read no field of them.
#[test]
fn a_claim_that_reads_no_field_of_history_is_about_all_its_rows() {
    let world = "shows = \"A test.\"\ndetail = { hooks = true, relations = true }\n[world.applications]\n\
                 wordpress = { units = [\"1\"] }\nmysql = { units = [\"2\"] }\n[world.relations]\n\
                 \"wordpress:db mysql:server\" = {}\n[user]\n\"destroy-unit wordpress/0\" = 1\n";
    for (kind, name, value) in [
        ("unit", "unit", "wordpress/0"),
        ("relation", "relation", "wordpress:db mysql:server"),
        ("machine", "machine", "1"),
    ] {
        let is_it = format!("{name} == \"{value}\"");
        let list = format!("{kind}_histories");
        let each = format!("each = \"{kind}-history\"");
        let claims = [
            ("violated", format!("{each}\nalways = '!(it.{is_it})'")),
            ("violated", format!("always = '{list}.all(h, h.{name} != \"{value}\")'")),
            ("holds", format!("reachable = '{list}.exists(h, h.{is_it})'")),
            ("violated", format!("{each}\nstep = 'units.exists(u, u.life == \"alive\" && false)'")),
            ("violated", format!("{each}\nleads = {{ from = 'it.{is_it}', to = 'false' }}")),
        ];
        for (answer, claim) in claims {
            let asked = format!("{world}[own.mine]\n{claim}\n[claims]\nmine = \"{answer}\"\n");
            assert_as_expected(&asked);
        }
    }
}

/// A step that changes a field of history which another claim reads is none that this one is about.
#[test]
fn a_claim_about_steps_is_about_the_fields_of_history_that_it_reads() {
    let world = "shows = \"A test.\"\ndetail.hooks = true\n\
                 world.machines.0 = { jobs = [\"manage-model\", \"host-units\"] }\n\
                 world.applications.wordpress = { units = [\"0\"], deployed = false }\n";
    let mine = "[own.mine]\neach = \"unit-history\"\n\
                step = \"before.retry_passed_over || after.retry_passed_over\"\n";
    let other = "[own.other]\neach = \"unit-history\"\n\
                 step = \"before.first_hooks == 'install' || after.first_hooks != 'install'\"\n";
    let claims = "[claims]\nmine = \"holds\"\n";
    for source in [
        format!("{world}{mine}{claims}"),
        format!("{world}{mine}{other}{claims}other = \"violated\"\n"),
    ] {
        assert_as_expected(&source);
    }
}

/// Two units of one role that write their settings, and a unit of the other role that reads them.
const WRITERS: &str = concat!("\n", include_str!("../../tests/worlds/writers.toml"));

#[test]
fn history_names_only_units_that_can_be_seen() {
    assert_as_expected(WRITERS);
}

#[test]
fn history_of_a_detail_that_is_off_is_refused() {
    let source =
        CONFIG.replace("charm = true", "").replace("\"set-config wordpress\" = \"unlimited\"", "");
    let own = "[own.mine]\neach = \"unit-history\"\nalways = \"!it.config_unseen\"\n";
    let shown = render(&bad(&format!("{source}{own}")));
    assert!(shown.contains("`config_unseen` is about the detail `charm`"), "{shown}");
    assert!(shown.contains("this world does not have that detail"), "{shown}");
    let line = source.lines().count() + 3;
    assert!(shown.contains(&format!(":{line}:")), "{shown} names line {line}");
}

#[test]
fn history_is_set_at_the_start_and_expected() {
    let asks = "[own.mine]\neach = \"unit-history\"\nalways = \"!it.config_unseen\"\n";
    let tables = "[start.config-unseen]\n\"history of wordpress/0\" = true\n\
                  [expect.config-unseen]\n\"history of wordpress/0\" = true\n";
    let scenario = good(&format!("{CONFIG}{asks}{tables}"));
    assert!(replay(&scenario).expect("there is no script").failures.is_empty());
    let other = "[claims]\n\"a Dying unit is removed\" = \"vacuous\"\n";
    let unkept = render(&bad(&format!("{CONFIG}{tables}{other}")));
    assert!(unkept.contains("history of wordpress/0"), "{unkept}");
}

#[test]
fn history_is_found_by_the_name_of_its_entity() {
    let text = "unit_history('wordpress/0').config_unseen";
    let own = format!("[own.mine]\nreachable = \"{text}\"\n");
    let start = "[start.config-unseen]\n\"history of wordpress/0\" = true\n";
    for (start, is_unseen) in [(start, true), ("", false)] {
        let scenario = good(&format!("{CONFIG}{own}{start}"));
        let said = Expression::new(&scenario.world, ExpressionKind::State(None), text);
        let said = said.expect("the world keeps it");
        assert_eq!(said.holds(&scenario.world, &scenario.start, None), is_unseen);
    }
}
