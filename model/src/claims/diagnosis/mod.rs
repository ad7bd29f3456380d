//! Why something stays: who holds it, and why they do not let go.
//!
//! The paragraph follows the references of the documents ("Entity lifecycle", "References"): an
//! application is held by its units and relations, a relation by the units in its scope, a unit
//! by its scopes, its subordinates and the agent that ought to act, a machine by its units.

mod some;

use std::collections::BTreeSet;

use self::some::more;
use super::EntityId;
use crate::{
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    life::Life::{Alive, Dead, Dying},
    runtime::Hardware,
    state::State,
    store::{Placement, Unit},
    variants::{RelationTracking, SettingsCleanup},
    world::World,
};

/// Says in a paragraph why `subject` is still there.
pub fn diagnose(world: &World, state: &State, subject: EntityId) -> String {
    let mut account = Account { world, state, told: BTreeSet::new(), sentences: Vec::new() };
    account.tell(subject);
    account.sentences.join("; ")
}

struct Account<'a> {
    world: &'a World,
    state: &'a State,
    told: BTreeSet<EntityId>,
    sentences: Vec<String>,
}

impl Account<'_> {
    fn say(&mut self, sentence: String) {
        self.sentences.push(sentence);
    }

    fn tell(&mut self, subject: EntityId) {
        if !self.told.insert(subject) {
            return;
        }
        match subject {
            EntityId::Machine(id) => self.machine(id),
            EntityId::Application(id) => self.application(id),
            EntityId::Unit(id) => self.unit(id),
            EntityId::Relation(id) => self.relation(id),
        }
    }

    fn machine(&mut self, id: MachineId) {
        let name = &self.world.machine(id).name;
        let Some(machine) = self.state.store.machine(id).cloned() else {
            return self.say(format!("machine {name} is gone"));
        };
        let what = format!("machine {name} is {}", machine.life);
        self.say(what);
        self.some(
            machine.principals.iter(),
            |account, unit| {
                account.say(format!("{} is assigned to it", account.world.unit(unit).name));
                account.tell(EntityId::Unit(unit));
            },
            |others| format!("{} assigned to machine {name}", more(others, "unit")),
        );
        self.some(
            machine.containers.iter(),
            |account, container| {
                account.say(format!("it has container {}", account.world.machine(container).name));
                account.tell(EntityId::Machine(container));
            },
            |others| format!("{} on machine {name}", more(others, "container")),
        );
        self.machine_agent(id);
        let in_use = !machine.principals.is_empty() || !machine.containers.is_empty();
        let hardware = self.state.runtime.machine(id).hardware;
        if !in_use && machine.life != Alive && hardware == Hardware::Absent {
            self.say("it has no instance, so no agent of its own can act".into());
        }
        self.managers();
    }

    fn managers(&mut self) {
        if self.state.active_manager(self.world).is_none() {
            self.say("no manager machine's agent runs, so there is no provisioner".into());
        }
    }

    /// What keeps a machine's agent from acting.
    fn machine_agent(&mut self, id: MachineId) {
        let (name, host) = (&self.world.machine(id).name, self.state.runtime.machine(id));
        match host.hardware {
            Hardware::Silent => self
                .say(format!("the hardware of machine {name} has failed and nobody has noticed")),
            Hardware::Absent => self.say(format!("machine {name} has no instance")),
            Hardware::Running if host.down => {
                self.say(format!("the agent of machine {name} has crashed and is not restarted"));
            }
            Hardware::Running => {}
        }
    }

    fn application(&mut self, id: ApplicationId) {
        let name = &self.world.application(id).name;
        let Some(application) = self.state.store.application(id).copied() else {
            return self.say(format!("application {name} is gone"));
        };
        let (units, relations) = (application.units, application.relations);
        self.say(format!(
            "application {name} is {} and counts {units} units and {relations} relations",
            application.life
        ));
        let constants = self.world.application(id);
        let store = &self.state.store;
        let mut present = constants.units().filter(|unit| store.unit(*unit).is_some()).peekable();
        if present.peek().is_none() && units > 0 {
            self.say("but it has no unit".into());
        }
        self.some(present.map(EntityId::Unit), Self::tell, |others| {
            format!("{} part of application {name}", more(others, "unit"))
        });
        let present = constants.relations.iter().filter(|id| store.relation(**id).is_some());
        self.some(present.map(|id| EntityId::Relation(*id)), Self::tell, |others| {
            format!("{} part of application {name}", more(others, "relation"))
        });
        if units == 0 && relations == 0 {
            self.say("nothing refers to it, so nobody will ever remove it".into());
        }
    }

    fn relation(&mut self, id: RelationId) {
        let name = &self.world.relation(id).name;
        let docs = *self.state.store.relation_docs(id);
        let scope = self.state.store.scope(id);
        match docs.relation {
            None if docs.leftovers => {
                self.say(format!(
                    "relation {name} is gone, but the settings of its units are left"
                ));
                let cleaner = self.world.variants.settings_cleanup;
                if cleaner == SettingsCleanup::NoCleaner {
                    self.say("there is no cleaner to delete them".into());
                } else {
                    self.managers();
                }
            }
            None => self.say(format!("relation {name} is gone")),
            Some(relation) => {
                self.say(format!("relation {name} is {}", relation.life));
                self.some(
                    scope.iter(),
                    |account, unit| {
                        let unit_name = &account.world.unit(unit).name;
                        account.say(format!("{unit_name} is in its scope"));
                        account.in_scope(unit, id);
                    },
                    |others| format!("{} in scope of {name}", more(others, "unit")),
                );
                if scope.is_empty() && relation.in_scope > 0 {
                    self.say(format!(
                        "it counts {} units in scope but there is none",
                        relation.in_scope
                    ));
                }
            }
        }
    }

    /// Why a unit that is in scope of a relation does not leave.
    fn in_scope(&mut self, id: UnitId, relation: RelationId) {
        let name = &self.world.unit(id).name;
        let Some(unit) = self.state.store.unit(id).cloned() else {
            return self.say(format!("but {name} is gone"));
        };
        if self.agent(id, &unit) && !self.remembers(id, relation) {
            self.say("its agent has no directory for it on its disk and does not know it".into());
        }
        if unit.life != Alive {
            self.tell(EntityId::Unit(id));
        }
    }

    fn remembers(&self, id: UnitId, relation: RelationId) -> bool {
        self.world.variants.relation_tracking == RelationTracking::RemoteScope
            || self.state.runtime.memberships(relation).directories.contains(id)
    }

    fn unit(&mut self, id: UnitId) {
        let name = &self.world.unit(id).name;
        let Some(unit) = self.state.store.unit(id).cloned() else {
            return self.say(format!("unit {name} is gone"));
        };
        self.say(format!("unit {name} is {}", unit.life));
        for &relation in self.world.relations_of(id) {
            if self.state.store.in_scope(relation, id) && unit.life != Alive {
                let relation_name = &self.world.relation(relation).name;
                self.say(format!("it is in scope of {relation_name}"));
                let is_deployed = self.state.runtime.is_deployed(id);
                if is_deployed && !self.remembers(id, relation) {
                    self.say(
                        "its agent has no directory for that on its disk and does not know it"
                            .into(),
                    );
                }
            }
        }
        self.some(
            unit.subordinates.iter(),
            |account, subordinate| {
                let subordinate_name = &account.world.unit(subordinate).name;
                account.say(format!("{subordinate_name} is subordinate to it"));
                account.tell(EntityId::Unit(subordinate));
            },
            |others| format!("{} subordinate to {name}", more(others, "unit")),
        );
        self.agent(id, &unit);
    }

    /// Says what keeps a unit's agent from acting; whether it acts.
    fn agent(&mut self, id: UnitId, unit: &Unit) -> bool {
        let host = self.state.runtime.unit(id).clone();
        if let Some(relation) = host.hook_error {
            let relation = &self.world.relation(relation).name;
            self.say(format!("its hook for leaving {relation} failed and nobody has resolved it"));
            return false;
        }
        if host.down {
            self.say("its agent has crashed and is not restarted".into());
            return false;
        }
        if host.deployed_by != Placement::Nowhere {
            return unit.life != Dead;
        }
        self.say(match unit.life {
            Dying => {
                "it is not deployed, and a unit that is not Alive is not deployed again".into()
            }
            Alive | Dead => "it is not deployed".to_owned(),
        });
        match unit.placement {
            Placement::Nowhere => {
                self.say("it has no machine, so nobody deploys or removes it".into())
            }
            Placement::Machine(machine) => self.machine_agent(machine),
            Placement::Principal(principal) => self.tell(EntityId::Unit(principal)),
        }
        false
    }
}
