//! Probing: noting the clauses that anybody asks about while a world is searched.
//!
//! All that planners and agents know of a clause is whether it is switched off, with its asserts or
//! altogether. If nobody has asked that in any run, every run without the clause is the same. So it
//! need not be searched to say what the clause matters to.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use super::{World, WorldBuilder};
use crate::clause::{Clause, Clauses};

/// The clauses that somebody has asked about, in any thread.
#[derive(Clone, Debug, Default)]
pub struct Probe(Arc<Mutex<Clauses>>);

impl Probe {
    /// The clauses that somebody has asked about since the last time.
    pub fn take(&self) -> Clauses {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, clause: Clause) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(clause);
    }
}

/// The clauses about which the constants must be asked: in a world that is probed all of them, so
/// that the question costs nothing in any other.
#[derive(Clone, Debug)]
pub(super) struct ProbedClauses {
    without: Clauses,
    unasserted: Clauses,
    probe: Option<Probe>,
}

impl ProbedClauses {
    /// Constants of a world that is not probed.
    pub(super) fn of(constants: &WorldBuilder) -> Self {
        Self { without: constants.without, unasserted: constants.unasserted, probe: None }
    }

    #[cold]
    fn note(&self, clause: Clause) {
        if let Some(probe) = &self.probe {
            probe.note(clause);
        }
    }
}

impl World {
    /// The same world, which tells `probe` what it is asked. A world that is made of it by
    /// [`World::changed`] tells nobody.
    #[must_use]
    pub fn probed(&self, probe: &Probe) -> Self {
        let mut all: Clauses = Clause::all().collect();
        all.extend(&self.without);
        for (rule, _) in self.own_rules.clauses() {
            all.insert(rule);
        }
        let switches = ProbedClauses { without: all, unasserted: all, probe: Some(probe.clone()) };
        Self { switches, ..self.clone() }
    }

    /// Whether `clause` is switched off.
    pub fn is_off(&self, clause: Clause) -> bool {
        self.switches.without.contains(clause) && {
            self.switches.note(clause);
            self.without.contains(clause)
        }
    }

    /// Whether the asserts of `clause` are switched off, and nothing else of it.
    pub fn is_unasserted(&self, clause: Clause) -> bool {
        self.switches.unasserted.contains(clause) && {
            self.switches.note(clause);
            self.unasserted.contains(clause)
        }
    }
}
