//! The monitor: checks claims during a run, at a cost that depends on what each step touched and
//! not on the size of the world.
//!
//! It keeps a mirror of the state, which after a step is the state before that step until the
//! monitor has checked it. A claim that held so far can be violated only by a document that the
//! step affects, so only these are judged. A violated claim is reported once, and is not checked
//! any longer.

use super::{
    Always, Claim, EntityId, EntityKind, Formula, Leads, Recount, Step, Table, View,
    affected::Affected, step,
};
use crate::{state::State, store::Row, world::World};

/// Checks claims during a run.
#[derive(Clone)]
pub struct Monitor {
    claims: Vec<&'static Claim>,
    /// The state at the last check.
    mirror: State,
    /// The recount of that state.
    recount: Recount,
    /// The claims that are not violated so far, by the table or kind that they are about.
    steps: [Vec<Checked<Step>>; 5],
    always: [Vec<Checked<Always>>; 4],
    leads: [Vec<Checked<Obligations>>; 4],
    /// Scratch memory.
    subjects: Vec<EntityId>,
    found: Vec<(usize, EntityId)>,
}

/// A claim that is checked.
#[derive(Clone)]
struct Checked<T> {
    /// Its number among the claims.
    claim: usize,
    test: T,
}

/// The open obligations of a claim about what must follow.
#[derive(Clone)]
struct Obligations {
    leads: Leads,
    /// A bit for each subject of its kind.
    owed: Vec<u64>,
}

impl Obligations {
    fn update(&mut self, world: &World, state: &State, subject: EntityId) {
        let (chunk, bit) = (subject.index() / 64, 1 << (subject.index() % 64));
        let was_owed = self.owed[chunk] & bit != 0;
        let Leads { from, to, .. } = self.leads;
        if (was_owed || from(world, state, subject)) && !to(world, state, subject) {
            self.owed[chunk] |= bit;
        } else {
            self.owed[chunk] &= !bit;
        }
    }

    fn subjects(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.owed.iter().enumerate().flat_map(move |(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| self.leads.of.subject(64 * index + bit))
        })
    }
}

impl Monitor {
    /// Begins to check `claims` in `state`, and reports which are violated there.
    pub fn new(
        world: &World,
        state: &State,
        claims: impl Iterator<Item = &'static Claim>,
        report: &mut dyn FnMut(&'static Claim, EntityId),
    ) -> Self {
        let mut monitor = Self {
            claims: claims.collect(),
            mirror: state.clone(),
            recount: Recount::of(world, state),
            steps: Default::default(),
            always: Default::default(),
            leads: Default::default(),
            subjects: Vec::new(),
            found: Vec::new(),
        };
        for (claim, it) in monitor.claims.iter().enumerate() {
            match it.test {
                Formula::Always(test) => {
                    for kind in test.of {
                        monitor.always[*kind as usize].push(Checked { claim, test });
                    }
                }
                Formula::Step(test) => {
                    for table in test.of {
                        monitor.steps[*table as usize].push(Checked { claim, test });
                    }
                }
                Formula::Leads(leads) => {
                    let owed = vec![0; leads.of.count(world).div_ceil(64)];
                    let test = Obligations { leads, owed };
                    monitor.leads[leads.of as usize].push(Checked { claim, test });
                }
            }
        }
        for kind in EntityKind::ALL {
            monitor.subjects.extend(kind.subjects(world));
        }
        monitor.judge(world, state);
        monitor.report(report);
        monitor
    }

    /// Checks a step that touched these rows and led to `state`. Reports the claims that are newly
    /// violated, in the order of the claims, each with the document that a check of everything
    /// would name.
    pub fn check_step(
        &mut self,
        world: &World,
        state: &State,
        touched: &[Row],
        report: &mut dyn FnMut(&'static Claim, EntityId),
    ) {
        self.subjects.clear();
        let before = View { world, state: &self.mirror, recount: &self.recount };
        let mut affected = Affected { before, after: state, subjects: &mut self.subjects };
        for row in each_once(touched) {
            if let Some(table) = Table::of(row)
                && step::can_fail(&self.mirror, state, row)
            {
                for Checked { claim, test } in &self.steps[table as usize] {
                    let at_fault = (test.at_fault)(world, &self.mirror, state, row);
                    self.found.extend(at_fault.map(|subject| (*claim, subject)));
                }
            }
            affected.by(row);
        }
        self.subjects.sort_unstable();
        self.subjects.dedup();
        for row in each_once(touched) {
            self.recount.catch_up(world, &mut self.mirror, state, row);
        }
        self.judge(world, state);
        self.report(report);
    }

    /// Judges the affected documents.
    fn judge(&mut self, world: &World, state: &State) {
        let view = View { world, state, recount: &self.recount };
        for subject in &self.subjects {
            let kind = subject.kind() as usize;
            for Checked { claim, test } in &self.always[kind] {
                if (test.at_fault)(&view, *subject) {
                    self.found.push((*claim, *subject));
                }
            }
            for Checked { test, .. } in &mut self.leads[kind] {
                test.update(world, state, *subject);
            }
        }
    }

    /// Reports the first violation of each claim, and stops checking these claims.
    fn report(&mut self, report: &mut dyn FnMut(&'static Claim, EntityId)) {
        if self.found.is_empty() {
            return;
        }
        self.found.sort_by_key(|(claim, _)| *claim);
        self.found.dedup_by_key(|(claim, _)| *claim);
        for (found, subject) in self.found.drain(..) {
            report(self.claims[found], subject);
            self.steps.iter_mut().for_each(|it| it.retain(|it| it.claim != found));
            self.always.iter_mut().for_each(|it| it.retain(|it| it.claim != found));
        }
    }

    /// The state at the last check: between a step and its check, the state before the step.
    pub fn mirror(&self) -> &State {
        &self.mirror
    }

    /// The open obligations: the documents for which something must still follow, in the order of
    /// the claims and then of the documents.
    pub fn owed(&self) -> Vec<(&'static Claim, EntityId)> {
        let all = self.leads.iter().flatten();
        let mut owed: Vec<(usize, EntityId)> = all
            .flat_map(|Checked { claim, test }| test.subjects().map(|subject| (*claim, subject)))
            .collect();
        owed.sort_unstable();
        owed.into_iter().map(|(claim, subject)| (self.claims[claim], subject)).collect()
    }

    /// Judges everything in `state` anew. Returns the claims about states that are violated, those
    /// that were reported before included, each with the first document that violates it.
    pub fn check_all(&self, world: &World, state: &State) -> Vec<(&'static Claim, EntityId)> {
        let recount = Recount::of(world, state);
        let view = View { world, state, recount: &recount };
        let judge = |claim: &'static Claim| match claim.test {
            Formula::Always(always) => (always.first)(&view).map(|subject| (claim, subject)),
            Formula::Step(_) | Formula::Leads(_) => None,
        };
        self.claims.iter().copied().filter_map(judge).collect()
    }

    /// Whether mirror and recount agree with `state`, which was checked last.
    pub fn is_true_to(&self, world: &World, state: &State) -> bool {
        self.mirror == *state && self.recount == Recount::of(world, state)
    }
}

/// The rows without most of the repetitions, which are mostly near each other.
fn each_once(touched: &[Row]) -> impl Iterator<Item = Row> + '_ {
    let is_new = |(index, row): &(usize, &Row)| {
        let latest = &touched[index.saturating_sub(8)..*index];
        !latest.contains(row)
    };
    touched.iter().enumerate().filter(is_new).map(|(_, row)| *row)
}
