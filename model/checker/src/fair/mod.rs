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
//! reading edges. `obligations` finds what can be pending in which states, `scc` and `cycles` find
//! the cycles on which it can stay so for ever, and `lasso` finds the shortest such run, which is
//! replayed by the definition alone before it is returned. Nothing here recurses, since a path may
//! be as long as the graph is large.

mod cycles;
mod fairness_tracker;
mod lasso;
mod masks;
mod obligations;
mod scc;
#[cfg(test)]
mod tests;

pub use lasso::{Lasso, LassoFlaw, LassoStep};
pub use masks::Masks;

use crate::{
    Stop,
    graph::{Fairness, Graph, Label, MOST_STATES},
};

/// How many claims are decided at once, at most.
pub const MOST_CLAIMS: usize = 64;

/// How much memory [`leads`] and its [`Masks`] use at most, in bytes for each state of the graph.
///
/// The masks take 16, what is pending 8, what is accepting 8 and the part searched 4. If all states
/// are in one component, the path of the search grows to 12, those that wait to 4, the component to
/// 4 and its copy to 4; where nearly every state is a component, their ends take 8 instead.
pub const BYTES_PER_STATE: u64 = 64;

/// The answer to one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimVerdict {
    /// In how many reachable states `from` holds; where there are none, the claim is vacuous.
    pub from_states: u64,
    /// A fair run that breaks the claim after as few steps as possible; `None` if it holds.
    pub lasso: Option<Lasso>,
}

/// Decides the first `claims` claims, of which claim `i` is bit `i` of every mask.
///
/// `fairness` has one entry a class. The verdicts come in the order of the claims.
///
/// # Errors
/// If `stop`, which is asked now and then, gives a reason to.
///
/// # Panics
/// If there are more than [`MOST_CLAIMS`] claims or [`MOST_STATES`] states, or a state has no mask,
/// or a class no fairness.
pub fn leads(
    graph: &impl Graph,
    fairness: &[Fairness],
    masks: &Masks,
    claims: usize,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<Vec<ClaimVerdict>, Stop> {
    let question = MaskedQuestion::new(graph, fairness, masks, claims);
    let mut cancel = Cancel { ticks: 0, stop };
    let (accepting, violated, from_states) = found(&question, &mut cancel)?;
    let lassos = lasso::lassos(&question, &accepting, violated, &mut cancel)?;
    for (claim, lasso) in lassos.iter().enumerate() {
        if let Some(Err(flaw)) = lasso.as_ref().map(|it| it.replay(graph, fairness, masks, claim)) {
            panic!("the run found against claim {claim} is none: {flaw}");
        }
    }
    let verdict = |(lasso, from_states)| ClaimVerdict { from_states, lasso };
    Ok(lassos.into_iter().zip(from_states).take(claims).map(verdict).collect())
}

/// Which of the first `claims` claims are violated, as bits, and in how many reachable states each
/// has its `from`.
///
/// It answers as [`leads`] does and shows no run, so it costs less where one graph is asked of many
/// times.
///
/// # Errors
/// If `stop`, which is asked now and then, gives a reason to.
///
/// # Panics
/// As [`leads`] does, except that there is no run that could be none.
pub fn violated(
    graph: &impl Graph,
    fairness: &[Fairness],
    masks: &Masks,
    claims: usize,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<(u64, [u64; MOST_CLAIMS]), Stop> {
    let question = MaskedQuestion::new(graph, fairness, masks, claims);
    let (_, violated, from_states) = found(&question, &mut Cancel { ticks: 0, stop })?;
    Ok((violated, from_states))
}

/// The accepting states, the claims that are violated, and in how many states each has its `from`.
fn found<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    cancel: &mut Cancel<'_>,
) -> Result<(Vec<u64>, u64, [u64; MOST_CLAIMS]), Stop> {
    let (mut pending, from_states) = obligations::pending(question, cancel)?;
    let at_terminals = obligations::at_terminals(question, &pending, cancel)?;
    obligations::trim(question, &mut pending, cancel)?;
    let (accepting, on_cycles) = cycles::accepting(question, &pending, cancel)?;
    Ok((accepting, at_terminals | on_cycles, from_states))
}

/// Whether a run may stop in `state` for good: no class can move that has to.
pub fn is_terminal(graph: &impl Graph, fairness: &[Fairness], state: u32) -> bool {
    graph.edges(state).all(|(_, label)| fairness_of(fairness, label) == Fairness::None)
}

/// What is assumed of the class that moves along an edge.
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
        assert!(claims <= MOST_CLAIMS, "a mask has 64 bits");
        assert!(graph.len() <= MOST_STATES, "a state and its monitor share 32 bits");
        assert_eq!(masks.from.len(), graph.len() as usize, "each state has a mask");
        assert_eq!(masks.to.len(), graph.len() as usize, "each state has a mask");
        let claims = if claims == 64 { u64::MAX } else { (1 << claims) - 1 };
        Self { graph, fairness, masks, claims }
    }

    /// The claims that have their `from` in `state`.
    fn from(&self, state: u32) -> u64 {
        self.masks.from[state as usize] & self.claims
    }

    /// The monitor: what is pending once `state` is entered with `pending`.
    fn after(&self, pending: u64, state: u32) -> u64 {
        (pending | self.from(state)) & !self.masks.to[state as usize]
    }

    /// The edges a cycle may use: all but the faults.
    fn lasting(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.graph.edges(state).filter(|(_, label)| !label.is_fault())
    }
}

/// Asks now and then whether to go on.
struct Cancel<'a> {
    ticks: u16,
    stop: &'a dyn Fn() -> Option<Stop>,
}

impl Cancel<'_> {
    /// Called once a state.
    fn tick(&mut self) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks == 1 { (self.stop)().map_or(Ok(()), Err) } else { Ok(()) }
    }
}
