//! A user: the transaction and the command in progress, and how often commands were given.

use std::sync::Arc;

use crate::{
    ids::{ApplicationId, UnitId},
    txn::Txn,
    world::World,
};

/// A user.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct User {
    /// The transaction in progress.
    pub state: UserState,
    /// The command in progress, between two of its transactions.
    pub session: Option<Session>,
    /// How often each command of the world has been given, where that is limited.
    pub given: Vec<u8>,
}

/// A user's transaction in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UserState {
    /// There is none.
    #[default]
    Idle,
    /// It is planned, and about to be committed.
    Planned {
        /// The transaction.
        txn: Arc<Txn>,
        /// How often it has aborted before, and was planned again.
        aborts: u8,
    },
    /// It has aborted, and is to be planned again.
    Again {
        /// The transaction as it was planned when it aborted.
        txn: Arc<Txn>,
        /// How often it has aborted.
        aborts: u8,
    },
}

/// The rest of a command that takes several transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Session {
    /// The application that is deployed or gets units.
    pub application: ApplicationId,
    /// Its peer relations are still to be created.
    pub peers: bool,
    /// How many units are still to be added.
    pub units: u32,
    /// The unit that is to be assigned to a machine.
    pub unassigned: Option<UnitId>,
}

impl User {
    /// A user who has given no command.
    pub(crate) fn new(world: &World) -> Self {
        Self { given: vec![0; world.commands.len()], ..Self::default() }
    }

    /// Plans a transaction, for the first time or again.
    pub(crate) fn plan(&mut self, txn: Arc<Txn>) {
        self.state = UserState::Planned { txn, aborts: self.state.aborts() };
    }

    /// The transaction that is planned comes to nothing: it is to be planned again, or given up
    /// with the rest of its command if it has aborted `tries` times. Says whether it is to be
    /// planned again.
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

    /// Nothing is left of the command in progress.
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

    /// How often the transaction in progress has aborted.
    pub fn aborts(&self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Planned { aborts, .. } | Self::Again { aborts, .. } => *aborts,
        }
    }
}
