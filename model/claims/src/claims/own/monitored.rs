//! Claims that are text, as the monitor checks them.

use deathwatch_language::{Recount, Trail, View};
use deathwatch_model::{rows::Row, state::State, world::World};

use super::{ClaimIndex, OwnClaim, OwnFormula, index::FoundSubjects, judged::parts};
use crate::claims::{Claim, open_subjects::OpenSubjects};

/// Claims that are checked during a run.
#[derive(Clone)]
pub(in crate::claims) struct MonitoredClaims {
    index: ClaimIndex,
    claims: Vec<MonitoredText>,
    /// Scratch memory: the subjects to judge.
    found: FoundSubjects,
}

/// A claim that is checked.
#[derive(Clone)]
struct MonitoredText {
    /// Its number among the claims.
    claim: usize,
    own: &'static OwnClaim,
    /// The open obligations, if it is about what must follow.
    owed: OpenSubjects,
}

impl MonitoredClaims {
    /// Begins to check those of the claims that are text, and adds to `decided` what the state
    /// decides.
    pub(in crate::claims) fn begin(
        claims: &[&'static Claim],
        world: &World,
        state: &State,
        recount: &Recount,
        decided: &mut Vec<(usize, Row)>,
    ) -> Self {
        let view = View { world, states: [state; 2], recount: Some(recount) };
        let mut index = ClaimIndex::default();
        let mut monitored: Vec<MonitoredText> = Vec::new();
        for (slot, (claim, own)) in parts(claims).enumerate() {
            let is_leads = matches!(own.says, OwnFormula::Leads(_));
            let kind = own.subject_kind();
            let subjects = if is_leads { kind.count(world) } else { 0 };
            let owed = OpenSubjects::none_of(kind, subjects);
            let mut text = MonitoredText { claim, own, owed };
            index.add(slot, own);
            if !matches!(own.says, OwnFormula::Step(_)) {
                kind.rows(world).for_each(|subject| text.judge(view, subject, decided));
            }
            monitored.push(text);
        }
        Self { index, claims: monitored, found: FoundSubjects::default() }
    }

    /// Judges the claims about transitions by a step that touched these rows, and finds the
    /// subjects of the others, which are judged once the recount is that of the state after.
    pub(in crate::claims) fn check_step(
        &mut self,
        trail: &Trail<'_>,
        touched: &[Row],
        decided: &mut Vec<(usize, Row)>,
    ) {
        let Self { index, claims, found } = self;
        index.find(trail, touched, found);
        for (slot, subjects) in found.iter() {
            let MonitoredText { claim, own, .. } = &claims[slot];
            if matches!(own.says, OwnFormula::Step(_)) {
                let is_violated = |it: &&Row| own.is_violated(trail.world, trail.states, **it);
                decided.extend(subjects.iter().filter(is_violated).map(|it| (*claim, *it)));
            }
        }
    }

    /// Judges the subjects that were found in the state after the step.
    pub(in crate::claims) fn check_state(
        &mut self,
        view: View<'_>,
        decided: &mut Vec<(usize, Row)>,
    ) {
        let Self { claims, found, .. } = self;
        for (slot, subjects) in found.iter() {
            let text = &mut claims[slot];
            if !matches!(text.own.says, OwnFormula::Step(_)) {
                for subject in subjects {
                    text.judge(view, *subject, decided);
                }
            }
        }
    }

    /// Stops checking a claim.
    pub(in crate::claims) fn remove(&mut self, claim: usize) {
        let slots = self.claims.iter().enumerate().filter(|(_, it)| it.claim == claim);
        slots.for_each(|(slot, _)| self.index.remove(slot));
    }

    /// The open obligations.
    pub(in crate::claims) fn owed<'a>(
        &'a self,
        world: &'a World,
    ) -> impl Iterator<Item = (usize, Row)> + 'a {
        self.claims
            .iter()
            .flat_map(move |it| it.owed.rows(world).map(|subject| (it.claim, subject)))
    }
}

impl MonitoredText {
    /// Judges a subject in a state.
    fn judge(&mut self, view: View<'_>, subject: Row, decided: &mut Vec<(usize, Row)>) {
        match self.own.says {
            OwnFormula::Always(_) | OwnFormula::Reachable(_) => {
                if self.own.is_decided_in(view, subject) {
                    decided.push((self.claim, subject));
                }
            }
            OwnFormula::Step(_) => {}
            OwnFormula::Leads(_) => self.update(view, subject),
        }
    }

    /// Judges whether something must still follow for a subject.
    fn update(&mut self, view: View<'_>, subject: Row) {
        let Some(index) = subject.index(view.world) else { return };
        let own = self.own;
        self.owed.update(index, |was_owed| own.owes(view, subject, was_owed));
    }
}
