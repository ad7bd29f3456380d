//! Conditions of rules, which an actor evaluates before it acts.

use std::{fmt, sync::Arc};

use deathwatch_model::{
    agents::{Condition, Named, WatchedStep},
    ids::{EntityId, Id, Renaming},
    rows::{Row, RowKind, comparing},
    state::State,
    world::World,
};

use crate::{
    Error, Expression, ExpressionKind, Trail, View,
    tree::{RULE_NAMES, SUBJECT_AFTER},
};

/// The name of the asking agent in a condition.
pub(crate) const ME: &str = "me";

/// The prefix of the names in an act.
pub(crate) const ACT: &str = "act";

/// The names that the condition of a rule can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleScope {
    /// The kind of its subject, which is called `it`.
    pub each: Option<RowKind>,
    /// The kind of the asking agent, unit or machine, if an agent asks: it is called `me`, and its
    /// rows can be read.
    pub me: Option<RowKind>,
    /// The kinds of the entities that the act names, as in "act.unit".
    pub act: [Option<RowKind>; 2],
}

impl RuleScope {
    /// The names, each with its slot and its kind.
    pub(crate) fn names(self) -> impl Iterator<Item = (String, usize, RowKind)> {
        let me = self.me.map(|kind| (ME.to_owned(), kind));
        let act = self.act.map(|kind| Some((format!("{ACT}.{}", kind?.name()), kind?)));
        let all = [me].into_iter().chain(act);
        all.enumerate().filter_map(|(place, it)| {
            let (name, kind) = it?;
            Some((name, SUBJECT_AFTER + 1 + place, kind))
        })
    }

    /// Whether the subject belongs to the asking agent: it is the agent's own row of its kind.
    pub(crate) fn is_about_me(self) -> bool {
        self.each.is_some_and(|kind| self.owns(kind))
    }

    /// Whether rows of a kind belong to agents of the asking agent's kind.
    pub(crate) fn owns(self, kind: RowKind) -> bool {
        match self.me {
            Some(RowKind::Unit) => {
                RowKind::PAIRS.contains(&kind)
                    || kind.of_entity(EntityId::Unit(Id::new(0))).is_some()
            }
            Some(_) => kind.of_entity(EntityId::Machine(Id::new(0))).is_some(),
            None => false,
        }
    }
}

/// A condition of a rule.
#[derive(Clone)]
pub struct RuleCondition {
    each: Option<RowKind>,
    expression: Expression,
    /// The greatest constant that it compares a count with, if it uses counts in no other way.
    compared: Option<u32>,
}

impl fmt::Debug for RuleCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl RuleCondition {
    /// Reads and checks a condition.
    ///
    /// # Errors
    /// If it is no expression, has no meaning in this world, or reads a row that its actor cannot
    /// read.
    pub fn new(world: &World, scope: RuleScope, source: &str) -> Result<Self, Error> {
        let expression = Expression::new(world, ExpressionKind::Rule(scope), source)?;
        let compared = expression.greatest_compared().and_then(|most| u32::try_from(most).ok());
        Ok(Self { each: scope.each, expression, compared })
    }

    /// The rows that it may read.
    pub fn reads(&self) -> &crate::Reads {
        self.expression.reads()
    }
}

impl Condition for RuleCondition {
    fn holds(&self, world: &World, state: &State, subject: Option<Row>, named: &Named) -> bool {
        let named: &[_; RULE_NAMES] = named;
        let view = View { world, states: [state; 2], recount: None };
        let holds = || self.expression.holds_for(view, subject, named);
        self.compared.map_or_else(holds, |most| comparing(most, holds))
    }

    fn subjects(&self, change: &WatchedStep<'_>, row: Row, found: &mut dyn FnMut(Row)) {
        let trail =
            Trail { world: change.world, states: [change.before, change.after], recount: None };
        for way in self.expression.reads().ways_from(row.kind()) {
            let Some(kind) = self.each else { return found(row) };
            way.follow(&trail, row, kind, &mut |subject| found(subject));
        }
    }

    fn named(&self) -> Vec<EntityId> {
        self.expression.named()
    }

    fn asks_of_world(&self) -> bool {
        let listed = self.expression.listed();
        let mut of_units = RowKind::ALL.into_iter().filter(|kind| {
            RowKind::PAIRS.contains(kind)
                || kind.of_entity(EntityId::Unit(Id::new(0))).is_some()
                || kind.of_entity(EntityId::Machine(Id::new(0))).is_some()
        });
        self.expression.asks_room()
            || self.expression.asks_quiescence()
            || of_units.any(|kind| listed.contains(kind))
    }

    fn hidden(&self, world: &World, outline: &World) -> Option<String> {
        self.expression.hidden(world, outline)
    }

    fn renamed(&self, by: &Renaming) -> Arc<dyn Condition> {
        Arc::new(Self { expression: self.expression.renamed(by), ..self.clone() })
    }
}
