//! Spaces given as tables, and a search that is too simple to be wrong.

use std::collections::BTreeMap;

use deathwatch_checker::{
    explore::{
        ExploreOptions, ExploredSpace, NewStates, Refused, SearchLimits, Space, Successors, explore,
    },
    graph::{Graph, Label},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) const THREADS: [usize; 4] = [1, 2, 3, 7];

/// A space given as a table. A worker notes which states it was shown.
pub(crate) struct TableSpace {
    pub(crate) words: usize,
    pub(crate) starts: Vec<Vec<u64>>,
    pub(crate) successors: BTreeMap<Vec<u64>, Vec<(Vec<u64>, Label)>>,
    /// Refuses to go on with this state.
    pub(crate) refused: Option<Vec<u64>>,
}

impl Space for TableSpace {
    type Worker = Vec<u64>;

    fn words(&self) -> usize {
        self.words
    }

    fn worker(&self) -> Vec<u64> {
        Vec::new()
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        self.starts.clone()
    }

    fn expand(&self, seen: &mut Vec<u64>, id: u64, state: &[u64], successors: &mut Successors<'_>) {
        seen.push(id);
        for (target, label) in &self.successors[state] {
            successors.push(target, *label);
        }
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        let mut answer = Ok(());
        new.for_each(|state| {
            if self.refused.as_deref() == Some(state) {
                answer = Err(Refused);
            }
        });
        answer
    }

    fn merge(&self, into: &mut Vec<u64>, from: Vec<u64>) {
        into.extend(from);
    }
}

/// A packed state that shares all its words but one with others.
pub(crate) fn packed(node: u64, words: usize) -> Vec<u64> {
    let mut state = vec![u64::MAX; words];
    state[usize::try_from(node).unwrap() % words] = node;
    state
}

pub(crate) fn random(seed: u64, nodes: u64, words: usize) -> TableSpace {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let most = dice.random_range(2..6);
    let starts = (0..dice.random_range(1..4)).map(|node| packed(node % 2, words)).collect();
    let mut successors = BTreeMap::new();
    for node in 0..nodes {
        let mut edges = Vec::new();
        // A few states, and all starts, have more successors than are looked up at once.
        let degree =
            if node < 2 || dice.random_ratio(1, 50) { 100 } else { dice.random_range(0..=most) };
        for _ in 0..degree {
            let label = match dice.random_range(0..6) {
                0 => Label::FAULT,
                1 => Label::FREE,
                2 => Label::class(dice.random_range(0..2000)),
                class => Label::class(class),
            };
            edges.push((packed(dice.random_range(0..nodes), words), label));
        }
        successors.insert(packed(node, words), edges);
    }
    TableSpace { words, starts, successors, refused: None }
}

#[derive(Default)]
pub(crate) struct ExpectedSearch {
    pub(crate) states: Vec<Vec<u64>>,
    pub(crate) numbers: BTreeMap<Vec<u64>, u32>,
    pub(crate) parents: Vec<u32>,
    pub(crate) depths: Vec<u32>,
    pub(crate) edges: Vec<Vec<(u32, Label)>>,
    pub(crate) starts: Vec<u32>,
}

impl ExpectedSearch {
    pub(crate) fn search(space: &TableSpace) -> Self {
        let mut plain = Self::default();
        for start in &space.starts {
            let id = plain.number(start, None);
            if !plain.starts.contains(&id) {
                plain.starts.push(id);
            }
        }
        while plain.edges.len() < plain.states.len() {
            let id = plain.edges.len();
            let mut edges = Vec::new();
            for (target, label) in &space.successors[&plain.states[id]] {
                edges.push((plain.number(target, Some(id)), *label));
            }
            plain.edges.push(edges);
        }
        plain
    }

    fn number(&mut self, state: &[u64], from: Option<usize>) -> u32 {
        if let Some(id) = self.numbers.get(state) {
            return *id;
        }
        let id = u32::try_from(self.states.len()).unwrap();
        self.states.push(state.to_vec());
        self.numbers.insert(state.to_vec(), id);
        self.parents.push(from.map_or(id, |from| u32::try_from(from).unwrap()));
        self.depths.push(from.map_or(0, |from| self.depths[from] + 1));
        id
    }

    /// Asserts that `found` is this, as far as it goes.
    pub(crate) fn assert_begins_with<W>(&self, found: &ExploredSpace<W>) {
        let graph = &found.graph;
        assert_eq!((graph.states(), graph.len()), (found.states, found.states));
        assert!(found.expanded <= found.states);
        for id in 0..found.states {
            let at = id as usize;
            assert_eq!(graph.state(id), self.states[at], "state {id}");
            assert_eq!(graph.parent(id), self.parents[at], "parent of {id}");
            assert_eq!(graph.depth_of(id), self.depths[at], "depth of {id}");
            assert_eq!(graph.find(&self.states[at]), Some(id), "number of state {id}");
        }
        assert!(
            self.states[found.states as usize..].iter().all(|state| graph.find(state).is_none())
        );
        for id in 0..found.expanded {
            assert!(graph.out_edges(id).eq(self.edges[id as usize].iter().copied()), "edges {id}");
        }
        assert!((found.expanded..found.states).all(|id| graph.edges(id).next().is_none()));
        let edges = &self.edges[..found.expanded as usize];
        assert_eq!(found.transitions, edges.iter().map(|out| out.len() as u64).sum::<u64>());
        let depth = found.states.checked_sub(1).map_or(0, |last| self.depths[last as usize]);
        assert_eq!((found.depth, graph.depth()), (depth, depth));
        let first = |level: u32| self.depths.partition_point(|depth| *depth < level);
        let levels = (0..=depth).map(|level| u32::try_from(first(level)).unwrap());
        assert!(levels.eq(graph.levels().iter().copied()), "{:?}", graph.levels());
    }

    /// Asserts that `found` is this, all of it.
    pub(crate) fn assert_is(&self, found: &ExploredSpace<Vec<u64>>) {
        assert_eq!(found.stopped, None);
        assert_eq!(found.states as usize, self.states.len());
        assert_eq!(found.expanded, found.states);
        self.assert_begins_with(found);
        assert_eq!(found.graph.starts(), self.starts);
        let mut seen = found.findings.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..found.states.into()), "every state is expanded once");
    }
}

pub(crate) fn run(
    space: &TableSpace,
    options: ExploreOptions,
    limits: &SearchLimits<'_>,
) -> ExploredSpace<Vec<u64>> {
    explore(space, &options, limits, &|_| ())
}
