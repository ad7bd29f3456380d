//! Pending work: transactions and hooks, from the step that begins each to the one that ends it or
//! takes it away.

use std::sync::Arc;

use deathwatch_documents::run::Pending;
use deathwatch_model::{
    action::Hook,
    actor::{Actor, Client},
    agents,
    ids::Id as _,
    rows::{ManagerTask, Row},
    runtime::ClientWork,
    state::State,
    txn::Txn,
    world::World,
};

/// The pending transaction or hook of each client, while a run is carried out.
pub(super) struct PendingWork {
    open: Vec<(Client, Work, usize)>,
    all: Vec<Pending>,
}

#[derive(PartialEq)]
enum Work {
    Txn(Arc<Txn>),
    Hook(Hook),
}

/// The pending work that a step begins and ends, by indices.
#[derive(Default)]
pub(super) struct PendingTurn {
    pub(super) begins: Vec<usize>,
    pub(super) ends: Vec<usize>,
}

impl PendingWork {
    /// Pending work in the first state.
    pub(super) fn begin(world: &World, state: &State) -> Self {
        let mut this = Self { open: Vec::new(), all: Vec::new() };
        let clients = agents::actors(world).filter_map(Actor::client);
        for client in clients {
            this.update(world, state, client, 0, &mut PendingTurn::default());
        }
        this
    }

    /// Adds the state with this number, to which a step led that touched these rows.
    pub(super) fn add(
        &mut self,
        world: &World,
        state: &State,
        touched: &[Row],
        number: usize,
    ) -> PendingTurn {
        let mut turn = PendingTurn::default();
        for client in touched.iter().filter_map(|row| client(*row)) {
            self.update(world, state, client, number, &mut turn);
        }
        turn
    }

    fn update(
        &mut self,
        world: &World,
        state: &State,
        client: Client,
        number: usize,
        turn: &mut PendingTurn,
    ) {
        let now = state.runtime.pending(client).map(|begun| match begun {
            ClientWork::Txn(txn) => Work::Txn(Arc::clone(txn)),
            ClientWork::Hook(_, hook) => Work::Hook(hook),
        });
        let was = self.open.iter().position(|(known, ..)| *known == client);
        if was.map(|at| &self.open[at].1) == now.as_ref() {
            return;
        }
        if let Some(at) = was {
            let (.., index) = self.open.swap_remove(at);
            self.all[index].until = Some(number);
            turn.ends.push(index);
        }
        if let Some(work) = now {
            let what = match &work {
                Work::Txn(txn) => world.show_operation(txn.operation),
                Work::Hook(hook) => world.show_hook(*hook),
            };
            let actor = world.show_actor(client.actor());
            turn.begins.push(self.all.len());
            self.open.push((client, work, self.all.len()));
            self.all.push(Pending { actor, what, from: number, until: None });
        }
    }

    pub(super) fn finish(self) -> Vec<Pending> {
        self.all
    }
}

/// The client whose memory is in a row.
fn client(row: Row) -> Option<Client> {
    match row {
        Row::UnitRuntime(id) => Some(Client::Unit(id)),
        Row::MachineRuntime(id) => Some(Client::Machine(id)),
        Row::User(id) => Some(Client::User(id)),
        Row::Task(ManagerTask::Provisioner) => Some(Client::Provisioner),
        Row::Task(ManagerTask::Cleaner) => Some(Client::Cleaner),
        Row::Client(id) => u8::try_from(id.index()).ok().map(Client::Script),
        _ => None,
    }
}
