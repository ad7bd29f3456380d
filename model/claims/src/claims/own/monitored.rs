//! Claims that are text, as the monitor checks them.

use deathwatch_model::{rows::Row, state::State, world::World};

use super::{ClaimIndex, OwnClaim, OwnFormula, judged::parts};
use crate::claims::{Claim, open_subjects::OpenSubjects};

/// Claims that are checked during a run.
#[derive(Clone)]
pub(in crate::claims) struct MonitoredClaims {
    index: ClaimIndex,
    claims: Vec<MonitoredText>,
    /// Scratch memory: the subjects to judge, each with the slot of its claim.
    found: Vec<(usize, Row)>,
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
        decided: &mut Vec<(usize, Row)>,
    ) -> Self {
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
                for subject in kind.rows(world) {
                    text.judge(world, [state; 2], subject, decided);
                }
            }
            monitored.push(text);
        }
        Self { index, claims: monitored, found: Vec::new() }
    }

    /// Checks a step that touched these rows.
    pub(in crate::claims) fn check_step(
        &mut self,
        world: &World,
        states: [&State; 2],
        touched: &[Row],
        decided: &mut Vec<(usize, Row)>,
    ) {
        let Self { index, claims, found } = self;
        index.find(world, states, touched, found);
        for (slot, subject) in found {
            claims[*slot].judge(world, states, *subject, decided);
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
    /// Judges a subject by a step.
    fn judge(
        &mut self,
        world: &World,
        states: [&State; 2],
        subject: Row,
        decided: &mut Vec<(usize, Row)>,
    ) {
        let is_decided = match self.own.says {
            OwnFormula::Always(_) | OwnFormula::Reachable(_) => {
                self.own.is_decided(world, states[1], subject)
            }
            OwnFormula::Step(_) => self.own.is_violated(world, states, subject),
            OwnFormula::Leads(_) => {
                self.update(world, states[1], subject);
                false
            }
        };
        if is_decided {
            decided.push((self.claim, subject));
        }
    }

    /// Judges whether something must still follow for a subject.
    fn update(&mut self, world: &World, state: &State, subject: Row) {
        let Some(index) = subject.index(world) else { return };
        let own = self.own;
        self.owed.update(index, |was_owed| own.owes(world, state, subject, was_owed));
    }
}
