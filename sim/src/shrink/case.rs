//! A case: a world, and a run in it that violates the claim.

use std::{fmt::Write as _, sync::Arc};

use deathwatch_model::{
    action::Action,
    claims::{Claim, ClaimKind, EntityId, Monitor},
    state::State,
    txn::Doc,
    world::World,
};
use toml::Table;

use super::{
    items::Renamed,
    walk::{Violating, Walk, Wanted},
};
use crate::{
    describe,
    scenario::{self, Scenario},
};

/// A world and a run in it that violates the claim.
#[derive(Clone)]
pub(super) struct Case {
    /// What the scenario says, in full.
    pub(super) table: Table,
    /// What that was understood as.
    pub(super) scenario: Arc<Scenario>,
    /// The document that the claim fails for, if it is about what must follow.
    pub(super) subject: Option<EntityId>,
    /// The run, each step of which is possible.
    pub(super) steps: Vec<Action>,
}

impl Case {
    /// Sets out from where the case begins.
    pub(super) fn walk(&self, wanted: Wanted) -> Walk<'_> {
        Walk::begin(&self.scenario.world, &self.scenario.start, wanted, self.subject)
    }

    /// The same run in the world that `table` describes, if that is one in which it can be told
    /// and still violates the claim. Steps are told by name, and those about things that are not
    /// there are left out. A world that begins with a fault of its own would be no explanation.
    pub(super) fn moved(&self, table: Table, renamed: &Renamed, wanted: Wanted) -> Option<Self> {
        let scenario = understood(&self.scenario, &table)?;
        let (old, new) = (&self.scenario.world, &scenario.world);
        if !is_as_sound((new, &scenario.start), (old, &self.scenario.start)) {
            return None;
        }
        let line = |action: &Action| new.read(&told(&old.show(action), renamed)?).ok();
        let steps: Vec<Action> = self.steps.iter().filter_map(line).collect();
        let subject = match self.subject {
            None => None,
            Some(subject) => Some(named(new, &told(&name(old, subject), renamed)?)?),
        };
        let case = Self { table, scenario, subject, steps };
        let Violating { steps, .. } = case.walk(wanted).violates(wanted, &case.steps)?;
        Some(Self { steps, ..case })
    }

    /// Another run in the same world, if that violates the claim.
    pub(super) fn with_steps(&self, steps: &[Action], wanted: Wanted) -> Option<Self> {
        let Violating { steps, .. } = self.walk(wanted).violates(wanted, steps)?;
        Some(Self { steps, ..self.clone() })
    }

    /// The whole run: its steps, and the calm after them.
    pub(super) fn whole(&self, wanted: Wanted) -> Option<Violating> {
        self.walk(wanted).violates(wanted, &self.steps)
    }
}

/// Whether a world can begin in a state as well as another can in another: no claim about states is
/// violated there that is not violated in the other.
fn is_as_sound(one: (&World, &State), other: (&World, &State)) -> bool {
    let mut found = violated_at(one);
    if !found.is_empty() {
        let known = violated_at(other);
        found.retain(|claim| !known.contains(claim));
    }
    found.is_empty()
}

/// The names of the claims about states that are violated in one.
fn violated_at((world, state): (&World, &State)) -> Vec<&'static str> {
    let mut violated = Vec::new();
    Monitor::new(world, state, Claim::all(), &mut |claim, _| violated.push(claim.name));
    violated
}

/// The document to watch for `claim`, once it was found to be at fault.
pub(super) fn watched(claim: &Claim, subject: EntityId) -> Option<EntityId> {
    (claim.kind() == ClaimKind::Leads).then_some(subject)
}

/// The scenario that `table` is, if it is one.
pub(super) fn understood(base: &Scenario, table: &Table) -> Option<Arc<Scenario>> {
    let text = toml::to_string(table).ok()?;
    scenario::parse(&base.path, text).ok().map(Arc::new)
}

/// A line in which units have the names they have now; `None` if one of them is gone.
fn told(line: &str, renamed: &Renamed) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    for (index, word) in line.split(' ').enumerate() {
        let name = word.strip_suffix(':').unwrap_or(word);
        if index > 0 {
            text.push(' ');
        }
        match renamed.get(name) {
            None => text.push_str(word),
            Some(None) => return None,
            Some(Some(now)) => {
                let _ = write!(text, "{now}{}", &word[name.len()..]);
            }
        }
    }
    Some(text)
}

fn name(world: &World, subject: EntityId) -> String {
    world.show_doc(match subject {
        EntityId::Machine(id) => Doc::Machine(id),
        EntityId::Application(id) => Doc::Application(id),
        EntityId::Unit(id) => Doc::Unit(id),
        EntityId::Relation(id) => Doc::Relation(id),
    })
}

fn named(world: &World, wanted: &str) -> Option<EntityId> {
    describe::subjects(world).find(|subject| name(world, *subject) == wanted)
}
