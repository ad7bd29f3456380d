//! Operators, and the facts that their first operands imply for the others.

use std::ops::Range;

use super::{Checker, TypedNode, guard::implied};
use crate::{
    Error,
    syntax::{Binary, Logic, Spanned, Syntax},
    tree::{CheckedList, Node},
    types::{Type, Value},
};

impl Checker<'_> {
    pub(super) fn logic(
        &mut self,
        logic: Logic,
        terms: &[Spanned<Syntax>],
    ) -> Result<TypedNode, Error> {
        let known = self.facts.len();
        let mut nodes = Vec::new();
        for term in terms {
            let (node, _) = self.of_type(term, Type::Flag)?;
            self.facts.extend(implied(&node, logic == Logic::And));
            nodes.push(node);
        }
        self.facts.truncate(known);
        let node = match logic {
            Logic::And => Node::And(nodes),
            Logic::Or => Node::Or(nodes),
        };
        Ok(TypedNode::One(node, Type::Flag))
    }

    pub(super) fn choice(
        &mut self,
        parts: &[Spanned<Syntax>; 3],
        hint: Option<Type>,
    ) -> Result<TypedNode, Error> {
        let [condition, yes, no] = parts;
        let (condition, _) = self.of_type(condition, Type::Flag)?;
        let (yes_node, one) = self.given(&condition, true, |me| me.one(yes, hint))?;
        let (no_node, other) =
            self.given(&condition, false, |me| me.one(no, hint.or(Some(one))))?;
        let joined = match (one, other) {
            (Type::Number(least, most), Type::Number(other_least, other_most)) => {
                Some(Type::Number(least.min(other_least), most.max(other_most)))
            }
            (Type::Name(one), Type::Name(other)) => Some(Type::Name(one.and(other))),
            (Type::Row(..), _) => None,
            (one, other) => (one == other).then_some(one),
        };
        let Some(joined) = joined else {
            let message = format!("this is {}", other.shown());
            let expected = match one {
                Type::Row(..) => "a row cannot be chosen; choose between its fields".to_owned(),
                _ => format!("{} was expected, as in the other case", one.shown()),
            };
            return Err(Error::new(&no.span, message, expected));
        };
        Ok(TypedNode::One(Node::If(Box::new([condition, yes_node, no_node])), joined))
    }

    /// Checks a part that is evaluated only where the condition has the value `holds`.
    fn given<T>(
        &mut self,
        condition: &Node,
        holds: bool,
        check: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let known = self.facts.len();
        self.facts.extend(implied(condition, holds));
        let checked = check(self);
        self.facts.truncate(known);
        checked
    }

    pub(super) fn negative(&mut self, inner: &Spanned<Syntax>) -> Result<TypedNode, Error> {
        let (node, found) = self.of_type(inner, Type::Number(0, 0))?;
        let zero = Node::Value(Value::Number(0));
        let interval = interval(Binary::Minus, Type::Number(0, 0), found, &inner.span)?;
        Ok(TypedNode::One(Node::Binary(Binary::Minus, Box::new([zero, node])), interval))
    }

    pub(super) fn binary(
        &mut self,
        binary: Binary,
        both: &[Spanned<Syntax>; 2],
        span: &Range<usize>,
    ) -> Result<TypedNode, Error> {
        match binary {
            Binary::In => self.member(both),
            Binary::Same | Binary::Different => self.same(binary, both),
            Binary::Less
            | Binary::AtMost
            | Binary::Greater
            | Binary::AtLeast
            | Binary::Plus
            | Binary::Minus
            | Binary::Times => {
                let (left, one) = self.of_type(&both[0], Type::Number(0, 0))?;
                let (right, other) = self.of_type(&both[1], Type::Number(0, 0))?;
                let found = interval(binary, one, other, span)?;
                Ok(TypedNode::One(Node::Binary(binary, Box::new([left, right])), found))
            }
        }
    }

    /// Equality: a string is read with the type of the other side.
    fn same(&mut self, binary: Binary, both: &[Spanned<Syntax>; 2]) -> Result<TypedNode, Error> {
        let [left, right] = both;
        let (left, right, one, other) = if is_constant(left) && !is_constant(right) {
            let (right, other) = self.one(right, None)?;
            let (left, one) = self.one(left, Some(other))?;
            (left, right, one, other)
        } else {
            let (left, one) = self.one(left, None)?;
            let (right, other) = self.one(right, Some(one))?;
            (left, right, one, other)
        };
        let can_be_same = match (one, other) {
            (Type::Number(..), Type::Number(..)) => true,
            (Type::Name(one), Type::Name(other)) => one.meets(other),
            (Type::Row(..), _) | (_, Type::Row(..)) => false,
            (one, other) => one == other,
        };
        if can_be_same {
            let node = Node::Binary(binary, Box::new([left, right]));
            return Ok(TypedNode::One(node, Type::Flag));
        }
        let message = format!("{} is compared with {}", one.shown(), other.shown());
        let expected = match (one, other) {
            (Type::Row(..), _) | (_, Type::Row(..)) => "rows are compared by their names",
            _ => "values of the same type were expected",
        };
        Err(Error::new(&(both[0].span.start..both[1].span.end), message, expected))
    }

    fn member(&mut self, both: &[Spanned<Syntax>; 2]) -> Result<TypedNode, Error> {
        let [wanted, list] = both;
        if let Syntax::List(items) = &list.value {
            let (wanted, found) = self.one(wanted, None)?;
            let mut nodes = Vec::new();
            for item in items {
                nodes.push(self.of_type(item, found)?.0);
            }
            let list = Box::new(CheckedList::Items(nodes));
            return Ok(TypedNode::One(Node::In(Box::new(wanted), list), Type::Flag));
        }
        match self.check(list, None)? {
            TypedNode::Many(_, Type::Row(..), _) => {
                let help = "use `.exists(x, x.name == …)`";
                Err(Error::new(&list.span, "this is a list of rows", help))
            }
            TypedNode::Many(list, items, _) => {
                let (wanted, _) = self.of_type(wanted, items)?;
                Ok(TypedNode::One(Node::In(Box::new(wanted), Box::new(list)), Type::Flag))
            }
            TypedNode::One(_, found) => {
                let message = format!("this is {}", found.shown());
                Err(Error::new(&list.span, message, "a list was expected"))
            }
        }
    }
}

/// Whether an expression is a string, or chooses between strings.
fn is_constant(syntax: &Spanned<Syntax>) -> bool {
    match &syntax.value {
        Syntax::Text(_) => true,
        Syntax::If(parts) => is_constant(&parts[1]) && is_constant(&parts[2]),
        _ => false,
    }
}

/// The type of a calculation: the interval of its possible results.
fn interval(binary: Binary, one: Type, other: Type, span: &Range<usize>) -> Result<Type, Error> {
    let (Type::Number(a, b), Type::Number(c, d)) = (one, other) else {
        unreachable!("both are numbers")
    };
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    let (least, most) = match binary {
        Binary::Plus => (a + c, b + d),
        Binary::Minus => (a - d, b - c),
        Binary::Times => {
            let products = [a * c, a * d, b * c, b * d];
            let least = products.into_iter().min().expect("there are four");
            (least, products.into_iter().max().expect("there are four"))
        }
        Binary::Less
        | Binary::AtMost
        | Binary::Greater
        | Binary::AtLeast
        | Binary::Same
        | Binary::Different
        | Binary::In => return Ok(Type::Flag),
    };
    let no_number = |what: String| {
        let message = format!("this may be as {what}, which is no number any more");
        Error::new(span, message, "numbers from -2^63 to 2^63 - 1 were expected")
    };
    match (i64::try_from(least), i64::try_from(most)) {
        (Ok(least), Ok(most)) => Ok(Type::Number(least, most)),
        (Err(_), _) if least < 0 => Err(no_number(format!("little as {least}"))),
        _ => Err(no_number(format!("much as {most}"))),
    }
}
