//! The protocol as a transition system, and the first violation of each claim found on the way.
//!
//! A worker unpacks a state once; each successor is made by one step on a copy, packed where the
//! step touched it, and undone by restoring what it touched. So a transition costs what it
//! touches. In debug builds each of these short cuts is compared with the long way, and in releases
//! for a sample of the states.

mod fault_steps;
mod look_up;

use deathwatch_checker::explore::{NewStates, Refused, Space, Successors};
use deathwatch_model::{
    action::{Action, TxnAct},
    agents::{self, WatchedStep},
    free_ids::Scan,
    pack::{Codec, Local, Overflow},
    protocol::{self, Effects},
    rows::{Row, Touched},
    state::State,
    txn::Txn,
};

pub(super) use self::fault_steps::FaultSteps;
use crate::check::{
    CheckQuestion, TooLarge, fairness::FairnessClasses, judge::ClaimJudge, refinement::Follower,
    seen::Spot,
};

/// The part of a state that predicates read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatePart {
    /// Documents, and nothing else.
    Documents,
    /// Documents and runtime.
    Whole,
}

/// The protocol, seen as a graph.
pub(super) struct TransitionSystem<'a> {
    question: &'a CheckQuestion<'a>,
    faults: FaultSteps<'a>,
    pub(super) codec: Codec,
    pub(super) classes: FairnessClasses<'a>,
}

/// One state of `SAMPLE` is checked the long way: its successors are packed whole, unpacked again
/// and compared. A wrong short cut hardly ever goes wrong in a single state, so a sample is enough,
/// and it costs less than a hundredth of the time.
const SAMPLE: u32 = if cfg!(debug_assertions) { 16 } else { 1024 };

/// The findings of one worker, and its scratch memory.
pub(super) struct Worker<'a> {
    pub(super) judge: ClaimJudge<'a>,
    /// Whether the present state is checked the long way.
    is_sampled: bool,
    txns: Local<Txn>,
    /// The present state, packed.
    here: Vec<u64>,
    /// The present state, unpacked.
    base: State,
    /// A copy of the present state, on which steps are taken and taken back.
    next: State,
    /// The outline, if it is asked whether the world keeps to it.
    outline: Follower,
    actions: Vec<Action>,
    plans: Vec<Option<Txn>>,
    touched: Touched,
    effects: Effects,
    words: Vec<u64>,
}

impl<'a> TransitionSystem<'a> {
    /// # Errors
    /// If the world is too large.
    pub(super) fn new(
        question: &'a CheckQuestion<'a>,
        faults: FaultSteps<'a>,
    ) -> Result<Self, TooLarge> {
        let codec = Codec::new(question.world, question.start)?;
        let classes = FairnessClasses::new(question.world)?;
        if !faults.has_labels_beside(classes.fairness().len()) {
            return Err(TooLarge::Duties);
        }
        Ok(Self { question, faults, codec, classes })
    }

    /// Unpacks a state.
    pub(super) fn state(&self, worker: &mut Worker<'_>, words: &[u64]) -> State {
        self.go_to(worker, words);
        worker.base.clone()
    }

    /// Unpacks what predicates read of a state. A worker reads always the same part, as what was
    /// not unpacked is wrong.
    pub(super) fn read<'w>(
        &self,
        worker: &'w mut Worker<'_>,
        part: StatePart,
        words: &[u64],
    ) -> &'w State {
        self.read_with_touched(worker, part, words).0
    }

    /// Unpacks what predicates read of a state, and names the rows in which it may differ from the
    /// last one.
    pub(super) fn read_with_touched<'w>(
        &self,
        worker: &'w mut Worker<'_>,
        part: StatePart,
        words: &[u64],
    ) -> (&'w State, &'w [Row]) {
        let Worker { here, base, txns, touched, .. } = worker;
        touched.clear();
        match part {
            StatePart::Documents => self.codec.unpack_documents(here, words, txns, base, touched),
            StatePart::Whole => self.codec.unpack(here, words, txns, base, touched),
        }
        (base, touched)
    }

    /// Makes `words` the present state.
    fn go_to(&self, worker: &mut Worker<'_>, words: &[u64]) {
        self.unpack(worker, words);
        let Worker { base, next, touched, .. } = &mut *worker;
        for row in &*touched {
            next.restore(*row, base);
        }
        self.verify(worker, words);
    }

    /// Unpacks the present state. It mostly differs from the last one in a few rows, as states are
    /// numbered by where they were found from, so only these rows are unpacked; `next` is still the
    /// last one.
    fn unpack(&self, worker: &mut Worker<'_>, words: &[u64]) {
        let Worker { here, base, txns, touched, .. } = worker;
        touched.clear();
        self.codec.unpack(here, words, txns, base, touched);
    }

    /// Compares the present state, unpacked and copied, with the long way.
    fn verify(&self, worker: &mut Worker<'_>, words: &[u64]) {
        if is_verified(worker) {
            let Worker { base, next, txns, .. } = worker;
            assert_eq!(next, base, "something was unpacked that was not touched");
            assert_eq!(self.codec.pack(base, txns), words, "unpacking undoes packing");
        }
    }

    /// Lists the enabled actions of the present state.
    fn list_enabled(&self, worker: &mut Worker<'_>) {
        let Worker { base, actions, plans, .. } = worker;
        actions.clear();
        plans.clear();
        agents::enabled_with_plans(self.question.world, base, actions, plans);
        self.faults.leave_out(actions, plans);
    }

    /// Takes a step and packs the state that it leads to.
    fn advance(&self, worker: &mut Worker<'_>, words: &[u64], position: usize) -> Action {
        let is_verified = is_verified(worker);
        let Worker { next, effects, txns, actions, plans, .. } = worker;
        let (action, planned) = (actions[position], plans[position].take());
        protocol::step_as_planned(self.question.world, next, action, planned, &Scan, effects);
        worker.words.clear();
        worker.words.extend_from_slice(words);
        for row in &effects.touched {
            self.codec.pack_row(next, *row, txns, &mut worker.words);
        }
        if is_verified {
            assert_eq!(worker.words, self.codec.pack(next, txns), "after {action:?}");
        }
        if worker.is_sampled {
            assert!(self.is_kept(worker, words), "a part of the state is lost after {action:?}");
        }
        action
    }

    /// Whether unpacking the state that a step from `words` led to gives that state.
    fn is_kept(&self, worker: &mut Worker<'_>, words: &[u64]) -> bool {
        let (mut unpacked, mut here) = (worker.base.clone(), words.to_vec());
        let (txns, touched) = (&mut worker.txns, &mut Touched::new());
        self.codec.unpack(&mut here, &worker.words, txns, &mut unpacked, touched);
        unpacked == worker.next
    }

    /// Takes the step back.
    fn undo(worker: &mut Worker<'_>) {
        for row in &worker.effects.touched {
            worker.next.restore(*row, &worker.base);
        }
        if is_verified(worker) {
            assert_eq!(worker.next, worker.base, "something changed that was not touched");
        }
    }

    /// Makes the copy of the last state the present state, and checks that.
    fn check_state(&self, worker: &mut Worker<'_>, id: u32, words: &[u64]) {
        let Worker { judge, base, next, touched, .. } = &mut *worker;
        judge.check_state(next, base, touched, id);
        worker.outline.go_to(self.question, &worker.base);
        self.verify(worker, words);
        if is_verified(worker) {
            worker.judge.verify_state(&worker.base);
        }
    }

    fn check_step(&self, worker: &mut Worker<'_>, spot: Spot) {
        let is_verified = is_verified(worker);
        let Worker { judge, effects, base, next, outline, .. } = worker;
        let action = worker.actions[spot.1 as usize];
        let seen = (&mut judge.seen, spot);
        outline.check_step(self.question, action, [base, next], worker.is_sampled, seen);
        let change = WatchedStep { world: self.question.world, before: base, after: next };
        judge.check_step(&change, effects, spot);
        if is_verified {
            judge.verify_step(&change, &effects.touched);
        }
    }
}

/// Whether short cuts are compared with the long way in the present state.
fn is_verified(worker: &Worker<'_>) -> bool {
    cfg!(debug_assertions) || worker.is_sampled
}

impl<'a> Space for TransitionSystem<'a> {
    type Worker = Worker<'a>;

    fn words(&self) -> usize {
        self.codec.words()
    }

    fn worker(&self) -> Worker<'a> {
        Worker {
            judge: ClaimJudge::new(self.question),
            is_sampled: false,
            txns: Local::default(),
            here: self.codec.pack(self.question.start, &mut Local::default()),
            base: self.question.start.clone(),
            next: self.question.start.clone(),
            outline: Follower::default(),
            actions: Vec::new(),
            plans: Vec::new(),
            touched: Touched::new(),
            effects: Effects::default(),
            words: Vec::new(),
        }
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![self.codec.pack(self.question.start, &mut Local::default())]
    }

    fn expand(
        &self,
        worker: &mut Worker<'a>,
        id: u32,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) {
        worker.is_sampled = id.is_multiple_of(SAMPLE);
        self.unpack(worker, state);
        self.check_state(worker, id, state);
        self.list_enabled(worker);
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, state, position);
            if worker.words == state {
                // No enabled action changes nothing, except planning again what is pending already,
                // and transactions whose changes a scenario has switched off.
                let expected = matches!(action.act.txn(), Some(TxnAct::Begin(_)));
                let is_whole = self.question.world.without.is_empty();
                debug_assert!(expected || !is_whole, "{action:?} changes nothing");
            } else {
                let spot = (id, u32::try_from(position).expect("actions are few"));
                self.check_step(worker, spot);
                successors.push(&worker.words, self.label(&worker.base, &action));
            }
            Self::undo(worker);
        }
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        self.codec.commit(|rewrite| new.for_each(rewrite)).map_err(|Overflow| Refused)
    }

    fn merge(&self, into: &mut Worker, from: Worker) {
        into.judge.seen.merge(&from.judge.seen);
    }
}
