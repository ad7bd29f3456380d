//! Reverse dependencies of claims that are text, derived from what they read: from a row that has
//! changed in some fields to the subjects to judge again.

use std::{mem, ops::Range, slice};

use deathwatch_language::{LIVES, Subject, Trail, Way};
use deathwatch_model::{
    rows::{Parts, Row, RowKind},
    state::State,
};

use super::{OwnClaim, OwnFormula, Verdict};

/// Some claims, each in a slot, by their reverse dependencies. Many claims watch the same rows and
/// have the same subjects: these are found once for all of them.
#[derive(Clone, Default)]
pub(crate) struct ClaimIndex {
    ways: Vec<WatchedWay>,
    /// The ways from each kind of rows, and the fields that claims watch there.
    from: [(Vec<WayFrom>, Parts); RowKind::ALL.len()],
}

/// A way back by its number, and the fields that claims watch where it begins.
#[derive(Clone, Copy)]
struct WayFrom {
    number: usize,
    fields: Parts,
}

/// A way back from rows of a kind to subjects of a kind, and the claims that watch these rows.
#[derive(Clone)]
struct WatchedWay {
    way: Way,
    subjects: RowKind,
    /// The entity whose life rules out most of the subjects.
    by: LifeOf,
    steps: Watches,
    /// The other claims.
    states: Watches,
}

/// The watches of some claims on a row.
#[derive(Clone, Default)]
struct Watches {
    /// The fields that any of them watches.
    fields: Parts,
    /// The watches that may say something of a subject, by the number of its life after a step.
    by_life: [Vec<Watch>; LIVES.len()],
}

/// The fields of a row that a claim watches.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) slot: usize,
    fields: Parts,
    /// The verdict on subjects, which is not settled.
    pub(super) verdict: Verdict,
}

/// The entity whose life is looked at before subjects are judged.
#[derive(Clone, Copy)]
enum LifeOf {
    /// Each subject, an entity.
    Subject,
    /// The changed row, an entity that the keys of the subjects name.
    Row,
    /// Nobody: all counts as gone.
    Nobody,
}

#[derive(Clone, Default)]
pub(super) struct FoundSubjects {
    rows: Vec<Row>,
    runs: Vec<FoundRun>,
}

/// Subjects that were found from one row, on one way.
#[derive(Clone)]
struct FoundRun {
    way: usize,
    /// The fields of the row that have changed.
    changed: Parts,
    /// The number of the life of the row, if that is looked at.
    life: usize,
    /// The subjects, by their indices among all that were found.
    rows: Range<usize>,
}

/// The number of subjects that are judged without a look for those that were found more than once.
/// A subject that is judged again gets the same verdict.
const FEW: usize = 16;

impl FoundSubjects {
    fn clear(&mut self) {
        self.rows.clear();
        self.runs.clear();
    }

    /// Makes one run of those on one way from rows of one life, with each subject once. What has
    /// changed in one of the rows then counts as changed in all.
    fn merge(&mut self) {
        let key = |run: &FoundRun| (run.way, run.life);
        self.runs.sort_by_key(key);
        if self.runs.is_sorted_by(|one, other| key(one) < key(other)) {
            return;
        }
        let (rows, runs) = (mem::take(&mut self.rows), mem::take(&mut self.runs));
        for same in runs.chunk_by(|one, other| key(one) == key(other)) {
            let first = self.rows.len();
            let mut subjects: Vec<Row> =
                same.iter().flat_map(|run| &rows[run.rows.clone()]).copied().collect();
            if same.len() > 1 {
                // Stable, because that is fast where one ascending run follows another.
                subjects.sort();
                subjects.dedup();
            }
            self.rows.append(&mut subjects);
            self.runs.push(FoundRun {
                way: same[0].way,
                life: same[0].life,
                changed: same.iter().fold(Parts::default(), |all, run| all.and(run.changed)),
                rows: first..self.rows.len(),
            });
        }
    }
}

impl ClaimIndex {
    pub(crate) fn add(&mut self, slot: usize, own: &OwnClaim) {
        for kind in RowKind::ALL {
            let fields = own.watches.fields[kind as usize];
            for way in own.watches.ways_from(kind) {
                let by = LifeOf::told(kind, way, own.subject_kind());
                let verdicts = match by {
                    LifeOf::Row => own.verdicts_by(kind),
                    LifeOf::Subject | LifeOf::Nobody => own.verdicts(),
                };
                let place = self.place_of(kind, way, own.subject_kind());
                let (ways, known) = &mut self.from[kind as usize];
                let from = &mut ways[place];
                from.fields = from.fields.and(fields);
                *known = known.and(fields);
                let watches = verdicts.map(|verdict| Watch { slot, fields, verdict });
                self.ways[from.number].add(own, watches);
            }
        }
    }

    /// The place of the way back to subjects of a kind among those from rows of a kind. The way is
    /// added if it is not there.
    fn place_of(&mut self, kind: RowKind, way: Way, subjects: RowKind) -> usize {
        let (from, _) = &mut self.from[kind as usize];
        let is_it = |from: &WayFrom| {
            let known = &self.ways[from.number];
            known.way == way && known.subjects == subjects
        };
        from.iter().position(is_it).unwrap_or_else(|| {
            from.push(WayFrom { number: self.ways.len(), fields: Parts::default() });
            self.ways.push(WatchedWay {
                way,
                subjects,
                by: LifeOf::told(kind, way, subjects),
                steps: Watches::default(),
                states: Watches::default(),
            });
            from.len() - 1
        })
    }

    /// Removes the claim in a slot.
    pub(super) fn remove(&mut self, slot: usize) {
        self.ways.iter_mut().for_each(|it| it.remove(slot));
    }

    /// Finds the subjects that a step from one state to the other, which touched these rows, may
    /// concern; some of them more than once.
    pub(super) fn find(&self, trail: &Trail<'_>, touched: &[Row], found: &mut FoundSubjects) {
        found.clear();
        let [before, after] = trail.states;
        for row in touched {
            let (ways, fields) = &self.from[row.kind() as usize];
            if fields.is_empty() {
                continue;
            }
            let changed = after.differing(*row, before, *fields);
            if changed.is_empty() {
                continue;
            }
            for WayFrom { number, fields } in ways {
                if fields.meet(changed) {
                    let known = &self.ways[*number];
                    let first = found.rows.len();
                    known.way.follow(trail, *row, known.subjects, &mut |subject| {
                        found.rows.push(subject);
                    });
                    let rows = first..found.rows.len();
                    if !rows.is_empty() {
                        let life = match known.by {
                            LifeOf::Row => Subject::of(*row, after).life,
                            LifeOf::Subject | LifeOf::Nobody => GONE,
                        };
                        found.runs.push(FoundRun { way: *number, changed, life, rows });
                    }
                }
            }
        }
        if found.rows.len() > FEW {
            found.merge();
        }
    }

    /// Gives the claims about transitions that may say something of subjects that were found, with
    /// these, which have one life in the state after a step, by its number.
    #[inline]
    pub(super) fn steps(
        &self,
        found: &FoundSubjects,
        state: &State,
        judge: &mut impl FnMut(Watch, &[Row], usize),
    ) {
        self.each(found, state, |way| &way.steps, judge);
    }

    /// Gives the other claims, likewise.
    #[inline]
    pub(super) fn states(
        &self,
        found: &FoundSubjects,
        state: &State,
        judge: &mut impl FnMut(Watch, &[Row], usize),
    ) {
        self.each(found, state, |way| &way.states, judge);
    }

    #[inline]
    fn each<'a>(
        &'a self,
        found: &FoundSubjects,
        state: &State,
        watches: impl Fn(&'a WatchedWay) -> &'a Watches,
        judge: &mut impl FnMut(Watch, &[Row], usize),
    ) {
        for run in &found.runs {
            let way = &self.ways[run.way];
            let Watches { fields, by_life } = watches(way);
            if !fields.meet(run.changed) {
                continue;
            }
            let has_changed = |watch: &&Watch| watch.fields.meet(run.changed);
            let rows = &found.rows[run.rows.clone()];
            match way.by {
                LifeOf::Subject => {
                    for row in rows {
                        let subject = Subject::of(*row, state);
                        for watch in by_life[subject.life].iter().filter(has_changed) {
                            judge(*watch, slice::from_ref(row), subject.life);
                        }
                    }
                }
                LifeOf::Row | LifeOf::Nobody => {
                    for watch in by_life[run.life].iter().filter(has_changed) {
                        judge(*watch, rows, GONE);
                    }
                }
            }
        }
    }
}

impl LifeOf {
    /// The life that is looked at on a way from rows of a kind to subjects of a kind.
    fn told(from: RowKind, way: Way, subjects: RowKind) -> Self {
        if RowKind::ENTITIES.contains(&subjects) {
            Self::Subject
        } else if way == Way::Linked(from) && RowKind::ENTITIES.contains(&from) {
            Self::Row
        } else {
            Self::Nobody
        }
    }
}

/// The number of no life.
const GONE: usize = LIVES.len() - 1;

impl WatchedWay {
    /// Adds a claim with what it watches, by the numbers of lives.
    fn add(&mut self, own: &OwnClaim, watches: [Watch; LIVES.len()]) {
        let all = match own.says {
            OwnFormula::Step(_) => &mut self.steps,
            OwnFormula::Always(_) | OwnFormula::Leads(_) | OwnFormula::Reachable(_) => {
                &mut self.states
            }
        };
        all.fields = all.fields.and(watches[GONE].fields);
        for (all, watch) in all.by_life.iter_mut().zip(watches) {
            if watch.verdict != Verdict::Settled {
                all.push(watch);
            }
        }
    }

    fn remove(&mut self, slot: usize) {
        let all = [&mut self.steps, &mut self.states].into_iter().flat_map(|it| &mut it.by_life);
        all.for_each(|it| it.retain(|watch| watch.slot != slot));
    }
}
