//! A unit's agent.

use std::sync::Arc;

use super::{
    bits::{RowReader, RowWriter},
    declare::row,
    deployed::Deployed,
    field::Unset,
    field::{Field, FieldKind, FieldText, ShownValue, hidden, shown},
    number::states,
    packed_number::PackedNumber,
    set::Setter,
    slot::{Below, Slot, Txns},
    value::{FieldType, PendingTxn},
};
use crate::{
    action::Hook,
    ids::{Id, Placement, RelationId, Rename as _, Renaming, UnitId},
    table,
    txn::Txn,
};

row! {
    /// A unit's agent.
    UnitRuntime of UnitId [Default] {
        /// The placement of its deployer; none while it is not deployed.
        deployed_by: Placement = "deployed-by", |of, _| of.placement(),
            FieldText::at(40)
                .present([shown("not deployed"), shown("deployed"), shown("deployed")])
                .absent([hidden("not deployed"), shown("deployed"), shown("deployed")]);
        /// Whether its process has crashed and has not restarted.
        down: bool = "down", |of, _| of.down(),
            FieldText::at(50).both([hidden("its agent is up"), shown("its agent is down")]);
        /// On its disk: the units that it has deployed as their principal.
        deployed: Deployed = "deployed", |_, _| (), FieldText::NEVER;
        /// On its disk: the relation whose hook failed and waits for the operator.
        hook_error: Option<RelationId> = "hook-error",
            |of, _| of.hook_error(),
            FieldText::at(60).note().both([hidden("no hook failed"), shown("its hook failed in {}")]);
        /// On its disk: how far the hooks of the unit itself have come.
        charm: Charm = "charm", |of, _| of.charm(),
            FieldText::at(65).note().both([
                hidden("its charm is started"),
                shown("its charm is stopped"),
                shown("its stop hook failed"),
                shown("a hook of its own failed"),
            ]);
        /// In its memory: what it has begun and not finished yet.
        pending: Option<UnitWork> = "pending", |of, _| (of.pending(), of.hook()),
            super::AGENT_PENDING;
    }
}

impl UnitRuntime {
    /// Whether a hook has failed, so that its agent waits for the operator.
    pub fn is_suspended(&self) -> bool {
        self.hook_error.is_some() || self.charm.has_failed()
    }
}

states! {
    /// The progress of the hooks of a unit itself, which belong to no relation.
    Charm {
        /// It is started.
        Started "started";
        /// The stop hook has run, or counts as run.
        Stopped "stopped";
        /// The stop hook has failed.
        StopFailed "stop-failed";
        /// Another hook has failed, while the unit was Alive.
        Failed "failed";
    }
}

impl Charm {
    /// Whether a hook has failed and is not resolved.
    pub fn has_failed(self) -> bool {
        match self {
            Self::Started | Self::Stopped => false,
            Self::StopFailed | Self::Failed => true,
        }
    }
}

/// Work that an agent has begun and not finished yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitWork {
    /// A transaction that is planned and not committed.
    Txn(Arc<Txn>),
    /// A hook that is running. The disk has it, too: a hook that is cut short has failed
    /// (D4:36-39).
    Hook(Hook),
}

/// The hooks of a unit itself, in the order of their numbers: a world has only the first, all but
/// the last, or all of them.
const STOP_FIRST: [Hook; 5] =
    [Hook::Stop, Hook::Install, Hook::ConfigChanged, Hook::Start, Hook::UpgradeCharm];

/// The departure from a relation has the number after the relation's; the base of the slot is the
/// number of the stop hook, which the unit's other hooks follow, and after them the hooks of each
/// relation: broken, and three for each unit. So the base is the number of relations, and one.
impl PackedNumber for Option<Hook> {
    const KIND: FieldKind = FieldKind::Begun;

    #[inline]
    fn number(&self, slot: &Slot) -> u64 {
        match *self {
            None => 0,
            Some(Hook::Departure(relation)) => 1 + relation.index() as u64,
            Some(
                hook @ (Hook::Stop
                | Hook::Install
                | Hook::ConfigChanged
                | Hook::Start
                | Hook::UpgradeCharm),
            ) => {
                let place = STOP_FIRST.iter().position(|it| *it == hook);
                u64::from(slot.base) + place.expect("it is one of them") as u64
            }
            Some(Hook::Broken(relation)) => NamedHook { relation, about: None }.number(slot),
            Some(Hook::Joined(other, relation)) => {
                NamedHook { relation, about: Some((other, 0)) }.number(slot)
            }
            Some(Hook::Changed(other, relation)) => {
                NamedHook { relation, about: Some((other, 1)) }.number(slot)
            }
            Some(Hook::Departed(other, relation)) => {
                NamedHook { relation, about: Some((other, 2)) }.number(slot)
            }
        }
    }

    #[inline]
    fn of(number: u64, slot: &Slot) -> Self {
        let (number, base) = (usize::try_from(number).expect("as it was put"), slot.base as usize);
        match number.checked_sub(base) {
            _ if number == 0 => None, // of a slot that takes no bits, too, which has no base
            Some(place) if place < STOP_FIRST.len() => STOP_FIRST.get(place).copied(),
            Some(place) => Some(NamedHook::of(place - STOP_FIRST.len(), base - 1).hook()),
            None => Some(Hook::Departure(RelationId::new(number.checked_sub(1)?))),
        }
    }

    fn renamed(self, by: &Renaming) -> Self {
        self.map(|hook| table::renamed(hook, by))
    }

    fn show(&self) -> ShownValue<'_> {
        self.map_or(ShownValue::Txn(None), ShownValue::Hook)
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        match shown {
            ShownValue::Txn(None) => Ok(None),
            ShownValue::Txn(Some(_)) => Err(Unset::Txn),
            ShownValue::Hook(hook) => Ok(Some(hook)),
            _ => Err(Unset::Kind),
        }
    }
}

/// A hook of a relation in worlds where such hooks have names.
struct NamedHook {
    relation: RelationId,
    /// The unit that it is about, if any, and the index of the hook among the three about a unit.
    about: Option<(UnitId, usize)>,
}

impl NamedHook {
    /// The number of the hook. The broken hooks of all relations come first, then the hooks about
    /// the first unit, and so on.
    fn number(&self, slot: &Slot) -> u64 {
        let relations = slot.base as usize - 1;
        let kind = self.about.map_or(0, |(other, which)| 1 + 3 * other.index() + which);
        let place = STOP_FIRST.len() + kind * relations + self.relation.index();
        u64::from(slot.base) + place as u64
    }

    /// The hook with this number among the named ones.
    fn of(number: usize, relations: usize) -> Self {
        let (kind, relation) = (number / relations, RelationId::new(number % relations));
        let about = kind.checked_sub(1).map(|about| (UnitId::new(about / 3), about % 3));
        Self { relation, about }
    }

    fn hook(self) -> Hook {
        match self.about {
            None => Hook::Broken(self.relation),
            Some((other, 0)) => Hook::Joined(other, self.relation),
            Some((other, 1)) => Hook::Changed(other, self.relation),
            Some((other, _)) => Hook::Departed(other, self.relation),
        }
    }
}

/// A value is packed as a transaction and a hook, one of which is missing.
impl FieldType for Option<UnitWork> {
    type Bound = (Txns, Below);

    const KIND: FieldKind = FieldKind::Begun;

    fn lay_out((txns, hooks): Self::Bound, slots: &mut Vec<Slot>) -> u64 {
        PendingTxn::lay_out(txns, slots) + <Option<Hook> as FieldType>::lay_out(hooks, slots)
    }

    #[inline]
    fn put(&self, w: &mut RowWriter<'_>) {
        let (txn, hook) = match self {
            None => (None, None),
            Some(UnitWork::Txn(txn)) => (Some(&**txn), None),
            Some(UnitWork::Hook(hook)) => (None, Some(*hook)),
        };
        let slot = w.slot();
        w.txn(txn, slot);
        FieldType::put(&hook, w);
    }

    fn take(&mut self, r: &mut RowReader<'_>) {
        let (mut txn, mut hook): (PendingTxn, Option<Hook>) = (None, None);
        FieldType::take(&mut txn, r);
        FieldType::take(&mut hook, r);
        *self = txn.map(UnitWork::Txn).or(hook.map(UnitWork::Hook));
    }

    fn take_renamed(&mut self, other: &Self, by: &Renaming) {
        *self = other.as_ref().map(|pending| match pending {
            UnitWork::Txn(txn) => UnitWork::Txn(Arc::new(txn.renamed(by))),
            UnitWork::Hook(hook) => UnitWork::Hook(table::renamed(*hook, by)),
        });
    }

    fn show(&self) -> ShownValue<'_> {
        match self {
            None => ShownValue::Txn(None),
            Some(UnitWork::Txn(txn)) => ShownValue::Txn(Some(txn)),
            Some(UnitWork::Hook(hook)) => ShownValue::Hook(*hook),
        }
    }

    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
        setter.slot();
        let mut hook: Option<Hook> = None;
        FieldType::set(&mut hook, field, setter);
        setter.set_too(field, || *self = hook.map(UnitWork::Hook));
    }
}
