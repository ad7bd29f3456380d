//! The slice of a run that is too long to be read: the steps that made the roots at its end, each
//! with its own number.
//!
//! A run of a thousand units has fifteen thousand steps, of which a few dozen are about the unit
//! that holds everything. What is stuck at the end says which entities those are: the *roots*, and
//! those that wait for them. A step is shown if it changes a row that a root acts for, or the life
//! of one that waits, or begins the transaction that does. So what is left out changes nothing of
//! what is shown but counts.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_claims::{ClaimKind, Diagnosis};
use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::Actor,
    ids::{EntityId, Placement},
    rows::{Row, RowKind},
    state::State,
    world::World,
};
use deathwatch_scenario::{
    replay::{Interpreter, Replay},
    scenario::Scenario,
};

use super::{decided::DecidedClaim, tables::differing};

/// The greatest number of steps with which a run is shown whole.
const READABLE: usize = 200;
/// The greatest number of entities whose rows are followed.
const MOST_ROOTS: usize = 2;
/// The greatest number of entities waiting for the roots that are listed.
const MOST_WAITING: usize = 12;
/// The greatest number of steps that are shown: the last ones.
const MOST_STEPS: usize = 100;
const LIFE: &str = "life";

/// The slice of a run.
pub struct Slice {
    /// The entities that hold the end.
    pub(super) roots: BTreeSet<EntityId>,
    /// The roots, the entities that wait for them, and the machines and applications of the units
    /// among these.
    concerned: BTreeSet<EntityId>,
    /// The indices of the steps that are shown.
    kept: BTreeSet<usize>,
    /// The first step that is shown and that is not possible without those that are not, or comes
    /// to something else then; its index.
    needs_others: Option<usize>,
}

impl Slice {
    /// Whether a script is too long to be shown whole.
    pub fn is_needed(replay: &Replay) -> bool {
        replay.actions.len() > READABLE && replay.cycle.is_empty()
    }

    /// The slice of a long run that decides these claims; `None`, if the run is short, or decides
    /// nothing about an entity.
    pub(super) fn of(
        scenario: &Scenario,
        actions: &[Action],
        found: &[DecidedClaim],
    ) -> Option<Self> {
        if actions.len() <= READABLE {
            return None;
        }
        let last = Interpreter::after(&scenario.world, scenario.start.clone(), actions).state;
        let mut slice = Self::about(&scenario.world, found, &last)?;
        slice.kept = slice.steps(scenario, actions);
        while slice.kept.len() > MOST_STEPS {
            slice.kept.pop_first();
        }
        slice.needs_others = slice.first_that_needs_others(scenario, actions);
        Some(slice)
    }

    /// A slice about these entities, without steps.
    fn about(world: &World, found: &[DecidedClaim], last: &State) -> Option<Self> {
        let of_claim = |found: &DecidedClaim| {
            let subject = found.subject?;
            let about: Vec<EntityId> = subject.about().collect();
            if found.claim.is_none_or(|it| it.kind() != ClaimKind::Leads) {
                return Some((about.clone(), about));
            }
            let diagnosis = Diagnosis::at_end(world, last, subject);
            let roots = diagnosis.roots().into_iter().flat_map(|it| it.entities).collect();
            Some((roots, diagnosis.nodes().map(|(entity, _)| entity).collect()))
        };
        let by_claim = found.iter().filter_map(of_claim);
        // What comes from one root is the clearest.
        let clearest = by_claim.min_by_key(|(roots, _): &(Vec<_>, Vec<_>)| roots.len());
        let (roots, nodes) = clearest?;
        let roots: BTreeSet<EntityId> = roots.into_iter().take(MOST_ROOTS).collect();
        let nodes = nodes.into_iter().filter(|it| !roots.contains(it)).take(MOST_WAITING);
        let subjects = found.iter().filter_map(|found| found.subject?.actor());
        let waiting = nodes.chain(subjects);
        let mut concerned: BTreeSet<EntityId> = roots.iter().copied().chain(waiting).collect();
        let units = concerned.clone();
        for entity in units {
            concerned.extend(host(last, entity));
            if let EntityId::Unit(id) = entity {
                concerned.insert(EntityId::Application(world.unit(id).application));
            }
        }
        let is_some = !roots.is_empty();
        is_some.then_some(Self { roots, concerned, kept: BTreeSet::new(), needs_others: None })
    }

    /// The indices of the steps that change a row of the slice's entities.
    fn steps(&self, scenario: &Scenario, actions: &[Action]) -> BTreeSet<usize> {
        let mut interpreter = Interpreter::new(&scenario.world, scenario.start.clone());
        let (mut kept, mut begun) = (BTreeSet::new(), BTreeMap::new());
        for (index, action) in actions.iter().enumerate() {
            if let Act::Txn(client, TxnAct::Begin(_)) = action.act {
                begun.insert(client, index);
            }
            interpreter.step(*action, None);
            let touched = interpreter.effects.touched.iter();
            let (before, after) = (interpreter.before(), &interpreter.state);
            if touched.copied().any(|row| self.changes(row, before, after)) {
                kept.insert(index);
                // A commit is nothing without its begin.
                if let Act::Txn(client, TxnAct::Commit) = action.act {
                    kept.extend(begun.get(&client).copied());
                }
            }
        }
        kept
    }

    /// Whether a step changes this row in a way that is shown.
    fn changes(&self, row: Row, before: &State, after: &State) -> bool {
        let is_in = |entities: &BTreeSet<EntityId>, it: Option<EntityId>| {
            it.is_some_and(|it| entities.contains(&it))
        };
        if is_in(&self.roots, row.actor()) {
            return !differing(before, after, row).is_empty();
        }
        is_in(&self.concerned, row.own_entity()) && differing(before, after, row).contains(&LIFE)
    }

    /// The first step that cannot be taken, or leads elsewhere, if the others are left out.
    fn first_that_needs_others(&self, scenario: &Scenario, actions: &[Action]) -> Option<usize> {
        let mut whole = Interpreter::new(&scenario.world, scenario.start.clone());
        let mut alone = Interpreter::new(&scenario.world, scenario.start.clone());
        let rows: Vec<Row> = self.rows(&scenario.world).collect();
        let mine = rows.iter().filter(|row| row.actor().is_some_and(|it| self.roots.contains(&it)));
        let mine: Vec<Row> = mine.copied().collect();
        for (index, action) in actions.iter().enumerate() {
            whole.step(*action, None);
            if !self.kept.contains(&index) {
                continue;
            }
            let Some((action, planned)) = alone.find(*action) else { return Some(index) };
            alone.step(action, planned);
            let differs = |row: &&Row| !differing(&whole.state, &alone.state, **row).is_empty();
            if mine.iter().find(differs).is_some() {
                return Some(index);
            }
        }
        None
    }

    /// The rows of the slice: those about no other entity.
    pub(super) fn rows<'w>(&'w self, world: &'w World) -> impl Iterator<Item = Row> + 'w {
        let all = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world));
        all.filter(|row| {
            let mut about = row.about().peekable();
            about.peek().is_some() && about.all(|it| self.concerned.contains(&it))
        })
    }

    /// Whether a row is that of an entity of the slice.
    pub(super) fn is_about(&self, row: Row) -> bool {
        row.actor().is_some_and(|it| self.concerned.contains(&it))
    }

    /// Whether an entity is one of the slice.
    pub(super) fn tells_of(&self, entity: EntityId) -> bool {
        self.concerned.contains(&entity)
    }

    /// The number of steps that are shown.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether the step with this index is shown.
    pub fn shows(&self, index: usize) -> bool {
        self.kept.contains(&index)
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = Actor> + '_ {
        self.concerned.iter().copied().filter_map(Actor::agent_of)
    }

    /// The number of the first step that is shown and needs others.
    pub(super) fn needs_others(&self) -> Option<usize> {
        self.needs_others.map(|index| index + 1)
    }
}

/// The machine on which a unit is, or on which its principal is.
fn host(state: &State, entity: EntityId) -> Option<EntityId> {
    let EntityId::Unit(mut unit) = entity else { return None };
    loop {
        match state.store.unit(unit)?.placement {
            Placement::Machine(id) => return Some(EntityId::Machine(id)),
            Placement::Principal(id) => unit = id,
            Placement::Nowhere => return None,
        }
    }
}
