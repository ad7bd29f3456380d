//! The monitor: checks claims during a run, at a cost that depends on what each step touched and
//! not on the size of the world.
//!
//! It keeps a mirror of the state, which after a step is the state before that step until the
//! monitor has checked it. A claim that held so far can be violated only by a subject that the
//! step affects, so only these are judged: a touched row itself, and the subjects to which the
//! links of the claims lead back from it. A violated claim is reported once, and is not checked any
//! longer.

use deathwatch_model::{
    agents::WatchedStep,
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{
    AlwaysClaim, Claim, ClaimView, Formula, LeadsClaim, Recount, RowEvent, affected::Affected,
    dependency_index::DependencyIndex, open_subjects::OpenSubjects, own::MonitoredClaims,
    step_claims::StepClaims,
};

/// The number of kinds of rows.
const KINDS: usize = RowKind::ALL.len();

/// Checks claims during a run.
#[derive(Clone)]
pub struct Monitor {
    claims: Vec<&'static Claim>,
    /// The state at the last check.
    mirror: State,
    /// The recount of that state.
    recount: Recount,
    /// The claims that are not violated so far, by the event or the kind of subjects that they are
    /// about.
    steps: StepClaims,
    always: [Vec<MonitoredClaim<AlwaysClaim>>; KINDS],
    leads: [Vec<MonitoredClaim<OpenObligations>>; KINDS],
    /// The claims that are text.
    texts: MonitoredClaims,
    /// The reverse dependencies of these claims.
    ways: DependencyIndex,
    /// Scratch memory.
    subjects: Vec<Row>,
    found: Vec<(usize, Row)>,
}

/// A claim that is checked.
#[derive(Clone)]
struct MonitoredClaim<T> {
    /// Its number among the claims.
    claim: usize,
    test: T,
}

/// The open obligations of a claim about what must follow.
#[derive(Clone)]
struct OpenObligations {
    leads: LeadsClaim,
    owed: OpenSubjects,
}

impl OpenObligations {
    /// Judges the subject that has this index.
    fn update(&mut self, world: &World, state: &State, subject: Row, index: usize) {
        let LeadsClaim { from, to, .. } = self.leads;
        self.owed.update(index, |was_owed| {
            (was_owed || from(world, state, subject)) && !to(world, state, subject)
        });
    }
}

impl Monitor {
    /// Begins to check `claims` in `state`, and reports which are violated there.
    pub fn new(
        world: &World,
        state: &State,
        claims: impl Iterator<Item = &'static Claim>,
        report: &mut dyn FnMut(&'static Claim, Row),
    ) -> Self {
        let (claims, mut found) = (claims.collect::<Vec<_>>(), Vec::new());
        let texts = MonitoredClaims::begin(&claims, world, state, &mut found);
        let mut monitor = Self {
            claims,
            mirror: state.clone(),
            recount: Recount::of(world, state),
            steps: StepClaims::default(),
            always: Default::default(),
            leads: Default::default(),
            texts,
            ways: DependencyIndex::default(),
            subjects: Vec::new(),
            found,
        };
        for (claim, it) in monitor.claims.iter().enumerate() {
            it.demand_history(world);
            match it.test {
                Formula::Always(test) => {
                    for subjects in test.of {
                        monitor.always[subjects.kind as usize].push(MonitoredClaim { claim, test });
                    }
                }
                Formula::Step(test) => monitor.steps.add(claim, test),
                Formula::Leads(leads) => {
                    let kind = leads.of.kind;
                    let owed = OpenSubjects::none_of(kind, kind.count(world));
                    let test = OpenObligations { leads, owed };
                    monitor.leads[leads.of.kind as usize].push(MonitoredClaim { claim, test });
                }
                Formula::Own(_) => {}
                Formula::Recorded(_) => unreachable!("what only a journal names is not judged"),
            }
        }
        for kind in RowKind::ALL {
            if monitor.has_subjects(kind) {
                monitor.subjects.extend(kind.rows(world));
            }
        }
        monitor.link();
        monitor.judge(world, state);
        monitor.report(report);
        monitor
    }

    /// Checks a step that touched these rows and led to `state`. Reports the claims that are newly
    /// violated, in the order of the claims, each with the subject that a check of everything
    /// would name.
    pub fn check_step(
        &mut self,
        world: &World,
        state: &State,
        touched: &[Row],
        report: &mut dyn FnMut(&'static Claim, Row),
    ) {
        self.texts.check_step(world, [&self.mirror, state], touched, &mut self.found);
        self.subjects.clear();
        let before = ClaimView { world, state: &self.mirror, recount: &self.recount };
        let change = WatchedStep { world, before: &self.mirror, after: state };
        let mut affected = Affected { before, after: state, subjects: &mut self.subjects };
        for row in touched.iter().copied() {
            if !RowEvent::tells_of_pending(world, row) && change.is_only_pending(row) {
                continue;
            }
            for event in RowEvent::of(&change, row).into_iter().flatten() {
                let found = &mut |claim, subject| self.found.push((claim, subject));
                self.steps.check_event(event, &change, row, found);
                self.ways.follow(event, row, &mut affected);
            }
            let kind = row.kind() as usize;
            if !(self.always[kind].is_empty() && self.leads[kind].is_empty()) {
                affected.add(row);
            }
        }
        if self.subjects.len() > 1 {
            // Stable, because that is fast where one ascending run follows another.
            self.subjects.sort();
            self.subjects.dedup();
        }
        for row in touched.iter().copied() {
            self.recount.catch_up(world, &mut self.mirror, state, row);
        }
        self.judge(world, state);
        self.report(report);
    }

    /// Judges the affected subjects.
    fn judge(&mut self, world: &World, state: &State) {
        let view = ClaimView { world, state, recount: &self.recount };
        for subject in &self.subjects {
            let kind = subject.kind() as usize;
            for MonitoredClaim { claim, test } in &self.always[kind] {
                if (test.at_fault)(&view, *subject) {
                    self.found.push((*claim, *subject));
                }
            }
            let leads = &mut self.leads[kind];
            if !leads.is_empty()
                && let Some(index) = subject.index(world)
            {
                for MonitoredClaim { test, .. } in leads {
                    test.update(world, state, *subject, index);
                }
            }
        }
    }

    /// Reports the first violation of each claim, and stops checking these claims.
    fn report(&mut self, report: &mut dyn FnMut(&'static Claim, Row)) {
        if self.found.is_empty() {
            return;
        }
        self.found.sort_by_key(|(claim, _)| *claim);
        self.found.dedup_by_key(|(claim, _)| *claim);
        for (found, subject) in self.found.drain(..) {
            report(self.claims[found], subject);
            self.steps.remove(found);
            self.always.iter_mut().for_each(|it| it.retain(|it| it.claim != found));
            self.texts.remove(found);
        }
        self.link();
    }

    /// Whether some claim that is checked has subjects of this kind.
    fn has_subjects(&self, kind: RowKind) -> bool {
        !(self.always[kind as usize].is_empty() && self.leads[kind as usize].is_empty())
    }

    /// Collects the links of the claims that are checked.
    fn link(&mut self) {
        let always = self.always.iter().flatten().flat_map(|it| it.test.of);
        let leads = self.leads.iter().flatten().map(|it| &it.test.leads.of);
        self.ways = DependencyIndex::of(always.chain(leads));
    }

    /// The state at the last check: between a step and its check, the state before the step.
    pub fn mirror(&self) -> &State {
        &self.mirror
    }

    /// The open obligations: the subjects for which something must still follow, in the order of
    /// the claims and then of the subjects.
    pub fn owed(&self, world: &World) -> Vec<(&'static Claim, Row)> {
        let all = self.leads.iter().flatten();
        let mut owed: Vec<(usize, Row)> = all
            .flat_map(|it| it.test.owed.rows(world).map(|subject| (it.claim, subject)))
            .collect();
        owed.extend(self.texts.owed(world));
        owed.sort_unstable();
        owed.into_iter().map(|(claim, subject)| (self.claims[claim], subject)).collect()
    }

    /// Judges everything in `state` anew. Returns the claims about states that are violated, those
    /// that were reported before included, each with the first subject that violates it.
    pub fn check_all(&self, world: &World, state: &State) -> Vec<(&'static Claim, Row)> {
        let recount = Recount::of(world, state);
        let view = ClaimView { world, state, recount: &recount };
        let judge = |claim: &'static Claim| claim.first(&view).map(|subject| (claim, subject));
        self.claims.iter().copied().filter_map(judge).collect()
    }

    /// Whether mirror and recount agree with `state`, which was checked last.
    pub fn is_true_to(&self, world: &World, state: &State) -> bool {
        self.mirror == *state && self.recount == Recount::of(world, state)
    }
}
