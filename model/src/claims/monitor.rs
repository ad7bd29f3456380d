//! The monitor: watches claims while a run goes on, at a cost that depends on what each step
//! touched and not on the size of the world.
//!
//! It keeps a mirror of the state, which is what the state was before a step until it has looked
//! at the step. A claim that held so far can only newly fail for a document that the step
//! concerns, so only these are judged. A claim is told once, and is not watched any longer.

use super::{
    Always, Claim, EntityId, EntityKind, Formula, Leads, Recount, Step, Table, View,
    affected::Affected, step,
};
use crate::{state::State, store::Row, world::World};

/// Watches claims while a run goes on.
#[derive(Clone)]
pub struct Monitor {
    claims: Vec<&'static Claim>,
    /// The state as it was when the monitor last looked.
    mirror: State,
    /// What there is to count in it.
    recount: Recount,
    /// The claims that are not violated, by the table or kind that they are about.
    steps: [Vec<Watched<Step>>; 5],
    always: [Vec<Watched<Always>>; 4],
    leads: [Vec<Watched<Owing>>; 4],
    /// Scratch memory.
    subjects: Vec<EntityId>,
    found: Vec<(usize, EntityId)>,
}

/// A claim that is watched.
#[derive(Clone)]
struct Watched<T> {
    /// Its number among the claims.
    claim: usize,
    test: T,
}

/// What is owed of a claim about what must follow.
#[derive(Clone)]
struct Owing {
    leads: Leads,
    /// A bit for each subject of its kind.
    owed: Vec<u64>,
}

impl Owing {
    fn update(&mut self, world: &World, state: &State, subject: EntityId) {
        let (place, bit) = (subject.index() / 64, 1 << (subject.index() % 64));
        let was_owed = self.owed[place] & bit != 0;
        let Leads { from, to, .. } = self.leads;
        if (was_owed || from(world, state, subject)) && !to(world, state, subject) {
            self.owed[place] |= bit;
        } else {
            self.owed[place] &= !bit;
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
    /// Begins to watch `claims` in `state`, and tells which are violated there.
    pub fn new(
        world: &World,
        state: &State,
        claims: impl Iterator<Item = &'static Claim>,
        tell: &mut dyn FnMut(&'static Claim, EntityId),
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
                        monitor.always[*kind as usize].push(Watched { claim, test });
                    }
                }
                Formula::Step(test) => {
                    for table in test.of {
                        monitor.steps[*table as usize].push(Watched { claim, test });
                    }
                }
                Formula::Leads(leads) => {
                    let owed = vec![0; leads.of.count(world).div_ceil(64)];
                    let test = Owing { leads, owed };
                    monitor.leads[leads.of as usize].push(Watched { claim, test });
                }
            }
        }
        for kind in EntityKind::ALL {
            monitor.subjects.extend(kind.subjects(world));
        }
        monitor.judge(world, state);
        monitor.tell(tell);
        monitor
    }

    /// Looks at a step that touched these entries and led to `state`, and tells which claims are
    /// violated that were not before, in the order of the claims: each with the document that a
    /// check of everything would name.
    pub fn look(
        &mut self,
        world: &World,
        state: &State,
        touched: &[Row],
        tell: &mut dyn FnMut(&'static Claim, EntityId),
    ) {
        self.subjects.clear();
        let before = View { world, state: &self.mirror, recount: &self.recount };
        let mut concerned = Affected { before, after: state, subjects: &mut self.subjects };
        for row in each_once(touched) {
            if let Some(table) = Table::of(row)
                && step::can_fail(&self.mirror, state, row)
            {
                for Watched { claim, test } in &self.steps[table as usize] {
                    let at_fault = (test.at_fault)(world, &self.mirror, state, row);
                    self.found.extend(at_fault.map(|subject| (*claim, subject)));
                }
            }
            concerned.by(row);
        }
        self.subjects.sort_unstable();
        self.subjects.dedup();
        for row in each_once(touched) {
            self.recount.catch_up(world, &mut self.mirror, state, row);
        }
        self.judge(world, state);
        self.tell(tell);
    }

    /// Judges the state of those who are concerned.
    fn judge(&mut self, world: &World, state: &State) {
        let view = View { world, state, recount: &self.recount };
        for subject in &self.subjects {
            let kind = subject.kind() as usize;
            for Watched { claim, test } in &self.always[kind] {
                if (test.at_fault)(&view, *subject) {
                    self.found.push((*claim, *subject));
                }
            }
            for Watched { test, .. } in &mut self.leads[kind] {
                test.update(world, state, *subject);
            }
        }
    }

    /// Tells what was found, the first of each claim, and stops watching these.
    fn tell(&mut self, tell: &mut dyn FnMut(&'static Claim, EntityId)) {
        if self.found.is_empty() {
            return;
        }
        self.found.sort_by_key(|(claim, _)| *claim);
        self.found.dedup_by_key(|(claim, _)| *claim);
        for (found, subject) in self.found.drain(..) {
            tell(self.claims[found], subject);
            self.steps.iter_mut().for_each(|it| it.retain(|it| it.claim != found));
            self.always.iter_mut().for_each(|it| it.retain(|it| it.claim != found));
        }
    }

    /// The state as it was when the monitor last looked: until it looks at a step, the state
    /// before that step.
    pub fn mirror(&self) -> &State {
        &self.mirror
    }

    /// What is owed: of which documents something must follow still, in the order of the claims
    /// and then of the documents.
    pub fn owed(&self) -> Vec<(&'static Claim, EntityId)> {
        let all = self.leads.iter().flatten();
        let mut owed: Vec<(usize, EntityId)> = all
            .flat_map(|Watched { claim, test }| test.subjects().map(|subject| (*claim, subject)))
            .collect();
        owed.sort_unstable();
        owed.into_iter().map(|(claim, subject)| (self.claims[claim], subject)).collect()
    }

    /// Judges everything in `state` anew: the claims about states that are violated there, those
    /// that have been told before among them, each with the first document that it fails for.
    pub fn check_all(&self, world: &World, state: &State) -> Vec<(&'static Claim, EntityId)> {
        let recount = Recount::of(world, state);
        let view = View { world, state, recount: &recount };
        let judge = |claim: &'static Claim| match claim.test {
            Formula::Always(always) => (always.first)(&view).map(|subject| (claim, subject)),
            Formula::Step(_) | Formula::Leads(_) => None,
        };
        self.claims.iter().copied().filter_map(judge).collect()
    }

    /// Whether what the monitor remembers is what there is in `state`, at which it has looked.
    pub fn is_true_to(&self, world: &World, state: &State) -> bool {
        self.mirror == *state && self.recount == Recount::of(world, state)
    }
}

/// The entries without most of those that occur twice, which they mostly do near each other.
fn each_once(touched: &[Row]) -> impl Iterator<Item = Row> + '_ {
    let is_new = |(index, row): &(usize, &Row)| {
        let latest = &touched[index.saturating_sub(8)..*index];
        !latest.contains(row)
    };
    touched.iter().enumerate().filter(is_new).map(|(_, row)| *row)
}
