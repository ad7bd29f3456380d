//! The reader of values: each is read by the kind of its field.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    action::{Act, Hook, HookAct, TxnAct},
    ids::{ApplicationId, Id as _, MachineId, Placement, RelationId, UnitId},
    rows::FieldKind,
    world::World,
};

use super::{
    any::TomlValue,
    values::{FieldValue, NONE},
};
use crate::{
    problem::{Problem, Text},
    scenario::{
        constraints,
        names::{NameIndex, Names, no_duplicates, with_suggestion},
        value::{Located, Map},
    },
};

pub(super) struct ValueReader<'a> {
    pub(super) text: &'a Text,
    pub(super) world: &'a World,
    pub(super) names: &'a Names,
}

impl ValueReader<'_> {
    pub(super) fn value(
        &self,
        kind: FieldKind,
        value: &Located<TomlValue>,
    ) -> Result<FieldValue, Problem> {
        match kind {
            FieldKind::Flag => match value.value {
                TomlValue::Flag(flag) => Ok(FieldValue::Flag(flag)),
                _ => Err(self.wrong(value, "true or false was expected")),
            },
            FieldKind::Count => match value.value {
                TomlValue::Number(number) => u64::try_from(number).ok().map(FieldValue::Count),
                _ => None,
            }
            .ok_or_else(|| self.wrong(value, "a whole number that is not negative was expected")),
            FieldKind::State(states) => {
                let name = self.name(value, "a name was expected")?;
                let number = states.iter().position(|state| *state == name.value);
                number.map(|it| FieldValue::State(it, states[it])).ok_or_else(|| {
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
            FieldKind::Txn | FieldKind::Begun => self.pending(kind, value),
            FieldKind::Constraints => {
                let name = self.name(value, "constraints were expected, or none")?;
                let set = constraints::named(self.text, &self.world.constraints, &name)?;
                Ok(FieldValue::Constraints(set))
            }
            FieldKind::Commands => self.commands(value).map(FieldValue::Commands),
            FieldKind::Life | FieldKind::Document => {
                Err(self.wrong(value, "a field with values of its own was expected"))
            }
        }
    }

    /// The number given for each command of the world, 0 by default.
    fn commands(&self, value: &Located<TomlValue>) -> Result<Vec<u8>, Problem> {
        let label = "a table of commands of [user] was expected";
        let TomlValue::Table(Map(entries)) = &value.value else {
            return Err(self.wrong(value, label));
        };
        let commands = self.world.commands.iter();
        let known: Vec<String> =
            commands.map(|allowed| self.world.show_command(allowed.command)).collect();
        let mut counts = vec![0; known.len()];
        for (name, count) in entries {
            let Some(index) = known.iter().position(|known| *known == name.value) else {
                let message = format!("no command of this world: `{}`", name.value);
                let problem = self.text.problem(&name.span, message, label);
                return Err(with_suggestion(
                    problem,
                    &name.value,
                    known.iter().map(String::as_str),
                ));
            };
            counts[index] = match count.value {
                TomlValue::Number(number) => u8::try_from(number).ok(),
                _ => None,
            }
            .ok_or_else(|| self.wrong(count, "a number from 0 to 255 was expected"))?;
        }
        Ok(counts)
    }

    fn wrong(&self, value: &Located<TomlValue>, label: &str) -> Problem {
        self.text.problem(&value.span, "this is not a value of this field", label)
    }

    fn name(&self, value: &Located<TomlValue>, label: &str) -> Result<Located<String>, Problem> {
        match &value.value {
            TomlValue::Text(name) => Ok(Located { value: name.clone(), span: value.span.clone() }),
            _ => Err(self.wrong(value, label)),
        }
    }

    pub(super) fn list(
        &self,
        value: &Located<TomlValue>,
        of: &str,
    ) -> Result<Vec<Located<String>>, Problem> {
        let label = format!("an array of {of} was expected");
        let TomlValue::List(items) = &value.value else { return Err(self.wrong(value, &label)) };
        items.iter().map(|item| self.name(item, "a name was expected")).collect()
    }

    fn entity(
        &self,
        value: &Located<TomlValue>,
        index: &NameIndex,
        entity: fn(usize) -> EntityId,
    ) -> Result<FieldValue, Problem> {
        let name = self.name(value, "a name, or none, was expected")?;
        if name.value == NONE {
            return Ok(FieldValue::Name(None));
        }
        index.find(self.text, &name).map(|id| FieldValue::Name(Some(entity(id))))
    }

    fn ids(
        &self,
        value: &Located<TomlValue>,
        index: &NameIndex,
        of: &str,
    ) -> Result<Vec<usize>, Problem> {
        let names = self.list(value, of)?;
        no_duplicates(self.text, &names)?;
        names.iter().map(|name| index.find(self.text, name)).collect()
    }

    fn placement(&self, value: &Located<TomlValue>) -> Result<Placement, Problem> {
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

    fn pending(&self, kind: FieldKind, value: &Located<TomlValue>) -> Result<FieldValue, Problem> {
        let is_hook_possible = kind == FieldKind::Begun;
        let wanted = if is_hook_possible { "a transaction or a hook" } else { "a transaction" };
        let name = self.name(value, &format!("{wanted}, or none, was expected"))?;
        if name.value == NONE {
            return Ok(FieldValue::NothingPending);
        }
        if is_hook_possible && let Some(hook) = self.hook(&name.value) {
            return Ok(FieldValue::Hook(hook));
        }
        // A client can do any transaction.
        match self.world.read(&format!("client: {}", name.value)).map(|action| action.act) {
            Ok(Act::Txn(_, TxnAct::Run(operation))) => Ok(FieldValue::Txn(operation)),
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
