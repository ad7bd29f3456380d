//! A unit's agent.

use std::sync::Arc;

use super::{
    bits::{Reader, Writer},
    declare::row,
    field::{FieldKind, Shown, Told, said, unsaid},
    sets::Members,
    unit::Placement,
    value::{Below, PendingTxn, Slot, Txns, Value},
};
use crate::{
    action::Hook,
    ids::{IdSet, RelationId, UnitId},
    txn::Txn,
};

row! {
    /// A unit's agent.
    UnitRuntime of UnitId [Default] {
        /// The placement of its deployer; `Nowhere` while it is not deployed.
        deployed_by: Placement = "deployed-by", |of, _| of.placement(),
            Told::at(40)
                .present([said("not deployed"), said("deployed"), said("deployed")])
                .absent([unsaid("not deployed"), said("deployed"), said("deployed")]);
        /// Whether its process has crashed and has not restarted.
        down: bool = "down", |of, _| of.down(),
            Told::at(50).both([unsaid("its agent is up"), said("its agent is down")]);
        /// On its disk: the units that it has deployed as their principal.
        deployed: IdSet<UnitId> = "deployed", |_, _| Members::Elsewhere, Told::NEVER;
        /// On its disk: the relation whose hook failed and waits for the operator.
        hook_error: Option<RelationId> = "hook-error",
            |of, _| of.hook_error(),
            Told::at(60).both([unsaid("no hook failed"), said("its hook failed in {}")]);
        /// In its memory: what it has begun and not finished yet.
        pending: Option<Pending> = "pending", |of, _| (of.pending(), of.hook()),
            super::AGENT_PENDING;
    }
}

/// What an agent has begun and not finished yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pending {
    /// A transaction that is planned and not committed.
    Txn(Arc<Txn>),
    /// A hook that is running. The disk says so too: a hook that is cut short has failed
    /// (D4:36-39).
    Hook(Hook),
}

/// It is packed as a transaction and as the relation of a hook, of which one is missing.
impl Value for Option<Pending> {
    type Bound = (Txns, Below);

    const KIND: FieldKind = FieldKind::Begun;

    fn lay_out((txns, hooks): Self::Bound, slots: &mut Vec<Slot>) -> u64 {
        PendingTxn::lay_out(txns, slots) + <Option<RelationId> as Value>::lay_out(hooks, slots)
    }

    #[inline]
    fn put(&self, w: &mut Writer<'_>) {
        let (txn, relation) = match self {
            None => (None, None),
            Some(Pending::Txn(txn)) => (Some(&**txn), None),
            Some(Pending::Hook(Hook::Departure(relation))) => (None, Some(*relation)),
        };
        let slot = w.slot();
        w.txn(txn, slot);
        Value::put(&relation, w);
    }

    fn take(&mut self, r: &mut Reader<'_>) {
        let (mut txn, mut relation): (PendingTxn, Option<RelationId>) = (None, None);
        Value::take(&mut txn, r);
        Value::take(&mut relation, r);
        let hook = relation.map(|relation| Pending::Hook(Hook::Departure(relation)));
        *self = txn.map(Pending::Txn).or(hook);
    }

    fn show(&self) -> Shown<'_> {
        match self {
            None => Shown::Txn(None),
            Some(Pending::Txn(txn)) => Shown::Txn(Some(txn)),
            Some(Pending::Hook(hook)) => Shown::Hook(*hook),
        }
    }
}
