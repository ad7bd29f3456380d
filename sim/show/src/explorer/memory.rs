//! Memory: the actions of the last path, so that the next page need not look up again the part that
//! both share. In a large world that takes most of the time. A path always means the same actions,
//! so no answer depends on the memory.

use std::sync::{Mutex, PoisonError};

use deathwatch_model::action::Action;

use super::address::{RunAddress, Taken};

/// The last path, and its actions.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Last>);

#[derive(Debug, Default)]
struct Last {
    script: usize,
    path: Vec<Taken>,
    /// The steps of the script, then those of the path.
    actions: Vec<Action>,
}

impl Memory {
    /// The first actions of a run, which is `script` steps of the script and then a path, as far as
    /// they are known.
    pub(super) fn known(&self, script: usize, address: &RunAddress) -> Vec<Action> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.script != script {
            return Vec::new();
        }
        let same = last.path.iter().zip(&address.path).take_while(|(one, other)| one == other);
        last.actions.iter().take(script + same.count()).copied().collect()
    }

    pub(super) fn keep(&self, script: usize, address: &RunAddress, actions: &[Action]) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Last { script, path: address.path.clone(), actions: actions.to_vec() };
    }
}
