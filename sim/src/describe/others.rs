//! Whoever is no entity: the user, the provisioner, the cleaner, and the clients of scripts.

use deathwatch_model::{action::Client, ids::UserId, protocol, state::State, world::World};

/// Who, and what there is to say of them. The list is the same for every state of a world.
pub(super) fn facts(world: &World, state: &State) -> Vec<(String, String)> {
    let runtime = &state.runtime;
    let user = runtime.user(UserId::FIRST);
    let session = user.session.as_ref().map_or_else(
        || "no command in progress".to_owned(),
        |session| format!("units for {} in progress", world.application(session.application).name),
    );
    let tried = match (user.state.again().is_some(), user.state.aborts()) {
        (false, 0) => "no abort".to_owned(),
        (false, aborts) => format!("{aborts} aborted"),
        (true, aborts) => format!("{aborts} aborted, to be planned again"),
    };
    let upgraded = if runtime.upgrade().done { "upgraded" } else { "not upgraded" };
    let mut facts = vec![
        ("user".to_owned(), session),
        ("user".to_owned(), tried),
        ("neglectful agents".to_owned(), upgraded.to_owned()),
    ];
    let clients = [Client::User, Client::Provisioner, Client::Cleaner];
    for client in clients.into_iter().chain((0..Client::SCRIPTED).map(Client::Script)) {
        let pending = protocol::pending(state, client).map_or_else(
            || "no transaction pending".to_owned(),
            |txn| format!("about to commit {}", world.show_operation(txn.operation)),
        );
        facts.push((world.show_actor(client.actor()), pending));
    }
    facts
}
