//! Automata on runs, and whether one accepts any: the definition of Emerson and Lei, followed to
//! the letter.
//!
//! Moves and states belong to sets. A condition says which sets a run has to meet again and again,
//! and which it must meet finitely often only; conditions are joined by "and" and "or" (Emerson and
//! Lei, "Modalities for model checking", 1987). A run that goes on for ever stays in a strongly
//! connected component in the end, and may meet all of it again and again.

use std::collections::BTreeSet;

use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AcceptanceCondition {
    /// Those that meet this set again and again.
    Infinitely(usize),
    /// Those that meet this set finitely often.
    Finitely(usize),
    /// Those that each of these accepts: all, if there are none.
    All(Vec<AcceptanceCondition>),
    /// Those that one of these accepts: none, if there are none.
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
    /// The sets that it belongs to, or the state in which it begins does.
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

/// Whether a run that makes some of these moves again and again, and no others, is accepted.
fn goes_on(moves: Vec<&AutomatonMove>, condition: &AcceptanceCondition) -> bool {
    components(moves).into_iter().any(|inside| {
        let met: BTreeSet<usize> = inside.iter().flat_map(|it| &it.sets).copied().collect();
        within(inside, &met, condition)
    })
}

/// The same, of a strongly connected component that meets these sets.
fn within(
    inside: Vec<&AutomatonMove>,
    met: &BTreeSet<usize>,
    condition: &AcceptanceCondition,
) -> bool {
    if condition.accepts(met) {
        return true; // the run that makes each of these moves again and again
    }
    let Some(set) = condition.must_not_meet(met) else { return false };
    // Either the run meets the set finitely often, and makes the other moves only in the end. Or it
    // is accepted although it does not.
    let others = inside.iter().copied().filter(|it| !it.sets.contains(&set)).collect();
    goes_on(others, condition) || within(inside, met, &condition.without(set))
}

/// The strongly connected components that have moves, each as its moves.
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
    /// Whether it accepts a run that meets these sets again and again, and no others.
    pub(crate) fn accepts(&self, met: &BTreeSet<usize>) -> bool {
        match self {
            Infinitely(set) => met.contains(set),
            Finitely(set) => !met.contains(set),
            All(each) => each.iter().all(|it| it.accepts(met)),
            Any(each) => each.iter().any(|it| it.accepts(met)),
        }
    }

    /// Of a run that meets these sets and is not accepted, a set that it may have to leave alone.
    fn must_not_meet(&self, met: &BTreeSet<usize>) -> Option<usize> {
        match self {
            Infinitely(_) => None,
            Finitely(set) => met.contains(set).then_some(*set),
            // Each has to be met, so the first that is not has to be, too.
            All(each) => each.iter().find(|it| !it.accepts(met))?.must_not_meet(met),
            Any(each) => each.iter().find_map(|it| it.must_not_meet(met)),
        }
    }

    /// What is left of it where this set is met again and again.
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
