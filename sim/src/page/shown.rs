//! Which entities a page shows. Of a large world it shows those that a run is about, and counts the
//! others.

use std::collections::{BTreeMap, BTreeSet};

use crate::recording::{ActorKind, DocumentName, Recording, States, Step, Tier};

/// A world with at most this number of machines and units is shown whole.
const WHOLE: usize = 16;
/// Of a run with more steps than this, each moment but the first and the last shows only what its step
/// has changed.
const LONG: usize = 100;

impl Tier {
    /// The kind in words: also the kind of its rows that has their lives.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Application => "application",
            Self::Unit => "unit",
            Self::Relation => "relation",
        }
    }
}

/// The entities that a page shows.
pub(super) struct Shown<'a> {
    run: &'a Recording,
    /// Those that the run is about; `None` if all are shown.
    only: Option<BTreeSet<(Tier, &'a str)>>,
    /// The fields that have more than one value, as kind and name. The others say nothing about a
    /// moment.
    telling: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Shown<'a> {
    /// The entities to show of a run.
    pub(super) fn of(run: &'a Recording) -> Self {
        let units = run.world.applications.values().map(|it| it.units.len());
        let count = run.world.machines.len() + units.sum::<usize>();
        let only = (count > WHOLE).then(|| about(run, run.steps.iter(), subjects(run)));
        Self { run, only, telling: telling(run) }
    }

    /// The entities to show of a run that goes on from the one state that is kept: those that agents
    /// would change next, too.
    pub(super) fn onward(run: &'a Recording) -> Self {
        let mut shown = Self::of(run);
        if let Some(only) = &mut shown.only {
            let next = run.states.iter().flat_map(|state| &state.possible);
            let next =
                next.filter(|it| !matches!(it.act.actor_is, ActorKind::User | ActorKind::Faults));
            let next = next.flat_map(|it| &it.changes).map(|change| &change.document);
            only.extend(about(run, [].into_iter(), next));
        }
        shown
    }

    /// Whether those that are not shown are listed: where there is but one state.
    pub(super) fn lists_others(&self) -> bool {
        matches!(self.run.kept, States::At(_))
    }

    /// The entities to show in a moment.
    pub(super) fn among(&self, state: usize) -> Among<'_, 'a> {
        let step = state.checked_sub(1).map(|index| &self.run.steps[index]);
        let touched = self.is_brief(state).then(|| about(self.run, step.into_iter(), []));
        Among { shown: self, touched }
    }

    /// Whether a moment shows only what its step has changed, as the run is long.
    pub(super) fn is_brief(&self, state: usize) -> bool {
        let last = self.run.steps.len();
        let is_one_of_many = self.run.kept == States::All;
        is_one_of_many && last > LONG && state != 0 && state != last
    }

    /// Whether a field of rows of this kind has more than one value.
    pub(super) fn is_telling(&self, kind: &str, field: &str) -> bool {
        self.telling.contains(&(kind, field))
    }

    /// The run.
    pub(super) fn run(&self) -> &'a Recording {
        self.run
    }
}

/// The entities to show in a moment.
pub(super) struct Among<'s, 'a> {
    shown: &'s Shown<'a>,
    touched: Option<BTreeSet<(Tier, &'a str)>>,
}

impl Among<'_, '_> {
    /// Those of `names` that are shown, and those that the page never shows.
    pub(super) fn of<'n>(
        &self,
        tier: Tier,
        names: impl Iterator<Item = &'n String>,
    ) -> (Vec<&'n str>, Vec<&'n str>) {
        let has = |only: &Option<BTreeSet<(Tier, &str)>>, name| {
            only.as_ref().is_none_or(|only| only.contains(&(tier, name)))
        };
        let names = names.map(String::as_str);
        let (mut shown, mut others): (Vec<_>, Vec<_>) =
            names.partition(|it| has(&self.shown.only, it));
        if self.touched.is_some() {
            others.clear();
        }
        shown.retain(|name| has(&self.touched, name));
        (shown, others)
    }
}

/// The entities that steps change something about, and those of these subjects.
fn about<'a>(
    run: &'a Recording,
    steps: impl Iterator<Item = &'a Step>,
    subjects: impl IntoIterator<Item = &'a DocumentName>,
) -> BTreeSet<(Tier, &'a str)> {
    let changed = steps.flat_map(|step| &step.changes).map(|change| &change.document);
    changed.chain(subjects).flat_map(|row| run.about(row)).collect()
}

/// What is owed, and what is answered, is about these.
fn subjects(run: &Recording) -> impl Iterator<Item = &DocumentName> {
    let owed = run.claims.iter().flat_map(|strip| &strip.owed).filter_map(|it| it.subject.as_ref());
    owed.chain(run.answers.iter().filter_map(|answer| answer.subject.as_ref()))
}

/// The fields that differ between rows of a kind, or between moments.
fn telling(run: &Recording) -> BTreeSet<(&str, &str)> {
    let mut first = BTreeMap::new();
    let all = run.steps.iter().flat_map(|step| &step.changes);
    let changed = all.map(|it| (it.document.kind.as_str(), it.field.as_str()));
    let mut telling: BTreeSet<(&str, &str)> = changed.collect();
    for moment in &run.states {
        for (kind, rows) in &moment.rows {
            for (field, value) in rows.values().flatten() {
                let key = (kind.as_str(), field.as_str());
                if *first.entry(key).or_insert(value) != value {
                    telling.insert(key);
                }
            }
        }
    }
    telling
}
