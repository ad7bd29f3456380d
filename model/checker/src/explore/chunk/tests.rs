//! Tests of a chunk that runs out of numbers.

use super::*;
use crate::explore::StateGraph;

/// A space of one state, which leads to itself.
struct SelfLoop;

impl Space for SelfLoop {
    type Worker = ();

    fn words(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![vec![0]]
    }

    fn expand(&self, (): &mut (), _: u64, state: &[u64], successors: &mut Successors<'_>) {
        successors.push(state, Label::FREE);
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

/// Expands the loop in a chunk in which this number of successors was pushed before.
fn expanded(pushed: usize) -> Chunk {
    let options = ExploreOptions { store_edges: false, ..ExploreOptions::default() };
    let mut graph = StateGraph::new(1, &options, None);
    graph.add_start(&[0], &mut MemoryBudget::unlimited()).unwrap();
    let mut chunk = Chunk::new(1, &options);
    chunk.begin(0..1, u64::MAX);
    chunk.pushed = pushed;
    let (sources, store) = (graph.sources(), graph.store());
    chunk.expand(&SelfLoop, &mut (), sources, store, &SearchLimits::NONE);
    chunk
}

#[test]
fn a_chunk_asks_whether_to_stop_before_its_first_state_wherever_it_begins() {
    let options = ExploreOptions::default();
    let mut graph = StateGraph::new(1, &options, None);
    for state in 0..3 {
        graph.add_start(&[state], &mut MemoryBudget::unlimited()).unwrap();
    }
    for first in 0..3 {
        let mut chunk = Chunk::new(1, &options);
        chunk.begin(first..3, u64::MAX);
        let limits = SearchLimits { stop: &|| Some(Stop::Time), ..SearchLimits::NONE };
        chunk.expand(&SelfLoop, &mut (), graph.sources(), graph.store(), &limits);
        assert_eq!((chunk.ended(), chunk.complete()), (Err(Stop::Time), 0));
    }
}

#[test]
fn more_edges_than_can_be_numbered_are_a_reason_to_stop() {
    let most = u32::MAX as usize;
    let chunk = expanded(most - 1);
    assert_eq!((chunk.ended(), chunk.complete()), (Ok(()), 1));
    let chunk = expanded(most);
    assert_eq!((chunk.ended(), chunk.complete()), (Err(Stop::Edges), 0));
}
