//! Faults and commands that a scenario allows, and that can strike nothing in its world, limits
//! that can limit nothing there, settings that can change nothing, and own claims about rows of
//! which it has none, as the constants show.
//!
//! The author of a scenario means something by each, and what holds because it never happens tells
//! nothing.
//! A reason errs on one side only: what it names never happens.

use deathwatch_claims::{Claim, ClaimKind};
use deathwatch_documents::{Warning, WarningOf};
use deathwatch_model::{
    action::HookKind,
    agents,
    clause::Clause,
    ids::{ApplicationId, EntityId, MachineId, RelationId, UnitId},
    life::Life::Alive,
    state::State,
    variants::{DoneAlready, UnprovisionedUnit},
    world::{Command, CommandArgument, FaultKind, Finds, HookTrait, Scope, Transactions, World},
};

use super::{
    ScriptStep,
    form::{ApplicationFile, WorldFile},
    own_rules::adds_duties,
};

/// A world with its start and script, for questions about what is possible.
pub(super) struct IdleIn<'a> {
    pub(super) world: &'a World,
    pub(super) start: &'a State,
    pub(super) script: &'a [ScriptStep],
}

impl IdleIn<'_> {
    /// Each fault that is switched on, and each of these commands, that can strike nothing. A
    /// client of a script can make whatever a command needs.
    pub(super) fn all(&self, commands: &[(String, Command)]) -> Vec<Warning> {
        let switched_on =
            FaultKind::ALL.iter().filter(|kind| self.world.faults.switch(**kind).is_on());
        let faults = switched_on.filter_map(|kind| {
            Some(Warning::new(WarningOf::Fault, kind.key().to_owned(), self.fault(*kind)?))
        });
        let has_client = self.has_client();
        let commands = commands.iter().filter(|_| !has_client).filter_map(|(key, command)| {
            Some(Warning::new(WarningOf::Command, key.clone(), self.reason(*command)?))
        });
        faults.chain(commands).collect()
    }

    /// Each limit that the table `[world]` has, and that is never reached.
    pub(super) fn limits(&self, file: &WorldFile) -> Vec<Warning> {
        let world = self.world;
        let limit = |key: String, reason| Warning::new(WarningOf::Limit, key, reason);
        let mut all = Vec::new();
        if file.tries.is_some() && self.commits_at_once() {
            all.push(limit("world.tries".to_owned(), "no other transaction can come between"));
        }
        let mut applications = world.applications.iter();
        let fails = applications.any(|it| it.charm.has_some(HookTrait::NeverSucceeds));
        let has_fault = FaultKind::ALL.iter().any(|kind| world.faults.switch(*kind).is_on());
        if file.retries.is_some() && !has_fault && !fails {
            all.push(limit("world.retries".to_owned(), "no hook fails, as no fault is on"));
        }
        let has_client = self.has_client();
        // An application without units has one identifier at least.
        let has_more = |it: &ApplicationFile| it.most_units.as_ref().is_some_and(|it| it.value > 1);
        let applications = file.applications.iter().filter(|(_, it)| has_more(it));
        for (name, _) in applications.filter(|_| !has_client) {
            let Some(id) = world.application_named(&name.value) else { continue };
            let mut units = world.unit_ids().filter(|it| world.application_of(*it).0 == id);
            if units.any(|id| !self.unit(id)) {
                let key = format!("world.applications.{}.most-units", name.value);
                all.push(limit(key, "no command that is allowed adds a unit"));
            }
        }
        all
    }

    /// Each variant that is set, and each clause that is off, for which the world lacks a detail;
    /// and each clause that is not asserted where nothing comes before a commit.
    pub(super) fn settings(&self) -> Vec<Warning> {
        let world = self.world;
        let detail = |names: &[&str]| format!("the detail `{}` is off", names.join("` or `"));
        let variants = world.variants.changed().map(|(info, _)| (info.name, info.needs));
        let variants = variants
            .filter(|(_, needs)| !needs.is_empty() && !needs.iter().any(|it| world.detail.has(it)));
        let variants = variants
            .map(|(name, needs)| Warning::new(WarningOf::Variant, name.to_owned(), &detail(needs)));
        let places = world.without_at.iter().map(|(clause, _)| *clause);
        let off = world.without.iter().chain(places).chain(world.neglected.iter());
        let mut off: Vec<Clause> = off.chain(world.unasserted.iter()).collect();
        off.sort_unstable();
        off.dedup();
        let off = off.into_iter().filter_map(|clause| {
            let lacks = clause.needs().iter().find(|it| !world.detail.has(it));
            let is_unasserted = world.is_unasserted(clause) && self.finds_what_it_asserts();
            let because = match lacks {
                Some(name) => detail(&[name]),
                None if is_unasserted && !world.is_off(clause) => {
                    "no other transaction can come between".to_owned()
                }
                None => return None,
            };
            Some(Warning::new(WarningOf::Clause, clause.to_string(), &because))
        });
        variants.chain(off).collect()
    }

    /// Each of these own claims that is about rows of a kind of which there are none. One of the
    /// kind leads is answered vacuous.
    pub(super) fn claims(&self, own: &[&Claim]) -> Vec<Warning> {
        let others = own.iter().filter(|claim| claim.kind() != ClaimKind::Leads);
        // An own claim has one text.
        let kinds = others.filter_map(|claim| Some((claim, claim.texts().first()?.subject_kind())));
        let told = kinds.filter(|(_, kind)| kind.count(self.world) == 0).map(|(claim, kind)| {
            let because = format!("the world has no {}", kind.name());
            Warning::new(WarningOf::Claim, claim.name.to_owned(), &because)
        });
        told.collect()
    }

    fn has_client(&self) -> bool {
        // So can a duty that a rule adds.
        adds_duties(self.world) || self.script.iter().any(|step| step.instruction.is_of_client())
    }

    /// Whether nothing happens between the planning and the commit of a transaction.
    fn commits_at_once(&self) -> bool {
        self.world.transactions == Transactions::Atomic && !self.world.detail.provisioning
    }

    /// Whether each transaction finds at its commit what it planned with, and asserts no more.
    fn finds_what_it_asserts(&self) -> bool {
        let (world, variants) = (self.world, &self.world.variants);
        let is_amended = world.is_amended() || !world.without.is_empty();
        self.commits_at_once()
            && !is_amended
            && variants.done_already != DoneAlready::Aborts
            && variants.unprovisioned_unit != UnprovisionedUnit::AssertingMore
    }

    /// The reason why the faults of a kind can strike nothing.
    fn fault(&self, kind: FaultKind) -> Option<&'static str> {
        let world = self.world;
        let (is_idle, reason) = match kind {
            FaultKind::Crash | FaultKind::Reboot => (
                !self.is_something_lost_by_a_crash(),
                "an agent that crashes loses nothing, and is back at once",
            ),
            FaultKind::Downtime => (!world.agents_crash(), "no agent crashes"),
            FaultKind::Abort => {
                (self.commits_at_once(), "no transaction of an atomic world waits for its commit")
            }
            FaultKind::LostConnection => (
                world.commands.iter().all(|it| it.command.rest().is_none()),
                "no command that is allowed takes several transactions",
            ),
            FaultKind::HookFailure => (
                world.detail.workflow || !self.some_hook_fails(HookKind::is_of_relations),
                "no charm has a hook about a relation that may fail",
            ),
            FaultKind::UnitHookFailure => (
                !self.some_hook_fails(|hook| !hook.is_of_relations()),
                "no charm has a hook of its unit itself that may fail",
            ),
            FaultKind::StartFailure | FaultKind::StartTimeout => {
                let machines = world.faults.switch(kind).machines();
                let starts = |id: &MachineId| self.is_started(*id);
                (!machines.iter().any(starts), "none of these machines is ever started")
            }
            FaultKind::FailOver => {
                (world.managers().nth(1).is_none(), "there is no second manager machine")
            }
            FaultKind::HardwareFailure
            | FaultKind::UndetectedHardwareFailure
            | FaultKind::Disconnection => return None,
        };
        is_idle.then_some(reason)
    }

    /// Whether an agent can hold state that a crash destroys, or stays down after one.
    fn is_something_lost_by_a_crash(&self) -> bool {
        let world = self.world;
        let has_memory = world.detail.hooks || world.detail.workflow || world.detail.provisioning;
        world.faults.downtime
            || world.transactions == Transactions::Split
            || world.has_directories() && world.relation_ids().next().is_some()
            || has_memory
    }

    /// Whether a charm has a hook of such a kind that may fail. Where hooks have no names, those of
    /// departures belong to a relation, and a unit has others of its own.
    fn some_hook_fails(&self, is_meant: impl Fn(HookKind) -> bool) -> bool {
        let detail = self.world.detail;
        let has_name = |hook: HookKind| match hook {
            HookKind::Joined | HookKind::Changed | HookKind::Departed => detail.relations,
            HookKind::UpgradeCharm => detail.charm,
            HookKind::ConfigChanged => !detail.workflow,
            HookKind::Install | HookKind::Start | HookKind::Stop | HookKind::Broken => true,
        };
        self.world.applications.iter().any(|application| {
            let charm = application.charm;
            let fails = |hook: HookKind| charm.has(hook) && charm.is(hook, HookTrait::Fails);
            let is_used =
                |hook: HookKind| !hook.is_of_relations() || !application.relations.is_empty();
            let mut hooks = HookKind::ALL.iter().copied();
            hooks.any(|hook| is_meant(hook) && has_name(hook) && is_used(hook) && fails(hook))
        })
    }

    /// Whether an instance of a machine can start and come to run.
    fn is_started(&self, id: MachineId) -> bool {
        let has_instance = self.start.store.machine(id).is_some_and(|machine| machine.instance);
        !self.world.machine(id).never_starts
            && (!has_instance || self.world.hardware_is_lost() || self.allows(makes_machines))
    }

    /// The reason why a command can never do anything.
    fn reason(&self, command: Command) -> Option<&'static str> {
        if let Command::Integrate(id) = command {
            let mut ends = self.world.relation(id).applications();
            if !ends.all(|end| self.application(end)) {
                return Some("one of its applications never exists");
            }
        }
        if let Command::Resolved(id) | Command::ResolvedConstraints(id, _) = command
            && !self.start_fails(id)
        {
            return Some("no start of this machine ever fails");
        }
        let entity = command.arguments().into_iter().flatten().find_map(CommandArgument::entity)?;
        match command.kind().row().finds {
            Finds::Absent => (self.is_there(entity) && !self.may_go(entity))
                .then_some("what it makes is there from the start, and nobody destroys it"),
            Finds::Alive | Finds::Present => {
                (!self.can_be(entity)).then_some("what it is about never exists")
            }
        }
    }

    /// Whether a command that `is_meant` is allowed.
    fn allows(&self, is_meant: impl Fn(Command) -> bool) -> bool {
        self.world.commands.iter().any(|it| is_meant(it.command))
    }

    /// Whether a start of an instance of the machine can fail.
    fn start_fails(&self, id: MachineId) -> bool {
        let faults = &self.world.faults;
        let by_fault = [&faults.start_failure, &faults.start_timeout];
        by_fault.iter().any(|machines| machines.binary_search(&id).is_ok())
            || self.world.machine(id).never_starts
            || self.world.constraints.hardware().is_some()
            || self.world.machine(id).parent.is_some()
            || agents::is_in_error(id, self.start)
    }

    /// Whether an entity exists at the start.
    fn is_there(&self, entity: EntityId) -> bool {
        entity.life(self.start).is_some()
    }

    /// Whether an entity that exists at the start may go: it is Dying or Dead, or a command may
    /// destroy it.
    fn may_go(&self, entity: EntityId) -> bool {
        let destroys = |it: Command| match (it, entity) {
            (
                Command::DestroyMachine(_)
                | Command::ForceDestroyMachine(_)
                | Command::DestroyModel(_),
                EntityId::Machine(_),
            ) => true,
            (Command::DestroyApplication(id), EntityId::Application(it)) => id == it,
            (Command::DestroyApplication(id), EntityId::Relation(it)) => {
                self.world.relation(it).ends.contains(&id)
            }
            (Command::DestroyRelation(id), EntityId::Relation(it)) => id == it,
            _ => false,
        };
        entity.life(self.start) != Some(Alive) || self.allows(destroys)
    }

    /// Whether an entity can ever exist.
    fn can_be(&self, entity: EntityId) -> bool {
        match entity {
            EntityId::Machine(id) => self.is_there(entity) || self.allows(|it| self.makes(it, id)),
            EntityId::Application(id) => self.application(id),
            EntityId::Unit(id) => self.unit(id),
            EntityId::Relation(id) => self.relation(id),
        }
    }

    /// Whether a command may make this machine, for itself or for a unit.
    fn makes(&self, command: Command, id: MachineId) -> bool {
        match command {
            Command::AddMachine(it) => it == id,
            _ => self.world.machine(id).parent.is_none() && makes_machines(command),
        }
    }

    fn application(&self, id: ApplicationId) -> bool {
        let deploys = |it: Command| match it {
            Command::Deploy(it, _) | Command::DeployConstrained(it, ..) => it == id,
            _ => false,
        };
        self.is_there(EntityId::Application(id)) || self.allows(deploys)
    }

    fn unit(&self, id: UnitId) -> bool {
        let (application, constants) = self.world.application_of(id);
        let adds = |it: Command| match it {
            Command::AddUnit(it) => it == application,
            Command::Deploy(it, units) | Command::DeployConstrained(it, units, _) => {
                it == application && units > 0
            }
            _ => false,
        };
        self.is_there(EntityId::Unit(id))
            || constants.subordinate && self.application(application)
            || self.application(application) && self.allows(adds)
    }

    fn relation(&self, id: RelationId) -> bool {
        let relation = self.world.relation(id);
        let integrates = |it: Command| matches!(it, Command::Integrate(it) if it == id);
        self.is_there(EntityId::Relation(id))
            || relation.scope == Scope::Peer && self.application(relation.ends[0])
            || self.allows(integrates)
    }
}

/// Whether a command makes machines, for itself or for units.
fn makes_machines(command: Command) -> bool {
    let is_made = matches!(command, Command::AddMachine(_) | Command::AddUnit(_));
    is_made || command.rest().is_some_and(|rest| rest.units > 0)
}
