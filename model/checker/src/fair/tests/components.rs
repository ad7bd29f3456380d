//! Components of a subgraph: those with a cycle, and no others.

use super::{scc::Subgraph, *};

/// The components of `states` in a graph with these edges, sorted.
fn components(edges: EdgeList, states: &[u32]) -> Vec<Vec<u32>> {
    let graph = graph(edges);
    let masks = masks(graph.len(), &[], &[], 0);
    let question = MaskedQuestion::new(&graph, &[Weak], &masks, 1);
    let mut memory = MemoryBudget::unlimited();
    let mut limits = DecisionLimits { ticks: 0, memory: &mut memory, stop: &|| None };
    let mut part = Subgraph::new(graph.len(), limits.memory).unwrap();
    let found = part.components(&question, states.iter().copied(), &mut limits).unwrap();
    assert!((0..graph.len()).all(|state| !part.contains(state)), "the part is empty again");
    let sorted = |component: &[u32]| {
        let mut states = component.to_vec();
        states.sort_unstable();
        states
    };
    let mut found: Vec<Vec<u32>> = found.iter().map(sorted).collect();
    found.sort_unstable();
    found
}

#[test]
fn a_component_has_a_cycle_without_faults() {
    let edges = [(0, agent(), 1), (1, USER, 1), (1, agent(), 2), (2, FAULT, 2), (2, FAULT, 0)];
    assert_eq!(components(&edges, &[0, 1, 2]), [[1]]);
    let edges = [edges.as_slice(), &[(2, agent(), 0)]].concat();
    assert_eq!(components(&edges, &[0, 1, 2]), [[0, 1, 2]]);
    assert_eq!(components(&edges, &[0, 2]), [[0; 0]; 0]);
}

#[test]
fn components_that_lead_to_each_other_in_one_direction_are_apart() {
    // The first cycle leads to two others, and its component is closed last.
    let rounds = [(0, agent(), 1), (1, agent(), 2), (2, agent(), 0), (3, agent(), 4)];
    let more = [(4, agent(), 3), (5, agent(), 6), (6, agent(), 7), (7, agent(), 5)];
    let ways = [(0, agent(), 3), (1, agent(), 5), (2, agent(), 4), (4, agent(), 6)];
    let edges = [rounds, more, ways].concat();
    let all = [vec![0, 1, 2], vec![3, 4], vec![5, 6, 7]];
    assert_eq!(components(&edges, &[0, 1, 2, 3, 4, 5, 6, 7]), all);
    assert_eq!(components(&edges, &[7, 6, 5, 4, 3, 2, 1, 0]), all);
    assert_eq!(components(&edges, &[1, 2, 3, 4, 5, 7]), all[1..2]);
}
