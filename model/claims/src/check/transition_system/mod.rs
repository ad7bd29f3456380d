//! The protocol as a transition system, and the first violation of each claim.
//!
//! A worker unpacks a state once. Each successor is made by one step on a copy, packed where the
//! step touched it, and undone by restoring the touched rows. So a transition costs as much as it
//! touches. Each of these short cuts is compared with the long way in debug builds, and in releases
//! for a sample of the states.

mod distributed;
mod expand;
mod fault_steps;
mod look_up;
mod moves;
mod resume;
mod symmetric;

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use deathwatch_checker::explore::{NewStates, Refused, Space, Successors};
use deathwatch_model::{
    action::{Action, TxnAct},
    agents::{self, ActionPart, WatchedStep},
    free_ids::Scan,
    pack::{Codec, Local, Overflow},
    protocol::{self, Effects},
    rows::{Read, Touched, recorded},
    state::State,
    txn::Txn,
    world::World,
};

pub(super) use self::{fault_steps::FaultSteps, resume::generators_in, symmetric::RenamedLabels};
use self::{
    moves::{Move, MoveCache, SharedMoves},
    symmetric::RenamedStates,
};
use crate::check::{
    CheckQuestion, SearchSettings, TooLarge,
    fairness::FairnessClasses,
    judge::ClaimJudge,
    refinement::Follower,
    shared_results::SharedResults,
    symmetry::{ImagePatch, RenamingGroup},
    verdicts::StateVerdicts,
};

/// The protocol as a graph.
pub(super) struct TransitionSystem<'a> {
    question: &'a CheckQuestion<'a>,
    faults: FaultSteps<'a>,
    pub(super) codec: Codec,
    pub(super) classes: FairnessClasses<'a>,
    /// The group whose representatives are explored; `None` if each state represents itself.
    pub(super) symmetry: Option<RenamingGroup>,
    /// Whether a renaming was found to be no symmetry.
    is_asymmetric: AtomicBool,
    /// The number of times that numbers of transactions were made final.
    batch: AtomicU32,
    /// The limit of each cache of a worker, in bytes.
    pub(super) cache_bytes: usize,
    /// Results that workers share, if there are several.
    shared_moves: Option<Arc<SharedMoves>>,
    shared_verdicts: Option<Arc<SharedResults<Vec<usize>>>>,
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
    here: Vec<u64>,
    base: State,
    /// A copy of the present state, on which steps are taken and undone.
    next: State,
    /// The outline, if refinement is asked.
    outline: Follower,
    actions: Vec<Action>,
    plans: Vec<Option<Txn>>,
    touched: Touched,
    effects: Effects,
    words: Vec<u64>,
    /// Whether `base` and `next` are the present state.
    is_unpacked: bool,
    verdicts: StateVerdicts<'a>,
    moves: MoveCache,
    /// Images of renamed states, if there is symmetry.
    pub(super) renamed: Option<Box<RenamedStates>>,
}

impl Worker<'_> {
    /// Adds the findings of the cached moves to those of the worker.
    pub(super) fn report_moves(&mut self) {
        self.moves.report(&mut self.judge.seen);
    }
}

impl<'a> TransitionSystem<'a> {
    /// # Errors
    /// If the world is too large.
    pub(super) fn new(
        question: &'a CheckQuestion<'a>,
        faults: FaultSteps<'a>,
        settings: &SearchSettings<'_>,
    ) -> Result<Self, TooLarge> {
        let codec = Codec::new(question.world, question.start)?;
        let classes = FairnessClasses::of(question.world, faults.per(question.world))?;
        if !faults.has_labels_beside(classes.fairness().len()) {
            return Err(TooLarge::Duties);
        }
        let mut system = Self {
            question,
            faults,
            codec,
            classes,
            symmetry: None,
            is_asymmetric: AtomicBool::new(false),
            batch: AtomicU32::new(0),
            cache_bytes: 0,
            shared_moves: None,
            shared_verdicts: None,
        };
        system.remember_within(settings.cache_bytes(1), settings.threads);
        Ok(system)
    }

    /// Sets the limit of each cache, and of shared results, to this number of bytes.
    fn remember_within(&mut self, bytes: usize, threads: usize) {
        self.cache_bytes = bytes;
        self.shared_moves = SharedResults::among(threads, bytes);
        self.shared_verdicts = SharedResults::among(threads, bytes);
    }

    pub(super) fn world(&self) -> &'a World {
        self.question.world
    }

    /// The state in which every run begins, packed.
    fn packed_start(&self) -> Vec<u64> {
        self.codec.pack(self.question.start, &mut Local::default())
    }

    /// Makes the numbers of transactions final, in the order in which `each` visits states.
    fn commit_txns(&self, each: impl FnOnce(&mut dyn FnMut(&mut [u64]))) -> Result<(), Refused> {
        // Moves that workers remember until the next commit do not count any more.
        self.batch.fetch_add(1, Ordering::Relaxed);
        let committed = self.codec.commit(each, |txn| self.images_of(txn));
        committed.map_err(|Overflow| Refused)
    }

    pub(super) fn state(&self, worker: &mut Worker<'_>, words: &[u64]) -> State {
        self.go_to(worker, words);
        worker.base.clone()
    }

    /// Unpacks a state, for a worker that does nothing else.
    pub(super) fn read<'w>(&self, worker: &'w mut Worker<'_>, words: &[u64]) -> &'w State {
        self.unpack(worker, words);
        &worker.base
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

    /// Makes the expanded state the present state, unless it is.
    fn unpack_here(&self, worker: &mut Worker<'_>, words: &[u64]) {
        if !worker.is_unpacked {
            self.go_to(worker, words);
            worker.is_unpacked = true;
        }
    }

    /// Unpacks the present state. It mostly differs from the last one in a few rows, as states are
    /// numbered in the order of their parents, so only these rows are unpacked; `next` is still the
    /// last one.
    pub(super) fn unpack(&self, worker: &mut Worker<'_>, words: &[u64]) {
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
        for actor in agents::actors(self.question.world) {
            agents::enabled_with_plans(self.question.world, base, actor, actions, plans);
        }
        self.faults.leave_out(actions, plans);
    }

    /// Takes a step and packs the state that it leads to.
    fn advance(&self, worker: &mut Worker<'_>, words: &[u64], position: usize) -> Action {
        let action = self.step(worker, words, position);
        self.verify_step(worker, words, action);
        action
    }

    /// Takes a step and packs the rows that it touched.
    fn step(&self, worker: &mut Worker<'_>, words: &[u64], position: usize) -> Action {
        let Worker { next, effects, txns, actions, plans, .. } = worker;
        let (action, planned) = (actions[position], plans[position].take());
        protocol::step_as_planned(self.question.world, next, action, planned, &Scan, effects);
        worker.words.clear();
        worker.words.extend_from_slice(words);
        for row in &effects.touched {
            self.codec.pack_row(next, *row, txns, &mut worker.words);
        }
        action
    }

    /// Compares the state that a step from `words` led to with the long way.
    fn verify_step(&self, worker: &mut Worker<'_>, words: &[u64], action: Action) {
        if is_verified(worker) {
            let whole = self.codec.pack(&worker.next, &mut worker.txns);
            assert_eq!(worker.words, whole, "after {action:?}");
        }
        if worker.is_sampled {
            assert!(self.is_kept(worker, words), "a part of the state is lost after {action:?}");
        }
    }

    /// Whether the state that a step from `words` led to survives packing and unpacking.
    fn is_kept(&self, worker: &mut Worker<'_>, words: &[u64]) -> bool {
        let (mut unpacked, mut here) = (worker.base.clone(), words.to_vec());
        let (txns, touched) = (&mut worker.txns, &mut Touched::new());
        self.codec.unpack(&mut here, &worker.words, txns, &mut unpacked, touched);
        unpacked == worker.next
    }

    fn undo(worker: &mut Worker<'_>) {
        for row in &worker.effects.touched {
            worker.next.restore(*row, &worker.base);
        }
        if is_verified(worker) {
            assert_eq!(worker.next, worker.base, "something changed that was not touched");
        }
    }

    /// The moves of the parts of a group in the present state, by the protocol, and whether they
    /// can be remembered. Their reads are recorded.
    fn moves_of(
        &self,
        worker: &mut Worker<'a>,
        group: usize,
        words: &[u64],
    ) -> (Vec<(u32, Move)>, bool) {
        let mut reads = std::mem::take(worker.moves.reads());
        reads.clear();
        let (mut moves, mut is_final) = (Vec::new(), true);
        for (place, part) in worker.moves.parts_of(group) {
            recorded(&mut reads, || self.list_part(worker, part));
            for position in 0..worker.actions.len() {
                let made = self.move_of(worker, &mut reads, position, words);
                is_final &= self.codec.is_final(&worker.words, &worker.txns);
                moves.push((place, made));
            }
        }
        *worker.moves.reads() = reads;
        (moves, is_final)
    }

    /// The move of an action of the present state.
    fn move_of(
        &self,
        worker: &mut Worker<'a>,
        reads: &mut Vec<Read>,
        position: usize,
        words: &[u64],
    ) -> Move {
        let action = recorded(reads, || self.step(worker, words, position));
        self.verify_step(worker, words, action);
        let label = recorded(reads, || self.label(&worker.base, &action));
        let mut made = Move {
            action,
            patch: patch(words, &worker.words),
            images: ImagePatch::none(),
            label,
            clauses: Box::default(),
            violations: Box::default(),
            departs: false,
        };
        if made.is_idle() {
            // Every enabled action changes something, except one that plans again a transaction
            // that is pending already, and a transaction whose changes a scenario has switched off.
            let expected = matches!(action.act.txn(), Some(TxnAct::Begin(_)));
            let world = self.question.world;
            let is_whole = world.without.is_empty() && world.without_at.is_empty();
            debug_assert!(expected || !is_whole, "{action:?} changes nothing");
        } else {
            self.judge(worker, reads, &mut made);
        }
        Self::undo(worker);
        made
    }

    /// Judges a move of the present state, which was made on the copy.
    fn judge(&self, worker: &mut Worker<'a>, reads: &mut Vec<Read>, made: &mut Move) {
        let (is_verified, is_sampled) = (is_verified(worker), worker.is_sampled);
        let Worker { judge, effects, base, next, outline, .. } = worker;
        let change = WatchedStep { world: self.question.world, before: base, after: next };
        let mut violations = Vec::new();
        recorded(reads, || {
            judge.check_step(&change, &effects.touched, &mut |claim, subject| {
                violations.push((claim, subject));
            });
        });
        if is_verified {
            judge.verify_step(&change, &effects.touched);
        }
        made.violations = violations.into();
        made.clauses = effects.clauses.as_slice().into();
        made.departs = outline.departs(self.question, made.action, [base, next], is_sampled);
    }

    /// Lists the enabled actions of a part in the present state.
    fn list_part(&self, worker: &mut Worker<'_>, part: ActionPart) {
        let Worker { base, actions, plans, .. } = worker;
        actions.clear();
        plans.clear();
        agents::enabled_for_part(self.question.world, base, part, &Scan, actions, plans);
        self.faults.leave_out(actions, plans);
    }
}

/// The bits in which two packed states differ, word by word; no words if they are equal.
fn patch(before: &[u64], after: &[u64]) -> Box<[u64]> {
    let words = if before == after { 0 } else { before.len() };
    before.iter().zip(after).map(|(before, after)| before ^ after).take(words).collect()
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
        let mut worker = Worker {
            judge: ClaimJudge::new(self.question),
            is_sampled: false,
            txns: Local::default(),
            here: self.packed_start(),
            base: self.question.start.clone(),
            next: self.question.start.clone(),
            outline: Follower::default(),
            actions: Vec::new(),
            plans: Vec::new(),
            touched: Touched::new(),
            effects: Effects::default(),
            words: Vec::new(),
            is_unpacked: false,
            verdicts: StateVerdicts::new(
                self.question,
                self.codec.words(),
                self.cache_bytes,
                self.shared_verdicts.as_ref(),
            ),
            moves: MoveCache::new(
                self.question.world,
                self.codec.words(),
                // Reads of the outline are not recorded.
                if self.question.refines.is_some() { 0 } else { self.cache_bytes },
                self.shared_moves.as_ref(),
            ),
            renamed: None,
        };
        worker.renamed = self.symmetry.as_ref().map(|group| self.renamed_states(group, &worker));
        worker
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![self.packed_start()]
    }

    fn expand(
        &self,
        worker: &mut Worker<'a>,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) {
        worker.is_sampled = id.is_multiple_of(SAMPLE.into());
        worker.is_unpacked = false;
        if is_verified(worker) || self.question.refines.is_some() {
            self.unpack_here(worker, state);
            worker.outline.go_to(self.question, &worker.base);
        }
        // A search that stops in the middle of a state counts it as not expanded.
        let _ = self.find_successors(worker, id, state, successors);
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        if self.is_asymmetric() {
            return Err(Refused);
        }
        self.commit_txns(|rewrite| new.for_each(rewrite))
    }

    fn merge(&self, into: &mut Worker, mut from: Worker) {
        from.report_moves();
        into.judge.seen.merge(&from.judge.seen);
        if let (Some(into), Some(from)) = (&mut into.renamed, from.renamed)
            && !into.findings.merge(&from.findings)
        {
            self.is_asymmetric.store(true, Ordering::Relaxed);
        }
    }
}
