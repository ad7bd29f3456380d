//! States as Juju would print them: status and each unit. Fields that Juju hides are missing.

use deathwatch_model::{
    ids::{ApplicationId, EntityId, Id as _, MachineId, Placement, RelationId, UnitId},
    life::Life,
    runtime::Hardware,
    state::State,
    world::{Scope, World},
};
use serde_json::{Map, Value, json};

/// The output of `juju status` and of `juju show-unit` for a state, as this version prints it.
pub(super) fn printed(world: &World, state: &State, version: &str) -> [String; 2] {
    let export = Export { world, state, version };
    [export.status(), export.units()].map(|it| it.to_string())
}

struct Export<'a> {
    world: &'a World,
    state: &'a State,
    version: &'a str,
}

impl Export<'_> {
    fn status(&self) -> Value {
        let machines = self.machines_on(None);
        let (mut applications, store) = (Map::new(), &self.state.store);
        for id in self.world.application_ids() {
            let Some(document) = store.application(id) else { continue };
            let mut shown = json!({ "relations": self.relations_of(id) });
            if document.life != Life::Alive {
                shown["life"] = "dying".into();
            }
            if self.world.application(id).subordinate {
                shown["subordinate-to"] = json!(["some"]);
            } else {
                let units = self.world.application(id).units();
                let units = units.filter(|it| store.unit(*it).is_some());
                let units: Map<String, Value> =
                    units.map(|it| (self.world.unit(it).name.clone(), self.unit(it))).collect();
                shown["units"] = units.into();
            }
            applications.insert(self.world.application(id).name.clone(), shown);
        }
        json!({
            "model": { "name": "exported", "version": self.version },
            "machines": machines,
            "applications": applications,
        })
    }

    /// The machines, or the containers of one. The controller's machines are in another model.
    fn machines_on(&self, host: Option<MachineId>) -> Map<String, Value> {
        let mut machines = Map::new();
        for id in self.world.machine_ids().filter(|it| self.world.machine(*it).parent == host) {
            let constants = self.world.machine(id);
            let Some(document) = self.state.store.machine(id) else { continue };
            if constants.manages_model && !constants.hosts_units {
                continue;
            }
            let runtime = self.state.runtime.machine(id);
            let agent = match runtime.hardware {
                Hardware::Absent => "pending",
                _ if document.life == Life::Dead => "stopped",
                Hardware::Running if !runtime.down => "started",
                _ => "down",
            };
            let has_instance = runtime.hardware != Hardware::Absent;
            let instance = if has_instance { "i-1" } else { "pending" };
            let mut shown = json!({
                "juju-status": { "current": agent },
                "instance-id": instance,
                "containers": self.machines_on(Some(id)),
            });
            Self::add_life(&mut shown["juju-status"], document.life);
            machines.insert(constants.name.clone(), shown);
        }
        machines
    }

    fn add_life(shown: &mut Value, life: Life) {
        if life != Life::Alive {
            shown["life"] = life.to_string().to_lowercase().into();
        }
    }

    /// The endpoints of its relations, each with the name of the other application alone.
    fn relations_of(&self, id: ApplicationId) -> Value {
        let mut ends: Map<String, Value> = Map::new();
        for relation in self.world.relation_ids() {
            if self.state.store.relation(relation).is_none() {
                continue;
            }
            let constants = self.world.relation(relation);
            if !constants.applications().any(|it| it == id) {
                continue;
            }
            let (own, other) = self.ends(relation, id);
            let scope = if constants.scope == Scope::Container { "container" } else { "global" };
            let related = self.world.application(other.0).name.as_str();
            let shown = json!({
                "related-application": related, "interface": "same", "scope": scope,
            });
            let list = ends.entry(own).or_insert(json!([]));
            list.as_array_mut().expect("it is a list").push(shown);
        }
        ends.into()
    }

    /// The endpoint of an application in a relation, and the other application with its endpoint.
    fn ends(&self, relation: RelationId, of: ApplicationId) -> (String, (ApplicationId, String)) {
        let constants = self.world.relation(relation);
        let endpoint = |id: ApplicationId| {
            let name = &self.world.application(id).name;
            let mut ends = constants.name.split(' ').filter_map(|it| it.split_once(':'));
            ends.find(|(it, _)| it == name).expect("it is at an end").1.to_owned()
        };
        let other = constants.counterpart(of).unwrap_or(of);
        (endpoint(of), (other, endpoint(other)))
    }

    fn unit(&self, id: UnitId) -> Value {
        let runtime = self.state.runtime.unit(id);
        let document = self.state.store.unit(id).expect("it exists");
        let is_heard = self.is_heard(id);
        let is_dead = document.life == Life::Dead;
        let agent = match self.state.runtime.is_deployed(id) {
            false if is_dead => "idle",
            false => "allocating",
            true if is_heard || is_dead => "idle",
            true => "lost",
        };
        let mut workload = json!({ "current": "active" });
        if let Some(relation) = runtime.hook_error {
            let application = self.world.unit(id).application;
            let (own, (other, end)) = self.ends(relation, application);
            let other = &self.world.application(other).name;
            let message = format!("hook failed: \"{own}-relation-departed\" for {other}:{end}");
            workload = json!({ "current": "error", "message": message });
        }
        let subordinates = document.subordinates.iter();
        let subordinates: Map<String, Value> =
            subordinates.map(|it| (self.world.unit(it).name.clone(), self.unit(it))).collect();
        let mut shown = json!({
            "workload-status": workload,
            "juju-status": { "current": agent },
            "subordinates": subordinates,
        });
        if agent != "allocating" {
            shown["juju-status"]["version"] = self.version.into();
        }
        if let Placement::Machine(machine) = document.placement {
            shown["machine"] = self.world.machine(machine).name.as_str().into();
        }
        shown
    }

    /// Whether the agent of a unit is present.
    fn is_heard(&self, id: UnitId) -> bool {
        let runtime = &self.state.runtime;
        let machine = match self.state.store.unit(id).map(|it| it.placement) {
            Some(Placement::Machine(machine)) => Some(machine),
            Some(Placement::Principal(principal)) => {
                match self.state.store.unit(principal).map(|it| it.placement) {
                    Some(Placement::Machine(machine)) => Some(machine),
                    _ => None,
                }
            }
            _ => None,
        };
        let runs = machine.is_none_or(|it| runtime.machine(it).hardware == Hardware::Running);
        runtime.is_deployed(id) && !runtime.unit(id).down && runs
    }

    fn units(&self) -> Value {
        let store = &self.state.store;
        let mut all = Map::new();
        let exists = |it: &UnitId| store.unit(*it).is_some();
        for id in self.world.unit_ids().filter(exists) {
            let application = self.world.unit(id).application;
            let mut infos = Vec::new();
            for relation in self.world.relation_ids() {
                let constants = self.world.relation(relation);
                let is_in = constants.applications().any(|it| it == application);
                if store.relation(relation).is_none() || !is_in {
                    continue;
                }
                let (own, (other, related)) = self.ends(relation, application);
                let others = self.world.application(other).units().filter(exists);
                let others = others.filter(|it| *it != id && self.is_beside(relation, id, *it));
                let others: Map<String, Value> = others
                    .map(|it| {
                        let in_scope = store.in_scope(relation, it);
                        (self.world.unit(it).name.clone(), json!({ "in-scope": in_scope }))
                    })
                    .collect();
                let is_peer = constants.scope == Scope::Peer;
                if others.is_empty() && !is_peer {
                    continue; // as 3.6 leaves it out
                }
                let mut info = json!({
                    "relation-id": relation.index(),
                    "endpoint": own,
                    "related-endpoint": related,
                    "related-units": others,
                });
                if is_peer {
                    info["local-unit"] = json!({ "in-scope": store.in_scope(relation, id) });
                }
                infos.push(info);
            }
            let life = EntityId::Unit(id).life(self.state).expect("it exists");
            let shown = json!({ "life": life.to_string().to_lowercase(), "relation-info": infos });
            all.insert(self.world.unit(id).name.clone(), shown);
        }
        all.into()
    }

    /// Whether two units see each other: in container relations only units of one principal do.
    fn is_beside(&self, relation: RelationId, one: UnitId, other: UnitId) -> bool {
        let principal = |id: UnitId| match self.state.store.unit(id).map(|it| it.placement) {
            Some(Placement::Principal(principal)) => principal,
            _ => id,
        };
        self.world.relation(relation).scope != Scope::Container
            || principal(one) == principal(other)
    }
}
