//! Rules of a scenario's own, as far as they are constants of a world: their names, and clauses
//! that are off at one place or neglected by one actor.
//!
//! The conditions of rules are about states, which depend on worlds. So a world stores the rules as
//! an opaque value, which `agents/own_rules.rs` interprets.

use std::{any::Any, borrow::Cow, sync::Arc};

use super::WorldBuilder;
use crate::{
    actor::Actor,
    clause::{Clause, Rule},
    ids::EntityId,
    operation::Operation,
};

/// The rules of a scenario's own.
#[derive(Clone, Debug, Default)]
pub struct OwnRuleSet {
    /// Their names, in order.
    names: Vec<Arc<str>>,
    /// The transactions that they add as duties, for which the rows of states must have room.
    operations: Vec<Operation>,
    /// The rules, as a value of the type that the caller of [`OwnRuleSet::says`] names.
    says: Option<Arc<dyn Any + Send + Sync>>,
}

impl OwnRuleSet {
    /// Rules with these names and added transactions, and the value that `says` returns.
    pub fn new(
        names: Vec<Arc<str>>,
        operations: Vec<Operation>,
        says: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        Self { names, operations, says: Some(says) }
    }

    /// The transactions that they add as duties.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.says.is_none()
    }

    /// The rules, if there are any.
    #[inline]
    pub fn says<T: 'static>(&self) -> Option<&T> {
        self.says.as_ref()?.downcast_ref()
    }

    /// The clauses of the rules, each with its name.
    pub fn clauses(&self) -> impl Iterator<Item = (Clause, &str)> {
        let numbers = 1_u8..;
        let named = self.names.iter().zip(numbers);
        named.map(|(name, number)| (Clause { rule: Rule::Own, number }, &**name))
    }
}

impl WorldBuilder {
    /// The name of a clause; that of a rule of the scenario's own is the rule's.
    pub fn clause_name(&self, clause: Clause) -> Cow<'_, str> {
        let own = self.own_rules.clauses().find(|(own, _)| *own == clause);
        own.map_or_else(|| clause.to_string().into(), |(_, name)| name.into())
    }

    /// Whether the scenario adds rules of its own, or has a clause off at one place only.
    #[inline]
    pub fn is_amended(&self) -> bool {
        !self.own_rules.is_empty() || !self.without_at.is_empty()
    }

    /// Whether `clause` is switched off only at places, and at one of these.
    pub(crate) fn is_off_at(&self, clause: Clause, is_at: impl Fn(EntityId) -> bool) -> bool {
        self.without_at.iter().any(|(off, place)| *off == clause && is_at(*place))
    }

    /// Whether `actor` neglects `clause` until it runs a new version.
    pub(crate) fn is_neglected_by(&self, clause: Clause, actor: Actor) -> bool {
        self.neglected.contains(clause) && {
            let mut of_one = self.neglected_by.iter().filter(|(it, _)| *it == clause).peekable();
            of_one.peek().is_none() || of_one.any(|(_, by)| *by == actor)
        }
    }
}
