//! Simplified conditions, as they are evaluated: any question about the life of an entity becomes
//! one look-up, and a condition can be specialised to subjects of one life.

use deathwatch_model::rows::RowKind;

use crate::{
    fields::TypedField,
    syntax::Binary,
    tree::{CheckedList, FieldRef, Node},
    types::{GONE, LIVES, Type, Value},
};

/// The set of all lives: a bit for each, by its number among the words.
const ALL_LIVES: u8 = (1 << LIVES.len()) - 1;

/// The condition that never holds.
const FALSE: Node = Node::Value(Value::Flag(false));

impl Node {
    /// The same condition in a form that is evaluated faster.
    pub(crate) fn simplified(&self) -> Self {
        let mut node = self.clone();
        node.change_inner_first(&mut |node| {
            if let Some(lives) = node.as_lives() {
                *node = lives;
            }
        });
        node
    }

    /// The look-up of one entity's life in a set that is equivalent to this condition, if there is
    /// one.
    fn as_lives(&self) -> Option<Self> {
        match self {
            Self::Field(row, FieldRef(field)) if field.is_exists() => {
                let is_entity = RowKind::ENTITIES.contains(&field.of);
                is_entity.then(|| Self::Lives(row.clone(), ALL_LIVES & !(1 << GONE)))
            }
            Self::Not(inner) => match &**inner {
                Self::Lives(row, lives) => Some(Self::Lives(row.clone(), ALL_LIVES & !lives)),
                _ => None,
            },
            Self::Binary(binary @ (Binary::Same | Binary::Different), both) => {
                let ([of_life, Self::Value(value)] | [Self::Value(value), of_life]) = &**both
                else {
                    return None;
                };
                let (row, one) = (life_of(of_life)?, bit(*value)?);
                let lives = if *binary == Binary::Same { one } else { ALL_LIVES & !one };
                Some(Self::Lives(Box::new(row.clone()), lives))
            }
            Self::In(of_life, list) => {
                let CheckedList::Items(items) = &**list else { return None };
                // Other words have greater numbers than lives.
                let (row, mut lives) = (life_of(of_life)?, 0);
                for item in items {
                    let Self::Value(value) = item else { return None };
                    lives |= bit(*value)?;
                }
                Some(Self::Lives(Box::new(row.clone()), lives))
            }
            Self::And(terms) => Self::joined(terms, |one, other| one & other),
            Self::Or(terms) => Self::joined(terms, |one, other| one | other),
            _ => None,
        }
    }

    /// The look-up equivalent to these terms together, if all are about one entity.
    fn joined(terms: &[Self], join: fn(u8, u8) -> u8) -> Option<Self> {
        let (first, others) = terms.split_first()?;
        let Self::Lives(row, mut lives) = first.clone() else { return None };
        for other in others {
            match other {
                Self::Lives(same, more) if *same == row => lives = join(lives, *more),
                _ => return None,
            }
        }
        Some(Self::Lives(row, lives))
    }
}

impl Node {
    /// The condition specialised to the case that the entity selected by `is_it` has this life.
    pub(crate) fn with_life(&self, is_it: impl Fn(&Self) -> bool, life: usize) -> Self {
        let life = u8::try_from(life).expect("lives are few");
        let mut node = self.clone();
        node.change_inner_first(&mut |node| {
            let known = match node {
                Self::Lives(row, lives) if is_it(row) => Some(Value::Flag(*lives >> life & 1 == 1)),
                Self::Field(row, FieldRef(field)) if is_it(row) && is_life(field) => {
                    Some(Value::Word(life))
                }
                _ => None,
            };
            *node = match known {
                Some(value) => Self::Value(value),
                None => std::mem::replace(node, FALSE).folded(),
            };
        });
        node.simplified()
    }

    /// The same node without constant parts; its parts are folded already.
    fn folded(self) -> Self {
        match self {
            Self::Not(inner) => match *inner {
                Self::Value(value) => Self::Value(Value::Flag(!value.is_true())),
                inner => Self::Not(Box::new(inner)),
            },
            Self::And(terms) => Self::folded_terms(terms, false).unwrap_or_else(Self::And),
            Self::Or(terms) => Self::folded_terms(terms, true).unwrap_or_else(Self::Or),
            Self::If(parts) => {
                let [condition, yes, no] = *parts;
                match condition {
                    Self::Value(value) if value.is_true() => yes,
                    Self::Value(_) => no,
                    condition => Self::If(Box::new([condition, yes, no])),
                }
            }
            Self::Binary(binary @ (Binary::Same | Binary::Different), both) => match *both {
                [Self::Value(one), Self::Value(other)] => {
                    Self::Value(Value::Flag((one == other) == (binary == Binary::Same)))
                }
                both => Self::Binary(binary, Box::new(both)),
            },
            other => other,
        }
    }

    /// Folds the terms of a conjunction or disjunction, which a term with the value `decides`
    /// decides: `Ok` with a value or a single term, `Err` with the remaining terms.
    fn folded_terms(mut terms: Vec<Self>, decides: bool) -> Result<Self, Vec<Self>> {
        let is = |term: &Self, flag| *term == Self::Value(Value::Flag(flag));
        if terms.iter().any(|term| is(term, decides)) {
            return Ok(Self::Value(Value::Flag(decides)));
        }
        terms.retain(|term| !is(term, !decides));
        match terms.len() {
            0 => Ok(Self::Value(Value::Flag(!decides))),
            1 => Ok(terms.remove(0)),
            _ => Err(terms),
        }
    }
}

/// Whether a field is the life of an entity.
fn is_life(field: &TypedField) -> bool {
    field.value == Type::Word(LIVES) && RowKind::ENTITIES.contains(&field.of)
}

/// The row whose life this node is.
fn life_of(node: &Node) -> Option<&Node> {
    match node {
        Node::Field(row, FieldRef(field)) if is_life(field) => Some(&**row),
        _ => None,
    }
}

fn bit(value: Value) -> Option<u8> {
    match value {
        Value::Word(number) => Some(1 << number),
        _ => None,
    }
}
