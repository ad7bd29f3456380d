//! The check of a lasso by the definition alone. It shares nothing with the search that found it.

use std::{collections::BTreeSet, fmt};

use super::{Lasso, LassoStep};
use crate::{
    fair::Masks,
    graph::{Fairness, Graph, Label},
};

/// A reason why a lasso is not a fair run that breaks a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoFlaw {
    /// Its first state is no start of the graph.
    NoStart(u32),
    /// The graph has no such edge, or the run is in another state than the step begins in.
    NoStep { at: u32, step: LassoStep },
    /// The claim is not pending in its entry.
    NothingPending(u32),
    /// Its cycle passes this state, which closes the obligation.
    Closed(u32),
    /// Its cycle does not come back to its entry.
    NoCycle,
    /// A fault strikes on its cycle, and so for ever.
    Fault,
    /// It stops although this class can move and is fair.
    Stops(u16),
    /// Its cycle is unfair to this class.
    Unfair(u16),
}

impl Lasso {
    /// Checks that this is a fair run of `graph` that breaks `claim`.
    ///
    /// # Errors
    /// The first flaw that was found.
    ///
    /// # Panics
    /// If there is no mask for one of its states, or no fairness for one of its classes.
    pub fn replay(
        &self,
        graph: &impl Graph,
        fairness: &[Fairness],
        masks: &Masks,
        claim: usize,
    ) -> Result<(), LassoFlaw> {
        let [from, to] =
            [0, 1].map(|mask| move |state: u32| masks.get(state)[mask] >> claim & 1 == 1);
        let monitor = |open: bool, state: u32| (open || from(state)) && !to(state);
        if !graph.starts().contains(&self.start) {
            return Err(LassoFlaw::NoStart(self.start));
        }
        walk(graph, self.start, &self.prefix)?;
        let is_pending =
            self.prefix.iter().map(|step| step.to).fold(monitor(false, self.start), monitor);
        if !is_pending {
            return Err(LassoFlaw::NothingPending(self.entry()));
        }
        let labels = walk(graph, self.entry(), &self.cycle)?;
        if let Some(step) = self.cycle.iter().find(|step| to(step.to)) {
            return Err(LassoFlaw::Closed(step.to));
        }
        match self.cycle.last() {
            None => may_stop(&enabled(graph, self.entry()), fairness),
            Some(last) if last.to != self.entry() => Err(LassoFlaw::NoCycle),
            Some(_) => may_go_on(graph, fairness, &self.cycle, &labels),
        }
    }
}

/// The labels along `steps`, which must be edges that follow each other from `at` on.
fn walk(graph: &impl Graph, mut at: u32, steps: &[LassoStep]) -> Result<Vec<Label>, LassoFlaw> {
    let mut labels = Vec::new();
    for &step in steps {
        match graph.edges(step.from).nth(step.edge) {
            Some((to, label)) if to == step.to && at == step.from => labels.push(label),
            _ => return Err(LassoFlaw::NoStep { at, step }),
        }
        at = step.to;
    }
    Ok(labels)
}

/// The classes that can move in `state`.
fn enabled(graph: &impl Graph, state: u32) -> BTreeSet<u16> {
    graph.edges(state).filter_map(|(_, label)| label.as_class()).collect()
}

fn may_stop(enabled: &BTreeSet<u16>, fairness: &[Fairness]) -> Result<(), LassoFlaw> {
    match enabled.iter().find(|class| fairness[usize::from(**class)] != Fairness::None) {
        Some(class) => Err(LassoFlaw::Stops(*class)),
        None => Ok(()),
    }
}

fn may_go_on(
    graph: &impl Graph,
    fairness: &[Fairness],
    cycle: &[LassoStep],
    labels: &[Label],
) -> Result<(), LassoFlaw> {
    if labels.iter().any(|label| label.is_fault()) {
        return Err(LassoFlaw::Fault);
    }
    let enabled: Vec<BTreeSet<u16>> = cycle.iter().map(|step| enabled(graph, step.from)).collect();
    for (class, fairness) in (0..).zip(fairness) {
        let moves = labels.iter().any(|label| label.as_class() == Some(class));
        let is_excused = match fairness {
            Fairness::None => true,
            Fairness::Weak => enabled.iter().any(|enabled| !enabled.contains(&class)),
            Fairness::Strong => enabled.iter().all(|enabled| !enabled.contains(&class)),
        };
        if !moves && !is_excused {
            return Err(LassoFlaw::Unfair(class));
        }
    }
    Ok(())
}

impl fmt::Display for LassoFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart(state) => write!(f, "no run starts in state {state}"),
            Self::NoStep { at, step: LassoStep { from, edge, to } } => {
                write!(f, "no step leads from state {at} by edge {edge} of {from} to {to}")
            }
            Self::NothingPending(state) => write!(f, "nothing is pending in state {state}"),
            Self::Closed(state) => write!(f, "nothing is pending any more in state {state}"),
            Self::NoCycle => write!(f, "the cycle does not come back"),
            Self::Fault => write!(f, "a fault strikes again and again"),
            Self::Stops(class) => write!(f, "it stops where class {class} has to move"),
            Self::Unfair(class) => write!(f, "it is unfair to class {class}"),
        }
    }
}

impl std::error::Error for LassoFlaw {}
