//! The reachable graph of a small world as data: states, possible steps, and the states they lead
//! to, so that a reader can walk through the world without the protocol.

use deathwatch_claims::check::LabelledGraph;
use deathwatch_model::{
    action::Action,
    agents,
    ids::EntityId,
    protocol::{self, Effects},
    state::State,
};
use deathwatch_scenario::{describe, escape::escape, scenario::Scenario};
use indexmap::IndexSet;
use serde::Serialize;

/// The greatest number of states of a graph that becomes data.
pub const MOST_STATES: u64 = 2_000;

/// A graph as data. A text stands in it once, as it is shown, and is meant by its place.
#[derive(Debug, Default, Serialize)]
pub struct GraphData {
    /// The different rows of documents, agents and users, as text.
    lines: IndexSet<String>,
    /// The different actions, each with the clauses that it carries out.
    acts: IndexSet<(String, Vec<String>)>,
    /// The states, of which the first is the one after the script.
    states: Vec<StateData>,
    /// The runs by which claims are violated.
    runs: Vec<RunData>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct StateData {
    /// The lines that describe it, by their numbers.
    lines: Vec<usize>,
    /// Whether no actor that is assumed to act can move.
    quiescent: bool,
    /// The possible actions, each with the state that it leads to.
    next: Vec<(usize, u32)>,
}

/// A run by which a claim is violated.
#[derive(Debug, Serialize)]
struct RunData {
    claim: String,
    /// The place of each step among the possible actions of the state in which it is taken.
    choices: Vec<usize>,
}

/// The steps out of each state, and where they lead.
type Steps = Vec<Vec<(Action, u32)>>;

impl GraphData {
    /// The graph of the world of `scenario` from `start` on, and the runs that violate claims, each
    /// with the claim.
    ///
    /// # Panics
    /// Never: a state has a smaller number than those that are found from it.
    pub fn new(
        (scenario, start): (&Scenario, &State),
        graph: &LabelledGraph<'_>,
        violating: &[(String, Vec<Action>)],
    ) -> Self {
        let world = &scenario.world;
        let count = graph.states() as usize;
        let mut reached: Vec<Option<State>> = vec![None; count];
        reached[0] = Some(start.clone());
        let mut steps: Steps = vec![Vec::new(); count];
        let mut states = vec![StateData::default(); count];
        let (mut lines, mut acts) = (IndexSet::new(), IndexSet::new());
        let mut effects = Effects::default();
        graph.each(|from, action, to| {
            let mut state = reached[from as usize].clone().expect("it was found from another one");
            protocol::step(world, &mut state, action, &mut effects);
            let clauses =
                effects.clauses.iter().map(|it| world.clause_name(*it).into_owned()).collect();
            let (act, _) = acts.insert_full((escape(&world.show(&action)).into_owned(), clauses));
            states[from as usize].next.push((act, to));
            steps[from as usize].push((action, to));
            reached[to as usize].get_or_insert(state);
            true
        });
        // Of users, clients and tasks it is told how they are unlike at the start.
        let usual = describe::others(world, start);
        for (told, state) in states.iter_mut().zip(reached.iter().flatten()) {
            let documents = EntityId::all(world).map(|it| describe::document(world, state, it));
            let others = describe::others(world, state).into_iter();
            let all = documents.chain(others.filter(|line| !usual.contains(line)));
            told.lines = all.map(|line| lines.insert_full(escape(&line).into_owned()).0).collect();
            told.quiescent = agents::is_quiescent(world, state);
        }
        let run = |(claim, actions): &(String, Vec<Action>)| run(claim, actions, &steps);
        let runs = violating.iter().filter_map(run).collect();
        Self { lines, acts, states, runs }
    }
}

/// The run that takes these actions, if it is in the graph.
fn run(claim: &str, actions: &[Action], steps: &Steps) -> Option<RunData> {
    let mut at = 0;
    let choice = |action: &Action| {
        let next: &Vec<(Action, u32)> = &steps[at as usize];
        let choice = next.iter().position(|(it, _)| it.act == action.act)?;
        at = next[choice].1;
        Some(choice)
    };
    let choices: Option<Vec<usize>> = actions.iter().map(choice).collect();
    Some(RunData { claim: escape(claim).into_owned(), choices: choices? })
}
