//! The reason why, at the end of a run, no actor does anything about an entity that nothing holds.
//!
//! In the middle of a run it is enough that the actor that has to act next can. At its end that
//! actor never gets a turn, neglects the duty, has none under these variants, or is not assumed to
//! act. The reason is found by trying each of these changes: does some actor move then?

use deathwatch_model::{
    action::Action,
    agents::{self, Enabled, Task},
    clause::{Clause, Rule},
    free_ids::Scan,
    ids::EntityId,
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    variants::Variants,
    world::World,
};

use super::roots::RootKind;

/// The greatest number of rows of a world for which other variants are tried.
const MOST_ROWS: usize = 2_000;

/// The end of a run: its last state, and the states of the loop that follows, if there is one.
pub(super) struct RunEnding<'a> {
    pub(super) world: &'a World,
    /// The last state, then those of the loop.
    pub(super) states: &'a [State],
}

impl RunEnding<'_> {
    /// The reason why no actor does anything about `entity`. A change by which an actor would touch
    /// one of its rows comes before a change by which an actor would move at all.
    pub(super) fn why(&self, entity: EntityId) -> RootKind {
        let about = Some(entity);
        let owed = agents::assumed_tasks(self.world);
        let others = others(self.world);
        let is_loop = self.states.len() > 1;
        if let Some(kind) = self.clause(about) {
            return kind;
        }
        if is_loop && self.anybody(self.world, &owed, about) {
            return RootKind::KeptBusy;
        }
        if let Some(kind) = self.rule(about) {
            return kind;
        }
        if self.anybody(self.world, &others, about) {
            return RootKind::NotAssumed;
        }
        if let Some(kind) = self.clause(None) {
            return kind;
        }
        if self.anybody(self.world, &others, None) {
            return RootKind::NotAssumed;
        }
        if let Some(variant) = self.variant(entity) {
            return RootKind::Variant(variant);
        }
        let is_busy = is_loop && self.anybody(self.world, &owed, None);
        if is_busy { RootKind::KeptBusy } else { RootKind::NoDuty }
    }

    /// Whether one of `tasks` has an action in some state that touches a row of `about`.
    fn anybody(&self, world: &World, tasks: &[Task], about: Option<EntityId>) -> bool {
        self.states.iter().any(|state| {
            moves(world, state, tasks)
                .into_iter()
                .any(|it| ActionEffect::of(world, state, it).is(about))
        })
    }

    /// The clause that some actor would carry out next if it were not switched off or neglected.
    fn clause(&self, about: Option<EntityId>) -> Option<RootKind> {
        let (off, neglected) = (self.world.without, self.world.neglected);
        if off.is_empty() && neglected.is_empty() {
            return None;
        }
        let whole = self.world.changed(|it| {
            (it.without, it.neglected) = Default::default();
        });
        let tasks = agents::assumed_tasks(&whole);
        for state in self.states {
            for action in moves(&whole, state, &tasks) {
                let done = ActionEffect::of(&whole, state, action);
                // A rule of the scenario's own that is off is no part of the protocol.
                let mut clauses = done.clauses.iter().copied().filter(|it| it.rule != Rule::Own);
                let lacking = clauses.find(|it| off.contains(*it) || neglected.contains(*it));
                let lacking = lacking.filter(|_| done.is(about));
                if let Some(clause) = lacking {
                    let is_off = off.contains(clause);
                    let kind = if is_off { RootKind::SwitchedOff } else { RootKind::Neglected };
                    return Some(kind(clause));
                }
            }
        }
        None
    }

    /// The first rule of the scenario's own that keeps an assumed actor from acting.
    fn rule(&self, about: Option<EntityId>) -> Option<RootKind> {
        let mut rules = self.world.own_rules.clauses().map(|(clause, _)| clause);
        let keeps = |rule: &Clause| {
            let without = self.world.changed(|it| it.without.insert(*rule));
            let owed = agents::assumed_tasks(&without);
            !self.world.is_off(*rule) && self.anybody(&without, &owed, about)
        };
        rules.find(keeps).map(RootKind::NotAllowed)
    }

    /// The first variant that has another value with which some actor would act on `entity`.
    fn variant(&self, entity: EntityId) -> Option<&'static str> {
        let rows: usize = RowKind::ALL.into_iter().map(|kind| kind.count(self.world)).sum();
        if rows > MOST_ROWS {
            return None;
        }
        let is_other = |name: &str, value: &str| {
            let mut variants = self.world.variants;
            let is_set = variants.set(name, value).is_ok() && variants != self.world.variants;
            is_set && {
                let world = self.world.changed(|it| it.variants = variants);
                self.anybody(&world, &agents::assumed_tasks(&world), Some(entity))
            }
        };
        let helps = |name: &str, values: &[(&str, &str)]| {
            values.iter().any(|(value, _)| is_other(name, value))
        };
        let mut variants = Variants::LIST.iter();
        variants.find(|it| helps(it.name, it.values)).map(|it| it.name)
    }
}

/// The tasks of all actors that are not assumed to act, without faults.
fn others(world: &World) -> Vec<Task> {
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    tasks.filter(|task| !task.is_owed(world) && *task != Task::Faults).collect()
}

/// The actions of these tasks in `state`. A user only continues commands that are begun.
fn moves(world: &World, state: &State, tasks: &[Task]) -> Vec<Action> {
    let mut enabled = Enabled::default();
    let mut all = Vec::new();
    for task in tasks {
        enabled.clear();
        if let Task::User(id) = *task {
            agents::user_goes_on(world, state, id, &Scan, &mut enabled);
        } else {
            agents::enabled_for_task(world, state, *task, &Scan, &mut enabled);
        }
        all.append(&mut enabled.actions);
    }
    all
}

struct ActionEffect {
    entities: Vec<EntityId>,
    clauses: Vec<Clause>,
}

impl ActionEffect {
    fn of(world: &World, state: &State, action: Action) -> Self {
        let (mut next, mut effects) = (state.clone(), Effects::default());
        protocol::step(world, &mut next, action, &mut effects);
        let entities = effects.touched.iter().filter_map(|row| row.actor()).collect();
        Self { entities, clauses: effects.clauses }
    }

    /// Whether the action touches this entity; true if none is given.
    fn is(&self, about: Option<EntityId>) -> bool {
        about.is_none_or(|entity| self.entities.contains(&entity))
    }
}
