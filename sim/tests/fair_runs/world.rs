//! The runs of a world, found by `enabled` and `step` alone, with the fairness of each mover.
//!
//! The mover of a step is read from its line in a trace, and the assumptions about movers are
//! written here once more, in the words of `[assume]`. So this module does not know how the checker
//! numbers fairness classes, nor which moves it considers owed.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_claims::{Claim, check::Trace};
use deathwatch_model::{
    action::{Act, Action, HookAct, TxnAct},
    protocol::{self, Effects},
    rows::Row,
    runtime::UserState,
    state::State,
    world::{Per, World},
};

use super::automaton::{
    AcceptanceCondition::{All, Any, Finitely, Infinitely},
    Automaton, AutomatonMove,
};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StepMover {
    /// A fault, which strikes finitely often.
    Fault,
    /// A mover without obligation: it may stop at any time.
    Free,
    /// Weak fairness: the mover does not stop for good while it can move in every state.
    Weak(String),
    /// Strong fairness: the mover moves again if it can move infinitely often.
    Strong(String),
}

/// The set of the moves that are faults.
const FAULTS: usize = 0;

/// All states and steps of a world.
pub(crate) struct RunGraph<'a> {
    world: &'a World,
    states: Vec<State>,
    steps: Vec<Vec<(StepMover, usize)>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaimDecision {
    pub(crate) arises: bool,
    pub(crate) subjects: Vec<DecidedSubject>,
}

/// A claim about one of its subjects, decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecidedSubject {
    pub(crate) subject: Row,
    /// The number of states in which the claim is owed to it.
    pub(crate) owed: usize,
    /// Whether some fair run owes it for ever.
    pub(crate) is_violated: bool,
}

impl<'a> RunGraph<'a> {
    /// All states that can follow `start`; `None` if these are more than `most`.
    pub(crate) fn of(world: &'a World, start: &State, most: usize) -> Option<Self> {
        let mut number = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start.clone()];
        let mut steps = Vec::new();
        let (mut actions, mut effects) = (Vec::new(), Effects::default());
        while let Some(state) = states.get(steps.len()).cloned() {
            actions.clear();
            protocol::enabled(world, &state, &mut actions);
            let mut out = Vec::new();
            for action in &actions {
                let mut next = state.clone();
                protocol::step(world, &mut next, *action, &mut effects);
                if next == state {
                    continue; // who plans anew what is planned already has not moved
                }
                let new = states.len();
                let to = *number.entry(next).or_insert_with_key(|next| {
                    states.push(next.clone());
                    new
                });
                out.push((mover(world, &state, action), to));
            }
            if states.len() > most {
                return None;
            }
            steps.push(out);
        }
        Some(Self { world, states, steps })
    }

    pub(crate) fn states(&self) -> usize {
        self.states.len()
    }

    /// Decides a claim about what must follow.
    pub(crate) fn decide(&self, claim: &Claim) -> ClaimDecision {
        let obligation = claim.obligation().expect("a claim about what must follow");
        let mut decided = ClaimDecision::default();
        for subject in obligation.kind().rows(self.world) {
            let conditions: Vec<[bool; 2]> = self
                .states
                .iter()
                .map(|state| obligation.from_to(self.world, state, subject))
                .collect();
            decided.arises |= conditions.iter().any(|[from, _]| *from);
            let (owed, owing) = self.owing(&conditions);
            let is_violated = owing.accepts_some_run();
            decided.subjects.push(DecidedSubject { subject, owed, is_violated });
        }
        decided
    }

    /// Indices of steps of a run that violates `claim`: after the first the claim is owed for good,
    /// after the second no possible step meets it, and after the third no step that a mover has to
    /// take does.
    pub(crate) fn no_return(
        &self,
        claim: &Claim,
        trace: &Trace,
    ) -> (usize, Option<usize>, Option<usize>) {
        let obligation = claim.obligation().expect("a claim about what must follow");
        let mut rows = obligation.kind().rows(self.world);
        let subject = rows.find(|row| claim.subject(*row) == trace.subject).expect("its subject");
        let is = |state: usize| obligation.from_to(self.world, &self.states[state], subject);
        let mut state = self.states[0].clone();
        let (mut run, mut effects) = (vec![0], Effects::default());
        for action in trace.steps.iter().chain(&trace.cycle) {
            protocol::step(self.world, &mut state, *action, &mut effects);
            let number = self.states.iter().position(|known| *known == state);
            run.push(number.expect("each state of a run can be reached"));
        }
        let (prefix, cycle) = run.split_at(trace.steps.len() + 1);
        let met = prefix.iter().rposition(|state| is(*state)[1]).map_or(0, |last| last + 1);
        let open = (met..prefix.len()).find(|at| is(prefix[*at])[0]).expect("it is owed");
        let since = |is_owed: bool| {
            let can = |state: usize| self.reached(state, is_owed).into_iter().any(|it| is(it)[1]);
            let last = (open..prefix.len()).rev().find(|at| can(prefix[*at]));
            let since = last.map_or(open, |last| last + 1);
            (since < prefix.len() && !cycle.iter().any(|state| can(*state))).then_some(since)
        };
        (open, since(false), since(true))
    }

    /// The states reachable from `from`, by all steps or by those alone that a mover has to take.
    fn reached(&self, from: usize, is_owed: bool) -> BTreeSet<usize> {
        let (mut reached, mut waiting) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = waiting.pop() {
            for (mover, to) in &self.steps[state] {
                let is_free = matches!(mover, StepMover::Fault | StepMover::Free);
                if !(is_owed && is_free) && reached.insert(*to) {
                    waiting.push(*to);
                }
            }
        }
        reached
    }

    /// The automaton of the fair runs whose obligation is open from their first state on for ever,
    /// and the number of its states. Runs begin where the obligation comes to be open, as every
    /// reachable state can be the beginning.
    fn owing(&self, conditions: &[[bool; 2]]) -> (usize, Automaton) {
        let starts: Vec<usize> =
            (0..self.states()).filter(|state| conditions[*state] == [true, false]).collect();
        let (mut owed, mut waiting): (BTreeSet<usize>, _) =
            (starts.iter().copied().collect(), starts.clone());
        while let Some(state) = waiting.pop() {
            for (_, to) in &self.steps[state] {
                let [_, is_done] = conditions[*to];
                if !is_done && owed.insert(*to) {
                    waiting.push(*to);
                }
            }
        }
        let takers: BTreeSet<&StepMover> =
            owed.iter().flat_map(|state| &self.steps[*state]).map(|(mover, _)| mover).collect();
        let takers: Vec<&StepMover> = takers.into_iter().collect();
        let condition = All(takers.iter().enumerate().map(|(at, it)| of(it, at)).collect());
        let mut made = Vec::new();
        for from in owed.iter().copied() {
            let can = |mover: &StepMover| self.steps[from].iter().any(|(it, _)| it == mover);
            let mut stays = BTreeSet::new();
            for (at, mover) in takers.iter().enumerate() {
                match mover {
                    StepMover::Fault | StepMover::Free => {}
                    StepMover::Weak(_) => stays.extend((!can(mover)).then_some(moved(at))),
                    StepMover::Strong(_) => stays.extend(can(mover).then_some(able(at))),
                }
            }
            for (mover, to) in &self.steps[from] {
                if owed.contains(to) {
                    let at = takers.binary_search(&mover).expect("it is one of them");
                    let mut sets = stays.clone();
                    match mover {
                        StepMover::Free => {}
                        StepMover::Fault => sets.extend([FAULTS]),
                        StepMover::Weak(_) | StepMover::Strong(_) => sets.extend([moved(at)]),
                    }
                    made.push(AutomatonMove { from, to: *to, sets });
                }
            }
            // A run may end where no mover has to move: it stays there for ever.
            if self.steps[from]
                .iter()
                .all(|(it, _)| matches!(it, StepMover::Fault | StepMover::Free))
            {
                made.push(AutomatonMove { from, to: from, sets: stays });
            }
        }
        (owed.len(), Automaton { starts, moves: made, condition })
    }
}

/// The set of the moves of the mover with this index; for a weakly fair one also the states in
/// which it cannot move.
fn moved(at: usize) -> usize {
    2 * at + 1
}

/// The set of the states in which the mover with this index can move.
fn able(at: usize) -> usize {
    2 * at + 2
}

/// The acceptance condition for the fairness of the mover with this index.
fn of(mover: &StepMover, at: usize) -> super::automaton::AcceptanceCondition {
    match mover {
        StepMover::Fault => Finitely(FAULTS),
        StepMover::Free => All(Vec::new()),
        StepMover::Weak(_) => Infinitely(moved(at)),
        StepMover::Strong(_) => Any(vec![Finitely(able(at)), Infinitely(moved(at))]),
    }
}

/// The mover of a step in this state.
fn mover(world: &World, state: &State, action: &Action) -> StepMover {
    let assumed = &world.assumptions;
    let line = world.show(action);
    let (who, what) = line.split_once(": ").expect("an actor and a step");
    let mut words = what.split(' ');
    let (verb, about) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let owed = |is_assumed: bool, whose: String| {
        if is_assumed { StepMover::Weak(whose) } else { StepMover::Free }
    };
    match who.split(' ').next().unwrap_or_default() {
        "faults" => StepMover::Fault,
        "user" if !is_giving(world, state, who) && assumed.finitely_many_commands => {
            StepMover::Fault
        }
        "user" => owed(assumed.commands_finish && is_giving(world, state, who), who.to_owned()),
        // A former provisioner does not owe the record of instances that it started.
        "provisioner" if verb == "record-late" => StepMover::Free,
        "unit-agent" | "machine-agent" | "provisioner" | "cleaner" => {
            let whose = match world.assumptions.per {
                Per::Agent => who.to_owned(),
                Per::Duty => format!("{who}: {}", duty(world, state, action, what)),
            };
            match (assumed.agents_act, assumed.strong) {
                (true, true) => StepMover::Strong(whose),
                (acts, _) => owed(acts, whose),
            }
        }
        "supervisor" => owed(assumed.crashed_agents_restart, line.clone()),
        "operator" => {
            let (is_assumed, cure) = match verb {
                "resolve" | "resolve-by-retry" => (assumed.hook_errors_are_resolved, "resolve"),
                "resolve-start" | "resolve-start-with" => {
                    (assumed.failed_starts_are_resolved, "resolve-start")
                }
                "terminate" => (assumed.failed_hardware_is_terminated, verb),
                "replace" => (assumed.agents_are_redeployed, verb),
                "upgrade" => (assumed.agents_are_upgraded, verb),
                _ => panic!("who assumes that the operator does this? {line}"),
            };
            owed(is_assumed, format!("{cure} {about}"))
        }
        _ => panic!("who is this? {line}"),
    }
}

/// Whether a user has begun a command and not ended it.
fn is_giving(world: &World, state: &State, who: &str) -> bool {
    let number = who.strip_prefix("user ").map_or(1, |number| number.parse().expect(who));
    let id = world.user_ids().nth(number - 1).expect("it is a user of this world");
    let user = state.runtime.user(id);
    user.state != UserState::Idle || user.session.is_some()
}

/// The duty that a step belongs to: a transaction or a hook, from its beginning to its end.
fn duty(world: &World, state: &State, action: &Action, what: &str) -> String {
    let client = action.actor().client().expect("an agent is a client");
    if let Some(TxnAct::Commit | TxnAct::Abort) = action.act.txn() {
        let txn = protocol::pending(state, client).expect("it is being finished");
        world.show_operation(txn.operation)
    } else if let Act::Hook(_, HookAct::Exit | HookAct::End) = action.act {
        world.show_hook(state.runtime.pending_hook(client).expect("it is being ended"))
    } else {
        let begun = what.strip_prefix("begin ").or(what.strip_prefix("decide "));
        begun.unwrap_or(what).to_owned()
    }
}
