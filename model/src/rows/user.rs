//! A user: the transaction and the command in progress. The first user's row has the numbers of
//! commands that all users together have given.

use std::sync::Arc;

use super::{
    bits::{RowReader, RowWriter},
    bounds::WorldBounds,
    declare::{See, row},
    document::{DocumentBound, document},
    field::Unset,
    field::{Field, FieldKind, FieldText, ShownValue, shown},
    set::Setter,
    slot::{Below, Slot, Txns, below, flag},
    value::FieldType,
};
use crate::{
    ids::{ApplicationId, Rename as _, Renaming, UnitId, UserId},
    txn::Txn,
    world::World,
};

row! {
    /// A user.
    User of UserId [Default] {
        /// The transaction in progress.
        state: UserState = "transaction", |of, _| Tries(of.is_split().then_some(of.world.tries)),
            FieldText::NEVER;
        /// The command in progress, between two of its transactions.
        session: Option<Session> = "session", session_bound, FieldText::NEVER;
        /// The number of times that all users together have given each command of the world, if
        /// that is limited. Only the first user has it.
        given: Vec<u8> = "given", |of, id| given_bound(of.world, id), FieldText::NEVER;
    }
}

document! {
    /// The rest of a command that takes several transactions.
    Session of UserId [Copy] {
        /// The application that is deployed or gets units.
        application: ApplicationId = "application", |of, _| below(of.world.applications.len()),
            FieldText::at(10)
                .present([shown(""), shown("units for {} in progress")])
                .absent([shown("no command in progress"), shown("units for {} in progress")]);
        /// Whether its peer relations are still to be created.
        peers: bool = "peers", |_, _| flag(true), FieldText::NEVER;
        /// The number of units that are still to be added.
        units: u32 = "units", |of, _| below(1 + most_units(of.world).unwrap_or(0)), FieldText::NEVER;
        /// The unit that is to be assigned to a machine.
        unassigned: Option<UnitId> = "unassigned", |of, _| below(1 + of.world.units.len()),
            FieldText::NEVER;
    }
}

/// The most units that a command adds after its first transaction; `None` if there is no command
/// of several transactions.
fn most_units(world: &World) -> Option<usize> {
    let rest = world.commands.iter().filter_map(|allowed| allowed.command.rest());
    rest.map(|rest| rest.units as usize).max()
}

fn session_bound(of: &WorldBounds<'_>, id: UserId) -> DocumentBound {
    let bound = Session::bound(of, id);
    if most_units(of.world).is_some() { bound } else { bound.missing() }
}

/// The bounds of the numbers of given commands; commands without a limit are not counted.
fn given_bound(world: &World, id: UserId) -> Vec<Below> {
    if id != UserId::FIRST {
        return Vec::new();
    }
    let most = world.commands.iter().map(|allowed| allowed.most.map_or(0, usize::from));
    most.map(|most| below(1 + most)).collect()
}

/// A user's transaction in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UserState {
    /// There is none.
    #[default]
    Idle,
    /// It is planned, and about to be committed.
    Planned {
        txn: Arc<Txn>,
        /// The number of times that it has aborted before, and was planned again.
        aborts: u8,
    },
    /// It has aborted, and is to be planned again.
    Again {
        /// The transaction as it was planned when it aborted.
        txn: Arc<Txn>,
        /// The number of times that it has aborted.
        aborts: u8,
    },
}

impl User {
    /// A user who has given no command.
    pub(crate) fn new(world: &World, id: UserId) -> Self {
        let counted = if id == UserId::FIRST { world.commands.len() } else { 0 };
        Self { given: vec![0; counted], ..Self::default() }
    }

    /// The unit that the command in progress is to assign to a machine.
    pub(crate) fn unassigned(&self) -> Option<UnitId> {
        self.session.and_then(|session| session.unassigned)
    }

    /// Plans a transaction, for the first time or again.
    pub(crate) fn plan(&mut self, txn: Arc<Txn>) {
        self.state = UserState::Planned { txn, aborts: self.state.aborts() };
    }

    /// Drops the planned transaction. It is to be planned again, or is given up with the rest of
    /// its command if it has aborted `tries` times. Returns whether it is to be planned again.
    pub(crate) fn abort(&mut self, tries: u8) -> bool {
        match &self.state {
            UserState::Planned { txn, aborts } if aborts + 1 < tries => {
                self.state = UserState::Again { txn: Arc::clone(txn), aborts: aborts + 1 };
                true
            }
            UserState::Idle | UserState::Planned { .. } | UserState::Again { .. } => {
                self.give_up();
                false
            }
        }
    }

    pub(crate) fn give_up(&mut self) {
        (self.state, self.session) = (UserState::Idle, None);
    }
}

impl UserState {
    /// The transaction that is planned and can be finished.
    pub fn planned(&self) -> Option<&Arc<Txn>> {
        match self {
            Self::Planned { txn, .. } => Some(txn),
            Self::Idle | Self::Again { .. } => None,
        }
    }

    /// The transaction that is to be planned again.
    pub fn again(&self) -> Option<&Arc<Txn>> {
        match self {
            Self::Again { txn, .. } => Some(txn),
            Self::Idle | Self::Planned { .. } => None,
        }
    }

    /// The transaction in progress, planned or to be planned again.
    pub fn txn(&self) -> Option<&Arc<Txn>> {
        self.planned().or_else(|| self.again())
    }

    /// The transaction in progress, to be changed.
    pub(crate) fn txn_mut(&mut self) -> Option<&mut Arc<Txn>> {
        match self {
            Self::Idle => None,
            Self::Planned { txn, .. } | Self::Again { txn, .. } => Some(txn),
        }
    }

    /// The number of times that the transaction in progress has aborted.
    pub fn aborts(&self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Planned { aborts, .. } | Self::Again { aborts, .. } => *aborts,
        }
    }
}

/// The bound of a user's transaction: the greatest number of times that it is planned; `None` if no
/// transaction is in progress between two steps.
pub(crate) struct Tries(Option<u8>);

/// A state is packed as a number and a transaction. The numbers are: idle; planned, for each number
/// of aborts; to be planned again, for each positive number of aborts.
impl FieldType for UserState {
    type Bound = Tries;

    const KIND: FieldKind = FieldKind::Document;

    const PARTS: &'static [Field] = &[
        Field {
            name: "aborts",
            meaning: "How often the transaction in progress has aborted.",
            kind: FieldKind::Count,
            texts: FieldText::at(20).both([
                shown("no abort"),
                shown("{} aborted"),
                shown("{} aborted, to be planned again"),
            ]),
            parts: &[],
        },
        Field {
            name: "pending",
            meaning: "The transaction that is planned, or is to be planned again.",
            kind: FieldKind::Txn,
            texts: FieldText::at(30)
                .both([shown("no transaction pending"), shown("about to commit {}")])
                .private(),
            parts: &[],
        },
    ];

    fn lay_out(Tries(tries): Tries, slots: &mut Vec<Slot>) -> u64 {
        let head = Slot::below(tries.map_or(1, |tries| 2 * u64::from(tries)));
        let head = Slot { base: tries.unwrap_or(0).into(), ..head };
        let txn = Txns(tries.is_some()).slot();
        slots.extend([head, txn]);
        u64::from(head.width + txn.width)
    }

    fn put(&self, w: &mut RowWriter<'_>) {
        let (head, txn) = (w.slot(), w.slot());
        let number = match self {
            Self::Idle => 0,
            Self::Planned { aborts, .. } => 1 + u32::from(*aborts),
            Self::Again { aborts, .. } => head.base + u32::from(*aborts),
        };
        w.number(number.into(), head);
        w.txn(self.txn().map(Arc::as_ref), txn);
    }

    fn take(&mut self, r: &mut RowReader<'_>) {
        let (head, slot) = (r.slot(), r.slot());
        let number = u32::try_from(r.take(head.width)).expect("as it was put");
        let narrow = |aborts: u32| u8::try_from(aborts).expect("as it was put");
        *self = match (r.txn(slot), number.checked_sub(1)) {
            (Some(txn), Some(aborts)) if aborts < head.base => {
                Self::Planned { txn, aborts: narrow(aborts) }
            }
            (Some(txn), Some(_)) => Self::Again { txn, aborts: narrow(number - head.base) },
            (None, _) | (_, None) => Self::Idle,
        };
    }

    fn take_renamed(&mut self, other: &Self, by: &Renaming) {
        let renamed = |txn: &Arc<Txn>| Arc::new(txn.renamed(by));
        *self = match other {
            Self::Idle => Self::Idle,
            Self::Planned { txn, aborts } => Self::Planned { txn: renamed(txn), aborts: *aborts },
            Self::Again { txn, aborts } => Self::Again { txn: renamed(txn), aborts: *aborts },
        };
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Aborts(self.aborts(), self.again().is_some())
    }

    fn look_at(&self, number: usize) -> Option<ShownValue<'_>> {
        Some(match number {
            0 => self.show(),
            _ => ShownValue::Txn(self.txn().map(Arc::as_ref)),
        })
    }

    fn visit(value: Option<&Self>, _: &'static Field, see: &mut See<'_>) {
        for (number, part) in Self::PARTS.iter().enumerate() {
            see(part, value.and_then(|state| state.look_at(number)));
        }
    }

    fn set(&mut self, _: &'static Field, setter: &mut Setter<'_>) {
        setter.slots(2);
        for field in Self::PARTS {
            setter.set(field, |shown| match shown {
                ShownValue::Txn(None) | ShownValue::Count(0) => {
                    *self = Self::Idle;
                    Ok(())
                }
                _ => Err(Unset::Txn),
            });
        }
    }
}
