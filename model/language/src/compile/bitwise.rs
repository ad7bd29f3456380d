//! Conditions on the units of a list, evaluated for 64 units at a time, with a bit for each: a
//! relation may have a thousand units, each of which has seen half of the others.
//!
//! As in an evaluation unit by unit, a term is evaluated only for the units that the earlier terms
//! leave undecided, and nothing else is read. But if one unit decides, the others of its word are
//! read, too.

use deathwatch_model::{
    ids::{EntityId, Id as _, UnitId, identities},
    rows::RowKind,
    store::Store,
};

use super::{Reader, TimedRow, list::SameRow, reader, test, with_row};
use crate::{
    eval::Env,
    fields::TypedField,
    syntax::Binary,
    tree::{CheckedList, FieldRef, Node, Quantifier},
    types::{Time, Value},
};

enum UnitCondition {
    /// A condition with the same value for all units.
    Same(Reader<bool>),
    /// The unit is the one of this name.
    Named(Reader<Option<EntityId>>),
    /// The unit is in a list that a row keeps.
    Listed(Reader<TimedRow>, &'static TypedField),
    /// The unit has a row of this kind in a relation, and there this flag, by its number, is set;
    /// without a number it is enough that the row exists.
    Related(RowKind, Reader<Option<EntityId>>, Time, Option<usize>),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    /// Exactly one of both holds.
    Differ(Box<[Self; 2]>),
    /// Anything else about the variable in this slot.
    Each(usize, Reader<bool>),
}

/// The closure that tells whether all units of a list fulfil a condition on the variable in a slot,
/// or whether some do; `None` if no row keeps the list as a set of units.
pub(super) fn counts(
    quantifier: Quantifier,
    list: &CheckedList,
    slot: usize,
    condition: &Node,
) -> Option<Reader<bool>> {
    let is_all = match quantifier {
        Quantifier::All => true,
        Quantifier::Some => false,
        Quantifier::One => return None,
    };
    let (row, field) = units(list, slot)?;
    let condition = UnitCondition::new(condition, slot);
    Some(Box::new(move |env| {
        let (Some(row), time) = row(env) else { return is_all };
        let decides = |(first, units)| {
            let fulfilling = condition.fulfilling(env, first, units);
            if is_all { fulfilling != units } else { fulfilling != 0 }
        };
        is_all != field.units_in(env.state(time), row, |units| units.words().any(decides))
    }))
}

/// The row and the field that keep a list as a set of units, if the row does not depend on the
/// variable in a slot.
fn units(list: &CheckedList, slot: usize) -> Option<(Reader<TimedRow>, &'static TypedField)> {
    match list {
        CheckedList::Field(row, FieldRef(field))
            if field.is_set_of_units() && !mentions(row, slot) =>
        {
            Some((with_row(row, SameRow), field))
        }
        _ => None,
    }
}

impl UnitCondition {
    fn new(node: &Node, slot: usize) -> Self {
        let inner = |node: &Node| Self::new(node, slot);
        let is_unit = |node: &Node| *node == Node::Variable(slot);
        let known = match node {
            _ if !mentions(node, slot) => Some(Self::Same(test(node))),
            Node::Not(negated) => Some(Self::Not(Box::new(inner(negated)))),
            Node::And(terms) => Some(Self::And(terms.iter().map(inner).collect())),
            Node::Or(terms) => Some(Self::Or(terms.iter().map(inner).collect())),
            Node::In(wanted, list) if is_unit(wanted) => {
                units(list, slot).map(|(row, field)| Self::Listed(row, field))
            }
            Node::Binary(Binary::Same, both) => match &**both {
                [unit, name] | [name, unit] if is_unit(unit) && !mentions(name, slot) => {
                    Some(Self::Named(reader(name)))
                }
                _ => None,
            },
            Node::Binary(Binary::Different, both) => match both.each_ref().map(inner) {
                both @ [Self::Related(..), Self::Related(..)] => Some(Self::Differ(Box::new(both))),
                _ => None,
            },
            Node::Field(row, FieldRef(field)) => match &**row {
                Node::Pair(kind, names, time)
                    if is_unit(&names[1]) && !mentions(&names[0], slot) =>
                {
                    let number = field.number().filter(|_| Store::has_columns(*kind));
                    let is_read = field.is_exists() || number.is_some();
                    is_read.then(|| Self::Related(*kind, reader(&names[0]), *time, number))
                }
                _ => None,
            },
            _ => None,
        };
        known.unwrap_or_else(|| Self::Each(slot, test(node)))
    }

    /// The bits of those among `units` that fulfil the condition; the lowest bit is the unit
    /// `first`.
    fn fulfilling(&self, env: &Env<'_>, first: UnitId, units: u64) -> u64 {
        // Without units there must be no reads.
        if units == 0 {
            return 0;
        }
        match self {
            Self::Same(test) => u64::from(test(env)) * units,
            Self::Named(name) => match name(env) {
                Some(EntityId::Unit(id)) => selected(first, units, |unit| unit == id),
                _ => 0,
            },
            Self::Listed(row, field) => match row(env) {
                (Some(row), time) => {
                    field.units_in(env.state(time), row, |listed| units & listed.word_from(first))
                }
                (None, _) => 0,
            },
            Self::Related(kind, relation, time, number) => match relation(env) {
                Some(EntityId::Relation(id)) if kind.count(env.world) > 0 => {
                    let units = env.world.concerned(id, first, units);
                    let flagged =
                        |number| env.state(*time).store.flagged((*kind, number), id, first, units);
                    number.map_or(units, flagged)
                }
                _ => 0,
            },
            Self::Not(inner) => units & !inner.fulfilling(env, first, units),
            Self::And(terms) => {
                terms.iter().fold(units, |left, term| term.fulfilling(env, first, left))
            }
            Self::Or(terms) => {
                let fails = |left, term: &Self| left & !term.fulfilling(env, first, left);
                units & !terms.iter().fold(units, fails)
            }
            Self::Differ(both) => {
                let [one, other] = both.each_ref().map(|it| it.fulfilling(env, first, units));
                one ^ other
            }
            Self::Each(slot, test) => selected(first, units, |unit| {
                env.with(*slot, Value::Name(Some(EntityId::Unit(unit))), |env| test(env))
            }),
        }
    }
}

/// The bits of those among `units` that `is_so` selects.
fn selected(first: UnitId, units: u64, is_so: impl Fn(UnitId) -> bool) -> u64 {
    let selected = identities(first, units).filter(|unit| is_so(*unit));
    selected.fold(0, |all, unit| all | 1 << (unit.index() - first.index()))
}

/// Whether a node reads the variable in a slot.
fn mentions(node: &Node, slot: usize) -> bool {
    let mut mentions = false;
    node.visit(&mut |part| mentions |= *part == Node::Variable(slot));
    mentions
}
