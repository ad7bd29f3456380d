//! Vacuous claims: those with conditions that the constants of a world rule out, as when no user
//! may destroy a machine, or there are no relations.
//!
//! A claim about what must follow is vacuous where its condition never arises. What can bring the
//! condition about stands in one table. A reason errs on one side only: what it calls vacuous and
//! is not is answered otherwise, and so is not as expected.

use std::collections::BTreeSet;

use deathwatch_claims::Claim;
use deathwatch_model::{
    state::State,
    variants::RelationTracking,
    world::{Command, Scope, World},
};

use super::{ScriptStep, own_rules::adds_duties};

/// A cause: an event without which the condition of a claim cannot come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    MachineDestroyed,
    MachineForced,
    MachineAdded,
    UnitDestroyed,
    UnitForced,
    UnitAdded,
    SubordinateMade,
    ApplicationDestroyed,
    ApplicationWithUnitsDestroyed,
    RelationDestroyed,
    RelationAdded,
    HardwareLost,
    ScopeDropped,
}

use Cause::{
    ApplicationDestroyed, ApplicationWithUnitsDestroyed, HardwareLost, MachineAdded,
    MachineDestroyed, MachineForced, RelationAdded, RelationDestroyed, ScopeDropped,
    SubordinateMade, UnitAdded, UnitDestroyed, UnitForced,
};

/// The claims about what must follow, each with all that can bring its condition about where it
/// does not hold at the start. Of a claim that is not in the table nothing is known.
const CAUSES: &[(&str, &[Cause])] = &[
    ("a Dying machine is removed", &[MachineDestroyed]),
    ("a Dead machine is removed", &[MachineDestroyed]),
    ("a machine that is forced is removed", &[MachineForced]),
    ("an Alive machine gets an instance that runs", &[MachineAdded, UnitAdded, HardwareLost]),
    ("a Dying unit is removed", &[UnitDestroyed]),
    ("a Dead unit is removed", &[UnitDestroyed]),
    ("a unit that is forced is removed", &[UnitForced]),
    ("an agent whose unit is not there is recalled", &[UnitForced]),
    ("an Alive unit that is assigned is deployed", &[UnitAdded, SubordinateMade, HardwareLost]),
    (
        "an Alive unit enters the scopes of its Alive relations",
        &[UnitAdded, SubordinateMade, RelationAdded, ScopeDropped],
    ),
    ("a principal in a container scope gets an Alive subordinate", &[SubordinateMade]),
    ("a Dying application is removed", &[ApplicationDestroyed]),
    ("the name of a destroyed application becomes free", &[ApplicationDestroyed]),
    ("a unit of a Dying application becomes Dying", &[ApplicationWithUnitsDestroyed]),
    ("a Dying relation is removed", &[RelationDestroyed]),
    ("the settings of a removed relation are deleted", &[RelationDestroyed]),
    ("a subordinate that no relation keeps becomes Dying", &[RelationDestroyed]),
];

/// The claims of which some subject has to be a subordinate unit.
const OF_SUBORDINATES: &[&str] = &["a subordinate that no relation keeps becomes Dying"];

/// The causes that are possible in a world.
pub(super) struct PossibleEvents<'a> {
    world: &'a World,
    start: &'a State,
    causes: BTreeSet<Cause>,
}

impl<'a> PossibleEvents<'a> {
    /// The causes that are possible in `world` from `start` on. Where a client acts in these
    /// scripts, or the start is one that `[world]` alone does not describe, all causes about
    /// existing entities count as past.
    pub(super) fn of(
        world: &'a World,
        start: &'a State,
        is_described: bool,
        steps: &[ScriptStep],
    ) -> Self {
        let has_client = steps.iter().any(|step| step.instruction.is_of_client());
        // A duty that a rule adds can be any transaction.
        let has_client = has_client || adds_duties(world);
        let mut causes = BTreeSet::new();
        if has_client || !is_described {
            causes.extend(CAUSES.iter().flat_map(|(_, causes)| causes.iter().copied()));
        }
        for allowed in &world.commands {
            causes.extend(brought_about(world, allowed.command));
        }
        if world.hardware_is_lost() {
            causes.insert(HardwareLost);
            if leaves_unknown_scopes(world) {
                causes.insert(ScopeDropped);
            }
        }
        causes.remove(&SubordinateMade);
        let is_container = |id| world.relation(id).scope == Scope::Container;
        if world.relation_ids().any(is_container) {
            causes.insert(SubordinateMade);
            if causes.contains(&RelationDestroyed) {
                causes.insert(UnitDestroyed);
            }
        }
        Self { world, start, causes }
    }

    /// The reason why `claim` is vacuous, as the end of "vacuous, as …"; `None` if there is none
    /// that the constants show.
    pub(super) fn vacuous(&self, claim: &Claim) -> Option<String> {
        let obligation = claim.obligation()?;
        let kind = obligation.own.each?;
        if kind.rows(self.world).next().is_none() {
            return Some(format!("this world has no {}", kind.name()));
        }
        let is_subordinate = |id| self.world.application(id).subordinate;
        let has_subordinates = self.world.application_ids().any(is_subordinate);
        if OF_SUBORDINATES.contains(&claim.name) && !has_subordinates {
            return Some("this world has no subordinate".to_owned());
        }
        let (_, causes) = CAUSES.iter().find(|(name, _)| *name == claim.name)?;
        let arises = |row| obligation.from(self.world, self.start, row);
        if causes.iter().any(|it| self.causes.contains(it)) || kind.rows(self.world).any(arises) {
            return None;
        }
        let reasons: Vec<&str> = causes.iter().map(|cause| cause.lacking()).collect();
        Some(reasons.join(" and "))
    }
}

/// Whether an agent that has lost its disk leaves the scopes in which it finds its unit.
fn leaves_unknown_scopes(world: &World) -> bool {
    match world.variants.relation_tracking {
        RelationTracking::LeaveWhenDetected | RelationTracking::Reconciled => true,
        RelationTracking::LocalDirectory | RelationTracking::RemoteScope => false,
    }
}

/// The causes that a command brings about, with all that follows from it.
fn brought_about(world: &World, command: Command) -> Vec<Cause> {
    match command {
        Command::Deploy(..) | Command::DeployConstrained(..) | Command::AddUnit(_) => {
            vec![UnitAdded]
        }
        Command::AddMachine(_) => vec![MachineAdded],
        Command::Integrate(_) => vec![RelationAdded],
        Command::DestroyMachine(_) | Command::DestroyModel(_) => vec![MachineDestroyed],
        Command::ForceDestroyMachine(_) => {
            vec![MachineDestroyed, MachineForced, UnitDestroyed, UnitForced]
        }
        Command::DestroyUnit(_) => vec![UnitDestroyed],
        Command::ForceDestroyUnit(_) => vec![UnitDestroyed, UnitForced],
        Command::DestroyRelation(_) => vec![RelationDestroyed],
        Command::DestroyApplication(id) => {
            let application = world.application(id);
            let mut causes = vec![ApplicationDestroyed];
            if !application.units.is_empty() {
                causes.extend([ApplicationWithUnitsDestroyed, UnitDestroyed]);
            }
            if !application.relations.is_empty() {
                causes.push(RelationDestroyed);
            }
            causes
        }
        Command::SetConfig(_)
        | Command::UpgradeCharm(_)
        | Command::ForceUpgradeCharm(_)
        | Command::Expose(_)
        | Command::Unexpose(_)
        | Command::Resolved(_)
        | Command::ResolvedConstraints(..)
        | Command::SetConstraints(..)
        | Command::SetModelConstraints(_) => Vec::new(),
    }
}

impl Cause {
    /// The text that says that it never happens.
    fn lacking(self) -> &'static str {
        match self {
            MachineDestroyed => "nobody destroys a machine",
            MachineForced => "nobody destroys a machine by force",
            MachineAdded => "nobody adds a machine",
            UnitDestroyed => "nobody destroys a unit",
            UnitForced => "nobody destroys a unit by force",
            UnitAdded => "nobody adds a unit",
            SubordinateMade => "no relation brings subordinates",
            ApplicationDestroyed => "nobody destroys an application",
            ApplicationWithUnitsDestroyed => "nobody destroys an application that has units",
            RelationDestroyed => "nobody destroys a relation",
            RelationAdded => "nobody adds a relation",
            HardwareLost => "no hardware fails",
            ScopeDropped => "no agent leaves a scope that it does not know",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_about_claims_of_what_must_follow() {
        for name in CAUSES.iter().map(|(name, _)| name).chain(OF_SUBORDINATES) {
            let claim = deathwatch_claims::named(name).expect("it is a claim");
            assert!(claim.obligation().is_some(), "{name}");
        }
    }
}
