//! The static check: every name is known, every type fits, no missing document is read.
//!
//! An expression that passes has a value in every state, and takes a bounded number of steps.

mod calls;
mod cost;
mod guard;
mod names;
mod operators;
mod rules;
mod scope;

use deathwatch_model::{history::KeptHistory, rows::Row, world::World};

pub use calls::{VARIANT, finder};
pub use scope::QUIESCENT;

use crate::{
    Error, ExpressionKind,
    fields::{KINDS, TypedField, fields, kind_name, list_name},
    syntax::{Spanned, Syntax},
    tree::{CheckedList, FieldRef, Node, SUBJECT, SUBJECT_AFTER},
    types::{NameType, Type, Value},
};

/// The result of checking a part of an expression.
pub(crate) enum TypedNode {
    One(Node, Type),
    /// A list of values of this type, and whether the documents of its rows are known to exist.
    Many(CheckedList, Type, Exists),
}

/// Whether the document of each row of a list is known to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exists {
    Surely,
    Perhaps,
}

struct Variable {
    name: String,
    slot: usize,
    value: Type,
}

pub(crate) struct Checker<'a> {
    world: &'a World,
    form: ExpressionKind,
    variables: Vec<Variable>,
    /// The rows whose documents are known to exist here, and the names that are known not to be
    /// "none".
    facts: Vec<Node>,
}

/// Checks an expression that has to be a condition.
///
/// # Errors
/// If it is none, or if it has no meaning in this world.
pub(crate) fn check(
    world: &World,
    form: ExpressionKind,
    syntax: &Spanned<Syntax>,
) -> Result<Node, Error> {
    let mut checker = Checker { world, form, variables: Vec::new(), facts: Vec::new() };
    if let Some(kind) = form.each() {
        let names: &[(&str, usize)] = match form {
            ExpressionKind::State(_) | ExpressionKind::Rule(_) => &[("it", SUBJECT_AFTER)],
            ExpressionKind::Step(_) => &[("before", SUBJECT), ("after", SUBJECT_AFTER)],
        };
        for (name, slot) in names {
            let value = Type::Row(kind, true);
            checker.variables.push(Variable { name: (*name).to_owned(), slot: *slot, value });
        }
    }
    if let ExpressionKind::Rule(scope) = form {
        checker.variables.extend(scope.names().map(|(name, slot, kind)| Variable {
            name,
            slot,
            value: Type::Name(NameType::of(kind)),
        }));
    }
    let (node, _) = checker.of_type(syntax, Type::Flag)?;
    cost::check(world, form, &node, &syntax.span)?;
    Ok(node)
}

impl Checker<'_> {
    fn one(&mut self, syntax: &Spanned<Syntax>, hint: Option<Type>) -> Result<(Node, Type), Error> {
        match self.check(syntax, hint)? {
            TypedNode::One(node, found) => Ok((node, found)),
            TypedNode::Many(..) => {
                let help = "one value was expected; a list has `.size()`, `.all(x, …)`, \
                            `.exists(x, …)` and the like";
                Err(Error::new(&syntax.span, "this is a list", help))
            }
        }
    }

    /// Checks a value that has to be of this type. A number may have other bounds, a word other
    /// words, and a name must share a kind.
    fn of_type(&mut self, syntax: &Spanned<Syntax>, wanted: Type) -> Result<(Node, Type), Error> {
        let (node, found) = self.one(syntax, Some(wanted))?;
        let is_right = match (found, wanted) {
            (Type::Number(..), Type::Number(..)) => true,
            (Type::Name(one), Type::Name(other)) => one.meets(other),
            (Type::Row(one, _), Type::Row(other, _)) => one == other,
            (found, wanted) => found == wanted,
        };
        if is_right {
            return Ok((node, found));
        }
        let expected = format!("{} was expected", wanted.shown());
        let error = Error::new(&syntax.span, format!("this is {}", found.shown()), expected);
        Err(match (found, wanted) {
            (Type::Row(kind, _), _) => {
                error.with_names("", fields(kind).iter().map(|field| field.name.clone()))
            }
            _ => error,
        })
    }

    fn check(&mut self, syntax: &Spanned<Syntax>, hint: Option<Type>) -> Result<TypedNode, Error> {
        let one = |node, value| Ok(TypedNode::One(node, value));
        match &syntax.value {
            Syntax::Flag(flag) => one(Node::Value(Value::Flag(*flag)), Type::Flag),
            Syntax::Number(number) => {
                one(Node::Value(Value::Number(*number)), Type::Number(*number, *number))
            }
            Syntax::Text(text) => {
                let Some(hint) = hint else {
                    let help = "a string says what a field is compared with";
                    return Err(Error::new(&syntax.span, "nothing tells what this names", help));
                };
                let value = self.text(text, &syntax.span, hint)?;
                one(Node::Value(value), Self::type_of(value, hint))
            }
            Syntax::Name(name) => self.name(name, &syntax.span),
            Syntax::Field(target, field) => self.field_of(target, field),
            Syntax::Call(call) => self.call(call, &syntax.span),
            Syntax::List(_) => Err(Error::new(
                &syntax.span,
                "a list of constants stands to the right of `in`",
                "a value was expected",
            )),
            Syntax::Not(inner) => {
                let (inner, _) = self.of_type(inner, Type::Flag)?;
                one(Node::Not(Box::new(inner)), Type::Flag)
            }
            Syntax::Negative(inner) => self.negative(inner),
            Syntax::Logic(logic, terms) => self.logic(*logic, terms),
            Syntax::If(parts) => self.choice(parts, hint),
            Syntax::Binary(binary, both) => self.binary(*binary, both, &syntax.span),
        }
    }

    /// The type of a constant that was read with this expected type.
    fn type_of(value: Value, hint: Type) -> Type {
        match (value, hint) {
            (Value::Name(entity), Type::Name(names)) => {
                let kind = entity.map(|entity| Row::from(entity).kind());
                Type::Name(match kind {
                    Some(kind) => NameType::of(kind),
                    None => names,
                })
            }
            _ => hint,
        }
    }

    /// A field of a row, or a variable of a state.
    fn field_of(
        &mut self,
        target: &Spanned<Syntax>,
        name: &Spanned<String>,
    ) -> Result<TypedNode, Error> {
        if let Some(time) = self.state(target) {
            return Self::of_state(&name.value, time).ok_or_else(|| {
                let message = format!("a state has no `{}`", name.value);
                Error::new(&name.span, message, "a list of rows was expected")
                    .with_names(&name.value, KINDS.iter().map(|kind| list_name(*kind)))
            });
        }
        if let Some(named) = self.of_act(target, name) {
            return named;
        }
        let (row, found) = self.one(target, None)?;
        let Type::Row(kind, is_certain) = found else {
            let message = format!("{} has no fields", found.shown());
            let expected = match found {
                Type::Name(_) => "a name gives its row by `unit(…)`, `machine(…)` and the like",
                _ => "a row was expected here",
            };
            return Err(Error::new(&target.span, message, expected));
        };
        let Some(field) = fields(kind).iter().find(|field| field.name == name.value) else {
            let message = format!("a row `{}` has no field `{}`", kind_name(kind), name.value);
            let names = fields(kind).iter().map(|field| field.name.clone());
            let error = Error::new(&name.span, message, "one of its fields was expected");
            return Err(error.with_names(&name.value, names));
        };
        self.is_kept(field, name)?;
        self.is_told(field, name)?;
        self.is_readable(&row, field, name)?;
        self.guarded(&row, field, is_certain, target, name)?;
        let row = Box::new(row);
        if field.is_list {
            return Ok(TypedNode::Many(
                CheckedList::Field(row, FieldRef(field)),
                field.value,
                Exists::Perhaps,
            ));
        }
        Ok(TypedNode::One(Node::Field(row, FieldRef(field)), field.value))
    }

    /// Checks that this world has the detail that a field of history is about.
    fn is_kept(&self, field: &TypedField, name: &Spanned<String>) -> Result<(), Error> {
        let kept =
            field.declared.and_then(|it| KeptHistory::of(field.of, it.name)).unwrap_or_default();
        match kept.lacks(self.world.detail) {
            None => Ok(()),
            Some((_, detail)) => {
                let message = format!("`{}` is about the detail `{detail}`", name.value);
                let expected = "this world does not have that detail";
                Err(Error::new(&name.span, message, expected))
            }
        }
    }

    /// Checks that a field of a step is only read in a condition on steps.
    fn is_told(&self, field: &TypedField, name: &Spanned<String>) -> Result<(), Error> {
        match self.form {
            ExpressionKind::State(_) | ExpressionKind::Rule(_) if field.is_of_step() => {
                let message = format!("`{}` is about a step", name.value);
                Err(Error::new(&name.span, message, "a condition of the kind `step` was expected"))
            }
            ExpressionKind::State(_) | ExpressionKind::Step(_) | ExpressionKind::Rule(_) => Ok(()),
        }
    }

    /// Checks that a field of a row that may not exist is only read behind a guard.
    fn guarded(
        &self,
        row: &Node,
        field: &TypedField,
        is_certain: bool,
        target: &Spanned<Syntax>,
        name: &Spanned<String>,
    ) -> Result<(), Error> {
        if !field.needs_guard(is_certain) || self.facts.contains(row) {
            return Ok(());
        }
        let missing = if field.is_of_document {
            "its document may not exist here"
        } else {
            "there may be no such row here"
        };
        let message = format!("`{}` is read without a guard, and {missing}", name.value);
        let expected = match &target.value {
            Syntax::Name(it) => format!(
                "write `{it}.exists && …` before this, or `!{it}.exists || …` where nothing is \
                 asked of what is not there"
            ),
            _ => "the row has to be guarded by its `exists` before this".to_owned(),
        };
        Err(Error::new(&(target.span.start..name.span.end), message, expected))
    }
}
