//! Diagnoses as text: a paragraph that names what an entity waits for, and why that does not go.
//!
//! The paragraph goes through the graph depth first, and names each entity once. Of many holders it
//! names the first and a few of which there is something else to say, and counts the others: a
//! paragraph on ten thousand units would say less.

use std::collections::BTreeSet;

use deathwatch_model::{
    claims::{
        EntityId,
        diagnosis::{AgentBlocker, Blocker, Condition, Diagnosis, Node},
    },
    ids::{MachineId, RelationId, UnitId},
    life::Life,
    runtime::Mark,
    world::World,
};

use super::{bare_name, name};

/// The number of holders that are named first, and then of those that are unlike them.
const FIRST: usize = 3;
/// The number of holders among which those that are unlike the first are looked for.
const EXAMINED: usize = 100;

/// The diagnosis as a paragraph, its clauses divided by semicolons.
pub fn diagnosis(world: &World, diagnosis: &Diagnosis) -> String {
    let mut text = Paragraph { world, diagnosis, named: BTreeSet::new(), parts: Vec::new() };
    if let Some(entity) = diagnosis.subject.actor() {
        text.entity(entity);
    }
    text.parts.join("; ")
}

struct Paragraph<'a> {
    world: &'a World,
    diagnosis: &'a Diagnosis,
    named: BTreeSet<EntityId>,
    parts: Vec<String>,
}

impl<'a> Paragraph<'a> {
    fn say(&mut self, part: impl Into<String>) {
        self.parts.push(part.into());
    }

    fn unit_name(&self, id: UnitId) -> &'a str {
        bare_name(self.world, EntityId::Unit(id))
    }

    fn machine_name(&self, id: MachineId) -> &'a str {
        bare_name(self.world, EntityId::Machine(id))
    }

    fn relation_name(&self, id: RelationId) -> &'a str {
        bare_name(self.world, EntityId::Relation(id))
    }

    /// The condition of an entity and its blockers, unless it is named already.
    fn entity(&mut self, entity: EntityId) {
        if !self.named.insert(entity) {
            return;
        }
        let node = self.diagnosis.node(entity);
        let name = name(self.world, entity);
        match node.condition {
            Condition::Gone => self.say(format!("{name} is gone")),
            Condition::LeftSettings => {
                self.say(format!("{name} is gone, but the settings of its units are left"));
            }
            Condition::Life(life) => self.say(format!("{name} is {life}")),
            Condition::Counts(life, units, relations) => {
                self.say(format!(
                    "{name} is {life} and counts {units} units and {relations} relations"
                ));
            }
        }
        let is_same_kind = |one: &Blocker, other: &Blocker| kind(one) == kind(other);
        for holders in node.blockers.chunk_by(is_same_kind) {
            self.holders(entity, node, holders);
        }
    }

    /// Blockers of one kind: some of them, and the number of the others.
    fn holders(&mut self, entity: EntityId, node: &Node, holders: &[Blocker]) {
        let (mut unlike, mut others) = (0, 0);
        for (index, holder) in holders.iter().enumerate() {
            if index < FIRST || counted(holder).is_none() {
                self.blocker(node, holder);
            } else if index < EXAMINED && unlike < FIRST {
                let before = self.parts.len();
                self.blocker(node, holder);
                if self.has_news(before) {
                    unlike += 1;
                } else {
                    self.parts.truncate(before);
                    others += 1;
                }
            } else {
                others += 1;
            }
        }
        if let Some((what, how)) = holders.first().and_then(counted).filter(|_| others > 0) {
            let what = if others == 1 { format!("{what} is") } else { format!("{what}s are") };
            let of = match entity {
                EntityId::Machine(_) | EntityId::Application(_) => name(self.world, entity),
                EntityId::Unit(_) | EntityId::Relation(_) => {
                    bare_name(self.world, entity).to_owned()
                }
            };
            self.say(format!("{others} more {what} {how} {of}"));
        }
    }

    /// Whether the parts from this one on say anything but what is said before them of others,
    /// which differ in their numbers.
    fn has_news(&self, from: usize) -> bool {
        let shape = |part: &String| part.replace(|it: char| it.is_ascii_digit(), "");
        let (before, news) = self.parts.split_at(from);
        let known: BTreeSet<String> = before.iter().map(shape).collect();
        news.iter().any(|part| !known.contains(&shape(part)))
    }

    fn blocker(&mut self, node: &Node, blocker: &Blocker) {
        match *blocker {
            Blocker::Principal(unit) => {
                self.say(format!("{} is assigned to it", self.unit_name(unit)));
                self.entity(EntityId::Unit(unit));
            }
            Blocker::Container(machine) => {
                self.say(format!("it has container {}", self.machine_name(machine)));
                self.entity(EntityId::Machine(machine));
            }
            Blocker::Unit(unit) => self.entity(EntityId::Unit(unit)),
            Blocker::Relation(relation) => self.entity(EntityId::Relation(relation)),
            Blocker::InScope { unit, is_unknown } => {
                self.say(format!("{} is in its scope", self.unit_name(unit)));
                self.in_scope(unit, is_unknown);
            }
            Blocker::Scope { relation, is_unknown } => {
                self.say(format!("it is in scope of {}", self.relation_name(relation)));
                if is_unknown {
                    self.say(
                        "its agent has no directory for that on its disk and does not know it",
                    );
                }
            }
            Blocker::Subordinate(unit) => {
                self.say(format!("{} is subordinate to it", self.unit_name(unit)));
                self.entity(EntityId::Unit(unit));
            }
            Blocker::NoSuchUnits => self.say("but it has no unit"),
            Blocker::NoSuchScopes(count) => {
                self.say(format!("it counts {count} units in scope but there is none"));
            }
            Blocker::Unreferenced => {
                self.say("nothing refers to it, so nobody will ever remove it");
            }
            Blocker::Agent(blocker) => self.agent(node.condition, blocker),
            Blocker::NoOwnAgent => self.say("it has no instance, so no agent of its own can act"),
            Blocker::NoDutyOfItsAgent => {
                self.say("it hosts no units, and so its agent does not set it Dead");
            }
            Blocker::NoManager => {
                self.say("no manager machine's agent runs, so there is no provisioner");
            }
            Blocker::NoCleaner => self.say("there is no cleaner to delete them"),
        }
    }

    /// The reasons why a unit does not leave a scope.
    fn in_scope(&mut self, unit: UnitId, is_unknown: bool) {
        let entity = EntityId::Unit(unit);
        let node = self.diagnosis.node(entity);
        let Condition::Life(life) = node.condition else {
            return self.say(format!("but {} is gone", self.unit_name(unit)));
        };
        let mut acts = life != Life::Dead;
        for blocker in node.agent() {
            self.agent(node.condition, blocker);
            acts = false;
        }
        if acts && is_unknown {
            self.say("its agent has no directory for it on its disk and does not know it");
        }
        if life != Life::Alive {
            self.entity(entity);
        }
    }

    fn agent(&mut self, condition: Condition, blocker: AgentBlocker) {
        match blocker {
            AgentBlocker::HookFailed(relation) => {
                let relation = self.relation_name(relation);
                self.say(format!(
                    "its hook for leaving {relation} failed and nobody has resolved it"
                ));
            }
            AgentBlocker::StopHookFailed => {
                self.say("its stop hook failed and nobody has resolved it");
            }
            AgentBlocker::UnitHookFailed => {
                self.say("a hook of its own failed and nobody has resolved it");
            }
            AgentBlocker::HookDue(hook) => {
                self.say(format!("its {} hook is due", Mark::of(hook).name()));
            }
            AgentBlocker::CharmDue => self.say("its charm directory is to be written"),
            AgentBlocker::Crashed => self.say("its agent has crashed and is not restarted"),
            AgentBlocker::NotDeployed if condition == Condition::Life(Life::Dying) => {
                self.say("it is not deployed, and a unit that is not Alive is not deployed again");
            }
            AgentBlocker::NotDeployed => self.say("it is not deployed"),
            AgentBlocker::Unassigned => {
                self.say("it has no machine, so nobody deploys or removes it");
            }
            AgentBlocker::Principal(principal) => {
                if condition == Condition::Life(Life::Dead) {
                    let principal = self.unit_name(principal);
                    self.say(format!("its deployer is the agent of {principal}"));
                }
                self.entity(EntityId::Unit(principal));
            }
            AgentBlocker::HardwareFailed(machine) => {
                let machine = self.machine_name(machine);
                self.say(format!(
                    "the hardware of machine {machine} has failed and nobody has noticed"
                ));
            }
            AgentBlocker::StartFailed(machine) => {
                let name = self.machine_name(machine);
                self.say(format!("machine {name} has no instance, as its start has failed"));
            }
            AgentBlocker::NoInstance(machine) => {
                self.say(format!("machine {} has no instance", self.machine_name(machine)));
            }
            AgentBlocker::MachineCrashed(machine) => {
                let machine = self.machine_name(machine);
                self.say(format!(
                    "the agent of machine {machine} has crashed and is not restarted"
                ));
            }
        }
    }
}

/// The kind of a blocker.
fn kind(blocker: &Blocker) -> std::mem::Discriminant<Blocker> {
    std::mem::discriminant(blocker)
}

/// How blockers are counted of which there may be many: their kind, and what they are to the
/// entity.
fn counted(blocker: &Blocker) -> Option<(&'static str, &'static str)> {
    match blocker {
        Blocker::Principal(_) => Some(("unit", "assigned to")),
        Blocker::Container(_) => Some(("container", "on")),
        Blocker::Unit(_) => Some(("unit", "part of")),
        Blocker::Relation(_) => Some(("relation", "part of")),
        Blocker::InScope { .. } => Some(("unit", "in scope of")),
        Blocker::Subordinate(_) => Some(("unit", "subordinate to")),
        Blocker::Scope { .. }
        | Blocker::NoSuchUnits
        | Blocker::NoSuchScopes(_)
        | Blocker::Unreferenced
        | Blocker::Agent(_)
        | Blocker::NoOwnAgent
        | Blocker::NoDutyOfItsAgent
        | Blocker::NoManager
        | Blocker::NoCleaner => None,
    }
}
