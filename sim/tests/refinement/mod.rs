//! Refinement: the explorer, stateright and a naive oracle agree on whether a world keeps to its
//! outline, and on the shortest run that departs from it.
//!
//! The outlines here allow other steps than the world, or hide more of its states. So worlds keep
//! to them for different reasons, or depart in different ways.

mod rules;
mod shipped;

use std::{
    borrow::Cow,
    collections::{BTreeSet, VecDeque},
};

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{
        self, CheckAnswer, CheckQuestion, Finding, FindingSubject, Refinement, SearchSettings,
        Stop, Trace,
    },
};
use deathwatch_model::{
    action::Action,
    clause::Clause,
    protocol::{self, Effects},
    rows::Count,
    state::State,
    store::Touched,
    world::{Transactions, World, WorldBuilder},
};
use deathwatch_scenario::Scenario;
use deathwatch_study::verdict::Engine;

use crate::common::{MIXED, PAIR, good};

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

type Hide = fn(&World, &State) -> State;

/// A world, its outline, the hiding of details, and whether the world keeps to the outline.
struct RefinementCase {
    name: &'static str,
    scenario: Scenario,
    outline: World,
    hide: Hide,
    keeps: bool,
}

impl RefinementCase {
    fn refinement(&self) -> Refinement<'_> {
        Refinement::against(&self.scenario.world, Cow::Borrowed(&self.outline), self.hide)
    }
}

/// The oracle's finding: the number of steps of the shortest run that departs from the outline, its
/// last step, and the state after that.
#[derive(Debug, PartialEq, Eq)]
struct OutlineDeparture {
    steps: usize,
    action: Action,
    after: State,
}

fn successors(world: &World, state: &State) -> Vec<(Action, State)> {
    let mut actions = Vec::new();
    protocol::enabled(world, state, &mut actions);
    let after = |action: Action| {
        let mut next = state.clone();
        protocol::step(world, &mut next, action, &mut Effects::default());
        (action, next)
    };
    actions.into_iter().map(after).collect()
}

/// Searches breadth-first, with whole states in a set, and without a memo of the outline.
fn oracle(case: &RefinementCase) -> Option<OutlineDeparture> {
    let (world, hide) =
        (&case.scenario.world, |state: &State| (case.hide)(&case.scenario.world, state));
    let mut known = BTreeSet::from([case.scenario.start.clone()]);
    let mut queue = VecDeque::from([(case.scenario.start.clone(), 0)]);
    while let Some((state, depth)) = queue.pop_front() {
        for (action, next) in successors(world, &state) {
            let (from, to) = (hide(&state), hide(&next));
            let outlines = || successors(&case.outline, &from).into_iter().any(|(_, it)| it == to);
            if from != to && !outlines() {
                return Some(OutlineDeparture { steps: depth + 1, action, after: to });
            }
            if known.insert(next.clone()) {
                queue.push_back((next, depth + 1));
            }
        }
    }
    None
}

/// The finding of an engine about the refinement, which is asked together with claims of these
/// kinds.
fn ask(
    case: &RefinementCase,
    claims: &[ClaimKind],
    settings: &SearchSettings<'_>,
    engine: Engine,
) -> Finding {
    let Scenario { world, start, .. } = &case.scenario;
    let is_asked = |claim: &&Claim| claims.contains(&claim.kind());
    let claims = deathwatch_claims::all_in(world).filter(is_asked).collect();
    let refines = Some(case.refinement());
    let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines };
    let report = match engine {
        Engine::Own => check::check(&question, settings),
        Engine::Stateright => deathwatch_stateright::check(&question, settings),
    };
    let finding = report.expect("the worlds are small").findings.pop().expect("it was asked");
    assert!(matches!(finding.asked, FindingSubject::Refinement));
    finding
}

fn as_it_is(_: &World, state: &State) -> State {
    state.clone()
}

fn always_up(world: &World, state: &State) -> State {
    let (mut state, mut touched) = (state.clone(), Touched::new());
    world.machine_ids().for_each(|id| state.runtime.machine_mut(id, &mut touched).down = false);
    world.unit_ids().for_each(|id| state.runtime.unit_mut(id, &mut touched).down = false);
    state
}

/// Hides the pending transactions of agents.
fn unplanned(world: &World, state: &State) -> State {
    let (mut state, mut touched) = (state.clone(), Touched::new());
    world.machine_ids().for_each(|id| {
        state.runtime.machine_mut(id, &mut touched).pending = None;
    });
    world.unit_ids().for_each(|id| state.runtime.unit_mut(id, &mut touched).pending = None);
    state
}

/// Hides the counts of units, which decide whether an application goes with its last one.
fn uncounted(world: &World, state: &State) -> State {
    let (mut state, mut touched) = (state.clone(), Touched::new());
    for id in world.application_ids() {
        let docs = state.store.application_docs_mut(id, &mut touched);
        if let Some(application) = &mut docs.application {
            application.units = Count::of(1);
        }
    }
    state
}

const DESTROYS: &str = "[user]\n\"destroy-unit wordpress/0\" = 1\n\
                        \"destroy-relation wordpress:db mysql:server\" = 1\n";

/// A world of two applications, in which a unit and a relation may be destroyed.
fn pair(more: &str) -> Scenario {
    good(&format!("shows = \"A pair.\"\n{PAIR}{DESTROYS}{more}"))
}

fn case(
    name: &'static str,
    scenario: Scenario,
    keeps: bool,
    hide: Hide,
    outline: impl FnOnce(&mut WorldBuilder),
) -> RefinementCase {
    let outline = scenario.world.changed(outline);
    RefinementCase { name, scenario, outline, hide, keeps }
}

fn off(clause: &str) -> impl FnOnce(&mut WorldBuilder) {
    let clause = Clause::named(clause).expect("there is such a clause");
    move |world| world.without.insert(clause)
}

fn cases() -> Vec<RefinementCase> {
    let faults = "[faults]\nhardware-failure = [\"1\"]\n";
    let down = "[faults]\ncrash = true\ndowntime = true\n";
    let split = |more: &str| {
        let mut scenario = pair(more);
        scenario.world = scenario.world.changed(|world| world.transactions = Transactions::Split);
        scenario
    };
    let mixed = || {
        let user = "[user]\n\"destroy-unit wordpress/0\" = 1\n";
        good(&format!("shows = \"A mixture.\"\n{MIXED}{user}"))
    };
    vec![
        case("itself", pair(faults), true, as_it_is, |_| {}),
        case("itself, split", split(""), true, as_it_is, |_| {}),
        case("a mixture", mixed(), true, as_it_is, |_| {}),
        case("faults that the outline has, too", pair(faults), true, as_it_is, |world| {
            world.faults.crash = true;
        }),
        case("no faults", pair(faults), false, as_it_is, |world| {
            world.faults.hardware_failure.clear();
        }),
        case("no faults, split", split(faults), false, as_it_is, |world| {
            world.faults.hardware_failure.clear();
        }),
        case("down, and nobody sees it", pair(down), true, always_up, |_| {}),
        case("down, and without crashes", pair(down), true, always_up, |world| {
            world.faults.downtime = false;
            world.faults.crash = false;
        }),
        case("down, and seen", pair(down), false, as_it_is, |world| {
            world.faults.downtime = false;
        }),
        case("nobody removes units", pair(""), false, as_it_is, off("machine-agent.3")),
        case("nobody removes units, split", split(""), false, as_it_is, off("machine-agent.3")),
        case("nobody removes a mixture", mixed(), false, as_it_is, off("machine-agent.3")),
        case("nobody leaves", pair(faults), false, as_it_is, off("unit-agent.2")),
        case("plans are hidden", split(""), false, unplanned, |_| {}),
        case("the counts are hidden", pair(""), false, uncounted, |_| {}),
        case("commits are hidden, too", split(""), false, unplanned, |world| {
            world.transactions = Transactions::Atomic;
        }),
    ]
}

#[test]
fn the_explorers_agree_with_the_oracle() {
    for case in &cases() {
        let found = oracle(case);
        assert_eq!(found.is_none(), case.keeps, "{}: {found:?}", case.name);
        let answer = if case.keeps { CheckAnswer::Holds } else { CheckAnswer::Violated };
        // Without claims, and with claims that need the graph's edges.
        for claims in [&[][..], &[ClaimKind::Leads], &[ClaimKind::Always, ClaimKind::Step]] {
            for threads in [1, 2, 3] {
                let settings = SearchSettings { threads, ..SETTINGS };
                let finding = ask(case, claims, &settings, Engine::Own);
                assert_eq!(finding.answer, answer, "{} by {threads}", case.name);
                assert_eq!(shown(case, finding), found, "{} by {threads}", case.name);
            }
        }
        let second = ask(case, &[], &SETTINGS, Engine::Stateright);
        assert_eq!(second.answer, answer, "{} by stateright", case.name);
        // Its run need not be the shortest.
        let steps = [shown(case, second), found].map(|it| it.map(|it| it.steps));
        assert!(steps[0] >= steps[1] && steps[0].is_some() != case.keeps, "{}", case.name);
    }
}

/// The departure that a finding's trace shows, after each step was taken again.
fn shown(case: &RefinementCase, finding: Finding) -> Option<OutlineDeparture> {
    let Trace { steps, departure, cycle, .. } = finding.trace?;
    let departure = departure.expect("it says how the last step departs");
    let world = &case.scenario.world;
    let hide = |state: &State| (case.hide)(world, state);
    let (mut state, mut before) = (case.scenario.start.clone(), None);
    for step in &steps {
        let next = successors(world, &state).into_iter().find(|(action, _)| action == step);
        before = Some(state);
        state = next.expect("it is enabled").1;
    }
    assert_eq!(cycle, []);
    assert_eq!(Some(&departure.before), before.as_ref().map(hide).as_ref());
    let (_, other) = departure.nearest.unzip();
    let can: Vec<State> = successors(&case.outline, &departure.before)
        .into_iter()
        .map(|(_, state)| state)
        .filter(|state| *state != departure.before)
        .collect();
    assert_eq!(other.is_some(), !can.is_empty(), "{}", case.name);
    assert!(other.is_none_or(|other| can.contains(&other)), "{}", case.name);
    assert_eq!(departure.after, hide(&state));
    Some(OutlineDeparture { steps: steps.len(), action: *steps.last()?, after: departure.after })
}

#[test]
fn what_a_limit_leaves_is_open_and_a_departure_before_it_is_told() {
    let cases = cases();
    let of = |name: &str| cases.iter().find(|case| case.name == name).expect("there is one");
    let settings = SearchSettings { max_states: Some(40), ..SETTINGS };
    assert_eq!(ask(of("itself"), &[], &settings, Engine::Own).answer, CheckAnswer::Undecided);
    assert_eq!(ask(of("no faults"), &[], &settings, Engine::Own).answer, CheckAnswer::Violated);
    let stopped = SearchSettings { stop: &|| Some(Stop::Time), ..SETTINGS };
    let finding = ask(of("itself"), &[], &stopped, Engine::Own);
    assert_eq!((finding.answer, finding.trace.is_none()), (CheckAnswer::Undecided, true));
}

#[test]
fn the_nearest_step_is_the_one_that_leaves_the_fewest_rows_to_differ() {
    let cases = cases();
    let case =
        cases.iter().find(|case| case.name == "the counts are hidden").expect("there is one");
    let trace = ask(case, &[], &SETTINGS, Engine::Own).trace.expect("a run shows it");
    let departure = trace.departure.expect("it says how");
    let (action, state) = departure.nearest.expect("the outline can do something");
    let show = |action: Action| case.outline.show(&action);
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(format!(
            "{}\nnearest: {}\n{}",
            trace.steps.into_iter().map(show).collect::<Vec<_>>().join("\n"),
            show(action),
            deathwatch_scenario::describe::differences(&case.outline, &state, &departure.after)
                .join("\n"),
        ));
    });
}
