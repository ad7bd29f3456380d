//! The protocol as a transition system, and the first violation of each claim found on the way.
//!
//! A worker unpacks a state once; each successor is made by one step on a copy, packed where the
//! step touched it, and undone by restoring what it touched. So a transition costs what it
//! touches. In debug builds each of these short cuts is compared with the long way, and in releases
//! for a sample of the states.

use deathwatch_checker::explore::{NewStates, Refused, Space, Successors};

use crate::{
    action::{Action, TxnAct},
    agents,
    check::{
        Question, TooLarge,
        fairness::FairnessClasses,
        own::OwnClaims,
        pack::Codec,
        seen::{Seen, Spot},
    },
    claims::{Claim, Formula, Recount, View},
    free_ids::Scan,
    interner::Local,
    protocol::{self, Effects},
    rows::{Row, Touched},
    state::State,
    txn::Txn,
};

/// The part of a state that predicates read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Documents, and nothing else.
    Documents,
    /// Documents and runtime.
    Whole,
}

/// The protocol, seen as a graph.
pub(super) struct TransitionSystem<'a> {
    question: &'a Question<'a>,
    pub(super) codec: Codec,
    pub(super) classes: FairnessClasses<'a>,
}

/// One state of so many is checked the long way: its successors are packed whole, unpacked again and
/// compared. A wrong short cut hardly ever goes wrong in a single state, so a sample is enough, and
/// it costs less than a hundredth of the time.
const SAMPLE: u32 = if cfg!(debug_assertions) { 16 } else { 1024 };

/// The findings of one worker, and its scratch memory.
pub(super) struct Worker {
    pub(super) seen: Seen,
    /// Whether the present state is checked the long way.
    is_sampled: bool,
    txns: Local<Txn>,
    /// The present state, packed.
    here: Vec<u64>,
    /// The present state, unpacked.
    base: State,
    /// A copy of the present state, on which steps are taken and taken back.
    next: State,
    /// The recount of the present state.
    recount: Recount,
    /// What is known of claims of a scenario's own.
    own: OwnClaims,
    actions: Vec<Action>,
    plans: Vec<Option<Txn>>,
    touched: Touched,
    effects: Effects,
    words: Vec<u64>,
}

impl<'a> TransitionSystem<'a> {
    /// # Errors
    /// If the world is too large.
    pub(super) fn new(question: &'a Question<'a>) -> Result<Self, TooLarge> {
        let codec = Codec::new(question.world, question.start)?;
        let classes = FairnessClasses::new(question.world)?;
        Ok(Self { question, codec, classes })
    }

    /// The action at `position` among those enabled in a packed state.
    pub(super) fn action_at(&self, worker: &mut Worker, state: &[u64], position: u32) -> Action {
        self.list_enabled(worker, state);
        worker.actions[position as usize]
    }

    /// The action of an edge of the graph, by its index among those that change something.
    pub(super) fn action_of(&self, worker: &mut Worker, state: &[u64], edge: usize) -> Action {
        self.list_enabled(worker, state);
        let mut left = edge;
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, state, position);
            let moves = worker.words != state;
            Self::undo(worker);
            match (moves, left) {
                (true, 0) => return action,
                (true, _) => left -= 1,
                (false, _) => {}
            }
        }
        unreachable!("the graph has an edge for each action that changes something")
    }

    /// The first action that leads from one packed state to another.
    pub(super) fn between(&self, worker: &mut Worker, from: &[u64], to: &[u64]) -> Option<Action> {
        self.list_enabled(worker, from);
        for position in 0..worker.actions.len() {
            let action = self.advance(worker, from, position);
            let leads_there = worker.words == to;
            Self::undo(worker);
            if leads_there {
                return Some(action);
            }
        }
        None
    }

    /// Unpacks a state.
    pub(super) fn state(&self, worker: &mut Worker, words: &[u64]) -> State {
        self.go_to(worker, words);
        worker.base.clone()
    }

    /// Unpacks what predicates read of a state. A worker reads always the same part, as what was
    /// not unpacked is wrong.
    pub(super) fn read<'w>(&self, worker: &'w mut Worker, part: Part, words: &[u64]) -> &'w State {
        let Worker { here, base, txns, touched, .. } = worker;
        touched.clear();
        match part {
            Part::Documents => self.codec.unpack_documents(here, words, txns, base, touched),
            Part::Whole => self.codec.unpack(here, words, txns, base, touched),
        }
        base
    }

    /// Makes `words` the present state. It mostly differs from the last one in a few rows, as
    /// states are numbered by where they were found from, so only these rows are unpacked.
    fn go_to(&self, worker: &mut Worker, words: &[u64]) {
        let Worker { here, base, next, txns, touched, .. } = worker;
        touched.clear();
        self.codec.unpack(here, words, txns, base, touched);
        for row in &*touched {
            next.restore(*row, base);
        }
        if cfg!(debug_assertions) || worker.is_sampled {
            assert_eq!(next, base, "something was unpacked that was not touched");
            assert_eq!(self.codec.pack(base, txns), words, "unpacking undoes packing");
        }
    }

    /// Goes to a state and lists its enabled actions.
    fn list_enabled(&self, worker: &mut Worker, words: &[u64]) {
        self.go_to(worker, words);
        let Worker { base, actions, plans, .. } = worker;
        actions.clear();
        plans.clear();
        agents::enabled_with_plans(self.question.world, base, actions, plans);
    }

    /// Takes a step and packs the state that it leads to.
    fn advance(&self, worker: &mut Worker, words: &[u64], position: usize) -> Action {
        let Worker { next, effects, txns, actions, plans, .. } = worker;
        let (action, planned) = (actions[position], plans[position].take());
        protocol::step_as_planned(self.question.world, next, action, planned, &Scan, effects);
        worker.words.clear();
        worker.words.extend_from_slice(words);
        for row in &effects.touched {
            self.codec.pack_row(next, *row, txns, &mut worker.words);
        }
        if cfg!(debug_assertions) || worker.is_sampled {
            assert_eq!(worker.words, self.codec.pack(next, txns), "after {action:?}");
        }
        if worker.is_sampled {
            assert!(self.is_kept(worker, words), "a part of the state is lost after {action:?}");
        }
        action
    }

    /// Whether unpacking the state that a step from `words` led to gives that state.
    fn is_kept(&self, worker: &mut Worker, words: &[u64]) -> bool {
        let (mut unpacked, mut here) = (worker.base.clone(), words.to_vec());
        let (txns, touched) = (&mut worker.txns, &mut Touched::new());
        self.codec.unpack(&mut here, &worker.words, txns, &mut unpacked, touched);
        unpacked == worker.next
    }

    /// Takes the step back.
    fn undo(worker: &mut Worker) {
        for row in &worker.effects.touched {
            worker.next.restore(*row, &worker.base);
        }
        if cfg!(debug_assertions) || worker.is_sampled {
            assert_eq!(worker.next, worker.base, "something changed that was not touched");
        }
    }

    fn check_state(&self, worker: &mut Worker, id: u32) {
        worker.own.check_state(self.question, &worker.base, &worker.touched, &mut worker.seen, id);
        let is_built_in = |claim: &&'static Claim| matches!(claim.test, Formula::Always(_));
        if !self.question.claims.iter().any(is_built_in) {
            return;
        }
        let world = self.question.world;
        worker.recount.count(world, &worker.base);
        let view = View { world, state: &worker.base, recount: &worker.recount };
        for (index, claim) in self.question.claims.iter().enumerate() {
            if let Formula::Always(always) = claim.test
                && let Some(subject) = (always.first)(&view)
            {
                worker.seen.violated(index, (id, 0), subject);
            }
        }
    }

    fn check_step(&self, worker: &mut Worker, spot: Spot) {
        let Worker { seen, effects, base, next, own, .. } = worker;
        for clause in &effects.clauses {
            seen.carried_out(*clause, spot);
        }
        for (index, claim) in self.question.claims.iter().enumerate() {
            if let Formula::Step(step) = claim.test {
                let at_fault = |row: &Row| (step.at_fault)(self.question.world, base, next, *row);
                if let Some(subject) = effects.touched.iter().find_map(at_fault) {
                    seen.violated(index, spot, subject);
                }
            }
        }
        own.check_step(self.question, [base, next], &effects.touched, seen, spot);
    }
}

impl Space for TransitionSystem<'_> {
    type Worker = Worker;

    fn words(&self) -> usize {
        self.codec.words()
    }

    fn worker(&self) -> Worker {
        Worker {
            seen: Seen::new(self.question.claims.len()),
            is_sampled: false,
            txns: Local::default(),
            here: self.codec.pack(self.question.start, &mut Local::default()),
            base: self.question.start.clone(),
            next: self.question.start.clone(),
            recount: Recount::default(),
            own: OwnClaims::of(self.question),
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

    fn expand(&self, worker: &mut Worker, id: u32, state: &[u64], successors: &mut Successors<'_>) {
        worker.is_sampled = id.is_multiple_of(SAMPLE);
        self.list_enabled(worker, state);
        self.check_state(worker, id);
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
                successors.push(&worker.words, self.classes.label(&worker.base, &action));
            }
            Self::undo(worker);
        }
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        self.codec.commit(new)
    }

    fn merge(&self, into: &mut Worker, from: Worker) {
        into.seen.merge(&from.seen);
    }
}
