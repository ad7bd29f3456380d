//! A claim of a scenario's own, as the monitor watches it.

use std::collections::BTreeSet;

use super::{Own, Says};
use crate::{rows::Row, state::State, world::World};

/// A claim that is watched during a run.
#[derive(Clone)]
pub(in crate::claims) struct Watched {
    /// Its number among the claims.
    pub(in crate::claims) claim: usize,
    own: &'static Own,
    /// The subjects with an open obligation.
    owed: BTreeSet<Row>,
    /// Scratch memory.
    subjects: Vec<Row>,
}

impl Watched {
    /// Begins to watch a claim, and adds to `found` if the state decides it.
    pub(in crate::claims) fn begin(
        claim: usize,
        own: &'static Own,
        world: &World,
        state: &State,
        found: &mut Vec<(usize, Row)>,
    ) -> Self {
        let subjects = own.subject_kind().rows(world).collect();
        let mut watched = Self { claim, own, owed: BTreeSet::new(), subjects };
        watched.judge(world, state, found);
        watched
    }

    /// Checks a step that touched these rows.
    pub(in crate::claims) fn check_step(
        &mut self,
        world: &World,
        before: &State,
        after: &State,
        touched: &[Row],
        found: &mut Vec<(usize, Row)>,
    ) {
        match self.own.says {
            Says::Step(_) => {
                let at_fault = self.own.at_fault(world, before, after, touched);
                found.extend(at_fault.map(|subject| (self.claim, subject)));
            }
            Says::Always(_) | Says::Leads(..) | Says::Reachable(_) => {
                let is_noticed = |row: &Row| self.own.notices(world, before, after, *row);
                let touched = touched.iter().copied().filter(is_noticed);
                self.own.affected(world, touched, &mut self.subjects);
                self.judge(world, after, found);
            }
        }
    }

    /// Judges the affected subjects.
    fn judge(&mut self, world: &World, state: &State, found: &mut Vec<(usize, Row)>) {
        for subject in &self.subjects {
            match self.own.says {
                Says::Always(_) | Says::Reachable(_) => {
                    if self.own.is_decided(world, state, *subject) {
                        found.push((self.claim, *subject));
                        return;
                    }
                }
                Says::Leads(..) => {
                    let [from, to] = self.own.obligation(world, state, *subject);
                    if to {
                        self.owed.remove(subject);
                    } else if from {
                        self.owed.insert(*subject);
                    }
                }
                Says::Step(_) => {}
            }
        }
    }

    /// The open obligations.
    pub(in crate::claims) fn owed(&self) -> impl Iterator<Item = (usize, Row)> + '_ {
        self.owed.iter().map(|subject| (self.claim, *subject))
    }
}
