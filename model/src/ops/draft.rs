//! Planning: a transaction is drafted op by op, on the store as it is read.
//!
//! A condition is written once. If it picks a branch or declines while planning, it is recorded as
//! an assert, to be judged again at commit. So a clause that is switched off is gone from both: it
//! declines nothing, none of its branches is taken, and none of its ops is recorded. The ops of a
//! clause without its asserts are recorded, and assert nothing: it is planned as always, and its
//! changes are made in any case.

use crate::{
    clause::{Clause, Rule},
    ids::{EntityId, UnitId},
    operation::Operation,
    refusal::Why,
    store::{Store, StoredDocument},
    table::{Argument, RowEnum as _},
    txn::{
        Assert, Doc, On, Op, Txn,
        UnitChange::{Capture, Constrain},
    },
    variants::ConstraintsCaptured,
    world::World,
};

/// The result of planning an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// There is nothing to do ("abort without error").
    NoOp,
    /// It is not allowed ("abort with an appropriate error").
    Refuse(Why),
    /// This transaction is to be committed.
    Submit(Txn),
}

/// The reason why there is nothing to commit: a plan that ends before there is a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decline {
    NoOp,
    /// It is not allowed.
    Refuse(Why),
}

impl From<Why> for Decline {
    fn from(why: Why) -> Self {
        Decline::Refuse(why)
    }
}

impl Why {
    /// Declines as a no-op if the operation `is_done` already, else refuses.
    pub(crate) fn unless(self, is_done: bool) -> Decline {
        if is_done { Decline::NoOp } else { Decline::Refuse(self) }
    }
}

/// A scenario's rule that replaces the condition of a clause's branch, by the entity of the
/// document: the clause of the rule, and whether its condition holds.
pub(crate) type Exchanged<'a> = &'a dyn Fn(Clause, EntityId) -> Option<(Clause, bool)>;

/// A transaction in the course of planning.
pub(crate) struct Draft<'a> {
    pub(crate) world: &'a World,
    /// The documents, as they are read.
    pub(crate) store: &'a Store,
    exchanged: Exchanged<'a>,
    rule: Rule,
    txn: Txn,
}

impl<'a> Draft<'a> {
    /// A transaction without ops.
    pub(crate) fn new(
        world: &'a World,
        store: &'a Store,
        operation: Operation,
        exchanged: Exchanged<'a>,
    ) -> Self {
        let txn = Txn { operation, ops: Vec::new() };
        Self { world, store, exchanged, rule: operation.rule(), txn }
    }

    /// Declines unless `is_allowed`, which follows from constants of the world. They never change,
    /// so it needs no assert.
    pub(crate) fn permit(&self, number: u8, is_allowed: bool, why: Why) -> Result<(), Decline> {
        if is_allowed || self.is_off(number) { Ok(()) } else { Err(Decline::Refuse(why)) }
    }

    /// Declines unless `assert` holds for `doc`, and asserts it at commit. The reason is
    /// `otherwise`, or `NotFound` if the document has to exist and does not.
    pub(crate) fn require<D: StoredDocument>(
        &mut self,
        number: u8,
        doc: D,
        assert: Assert<D::Predicate>,
        otherwise: impl Into<Decline>,
    ) -> Result<Required<'_, D>, Decline> {
        let is_off_at = |it| doc.doc() == Doc::Entity(it);
        let is_off = self.is_off(number) || self.world.is_off_at(self.clause(number), is_off_at);
        if !is_off && !self.finds(doc, assert) {
            let asks = matches!(assert, Assert::Any(_) | Assert::None(_));
            let is_missing = asks && !doc.exists(self.store);
            return Err(if is_missing { Why::NotFound.into() } else { otherwise.into() });
        }
        let on = On { doc, assert, change: None };
        Ok(self.record(number, on, true))
    }

    /// Whether `assert` holds for `doc`; records it, or its negation, to be asserted at commit. The
    /// branch of a clause that is switched off is not taken. A rule of the scenario's own that
    /// replaces the condition is not asserted: transactions are atomic there.
    pub(crate) fn branch<D: StoredDocument>(
        &mut self,
        number: u8,
        doc: D,
        assert: Assert<D::Predicate>,
    ) -> bool {
        if let Some((rule, holds)) = self.exchanged(number, doc.doc()) {
            let on = D::any(On { doc, assert: Assert::Nothing, change: None });
            self.txn.ops.push(Op { clause: rule, on, carries_out: true });
            return holds && !self.is_off(number);
        }
        let holds = self.finds(doc, assert);
        let assert = if holds { assert } else { assert.negated() };
        self.record(number, On { doc, assert, change: None }, false).op.is_some() && holds
    }

    /// Whether `assert` holds for `doc` now, for the variants that leave it unasserted.
    pub(crate) fn finds<D: StoredDocument>(&self, doc: D, assert: Assert<D::Predicate>) -> bool {
        self.store.satisfies(doc, assert, self.world)
    }

    /// On `doc`, provided `assert`, do `change`.
    pub(crate) fn on<D: StoredDocument>(
        &mut self,
        number: u8,
        doc: D,
        assert: Assert<D::Predicate>,
        change: D::Change,
    ) {
        self.record(number, On { doc, assert, change: Some(change) }, true);
    }

    /// Adds an assert about `doc`, for the clause of this number.
    pub(crate) fn assert<D: StoredDocument>(
        &mut self,
        number: u8,
        doc: D,
        assert: Assert<D::Predicate>,
    ) {
        self.record(number, On { doc, assert, change: None }, true);
    }

    /// Do `change` on `doc`, provided only that it exists.
    pub(crate) fn change<D: StoredDocument>(&mut self, number: u8, doc: D, change: D::Change) {
        self.on(number, doc, Assert::Exists, change);
    }

    /// Does the part of clause `number` that another rule describes; its ops belong to that rule.
    /// `None` if clause `number` is switched off.
    pub(crate) fn on_behalf<T>(
        &mut self,
        number: u8,
        rule: Rule,
        ops: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.is_off(number) {
            return None;
        }
        let own = std::mem::replace(&mut self.rule, rule);
        let done = ops(self);
        self.rule = own;
        Some(done)
    }

    /// Captures the constraints of a unit: those in force at the commit, or those read now.
    pub(crate) fn capture(&mut self, number: u8, id: UnitId) {
        let (world, store) = (self.world, self.store);
        if !world.detail.constraints {
            return;
        }
        let change = match world.variants.constraints_captured {
            ConstraintsCaptured::AsCreated | ConstraintsCaptured::WithMachine => Capture,
            ConstraintsCaptured::AsRead => Constrain(store.in_force(world, id)),
        };
        self.on(number, id, Assert::Nothing, change);
    }

    pub(crate) fn finish(self) -> Txn {
        self.txn
    }

    fn clause(&self, number: u8) -> Clause {
        Clause { rule: self.rule, number }
    }

    fn is_off(&self, number: u8) -> bool {
        let clause = self.clause(number);
        self.world.is_off(clause) || self.world.is_off_at(clause, |place| self.is_about(place))
    }

    /// The rule that replaces the condition of a branch, and whether its condition holds.
    fn exchanged(&self, number: u8, doc: Doc) -> Option<(Clause, bool)> {
        match doc {
            Doc::Entity(entity) if !self.world.own_rules.is_empty() => {
                (self.exchanged)(self.clause(number), entity)
            }
            Doc::Entity(_) | Doc::Marker(_) | Doc::Model => None,
        }
    }

    /// Whether the operation names this entity.
    fn is_about(&self, place: EntityId) -> bool {
        let arguments = self.txn.operation.arguments().into_iter().flatten();
        arguments.filter_map(Argument::entity).any(|it| it == place)
    }

    /// Adds an op, unless its clause is switched off.
    fn record<D: StoredDocument>(
        &mut self,
        number: u8,
        on: On<D>,
        carries_out: bool,
    ) -> Required<'_, D> {
        let clause = self.clause(number);
        if self.is_off(number) || self.world.is_off_at(clause, |it| on.doc.doc() == Doc::Entity(it))
        {
            return Required { op: None, on };
        }
        let is_asserted = !self.world.is_unasserted(clause);
        let on = On { assert: if is_asserted { on.assert } else { Assert::Nothing }, ..on };
        let ops = &mut self.txn.ops;
        if ops.is_empty() {
            *ops = Vec::with_capacity(8);
        }
        ops.push(Op { clause, on: D::any(on), carries_out });
        Required { op: ops.last_mut(), on }
    }
}

/// The result of a requirement that holds.
pub(crate) struct Required<'t, D: StoredDocument> {
    /// `None` if its clause is switched off.
    op: Option<&'t mut Op>,
    on: On<D>,
}

impl<D: StoredDocument> Required<'_, D> {
    /// Does `change` on the document.
    pub(crate) fn change(self, change: D::Change) {
        if let Some(op) = self.op {
            op.on = D::any(On { change: Some(change), ..self.on });
        }
    }
}
