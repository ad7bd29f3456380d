//! Hidden facts, which Juju does not print: each with all values that it can have.

use deathwatch_model::life::Life;

use crate::{
    cut::ModelCut,
    juju::{AgentStatus, Juju},
    version::{VariantValue, VersionVariants},
};

/// A value of a fact that Juju does not print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    UnitLife(String, Life),
    RelationLife(usize, Life),
    /// Whether a unit is in scope, and whether its agent knows of the relation.
    Member {
        relation: usize,
        unit: String,
        in_scope: bool,
        knows: bool,
    },
    Agent(String, AgentIs),
    Machine(String, MachineIs),
    Hook(String, usize),
    /// Whether the cleanup that destroys an application's units is still due.
    Cleanup(String, bool),
    Variant(VariantValue),
}

/// The states of a unit's agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgentIs {
    Running,
    Stopped,
    NotDeployed,
}

/// The states of a machine and its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MachineIs {
    Running,
    Stopped,
    /// Its hardware is gone, and nobody has noticed.
    Broken,
    /// Its hardware was replaced, its units have no agents there, and its own agent is stopped.
    Replaced,
    /// It has no instance.
    Absent,
    /// It has none, as its start failed.
    StartFailed,
}

/// A fact with its values: one if it is told.
#[derive(Clone, Debug)]
pub(crate) struct FactValues {
    pub(crate) values: Vec<Pick>,
    /// The order in which choices are settled, at their first values, if there are too many states.
    pub(crate) rank: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) all: Vec<FactValues>,
    /// Whether some were settled, as there would have been too many states.
    pub(crate) is_settled: bool,
}

/// The greatest number of states that are considered.
const MOST_STATES: usize = 600;

impl Facts {
    /// The facts of `cut`.
    pub(crate) fn of(juju: &Juju, cut: &ModelCut, behaviour: &VersionVariants) -> Self {
        let mut all: Vec<FactValues> = Vec::new();
        let mut add = |rank: u8, values: Vec<Pick>| all.push(FactValues { values, rank });
        for (name, values) in &behaviour.open {
            if is_about(name, juju, cut) {
                add(9, values.iter().map(|value| Pick::Variant((name, value))).collect());
            }
        }
        for name in cut.machines() {
            let values = machine(juju, cut, name);
            add(8, values.into_iter().map(|it| Pick::Machine(name.to_owned(), it)).collect());
        }
        for name in cut.applications() {
            let may_be_alive = |it: &str| juju.lives_of_unit(it).contains(&Life::Alive);
            let mut units = cut.units().filter(|it| juju.units[*it].application == name);
            let is_open = juju.applications[name].is_dying() && units.any(may_be_alive);
            let values: &[bool] = if is_open { &[true, false] } else { &[false] };
            add(2, values.iter().map(|it| Pick::Cleanup(name.to_owned(), *it)).collect());
        }
        for name in cut.units() {
            let lives = juju.lives_of_unit(name);
            add(7, lives.iter().map(|it| Pick::UnitLife(name.to_owned(), *it)).collect());
            let agents = agents(juju, name, &lives);
            add(7, agents.into_iter().map(|it| Pick::Agent(name.to_owned(), it)).collect());
            let hooks = hooks(juju, cut, name);
            if !hooks.is_empty() {
                add(6, hooks.into_iter().map(|it| Pick::Hook(name.to_owned(), it)).collect());
            }
        }
        for relation in cut.relations() {
            let lives = juju.lives_of_relation(&juju.relations[relation]);
            add(7, lives.iter().map(|it| Pick::RelationLife(relation, *it)).collect());
            for unit in cut.units() {
                if let Some((rank, values)) = member(juju, relation, unit) {
                    add(rank, values);
                }
            }
        }
        Self { all, is_settled: false }.settled()
    }

    /// Settles facts until there are few enough states.
    fn settled(mut self) -> Self {
        for rank in 0..=9 {
            for index in 0..self.all.len() {
                if self.states() <= MOST_STATES {
                    return self;
                }
                let fact = &mut self.all[index];
                if fact.rank <= rank && fact.values.len() > 1 {
                    self.is_settled = true;
                    fact.settle();
                }
            }
        }
        self
    }

    /// The number of states, before any is found to be impossible.
    pub(crate) fn states(&self) -> usize {
        self.all.iter().fold(1, |all, it| all.saturating_mul(it.values.len()))
    }

    /// The values of all facts in the state with this number.
    pub(crate) fn state(&self, mut number: usize) -> Vec<&Pick> {
        let pick = |fact: &FactValues| {
            let index = number % fact.values.len();
            number /= fact.values.len();
            index
        };
        let picks: Vec<usize> = self.all.iter().map(pick).collect();
        self.all.iter().zip(picks).map(|(fact, index)| &fact.values[index]).collect()
    }
}

impl FactValues {
    /// Takes away what its values say beside the first: first of what agents know, then all.
    fn settle(&mut self) {
        let scope = |pick: &Pick| match pick {
            Pick::Member { in_scope, .. } => Some(*in_scope),
            _ => None,
        };
        let mut met = Vec::new();
        let before = self.values.len();
        self.values.retain(|pick| {
            let is_new = scope(pick).is_some_and(|it| !met.contains(&it));
            met.extend(scope(pick));
            is_new
        });
        if self.values.is_empty() || self.values.len() == before {
            self.values.truncate(1);
        }
    }
}

/// Whether a variant can make a difference in a cut.
fn is_about(name: &str, juju: &Juju, cut: &ModelCut) -> bool {
    match name {
        "unprovisioned-machine" => cut.machines().any(|it| {
            let machine = &juju.machines[it];
            machine.life != Life::Alive && !machine.has_instance
        }),
        _ => cut.relations().next().is_some(),
    }
}

fn machine(juju: &Juju, cut: &ModelCut, name: &str) -> Vec<MachineIs> {
    let machine = &juju.machines[name];
    let is_heard = |name_of_unit: &str| {
        let unit = &juju.units[name_of_unit];
        // Presence is not looked at for a unit that is Dead.
        let may_be_dead = juju.lives_of_unit(name_of_unit).contains(&Life::Dead);
        !may_be_dead && unit.machine.as_deref() == Some(name) && unit.agent == AgentStatus::Running
    };
    if machine.start_failed {
        vec![MachineIs::StartFailed]
    } else if !machine.has_instance {
        vec![MachineIs::Absent]
    } else if machine.life == Life::Dead {
        vec![MachineIs::Running, MachineIs::Stopped, MachineIs::Broken]
    } else if !machine.is_down {
        vec![MachineIs::Running]
    } else if cut.units().any(is_heard) {
        vec![MachineIs::Stopped]
    } else {
        vec![MachineIs::Stopped, MachineIs::Broken, MachineIs::Replaced]
    }
}

fn agents(juju: &Juju, name: &str, lives: &[Life]) -> Vec<AgentIs> {
    let may_be_dead = lives.contains(&Life::Dead);
    let unit = &juju.units[name];
    let machine = unit.machine.as_ref().and_then(|it| juju.machines.get(it));
    match unit.agent {
        AgentStatus::Allocating => vec![AgentIs::NotDeployed],
        // What its machine is decides.
        AgentStatus::Lost if machine.is_some_and(|it| it.is_down) => vec![AgentIs::Stopped],
        AgentStatus::Lost => vec![AgentIs::Stopped, AgentIs::NotDeployed],
        AgentStatus::Running if may_be_dead => {
            vec![AgentIs::Running, AgentIs::Stopped, AgentIs::NotDeployed]
        }
        AgentStatus::Running => vec![AgentIs::Running],
    }
}

/// The relations that a failed hook can have been about; none if it is about none.
fn hooks(juju: &Juju, cut: &ModelCut, name: &str) -> Vec<usize> {
    let unit = &juju.units[name];
    let Some(hook) = &unit.failed_hook else { return Vec::new() };
    let Some(endpoint) = &hook.endpoint else { return Vec::new() };
    let fits = |number: &usize| {
        let relation = &juju.relations[*number];
        let is_other = |other: &String| relation.joins(other);
        relation.ends.contains(&(unit.application.clone(), endpoint.clone()))
            && hook.other.as_ref().is_none_or(is_other)
    };
    cut.relations().filter(fits).collect()
}

/// The states that a unit can have in a relation; `None` if the relation does not concern it.
fn member(juju: &Juju, number: usize, name: &str) -> Option<(u8, Vec<Pick>)> {
    let (relation, unit) = (&juju.relations[number], &juju.units[name]);
    if !relation.joins(&unit.application) || !is_member(juju, number, name) {
        return None;
    }
    let scopes: &[bool] = match relation.in_scope.get(name) {
        Some(true) => &[true],
        Some(false) => &[false],
        None => &[true, false],
    };
    let may_know: &[bool] = match relation.remembered.get(name) {
        _ if unit.agent == AgentStatus::Allocating => &[false],
        Some(true) => &[true],
        Some(false) => &[false],
        None => &[true, false],
    };
    let mut values = Vec::new();
    for in_scope in scopes {
        for knows in may_know {
            // What comes first is what is usual.
            let knows = if *in_scope || may_know.len() == 1 { *knows } else { !*knows };
            let unit = name.to_owned();
            values.push(Pick::Member { relation: number, unit, in_scope: *in_scope, knows });
        }
    }
    let is_stuck = juju.lives_of_unit(name) != [Life::Alive];
    Some((if is_stuck { 3 } else { 1 }, values))
}

/// Whether a relation concerns a unit: of container relations a subordinate is in those with what
/// is deployed alongside.
fn is_member(juju: &Juju, number: usize, name: &str) -> bool {
    let (relation, unit) = (&juju.relations[number], &juju.units[name]);
    let Some(principal) = unit.principal.as_ref().filter(|_| relation.is_container) else {
        return true;
    };
    let own = &juju.units[principal].application;
    let others = relation.ends.iter().filter(|(app, _)| *app != unit.application);
    others
        .map(|(app, _)| app)
        .all(|app| app == own || juju.applications.get(app).is_some_and(|it| it.is_subordinate))
}

/// Whether the units that are not Alive are in peer relations only, as far as is known: there alone
/// it can be said that agents do not leave these.
pub(crate) fn has_only_peers(juju: &Juju, cut: &ModelCut) -> bool {
    let mut relations = cut.relations().map(|it| &juju.relations[it]).peekable();
    relations.peek().is_some() && relations.all(crate::juju::JujuRelation::is_peer)
}
