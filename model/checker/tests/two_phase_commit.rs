//! The example: it has as many states as others count, and a broken protocol is noticed.

#[path = "../examples/two_phase_commit/protocol.rs"]
mod protocol;

use deathwatch_checker::{
    MemoryBudget,
    explore::{ExploreOptions, ExploredSpace, SearchLimits, explore},
    fair::{ClaimVerdict, LeadsOptions, Masks, leads},
    graph::Fairness,
};
use protocol::{CommitState, ParticipantPhase, ProtocolFlaw, TwoPhaseCommit};

fn explored(protocol: &TwoPhaseCommit) -> ExploredSpace<Option<u64>> {
    let found = explore(protocol, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
    assert_eq!(found.stopped, None);
    found
}

/// The verdict on the claim that participant 0 decides once the manager has.
fn decides(participants: usize, fairness: Fairness) -> ClaimVerdict {
    let graph = explored(&TwoPhaseCommit::new(participants)).graph;
    let claim = |(): &mut (), state: &[u64]| {
        let state = CommitState(state[0]);
        let from = state.manager() != ParticipantPhase::Working;
        (u64::from(from), u64::from(state.has_decided(0)))
    };
    let mut memory = MemoryBudget::unlimited();
    let masks = Masks::of(&graph, 1, &mut memory, &|| None, || (), claim).unwrap();
    let classes = vec![fairness; participants + 1];
    leads(&graph, &classes, &masks, 1, LeadsOptions::default(), &mut memory, &|| None)
        .unwrap()
        .remove(0)
}

#[test]
fn it_has_as_many_states_as_others_count() {
    // Those for 3 and 5 are in the tests of stateright 0.31, that for 8 was counted by it, too.
    for (participants, states) in [(3, 288), (5, 8_832), (8, 1_745_408)] {
        let protocol = TwoPhaseCommit::new(participants);
        let found = explored(&protocol);
        assert_eq!((found.states, found.findings), (states, None));
    }
}

#[test]
fn a_participant_decides_if_it_has_to_move_in_the_end() {
    assert_eq!(decides(4, Fairness::Weak).lasso, None);
    let stopped = decides(4, Fairness::None).lasso.expect("it may stop");
    assert!(stopped.cycle.is_empty());
}

#[test]
fn a_broken_promise_is_noticed() {
    let protocol = TwoPhaseCommit { flaw: ProtocolFlaw::BreaksPromise, ..TwoPhaseCommit::new(3) };
    let found = explored(&protocol);
    let first = found.findings.expect("some state is inconsistent");
    let first = u32::try_from(first).unwrap();
    let path = found.graph.path_to(first);
    // All prepare, the manager hears of it and commits, one follows, and another does not.
    assert_eq!(path.len(), 1 + 3 + 3 + 1 + 2);
    assert!(!protocol.is_consistent(CommitState(found.graph.state(first)[0])));
}
