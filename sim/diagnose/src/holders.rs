//! Holders, as trees: below each the entities that wait for it.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_claims::diagnosis::{Diagnosis, Reason, RootKind};
use deathwatch_documents::diagnosis::{Holder, NextStep, WaitsFor};
use deathwatch_model::{
    ids::EntityId,
    life::Life,
    world::{Assumption, World},
};
use deathwatch_scenario::Scenario;

use crate::{
    cut::Thing,
    juju::{AgentStatus, Juju, JujuApplication},
    search, words,
    world::{FittingState, kind},
};

/// The things of a state and their holders.
pub(crate) struct Holders {
    /// The reasons why something holds everything else, with it.
    pub(crate) roots: BTreeSet<(RootKind, Thing)>,
    pub(crate) trees: Vec<Holder>,
    pub(crate) waits: Vec<WaitsFor>,
}

/// Finds the holders of the things that are not Alive.
pub(crate) fn find(candidate: &FittingState<'_>, scenario: &Scenario) -> Holders {
    let all = things(candidate, &scenario.world);
    let by_entity: BTreeMap<EntityId, Thing> =
        all.iter().map(|(thing, entity)| (*entity, thing.clone())).collect();
    let mut graph = WaitGraph { candidate, waits: BTreeMap::new(), lives: BTreeMap::new() };
    let (mut roots, mut alive) = (BTreeSet::new(), BTreeSet::new());
    for thing in candidate.things() {
        let Some(entity) = all.get(&thing) else { continue };
        let diagnosis = search::diagnosis(scenario, *entity);
        for root in diagnosis.roots() {
            let things = root.entities.iter().filter_map(|it| by_entity.get(it).cloned());
            let things = things.map(|it| (root.kind, it));
            match root.kind {
                RootKind::Gone => {}
                RootKind::StillAlive => alive.extend(things),
                _ => roots.extend(things),
            }
        }
        graph.add(&diagnosis, &by_entity);
    }
    // What is Alive holds others where nothing else does.
    if roots.is_empty() {
        roots = alive;
    }
    // Who can act holds nobody up, beside those who cannot.
    if roots.iter().any(|(kind, _)| *kind != RootKind::CanAct) {
        roots.retain(|(kind, _)| *kind != RootKind::CanAct);
    }
    let trees = graph.trees(&roots);
    Holders { trees, waits: graph.all(), roots }
}

/// The entities of the things of a candidate.
fn things(candidate: &FittingState<'_>, world: &World) -> BTreeMap<Thing, EntityId> {
    let mut all = BTreeMap::new();
    for thing in &candidate.cut.things {
        let name = candidate.name(thing);
        let entity = EntityId::all(world).find(|it| {
            let is_kind = matches!(
                (thing, it),
                (Thing::Machine(_), EntityId::Machine(_))
                    | (Thing::Application(_), EntityId::Application(_))
                    | (Thing::Unit(_), EntityId::Unit(_))
                    | (Thing::Relation(_), EntityId::Relation(_))
            );
            is_kind && deathwatch_scenario::describe::bare_name(world, *it) == name
        });
        all.extend(entity.map(|it| (thing.clone(), it)));
    }
    all
}

struct WaitGraph<'a> {
    candidate: &'a FittingState<'a>,
    waits: BTreeMap<Thing, BTreeSet<Thing>>,
    lives: BTreeMap<Thing, Option<Life>>,
}

impl WaitGraph<'_> {
    fn add(&mut self, diagnosis: &Diagnosis, by_entity: &BTreeMap<EntityId, Thing>) {
        for (entity, node) in diagnosis.nodes() {
            let Some(thing) = by_entity.get(&entity) else { continue };
            self.lives.insert(thing.clone(), node.condition.life());
            let waits = self.waits.entry(thing.clone()).or_default();
            waits.extend(node.waits_for().filter_map(|it| by_entity.get(&it).cloned()));
        }
    }

    /// All things that wait, and for whom, by their names.
    fn all(&self) -> Vec<WaitsFor> {
        let juju = self.candidate.juju;
        let all = self.waits.iter().flat_map(|(thing, waits)| {
            let thing = said(juju, thing);
            waits.iter().map(move |it| WaitsFor { thing: thing.clone(), other: said(juju, it) })
        });
        all.collect()
    }

    /// The trees below the roots. Each thing is in them once.
    fn trees(&self, roots: &BTreeSet<(RootKind, Thing)>) -> Vec<Holder> {
        let mut met: BTreeSet<Thing> = roots.iter().map(|(_, it)| it.clone()).collect();
        let mut tops: BTreeMap<&Thing, Vec<RootKind>> = BTreeMap::new();
        for (kind, thing) in roots {
            tops.entry(thing).or_default().push(*kind);
        }
        tops.into_iter()
            .map(|(thing, kinds)| {
                let mut holder = self.tree(thing, &mut met);
                holder.says = self.why(thing, &kinds);
                holder
            })
            .collect()
    }

    fn tree(&self, thing: &Thing, met: &mut BTreeSet<Thing>) -> Holder {
        let waiting = self.waits.iter().filter(|(_, waits)| waits.contains(thing));
        let waiting: Vec<&Thing> =
            waiting.map(|(it, _)| it).filter(|it| met.insert((*it).clone())).collect();
        Holder {
            name: said(self.candidate.juju, thing),
            says: self.condition(thing),
            since: since(self.candidate.juju, thing),
            waiting: waiting.into_iter().map(|it| self.tree(it, met)).collect(),
        }
    }

    /// A sentence on something that waits.
    fn condition(&self, thing: &Thing) -> String {
        let juju = self.candidate.juju;
        let life = words::life(self.lives.get(thing).copied().flatten());
        match thing {
            Thing::Relation(number) if juju.relations[*number].life.is_some() => life,
            Thing::Relation(number) => {
                let relation = &juju.relations[*number];
                let mut dying = relation.ends.iter().map(|(app, _)| app);
                let dying = dying
                    .find(|app| juju.applications.get(*app).is_some_and(JujuApplication::is_dying));
                match dying {
                    Some(app) if life == "Dying" => {
                        format!("{life}, as {app} is; Juju does not print it")
                    }
                    _ => format!("taken to be {life}; Juju does not print it"),
                }
            }
            Thing::Application(name) if !juju.units.values().any(|it| it.application == *name) => {
                format!("{life}, no units left")
            }
            _ => life,
        }
    }

    /// Why a root holds, in the words of an operator.
    fn why(&self, thing: &Thing, kinds: &[RootKind]) -> String {
        let juju = self.candidate.juju;
        let life = words::life(self.lives.get(thing).copied().flatten());
        let unit = match thing {
            Thing::Unit(name) => Some(&juju.units[name]),
            _ => None,
        };
        let hook = || {
            let hook = unit.and_then(|it| it.failed_hook.as_ref());
            let name = hook.map(|it| it.name.as_str()).filter(|it| !it.is_empty());
            let name = name.map_or("a hook of it".to_owned(), |it| format!("its hook {it}"));
            format!("{name} failed; its agent waits for you")
        };
        let waits = self.waits.get(thing).into_iter().flatten();
        let waits: Vec<String> = waits.map(|it| said(juju, it)).collect();
        let mut says: Vec<String> = Vec::new();
        for kind in kinds {
            says.push(match kind {
                RootKind::Cause(
                    Reason::RelationHookFailed | Reason::StopHookFailed | Reason::UnitHookFailed,
                ) => hook(),
                RootKind::Cause(Reason::AgentCrashed) => "its agent does not run".to_owned(),
                RootKind::Cause(Reason::HardwareUnnoticed) => {
                    "its hardware is gone, and Juju does not know".to_owned()
                }
                RootKind::Cause(Reason::NotRedeployed) => {
                    "it has no agent, and a unit that is not Alive gets none".to_owned()
                }
                RootKind::Cause(Reason::NoOwnAgent) => {
                    "it never had an instance, so it has no agent that could end it".to_owned()
                }
                RootKind::Cycle(_) => match thing {
                    Thing::Machine(_) => {
                        format!("no instance; waits for {}, assigned to it", waits.join(", "))
                    }
                    _ if unit.is_some_and(|it| it.agent == AgentStatus::Allocating) => {
                        let on = unit.and_then(|it| it.machine.clone()).unwrap_or_default();
                        format!("never deployed; waits for the agent on machine {on}, which is never started")
                    }
                    _ => format!("waits for {}", waits.join(", ")),
                },
                RootKind::SwitchedOff(_) => {
                    "in the scope of its peer relation, which agents of this Juju do not leave".to_owned()
                }
                RootKind::StillAlive => "nobody has removed it".to_owned(),
                RootKind::CanAct => match unit.and_then(|it| it.doing.as_ref()) {
                    Some(doing) => format!("its agent runs a hook now: {doing}"),
                    None => "nothing is in the way".to_owned(),
                },
                other => other.says(),
            });
        }
        says.dedup();
        format!("{life}; {}", says.join("; "))
    }
}

/// The name of a thing with its kind.
pub(crate) fn said(juju: &Juju, thing: &Thing) -> String {
    let name = match thing {
        Thing::Machine(name) | Thing::Application(name) | Thing::Unit(name) => name.clone(),
        Thing::Relation(number) => juju.relations[*number].key(),
    };
    format!("{} {name}", kind(thing))
}

fn since(juju: &Juju, thing: &Thing) -> String {
    match thing {
        Thing::Machine(name) => juju.machines[name].since.clone(),
        Thing::Unit(name) => juju.units[name].since.clone(),
        Thing::Application(_) | Thing::Relation(_) => String::new(),
    }
}

/// The next step about a root for somebody; `None` if agents go on, or nobody can do anything.
pub(crate) fn to_do(juju: &Juju, kind: RootKind, thing: &Thing) -> Option<NextStep> {
    let you = |what: String| Some(NextStep { who: "you".to_owned(), what });
    match (kind, thing) {
        (
            RootKind::Cause(
                Reason::RelationHookFailed | Reason::StopHookFailed | Reason::UnitHookFailed,
            ),
            Thing::Unit(name),
        ) => you(format!("juju resolved --no-retry {name}   (again if the next hook fails)")),
        (RootKind::Cause(Reason::AgentCrashed), Thing::Unit(name)) => {
            let unit = &juju.units[name];
            let machine = unit
                .machine
                .as_ref()
                .or_else(|| unit.principal.as_ref().and_then(|it| juju.units[it].machine.as_ref()));
            let machine = machine.cloned().unwrap_or_default();
            // Its machine's agent has to remove the unit in the end.
            if juju.machines.get(&machine).is_some_and(|it| it.is_down) {
                return you(agents_of(&machine));
            }
            you(format!("start the agent of {name} on machine {machine} again"))
        }
        (RootKind::Cause(Reason::AgentCrashed), Thing::Machine(name)) => you(agents_of(name)),
        (RootKind::Cause(Reason::HardwareUnnoticed), Thing::Machine(name)) => {
            you(format!("bring machine {name} back, or have its instance terminated"))
        }
        (RootKind::StillAlive, Thing::Unit(name)) => {
            you(format!("juju remove-unit {name}   (what follows was not searched)"))
        }
        (RootKind::StillAlive, Thing::Machine(name)) => {
            you(format!("juju remove-machine {name}   (what follows was not searched)"))
        }
        (RootKind::Cause(Reason::StartFailed), Thing::Machine(name)) => {
            you(format!("juju retry-provisioning {name}"))
        }
        _ => None,
    }
}

/// The step about a root that somebody should take, and does not in this Juju.
pub(crate) fn should(kind: RootKind, thing: &Thing) -> Option<NextStep> {
    let (who, what) = match (kind, thing) {
        (RootKind::SwitchedOff(_), Thing::Unit(name)) => {
            (format!("unit-agent {name}"), "leave the scope of its peer relation".to_owned())
        }
        (RootKind::Cause(Reason::NoOwnAgent), Thing::Machine(name)) => {
            ("provisioner".to_owned(), format!("set machine {name} Dead and remove it"))
        }
        _ => return None,
    };
    Some(NextStep { who, what: format!("should {what}, and in this Juju never does") })
}

/// The assumption that an operator does something about a root.
pub(crate) fn cure(kind: RootKind) -> Option<Assumption> {
    let RootKind::Cause(reason) = kind else { return None };
    match reason {
        Reason::RelationHookFailed | Reason::StopHookFailed | Reason::UnitHookFailed => {
            Some(Assumption::HookErrorsAreResolved)
        }
        Reason::AgentCrashed => Some(Assumption::CrashedAgentsRestart),
        Reason::HardwareUnnoticed => Some(Assumption::FailedHardwareIsTerminated),
        Reason::StartFailed => Some(Assumption::FailedStartsAreResolved),
        _ => None,
    }
}

/// A sentence on how the agents on a machine come back.
fn agents_of(machine: &str) -> String {
    format!("start the agents on machine {machine} again, jujud-machine-{machine} first")
}
