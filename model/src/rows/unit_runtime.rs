//! A unit's agent.

use super::{
    declare::row,
    field::{Told, said, unsaid},
    sets::Members,
    unit::Placement,
    value::{PendingTxn, below},
};
use crate::ids::{IdSet, RelationId, UnitId};

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
            |of, _| below(if of.world.has_hooks() { 1 + of.world.relations.len() } else { 1 }),
            Told::at(60).both([unsaid("no hook failed"), said("its hook failed in {}")]);
        /// In its memory: its pending transaction.
        pending: PendingTxn = "pending", |of, _| of.pending(), super::AGENT_PENDING;
    }
}
