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
    /// concern: each with the slot of its claim, once and in order.
    pub(super) fn find(&self, trail: &Trail<'_>, touched: &[Row], found: &mut Vec<(usize, Row)>) {
        found.clear();
        let Some([before, after]) = trail.states else { return };
        for row in touched.iter().filter(|row| self.kinds.contains(row.kind())) {
            let changed = after.differing(*row, before);
            if !changed.is_empty() {
                self.follow(trail, *row, changed, &mut |slot, subject| found.push((slot, subject)));
            }
        }
        if !found.is_sorted_by(|one, other| one < other) {
            // Stable, because that is fast where one ascending run follows another.
            found.sort();
            found.dedup();
        }
    }

    /// Gives the subjects that a row which has changed in these fields may concern, each with the
    /// slot of its claim. One may be given several times.
    #[inline]
    pub(crate) fn follow(
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
