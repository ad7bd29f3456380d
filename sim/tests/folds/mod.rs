//! History, compared with the trace: the folds are bookkeeping, and can be as wrong as an agent's.
//! Here every field is derived a second time, from the labels of the whole run, by definitions
//! without memory (`by_definition`), after each script, each shortest run and many random walks.

mod by_definition;
mod happened;
mod in_relations;

use deathwatch_claims::check::{FindingSubject, Trace};
use deathwatch_model::{
    action::Action,
    history::{History, KeptHistory},
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    world::World,
};
use deathwatch_scenario::Scenario;

use self::{
    by_definition::Past,
    happened::{Happened, TracedStep},
};
use crate::common::{
    cases, dice,
    worlds::{self, small_worlds},
};

/// The steps of a random walk, and the number of steps between comparisons.
const STEPS: usize = 100;
const APART: usize = 2;

/// The greatest number of states of a world that is searched for shortest runs.
const SMALL: u64 = 1_500;

/// A run in a world that keeps all history, and all events in it.
struct TracedRun<'a> {
    scenario: &'a Scenario,
    world: World,
    state: State,
    happened: Vec<Happened>,
    script: Vec<Action>,
    effects: Effects,
}

impl<'a> TracedRun<'a> {
    /// A run from the start of the scenario; `None` if the world keeps no history, or if a unit can
    /// see itself in it, for which no field has a meaning.
    fn new(scenario: &'a Scenario) -> Option<Self> {
        let world = scenario.world.keeping_all().into_owned();
        let state = State { history: History::empty(&world), ..scenario.start.clone() };
        let run = || Self {
            scenario,
            state,
            world,
            happened: Vec::new(),
            script: Vec::new(),
            effects: Effects::default(),
        };
        let has_history = !KeptHistory::all(scenario.world.detail).is_empty();
        (has_history && !scenario.world.sees_anybody()).then(run)
    }

    fn step(&mut self, action: Action) {
        let before = self.state.clone();
        let outcome = protocol::step(&self.world, &mut self.state, action, &mut self.effects);
        self.script.push(action);
        let (world, touched, after) = (&self.world, &self.effects.touched, &self.state);
        TracedStep { world, before: &before, action, outcome, touched, after }
            .tell(&mut self.happened);
    }

    /// Compares every row of history with its definition.
    fn look(&self) {
        let Self { world, state, .. } = self;
        let past = Past { world, happened: &self.happened };
        let show = || {
            let lines: Vec<String> = self.script.iter().map(|it| world.show(it)).collect();
            format!("{}:\n{}\n{:?}", self.scenario.name, lines.join("\n"), self.happened)
        };
        if RowKind::UnitHistory.count(world) > 0 {
            for unit in world.unit_ids() {
                let kept = state.history.unit(unit);
                let expected = by_definition::unit(past, unit);
                assert_eq!(*kept, expected, "{unit:?} in {}", show());
            }
        }
        if RowKind::MachineHistory.count(world) > 0 {
            for machine in world.machine_ids() {
                let expected = by_definition::machine(past, state, machine);
                assert_eq!(*state.history.machine(machine), expected, "{machine:?} in {}", show());
            }
        }
        for pair in 0..RowKind::RelationHistory.count(world) {
            let (relation, unit) = world.pair(pair);
            let expected = in_relations::relation(past, relation, unit);
            let kept = state.history.relation(relation, unit);
            assert_eq!(kept, expected, "{unit:?} in {relation:?} in {}", show());
        }
    }
}

#[test]
fn history_is_as_defined_after_each_step_of_each_script() {
    let mut looked = 0;
    for scenario in small_worlds() {
        let Some(mut run) = TracedRun::new(&scenario) else { continue };
        let played = deathwatch_scenario::replay(&scenario).expect("a script");
        for action in played.actions.into_iter().chain(played.cycle) {
            run.step(action);
            run.look();
            looked += 1;
        }
    }
    assert!(looked > 300, "only {looked} steps were looked at");
}

#[test]
fn history_is_as_defined_along_each_shortest_run() {
    let mut runs = 0;
    for (scenario, replay) in worlds::of_few_states(SMALL) {
        let Some(_) = TracedRun::new(&scenario) else { continue };
        let claims = scenario.claims.iter().map(|(claim, _)| *claim).collect();
        let Some(report) = worlds::search(&scenario.world, &replay.state, claims, SMALL) else {
            continue;
        };
        for finding in report.findings {
            let (FindingSubject::Claim(_), Some(Trace { steps, cycle, .. })) =
                (finding.asked, finding.trace)
            else {
                continue;
            };
            let mut run = TracedRun::new(&scenario).expect("it keeps history");
            replay.actions.iter().for_each(|action| run.step(*action));
            for action in steps.into_iter().chain(cycle) {
                run.step(action);
                run.look();
            }
            runs += 1;
        }
    }
    assert!(runs > 100, "only {runs} shortest runs were looked at");
}

#[test]
fn history_is_as_defined_along_random_walks() {
    let shipped = small_worlds();
    let scenarios: Vec<&Scenario> =
        shipped.iter().filter(|it| TracedRun::new(it).is_some()).collect();
    for walk in 0..cases(4_000, 10_000) {
        let scenario = scenarios[walk % scenarios.len()];
        let mut run = TracedRun::new(scenario).expect("it keeps history");
        let (mut dice, mut enabled) = (dice(walk as u64), Vec::new());
        for number in 1..=STEPS {
            enabled.clear();
            protocol::enabled(&run.world, &run.state, &mut enabled);
            if enabled.is_empty() {
                break;
            }
            run.step(enabled[dice.index(enabled.len())]);
            if number % APART == 0 {
                run.look();
            }
        }
        run.look();
    }
}
