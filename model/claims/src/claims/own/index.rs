//! Reverse dependencies of claims, derived from the rows that they read: from a row and its changed
//! fields to the subjects to judge again.

use std::{mem, ops::Range, slice};

use deathwatch_language::{LIVES, Subject, Trail, Way};
use deathwatch_model::{
    rows::{FieldSet, Row, RowKind},
    state::State,
};

use super::{LifeVerdict, OwnClaim, OwnFormula};

/// Some claims, each in a slot, by their reverse dependencies. Many claims watch the same rows and
/// have the same subjects, which are found once for all of them.
#[derive(Clone, Default)]
pub(crate) struct ClaimIndex {
    ways: Vec<WatchedWay>,
    /// For each kind of rows, the reverse dependencies from there, and all watched fields.
    from: [(Vec<WayFrom>, FieldSet); RowKind::ALL.len()],
}

/// Index of a reverse dependency in `ways`, and the fields that claims watch where it begins.
#[derive(Clone, Copy)]
struct WayFrom {
    number: usize,
    fields: FieldSet,
}

/// A reverse dependency from rows of a kind to subjects of a kind, with the claims that use it.
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
    /// The union of the watched fields.
    fields: FieldSet,
    /// For each life, by its number: the watches of claims that may be decided at a subject with
    /// that life after a step.
    by_life: [Vec<Watch>; LIVES.len()],
}

/// The fields of a row that a claim watches.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) slot: usize,
    fields: FieldSet,
    /// The verdict on subjects of this life; never `Settled`.
    pub(super) verdict: LifeVerdict,
}

/// The entity whose life is looked up before subjects are judged.
#[derive(Clone, Copy)]
enum LifeOf {
    /// Each subject, which is an entity.
    Subject,
    /// The changed row, an entity that the keys of the subjects name.
    Row,
    /// None: all subjects count as gone.
    Nobody,
}

#[derive(Clone, Default)]
pub(super) struct FoundSubjects {
    rows: Vec<Row>,
    runs: Vec<FoundRun>,
}

/// Subjects that were found from one row by one reverse dependency.
#[derive(Clone)]
struct FoundRun {
    way: usize,
    /// The fields of the row that have changed.
    changed: FieldSet,
    /// The number of the life of the row, if that is looked up.
    life: usize,
    /// Range of the subjects in `FoundSubjects::rows`.
    rows: Range<usize>,
}

/// The number of found subjects up to which duplicates stay: it is cheaper to judge a subject
/// again, and the verdict is the same.
const FEW: usize = 16;

impl FoundSubjects {
    fn clear(&mut self) {
        self.rows.clear();
        self.runs.clear();
    }

    /// Merges the runs of one reverse dependency and one life, with each subject once. A field that
    /// has changed in one of the rows then counts as changed in all.
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
                changed: same.iter().fold(FieldSet::default(), |all, run| all.and(run.changed)),
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

    /// Index of the reverse dependency to subjects of a kind among those from rows of a kind; it is
    /// added if it is new.
    fn place_of(&mut self, kind: RowKind, way: Way, subjects: RowKind) -> usize {
        let (from, _) = &mut self.from[kind as usize];
        let is_it = |from: &WayFrom| {
            let known = &self.ways[from.number];
            known.way == way && known.subjects == subjects
        };
        from.iter().position(is_it).unwrap_or_else(|| {
            from.push(WayFrom { number: self.ways.len(), fields: FieldSet::default() });
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

    /// Finds the subjects that a step, which touched these rows, may concern; some more than once.
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

    /// Calls `judge` for each claim about transitions with the found subjects at which it may be
    /// decided. They have one life after the step, whose number comes last.
    #[inline]
    pub(super) fn steps(
        &self,
        found: &FoundSubjects,
        state: &State,
        judge: &mut impl FnMut(Watch, &[Row], usize),
    ) {
        self.each(found, state, |way| &way.steps, judge);
    }

    /// Calls `judge` for each of the other claims, likewise.
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
    /// The life to look up along a reverse dependency from rows of a kind to subjects of a kind.
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

/// The number of the life of an entity that is gone.
const GONE: usize = LIVES.len() - 1;

impl WatchedWay {
    /// Adds a claim with its watches, by the numbers of lives.
    fn add(&mut self, own: &OwnClaim, watches: [Watch; LIVES.len()]) {
        let all = match own.says {
            OwnFormula::Step(_) => &mut self.steps,
            OwnFormula::Always(_) | OwnFormula::Leads(_) | OwnFormula::Reachable(_) => {
                &mut self.states
            }
        };
        all.fields = all.fields.and(watches[GONE].fields);
        for (all, watch) in all.by_life.iter_mut().zip(watches) {
            if watch.verdict != LifeVerdict::Settled {
                all.push(watch);
            }
        }
    }

    fn remove(&mut self, slot: usize) {
        let all = [&mut self.steps, &mut self.states].into_iter().flat_map(|it| &mut it.by_life);
        all.for_each(|it| it.retain(|watch| watch.slot != slot));
    }
}
