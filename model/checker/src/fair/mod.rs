//! The decision of leads-to claims: is each state with `from` followed by one with `to` on every
//! fair run?
//!
//! The obligation of a claim is pending after a path if some state on it had `from`, and neither
//! that state nor a later one had `to`. A claim is violated if a path can open its obligation and a
//! fair run can go on from there without ever closing it. A run is fair if
//!
//! 1. faults strike finitely often: any number of times in the prefix, never on the cycle;
//! 2. it stops only in a terminal state, in which no class with fairness can move;
//! 3. a weakly fair class that can move in every state of the cycle moves on it;
//! 4. a strongly fair class that can move in any state of the cycle moves on it.
//!
//! Enabledness of a class is judged on the whole graph, also where its move would close the
//! obligation: that is how fairness saves a claim.
//!
//! Up to 64 claims are decided at once, a bit each, as most time goes to reading edges:
//!
//! ```text
//! pending(s)  = the claims that some path to s leaves open             // `obligations`
//! violated    = the claims pending in a state in which a run may stop
//! pending(s)  = {} where no cycle without faults can come to           // `in_edges`
//! while it pays:                                                       // `trim`
//!     pending(s) = the claims pending in s and in some lasting successor of s
//! for each component of the states in which something is pending:      // `scc`
//!     for each set of claims that are pending in the same states of it:
//!         suspects = the component, or those states of it              // `cycles`
//!         for each component C of the suspects:
//!             if a weak class can move in all of C, and never does:
//!                 no part of C is fair
//!             else if a strong class can move somewhere in C, and never does:
//!                 suspects += the states of C in which no such class can move
//!             else:
//!                 the states of C are accepting; violated += these claims
//! for each violated claim:                                             // `lasso`
//!     path  = the shortest to a terminal or accepting state in which it is pending
//!     cycle = from there to each move that fairness lacks, the nearest first, and back
//!     replay both by the definition alone
//! ```
//!
//! Nothing here recurses, since a path may be as long as the graph is large.

mod cycles;
mod fairness_tracker;
mod in_edges;
mod lasso;
mod masks;
mod obligations;
mod pending_claims;
mod scc;
mod sieve;
mod state_values;
#[cfg(test)]
mod tests;
mod visits;

pub use lasso::{Lasso, LassoFlaw, LassoStep, PointOfNoReturn};
pub use masks::Masks;
use obligations::Obligations;
pub use sieve::{Sieved, sieve};
use state_values::StateValues;

use crate::{
    Stop,
    budget::MemoryBudget,
    graph::{Fairness, Graph, Label, MOST_STATES},
    threads::Workers,
};

/// The greatest number of claims that are decided at once.
pub const MOST_CLAIMS: usize = 64;

/// The answer to one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimVerdict {
    /// The number of reachable states in which `from` holds; if it is 0, the claim is vacuous.
    pub from_states: u64,
    /// A fair run that breaks the claim after as few steps as possible; `None` if it holds.
    pub lasso: Option<Lasso>,
    /// The points of that run from which on the claim cannot be met; `None` if there is no run.
    pub no_return: Option<PointOfNoReturn>,
}

impl ClaimVerdict {
    /// The verdict on a claim that holds, with the number of reachable states that have its `from`.
    pub fn holds(from_states: u64) -> Self {
        Self { from_states, lasso: None, no_return: None }
    }

    /// The verdict without its run: only the count of `from` states.
    #[must_use]
    pub fn without_run(&self) -> Self {
        Self::holds(self.from_states)
    }
}

/// Options of a decision. None of them changes an answer.
#[derive(Clone, Copy, Debug)]
pub struct LeadsOptions {
    /// The greatest number of threads. Where the system does not start as many, fewer decide.
    pub threads: usize,
    /// The number of states that a thread takes at once; only a test has reason to change it.
    pub chunk: u32,
}

impl Default for LeadsOptions {
    fn default() -> Self {
        Self { threads: 1, chunk: 1 << 11 }
    }
}

/// Decides the first `claims` claims, of which claim `i` is bit `i` of every mask.
///
/// `fairness` has one entry for each class. The verdicts come in the order of the claims. All
/// memory taken from `memory` is given back.
///
/// # Errors
/// If `stop`, which is polled now and then, returns a reason, or memory does not suffice.
///
/// # Panics
/// If there are more than [`MOST_CLAIMS`] claims or [`MOST_STATES`] states, or a state has no mask,
/// or a class no fairness; or if the graph has turns, as its states are not those of a run.
pub fn leads(
    graph: &(impl Graph + Sync),
    fairness: &[Fairness],
    masks: &Masks,
    claims: usize,
    options: LeadsOptions,
    memory: &mut MemoryBudget,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Vec<ClaimVerdict>, Stop> {
    assert!(graph.turns().is_none(), "a run is shown in states that stand for themselves");
    let question = MaskedQuestion::new(graph, fairness, masks, claims);
    let mut limits = DecisionLimits { ticks: 0, memory, stop };
    let (accepting, violated, from_states) = found(&question, options, &mut limits)?;
    let lassos = lasso::lassos(&question, accepting.as_ref(), violated, &mut limits)?;
    limits.memory.give(accepting.map_or(0, |it| it.bytes()));
    for (claim, lasso) in lassos.iter().enumerate() {
        let replayed = lasso.as_ref().map(|(it, _)| it.replay(graph, fairness, masks, claim));
        if let Some(Err(flaw)) = replayed {
            panic!("the run found against claim {claim} is none: {flaw}");
        }
    }
    let verdict = |(lasso, from_states): (Option<(Lasso, PointOfNoReturn)>, u64)| {
        let (lasso, no_return) = lasso.unzip();
        ClaimVerdict { from_states, lasso, no_return }
    };
    Ok(lassos.into_iter().zip(from_states).take(claims).map(verdict).collect())
}

/// The violated ones among the first `claims` claims, as bits, and for each claim the number of
/// reachable states that have its `from`.
///
/// It answers as [`leads`] does without a run, so it costs less where one graph is asked many
/// times. The graph may have turns: then the answers are those for the graph unfolded from it, and
/// the count is of its own states.
///
/// # Errors
/// As [`leads`] does.
///
/// # Panics
/// As [`leads`] does, except that turns are allowed.
pub fn violated(
    graph: &(impl Graph + Sync),
    fairness: &[Fairness],
    masks: &Masks,
    claims: usize,
    options: LeadsOptions,
    memory: &mut MemoryBudget,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<(u64, [u64; MOST_CLAIMS]), Stop> {
    let question = MaskedQuestion::new(graph, fairness, masks, claims);
    let mut limits = DecisionLimits { ticks: 0, memory, stop };
    let (accepting, violated, from_states) = found(&question, options, &mut limits)?;
    limits.memory.give(accepting.map_or(0, |it| it.bytes()));
    Ok((violated, from_states))
}

/// The accepting states, if there are any; the violated claims, as bits; and for each claim the
/// number of states that have its `from`.
fn found<G: Graph + Sync>(
    question: &MaskedQuestion<'_, G>,
    options: LeadsOptions,
    limits: &mut DecisionLimits<'_>,
) -> Result<(Option<ClaimSets>, u64, [u64; MOST_CLAIMS]), Stop> {
    let team = Team::new(question.graph.len(), options);
    let obligations = obligations::carried_on(question, &team, limits)?;
    let Obligations { pending, from_states, at_terminals } = obligations;
    let is_left = obligations::trim(question, &pending, &team, limits)?;
    let (accepting, on_cycles) =
        if is_left { cycles::accepting(question, &pending, limits)? } else { (None, 0) };
    pending.free(limits.memory);
    Ok((accepting, at_terminals | on_cycles, from_states))
}

struct Team {
    workers: Workers<()>,
    /// The number of states that a thread takes at once.
    chunk: u32,
}

impl Team {
    /// At most one thread for each chunk of a graph of `size` states.
    fn new(size: u32, LeadsOptions { threads, chunk }: LeadsOptions) -> Self {
        let chunk = chunk.max(1);
        let threads = threads.min(size.div_ceil(chunk) as usize);
        Self { workers: Workers::new(threads, || ()), chunk }
    }
}

type ClaimSets = StateValues<1>;

/// Whether a run may stop in `state` for good: no class with fairness can move there.
pub fn is_terminal(graph: &impl Graph, fairness: &[Fairness], state: u32) -> bool {
    may_stop(fairness, graph.edges(state))
}

/// Whether a run may stop in a state with these edges: none belongs to a class with fairness.
fn may_stop(fairness: &[Fairness], mut edges: impl Iterator<Item = (u32, Label)>) -> bool {
    edges.all(|(_, label)| fairness_of(fairness, label) == Fairness::None)
}

/// The edges that a cycle may use: all but the faults.
fn lasting(edges: impl Iterator<Item = (u32, Label)>) -> impl Iterator<Item = (u32, Label)> {
    edges.filter(|(_, label)| !label.is_fault())
}

/// The mask with the bits of the first `claims` claims.
fn mask_of(claims: usize) -> u64 {
    assert!(claims <= MOST_CLAIMS, "a mask has 64 bits");
    if claims == MOST_CLAIMS { u64::MAX } else { (1 << claims) - 1 }
}

/// The fairness of the class that moves along an edge; none for faults and free moves.
fn fairness_of(fairness: &[Fairness], label: Label) -> Fairness {
    label.as_class().map_or(Fairness::None, |class| fairness[usize::from(class)])
}

/// The graph, fairness and masks of a question, and the bits of its claims: others are masked away.
struct MaskedQuestion<'a, G> {
    graph: &'a G,
    fairness: &'a [Fairness],
    masks: &'a Masks,
    claims: u64,
}

impl<'a, G: Graph> MaskedQuestion<'a, G> {
    fn new(graph: &'a G, fairness: &'a [Fairness], masks: &'a Masks, claims: usize) -> Self {
        assert!(graph.len() <= MOST_STATES, "a state and its monitor share 32 bits");
        assert_eq!(masks.len(), graph.len() as usize, "each state has masks");
        Self { graph, fairness, masks, claims: mask_of(claims) }
    }

    /// The claims pending after `state` is entered with `pending`: the step of the monitor.
    fn after(&self, pending: u64, state: u32) -> u64 {
        let [from, to] = self.masks.get(state);
        (pending | from & self.claims) & !to
    }

    /// The edges of a state that a cycle may use.
    fn lasting(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        lasting(self.graph.edges(state))
    }
}

/// The memory budget, and the function that is polled for a reason to stop.
struct DecisionLimits<'a> {
    ticks: u16,
    memory: &'a mut MemoryBudget,
    stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

impl DecisionLimits<'_> {
    /// Counts a state; polls `stop` once in 65,536 calls.
    fn tick(&mut self) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks == 1 { (self.stop)().map_or(Ok(()), Err) } else { Ok(()) }
    }
}
