//! A claim of a scenario's own, as the monitor watches it.

use std::collections::BTreeSet;

use super::{Kinds, OwnClaim, OwnFormula};
use crate::{
    rows::{Parts, Row},
    state::State,
    world::World,
};

/// A claim that is watched during a run.
#[derive(Clone)]
pub(in crate::claims) struct Watched {
    /// Its number among the claims.
    pub(in crate::claims) claim: usize,
    own: &'static OwnClaim,
    /// The kinds of rows that it reads.
    kinds: Kinds,
    /// The subjects with an open obligation.
    owed: BTreeSet<Row>,
    /// Scratch memory.
    subjects: Vec<Row>,
}

impl Watched {
    /// Begins to watch a claim, and adds to `found` if the state decides it.
    pub(in crate::claims) fn begin(
        claim: usize,
        own: &'static OwnClaim,
        world: &World,
        state: &State,
        found: &mut Vec<(usize, Row)>,
    ) -> Self {
        let subjects = own.subject_kind().rows(world).collect();
        let kinds = own.reads.kinds();
        let mut watched = Self { claim, own, kinds, owed: BTreeSet::new(), subjects };
        watched.judge(world, state, found);
        watched
    }

    /// Whether it reads rows of some of these kinds.
    pub(in crate::claims) fn reads(&self, kinds: Kinds) -> bool {
        self.kinds.meet(kinds)
    }

    /// The kinds of rows that it reads.
    pub(in crate::claims) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Checks a step that changed these rows in these fields.
    pub(in crate::claims) fn check_step(
        &mut self,
        world: &World,
        before: &State,
        after: &State,
        changed: &[(Row, Parts)],
        found: &mut Vec<(usize, Row)>,
    ) {
        let read = changed.iter().filter(|(row, _)| self.kinds.contains(row.kind()));
        match self.own.says {
            OwnFormula::Step(_) => {
                let rows: Vec<Row> = read.map(|(row, _)| *row).collect();
                let at_fault = self.own.at_fault(world, before, after, &rows);
                found.extend(at_fault.map(|subject| (self.claim, subject)));
            }
            OwnFormula::Always(_) | OwnFormula::Leads(..) | OwnFormula::Reachable(_) => {
                let noticed = read.filter(|it| self.own.notices(world, before, after, **it));
                self.own.affected(world, noticed.map(|(row, _)| *row), &mut self.subjects);
                self.judge(world, after, found);
            }
        }
    }

    /// Judges the affected subjects.
    fn judge(&mut self, world: &World, state: &State, found: &mut Vec<(usize, Row)>) {
        for subject in &self.subjects {
            match self.own.says {
                OwnFormula::Always(_) | OwnFormula::Reachable(_) => {
                    if self.own.is_decided(world, state, *subject) {
                        found.push((self.claim, *subject));
                        return;
                    }
                }
                OwnFormula::Leads(..) => {
                    let was_owed = self.owed.contains(subject);
                    let is_owed = self.own.owes(world, state, *subject, was_owed);
                    if is_owed && !was_owed {
                        self.owed.insert(*subject);
                    } else if was_owed && !is_owed {
                        self.owed.remove(subject);
                    }
                }
                OwnFormula::Step(_) => {}
            }
        }
    }

    /// The open obligations.
    pub(in crate::claims) fn owed(&self) -> impl Iterator<Item = (usize, Row)> + '_ {
        self.owed.iter().map(|subject| (self.claim, *subject))
    }
}
