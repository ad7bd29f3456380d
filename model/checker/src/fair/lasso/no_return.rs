//! Points of no return: the step of a run from which on its open obligation cannot be met.
//!
//! Every finite path continues as a fair run: among the classes that owe a move, the one that has
//! waited longest moves, and no fault strikes any more. So after a path the obligation can be met
//! exactly if some path on reaches a state with `to`; and without help exactly if one of owed moves
//! alone does.
//!
//! Losing the obligation is final along a run, but needing help is not: a user may help without
//! finishing it. So the search goes backwards from the end of the run, and stops at the first state
//! from which `to` is reachable. The states visited before lead nowhere, so each state is visited
//! once for all states of the run:
//!
//! ```text
//! visited = {}
//! for state in the run, from its end to where the obligation opened:
//!     visit the states that are reachable from state and not visited, nearest first
//!     if one of them has `to`: the run is lost one step later
//! forget the states that the last search has visited, and do the same by owed moves alone
//! ```

use super::{Finder, Lasso, LassoStep};
use crate::{
    Stop,
    fair::{DecisionLimits, fairness_of},
    graph::{Fairness, Graph, Label},
};

/// The points from which on an open obligation cannot be met, in steps of the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointOfNoReturn {
    /// From here on the obligation is open, and stays so.
    pub open: usize,
    /// From here on no fair run meets it; `None` if one does even from the end of the run.
    pub lost: Option<usize>,
    /// From here on no fair run meets it by owed moves alone; `None` if one does from the end of
    /// the run, or from somewhere on its cycle.
    pub unaided: Option<usize>,
    /// The first unowed move on a shortest path from the entry to a state that meets the
    /// obligation, if there is such a path, and none of owed moves alone.
    pub aid: Option<LassoStep>,
}

/// The moves that a search may take.
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
        limits: &mut DecisionLimits<'_>,
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

    /// A nearest state with `to` that can be reached from `state` through unvisited states.
    fn met_from(
        &mut self,
        state: u32,
        claim: u64,
        moves: Moves,
        limits: &mut DecisionLimits<'_>,
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

    /// The first edge between two states, if no edge between them is an owed move.
    fn unowed(&self, from: u32, to: u32) -> Option<LassoStep> {
        let edges = self.question.graph.edges(from).enumerate();
        let mut between = edges.filter(|(_, (next, _))| *next == to).peekable();
        let (edge, _) = *between.peek()?;
        let is_owed = between.any(|(_, (_, label))| self.is_owed(label));
        (!is_owed).then_some(LassoStep { from, edge, to })
    }

    /// Whether a move with this label is owed: its class is fair.
    fn is_owed(&self, label: Label) -> bool {
        fairness_of(self.question.fairness, label) != Fairness::None
    }
}
