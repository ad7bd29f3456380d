//! Whether one thing leads to another: is each state with `from` followed by one with `to` on every
//! fair run?
//!
//! The obligation of a claim is pending after a path if some state on it had `from` and none since,
//! that one included, had `to`. A claim is violated if a path can open its obligation and a fair
//! run can go on from there without ever closing it. A run is fair if
//!
//! 1. faults strike finitely often: in the prefix as they please, on the cycle never;
//! 2. it stops only in a terminal state, where no class can move that has to;
//! 3. a weakly fair class that can move all along the cycle moves on it;
//! 4. a strongly fair class that can move anywhere on the cycle moves on it.
//!
//! What a class can do is judged on the whole graph, also where doing it would close the
//! obligation: that is how fairness saves a claim.
//!
//! The decision takes up to 64 claims at once, one bit each, because most of its time goes to
//! reading edges. `obligations` finds what can be pending in which states, `in_edges` drops those
//! that no cycle can come to, both by several threads; `scc` and `cycles` find the cycles on which
//! it can stay so for ever, and `lasso` finds the shortest such run, which is replayed by the
//! definition alone before it is returned. Nothing here recurses, since a path may be as long as
//! the graph is large.

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

/// How many claims are decided at once, at most.
pub const MOST_CLAIMS: usize = 64;

/// The answer to one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimVerdict {
    /// In how many reachable states `from` holds; where there are none, the claim is vacuous.
    pub from_states: u64,
    /// A fair run that breaks the claim after as few steps as possible; `None` if it holds.
    pub lasso: Option<Lasso>,
    /// Since when that run cannot meet it any more; `None` if there is no run.
    pub no_return: Option<PointOfNoReturn>,
}

impl ClaimVerdict {
    /// A claim that holds, whose `from` holds in this number of reachable states.
    pub fn holds(from_states: u64) -> Self {
        Self { from_states, lasso: None, no_return: None }
    }

    /// What is known where no run is shown.
    #[must_use]
    pub fn without_run(&self) -> Self {
        Self::holds(self.from_states)
    }
}

/// How to decide. None of this changes an answer.
#[derive(Clone, Copy, Debug)]
pub struct LeadsOptions {
    /// How many threads decide, at most. Where the system does not start as many, fewer do it.
    pub threads: usize,
    /// How many states a thread takes at once; only a test has reason to take another number.
    pub chunk: u32,
}

impl Default for LeadsOptions {
    fn default() -> Self {
        Self { threads: 1, chunk: 1 << 11 }
    }
}

/// Decides the first `claims` claims, of which claim `i` is bit `i` of every mask.
///
/// `fairness` has one entry a class. The verdicts come in the order of the claims. What is counted
/// of `memory` is given back.
///
/// # Errors
/// If `stop`, which is asked now and then, gives a reason to, or there is no memory.
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
    let mut limits = Limits { ticks: 0, memory, stop };
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

/// Which of the first `claims` claims are violated, as bits, and in how many reachable states each
/// has its `from`.
///
/// It answers as [`leads`] does and shows no run, so it costs less where one graph is asked of many
/// times, and the graph may have turns: then the answers are those for the graph that is unfolded
/// from it, and its own states are counted.
///
/// # Errors
/// As [`leads`] does.
///
/// # Panics
/// As [`leads`] does, except that there is no run that could be none.
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
    let mut limits = Limits { ticks: 0, memory, stop };
    let (accepting, violated, from_states) = found(&question, options, &mut limits)?;
    limits.memory.give(accepting.map_or(0, |it| it.bytes()));
    Ok((violated, from_states))
}

/// The accepting states, if there are any; the claims that are violated; and in how many states
/// each has its `from`.
fn found<G: Graph + Sync>(
    question: &MaskedQuestion<'_, G>,
    options: LeadsOptions,
    limits: &mut Limits<'_>,
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
    /// How many states each takes at once.
    chunk: u32,
}

impl Team {
    /// Those that have something to do in a graph of `size` states.
    fn new(size: u32, LeadsOptions { threads, chunk }: LeadsOptions) -> Self {
        let chunk = chunk.max(1);
        let threads = threads.min(size.div_ceil(chunk) as usize);
        Self { workers: Workers::new(threads, || ()), chunk }
    }
}

type ClaimSets = StateValues<1>;

/// Whether a run may stop in `state` for good: no class can move that has to.
pub fn is_terminal(graph: &impl Graph, fairness: &[Fairness], state: u32) -> bool {
    may_stop(fairness, graph.edges(state))
}

/// Whether a run may stop in a state with these edges.
fn may_stop(fairness: &[Fairness], mut edges: impl Iterator<Item = (u32, Label)>) -> bool {
    edges.all(|(_, label)| fairness_of(fairness, label) == Fairness::None)
}

/// The edges that a cycle may use: all but the faults.
fn lasting(edges: impl Iterator<Item = (u32, Label)>) -> impl Iterator<Item = (u32, Label)> {
    edges.filter(|(_, label)| !label.is_fault())
}

/// The bits of the first `claims` claims.
fn mask_of(claims: usize) -> u64 {
    assert!(claims <= MOST_CLAIMS, "a mask has 64 bits");
    if claims == MOST_CLAIMS { u64::MAX } else { (1 << claims) - 1 }
}

/// The assumption about the class that moves along an edge.
fn fairness_of(fairness: &[Fairness], label: Label) -> Fairness {
    label.as_class().map_or(Fairness::None, |class| fairness[usize::from(class)])
}

/// What was asked, with the claims that do not exist masked away.
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

    /// The monitor: what is pending once `state` is entered with `pending`.
    fn after(&self, pending: u64, state: u32) -> u64 {
        let [from, to] = self.masks.get(state);
        (pending | from & self.claims) & !to
    }

    /// The edges of a state that a cycle may use.
    fn lasting(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        lasting(self.graph.edges(state))
    }
}

/// The memory that there is, and whom to ask now and then whether to go on.
struct Limits<'a> {
    ticks: u16,
    memory: &'a mut MemoryBudget,
    stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

impl Limits<'_> {
    /// Called once a state.
    fn tick(&mut self) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks == 1 { (self.stop)().map_or(Ok(()), Err) } else { Ok(()) }
    }
}
