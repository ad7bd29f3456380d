//! A lasso checked by the definition alone, sharing nothing with the search that found it.

use std::collections::BTreeSet;

use super::{Lasso, Step};
use crate::graph::{Fairness, Graph, Label};

impl Lasso {
    /// Whether this is a fair run of `graph` that breaks `claim`.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the run if it is none.
    pub fn replay(
        &self,
        graph: &impl Graph,
        fairness: &[Fairness],
        from: &[u64],
        to: &[u64],
        claim: usize,
    ) -> Result<(), String> {
        let holds = |masks: &[u64], state: u32| masks[state as usize] >> claim & 1 == 1;
        let monitor = |open: bool, state: u32| (open || holds(from, state)) && !holds(to, state);
        if !graph.starts().contains(&self.start) {
            return Err(format!("no run starts in {}", self.start));
        }
        walk(graph, self.start, &self.prefix)?;
        let opened =
            self.prefix.iter().map(|step| step.to).fold(monitor(false, self.start), monitor);
        if !opened {
            return Err(format!("nothing is owed in the entry {}", self.entry()));
        }
        let labels = walk(graph, self.entry(), &self.cycle)?;
        if let Some(step) = self.cycle.iter().find(|step| holds(to, step.to)) {
            return Err(format!("nothing is owed any more in {}", step.to));
        }
        if self.cycle.is_empty() {
            return may_stop(&able(graph, self.entry()), fairness, self.entry());
        }
        if self.cycle.last().map(|step| step.to) != Some(self.entry()) {
            return Err(format!("the cycle does not come back to {}", self.entry()));
        }
        may_go_on(graph, fairness, &self.cycle, &labels)
    }
}

/// The labels along `steps`, if those are edges and begin in `at`.
fn walk(graph: &impl Graph, mut at: u32, steps: &[Step]) -> Result<Vec<Label>, String> {
    let mut labels = Vec::new();
    for step in steps {
        match graph.edges(step.from).nth(step.edge) {
            Some((to, label)) if to == step.to && at == step.from => labels.push(label),
            edge => return Err(format!("{step:?} is no step from {at}, but {edge:?}")),
        }
        at = step.to;
    }
    Ok(labels)
}

/// The classes that can move in `state`.
fn able(graph: &impl Graph, state: u32) -> BTreeSet<u16> {
    graph.edges(state).filter_map(|(_, label)| label.as_class()).collect()
}

fn may_stop(able: &BTreeSet<u16>, fairness: &[Fairness], state: u32) -> Result<(), String> {
    match able.iter().find(|class| fairness[usize::from(**class)] != Fairness::None) {
        Some(class) => Err(format!("class {class} can move in {state}, so it is no end")),
        None => Ok(()),
    }
}

fn may_go_on(
    graph: &impl Graph,
    fairness: &[Fairness],
    cycle: &[Step],
    labels: &[Label],
) -> Result<(), String> {
    if labels.iter().any(|label| label.is_fault()) {
        return Err("a fault strikes again and again".to_owned());
    }
    let able: Vec<BTreeSet<u16>> = cycle.iter().map(|step| able(graph, step.from)).collect();
    for (class, fairness) in (0..).zip(fairness) {
        let moves = labels.iter().any(|label| label.as_class() == Some(class));
        let excused = match fairness {
            Fairness::None => true,
            Fairness::Weak => able.iter().any(|able| !able.contains(&class)),
            Fairness::Strong => able.iter().all(|able| !able.contains(&class)),
        };
        if !moves && !excused {
            return Err(format!("class {class} never moves, which is not fair"));
        }
    }
    Ok(())
}
