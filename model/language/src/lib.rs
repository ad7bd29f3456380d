//! Expressions about the rows of the protocol, in a part of CEL, the Common Expression Language.
//!
//! An expression is parsed, then checked: every name is known, every type fits, no document that
//! may be missing is read without a guard, no number can overflow, and the number of steps has a
//! bound. So its evaluation is total. It makes no lists and no strings, because the explorer
//! evaluates expressions in every state, and what it reads is known before it runs.
//!
//! The interpreter of the crate `cel` is the oracle in the tests: both give the same values.

mod check;
mod compile;
mod dependencies;
mod error;
mod eval;
mod fields;
mod reads;
mod recount;
mod simplify;
mod syntax;
mod tree;
mod triggers;
mod types;

use deathwatch_model::{
    history::Kept,
    rows::{Row, RowKind},
    state::State,
    world::World,
};

pub use check::{QUIESCENT, VARIANT, finder};
pub use dependencies::{Back, Kinds, Reads, Trail, Way};
pub use error::Error;
pub use eval::View;
pub use fields::{Field, FieldRead, KINDS, fields, kind_name, kind_named, list_name};
pub use recount::Recount;
pub use syntax::strings;
pub use types::{LIVES, NONE, Type};

use crate::{compile::Compiled, eval::Env, tree::Node};

/// What an expression is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A state; of each row of a kind, or as a whole.
    State(Option<RowKind>),
    /// A transition, from a state before to a state after.
    Step(Option<RowKind>),
}

impl ExpressionKind {
    /// The kind of rows that it is about one by one.
    pub fn each(self) -> Option<RowKind> {
        match self {
            Self::State(each) | Self::Step(each) => each,
        }
    }
}

/// An expression that was checked for a world, and is true or false in each of its states or
/// transitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    node: Node,
    /// The same, as it is evaluated.
    simplified: Node,
    compiled: Compiled,
    /// The lives of the subject with which it surely does not hold, and those with which it does.
    known_by_life: [u8; 2],
    reads: Reads,
    keeps: Kept,
}

impl Expression {
    /// Reads and checks an expression.
    ///
    /// # Errors
    /// If it is none, or means nothing in this world.
    pub fn new(world: &World, form: ExpressionKind, source: &str) -> Result<Self, Error> {
        let syntax = syntax::parse(source)?;
        let node = check::check(&world.keeping_all(), form, &syntax)?;
        let (reads, keeps) = reads::of(&node);
        let simplified = node.simplified();
        let known_by_life = simplified.known_by_life();
        let compiled = Compiled::new(&simplified);
        Ok(Self { node, simplified, compiled, known_by_life, reads, keeps })
    }

    /// The fields of history that it reads.
    pub fn keeps(&self) -> Kept {
        self.keeps
    }

    /// The rows that it may read.
    pub fn reads(&self) -> &Reads {
        &self.reads
    }

    /// The rows by whose changes a transition can come not to fulfil it.
    pub fn triggers(&self) -> Reads {
        triggers::of(&self.node).unwrap_or_else(|| self.reads.clone().whole_rows())
    }

    /// Whether it holds in a state, for the subject if it is about each row of a kind.
    pub fn holds(&self, world: &World, state: &State, subject: Option<Row>) -> bool {
        self.holds_between(world, state, state, subject)
    }

    /// Whether it holds of a transition.
    pub fn holds_between(
        &self,
        world: &World,
        before: &State,
        after: &State,
        subject: Option<Row>,
    ) -> bool {
        self.holds_in(View { world, states: [before, after], recount: None }, subject)
    }

    /// Whether it holds where it is evaluated.
    pub fn holds_in(&self, view: View<'_>, subject: Option<Row>) -> bool {
        let [if_not, if_so] = self.known_by_life;
        if if_not | if_so != 0 {
            let life = subject.and_then(|row| row.life(view.states[1]));
            let bit = 1 << life.map_or(types::GONE, |life| life as u8);
            if (if_not | if_so) & bit != 0 {
                return if_so & bit != 0;
            }
        }
        let holds = self.compiled.holds(&mut Env::new(view, subject));
        debug_assert_eq!(holds, self.simplified.holds(&mut Env::new(view, subject)));
        holds
    }

    /// Whether it says of a state the opposite of the other.
    pub fn is_opposite_of(&self, other: &Self) -> bool {
        matches!(&self.node, Node::Not(inner) if **inner == other.node)
    }
}
