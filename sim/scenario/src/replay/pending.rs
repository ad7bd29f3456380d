//! Transactions that are pending when a script is over.
//!
//! Agents and the user may finish theirs in what follows. Clients act in scripts only, so nobody
//! would ever finish the transaction of a client.

use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::{Actor, Client},
    agents, protocol,
};

use super::Replay;
use crate::{
    problem::Problem,
    scenario::{Instruction, Scenario, ScriptStep},
};

/// The transactions that are pending at the end of `replay`, a line for each.
pub fn pending_at_end(scenario: &Scenario, replay: &Replay) -> Vec<String> {
    let (world, state) = (&scenario.world, &replay.state);
    let scripted = (0..).zip(state.runtime.clients()).map(|(number, _)| Client::Script(number));
    let line = |client: Client| {
        let operation = world.show_operation(protocol::pending(state, client)?.operation);
        let name = world.show_actor(client.actor());
        let line = format!("pending at the end: {name} has begun {operation}");
        Some(match client {
            Client::Script(_) => {
                format!("{line}, which nobody will finish: say `{name}: commit` or `{name}: abort`")
            }
            Client::User(_)
            | Client::Unit(_)
            | Client::Machine(_)
            | Client::Provisioner
            | Client::Cleaner => line,
        })
    };
    let others = agents::actors(world).filter_map(Actor::client);
    others.chain(scripted).filter_map(line).collect()
}

/// The problem that a client has a transaction pending when the script is over: the claims would be
/// judged in a world that waits for ever.
pub fn unfinished(scenario: &Scenario, replay: &Replay) -> Option<Problem> {
    let begins = |step: &ScriptStep| match step.instruction {
        Instruction::Act(Action {
            act: Act::Txn(client @ Client::Script(_), TxnAct::Begin(_)),
            ..
        }) => protocol::pending(&replay.state, client).map(|_| client.actor()),
        Instruction::Act(_) | Instruction::Run(_) | Instruction::Retry(..) => None,
    };
    let mut last = scenario.steps.iter().rev();
    let (step, actor) = last.find_map(|step| Some((step, begins(step)?)))?;
    let actor = scenario.world.show_actor(actor);
    let message = format!("the script is over before {actor} has finished its transaction");
    let problem = scenario.text.problem(&step.span, message, "begun here");
    let help = format!(
        "let the script say `{actor}: commit` or `{actor}: abort`: claims are about what follows \
         the script, where clients do nothing"
    );
    Some(problem.with_help(help))
}
