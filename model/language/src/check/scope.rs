//! Names in an expression: variables, states, and lists of rows.

use std::ops::Range;

use super::{Checker, Exists, TypedNode, Variable};
use crate::{
    Error, ExpressionKind,
    fields::{KINDS, fields, list_name},
    syntax::{Spanned, Syntax},
    tree::{CheckedList, MOST_NESTED, Node, RULE_NAMES, SUBJECT_AFTER},
    types::{Time, Type},
};

/// The name of the flag that is true where no actor that is assumed to act can move.
pub const QUIESCENT: &str = "quiescent";

impl Checker<'_> {
    /// A variable, or the list of all rows of a kind.
    pub(super) fn name(&mut self, name: &str, span: &Range<usize>) -> Result<TypedNode, Error> {
        if let Some(variable) = self.variables.iter().rev().find(|it| it.name == name) {
            return Ok(TypedNode::One(Node::Variable(variable.slot), variable.value));
        }
        self.is_for_rules(name, span)?;
        if let Some(rows) = Self::of_state(name, Time::After) {
            if let TypedNode::Many(CheckedList::Rows(kind, _), ..) = rows {
                self.is_no_history(kind, name, span)?;
            }
            return Ok(rows);
        }
        if is_word(name) {
            let message = format!("nothing is called `{name}` here, and \"{name}\" is a value");
            return Err(Error::new(span, message, format!("did you mean \"{name}\"?")));
        }
        let is_state = self.time_of(name).is_some();
        let message = if is_state {
            format!("`{name}` is a whole state")
        } else {
            format!("nothing is called `{name}` here")
        };
        let expected =
            if is_state { format!("`{name}.units`, say, was expected") } else { self.expected() };
        let error = Error::new(span, message, expected);
        Err(if is_state { error } else { error.with_names(name, self.known()) })
    }

    fn expected(&self) -> String {
        match (self.form, self.form.each()) {
            (ExpressionKind::State(_) | ExpressionKind::Rule(_), Some(_)) => {
                "the subject is called `it`".to_owned()
            }
            (ExpressionKind::Step(_), Some(_)) => {
                "the subject is called `before` and `after`".to_owned()
            }
            (ExpressionKind::State(_) | ExpressionKind::Rule(_), None) => {
                "a list of rows was expected, `units`, say".to_owned()
            }
            (ExpressionKind::Step(_), None) => {
                "a list of rows of a state was expected, `before.units`, say".to_owned()
            }
        }
    }

    /// All names that have a meaning here.
    fn known(&self) -> Vec<String> {
        let variables = self.variables.iter().map(|variable| variable.name.clone());
        let states = ["before", "after", "state_before"].into_iter();
        let states = states.filter(|name| self.time_of(name).is_some()).map(str::to_owned);
        let lists = KINDS.iter().map(|kind| list_name(*kind));
        variables.chain(states).chain(lists).chain([QUIESCENT.to_owned()]).collect()
    }

    /// The state that a name stands for, in a claim about transitions.
    fn time_of(&self, name: &str) -> Option<Time> {
        match (self.form, name) {
            (ExpressionKind::Step(None), "before")
            | (ExpressionKind::Step(Some(_)), "state_before") => Some(Time::Before),
            (ExpressionKind::Step(None), "after") => Some(Time::After),
            _ => None,
        }
    }

    /// A variable of a state: the list of all rows of a kind, or whether the state is quiescent.
    pub(super) fn of_state(name: &str, time: Time) -> Option<TypedNode> {
        if name == QUIESCENT {
            return Some(TypedNode::One(Node::Quiescent(time), Type::Flag));
        }
        let kind = KINDS.into_iter().find(|kind| list_name(*kind) == name)?;
        Some(TypedNode::Many(CheckedList::Rows(kind, time), Type::Row(kind, true), Exists::Perhaps))
    }

    /// The state that an expression stands for.
    pub(super) fn state(&self, syntax: &Spanned<Syntax>) -> Option<Time> {
        match &syntax.value {
            Syntax::Name(name) if !self.variables.iter().any(|it| it.name == *name) => {
                self.time_of(name)
            }
            _ => None,
        }
    }

    /// Runs `check` with a new variable for the items of a list. The facts about it are dropped
    /// afterwards.
    pub(super) fn with_variable<T>(
        &mut self,
        name: &Spanned<String>,
        value: Type,
        exists: Exists,
        check: impl FnOnce(&mut Self, usize) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let first = match self.form {
            ExpressionKind::Rule(_) => SUBJECT_AFTER + 1 + RULE_NAMES,
            ExpressionKind::State(_) | ExpressionKind::Step(_) => SUBJECT_AFTER + 1,
        };
        let nested = self.variables.iter().filter(|it| it.slot >= first).count();
        let slot = first + nested;
        if nested == MOST_NESTED {
            let help = format!("at most {MOST_NESTED} macros can be nested");
            return Err(Error::new(&name.span, "this is nested too deeply", help));
        }
        let is_taken = self.variables.iter().any(|it| it.name == name.value)
            || self.time_of(&name.value).is_some()
            || Self::of_state(&name.value, Time::After).is_some();
        if is_taken {
            let message = format!("`{}` means something else already", name.value);
            return Err(Error::new(&name.span, message, "another name was expected"));
        }
        let known = self.facts.len();
        if exists == Exists::Surely {
            self.facts.push(Node::Variable(slot));
        }
        self.variables.push(Variable { name: name.value.clone(), slot, value });
        let checked = check(self, slot);
        self.variables.pop();
        self.facts.truncate(known);
        checked
    }
}

/// Whether some field can have this word as its value.
fn is_word(name: &str) -> bool {
    let mut values = KINDS.iter().flat_map(|kind| fields(*kind)).map(|field| field.value);
    values.any(|value| matches!(value, Type::Word(words) if words.contains(&name)))
}
