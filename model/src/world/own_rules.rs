//! Rules of a scenario's own, as far as the constants of a world know them: their names, and
//! clauses that are off at one place or neglected by one actor.
//!
//! The conditions of rules are about states, which are built on worlds. So a world keeps what the
//! rules say without looking at it, and the agents understand it (`agents/own_rules.rs`).

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
    /// The transactions that they add as duties: states must have room for what comes of these.
    operations: Vec<Operation>,
    /// The rules, of the type that [`OwnRuleSet::says`] is asked for.
    says: Option<Arc<dyn Any + Send + Sync>>,
}

impl OwnRuleSet {
    /// Rules with these names, which add these transactions as duties, and say this.
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

    /// The rules, if there are some.
    #[inline]
    pub fn says<T: 'static>(&self) -> Option<&T> {
        self.says.as_ref()?.downcast_ref()
    }

    /// The clauses that they are, each with its name.
    pub fn clauses(&self) -> impl Iterator<Item = (Clause, &str)> {
        let numbers = 1_u8..;
        let named = self.names.iter().zip(numbers);
        named.map(|(name, number)| (Clause { rule: Rule::Own, number }, &**name))
    }
}

impl WorldBuilder {
    /// The name of a clause: that of a rule of the scenario's own is the rule's.
    pub fn clause_name(&self, clause: Clause) -> Cow<'_, str> {
        let own = self.own_rules.clauses().find(|(own, _)| *own == clause);
        own.map_or_else(|| clause.to_string().into(), |(_, name)| name.into())
    }

    /// Whether the scenario adds rules of its own, or has a clause off at one place alone.
    #[inline]
    pub fn is_amended(&self) -> bool {
        !self.own_rules.is_empty() || !self.without_at.is_empty()
    }

    /// Whether `clause` is switched off at one of these places alone.
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
