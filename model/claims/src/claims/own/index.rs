//! Reverse dependencies of claims that are text, derived from what they read: from a row that has
//! changed in some fields to the subjects to judge again.

use deathwatch_language::{Kinds, Trail, Way};
use deathwatch_model::rows::{Parts, Row, RowKind};

use super::OwnClaim;

/// Some claims, each in a slot, by the kinds of rows that they watch.
#[derive(Clone, Default)]
pub(crate) struct ClaimIndex {
    watches: [Vec<Watch>; RowKind::ALL.len()],
    kinds: Kinds,
}

/// Subjects to judge, each once and in order, by the slots of their claims. Mostly a claim has one,
/// or those that a single row leads to, which are in order already.
#[derive(Clone, Default)]
pub(super) struct FoundSubjects {
    by_slot: Vec<Vec<Row>>,
    /// The slots that have some, in order.
    slots: Vec<usize>,
}

impl FoundSubjects {
    fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.by_slot[slot].clear();
        }
    }

    #[inline]
    fn add(&mut self, slot: usize, subject: Row) {
        if slot >= self.by_slot.len() {
            self.by_slot.resize_with(slot + 1, Vec::new);
        }
        let subjects = &mut self.by_slot[slot];
        if subjects.is_empty() {
            self.slots.push(slot);
        }
        if subjects.last() != Some(&subject) {
            subjects.push(subject);
        }
    }

    fn sort(&mut self) {
        self.slots.sort_unstable();
        for slot in &self.slots {
            let subjects = &mut self.by_slot[*slot];
            if subjects.len() > 1 && !subjects.is_sorted_by(|one, other| one < other) {
                // Stable, because that is fast where one ascending run follows another.
                subjects.sort();
                subjects.dedup();
            }
        }
    }

    /// The slots of claims that have subjects to judge, in order, with these subjects.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[Row])> {
        self.slots.iter().map(|slot| (*slot, &*self.by_slot[*slot]))
    }
}

/// The rows of a kind, as a claim watches them.
#[derive(Clone, Copy)]
struct Watch {
    slot: usize,
    /// The kind of the claim's subjects.
    subjects: RowKind,
    fields: Parts,
    way: Way,
}

impl ClaimIndex {
    /// Adds a claim in a slot.
    pub(crate) fn add(&mut self, slot: usize, own: &OwnClaim) {
        for kind in RowKind::ALL {
            let fields = own.watches.fields[kind as usize];
            for way in own.watches.ways_from(kind) {
                let watch = Watch { slot, subjects: own.subject_kind(), fields, way };
                self.watches[kind as usize].push(watch);
                self.kinds.add(kind);
            }
        }
    }

    /// Removes the claim in a slot.
    pub(super) fn remove(&mut self, slot: usize) {
        self.watches.iter_mut().for_each(|it| it.retain(|watch| watch.slot != slot));
    }

    /// Finds the subjects that a step from one state to the other, which touched these rows, may
    /// concern.
    pub(super) fn find(&self, trail: &Trail<'_>, touched: &[Row], found: &mut FoundSubjects) {
        found.clear();
        let [before, after] = trail.states;
        for row in touched.iter().filter(|row| self.kinds.contains(row.kind())) {
            let changed = after.differing(*row, before);
            if !changed.is_empty() {
                self.follow(trail, *row, changed, &mut |slot, subject| found.add(slot, subject));
            }
        }
        found.sort();
    }

    /// Gives the subjects that a row which has changed in these fields may concern, each with the
    /// slot of its claim. One may be given several times.
    #[inline]
    fn follow(
        &self,
        trail: &Trail<'_>,
        row: Row,
        changed: Parts,
        found: &mut impl FnMut(usize, Row),
    ) {
        for watch in &self.watches[row.kind() as usize] {
            if watch.fields.meet(changed) {
                let slot = watch.slot;
                watch.way.follow(trail, row, watch.subjects, &mut |subject| found(slot, subject));
            }
        }
    }
}
