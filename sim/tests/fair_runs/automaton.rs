//! Automata on infinite runs, and their emptiness check: the definition of Emerson and Lei,
//! followed to the letter.
//!
//! Moves and states belong to sets. An acceptance condition says which sets a run has to meet
//! infinitely often, and which only finitely often; conditions are joined by "and" and "or"
//! (Emerson and Lei, "Modalities for model checking", 1987). An infinite run stays in a strongly
//! connected component in the end, and may meet all of it infinitely often.

use std::collections::BTreeSet;

use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AcceptanceCondition {
    /// Accepts runs that meet this set infinitely often.
    Infinitely(usize),
    /// Accepts runs that meet this set finitely often.
    Finitely(usize),
    /// Accepts runs that each of these accepts: all, if there are none.
    All(Vec<AcceptanceCondition>),
    /// Accepts runs that one of these accepts: none, if there are none.
    Any(Vec<AcceptanceCondition>),
}

use AcceptanceCondition::{All, Any, Finitely, Infinitely};

/// An automaton, whose states are numbered.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// The states in which a run may begin.
    pub(crate) starts: Vec<usize>,
    pub(crate) moves: Vec<AutomatonMove>,
    pub(crate) condition: AcceptanceCondition,
}

/// A move from one state to another.
#[derive(Clone, Debug)]
pub(crate) struct AutomatonMove {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The sets of this move and of the state in which it begins.
    pub(crate) sets: BTreeSet<usize>,
}

impl Automaton {
    pub(crate) fn accepts_some_run(&self) -> bool {
        let reached = self.reached();
        let moves = self.moves.iter().filter(|it| reached.contains(&it.from)).collect();
        goes_on(moves, &self.condition)
    }

    /// The states that a run can reach.
    fn reached(&self) -> BTreeSet<usize> {
        let mut next = vec![Vec::new(); self.moves.iter().map(|it| it.from + 1).max().unwrap_or(0)];
        self.moves.iter().for_each(|it| next[it.from].push(it.to));
        let mut reached: BTreeSet<usize> = self.starts.iter().copied().collect();
        let mut waiting = self.starts.clone();
        while let Some(state) = waiting.pop() {
            for to in next.get(state).into_iter().flatten() {
                if reached.insert(*to) {
                    waiting.push(*to);
                }
            }
        }
        reached
    }
}

/// Whether the condition accepts a run that makes some of these moves infinitely often, and no
/// others.
fn goes_on(moves: Vec<&AutomatonMove>, condition: &AcceptanceCondition) -> bool {
    components(moves).into_iter().any(|inside| {
        let met: BTreeSet<usize> = inside.iter().flat_map(|it| &it.sets).copied().collect();
        within(inside, &met, condition)
    })
}

/// The same for the moves of a strongly connected component, which meets these sets.
fn within(
    inside: Vec<&AutomatonMove>,
    met: &BTreeSet<usize>,
    condition: &AcceptanceCondition,
) -> bool {
    if condition.accepts(met) {
        return true; // the run that makes each of these moves again and again
    }
    let Some(set) = condition.must_not_meet(met) else { return false };
    // Either the run meets the set finitely often, so that it makes only other moves in the end, or
    // the condition accepts it although it meets the set infinitely often.
    let others = inside.iter().copied().filter(|it| !it.sets.contains(&set)).collect();
    goes_on(others, condition) || within(inside, met, &condition.without(set))
}

/// The moves within each strongly connected component that has any.
fn components(moves: Vec<&AutomatonMove>) -> Vec<Vec<&AutomatonMove>> {
    let states: BTreeSet<usize> = moves.iter().flat_map(|it| [it.from, it.to]).collect();
    let states: Vec<usize> = states.into_iter().collect();
    let index = |state| states.binary_search(&state).expect("it is one of them");
    let mut graph = DiGraph::<(), ()>::with_capacity(states.len(), moves.len());
    for _ in &states {
        graph.add_node(());
    }
    for it in &moves {
        graph.add_edge(NodeIndex::new(index(it.from)), NodeIndex::new(index(it.to)), ());
    }
    let mut component = vec![0; states.len()];
    let found = kosaraju_scc(&graph);
    for (number, members) in found.iter().enumerate() {
        for state in members {
            component[state.index()] = number;
        }
    }
    let mut inside = vec![Vec::new(); found.len()];
    for it in moves {
        let [from, to] = [it.from, it.to].map(|state| component[index(state)]);
        if from == to {
            inside[from].push(it);
        }
    }
    inside.retain(|moves| !moves.is_empty());
    inside
}

impl AcceptanceCondition {
    /// Whether the condition accepts a run that meets these sets infinitely often, and no others.
    pub(crate) fn accepts(&self, met: &BTreeSet<usize>) -> bool {
        match self {
            Infinitely(set) => met.contains(set),
            Finitely(set) => !met.contains(set),
            All(each) => each.iter().all(|it| it.accepts(met)),
            Any(each) => each.iter().any(|it| it.accepts(met)),
        }
    }

    /// A set to leave out: a run that meets all of `met` is rejected for meeting it. `None` if it
    /// is not for meeting one.
    fn must_not_meet(&self, met: &BTreeSet<usize>) -> Option<usize> {
        match self {
            Infinitely(_) => None,
            Finitely(set) => met.contains(set).then_some(*set),
            // All parts have to accept, so the first that does not has to be satisfied.
            All(each) => each.iter().find(|it| !it.accepts(met))?.must_not_meet(met),
            Any(each) => each.iter().find_map(|it| it.must_not_meet(met)),
        }
    }

    /// The condition that remains for runs that meet this set infinitely often.
    fn without(&self, set: usize) -> Self {
        let each = |all: &[Self]| all.iter().map(|it| it.without(set)).collect();
        match self {
            Finitely(it) if *it == set => Any(Vec::new()),
            Finitely(_) | Infinitely(_) => self.clone(),
            All(all) => All(each(all)),
            Any(all) => Any(each(all)),
        }
    }
}
