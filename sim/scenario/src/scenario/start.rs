//! The state in which a scenario begins: everything Alive, lists kept both ways, counts right.

use std::ops::Range;

use deathwatch_model::{
    ids::{ApplicationId, Id, IdSet, MachineId, Placement, RelationId, UnitId},
    ops::is_member,
    rows::{Count, SettingsDoc},
    runtime::{Directory, Membership, Phase, UnitWorkflow},
    state::State,
    store::{Application, Machine, Relation, Touched, Unit},
    variants::RelationTracking,
    world::World,
};

use super::{
    form::{ApplicationFile, MachineFile, RelationFile, UNASSIGNED, WorldFile},
    names::{Names, no_duplicates},
    value::Located,
};
use crate::problem::{Problem, Text};

const MACHINE: &str = "a machine that exists was expected";
const UNIT: &str = "a unit that exists was expected";

/// Builds the state that `file` describes.
pub(super) fn build(
    text: &Text,
    file: &WorldFile,
    world: &World,
    names: &Names,
) -> Result<State, Problem> {
    let state = State::empty(world);
    let mut start = Start { text, world, names, state, unrecorded: Touched::new() };
    for (id, (name, machine)) in world.machine_ids().zip(file.machines.iter()) {
        start.machine(id, name, machine, file)?;
    }
    for id in world.machine_ids() {
        start.list_container(id);
    }
    for (id, (name, application)) in world.application_ids().zip(file.applications.iter()) {
        start.application(id, name, application)?;
    }
    for (id, (_, application)) in world.application_ids().zip(file.applications.iter()) {
        start.subordinates(id, application)?; // which need their principals
    }
    for (id, (name, relation)) in world.relation_ids().zip(file.relations.iter()) {
        start.relation(id, name, relation, file)?;
    }
    Ok(start.state)
}

struct Start<'a> {
    text: &'a Text,
    world: &'a World,
    names: &'a Names,
    state: State,
    unrecorded: Touched,
}

impl Start<'_> {
    /// The problem that an entity which the file names here has no document.
    fn absent(&self, kind: &str, name: &str, at: &Range<usize>, label: &str) -> Problem {
        self.text.problem(at, format!("{kind} {name} does not exist at the start"), label)
    }

    fn machine(
        &mut self,
        id: MachineId,
        name: &Located<String>,
        machine: &MachineFile,
        file: &WorldFile,
    ) -> Result<(), Problem> {
        if !machine.exists {
            return match &machine.provisioned {
                Some(Located { value: true, span }) => {
                    Err(self.absent("machine", &name.value, span, "no instance was expected"))
                }
                _ => Ok(()),
            };
        }
        if let Some(host) = &machine.host {
            let host_id = self.names.machines.find(self.text, host)?;
            if !file.machines.0[host_id].1.exists {
                return Err(self.absent("machine", &host.value, &host.span, MACHINE));
            }
        }
        let host = self.world.machine(id).parent;
        let has_room = host.is_none_or(|host| is_provisioned(host, self.world, file));
        if let Some(Located { value: true, span }) = &machine.provisioned
            && !has_room
        {
            let message = "a container needs a host that is provisioned";
            return Err(self.text.problem(span, message, "its host has no instance"));
        }
        let docs = self.state.store.machine_docs_mut(id, &mut self.unrecorded);
        docs.machine = Some(Machine::created());
        if is_provisioned(id, self.world, file) {
            self.state.start_instance(id, &mut self.unrecorded);
        }
        Ok(())
    }

    /// Adds a container to the list of its host.
    fn list_container(&mut self, id: MachineId) {
        let Some(host) = self.world.machine(id).parent else { return };
        if self.state.store.machine(id).is_none() {
            return;
        }
        let docs = self.state.store.machine_docs_mut(host, &mut self.unrecorded);
        if let Some(document) = &mut docs.machine {
            document.containers.insert(id);
        }
    }

    fn application(
        &mut self,
        id: ApplicationId,
        name: &Located<String>,
        file: &ApplicationFile,
    ) -> Result<(), Problem> {
        let constants = self.world.application(id);
        let initial = file.units.iter().chain(&file.subordinates);
        if let (false, Some(unit)) = (file.exists, initial.clone().next()) {
            return Err(self.absent(
                "application",
                &name.value,
                &unit.span,
                "no units were expected",
            ));
        }
        if let (true, Some(unit)) = (constants.subordinate, file.units.first()) {
            let message = format!("the units of {} are subordinates", name.value);
            let problem = self.text.problem(&unit.span, message, "no machine was expected");
            return Err(problem.with_help("list their principals as `subordinates`"));
        }
        if let (false, Some(principal)) = (constants.subordinate, file.subordinates.first()) {
            let message = format!("application {} is not a subordinate one", name.value);
            let problem = self.text.problem(&principal.span, message, "no principal was expected");
            return Err(problem.with_help("list the machines of its units as `units`"));
        }
        if !file.exists {
            return Ok(());
        }
        let units = Count::of(u32::try_from(initial.count()).unwrap_or(u32::MAX));
        let docs = self.state.store.application_docs_mut(id, &mut self.unrecorded);
        docs.application = Some(Application { units, ..Application::created() });
        docs.settings = true;
        for (unit, machine) in constants.units().zip(&file.units) {
            self.principal(unit, machine, file.deployed)?;
        }
        Ok(())
    }

    fn principal(
        &mut self,
        id: UnitId,
        at: &Located<String>,
        deployed: bool,
    ) -> Result<(), Problem> {
        if at.value == UNASSIGNED {
            self.unit(id, Placement::Nowhere, false);
            return Ok(());
        }
        let machine = MachineId::new(self.names.machines.find(self.text, at)?);
        if !self.world.machine(machine).hosts_units {
            let message = format!("machine {} does not have the job host-units", at.value);
            return Err(self.text.problem(&at.span, message, "a machine for units was expected"));
        }
        let docs = self.state.store.machine_docs_mut(machine, &mut self.unrecorded);
        let Some(document) = &mut docs.machine else {
            return Err(self.absent("machine", &at.value, &at.span, MACHINE));
        };
        document.principals.insert(id);
        let runs = self.state.runtime.runs(machine);
        self.unit(id, Placement::Machine(machine), deployed && runs);
        Ok(())
    }

    fn subordinates(&mut self, id: ApplicationId, file: &ApplicationFile) -> Result<(), Problem> {
        no_duplicates(self.text, &file.subordinates)?;
        let units = self.world.application(id).units();
        for (unit, name) in units.zip(&file.subordinates) {
            let principal = UnitId::new(self.names.units.find(self.text, name)?);
            if self.world.is_subordinate(principal) {
                let message = format!("unit {} is a subordinate itself", name.value);
                return Err(self.text.problem(&name.span, message, "a principal was expected"));
            }
            let docs = self.state.store.unit_docs_mut(principal, &mut self.unrecorded);
            let Some(document) = &mut docs.unit else {
                return Err(self.absent("unit", &name.value, &name.span, UNIT));
            };
            document.subordinates.insert(unit);
            let deployed = file.deployed && self.state.runtime.is_deployed(principal);
            self.unit(unit, Placement::Principal(principal), deployed);
        }
        Ok(())
    }

    fn unit(&mut self, id: UnitId, host: Placement, deployed: bool) {
        let docs = self.state.store.unit_docs_mut(id, &mut self.unrecorded);
        docs.unit = Some(Unit::created(host));
        if deployed {
            self.state.runtime.deploy(self.world, id, host, &mut self.unrecorded);
            if self.world.detail.hooks {
                // It has run for long.
                self.state.runtime.hooks_mut(id, &mut self.unrecorded).phase = Phase::Started;
            }
            if self.world.detail.workflow {
                let workflow = self.state.runtime.workflow_mut(id, &mut self.unrecorded);
                *workflow = UnitWorkflow::running();
            }
            if self.world.detail.charm {
                let charm = self.state.runtime.charm_mut(id, &mut self.unrecorded);
                charm.directory = Directory::Whole;
            }
        }
    }

    fn relation(
        &mut self,
        id: RelationId,
        name: &Located<String>,
        file: &RelationFile,
        all: &WorldFile,
    ) -> Result<(), Problem> {
        if !file.exists {
            let Some(unit) = file.entered.first() else { return Ok(()) };
            return Err(self.absent("relation", &name.value, &unit.span, "no units were expected"));
        }
        for end in self.world.relation(id).applications() {
            let (application, file) = &all.applications.0[end.index()];
            if !file.exists {
                let (there, label) = (&application.value, "no relation with it was expected");
                let problem = self.absent("application", there, &name.span, label);
                return Err(problem.with_help("say `exists = false` of the relation, too"));
            }
            let docs = self.state.store.application_docs_mut(end, &mut self.unrecorded);
            if let Some(document) = &mut docs.application {
                document.relations += 1;
            }
        }
        self.enter(id, file)
    }

    fn enter(&mut self, id: RelationId, file: &RelationFile) -> Result<(), Problem> {
        no_duplicates(self.text, &file.entered)?;
        let mut scope = IdSet::default();
        for name in &file.entered {
            let unit = UnitId::new(self.names.units.find(self.text, name)?);
            let Some(document) = self.state.store.unit(unit) else {
                return Err(self.absent("unit", &name.value, &name.span, UNIT));
            };
            if !is_member(self.world, unit, document.placement, id) {
                let message = format!("the relation does not concern unit {}", name.value);
                let label = "a unit it is about was expected";
                return Err(self.text.problem(&name.span, message, label));
            }
            scope.insert(unit);
        }
        let in_scope = Count::of(u32::try_from(scope.len()).unwrap_or(u32::MAX));
        let knows = |unit: &UnitId| self.state.runtime.is_deployed(*unit);
        let directories: Vec<UnitId> = scope.iter().filter(knows).collect();
        let docs = self.state.store.relation_docs_mut(id, &mut self.unrecorded);
        docs.relation = Some(Relation { in_scope, ..Relation::created() });
        docs.settings = !scope.is_empty();
        for unit in scope.iter() {
            self.state.store.enter_scope(id, unit, &mut self.unrecorded);
            if self.world.has_sightings() {
                let written = SettingsDoc { exists: true, written: false };
                self.state.store.set_settings(id, unit, written, &mut self.unrecorded);
            }
        }
        if self.world.variants.relation_tracking != RelationTracking::RemoteScope {
            let membership = Membership { directory: true, ..Membership::default() };
            for unit in directories {
                self.state.runtime.set_membership(id, unit, membership, &mut self.unrecorded);
            }
        }
        Ok(())
    }
}

/// Whether the machine has an instance. By default one that exists has an instance if its host has.
fn is_provisioned(id: MachineId, world: &World, file: &WorldFile) -> bool {
    let machine = &file.machines.0[id.index()].1;
    let is_wanted = machine.provisioned.as_ref().is_none_or(|wanted| wanted.value);
    machine.exists
        && is_wanted
        && world.machine(id).parent.is_none_or(|host| is_provisioned(host, world, file))
}
