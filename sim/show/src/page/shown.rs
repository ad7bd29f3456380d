//! Shown entities: all of a small world; of a large one those that a run is about, with the number
//! of the others.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::life::Life;

use deathwatch_documents::{
    Run,
    run::{ActorKind, Change, DocumentName, States, Step, Tier, Value},
};

/// The field of a document that has no value where there is no document.
const LIFE: &str = "life";
/// A world with at most this number of machines and units is shown whole.
const WHOLE: usize = 16;
/// The number of entities of each tier that are unfolded, where a larger world is explored.
const FOREMOST: usize = 12;
/// The greatest number of steps of a run that shows every moment whole. Otherwise all but the first
/// and the last show only the changes of their step.
const LONG: usize = 100;
/// The greatest number of entities with which a run still shows every moment whole.
const MANY: usize = 40;
/// The greatest number of listed actions, possible or not, with which a run still shows every
/// moment whole.
const MANY_ACTIONS: usize = 4_000;
/// The page of a run with more steps than this has no room for the passages of each.
const WITH_PASSAGES: usize = 40;

/// The entities that a page shows.
pub(super) struct Shown<'a> {
    run: &'a Run,
    /// The entities that the run is about; `None` if all are shown.
    only: Option<BTreeSet<(Tier, &'a str)>>,
    /// The number of actions that its states tell of.
    actions: usize,
    /// The fields that say something about a moment, as kind and name.
    telling: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Shown<'a> {
    /// The entities to show of a run.
    pub(super) fn of(run: &'a Run) -> Self {
        let only = (!is_whole(run)).then(|| about(run, run.steps.iter(), subjects(run)));
        let actions = run.states.iter().map(|it| it.possible.len() + it.impossible.len()).sum();
        Self { run, only, actions, telling: telling(run) }
    }

    /// The entities to show of a run that is explored, at the state with this number: in a large
    /// world the `opened` ones, and the foremost of each tier.
    pub(super) fn onward(run: &'a Run, at: usize, opened: &[(Tier, &'a str)]) -> Self {
        let mut shown = Self::of(run);
        if shown.only.is_some() {
            shown.only = Some(foremost(run, at, opened));
        }
        shown
    }

    /// Whether the page shows an entity.
    pub(super) fn has(&self, tier: Tier, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&(tier, name)))
    }

    /// Whether the page shows the whole world.
    pub(super) fn is_whole(&self) -> bool {
        self.only.is_none()
    }

    /// The entities to show in a moment.
    pub(super) fn among(&self, state: usize) -> ShownEntities<'_, 'a> {
        let step = state.checked_sub(1).map(|index| &self.run.steps[index]);
        let touched = self.is_brief(state).then(|| about(self.run, step.into_iter(), []));
        ShownEntities { shown: self, touched }
    }

    /// Whether a moment shows only the changes of its step, as the run is long.
    pub(super) fn is_brief(&self, state: usize) -> bool {
        let last = self.run.steps.len();
        let is_one_of_many = self.run.kept == States::All;
        let is_much = last > LONG
            || self.only.as_ref().is_some_and(|it| it.len() > MANY)
            || self.actions > MANY_ACTIONS;
        is_one_of_many && is_much && state != 0 && state != last
    }

    /// Whether each moment has the passages that its clauses cite.
    pub(super) fn has_passages(&self) -> bool {
        self.run.kept != States::All || self.run.steps.len() <= WITH_PASSAGES
    }

    /// Whether a change is worth a line. A field with the one value that it always has is none,
    /// where its row comes or goes. Lives always are.
    pub(super) fn is_informative(&self, change: &Change) -> bool {
        change.field == LIFE || self.is_telling(&change.document.kind, &change.field)
    }

    /// Whether a field of rows of this kind has more than one value.
    pub(super) fn is_telling(&self, kind: &str, field: &str) -> bool {
        self.telling.contains(&(kind, field))
    }

    pub(super) fn run(&self) -> &'a Run {
        self.run
    }
}

/// Whether a page shows the whole world of a run.
pub(crate) fn is_whole(run: &Run) -> bool {
    let units = run.world.applications.values().map(|it| it.units.len());
    run.world.machines.len() + units.sum::<usize>() <= WHOLE
}

/// The entities to show in a moment.
pub(super) struct ShownEntities<'s, 'a> {
    shown: &'s Shown<'a>,
    touched: Option<BTreeSet<(Tier, &'a str)>>,
}

impl ShownEntities<'_, '_> {
    /// The shown ones among `names`, and those that the page never shows.
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
    run: &'a Run,
    steps: impl Iterator<Item = &'a Step>,
    subjects: impl IntoIterator<Item = &'a DocumentName>,
) -> BTreeSet<(Tier, &'a str)> {
    let changed = steps.flat_map(|step| &step.changes).map(|change| &change.document);
    changed.chain(subjects).flat_map(|row| run.about(row)).collect()
}

/// The `opened` entities, and the first few of each tier in this order: changed by the last step,
/// owed something, Dying or Dead, touched by the run, and changed next by agents.
fn foremost<'a>(run: &'a Run, at: usize, opened: &[(Tier, &'a str)]) -> BTreeSet<(Tier, &'a str)> {
    let mut only: BTreeSet<(Tier, &str)> = opened.iter().copied().collect();
    let last = at.checked_sub(1).map(|index| &run.steps[index]);
    let owed = run.claims.iter().flat_map(|strip| &strip.owed);
    let owed = owed.filter(|it| it.is_open_at(at)).filter_map(|it| it.subject.as_ref());
    let next = run.moment(at).into_iter().flat_map(|moment| &moment.possible);
    let next = next.filter(|it| !is_outside(it.act.actor_is));
    let next = next.flat_map(|it| &it.changes).map(|change| &change.document);
    let groups = [
        about(run, last.into_iter(), []),
        about(run, [].into_iter(), owed),
        ending(run, at),
        about(run, run.steps.iter(), []),
        about(run, [].into_iter(), next),
    ];
    for (tier, name) in groups.into_iter().flatten() {
        if only.iter().filter(|(known, _)| *known == tier).count() < FOREMOST {
            only.insert((tier, name));
        }
    }
    only
}

/// Whether an actor is no part of the protocol, and may do much at any time.
pub(super) fn is_outside(actor: ActorKind) -> bool {
    match actor {
        ActorKind::User | ActorKind::Client | ActorKind::Faults => true,
        ActorKind::UnitAgent
        | ActorKind::MachineAgent
        | ActorKind::Provisioner
        | ActorKind::Cleaner
        | ActorKind::Operator
        | ActorKind::Supervisor => false,
    }
}

/// The entities that are Dying or Dead.
fn ending(run: &Run, at: usize) -> BTreeSet<(Tier, &str)> {
    let mut ending = BTreeSet::new();
    for (kind, rows) in run.moment(at).into_iter().flat_map(|moment| &moment.rows) {
        let [tier] = run.kinds[kind].about[..] else { continue };
        for (name, row) in rows {
            if let Some(Some(Value::Word(life))) = row.get("life")
                && [Life::Dying, Life::Dead].map(|it| Life::word(Some(it))).contains(&life.as_str())
            {
                ending.insert((tier, name.as_str()));
            }
        }
    }
    ending
}

/// The subjects of obligations and answers.
fn subjects(run: &Run) -> impl Iterator<Item = &DocumentName> {
    let owed = run.claims.iter().flat_map(|strip| &strip.owed).filter_map(|it| it.subject.as_ref());
    owed.chain(run.answers.iter().filter_map(|answer| answer.subject.as_ref()))
}

/// The fields of rows, as kind and name, that have more than one value, or would if something
/// happened that can. Others say nothing: a field of a detail that is off has the same value in
/// every row that exists.
fn telling(run: &Run) -> BTreeSet<(&str, &str)> {
    let mut values = Values { run, first: BTreeMap::new(), telling: BTreeSet::new() };
    for moment in &run.states {
        for (kind, rows) in &moment.rows {
            for row in rows.values() {
                let is_there = row.get(LIFE).is_none_or(Option::is_some);
                for (field, value) in row {
                    values.note(kind, field, value.as_ref(), is_there);
                }
            }
        }
    }
    let done = run.steps.iter().map(|step| &step.changes);
    let possible = run.states.iter().flat_map(|moment| &moment.possible);
    for changes in done.chain(possible.map(|possible| &possible.changes)) {
        values.note_changes(changes);
    }
    values.telling
}

/// The values of fields, as far as they were looked at.
struct Values<'a> {
    run: &'a Run,
    first: BTreeMap<(&'a str, &'a str), Option<&'a Value>>,
    telling: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Values<'a> {
    fn note_changes(&mut self, changes: &'a [Change]) {
        let lives = || changes.iter().filter(|change| change.field == LIFE);
        for Change { document, field, before, after } in changes {
            let life = lives().find(|it| it.document == *document);
            let (was_there, is_there) =
                life.map_or((true, true), |life| (life.before.is_some(), life.after.is_some()));
            self.note(&document.kind, field, before.as_ref(), was_there);
            self.note(&document.kind, field, after.as_ref(), is_there);
        }
    }

    /// Notes the value of a field of a row that exists or not.
    fn note(&mut self, kind: &'a str, field: &'a str, value: Option<&'a Value>, is_there: bool) {
        let fields = self.run.kinds.get(kind).map(|kind| &kind.fields);
        let is_optional = fields.is_some_and(|it| it.get(field).is_some_and(|it| it.optional));
        if value.is_none() && !(is_there && is_optional) {
            return;
        }
        if *self.first.entry((kind, field)).or_insert(value) != value {
            self.telling.insert((kind, field));
        }
    }
}
