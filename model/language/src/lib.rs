//! Expressions about the rows of the protocol, in a part of CEL, the Common Expression Language.
//!
//! An expression is parsed, then checked: every name is known, every type fits, no document that
//! may be missing is read without a guard, no number can overflow, and the number of steps has a
//! bound. So its evaluation is total. It builds no lists and no strings, because the explorer
//! evaluates expressions in every state, and the rows that it reads are known before it runs.
//!
//! The interpreter of the crate `cel` is the oracle in the tests: both give the same values.

mod check;
mod compile;
mod dependencies;
mod error;
mod eval;
mod fields;
mod instances;
mod reads;
mod recount;
mod rule;
mod simplify;
mod syntax;
mod tree;
mod triggers;
mod types;

use deathwatch_model::{
    history::KeptHistory,
    ids::EntityId,
    rows::{self, Row, RowKind},
    state::State,
    world::World,
};

pub use check::{QUIESCENT, VARIANT, finder};
pub use dependencies::{Back, Reads, RowKinds, Trail, Way};
pub use error::Error;
pub use eval::{Subject, View};
pub use fields::{FieldRead, KINDS, TypedField, fields, kind_name, kind_named, list_name};
pub use recount::Recount;
pub use rule::{RuleCondition, RuleScope};
pub use syntax::strings;
pub use types::{LIVES, NONE, Type};

use crate::{
    compile::Compiled,
    eval::Env,
    reads::is_of_key,
    tree::{Node, RULE_NAMES, SUBJECT_AFTER},
    types::{Time, Value},
};

/// The subject of an expression: a state or a step, of one row or of the whole, or an act that a
/// rule judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A state; of each row of a kind, or as a whole.
    State(Option<RowKind>),
    /// A transition, from a state before to a state after.
    Step(Option<RowKind>),
    /// A state in which an actor asks whether to act, by a rule.
    Rule(RuleScope),
}

impl ExpressionKind {
    /// The kind of rows that are its subjects, one by one; `None` if the whole state is the
    /// subject.
    pub fn each(self) -> Option<RowKind> {
        match self {
            Self::State(each) | Self::Step(each) => each,
            Self::Rule(scope) => scope.each,
        }
    }
}

/// An expression that was checked for a world, and is true or false in each of its states or
/// transitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    form: ExpressionKind,
    node: Node,
    compiled: Compiled,
    /// The condition simplified for a subject of each life, by the life's number, if these differ.
    by_life: Option<Box<[Compiled; LIVES.len()]>>,
    /// The terms about constants of the world, if there are some.
    constants: Option<Compiled>,
    reads: Reads,
    keeps: KeptHistory,
}

impl Expression {
    /// Reads and checks an expression.
    ///
    /// # Errors
    /// If it is not an expression, or has no meaning in this world.
    pub fn new(world: &World, form: ExpressionKind, source: &str) -> Result<Self, Error> {
        let syntax = syntax::parse(source)?;
        let node = check::check(&world.keeping_all(), form, &syntax)?;
        Ok(Self::of(form, node))
    }

    fn of(form: ExpressionKind, node: Node) -> Self {
        let (reads, mut keeps) = reads::of(&node);
        if let ExpressionKind::State(Some(each)) | ExpressionKind::Step(Some(each)) = form {
            keeps = keeps | KeptHistory::rows_of(each);
        }
        let simplified = node.simplified();
        let compiled = Compiled::new(&simplified);
        let by_life = by_life(form, &simplified);
        let constants = constants(&node);
        Self { form, node, compiled, by_life, constants, reads, keeps }
    }

    /// The rows and fields of history that it reads.
    pub fn keeps(&self) -> KeptHistory {
        self.keeps
    }

    /// The rows that it may read.
    pub fn reads(&self) -> &Reads {
        &self.reads
    }

    /// The rows whose changes can make a transition violate it.
    pub fn triggers(&self) -> Reads {
        triggers::of(&self.node).unwrap_or_else(|| self.reads.clone().of_steps())
    }

    /// Whether it holds in a state; `subject` is given if it is about each row of a kind.
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

    /// Whether it holds in a view.
    pub fn holds_in(&self, view: View<'_>, subject: Option<Row>) -> bool {
        match (&self.by_life, subject) {
            (Some(_), Some(row)) => self.holds_of(view, Subject::of(row, view.states[1])),
            _ => self.holds_as(&self.compiled, view, subject),
        }
    }

    /// Whether it holds in a view, for a subject whose life is known.
    #[inline]
    pub fn holds_of(&self, view: View<'_>, subject: Subject) -> bool {
        let compiled = self.by_life.as_ref().map_or(&self.compiled, |it| &it[subject.life]);
        self.holds_as(compiled, view, Some(subject.row))
    }

    /// Whether it holds, as the condition of a rule, for an actor and an act with these names.
    pub(crate) fn holds_for(
        &self,
        view: View<'_>,
        subject: Option<Row>,
        names: &[Option<EntityId>; RULE_NAMES],
    ) -> bool {
        let names = names.map(Value::Name);
        let holds = Env::new(view, subject)
            .with_all(SUBJECT_AFTER + 1, &names, &mut |env| self.compiled.holds_in(env));
        debug_assert_eq!(
            holds,
            rows::unrecorded(|| {
                let env = Env::new(view, subject);
                env.with_all(SUBJECT_AFTER + 1, &names, &mut |env| self.node.holds(env))
            }),
            "its closure has another value"
        );
        holds
    }

    /// Whether it holds, evaluated on the checked tree, which is the reference.
    pub fn holds_by_tree(&self, view: View<'_>, subject: Option<Row>) -> bool {
        self.node.holds(&Env::new(view, subject))
    }

    #[inline]
    fn holds_as(&self, compiled: &Compiled, view: View<'_>, subject: Option<Row>) -> bool {
        let holds = compiled.holds(view, subject);
        debug_assert_eq!(
            holds,
            rows::unrecorded(|| self.holds_by_tree(view, subject)),
            "its closure has another value"
        );
        holds
    }

    /// Its value for every subject whose life has this number, after a transition if there is one;
    /// `None` if the value depends on something else.
    pub fn known_by_life(&self, life: usize) -> Option<bool> {
        match self.by_life.as_ref().map_or(&self.compiled, |it| &it[life]) {
            Compiled::Known(holds) => Some(*holds),
            Compiled::Test(_) => None,
        }
    }

    /// Its value for every subject whose key names an entity of this kind with this life, in the
    /// state or after a transition; `None` if the value depends on something else.
    pub fn known_by_life_of(&self, kind: RowKind, life: usize) -> Option<bool> {
        let is_named = |row: &Node| match row {
            Node::Find(found, name, Time::After) => *found == kind && is_of_key(name, kind),
            _ => false,
        };
        match self.node.simplified().with_life(is_named, life) {
            Node::Value(value) => Some(value.is_true()),
            _ => None,
        }
    }

    /// Whether some of its terms read only constants of the world.
    pub fn has_constants(&self) -> bool {
        self.constants.is_some()
    }

    /// Whether the constants of the world exclude that it holds of a subject in any state.
    pub fn is_ruled_out(&self, view: View<'_>, subject: Row) -> bool {
        let is_met = |constants: &Compiled| constants.holds(view, Some(subject));
        let is_ruled_out = !self.constants.as_ref().is_none_or(is_met);
        debug_assert!(!(is_ruled_out && self.holds_by_tree(view, Some(subject))), "it holds");
        is_ruled_out
    }

    /// Whether it is the negation of `other`.
    pub fn is_opposite_of(&self, other: &Self) -> bool {
        matches!(&self.node, Node::Not(inner) if **inner == other.node)
    }
}

/// The terms of a condition that read only constants of the world, if there are some.
fn constants(node: &Node) -> Option<Compiled> {
    let terms = match node {
        Node::And(terms) => terms.as_slice(),
        one => std::slice::from_ref(one),
    };
    let is_constant = |term: &&Node| reads::of(term).0.kinds() == RowKinds::default();
    let terms: Vec<Node> = terms.iter().filter(is_constant).cloned().collect();
    (!terms.is_empty()).then(|| Compiled::new(&Node::And(terms).simplified()))
}

/// The condition simplified for a subject of each life, if its subject is an entity and it reads
/// the life.
fn by_life(form: ExpressionKind, node: &Node) -> Option<Box<[Compiled; LIVES.len()]>> {
    form.each().filter(|kind| RowKind::ENTITIES.contains(kind))?;
    if matches!(form, ExpressionKind::Rule(_)) {
        return None;
    }
    let is_subject = |row: &Node| *row == Node::Variable(SUBJECT_AFTER);
    let nodes =
        std::array::from_fn::<_, { LIVES.len() }, _>(|life| node.with_life(is_subject, life));
    let asks = nodes.iter().any(|it| it != node);
    asks.then(|| Box::new(nodes.each_ref().map(Compiled::new)))
}
