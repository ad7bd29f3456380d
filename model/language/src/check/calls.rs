//! Calls: macros on lists, and functions that find rows.

use std::ops::Range;

use deathwatch_model::{rows::RowKind, variants::Variants};

use super::{Checker, Exists, TypedNode, cost::most_items, guard::implied};
use crate::{
    Error,
    eval::pair,
    fields::kind_name,
    reads,
    syntax::{Call, Spanned, Syntax},
    tree::{CheckedList, FieldRef, Node, Quantifier},
    types::{NameType, Time, Type, Value, variant_values},
};

const MACROS: [&str; 6] = ["all", "exists", "exists_one", "filter", "map", "size"];

/// The kinds of rows that functions find by the name of an entity, each with the kind of that
/// entity.
const BY_NAME: [(RowKind, RowKind); 11] = [
    (RowKind::Machine, RowKind::Machine),
    (RowKind::Application, RowKind::Application),
    (RowKind::Unit, RowKind::Unit),
    (RowKind::Relation, RowKind::Relation),
    (RowKind::MachineRuntime, RowKind::Machine),
    (RowKind::UnitRuntime, RowKind::Unit),
    (RowKind::UnitHooks, RowKind::Unit),
    (RowKind::UnitCharm, RowKind::Unit),
    (RowKind::UnitWorkflow, RowKind::Unit),
    (RowKind::UnitHistory, RowKind::Unit),
    (RowKind::MachineHistory, RowKind::Machine),
];

/// The function that gives the value of a variant.
pub const VARIANT: &str = "variant";

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &Call, span: &Range<usize>) -> Result<TypedNode, Error> {
        let Some(target) = &call.target else {
            return match (call.name.value.as_str(), &call.arguments[..]) {
                ("size", [list]) => self.size(list),
                (VARIANT, [name]) => variant(name),
                _ => self.find(&call.name, &call.arguments, Time::After, span),
            };
        };
        if let Some(time) = self.state(target) {
            return self.find(&call.name, &call.arguments, time, span);
        }
        self.macro_of(target, &call.name, &call.arguments)
    }

    fn size(&mut self, list: &Spanned<Syntax>) -> Result<TypedNode, Error> {
        let (list, ..) = self.list(list)?;
        let most = most_items(self.world, &list);
        Ok(TypedNode::One(Node::Size(Box::new(list)), Type::Number(0, most)))
    }

    fn list(&mut self, syntax: &Spanned<Syntax>) -> Result<(CheckedList, Type, Exists), Error> {
        match self.check(syntax, None)? {
            TypedNode::Many(list, items, exists) => Ok((list, items, exists)),
            TypedNode::One(_, found) => {
                let message = format!("this is {}", found.shown());
                Err(Error::new(&syntax.span, message, "a list was expected"))
            }
        }
    }

    fn macro_of(
        &mut self,
        target: &Spanned<Syntax>,
        name: &Spanned<String>,
        arguments: &[Spanned<Syntax>],
    ) -> Result<TypedNode, Error> {
        if !MACROS.contains(&name.value.as_str()) {
            let message = format!("there is no `{}` of a list", name.value);
            let error = Error::new(&name.span, message, "a macro on lists was expected");
            return Err(error.with_names(&name.value, MACROS));
        }
        if name.value == "size" && arguments.is_empty() {
            return self.size(target);
        }
        let [variable, inner] = arguments else {
            let expected = match name.value.as_str() {
                "size" => "no argument was expected",
                _ => "a variable and an expression were expected, as in `.all(x, …)`",
            };
            let message = format!("`{}` has {} arguments", name.value, arguments.len());
            return Err(Error::new(&name.span, message, expected));
        };
        let Syntax::Name(variable_name) = &variable.value else {
            return Err(Error::new(&variable.span, "this is no name", "a variable was expected"));
        };
        let variable = Spanned { value: variable_name.clone(), span: variable.span.clone() };
        let (list, items, exists) = self.list(target)?;
        self.with_variable(&variable, items, exists, |me, slot| {
            let quantifier = match name.value.as_str() {
                "map" => {
                    let (made, found) = me.one(inner, None)?;
                    let list = CheckedList::Map(Box::new(list), slot, Box::new(made));
                    return Ok(TypedNode::Many(list, found, Exists::Perhaps));
                }
                "filter" => {
                    let (condition, _) = me.of_type(inner, Type::Flag)?;
                    let is_sure = implied(&condition, true).contains(&Node::Variable(slot));
                    let exists = if is_sure { Exists::Surely } else { exists };
                    let list = CheckedList::Filter(Box::new(list), slot, Box::new(condition));
                    return Ok(TypedNode::Many(list, items, exists));
                }
                "all" => Quantifier::All,
                "exists" => Quantifier::Some,
                _ => Quantifier::One,
            };
            let (condition, _) = me.of_type(inner, Type::Flag)?;
            let node = Node::Counts(quantifier, Box::new(list), slot, Box::new(condition));
            Ok(TypedNode::One(node, Type::Flag))
        })
    }

    /// A row, by the name of its entity or entities.
    fn find(
        &mut self,
        name: &Spanned<String>,
        arguments: &[Spanned<Syntax>],
        time: Time,
        span: &Range<usize>,
    ) -> Result<TypedNode, Error> {
        let by_name = BY_NAME.into_iter().find(|(kind, _)| kind_name(*kind) == name.value);
        let by_pair = RowKind::PAIRS.into_iter().find(|kind| kind_name(*kind) == name.value);
        match (by_name, by_pair, arguments) {
            (Some((kind, entity)), _, [argument]) => {
                self.has_rows(kind, span)?;
                let (node, names) = self.entity_name(argument, entity)?;
                let is_certain = !names.or_none && names == NameType::of(entity)
                    || self.facts.contains(&node) && names == NameType::of(entity).or_none();
                let node = match node {
                    Node::Value(Value::Name(it)) => {
                        Node::Value(Value::Row(it.and_then(|it| kind.of_entity(it)), time))
                    }
                    node => Node::Find(kind, Box::new(node), time),
                };
                Ok(TypedNode::One(node, Type::Row(kind, is_certain)))
            }
            (_, Some(kind), [relation, unit]) => self.pair(kind, relation, unit, time, span),
            (Some(_), _, _) | (_, Some(_), _) => {
                let message = format!("`{}` has {} arguments", name.value, arguments.len());
                let expected = if by_name.is_some() {
                    "the name of an entity was expected"
                } else {
                    "the names of a relation and a unit were expected"
                };
                Err(Error::new(&name.span, message, expected))
            }
            (None, None, _) => Err(unknown_function(name)),
        }
    }

    fn pair(
        &mut self,
        kind: RowKind,
        relation: &Spanned<Syntax>,
        unit: &Spanned<Syntax>,
        time: Time,
        span: &Range<usize>,
    ) -> Result<TypedNode, Error> {
        self.has_rows(kind, span)?;
        let (relation, _) = self.entity_name(relation, RowKind::Relation)?;
        let (unit, _) = self.entity_name(unit, RowKind::Unit)?;
        if let (Node::Value(Value::Name(relation)), Node::Value(Value::Name(unit))) =
            (&relation, &unit)
        {
            let row = pair(self.world, kind, *relation, *unit);
            if row.is_none() {
                let expected = "a unit of one of its applications was expected";
                return Err(Error::new(span, "the relation does not concern the unit", expected));
            }
            let node = Node::Value(Value::Row(row, time));
            return Ok(TypedNode::One(node, Type::Row(kind, true)));
        }
        let is_certain = is_pair_of_row(&relation, &unit);
        let node = Node::Pair(kind, Box::new([relation, unit]), time);
        Ok(TypedNode::One(node, Type::Row(kind, is_certain)))
    }

    /// Checks that the world has rows of this kind, if it has the entities that they belong to.
    fn has_rows(&self, kind: RowKind, span: &Range<usize>) -> Result<(), Error> {
        self.is_no_history(kind, &kind_name(kind), span)?;
        let of_details = match kind {
            RowKind::UnitHooks => Some(("hooks", self.world.units.len())),
            RowKind::UnitCharm => Some(("charm", self.world.units.len())),
            RowKind::UnitWorkflow => Some(("workflow", self.world.units.len())),
            _ if RowKind::PAIRS.contains(&kind) => Some(("relations", self.world.pairs())),
            _ => None,
        };
        match of_details {
            Some((detail, owners)) if kind.count(self.world) == 0 && owners > 0 => {
                let name = kind_name(kind);
                let message = format!("this world has no rows of the kind `{name}`");
                let expected = format!("they are there where the detail `{detail}` is on");
                Err(Error::new(span, message, expected))
            }
            _ => Ok(()),
        }
    }

    /// A name that may be that of an entity of this kind.
    fn entity_name(
        &mut self,
        syntax: &Spanned<Syntax>,
        kind: RowKind,
    ) -> Result<(Node, NameType), Error> {
        let wanted = NameType::of(kind);
        let (node, found) = self.of_type(syntax, Type::Name(wanted))?;
        match found {
            Type::Name(names) if names.has(kind) => Ok((node, names)),
            _ => {
                let expected = format!("{} was expected", Type::Name(wanted).shown());
                Err(Error::new(&syntax.span, format!("this is {}", found.shown()), expected))
            }
        }
    }
}

/// Whether these are the relation and the unit in the key of the same row.
fn is_pair_of_row(relation: &Node, unit: &Node) -> bool {
    match (relation, unit) {
        (Node::Field(row, FieldRef(relation)), Node::Field(same, FieldRef(unit))) => {
            let is_of_pair = RowKind::PAIRS.contains(&relation.of);
            let names = (relation.name.as_str(), unit.name.as_str());
            let is_variable = matches!(**row, Node::Variable(_)) && row == same;
            let is_subject = reads::is_subject(row) && reads::is_subject(same);
            is_of_pair && names == ("relation", "unit") && (is_variable || is_subject)
        }
        _ => false,
    }
}

/// Checks the call that gives the value of a variant of the protocol.
fn variant(name: &Spanned<Syntax>) -> Result<TypedNode, Error> {
    let Syntax::Text(text) = &name.value else {
        return Err(Error::new(
            &name.span,
            "this is no string",
            "the name of a variant was expected",
        ));
    };
    let Some(number) = Variants::LIST.iter().position(|it| it.name == text) else {
        let message = format!("there is no variant `{text}`");
        let error = Error::new(&name.span, message, "the name of a variant was expected");
        return Err(error.with_names(text, Variants::LIST.iter().map(|it| it.name)));
    };
    Ok(TypedNode::One(Node::Variant(number), Type::Word(variant_values(number))))
}

/// The text of the call that finds a row of this kind by name, as in "unit(NAME)"; `None` if no
/// call finds such rows.
pub fn finder(kind: RowKind) -> Option<String> {
    let name = kind_name(kind);
    if BY_NAME.iter().any(|(it, _)| *it == kind) {
        return Some(format!("{name}(NAME)"));
    }
    RowKind::PAIRS.contains(&kind).then(|| format!("{name}(RELATION, UNIT)"))
}

fn unknown_function(name: &Spanned<String>) -> Error {
    let expected = match name.value.as_str() {
        "has" => "every field is there; whether a document is, says `exists`",
        _ => "a function that finds a row was expected",
    };
    let functions = BY_NAME.iter().map(|(kind, _)| kind_name(*kind));
    let functions =
        functions.chain(RowKind::PAIRS.map(kind_name)).chain(["size", VARIANT].map(str::to_owned));
    Error::new(&name.span, format!("there is no function `{}`", name.value), expected)
        .with_names(&name.value, functions)
}
