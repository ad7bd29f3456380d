//! Values: the fields of rows by name, what changes them, and what is asserted of them.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table by name, in the order of the world.
pub type Table<T> = IndexMap<String, T>;

/// A state: the kinds of rows, of each kind the rows by name, and of each row the fields by name. A
/// field is null if its document is missing, or if it names nothing.
pub type Tables = Table<Table<Table<Option<Value>>>>;

/// A kind of entities. Its name is also that of the kind of rows with their own documents.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    Machine,
    Application,
    Unit,
    Relation,
}

impl Tier {
    /// The kind in words: also the kind of its rows that has their lives.
    pub fn word(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Application => "application",
            Self::Unit => "unit",
            Self::Relation => "relation",
        }
    }
}

/// An entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// Its kind.
    pub tier: Tier,
    /// Its name among those of its kind.
    pub name: String,
}

/// A kind of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The meaning of its rows.
    pub means: String,
    /// The kinds of the entities that each row is about: one, or a unit and a relation. Empty if
    /// its rows are about no entity.
    pub about: Vec<Tier>,
    /// The rows by name, and the names of the entities that each is about, in the order of `about`.
    pub rows: Table<Vec<String>>,
    /// Its fields.
    pub fields: Table<KindField>,
}

impl Kind {
    /// The entities that the row with this name is about.
    pub fn entities(&self, row: &str) -> impl Iterator<Item = (Tier, &str)> {
        let names = self.rows.get(row).into_iter().flatten();
        self.about.iter().copied().zip(names.map(String::as_str))
    }
}

/// A field of a kind of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindField {
    /// Its meaning.
    pub means: String,
    /// Whether it may be null.
    pub optional: bool,
}

/// The text of a clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClauseText {
    /// Its text, in our words.
    pub says: String,
    /// Its passages.
    pub source: String,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Whether something is so.
    Flag(bool),
    /// A number of something.
    Count(u64),
    /// A life, the name of a state, or that of an entity.
    Word(String),
    /// The names of units or machines.
    Names(Vec<String>),
    /// The place of a principal unit.
    Machine {
        /// The machine.
        machine: String,
    },
    /// The place of a subordinate unit.
    Unit {
        /// The principal.
        unit: String,
    },
    /// A transaction that is pending.
    Transaction {
        /// Its operation.
        transaction: String,
        /// Its asserts and changes.
        ops: Vec<Because>,
    },
    /// A hook that runs.
    Hook {
        /// The hook.
        hook: String,
    },
    /// The aborts of a command so far.
    Aborts {
        /// Their number.
        aborts: u8,
        /// Whether it is to be planned again.
        again: bool,
    },
    /// The number of times that each command was given.
    Commands(Table<u8>),
}

/// The name of a row. What it is about stands in `kinds`, under the same kind and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentName {
    /// Its kind.
    pub kind: String,
    /// Its name among those of its kind.
    pub name: String,
}

/// The change of one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The document, or the memory or disk of an agent.
    pub document: DocumentName,
    /// The field.
    pub field: String,
    /// Its value before.
    pub before: Option<Value>,
    /// Its value after.
    pub after: Option<Value>,
}

/// A condition of a transaction: why it aborted or was refused, or what it is planned to assert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// The clauses that say so.
    pub clauses: Vec<String>,
    /// The document that it is about, if it is about one.
    pub document: Option<String>,
    /// The expectation of it, beginning with "to" or "not to".
    pub expects: Option<String>,
    /// Whether it changes the document.
    pub changes: bool,
    /// It in words.
    pub text: String,
}
