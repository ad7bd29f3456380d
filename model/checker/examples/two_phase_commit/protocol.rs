//! Two-phase commit, as a space of states that are one word each.
//!
//! A transaction manager and some participants (resource managers), after Gray and Lamport,
//! "Consensus on Transaction Commit" (2004). Messages are never lost, may be late, and may be
//! received again and again; so a message that was sent is there for good. That the manager sent
//! its decision need not be kept: it did once it decided.

use deathwatch_checker::{
    explore::{Space, Successors},
    graph::Label,
};

/// The most participants of which a word can hold four bits each, and two for the manager.
pub(crate) const MOST_PARTICIPANTS: usize = 15;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoPhaseCommit {
    /// The number of participants, at most [`MOST_PARTICIPANTS`].
    pub(crate) participants: usize,
    /// The mistake in the protocol, if there is one.
    pub(crate) flaw: ProtocolFlaw,
}

/// Mistakes in the protocol, to see whether the checker finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProtocolFlaw {
    None,
    /// A participant that has promised to commit aborts all the same.
    #[allow(dead_code, reason = "only the tests break the protocol")]
    BreaksPromise,
}

/// The decision of a participant, or of the manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParticipantPhase {
    Working,
    /// The participant has promised to do what the manager decides; the manager is never prepared.
    Prepared,
    Committed,
    Aborted,
}

/// A state, for reading and changing its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CommitState(pub(crate) u64);

impl CommitState {
    pub(crate) fn manager(self) -> ParticipantPhase {
        phase(self.0)
    }

    pub(crate) fn participant(self, number: usize) -> ParticipantPhase {
        phase(self.0 >> (2 + 4 * number))
    }

    pub(crate) fn has_decided(self, number: usize) -> bool {
        matches!(self.participant(number), ParticipantPhase::Committed | ParticipantPhase::Aborted)
    }

    /// Whether the participant has sent that it is prepared.
    fn has_sent(self, number: usize) -> bool {
        self.0 >> (4 + 4 * number) & 1 == 1
    }

    /// Whether the manager has received that the participant is prepared.
    fn is_received(self, number: usize) -> bool {
        self.0 >> (5 + 4 * number) & 1 == 1
    }

    fn with_manager(self, phase: ParticipantPhase) -> Self {
        Self(self.0 & !3 | phase as u64)
    }

    fn with_participant(self, number: usize, phase: ParticipantPhase) -> Self {
        let shift = 2 + 4 * number;
        Self(self.0 & !(3 << shift) | (phase as u64) << shift)
    }

    fn with_sent(self, number: usize) -> Self {
        Self(self.0 | 1 << (4 + 4 * number))
    }

    fn with_received(self, number: usize) -> Self {
        Self(self.0 | 1 << (5 + 4 * number))
    }
}

/// The phase in the two low bits of `bits`.
fn phase(bits: u64) -> ParticipantPhase {
    match bits & 3 {
        0 => ParticipantPhase::Working,
        1 => ParticipantPhase::Prepared,
        2 => ParticipantPhase::Committed,
        _ => ParticipantPhase::Aborted,
    }
}

impl TwoPhaseCommit {
    /// The protocol for this many participants, at most [`MOST_PARTICIPANTS`].
    pub(crate) fn new(participants: usize) -> Self {
        assert!(participants <= MOST_PARTICIPANTS, "a state is one word");
        Self { participants, flaw: ProtocolFlaw::None }
    }

    /// Whether no participant commits while another aborts.
    pub(crate) fn is_consistent(&self, state: CommitState) -> bool {
        let mut decided = (0..self.participants).filter(|i| state.has_decided(*i));
        let first = decided.next().map(|i| state.participant(i));
        decided.all(|i| Some(state.participant(i)) == first)
    }

    /// Lists the states that follow `state`, each with the number of the participant that moves, or
    /// the number of participants if it is the manager. What changes nothing is left out.
    pub(crate) fn successors(&self, state: CommitState, mut go: impl FnMut(CommitState, usize)) {
        let manager = self.participants;
        if state.manager() == ParticipantPhase::Working {
            if (0..self.participants).all(|i| state.is_received(i)) {
                go(state.with_manager(ParticipantPhase::Committed), manager);
            }
            go(state.with_manager(ParticipantPhase::Aborted), manager);
            for i in 0..self.participants {
                if state.has_sent(i) && !state.is_received(i) {
                    go(state.with_received(i), manager);
                }
            }
        }
        for i in 0..self.participants {
            let breaks_promise = self.flaw == ProtocolFlaw::BreaksPromise;
            match state.participant(i) {
                ParticipantPhase::Working => {
                    go(state.with_participant(i, ParticipantPhase::Prepared).with_sent(i), i);
                    go(state.with_participant(i, ParticipantPhase::Aborted), i);
                }
                ParticipantPhase::Prepared if breaks_promise => {
                    go(state.with_participant(i, ParticipantPhase::Aborted), i);
                }
                ParticipantPhase::Prepared
                | ParticipantPhase::Committed
                | ParticipantPhase::Aborted => {}
            }
            let decision = state.manager();
            if decision != ParticipantPhase::Working && decision != state.participant(i) {
                go(state.with_participant(i, decision), i);
            }
        }
    }
}

impl Space for TwoPhaseCommit {
    /// The smallest number of an inconsistent state.
    type Worker = Option<u64>;

    fn words(&self) -> usize {
        1
    }

    fn worker(&self) -> Self::Worker {
        None
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![vec![0]]
    }

    fn expand(
        &self,
        inconsistent: &mut Option<u64>,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) {
        let state = CommitState(state[0]);
        if !self.is_consistent(state) {
            *inconsistent = Some(inconsistent.map_or(id, |first| first.min(id)));
        }
        self.successors(state, |next, who| {
            let class = u16::try_from(who).expect("participants are few");
            successors.push(&[next.0], Label::class(class));
        });
    }

    fn merge(&self, into: &mut Option<u64>, from: Option<u64>) {
        *into = into.iter().copied().chain(from).min();
    }
}
