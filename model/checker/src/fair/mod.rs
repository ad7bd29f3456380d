//! Whether `Leads` claims hold: is each state with `from` followed by one with `to` on every fair
//! run?
//!
//! An obligation is open after a path if some state on it had `from` and none since, that one
//! included, had `to`. A claim is violated if a path can open its obligation and a fair run can
//! go on from there without ever closing it. A run is fair if
//!
//! 1. faults strike finitely often: in the prefix as they please, on the cycle never;
//! 2. it stops only at an end, where nobody who owes anything can move;
//! 3. a weakly fair class that can move all along the cycle moves on it;
//! 4. a strongly fair class that can move anywhere on the cycle moves on it.
//!
//! What a class can do is judged on the whole graph, also where doing it would close the
//! obligation: that is how fairness saves a claim.
//!
//! The decision takes up to 64 claims at once, one bit each, because most of its time goes to
//! reading edges. `owed` finds who owes what where, `scc` and `cycles` find the cycles on which
//! it can be owed for ever, and `lasso` tells the shortest such run. Nothing here recurses, since
//! a path may be as long as the graph is large.

mod cycles;
mod fairness_tracker;
mod lasso;
mod masks;
mod obligations;
mod scc;
#[cfg(test)]
mod tests;

pub use lasso::{Lasso, Step};
pub use masks::Masks;

use crate::graph::{Fairness, Graph, Label};

/// The answer to one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In how many reachable states `from` holds; where there are none, the claim is vacuous.
    pub from_states: u64,
    /// A fair run that breaks the claim after as few steps as possible; `None` if it holds.
    pub lasso: Option<Lasso>,
}

/// Decides the first `claims` claims, of which claim `i` is bit `i` of every mask.
///
/// `from` and `to` have one mask a state, `fairness` one entry a class. The verdicts come in the
/// order of the claims; `None` means that `interrupted` said so, which it is asked now and then.
pub fn leads(
    graph: &impl Graph,
    fairness: &[Fairness],
    from: &[u64],
    to: &[u64],
    claims: usize,
    interrupted: &dyn Fn() -> bool,
) -> Option<Vec<Verdict>> {
    let question = Question::new(graph, fairness, from, to, claims);
    let mut patience = Cancel { ticks: 0, interrupted };
    let (mut owed, from_states) = obligations::open(&question, &mut patience)?;
    let ended = obligations::at_ends(&question, &owed, &mut patience)?;
    obligations::trim(&question, &mut owed, &mut patience)?;
    let (entries, cycled) = cycles::entries(&question, &owed, &mut patience)?;
    drop(owed);
    let lassos = lasso::lassos(&question, &entries, ended | cycled, &mut patience)?;
    let verdict = |(lasso, from_states)| Verdict { from_states, lasso };
    Some(lassos.into_iter().zip(from_states).take(claims).map(verdict).collect())
}

/// Whether a run may stop in `state` for good: nobody who owes anything can move.
pub fn is_end(graph: &impl Graph, fairness: &[Fairness], state: u32) -> bool {
    graph.edges(state).all(|(_, label)| owes(fairness, label) == Fairness::None)
}

/// What the one who moves along a `label` owes.
fn owes(fairness: &[Fairness], label: Label) -> Fairness {
    label.as_class().map_or(Fairness::None, |class| fairness[usize::from(class)])
}

/// What was asked, with the claims that do not exist masked away.
struct Question<'a, G> {
    graph: &'a G,
    fairness: &'a [Fairness],
    from: &'a [u64],
    to: &'a [u64],
    claims: u64,
}

impl<'a, G: Graph> Question<'a, G> {
    fn new(
        graph: &'a G,
        fairness: &'a [Fairness],
        from: &'a [u64],
        to: &'a [u64],
        claims: usize,
    ) -> Self {
        assert!(claims <= 64, "a mask has 64 bits");
        assert!(graph.len() < 1 << 31, "a state and its monitor share 32 bits");
        assert_eq!(from.len(), graph.len() as usize, "each state has a mask");
        assert_eq!(to.len(), graph.len() as usize, "each state has a mask");
        let claims = if claims == 64 { u64::MAX } else { (1 << claims) - 1 };
        Self { graph, fairness, from, to, claims }
    }

    /// The claims that hold their `from` in `state`.
    fn from(&self, state: u32) -> u64 {
        self.from[state as usize] & self.claims
    }

    /// The monitor: what is open once `state` is entered with `open`.
    fn after(&self, open: u64, state: u32) -> u64 {
        (open | self.from(state)) & !self.to[state as usize]
    }

    /// The edges a cycle may use: all but the faults.
    fn lasting(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.graph.edges(state).filter(|(_, label)| !label.is_fault())
    }
}

/// Asks now and then whether the answer is still wanted.
struct Cancel<'a> {
    ticks: u16,
    interrupted: &'a dyn Fn() -> bool,
}

impl Cancel<'_> {
    /// Called once a state; `None` when somebody interrupted, so that `?` passes it on.
    fn tick(&mut self) -> Option<()> {
        self.ticks = self.ticks.wrapping_add(1);
        (self.ticks != 1 || !(self.interrupted)()).then_some(())
    }
}
