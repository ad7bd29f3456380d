//! A state that Juju's output allows, as a scenario: the tables of its file, filled with values.

use std::collections::BTreeMap;

use deathwatch_model::life::Life;
use toml::{Table, Value};

use crate::{
    cut::{ModelCut, Thing},
    hidden::{AgentIs, MachineIs, Pick},
    juju::{AgentStatus, Juju},
    version::{PEERS, VariantValue},
};

/// The clauses by which agents leave scopes, which are switched off where they do not.
const LEAVING: [&str; 2] = ["unit-agent.2", "unit-agent.8"];

/// A state with all that is hidden.
pub(crate) struct FittingState<'a> {
    pub(crate) juju: &'a Juju,
    pub(crate) cut: &'a ModelCut,
    pub(crate) picks: Vec<&'a Pick>,
    pub(crate) variants: Vec<VariantValue>,
    pub(crate) leaves_peers: bool,
    /// The thing that is removed by force first.
    pub(crate) forced: Option<Thing>,
}

impl FittingState<'_> {
    /// The text of the scenario, in which rows may disagree.
    pub(crate) fn scenario(&self) -> String {
        let mut file = Table::new();
        let shows = format!("The model {} as Juju shows it.", self.juju.name);
        file.insert("shows".to_owned(), shows.into());
        let mut variants = Table::new();
        if let Some(forced) = &self.forced {
            let (kind, name) = (kind(forced), self.name(forced));
            let step = format!("client: force-destroy-{kind} {name}\n");
            file.insert("steps".to_owned(), step.into());
            let command = format!("destroy-{kind} --force {name}");
            file.insert("user".to_owned(), Table::from_iter([(command, 1.into())]).into());
            variants.insert("forced-unit".to_owned(), "removed".into());
        }
        for (name, value) in &self.variants {
            if *name != PEERS.0 {
                variants.insert((*name).to_owned(), (*value).into());
            }
        }
        for (name, value) in self.picks.iter().filter_map(|it| match it {
            Pick::Variant(choice) => Some(choice),
            _ => None,
        }) {
            if self.variants.iter().all(|(it, _)| it != name) {
                variants.insert((*name).to_owned(), (*value).into());
            }
        }
        file.insert("variants".to_owned(), variants.into());
        if !self.leaves_peers && self.variants.iter().all(|it| *it != PEERS) {
            file.insert("switch-off".to_owned(), table([("clauses", LEAVING.to_vec().into())]));
        }
        if !self.not_started().is_empty() {
            file.insert("detail".to_owned(), table([("provisioning", true.into())]));
        }
        file.insert("world".to_owned(), self.world().into());
        file.insert("faults".to_owned(), self.faults().into());
        file.insert("start".to_owned(), self.start().into());
        file.insert("own".to_owned(), self.own().into());
        let claims = self.things().into_iter().map(|it| (goes(self, &it), "holds".into()));
        let claims: Table = claims.chain([(ALL_GO.to_owned(), "holds".into())]).collect();
        file.insert("claims".to_owned(), claims.into());
        file.to_string()
    }

    /// The things that are not Alive in this state: those that are shown to be, and relations that
    /// are taken to be.
    pub(crate) fn things(&self) -> Vec<Thing> {
        let relations = self.cut.relations().filter(|it| self.relation_life(*it) != Life::Alive);
        let is_alive = |thing: &&Thing| match thing {
            Thing::Unit(name) => self.unit_life(name) == Life::Alive,
            _ => false,
        };
        let stuck = self.cut.stuck.iter().filter(|it| !is_alive(it)).cloned();
        stuck.chain(relations.map(Thing::Relation)).collect()
    }

    /// The name of a thing in the scenario: units are numbered anew there.
    pub(crate) fn name(&self, thing: &Thing) -> String {
        match thing {
            Thing::Machine(name) | Thing::Application(name) => name.clone(),
            Thing::Relation(number) => self.juju.relations[*number].key(),
            Thing::Unit(name) => self.names().remove(name).unwrap_or_default(),
        }
    }

    /// The names of units in the scenario.
    pub(crate) fn names(&self) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        for application in self.cut.applications() {
            for (number, unit) in self.units_of(application).into_iter().enumerate() {
                names.insert(unit.to_owned(), format!("{application}/{number}"));
            }
        }
        names
    }

    /// The number of the machine that stands for the controller.
    pub(crate) fn controller(&self) -> String {
        let numbers = self.cut.machines().filter_map(|it| it.parse::<u64>().ok());
        numbers.max().map_or(0, |it| it + 1).to_string()
    }

    fn units_of(&self, application: &str) -> Vec<&str> {
        let units = self.cut.units();
        let mut units: Vec<&str> =
            units.filter(|it| self.juju.units[*it].application == application).collect();
        units.sort_by_key(|it| crate::juju::number(it));
        units
    }

    fn unit_life(&self, name: &str) -> Life {
        let mut picks = self.picks.iter().filter_map(|it| match it {
            Pick::UnitLife(of, life) if of == name => Some(*life),
            _ => None,
        });
        picks.next().unwrap_or(Life::Alive)
    }

    fn relation_life(&self, number: usize) -> Life {
        let mut picks = self.picks.iter().filter_map(|it| match it {
            Pick::RelationLife(of, life) if *of == number => Some(*life),
            _ => None,
        });
        picks.next().unwrap_or(Life::Alive)
    }

    fn machine_is(&self, name: &str) -> MachineIs {
        let mut picks = self.picks.iter().filter_map(|it| match it {
            Pick::Machine(of, is) if of == name => Some(*is),
            _ => None,
        });
        picks.next().unwrap_or(MachineIs::Running)
    }

    /// The state of a unit's agent: there is none where there is no hardware.
    fn agent_is(&self, name: &str) -> AgentIs {
        let unit = &self.juju.units[name];
        let machine = unit.machine.as_ref().map(|it| self.machine_is(it));
        if matches!(machine, Some(MachineIs::Broken | MachineIs::Absent | MachineIs::StartFailed))
            || machine == Some(MachineIs::Replaced) && unit.agent == AgentStatus::Lost
        {
            return AgentIs::NotDeployed;
        }
        let mut picks = self.picks.iter().filter_map(|it| match it {
            Pick::Agent(of, is) if of == name => Some(*is),
            _ => None,
        });
        picks.next().unwrap_or(AgentIs::Running)
    }

    fn hook(&self, name: &str) -> Option<usize> {
        self.picks.iter().find_map(|it| match it {
            Pick::Hook(of, relation) if of == name => Some(*relation),
            _ => None,
        })
    }

    fn world(&self) -> Table {
        let names = self.names();
        let mut machines = Table::new();
        machines.insert(self.controller(), table([("jobs", vec!["manage-model"].into())]));
        for name in self.cut.machines() {
            let is = self.machine_is(name);
            let absent = matches!(is, MachineIs::Absent | MachineIs::StartFailed);
            let mut machine = Table::new();
            if let Some(host) = &self.juju.machines[name].host {
                machine.insert("host".to_owned(), host.as_str().into());
            }
            if absent {
                machine.insert("provisioned".to_owned(), false.into());
            }
            machines.insert(name.to_owned(), machine.into());
        }
        let mut applications = Table::new();
        for name in self.cut.applications() {
            let units = self.units_of(name);
            let is_subordinate = self.juju.applications[name].is_subordinate;
            let at = |unit: &&str| -> Value {
                let unit = &self.juju.units[*unit];
                let principal = unit.principal.as_ref().map(|it| names[it].clone());
                principal.or(unit.machine.clone()).unwrap_or("unassigned".to_owned()).into()
            };
            let mut application = Table::new();
            if is_subordinate {
                application.insert("subordinate".to_owned(), true.into());
            }
            if units.is_empty() {
                application.insert("most-units".to_owned(), 1.into());
            } else {
                let key = if is_subordinate { "subordinates" } else { "units" };
                let places: Vec<Value> = units.iter().map(at).collect();
                application.insert(key.to_owned(), places.into());
            }
            applications.insert(name.to_owned(), application.into());
        }
        let mut relations = Table::new();
        for number in self.cut.relations() {
            let relation = &self.juju.relations[number];
            let subordinate =
                |(app, _): &(String, String)| self.juju.applications[app].is_subordinate;
            let mut file = Table::new();
            if relation.is_container && relation.ends.iter().any(subordinate) {
                file.insert("scope".to_owned(), "container".into());
            }
            let entered = self.members(number, |in_scope, _| in_scope, &names);
            file.insert("entered".to_owned(), entered.into());
            relations.insert(relation.key(), file.into());
        }
        [("machines", machines), ("applications", applications), ("relations", relations)]
            .map(|(key, it)| (key.to_owned(), it.into()))
            .into_iter()
            .collect()
    }

    /// The units that are in a relation in some way.
    fn members(
        &self,
        number: usize,
        is: impl Fn(bool, bool) -> bool,
        names: &BTreeMap<String, String>,
    ) -> Vec<Value> {
        let members = self.picks.iter().filter_map(|it| match it {
            Pick::Member { relation, unit, in_scope, knows } if *relation == number => {
                let knows = *knows && self.agent_is(unit) != AgentIs::NotDeployed;
                is(*in_scope, knows).then(|| names[unit].clone().into())
            }
            _ => None,
        });
        members.collect()
    }

    fn not_started(&self) -> Vec<Value> {
        let failed = |it: &&str| self.machine_is(it) == MachineIs::StartFailed;
        self.cut.machines().filter(failed).map(Value::from).collect()
    }

    /// The faults that have to be possible for the state to be.
    fn faults(&self) -> Table {
        let mut faults = Table::new();
        let machines: Vec<&str> = self.cut.machines().collect();
        let units: Vec<&str> = self.cut.units().collect();
        if machines
            .iter()
            .any(|it| matches!(self.machine_is(it), MachineIs::Stopped | MachineIs::Replaced))
            || units.iter().any(|it| self.agent_is(it) == AgentIs::Stopped)
        {
            faults.insert("crash".to_owned(), true.into());
            faults.insert("downtime".to_owned(), true.into());
        }
        let broken = machines.iter().filter(|it| self.machine_is(it) == MachineIs::Broken);
        let broken: Vec<Value> = broken.map(|it| (*it).into()).collect();
        if !broken.is_empty() {
            faults.insert("undetected-hardware-failure".to_owned(), broken.into());
        }
        let failed = self.not_started();
        if !failed.is_empty() {
            faults.insert("start-failure".to_owned(), failed.into());
        }
        let failed = units.iter().filter(|it| self.juju.units[**it].failed_hook.is_some());
        for unit in failed {
            let is_about_relation = self.hook(unit).is_some();
            let fault = if is_about_relation { "hook-failure" } else { "unit-hook-failure" };
            faults.insert(fault.to_owned(), true.into());
        }
        faults
    }

    fn start(&self) -> Table {
        let names = self.names();
        let mut lives: BTreeMap<Life, Vec<Value>> = BTreeMap::new();
        let mut add = |life: Life, name: String| {
            if life != Life::Alive {
                lives.entry(life).or_default().push(name.into());
            }
        };
        let (mut start, mut down, mut hardware) = (Table::new(), Table::new(), Table::new());
        let (mut deployed, mut charm, mut error) = (Table::new(), Table::new(), Table::new());
        let (mut directory, mut cleanup) = (Table::new(), Table::new());
        let mut starts = Table::new();
        for name in self.cut.machines() {
            add(self.juju.machines[name].life, name.to_owned());
            match self.machine_is(name) {
                MachineIs::Stopped | MachineIs::Replaced => {
                    drop(down.insert(name.to_owned(), true.into()));
                }
                MachineIs::Broken => drop(hardware.insert(name.to_owned(), "silent".into())),
                MachineIs::StartFailed => {
                    starts.insert(name.to_owned(), "error".into());
                }
                MachineIs::Running | MachineIs::Absent => {}
            }
        }
        for name in self.cut.applications() {
            add(self.juju.applications[name].life, name.to_owned());
            let is_due = |it: &&&Pick| **it == &Pick::Cleanup(name.to_owned(), true);
            if self.picks.iter().any(|it| is_due(&it)) {
                cleanup.insert(name.to_owned(), true.into());
            }
        }
        for name in self.cut.units() {
            let scenario_name = names[name].clone();
            add(self.unit_life(name), scenario_name.clone());
            match self.agent_is(name) {
                AgentIs::NotDeployed => {
                    deployed.insert(scenario_name, "none".into());
                    continue;
                }
                AgentIs::Stopped => drop(down.insert(scenario_name.clone(), true.into())),
                AgentIs::Running => {}
            }
            let Some(hook) = &self.juju.units[name].failed_hook else { continue };
            if let Some(relation) = self.hook(name) {
                error.insert(scenario_name, self.juju.relations[relation].key().into());
            } else {
                let failed = if hook.name == "stop" { "stop-failed" } else { "failed" };
                charm.insert(scenario_name, failed.into());
            }
        }
        for number in self.cut.relations() {
            let relation = &self.juju.relations[number];
            add(self.relation_life(number), relation.key());
            let known = self.members(number, |_, knows| knows, &names);
            directory.insert(relation.key(), known.into());
        }
        for (life, all) in lives {
            start.insert(Life::word(Some(life)).to_owned(), all.into());
        }
        let fields = [
            ("down", down),
            ("hardware", hardware),
            ("deployed-by", deployed),
            ("charm", charm),
            ("hook-error", error),
            ("start", starts),
            ("directory", directory),
            ("units-cleanup", cleanup),
        ];
        for (key, field) in fields.into_iter().filter(|(_, field)| !field.is_empty()) {
            start.insert(key.to_owned(), field.into());
        }
        start.insert("inconsistent".to_owned(), true.into());
        start
    }

    /// The questions: whether each thing goes, and whether all can.
    fn own(&self) -> Table {
        let exists = |thing: &Thing| {
            let kind = kind(thing);
            format!("{kind}('{}').exists", self.name(thing))
        };
        let things = self.things();
        let mut own = Table::new();
        for thing in &things {
            let it = exists(thing);
            let leads = table([("to", format!("!{it}").into()), ("from", it.into())]);
            own.insert(goes(self, thing), table([("leads", leads)]));
        }
        let gone: Vec<String> = things.iter().map(|it| format!("!{}", exists(it))).collect();
        let gone = if gone.is_empty() { "true".to_owned() } else { gone.join(" && ") };
        own.insert(ALL_GO.to_owned(), table([("reachable", gone.into())]));
        own
    }
}

/// The name of the claim that everything can go.
pub(crate) const ALL_GO: &str = "everything that is not Alive can go";

/// The name of the claim that a thing goes.
pub(crate) fn goes(candidate: &FittingState<'_>, thing: &Thing) -> String {
    format!("{} {} goes", kind(thing), candidate.name(thing))
}

pub(crate) fn kind(thing: &Thing) -> &'static str {
    match thing {
        Thing::Machine(_) => "machine",
        Thing::Application(_) => "application",
        Thing::Unit(_) => "unit",
        Thing::Relation(_) => "relation",
    }
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
