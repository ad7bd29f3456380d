//! Values that are expected of fields: read by the kind of the field, and held against what there
//! is.

use deathwatch_model::{
    action::{Act, Hook, HookAct, TxnAct},
    claims::EntityId,
    ids::{ApplicationId, Id as _, IdSet, MachineId, RelationId, UnitId},
    operation::Operation,
    rows::{FieldKind, Placement, Shown},
    world::World,
};

use super::any::Any;
use crate::{
    describe,
    problem::{Problem, Text},
    scenario::{
        names::{Index, Names, no_duplicates, with_suggestion},
        value::At,
    },
};

/// What stands for nothing.
const NONE: &str = "none";

/// A value that is expected of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Whether something is so.
    Flag(bool),
    /// A number of something.
    Count(u64),
    /// One of a few states, by its name.
    State(&'static str),
    /// The place of a unit.
    Placement(Placement),
    /// An entity, or none.
    Name(Option<EntityId>),
    /// These units, and no others.
    Units(IdSet<UnitId>),
    /// These machines, and no others.
    Machines(IdSet<MachineId>),
    /// What is pending, or nothing.
    Pending(Option<Begun>),
}

/// What somebody has begun and not finished yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// A transaction, by its operation.
    Txn(Operation),
    /// A hook.
    Hook(Hook),
}

impl FieldValue {
    /// Whether it is what is shown; of a document that does not exist nothing is, and that is what
    /// "none" stands for.
    pub(crate) fn is_shown(&self, shown: Option<Shown<'_>>) -> bool {
        let Some(shown) = shown else { return *self == Self::Name(None) };
        match (self, shown) {
            (Self::Flag(expected), Shown::Flag(actual)) => *expected == actual,
            (Self::Count(expected), Shown::Count(actual)) => *expected == actual,
            (Self::Count(expected), Shown::Aborts(actual, _)) => *expected == u64::from(actual),
            (Self::State(expected), Shown::State(_, actual)) => *expected == actual,
            (Self::Placement(expected), Shown::Placement(actual)) => *expected == actual,
            (Self::Name(expected), Shown::Name(actual)) => *expected == actual,
            (Self::Units(expected), Shown::Units(actual)) => expected == actual,
            (Self::Machines(expected), Shown::Machines(actual)) => expected == actual,
            (Self::Pending(expected), Shown::Txn(actual)) => {
                *expected == actual.map(|txn| Begun::Txn(txn.operation))
            }
            (Self::Pending(expected), Shown::Hook(actual)) => {
                *expected == Some(Begun::Hook(actual))
            }
            // Values of different kinds are never the same.
            (
                Self::Flag(_)
                | Self::Count(_)
                | Self::State(_)
                | Self::Placement(_)
                | Self::Name(_)
                | Self::Units(_)
                | Self::Machines(_)
                | Self::Pending(_),
                _,
            ) => false,
        }
    }

    /// The value as text.
    pub(crate) fn show(&self, world: &World) -> String {
        match self {
            Self::Flag(flag) => flag.to_string(),
            Self::Count(count) => count.to_string(),
            Self::State(name) => (*name).to_owned(),
            Self::Placement(placement) => show(world, Shown::Placement(*placement)),
            Self::Name(entity) => show(world, Shown::Name(*entity)),
            Self::Units(units) => show(world, Shown::Units(units)),
            Self::Machines(machines) => show(world, Shown::Machines(machines)),
            Self::Pending(None) => NONE.to_owned(),
            Self::Pending(Some(Begun::Txn(operation))) => world.show_operation(*operation),
            Self::Pending(Some(Begun::Hook(hook))) => world.show_hook(*hook),
        }
    }
}

/// What is shown, as text that could be expected.
pub(crate) fn show(world: &World, shown: Shown<'_>) -> String {
    match shown {
        Shown::Flag(flag) => flag.to_string(),
        shown => match describe::shown(world, shown) {
            text if text.is_empty() => NONE.to_owned(),
            text => text,
        },
    }
}

/// Reads values.
pub(super) struct Reader<'a> {
    pub(super) text: &'a Text,
    pub(super) world: &'a World,
    pub(super) names: &'a Names,
}

impl Reader<'_> {
    /// The value that is expected of a field of this kind.
    pub(super) fn value(&self, kind: FieldKind, value: &At<Any>) -> Result<FieldValue, Problem> {
        match kind {
            FieldKind::Flag => match value.value {
                Any::Flag(flag) => Ok(FieldValue::Flag(flag)),
                _ => Err(self.wrong(value, "true or false was expected")),
            },
            FieldKind::Count => match value.value {
                Any::Number(number) => u64::try_from(number).ok().map(FieldValue::Count),
                _ => None,
            }
            .ok_or_else(|| self.wrong(value, "a whole number that is not negative was expected")),
            FieldKind::State(states) => {
                let name = self.name(value, "a name was expected")?;
                let state = states.iter().find(|state| **state == name.value);
                state.map(|state| FieldValue::State(state)).ok_or_else(|| {
                    let label = format!("one of these was expected: {}", states.join(", "));
                    with_suggestion(self.wrong(value, &label), &name.value, states.iter().copied())
                })
            }
            FieldKind::Placement => self.placement(value).map(FieldValue::Placement),
            FieldKind::Machine => {
                self.entity(value, &self.names.machines, |id| EntityId::Machine(MachineId::new(id)))
            }
            FieldKind::Application => self.entity(value, &self.names.applications, |id| {
                EntityId::Application(ApplicationId::new(id))
            }),
            FieldKind::Unit => {
                self.entity(value, &self.names.units, |id| EntityId::Unit(UnitId::new(id)))
            }
            FieldKind::Relation => self
                .entity(value, &self.names.relations, |id| EntityId::Relation(RelationId::new(id))),
            FieldKind::Units => {
                let ids = self.ids(value, &self.names.units, "units")?;
                Ok(FieldValue::Units(ids.into_iter().map(UnitId::new).collect()))
            }
            FieldKind::Machines => {
                let ids = self.ids(value, &self.names.machines, "machines")?;
                Ok(FieldValue::Machines(ids.into_iter().map(MachineId::new).collect()))
            }
            FieldKind::Txn | FieldKind::Begun => self.pending(kind, value).map(FieldValue::Pending),
            FieldKind::Life | FieldKind::List | FieldKind::Document => {
                Err(self.wrong(value, "nothing can be expected of this field"))
            }
        }
    }

    fn wrong(&self, value: &At<Any>, label: &str) -> Problem {
        self.text.problem(&value.span, "this is not a value of this field", label)
    }

    /// A string.
    fn name(&self, value: &At<Any>, label: &str) -> Result<At<String>, Problem> {
        match &value.value {
            Any::Text(name) => Ok(At { value: name.clone(), span: value.span.clone() }),
            _ => Err(self.wrong(value, label)),
        }
    }

    /// The strings of an array.
    pub(super) fn list(&self, value: &At<Any>, of: &str) -> Result<Vec<At<String>>, Problem> {
        let label = format!("an array of {of} was expected");
        let Any::List(items) = &value.value else { return Err(self.wrong(value, &label)) };
        items.iter().map(|item| self.name(item, "a name was expected")).collect()
    }

    fn entity(
        &self,
        value: &At<Any>,
        index: &Index,
        entity: fn(usize) -> EntityId,
    ) -> Result<FieldValue, Problem> {
        let name = self.name(value, "a name, or none, was expected")?;
        if name.value == NONE {
            return Ok(FieldValue::Name(None));
        }
        index.find(self.text, &name).map(|id| FieldValue::Name(Some(entity(id))))
    }

    fn ids(&self, value: &At<Any>, index: &Index, of: &str) -> Result<Vec<usize>, Problem> {
        let names = self.list(value, of)?;
        no_duplicates(self.text, &names)?;
        names.iter().map(|name| index.find(self.text, name)).collect()
    }

    fn placement(&self, value: &At<Any>) -> Result<Placement, Problem> {
        let name = self.name(value, "a machine, a principal, or none, was expected")?;
        if name.value == NONE {
            return Ok(Placement::Nowhere);
        }
        match self.names.subject(self.text, &name)? {
            EntityId::Machine(id) => Ok(Placement::Machine(id)),
            EntityId::Unit(id) => Ok(Placement::Principal(id)),
            EntityId::Application(_) | EntityId::Relation(_) => {
                Err(self.wrong(value, "a machine, a principal, or none, was expected"))
            }
        }
    }

    fn pending(&self, kind: FieldKind, value: &At<Any>) -> Result<Option<Begun>, Problem> {
        let is_hook_possible = kind == FieldKind::Begun;
        let wanted = if is_hook_possible { "a transaction or a hook" } else { "a transaction" };
        let name = self.name(value, &format!("{wanted}, or none, was expected"))?;
        if name.value == NONE {
            return Ok(None);
        }
        if is_hook_possible && let Some(hook) = self.hook(&name.value) {
            return Ok(Some(Begun::Hook(hook)));
        }
        // A client can do any transaction.
        match self.world.read(&format!("client: {}", name.value)).map(|action| action.act) {
            Ok(Act::Txn(_, TxnAct::Run(operation))) => Ok(Some(Begun::Txn(operation))),
            Ok(_) => Err(self.wrong(value, &format!("{wanted}, or none, was expected"))),
            Err(error) => {
                let label = format!("{wanted}, such as remove-unit wordpress/0, was expected");
                Err(self.text.problem(&value.span, error.message, &label))
            }
        }
    }

    /// The hook of this name. Any unit's agent can be asked, as a hook has the same name for all.
    fn hook(&self, name: &str) -> Option<Hook> {
        let unit = &self.world.units.first()?.name;
        let action = self.world.read(&format!("unit-agent {unit}: {name}")).ok()?;
        match action.act {
            Act::Hook(_, HookAct::Run(hook)) => Some(hook),
            _ => None,
        }
    }
}
