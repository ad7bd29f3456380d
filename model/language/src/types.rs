//! The types of values, and the values themselves.

use std::sync::LazyLock;

use deathwatch_model::{
    action::Hook,
    ids::{Constraints, EntityId},
    life::Life,
    operation::Operation,
    rows::{FieldKind, Row, RowKind},
    variants::Variants,
    world::{Scope, Series},
};

/// The word for a missing entity, placement or transaction.
pub const NONE: &str = "none";

/// The lives of an entity, with the word for one without a document.
pub const LIVES: &[&str] = &Life::WORDS;

/// The number of the word in `LIVES` for an entity without a document.
pub(crate) const GONE: u8 = 3;
const _: () = assert!(GONE as usize == LIVES.len() - 1);

/// The number of a life in `LIVES`; that of "gone" for `None`.
#[inline]
pub(crate) fn life_number(life: Option<Life>) -> usize {
    life.map_or(GONE.into(), |life| life as usize)
}

pub(crate) const SCOPES: &[&str] = &["global", "container", "peer"];

/// The values of the variant with this number, the default first.
pub(crate) fn variant_values(number: usize) -> &'static [&'static str] {
    static VALUES: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
        let values = Variants::LIST.iter().map(|it| it.values);
        values.map(|values| values.iter().map(|(value, _)| *value).collect()).collect()
    });
    &VALUES[number]
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Flag,
    /// A whole number in this range, both ends included.
    Number(i64, i64),
    Word(&'static [&'static str]),
    /// The name of an entity of certain kinds.
    Name(NameType),
    /// The transaction or hook that an actor has begun.
    Begun,
    /// A set of constraints, or none.
    Constraints,
    /// A series; none in a world without series.
    Series,
    /// A row, and whether it certainly can be found, whatever its document.
    Row(RowKind, bool),
}

/// Names of entities: their kinds, and whether "none" is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameType {
    /// A bit for each kind of row that holds an entity's own document.
    kinds: u8,
    pub(crate) or_none: bool,
}

impl NameType {
    /// Names of machines and principals, or none.
    pub(crate) const PLACEMENT: Self = Self {
        kinds: Self::of(RowKind::Machine).kinds | Self::of(RowKind::Unit).kinds,
        or_none: true,
    };

    /// Names of entities of this kind.
    pub(crate) const fn of(kind: RowKind) -> Self {
        Self { kinds: 1 << kind as u8, or_none: false }
    }

    /// The same names, and "none".
    #[must_use]
    pub(crate) const fn or_none(self) -> Self {
        Self { or_none: true, ..self }
    }

    /// Whether names of this kind are among them.
    pub(crate) fn has(self, kind: RowKind) -> bool {
        self.kinds & Self::of(kind).kinds != 0
    }

    /// The union of both sets of names.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self { kinds: self.kinds | other.kinds, or_none: self.or_none || other.or_none }
    }

    /// Whether some name is in both sets.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.kinds & other.kinds != 0 || self.or_none && other.or_none
    }

    fn shown(self) -> String {
        let kinds = RowKind::ENTITIES.into_iter().filter(|kind| self.has(*kind));
        let kinds = kinds.map(|kind| match kind.name() {
            "application" => "an application".to_owned(),
            name => format!("a {name}"),
        });
        let none = self.or_none.then(|| "\"none\"".to_owned());
        let kinds: Vec<String> = kinds.chain(none).collect();
        match kinds.split_last() {
            Some((last, [])) => format!("the name of {last}"),
            Some((last, others)) => format!("the name of {} or {last}", others.join(", ")),
            None => "no name".to_owned(),
        }
    }
}

impl Type {
    pub(crate) const COUNT: Self = Self::Number(0, u32::MAX as i64);

    /// The type of a field of this kind, and whether it is that of a list's items.
    pub(crate) fn of(kind: FieldKind) -> Option<(Self, bool)> {
        let one = |kind| Some((Self::Name(NameType::of(kind).or_none()), false));
        match kind {
            FieldKind::Flag => Some((Self::Flag, false)),
            FieldKind::Count => Some((Self::COUNT, false)),
            FieldKind::Life => Some((Self::Word(LIVES), false)),
            FieldKind::State(names) => Some((Self::Word(names), false)),
            FieldKind::Placement => Some((Self::Name(NameType::PLACEMENT), false)),
            FieldKind::Machine => one(RowKind::Machine),
            FieldKind::Application => one(RowKind::Application),
            FieldKind::Unit => one(RowKind::Unit),
            FieldKind::Relation => one(RowKind::Relation),
            FieldKind::Units => Some((Self::Name(NameType::of(RowKind::Unit)), true)),
            FieldKind::Machines => Some((Self::Name(NameType::of(RowKind::Machine)), true)),
            FieldKind::Txn | FieldKind::Begun => Some((Self::Begun, false)),
            FieldKind::Constraints => Some((Self::Constraints, false)),
            FieldKind::Commands | FieldKind::Document => None,
        }
    }

    /// The type as messages name it.
    pub fn shown(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Number(..) => "a number".to_owned(),
            Self::Word(words) => format!("one of {}", quoted(words)),
            Self::Name(names) => names.shown(),
            Self::Begun => "a transaction, a hook or \"none\"".to_owned(),
            Self::Constraints => "constraints, such as \"mem=2G\", or \"none\"".to_owned(),
            Self::Series => "a series, such as \"precise\", or \"none\"".to_owned(),
            Self::Row(kind, _) => format!("a row `{}`", kind.name()),
        }
    }

    /// Whether it has a word for a document that does not exist.
    pub(crate) fn has_nothing(self) -> bool {
        match self {
            Self::Word(words) => words == LIVES,
            Self::Name(names) => names.or_none,
            Self::Begun | Self::Series => true,
            // A document without constraints is not the same as no document.
            Self::Constraints | Self::Flag | Self::Number(..) | Self::Row(..) => false,
        }
    }
}

pub(crate) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// Work that an actor has begun and not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BegunWork {
    Txn(Operation),
    Hook(Hook),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Flag(bool),
    Number(i64),
    /// A word of its type, by its position.
    Word(u8),
    /// An entity, or "none".
    Name(Option<EntityId>),
    Begun(Option<BegunWork>),
    /// A set of constraints, or none.
    Constraints(Constraints),
    /// A series, if the world has some.
    Series(Option<Series>),
    /// A row, if there is one, in the state before or after.
    Row(Option<Row>, Time),
}

/// One of two states: a claim about transitions has a state before and one after, every other claim
/// only one, which counts as the one after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Time {
    /// The state before the transition.
    Before,
    After,
}

impl Value {
    /// Whether it is the flag `true`.
    pub(crate) fn is_true(self) -> bool {
        matches!(self, Self::Flag(true))
    }

    /// The row, and the state that it is read in.
    #[inline]
    pub(crate) fn row(self) -> (Option<Row>, Time) {
        match self {
            Self::Row(row, time) => (row, time),
            Self::Flag(_)
            | Self::Number(_)
            | Self::Word(_)
            | Self::Name(_)
            | Self::Begun(_)
            | Self::Constraints(_)
            | Self::Series(_) => unreachable!("what was checked is a row"),
        }
    }

    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Flag(_)
            | Self::Word(_)
            | Self::Name(_)
            | Self::Begun(_)
            | Self::Constraints(_)
            | Self::Series(_)
            | Self::Row(..) => unreachable!("what was checked is a number"),
        }
    }

    pub(crate) fn word(self) -> u8 {
        match self {
            Self::Word(word) => word,
            Self::Flag(_)
            | Self::Number(_)
            | Self::Name(_)
            | Self::Begun(_)
            | Self::Constraints(_)
            | Self::Series(_)
            | Self::Row(..) => unreachable!("what was checked is a word"),
        }
    }

    pub(crate) fn name(self) -> Option<EntityId> {
        match self {
            Self::Name(entity) => entity,
            Self::Flag(_)
            | Self::Number(_)
            | Self::Word(_)
            | Self::Begun(_)
            | Self::Constraints(_)
            | Self::Series(_)
            | Self::Row(..) => unreachable!("what was checked is a name"),
        }
    }

    /// The word for a life, or for a missing document.
    pub(crate) fn life(life: Option<Life>) -> Self {
        Self::Word(life.map_or(GONE, |life| life as u8))
    }

    pub(crate) fn scope(scope: Scope) -> Self {
        Self::Word(match scope {
            Scope::Global => 0,
            Scope::Container => 1,
            Scope::Peer => 2,
        })
    }
}
