//! Probing: noting the clauses that are asked about while a world is searched.
//!
//! Planners and agents know of a clause only whether it is switched off, with its asserts or
//! altogether. If no run has asked about it, every run without the clause is the same. So the world
//! without it need not be searched to learn the effect of the clause.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use super::{World, WorldBuilder};
use crate::clause::{Clause, Clauses};

/// The clauses that any thread has asked about.
#[derive(Clone, Debug, Default)]
pub struct Probe(Arc<Mutex<Clauses>>);

impl Probe {
    /// Takes the clauses that were asked about since the last call.
    pub fn take(&self) -> Clauses {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, clause: Clause) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(clause);
    }
}

/// The clauses whose switches must be looked up in the constants: all of them in a world that is
/// probed, so that a question costs nothing in any other.
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
    /// The same world, which reports each question about a clause to `probe`. A world made from it
    /// by [`World::changed`] does not.
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
