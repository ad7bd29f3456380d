//! Checked expressions, as they are evaluated: what asks for the life of an entity is one look-up.

use deathwatch_model::rows::RowKind;

use crate::{
    syntax::Binary,
    tree::{CheckedList, Node, Of, SUBJECT_AFTER},
    types::{GONE, LIVES, Type, Value},
};

/// All lives, as a set: a bit for each, by its number among the words.
const ALL_LIVES: u8 = (1 << LIVES.len()) - 1;

impl Node {
    /// The same condition, which is evaluated faster.
    pub(crate) fn simplified(&self) -> Self {
        let mut node = self.clone();
        node.change_inner_first(&mut |node| {
            if let Some(lives) = node.as_lives() {
                *node = lives;
            }
        });
        node
    }

    /// The set of lives of one entity that this asks for, if it asks for nothing else.
    fn as_lives(&self) -> Option<Self> {
        match self {
            Self::Field(row, Of(field)) if field.is_exists() => {
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
                let mut lives = 0;
                for item in items {
                    let Self::Value(value) = item else { return None };
                    lives |= bit(*value)?;
                }
                Some(Self::Lives(Box::new(life_of(of_life)?.clone()), lives))
            }
            Self::And(terms) => Self::joined(terms, |one, other| one & other),
            Self::Or(terms) => Self::joined(terms, |one, other| one | other),
            _ => None,
        }
    }

    /// The set of lives that terms ask for together, if all are about one entity.
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
    /// The lives of the subject, after a transition if there is one, with which a condition surely
    /// does not hold, and those with which it surely does.
    pub(crate) fn known_by_life(&self) -> [u8; 2] {
        let of_terms = |terms: &[Self]| terms.iter().map(Self::known_by_life).collect::<Vec<_>>();
        match self {
            Self::Lives(row, lives) if **row == Self::Variable(SUBJECT_AFTER) => {
                [ALL_LIVES & !lives, *lives]
            }
            Self::Not(inner) => {
                let [if_not, if_so] = inner.known_by_life();
                [if_so, if_not]
            }
            Self::And(terms) => of_terms(terms)
                .into_iter()
                .fold([0, ALL_LIVES], |[no, so], [if_not, if_so]| [no | if_not, so & if_so]),
            Self::Or(terms) => of_terms(terms)
                .into_iter()
                .fold([ALL_LIVES, 0], |[no, so], [if_not, if_so]| [no & if_not, so | if_so]),
            _ => [0, 0],
        }
    }
}

/// The row of which this is the life.
fn life_of(node: &Node) -> Option<&Node> {
    match node {
        Node::Field(row, Of(field)) if field.value == Type::Word(LIVES) => {
            RowKind::ENTITIES.contains(&field.of).then_some(&**row)
        }
        _ => None,
    }
}

/// The set of one life.
fn bit(value: Value) -> Option<u8> {
    match value {
        Value::Word(number) => Some(1 << number),
        _ => None,
    }
}
