//! Events of the older agents' watches, in worlds with the detail `workflow`, where changes of
//! nodes fire them.
//!
//! Unit Agent startup, "Watch behavior" (D5:64-70). A watch that is not set gets no event.

use super::{
    watches::{self, change},
    workflow::clause,
};
use crate::{
    action::Hook,
    actor::Client,
    agents::{charm::observers::observes, context::StepContext},
    ids::{RelationId, UnitId},
    life::Life::Alive,
    rows::Container,
    txn::{AnyOn, Marker, MarkerChange, On, RelationChange, Txn},
    variants::{Established, EventOfUnseen},
};

/// Fires the watches for the changes of a committed transaction.
pub(crate) fn committed(txn: &Txn, step: &mut StepContext<'_>) {
    if !step.world.detail.workflow {
        return;
    }
    for op in &txn.ops {
        match op.on {
            AnyOn::Marker(On {
                doc: Marker::Scope(relation, unit), change: Some(change), ..
            }) => {
                role_node(unit, relation, change, step);
            }
            AnyOn::Relation(On { doc, change: Some(RelationChange::Remove), .. }) => {
                container_is_gone(doc, step);
            }
            AnyOn::Relation(On { doc, change: Some(RelationChange::Create), .. }) => {
                for agent in agents(doc, step) {
                    watches::is_made_again(agent, doc, step);
                }
            }
            AnyOn::Application(_)
            | AnyOn::Unit(_)
            | AnyOn::Machine(_)
            | AnyOn::Relation(_)
            | AnyOn::Marker(_)
            | AnyOn::Model(_) => {}
        }
    }
}

/// The agents with a sighting of a relation.
fn agents(relation: RelationId, step: &StepContext<'_>) -> Vec<UnitId> {
    step.state.runtime.sighting_agents(relation).collect()
}

/// Fires the watches for the creation or deletion of the role node of `unit`. A unit that leaves
/// because it is not Alive loses its own watches.
fn role_node(unit: UnitId, relation: RelationId, how: MarkerChange, step: &mut StepContext<'_>) {
    let comes = how == MarkerChange::Create;
    let joined = Some(Hook::Joined(unit, relation));
    if !comes && step.state.store.unit_life(unit) != Some(Alive) {
        step.state.runtime.forget_sighting(relation, unit, &mut step.effects.touched);
    }
    for agent in agents(relation, step) {
        let is_set = step.state.runtime.sighting(relation, agent).container == Container::Watched;
        if is_set && agent != unit && observes(agent, relation, unit, step.world, step.state) {
            let waits = step.world.variants.established == Established::WithPresence
                && step.state.runtime.pending_hook(Client::Unit(agent)) != joined;
            change(agent, relation, step, |it| {
                it.container = Container::Fired;
                match (comes, waits && it.joining.contains(unit)) {
                    (true, _) => it.joining.insert(unit),
                    (false, false) => it.leaving.insert(unit),
                    // It leaves before its agent was present, so the joined hook is dropped.
                    (false, true) => it.joining.remove(unit),
                }
            });
        }
    }
}

/// Gives each agent that watches the container of a removed relation its event.
fn container_is_gone(relation: RelationId, step: &mut StepContext<'_>) {
    for agent in agents(relation, step) {
        change(agent, relation, step, |it| {
            let is_watched = match it.container {
                Container::Unwatched | Container::Found => false,
                Container::Watched | Container::Fired | Container::Gone => true,
            };
            *it = it.without_watches();
            if is_watched {
                it.container = Container::Gone;
            }
        });
    }
}

/// Fires the watches for new settings of `unit` in a relation, and sets them again at once. Whether
/// an event leads to a hook is decided now.
pub(crate) fn settings_changed(unit: UnitId, relation: RelationId, step: &mut StepContext<'_>) {
    let keeps =
        step.world.variants.event_of_unseen == EventOfUnseen::Kept || step.world.is_off(clause(15));
    for agent in agents(relation, step) {
        let running = step.state.runtime.pending_hook(Client::Unit(agent));
        let reads = |hook: Hook| hook.relation() == Some(relation) && hook.other() == Some(unit);
        let is_read = running.is_some_and(reads);
        let sighting = step.state.runtime.sighting(relation, agent);
        // A sighting that has still to break is of a former relation of this name.
        let is_former = sighting.container == Container::Gone;
        let is_stale = !is_former && sighting.told.contains(unit) || is_read;
        let counts = sighting.has_seen(unit) || keeps;
        let fires = sighting.watched.contains(unit) && counts;
        if (is_stale && !sighting.stale.contains(unit)) || (fires && !sighting.fired.contains(unit))
        {
            change(agent, relation, step, |it| {
                if is_stale {
                    it.stale.insert(unit);
                }
                if fires {
                    it.fired.insert(unit);
                }
            });
        }
    }
}
