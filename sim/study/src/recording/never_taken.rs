//! Neglected actions: possible on the way round a cycle, of actors that are assumed to act, and
//! never taken.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_documents::run::{Decision, NeverTaken};
use deathwatch_model::{
    action::{Act, Action},
    agents::{self, Enabled},
    free_ids::Scan,
    protocol::{self, Effects},
};
use deathwatch_scenario::{describe, scenario::Scenario};

use super::steps;

/// The greatest number of actions that are listed.
const MOST: usize = 12;

/// The actions that are possible and not taken in the last `cycle` steps of a run. Those that
/// change a subject of `answers` come first.
pub(super) fn of(
    (scenario, actions, cycle): (&Scenario, &[Action], usize),
    answers: &[Decision],
) -> Vec<NeverTaken> {
    if cycle == 0 {
        return Vec::new();
    }
    let world = &scenario.world;
    let first = actions.len() - cycle;
    let (tasks, stuck) = (agents::assumed_tasks(world), stuck(answers));
    let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
    let mut enabled = Enabled::default();
    let mut found: BTreeMap<Act, (Action, Vec<usize>, bool)> = BTreeMap::new();
    for (number, action) in actions.iter().enumerate() {
        if number >= first {
            for task in &tasks {
                enabled.clear();
                agents::enabled_for_task(world, &state, *task, &Scan, &mut enabled);
                for it in enabled.actions.drain(..) {
                    let entry = found.entry(it.act).or_insert_with(|| {
                        let mut next = state.clone();
                        protocol::step(world, &mut next, it, &mut effects);
                        let about = effects.touched.iter().flat_map(|row| row.about());
                        let mut about = about.map(|entity| describe::name(world, entity));
                        (it, Vec::new(), about.any(|name| stuck.contains(name.as_str())))
                    });
                    if entry.1.last() != Some(&number) {
                        entry.1.push(number);
                    }
                }
            }
        }
        protocol::step(world, &mut state, *action, &mut effects);
    }
    let is_taken = |act: &Act| actions[first..].iter().any(|it| it.act == *act);
    found.retain(|act, _| !is_taken(act));
    let never_taken = found.into_values().map(|(action, states, would_help)| NeverTaken {
        act: steps::act(world, action),
        states,
        would_help,
    });
    let mut never_taken: Vec<NeverTaken> = never_taken.collect();
    never_taken.sort_by_key(|it| !it.would_help);
    never_taken.truncate(MOST);
    never_taken
}

/// The entities that stay, and those that are roots of that.
fn stuck(answers: &[Decision]) -> BTreeSet<&str> {
    let graphs = answers.iter().filter_map(|answer| answer.wait_for.as_ref());
    let stuck = graphs.flat_map(|graph| {
        let roots = graph.roots.iter().flat_map(|root| &root.entities);
        std::iter::once(&graph.subject).chain(roots)
    });
    stuck.map(String::as_str).collect()
}
