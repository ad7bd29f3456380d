//! Replays of candidates: whether the rest of a run still violates the claim.
//!
//! A step of a candidate is done if it is enabled in the state that the candidate has reached, and
//! skipped if not. So removing a command removes its consequences: a unit that was never destroyed
//! cannot be set dead. The steps that were done are a run that can be replayed. If instead the
//! first impossible step rejected a candidate, most candidates would be rejected: a reduction would
//! have to guess a command and all that follows from it at once.
//!
//! A claim about what must follow is judged in a quiescent state. After the steps, the tasks that
//! are assumed to be carried out take turns in a fixed order (`quiescence`). Where this ends, no
//! fair run goes on; so what is still owed there stays owed on a fair run, whatever other orders
//! would have led to. If it does not end within a bound, nothing is concluded from it. A run of a
//! simulation has had a calm of its own. Its steps are steps of the run, and are removed where this
//! calm leads to the same.

use deathwatch_claims::{Claim, ClaimKind, Diagnosis, Monitor, diagnosis::RootKind};
use deathwatch_model::{
    action::{Act, Action, Outcome, TxnAct},
    actor::Client,
    agents::{self, Enabled},
    free_ids::FreeIdIndex,
    protocol::{self, Effects},
    rows::Row,
    state::State,
    txn::Txn,
    world::World,
};
use deathwatch_scenario::scenario::Scenario;
use deathwatch_simulator::quiescence;

/// The predicate that every candidate has to satisfy.
#[derive(Clone, Copy)]
pub(super) struct Criterion {
    pub(super) claim: &'static Claim,
    /// Whether a manager machine still runs at the end. A world without one is stuck for that
    /// reason, and a run that was stuck for another reason must not turn into such a one.
    pub(super) is_managed: bool,
    /// The root that the stuck subject must have, perhaps beside others. A run that was stuck for
    /// one reason must not turn into one that is stuck for another.
    pub(super) root: Option<RootKind>,
}

impl Criterion {
    /// The criterion in the world of another scenario: a claim of its own is read for each world.
    pub(super) fn of(self, scenario: &Scenario) -> Self {
        let mut claims = scenario.claims.iter().map(|(claim, _)| *claim);
        if !self.claim.is_own() {
            return self;
        }
        let claim = claims.find(|claim| claim.name == self.claim.name);
        Self { claim: claim.expect("every candidate has the claim"), ..self }
    }
}

/// The execution of a candidate, which looks only at rows that a step touches.
#[derive(Clone)]
pub(super) struct Execution<'a> {
    world: &'a World,
    /// The state that it has reached.
    pub(super) state: State,
    monitor: Monitor,
    free_ids: FreeIdIndex,
    effects: Effects,
    enabled: Enabled,
    /// The document that is to violate a claim about what must follow, if that is known.
    subject: Option<Row>,
    /// The document that has violated a claim about states or steps.
    violated: Option<Row>,
}

/// A run that violates the claim.
pub(super) struct ViolatingRun {
    /// The steps of the candidate that were possible, up to the violation.
    pub(super) steps: Vec<Action>,
    pub(super) subject: Row,
    /// The steps of the world left to itself, if the claim is about what must follow.
    pub(super) afterwards: Vec<Action>,
    /// Its last state.
    pub(super) end: State,
}

impl<'a> Execution<'a> {
    /// Begins in `start`. A claim about what must follow is judged for `subject` only, if there is
    /// one.
    pub(super) fn begin(
        world: &'a World,
        start: &State,
        criterion: Criterion,
        subject: Option<Row>,
    ) -> Self {
        let mut violated = None;
        let mut note = |_: &'static Claim, found| violated = Some(found);
        let claims = std::iter::once(criterion.claim);
        let monitor = Monitor::new(world, start, claims, &mut note);
        Self {
            world,
            state: start.clone(),
            monitor,
            free_ids: FreeIdIndex::of(world, start),
            effects: Effects::default(),
            enabled: Enabled::default(),
            subject,
            violated,
        }
    }

    /// Does those of `actions` that are possible, until the claim is violated, and adds them to
    /// `done`.
    pub(super) fn run(&mut self, actions: &[Action], done: &mut Vec<Action>) {
        for action in actions {
            if self.violated.is_some() {
                return;
            }
            self.run_one(*action, done);
        }
    }

    /// Does `action`, if it is possible, and adds it to `done`.
    fn run_one(&mut self, action: Action, done: &mut Vec<Action>) {
        let Some((action, planned)) = self.possible(action) else { return };
        let outcome = self.step(action, planned);
        if !is_in_vain(action, outcome) {
            done.push(action);
        }
    }

    /// Aborts the transactions that clients have begun, and adds that to `done`.
    fn abort_pending(&mut self, done: &mut Vec<Action>) {
        let clients = self.state.runtime.clients().iter().zip(0..);
        let pending = clients.filter(|(client, _)| client.pending.is_some());
        let pending: Vec<u8> = pending.map(|(_, number)| number).collect();
        for number in pending {
            let act = Act::Txn(Client::Script(number), TxnAct::Abort);
            self.run_one(Action { act, duty: None }, done);
        }
    }

    /// Does `action`, and checks the claim.
    fn step(&mut self, action: Action, planned: Option<Txn>) -> Outcome {
        let Self { world, state, free_ids, effects, monitor, violated, .. } = self;
        let outcome = protocol::step_as_planned(world, state, action, planned, free_ids, effects);
        free_ids.update(world, state, &effects.touched);
        monitor.check_step(world, state, &effects.touched, &mut |_, found| *violated = Some(found));
        outcome
    }

    /// The enabled action that `step` stands for, and the transaction that it plans.
    fn possible(&mut self, step: Action) -> Option<(Action, Option<Txn>)> {
        let Self { world, state, free_ids, enabled, .. } = self;
        agents::find_enabled(world, state, step, free_ids, enabled)
    }

    /// Does those of the `rest` that are possible, and then leaves the world to itself if the claim
    /// is about what must follow. `None` if the criterion is not met.
    pub(super) fn violates(
        mut self,
        criterion: Criterion,
        rest: &[Action],
    ) -> Option<ViolatingRun> {
        let mut steps = Vec::new();
        self.run(rest, &mut steps);
        if let Some(violated) = self.violated {
            self.abort_pending(&mut steps);
            self.violated = Some(violated);
        }
        // A search cannot begin while a client has a pending transaction.
        if self.state.runtime.clients().iter().any(|client| client.pending.is_some()) {
            return None;
        }
        if criterion.claim.kind() != ClaimKind::Leads {
            let subject = self.violated?;
            return Some(ViolatingRun { steps, subject, afterwards: Vec::new(), end: self.state });
        }
        let afterwards = self.settle()?;
        let subject = self.owed(criterion.root)?;
        if criterion.is_managed && self.state.active_manager(self.world).is_none() {
            return None;
        }
        Some(ViolatingRun { steps, subject, afterwards, end: self.state })
    }

    /// The first document for which something is owed, for this reason; only `subject`, if there is
    /// one.
    fn owed(&self, root: Option<RootKind>) -> Option<Row> {
        let mut owed = self.monitor.owed(self.world).into_iter().map(|(_, subject)| subject);
        let is_for = |owed: Row| match root {
            None => true,
            Some(root) => {
                let roots = Diagnosis::at_end(self.world, &self.state, owed).roots();
                roots.iter().any(|it| it.kind == root)
            }
        };
        owed.find(|owed| self.subject.is_none_or(|subject| subject == *owed) && is_for(*owed))
    }

    /// Lets the tasks that are assumed go on to a quiescent state; `None` if the bound comes first.
    fn settle(&mut self) -> Option<Vec<Action>> {
        let mut done = Vec::new();
        let (tasks, bound) = (agents::assumed_tasks(self.world), quiescence::bound(self.world));
        let act = |task| {
            let Self { world, state, free_ids, enabled, .. } = self;
            let next = agents::first_enabled(world, state, task, free_ids, enabled);
            let Some((action, planned)) = next else { return false };
            self.step(action, planned);
            done.push(action);
            true
        };
        quiescence::take_turns(&tasks, bound, act).ok()?;
        Some(done)
    }
}

/// Whether the step of a client has no effect, so that no run needs it.
fn is_in_vain(action: Action, outcome: Outcome) -> bool {
    let is_plan = TxnAct::plans;
    matches!(action.act, Act::Txn(Client::Script(_), act) if is_plan(act).is_some())
        && !matches!(outcome, Outcome::Committed | Outcome::Planned)
}
