//! The cut: what is not Alive, what holds it, and one of each kind of Alive neighbour.
//!
//! An entity that is Alive waits for nothing, and nothing that is Alive waits for what is not but
//! through a relation that both are in. So a group of what is not Alive stands for itself: what is
//! left out refers to nothing in it.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::life::Life;

use crate::juju::{Juju, JujuApplication, JujuMachine};

/// A machine, application, unit or relation, by name; a relation by its place in the model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    Unit(String),
    Relation(usize),
    Application(String),
    Machine(String),
}

/// The greatest number of units of an application that are all kept: of more, one of each kind.
const MOST_UNITS: usize = 2;

/// A group of what holds and is held, with its neighbours.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelCut {
    pub(crate) things: BTreeSet<Thing>,
    /// The things that are not Alive, or may be Dying units.
    pub(crate) stuck: Vec<Thing>,
    /// Units that are like others in it, and left out, with their machines.
    pub(crate) alike: Vec<Thing>,
}

impl ModelCut {
    pub(crate) fn units(&self) -> impl Iterator<Item = &str> {
        self.things.iter().filter_map(|it| match it {
            Thing::Unit(name) => Some(name.as_str()),
            _ => None,
        })
    }

    pub(crate) fn relations(&self) -> impl Iterator<Item = usize> {
        self.things.iter().filter_map(|it| match it {
            Thing::Relation(index) => Some(*index),
            _ => None,
        })
    }

    pub(crate) fn applications(&self) -> impl Iterator<Item = &str> {
        self.things.iter().filter_map(|it| match it {
            Thing::Application(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether all its Dying machines without an instance are containers, of which it has some.
    pub(crate) fn has_only_containers_to_start(&self, juju: &Juju) -> bool {
        let is_to_start = |it: &&JujuMachine| it.life != Life::Alive && !it.has_instance;
        let machines = self.machines().map(|it| &juju.machines[it]);
        let mut to_start = machines.filter(is_to_start).peekable();
        // One that is Dead has perhaps had an instance.
        let is_left = |it: &JujuMachine| it.host.is_some() && it.life == Life::Dying;
        to_start.peek().is_some() && to_start.all(is_left)
    }

    pub(crate) fn machines(&self) -> impl Iterator<Item = &str> {
        self.things.iter().filter_map(|it| match it {
            Thing::Machine(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// The groups of a model, each with what is not Alive in it.
pub(crate) fn cuts(juju: &Juju) -> Vec<ModelCut> {
    let index = ModelIndex::of(juju);
    let (mut cuts, mut covered): (Vec<ModelCut>, BTreeSet<Thing>) = Default::default();
    for thing in index.stuck() {
        if covered.contains(&thing) {
            continue;
        }
        let mut closure =
            CutClosure { index: &index, cut: ModelCut::default(), met: BTreeSet::new() };
        closure.hold(thing);
        let mut cut = closure.cut;
        cut.stuck.sort();
        covered.extend(cut.stuck.iter().chain(&cut.alike).cloned());
        cuts.push(cut);
    }
    cuts
}

/// The tables of a model by what refers to what.
struct ModelIndex<'a> {
    juju: &'a Juju,
    units: BTreeMap<&'a str, Vec<&'a str>>,
    relations: BTreeMap<&'a str, Vec<usize>>,
    on_machine: BTreeMap<&'a str, Vec<&'a str>>,
    subordinates: BTreeMap<&'a str, Vec<&'a str>>,
    containers: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> ModelIndex<'a> {
    fn of(juju: &'a Juju) -> Self {
        let mut index = Self {
            juju,
            units: BTreeMap::new(),
            relations: BTreeMap::new(),
            on_machine: BTreeMap::new(),
            subordinates: BTreeMap::new(),
            containers: BTreeMap::new(),
        };
        for (name, unit) in &juju.units {
            index.units.entry(&unit.application).or_default().push(name);
            if let Some(machine) = &unit.machine {
                index.on_machine.entry(machine).or_default().push(name);
            }
            if let Some(principal) = &unit.principal {
                index.subordinates.entry(principal).or_default().push(name);
            }
        }
        for (number, relation) in juju.relations.iter().enumerate() {
            for (application, _) in &relation.ends {
                index.relations.entry(application).or_default().push(number);
            }
        }
        for (name, machine) in &juju.machines {
            if let Some(host) = &machine.host {
                index.containers.entry(host).or_default().push(name);
            }
        }
        index
    }

    /// The things that are not Alive, or may be units that are not.
    fn stuck(&self) -> Vec<Thing> {
        let units = self.juju.units.keys().filter(|it| self.is_stuck_unit(it));
        let mut all: Vec<Thing> = units.cloned().map(Thing::Unit).collect();
        let applications = self.juju.applications.iter().filter(|(_, it)| it.is_dying());
        all.extend(applications.map(|(name, _)| Thing::Application(name.clone())));
        let machines = self.juju.machines.iter().filter(|(_, it)| it.life != Life::Alive);
        all.extend(machines.map(|(name, _)| Thing::Machine(name.clone())));
        all
    }

    /// Whether a machine is not Alive, and has one unit and no containers.
    fn is_alone_on(&self, machine: &str) -> bool {
        self.juju.machines[machine].life != Life::Alive
            && self.on_machine.get(machine).is_some_and(|it| it.len() == 1)
            && !self.containers.contains_key(machine)
    }

    fn is_stuck_unit(&self, name: &str) -> bool {
        self.juju.lives_of_unit(name) != [Life::Alive]
    }
}

struct CutClosure<'a> {
    index: &'a ModelIndex<'a>,
    cut: ModelCut,
    /// The kinds of Alive neighbours that are in it: of which application, in which relation.
    met: BTreeSet<(usize, String)>,
}

impl CutClosure<'_> {
    /// Takes something that is not Alive, and all that may hold it.
    fn hold(&mut self, thing: Thing) {
        let mut waiting = vec![thing];
        while let Some(thing) = waiting.pop() {
            if self.cut.stuck.contains(&thing) {
                continue;
            }
            self.cut.things.insert(thing.clone());
            let index = self.index;
            match &thing {
                Thing::Unit(name) => waiting.extend(self.unit(name)),
                Thing::Application(name) => {
                    let units = sorted(index.units.get(name.as_str()));
                    let (stuck, others): (Vec<&str>, Vec<&str>) =
                        units.into_iter().partition(|it| index.is_stuck_unit(it));
                    waiting.extend(self.kept(&stuck));
                    for unit in self.kept_names(&others) {
                        self.neighbour(&unit);
                    }
                    let relations = index.relations.get(name.as_str());
                    for relation in relations.into_iter().flatten() {
                        waiting.extend(self.relation(*relation));
                    }
                }
                Thing::Machine(name) => {
                    for unit in index.on_machine.get(name.as_str()).into_iter().flatten() {
                        if index.is_stuck_unit(unit) {
                            waiting.push(Thing::Unit((*unit).to_owned()));
                        } else {
                            self.neighbour(unit);
                        }
                    }
                    for container in index.containers.get(name.as_str()).into_iter().flatten() {
                        if index.juju.machines[*container].life == Life::Alive {
                            self.machine(container);
                        } else {
                            waiting.push(Thing::Machine((*container).to_owned()));
                        }
                    }
                    waiting.extend(self.machine(name));
                }
                Thing::Relation(_) => {}
            }
            if !matches!(thing, Thing::Relation(_)) {
                self.cut.stuck.push(thing);
            }
        }
    }

    /// The things around a unit that are not Alive, as it is not.
    fn unit(&mut self, name: &str) -> Vec<Thing> {
        let unit = &self.index.juju.units[name];
        let mut found = self.around(name);
        for subordinate in self.index.subordinates.get(name).into_iter().flatten() {
            if self.index.is_stuck_unit(subordinate) {
                found.push(Thing::Unit((*subordinate).to_owned()));
            } else {
                self.neighbour(subordinate);
            }
        }
        let relations = self.index.relations.get(unit.application.as_str());
        for number in relations.into_iter().flatten() {
            let relation = &self.index.juju.relations[*number];
            if relation.in_scope.get(name) != Some(&false) {
                found.extend(self.relation(*number));
            }
        }
        found
    }

    /// Its application, and what it is deployed by. Gives what of these is not Alive.
    fn around(&mut self, name: &str) -> Vec<Thing> {
        let unit = &self.index.juju.units[name];
        let mut found = self.application(&unit.application);
        if let Some(machine) = &unit.machine {
            found.extend(self.machine(machine));
        }
        if let Some(principal) = &unit.principal {
            if self.index.is_stuck_unit(principal) {
                found.push(Thing::Unit(principal.clone()));
            }
            self.neighbour(principal);
        }
        found
    }

    fn neighbour(&mut self, name: &str) {
        if self.cut.things.insert(Thing::Unit(name.to_owned())) {
            // What is not Alive there does not wait for it, or is met on another way.
            self.around(name);
        }
    }

    fn application(&mut self, name: &str) -> Vec<Thing> {
        let Some(application) = self.index.juju.applications.get(name) else { return Vec::new() };
        self.cut.things.insert(Thing::Application(name.to_owned()));
        let is_dying = JujuApplication::is_dying(application);
        is_dying.then(|| Thing::Application(name.to_owned())).into_iter().collect()
    }

    fn machine(&mut self, name: &str) -> Vec<Thing> {
        let mut found = Vec::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next.take() {
            let Some(machine) = self.index.juju.machines.get(&name) else { break };
            if machine.life != Life::Alive {
                found.push(Thing::Machine(name.clone()));
            }
            next.clone_from(&machine.host);
            self.cut.things.insert(Thing::Machine(name));
        }
        found
    }

    /// A relation, its applications and who may be in its scope.
    fn relation(&mut self, number: usize) -> Vec<Thing> {
        if !self.cut.things.insert(Thing::Relation(number)) {
            return Vec::new();
        }
        let relation = &self.index.juju.relations[number];
        let mut found = Vec::new();
        // A relation that is Alive for certain waits for nobody.
        let is_held = self.index.juju.lives_of_relation(relation) != [Life::Alive];
        for (application, _) in &relation.ends {
            found.extend(self.application(application));
            let units = sorted(self.index.units.get(application.as_str()));
            let mut stuck = Vec::new();
            for unit in units {
                if relation.in_scope.get(unit) == Some(&false) {
                    continue;
                }
                if self.index.is_stuck_unit(unit) {
                    stuck.extend(is_held.then_some(unit));
                } else if is_held
                    && (!self.index.juju.is_well(unit)
                        || self.met.insert((number, application.clone())))
                {
                    self.neighbour(unit);
                }
            }
            found.extend(self.kept(&stuck));
        }
        found
    }

    /// The units that are kept: of many alike, one.
    fn kept(&mut self, units: &[&str]) -> Vec<Thing> {
        self.kept_names(units).into_iter().map(Thing::Unit).collect()
    }

    fn kept_names(&mut self, units: &[&str]) -> Vec<String> {
        if units.len() <= MOST_UNITS {
            return units.iter().map(|it| (*it).to_owned()).collect();
        }
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let mut kept = Vec::new();
        for name in units {
            let unit = &self.index.juju.units[*name];
            let machine = unit.machine.as_ref().and_then(|it| self.index.juju.machines.get(it));
            let machine =
                machine.map(|it| (it.life, it.has_instance, it.is_down, it.host.is_some()));
            let hook = unit.failed_hook.as_ref();
            let kind = format!("{:?}", (unit.life, unit.agent, hook, machine, unit.is_terminated));
            let number = kinds.entry(kind).or_default();
            *number += 1;
            if *number == 1 {
                kept.push((*name).to_owned());
            } else if self.index.is_stuck_unit(name) {
                self.cut.alike.push(Thing::Unit((*name).to_owned()));
                let machine = unit.machine.clone().filter(|it| self.index.is_alone_on(it));
                self.cut.alike.extend(machine.map(Thing::Machine));
            }
        }
        kept
    }
}

/// These units in the order of their numbers.
fn sorted<'a>(units: Option<&Vec<&'a str>>) -> Vec<&'a str> {
    let mut units = units.cloned().unwrap_or_default();
    units.sort_by_key(|name| crate::juju::number(name));
    units
}
