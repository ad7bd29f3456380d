//! Strings: their meaning depends on the type that they are compared with.

use std::ops::Range;

use deathwatch_model::{
    action::{Act, Hook, HookAct, TxnAct},
    ids::EntityId,
    rows::{Row, RowKind},
    world::World,
};

use super::Checker;
use crate::{
    Error,
    types::{BegunWork, NONE, NameType, Type, Value, quoted},
};

impl Checker<'_> {
    /// The value that a string stands for, where a value of this type is expected.
    pub(super) fn text(
        &self,
        text: &str,
        span: &Range<usize>,
        wanted: Type,
    ) -> Result<Value, Error> {
        match wanted {
            Type::Word(words) => {
                let Some(at) = words.iter().position(|word| *word == text) else {
                    let message = format!("`{text}` is none of the values that are possible here");
                    let error =
                        Error::new(span, message, format!("{} were expected", quoted(words)));
                    return Err(error.with_names(text, words.iter().copied()));
                };
                Ok(Value::Word(u8::try_from(at).expect("words are few")))
            }
            Type::Name(names) => self.entity(text, span, names),
            Type::Begun => self.begun(text, span),
            Type::Constraints => {
                let sets = &self.world.constraints;
                let found = sets.named(text).map(Value::Constraints);
                found.ok_or_else(|| unnamed(text, span, wanted, sets.names()))
            }
            Type::Series => {
                let all = &self.world.series;
                let none = (text == NONE).then_some(Value::Series(None));
                let found = all.named(text).map(|it| Value::Series(Some(it))).or(none);
                found.ok_or_else(|| unnamed(text, span, wanted, all.names()))
            }
            Type::Flag | Type::Number(..) | Type::Row(..) => {
                let expected = format!("{} was expected", wanted.shown());
                Err(Error::new(span, "this is a string", expected))
            }
        }
    }

    fn entity(&self, text: &str, span: &Range<usize>, names: NameType) -> Result<Value, Error> {
        if text == NONE && names.or_none {
            return Ok(Value::Name(None));
        }
        let found = named(self.world, text);
        if let Some(entity) = found.filter(|entity| names.has(Row::from(*entity).kind())) {
            return Ok(Value::Name(Some(entity)));
        }
        let wanted = Type::Name(names).shown();
        let message = match (found, text) {
            (Some(_), _) => format!("`{text}` is not {wanted}"),
            (None, NONE) => "there always is one here".to_owned(),
            (None, _) => format!("nothing is called `{text}`"),
        };
        let error = Error::new(span, message, format!("{wanted} was expected"));
        Err(error.with_names(text, known(self.world, names)))
    }

    fn begun(&self, text: &str, span: &Range<usize>) -> Result<Value, Error> {
        if text == NONE {
            return Ok(Value::Begun(None));
        }
        if let Some(hook) = hook(self.world, text) {
            return Ok(Value::Begun(Some(BegunWork::Hook(hook))));
        }
        let expected = "a transaction, such as \"remove-unit wordpress/0\", a hook or \"none\" was \
                        expected";
        // A client can do any transaction.
        match self.world.read(&format!("client: {text}")).map(|action| action.act) {
            Ok(Act::Txn(_, TxnAct::Run(operation))) => {
                Ok(Value::Begun(Some(BegunWork::Txn(operation))))
            }
            Ok(_) => Err(Error::new(span, format!("`{text}` is no transaction"), expected)),
            Err(error) => Err(Error::new(span, error.message, expected)),
        }
    }
}

/// The error for a string that is no name in the world.
fn unnamed<'a>(
    text: &str,
    span: &Range<usize>,
    wanted: Type,
    names: impl Iterator<Item = &'a str>,
) -> Error {
    let message = format!("no `{text}` is in the scenario");
    let names = names.map(str::to_owned);
    Error::new(span, message, format!("{} was expected", wanted.shown())).with_names(text, names)
}

/// The hook of this name. The first unit serves to read it, as a hook has the same name for all
/// units.
fn hook(world: &World, name: &str) -> Option<Hook> {
    let unit = &world.units.first()?.name;
    match world.read(&format!("unit-agent {unit}: {name}")).ok()?.act {
        Act::Hook(_, HookAct::Run(hook)) => Some(hook),
        _ => None,
    }
}

/// The entity of this name. Names of different kinds differ in form.
fn named(world: &World, name: &str) -> Option<EntityId> {
    let machine = world.machine_named(name).map(EntityId::Machine);
    let application = world.application_named(name).map(EntityId::Application);
    let unit = world.unit_named(name).map(EntityId::Unit);
    machine.or(application).or(unit).or_else(|| world.relation_named(name).map(EntityId::Relation))
}

/// The names of all entities of these kinds.
fn known(world: &World, names: NameType) -> Vec<String> {
    let none = names.or_none.then(|| NONE.to_owned());
    let kinds = RowKind::ENTITIES.into_iter().filter(|kind| names.has(*kind));
    kinds.flat_map(|kind| names_of(world, kind)).chain(none).collect()
}

fn names_of(world: &World, kind: RowKind) -> Vec<String> {
    match kind {
        RowKind::Machine => world.machines.iter().map(|it| it.name.clone()).collect(),
        RowKind::Application => world.applications.iter().map(|it| it.name.clone()).collect(),
        RowKind::Unit => world.units.iter().map(|it| it.name.clone()).collect(),
        RowKind::Relation => world.relations.iter().map(|it| it.name.clone()).collect(),
        _ => Vec::new(),
    }
}
