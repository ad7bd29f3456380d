//! Groups: the possible actions by actor. Where many actors can act, agents that the page does not
//! show are one group of each kind.

use deathwatch_documents::run::{Act, ActorKind, Possible, Tier};

use crate::page::shown::Shown;

/// The greatest number of actors that each have a group of their own.
const FEW: usize = 12;

/// Actions of one actor, or of all agents of a kind.
pub(super) struct ActionGroup<'a> {
    /// The actor, or the kind of agents, by which a list is named.
    pub(super) name: String,
    /// Whether the actions are those of several actors.
    pub(super) is_mixed: bool,
    pub(super) actions: Vec<(usize, &'a Possible)>,
}

impl ActionGroup<'_> {
    pub(super) fn title(&self) -> String {
        if self.is_mixed { format!("other {}s", self.name) } else { self.name.clone() }
    }
}

/// The groups: agents that the page shows, then others, users and faults.
pub(super) fn groups<'a>(possible: &'a [Possible], shown: &Shown<'_>) -> Vec<ActionGroup<'a>> {
    let mut actors: Vec<&str> = Vec::new();
    for it in possible {
        if actors.last() != Some(&it.act.actor.as_str()) && actors.len() <= FEW {
            actors.push(&it.act.actor);
        }
    }
    let is_many = actors.len() > FEW;
    let mut groups: Vec<ActionGroup<'_>> = Vec::new();
    for (place, it) in possible.iter().enumerate() {
        let actor = it.act.actor.as_str();
        let kind = agent(&it.act).filter(|(_, tier, name)| is_many && !shown.has(*tier, name));
        let name = kind.map_or(actor, |(kind, ..)| kind);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.actions.push((place, it)),
            None => groups.push(ActionGroup {
                name: name.to_owned(),
                is_mixed: kind.is_some(),
                actions: vec![(place, it)],
            }),
        }
    }
    groups.sort_by_key(|group| match group.actions[0].1.act.actor_is {
        ActorKind::Faults => 4,
        ActorKind::Client => 3,
        ActorKind::User => 2,
        ActorKind::UnitAgent
        | ActorKind::MachineAgent
        | ActorKind::Provisioner
        | ActorKind::Cleaner
        | ActorKind::Operator
        | ActorKind::Supervisor => usize::from(group.is_mixed),
    });
    groups
}

/// The kind of an agent, and the entity whose it is.
fn agent(act: &Act) -> Option<(&str, Tier, &str)> {
    let (kind, name) = act.actor.split_once(' ')?;
    match act.actor_is {
        ActorKind::UnitAgent => Some((kind, Tier::Unit, name)),
        ActorKind::MachineAgent => Some((kind, Tier::Machine, name)),
        ActorKind::User
        | ActorKind::Client
        | ActorKind::Provisioner
        | ActorKind::Cleaner
        | ActorKind::Operator
        | ActorKind::Supervisor
        | ActorKind::Faults => None,
    }
}
