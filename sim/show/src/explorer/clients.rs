//! Clients: the transactions that a client of a script can plan here, or finish.
//!
//! A client may plan any operation at any time. Of these are offered those that would change
//! something; of a large world, those about entities that are unfolded. Whatever else a client can
//! try, somebody can type.

use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::Client,
    operation::Operation,
    ops::Plan,
    protocol,
    state::State,
    table::Argument,
    world::{Transactions, World, every_about},
};

use deathwatch_scenario::replay::Interpreter;

/// The greatest number of actions that are offered.
const MOST: usize = 400;

/// The actions of clients: each ends its pending work, and the first one without any begins all
/// that it may. If some entities are `open`, only operations about these begin, as a large world
/// has too many.
pub(super) fn actions(world: &World, state: &State, open: Option<&[String]>) -> Vec<Action> {
    let mut interpreter = Interpreter::new(world, state.clone());
    let clients = || (0..Client::SCRIPTED).map(Client::Script);
    let is_free = |client: &Client| protocol::pending(state, *client).is_none();
    let action = |client, act| Action { act: Act::Txn(client, act), duty: None };
    let finish = |client| interpreter.find(action(client, TxnAct::Commit)).map(|(it, _)| it);
    let mut actions: Vec<Action> =
        clients().filter(|client| !is_free(client)).filter_map(finish).collect();
    let Some(client) = clients().find(is_free) else { return actions };
    let plans = |operation: &Operation| match interpreter.plan(client, *operation) {
        Plan::Submit(_) => true,
        Plan::NoOp | Plan::Refuse(_) => false,
    };
    let operations = every_about::<Operation>(world, &|argument| is_open(world, open, argument))
        .into_iter()
        .filter(plans);
    let begins = operations.map(|operation| match world.transactions {
        Transactions::Split => TxnAct::Begin(operation),
        Transactions::Atomic => TxnAct::Run(operation),
    });
    actions.extend(begins.map(|act| action(client, act)).take(MOST));
    actions
}

/// Whether an argument is no entity, or one that is `open`.
fn is_open(world: &World, open: Option<&[String]>, argument: Argument) -> bool {
    let Some(open) = open else { return true };
    let is_open = |kind: &str, name: &str| {
        open.iter().any(|entity| entity.split_once(' ') == Some((kind, name)))
    };
    match argument {
        Argument::Unit(id) => is_open("unit", &world.unit(id).name),
        Argument::Machine(id) => is_open("machine", &world.machine(id).name),
        Argument::Application(id) => is_open("application", &world.application(id).name),
        Argument::Relation(id) => is_open("relation", &world.relation(id).name),
        Argument::Constraints(_) | Argument::Agent(_) | Argument::User(_) | Argument::Client(_) => {
            true
        }
    }
}
