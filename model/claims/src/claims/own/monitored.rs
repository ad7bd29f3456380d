//! Claims as the monitor checks them.

use std::{collections::BTreeSet, slice};

use deathwatch_language::{LIVES, Recount, Subject, Trail, View};
use deathwatch_model::{
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{ClaimIndex, LifeVerdict, OwnClaim, OwnFormula, index::FoundSubjects, judged::parts};
use crate::claims::{Claim, open_subjects::OpenSubjects};

/// Claims that are checked during a run.
#[derive(Clone)]
pub(in crate::claims) struct MonitoredClaims {
    index: ClaimIndex,
    claims: Vec<MonitoredText>,
    /// Scratch memory: the subjects to judge.
    found: FoundSubjects,
}

#[derive(Clone)]
struct MonitoredText {
    claim: usize,
    own: &'static OwnClaim,
    /// The open obligations, if it is of the kind leads.
    owed: OpenSubjects,
}

impl MonitoredClaims {
    /// Begins to check the parts of claims, each in a slot. Adds those that the state decides to
    /// `decided`, each with the subject. A claim that the world rules out has no slot.
    pub(in crate::claims) fn begin(
        claims: &[&'static Claim],
        world: &World,
        state: &State,
        recount: &Recount,
        decided: &mut Vec<(usize, Row)>,
    ) -> Self {
        let mut index = ClaimIndex::default();
        let mut monitored: Vec<MonitoredText> = Vec::new();
        let view = View { world, states: [state; 2], recount: Some(recount) };
        let asked = parts(claims).filter(|(_, own)| !own.is_ruled_out(view));
        for (slot, (claim, own)) in asked.enumerate() {
            let is_leads = matches!(own.says, OwnFormula::Leads(_));
            let kind = own.subject_kind();
            let subjects = if is_leads { kind.count(world) } else { 0 };
            let owed = OpenSubjects::none_of(kind, subjects);
            monitored.push(MonitoredText { claim, own, owed });
            index.add(slot, own);
        }
        for kind in RowKind::ALL {
            // Slots by life. Other verdicts decide nothing while no obligation is open.
            let mut open: [Vec<usize>; LIVES.len()] = Default::default();
            for (slot, MonitoredText { own, .. }) in monitored.iter().enumerate() {
                if own.subject_kind() == kind && !matches!(own.says, OwnFormula::Step(_)) {
                    for (open, verdict) in open.iter_mut().zip(own.verdicts()) {
                        open.extend((verdict == LifeVerdict::Open).then_some(slot));
                    }
                }
            }
            if open.iter().all(Vec::is_empty) {
                continue;
            }
            for row in kind.rows(world) {
                let life = Subject::of(row, state).life;
                for slot in &open[life] {
                    let note = |row| decided.push((*slot, row));
                    monitored[*slot].judge(
                        view,
                        slice::from_ref(&row),
                        life,
                        LifeVerdict::Open,
                        note,
                    );
                }
            }
        }
        Self { index, claims: monitored, found: FoundSubjects::default() }
    }

    /// Judges the claims about transitions, by a step that touched these rows. Finds the subjects
    /// of the others, which `check_state` judges once the recount is that of the state after.
    pub(in crate::claims) fn check_step(
        &mut self,
        trail: &Trail<'_>,
        touched: &[Row],
        decided: &mut Vec<(usize, Row)>,
    ) {
        let Self { index, claims, found } = self;
        index.find(trail, touched, found);
        let Trail { world, states, .. } = *trail;
        index.steps(found, states[1], &mut |watch, rows, life| {
            let own = claims[watch.slot].own;
            decided.extend(own.violating(world, states, rows, life).map(|row| (watch.slot, row)));
        });
    }

    /// Judges the subjects that were found in the state after the step.
    pub(in crate::claims) fn check_state(
        &mut self,
        view: View<'_>,
        decided: &mut Vec<(usize, Row)>,
    ) {
        let Self { index, claims, found } = self;
        index.states(found, view.states[1], &mut |watch, rows, life| {
            let note = |row| decided.push((watch.slot, row));
            claims[watch.slot].judge(view, rows, life, watch.verdict, note);
        });
    }

    /// The number of the claim in a slot.
    pub(in crate::claims) fn claim(&self, slot: usize) -> usize {
        self.claims[slot].claim
    }

    pub(in crate::claims) fn remove(&mut self, claim: usize) {
        let slots = self.claims.iter().enumerate().filter(|(_, it)| it.claim == claim);
        slots.for_each(|(slot, _)| self.index.remove(slot));
    }

    pub(in crate::claims) fn owed<'a>(
        &'a self,
        world: &'a World,
    ) -> impl Iterator<Item = (usize, Row)> + 'a {
        self.claims
            .iter()
            .flat_map(move |it| it.owed.rows(world).map(|subject| (it.claim, subject)))
    }

    /// Whether the open obligations are possible in a state, by a judgement of everything: those
    /// that it creates are open, and those that it discharges are not.
    pub(in crate::claims) fn is_true_to(
        &self,
        claims: &[&'static Claim],
        world: &World,
        state: &State,
    ) -> bool {
        let open: BTreeSet<(usize, Row)> = self.owed(world).collect();
        let mut leads = parts(claims).filter(|(_, own)| matches!(own.says, OwnFormula::Leads(_)));
        leads.all(|(claim, own)| {
            own.subject_kind().rows(world).all(|subject| {
                match (own.obligation(world, state, subject), open.contains(&(claim, subject))) {
                    ([_, true], is_open) => !is_open,
                    ([true, false], is_open) => is_open,
                    ([false, false], _) => true,
                }
            })
        })
    }
}

impl MonitoredText {
    /// Judges subjects of one life, unless the verdict decides already. Calls `decides` with the
    /// subjects that decide the claim.
    #[inline]
    fn judge(
        &mut self,
        view: View<'_>,
        rows: &[Row],
        life: usize,
        verdict: LifeVerdict,
        decides: impl FnMut(Row),
    ) {
        let own = self.own;
        match (&own.says, verdict) {
            (_, LifeVerdict::Settled) => {}
            (OwnFormula::Leads(_), LifeVerdict::Met) => {
                debug_assert!(
                    rows.iter().all(|row| !own.owes(view, Subject { row: *row, life }, true)),
                    "it is met by each of them"
                );
                if !self.owed.is_empty() {
                    self.update(view, rows, |_, _| false);
                }
            }
            (OwnFormula::Leads(_), LifeVerdict::CreatesNone) => {
                debug_assert!(
                    rows.iter().all(|row| !own.owes(view, Subject { row: *row, life }, false)),
                    "it is created by none of them"
                );
                if !self.owed.is_empty() {
                    self.update(view, rows, |row, was_owed| {
                        was_owed && own.owes(view, Subject { row, life }, true)
                    });
                }
            }
            (OwnFormula::Leads(_), LifeVerdict::Open) => {
                self.update(view, rows, |row, was_owed| {
                    own.owes(view, Subject { row, life }, was_owed)
                });
            }
            (OwnFormula::Always(_) | OwnFormula::Reachable(_) | OwnFormula::Step(_), _) => {
                let subjects = rows.iter().map(|row| Subject { row: *row, life });
                let found = subjects.filter(|subject| own.is_decided_at(view, *subject));
                found.map(|subject| subject.row).for_each(decides);
            }
        }
    }

    /// Updates which subjects have open obligations; `owes` gets the subject and its old state.
    #[inline]
    fn update(&mut self, view: View<'_>, rows: &[Row], owes: impl Fn(Row, bool) -> bool) {
        for row in rows {
            // If none is open, a subject is looked up only if its obligation opens.
            let opens = self.owed.is_empty().then(|| owes(*row, false));
            if opens != Some(false)
                && let Some(index) = row.index(view.world)
            {
                self.owed.update(index, |was_owed| opens.unwrap_or_else(|| owes(*row, was_owed)));
            }
        }
    }
}
