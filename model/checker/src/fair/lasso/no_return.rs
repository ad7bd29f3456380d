//! Points of no return: since when the obligation that a run leaves open cannot be met any more.
//!
//! Every finite path goes on as a fair run: of the classes that owe a move the one that has waited
//! longest makes it, and no fault strikes any more. So an obligation can be met after a path
//! exactly if any path leads on to a state with `to`; and without help exactly if one of owed moves
//! alone does.
//!
//! What is lost once stays lost along a run, but what needs help need not: a user may help without
//! finishing it. So the search goes back from the end of the run, and stops at the first state from
//! which there is a way. Nothing that it has visited before leads there, so it visits each state
//! once for all states of the run:
//!
//! ```text
//! visited = {}
//! for state in the run, from its end to where the obligation opened:
//!     visit what can be reached from state and is not visited, nearest first
//!     if that has `to`: the run is lost one step later
//! forget what the last search has visited, and do the same by owed moves alone
//! ```

use super::{Finder, Lasso, LassoStep};
use crate::{
    Stop,
    fair::{Limits, fairness_of},
    graph::{Fairness, Graph, Label},
};

/// Since when the obligation that a run leaves open cannot be met, in steps of its prefix: after as
/// many as that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointOfNoReturn {
    /// Since then it is open, and stays so.
    pub open: usize,
    /// Since then no fair run meets it; `None` if one does from the end of the run, too.
    pub lost: Option<usize>,
    /// Since then no fair run does on which only moves are made that are owed until it is met;
    /// `None` if there is one from the end of the run, or from somewhere on its cycle.
    pub unaided: Option<usize>,
    /// The first move that nobody owes on a shortest way from the entry to where it is met, if it
    /// can be met there, and only so.
    pub aid: Option<LassoStep>,
}

/// Which moves may be made on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    Any,
    Owed,
}

impl<G: Graph> Finder<'_, G> {
    /// The point of no return of the lasso of a `claim`.
    pub(super) fn no_return(
        &mut self,
        claim: u64,
        lasso: &Lasso,
        limits: &mut Limits<'_>,
    ) -> Result<PointOfNoReturn, Stop> {
        let mut run = vec![lasso.start];
        run.extend(lasso.prefix.iter().map(|step| step.to));
        let mut pending = 0;
        let is_closed = run.iter().map(|&state| {
            pending = self.question.after(pending, state);
            pending & claim == 0
        });
        let closed: Vec<bool> = is_closed.collect();
        let open = closed.iter().rposition(|it| *it).map_or(0, |last| last + 1);
        self.search.clear();
        let (mut lost, mut aid) = (run.len(), None);
        while lost > open {
            let before = self.search.visited.len();
            if let Some(met) = self.met_from(run[lost - 1], claim, Moves::Any, limits)? {
                let path = self.search.path(met);
                aid = path.windows(2).find_map(|pair| self.unowed(pair[0], pair[1]));
                self.search.forget(before);
                break;
            }
            lost -= 1;
        }
        let mut unaided = lost;
        if lost == run.len() {
            for step in &lasso.cycle {
                if self.met_from(step.to, claim, Moves::Owed, limits)?.is_some() {
                    return Ok(PointOfNoReturn { open, lost: None, unaided: None, aid: None });
                }
            }
        }
        while unaided > open
            && self.met_from(run[unaided - 1], claim, Moves::Owed, limits)?.is_none()
        {
            unaided -= 1;
        }
        let at = |steps: usize| (steps < run.len()).then_some(steps);
        let aid = aid.filter(|_| lost == run.len() && unaided < run.len());
        Ok(PointOfNoReturn { open, lost: at(lost), unaided: at(unaided), aid })
    }

    /// A nearest state with `to` that can be reached from `state` by way of what is not visited.
    fn met_from(
        &mut self,
        state: u32,
        claim: u64,
        moves: Moves,
        limits: &mut Limits<'_>,
    ) -> Result<Option<u32>, Stop> {
        let question = self.question;
        let mut done = self.search.visited.len();
        self.search.start(state, limits.memory)?;
        while let Some(&at) = self.search.visited.get(done) {
            limits.tick()?;
            if question.masks.get(at)[1] & claim != 0 {
                return Ok(Some(at));
            }
            for (next, label) in question.graph.edges(at) {
                if moves == Moves::Any || self.is_owed(label) {
                    self.search.visit(next, at, limits.memory)?;
                }
            }
            done += 1;
        }
        Ok(None)
    }

    /// The first edge between two states, if nobody owes a move along any.
    fn unowed(&self, from: u32, to: u32) -> Option<LassoStep> {
        let edges = self.question.graph.edges(from).enumerate();
        let mut between = edges.filter(|(_, (next, _))| *next == to).peekable();
        let (edge, _) = *between.peek()?;
        let is_owed = between.any(|(_, (_, label))| self.is_owed(label));
        (!is_owed).then_some(LassoStep { from, edge, to })
    }

    /// Whether a move with this label is owed by somebody.
    fn is_owed(&self, label: Label) -> bool {
        fairness_of(self.question.fairness, label) != Fairness::None
    }
}
