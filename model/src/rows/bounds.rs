//! Bounds: the values that a field can take in a world.
//!
//! If a bound is too narrow, packing panics, and never gives a wrong answer. If it is too wide it
//! costs bits.

use super::{
    ManagerTask,
    sets::Members,
    slot::{Below, Txns, below, flag},
};
use crate::{
    action::{Hook, HookKind},
    ids::{Id, MachineId, RelationId, UnitId},
    operation::Operation,
    variants::{
        ChildrenAndWatch, HookReads, RelationTracking, ResolvedByDefault, TriesCounted,
        UnitsOfDyingApplication, UpgradeAgain,
    },
    world::{HookTrait, Transactions, World},
};

/// The data from which the bounds of a world follow.
#[expect(clippy::struct_excessive_bools, reason = "each may be so by itself")]
pub struct WorldBounds<'a> {
    pub(super) world: &'a World,
    /// Whether these are bounds of given starts, not of all reachable states.
    is_of_starts: bool,
    /// Whether the protocol's invariants hold: no clause is switched off, and no rule is added.
    is_whole: bool,
    /// Whether a unit or a machine is forced, or can be.
    can_force: bool,
    /// Whether the cleaner is asked to destroy an application's units, or can be.
    can_clean_units: bool,
}

/// The facts about the start on which bounds depend.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtStart {
    /// Whether something is forced, or a transaction that forces something is pending.
    pub forced: bool,
    /// Whether the cleaner is asked to destroy an application's units.
    pub units_cleanup: bool,
}

/// Bounds that can be narrowed to the default value alone, for fields of history that no asked
/// claim reads.
pub(crate) trait Unkept {
    fn unkept() -> Self;
}

impl Unkept for Below {
    fn unkept() -> Self {
        below(1)
    }
}

impl Unkept for Members {
    fn unkept() -> Self {
        Self::ranges(std::iter::empty())
    }
}

impl<'a> WorldBounds<'a> {
    /// The bounds of a world whose runs all begin with these facts.
    pub fn of(world: &'a World, start: AtStart) -> Self {
        let added = world.own_rules.operations();
        let forces = |it: &Operation| {
            matches!(it, Operation::ForceDestroyUnit(_) | Operation::ForceDestroyMachine(_))
        };
        let asks_force = world.commands.iter().any(|it| it.command.kind().row().forces)
            || added.iter().any(forces);
        let asks_cleanup =
            world.variants.units_of_dying_application == UnitsOfDyingApplication::AgentsAndCleanup;
        Self {
            world,
            is_of_starts: false,
            is_whole: world.without.is_empty()
                && world.unasserted.is_empty()
                && !world.is_amended(),
            can_force: asks_force || start.forced,
            can_clean_units: asks_cleanup || start.units_cleanup,
        }
    }

    /// The bounds of states in which runs of a world can begin. Any cleanup document may exist;
    /// lists have only members that the protocol would put there, whatever clauses are switched
    /// off.
    pub fn of_starts(world: &'a World) -> Self {
        Self { world, is_of_starts: true, is_whole: true, can_force: true, can_clean_units: true }
    }

    pub(crate) fn world(&self) -> &'a World {
        self.world
    }

    /// The bound of a field of history: none but the default where it is not kept.
    pub(crate) fn kept<T: Unkept>(&self, is_kept: bool, bound: impl FnOnce(&Self) -> T) -> T {
        if is_kept { bound(self) } else { T::unkept() }
    }

    pub(super) fn forced(&self) -> Below {
        flag(self.can_force)
    }

    pub(super) fn units_cleanup(&self) -> Below {
        flag(self.can_clean_units)
    }

    /// The hardware of a machine. At a start none is gone unnoticed unless it can be later:
    /// elsewhere no operator terminates it.
    pub(super) fn hardware(&self) -> Below {
        let is_known = self.is_of_starts && !self.world.hardware_falls_silent();
        below(if is_known { 2 } else { 3 })
    }

    /// Whether an agent can be down: only where crashes have downtime.
    pub(super) fn down(&self) -> Below {
        flag(self.world.faults.downtime)
    }

    /// Whether a transaction can be pending: only where transactions are split, except for a
    /// scripted client's.
    pub(super) fn pending(&self) -> Txns {
        Txns(self.is_split())
    }

    /// As [`WorldBounds::pending`]; the record of a started instance can be pending in any world.
    pub(super) fn task_pending(&self, task: ManagerTask) -> Txns {
        let records = self.world.detail.provisioning && task == ManagerTask::Provisioner;
        Txns(self.is_split() || records)
    }

    /// The strays of a machine. A replaced instance occurs only where a clause is switched off.
    pub(super) fn strays(&self) -> Below {
        match (self.world.detail.provisioning, self.is_whole) {
            (false, _) => below(1),
            (true, true) => below(2),
            (true, false) => below(3),
        }
    }

    /// The bound on a former provisioner's work: only where a provisioner can be replaced.
    pub(super) fn former(&self) -> Below {
        below(if self.world.has_former_provisioners() { 8 } else { 1 })
    }

    /// Whether a stray of the start that the document names is possible: only where it names
    /// starts.
    pub(super) fn named_stray(&self) -> Below {
        flag(self.world.detail.provisioning && self.world.names_starts())
    }

    /// The bound on the stages of a start: only where another provisioner can take over.
    pub(super) fn stage(&self, task: ManagerTask) -> Below {
        let is_shared = self.world.has_former_provisioners();
        below(if is_shared && task == ManagerTask::Provisioner { 4 } else { 1 })
    }

    /// The bound on the state of a machine's last start.
    pub(super) fn start_status(&self) -> Below {
        below(if self.world.detail.provisioning { 3 } else { 1 })
    }

    /// A relation with a failed hook, if there are hooks.
    pub(super) fn hook_error(&self) -> Below {
        below(if self.world.has_hooks() { 1 + self.world.relations.len() } else { 1 })
    }

    /// The bound on the progress of a unit's own hooks, where it has any.
    pub(super) fn charm(&self) -> Below {
        // A hook that has a name can be cut short. An older agent may find an error on its disk or
        // in the store at the start.
        let detail = &self.world.detail;
        let any_fails = self.world.faults.unit_hook_failure || detail.hooks || detail.workflow;
        match (any_fails, self.world.has_unit_hooks()) {
            (true, _) => below(4),
            (false, true) => below(3), // only a crash can make a stop hook fail
            (false, false) => below(1),
        }
    }

    /// A running hook: in an atomic world hooks are atomic, except those that the outline lacks.
    pub(super) fn hook(&self) -> Below {
        let (relations, units) = (self.world.relations.len(), self.world.units.len());
        let stop = 1 + relations;
        let bound = match (self.is_split(), self.world.has_unit_hooks()) {
            _ if self.world.has_sightings() => {
                below(stop + Hook::OF_UNITS.len() + relations * (1 + 3 * units))
            }
            (true, true) if self.world.detail.hooks => below(stop + self.own_hooks()),
            (true, _) if self.world.detail.workflow => below(stop + self.own_hooks()),
            (true, true) => below(stop + 1),
            (true, false) => self.hook_error(),
            (false, _) => below(1),
        };
        Below { base: u32::try_from(stop).expect("ids are 32 bits wide"), ..bound }
    }

    /// Any hook that has a name, in one step or two.
    pub(crate) fn named_hook(&self) -> Below {
        let (relations, units) = (self.world.relations.len(), self.world.units.len());
        let of_relations =
            if self.world.detail.relations { relations * (1 + 3 * units) } else { 0 };
        let base = u32::try_from(1 + relations).expect("ids are 32 bits wide");
        Below { base, ..below(1 + relations + Hook::OF_UNITS.len() + of_relations) }
    }

    /// A hook that an agent has decided on: only where it does so before it begins.
    pub(super) fn decided(&self) -> Below {
        if self.world.decides_late() { self.named_hook() } else { below(1) }
    }

    /// The number of hooks of a unit itself that have names.
    fn own_hooks(&self) -> usize {
        Hook::OF_UNITS.len() - usize::from(!self.world.detail.charm)
    }

    /// The units that a unit can see in a relation: those of the counterpart, or peers; any unit
    /// where a clause is switched off.
    pub(crate) fn sighted(&self, (id, unit): (RelationId, UnitId)) -> Members {
        if !self.is_whole {
            return self.all_units();
        }
        let mine = self.world.unit(unit).application;
        let theirs = self.world.relation(id).counterpart(mine).unwrap_or(mine);
        Members::ranges(std::iter::once(self.world.application(theirs).units.clone()))
    }

    /// The units whose settings a hook can have read: those seen by the unit, and the unit itself.
    pub(crate) fn read(&self, key: (RelationId, UnitId)) -> Members {
        let (_, me) = key;
        let own = self.has_readers(me).then(|| me.index()..me.index() + 1);
        let Members(others) = self.remembered(key);
        Members::ranges(others.into_iter().chain(own))
    }

    /// Whether hooks of the unit read settings, and remember what they have read.
    fn has_readers(&self, unit: UnitId) -> bool {
        self.world.detail.settings && self.world.charm_of(unit).has_some(HookTrait::Reads)
    }

    /// The other units whose settings a hook can read, if the charm has hooks that do.
    pub(super) fn remembered(&self, key: (RelationId, UnitId)) -> Members {
        if self.has_readers(key.1) {
            self.sighted(key)
        } else {
            Members::ranges(std::iter::empty())
        }
    }

    /// The units whose settings a hook can have read in two versions, key by key.
    pub(super) fn mixed(&self, key: (RelationId, UnitId)) -> Members {
        if self.world.variants.hook_reads == HookReads::KeyByKey {
            self.remembered(key)
        } else {
            Members::ranges(std::iter::empty())
        }
    }

    /// Whether a hook can have written settings that no other agent sees yet.
    pub(super) fn wrote(&self, (_, unit): (RelationId, UnitId)) -> Below {
        let buffers = self.world.detail.settings || self.world.faults.disconnection;
        flag(buffers && self.world.charm_of(unit).has_some(HookTrait::Writes))
    }

    /// Any unit, or none.
    pub(crate) fn any_unit(&self) -> Below {
        below(1 + self.world.units.len())
    }

    /// Whether the exit of a hook can show in a state: where it exits, or its writes go to the
    /// store, in a step before its end is recorded.
    pub(super) fn exits(&self) -> Below {
        let exits = self.world.hooks_exit() || self.world.flushes_first();
        flag((self.is_split() || self.world.has_sightings()) && exits)
    }

    /// The bound on the older agent's watch on role nodes.
    pub(super) fn containers_watch(&self) -> Below {
        below(match (self.world.detail.workflow, self.world.variants.children_and_watch) {
            (false, _) => 1,
            (true, ChildrenAndWatch::Together) => 4,
            (true, ChildrenAndWatch::Apart) => 5,
        })
    }

    /// The greatest number of tries of a transition that the older agent counts.
    pub(super) fn tries(&self) -> usize {
        let retries = usize::from(self.world.retries);
        match self.world.variants.tries_counted {
            TriesCounted::InMemory => 1 + retries,
            TriesCounted::OnDisk => 2 + retries,
        }
    }

    /// The bound on the tries of a transition in history: one more than the world allows.
    pub(crate) fn attempts(&self) -> Below {
        below(3 + usize::from(self.world.retries))
    }

    /// Whether a marked hook can be about to run again: only if the operator may retry hooks.
    pub(super) fn retries(&self) -> Below {
        let skips = self.world.variants.resolved_by_default == ResolvedByDefault::Skip;
        flag(self.world.detail.hooks && !skips)
    }

    /// The upgrades that can be due: two at once only where force stays.
    pub(super) fn upgrades(&self) -> Below {
        below(match self.world.variants.upgrade_again {
            UpgradeAgain::LastDecides => 3,
            UpgradeAgain::ForceStays => 4,
        })
    }

    /// The requests to resolve a hook error that can be in the store: only where they are not
    /// obeyed at once.
    pub(super) fn requests(&self) -> Below {
        below(if self.world.requests_resolution() { 3 } else { 1 })
    }

    /// The hooks that a mark can name.
    pub(super) fn mark(&self) -> Below {
        let own = self.own_hooks();
        below(1 + if self.world.detail.relations { HookKind::ALL.len() } else { own })
    }

    /// The relations whose hooks a mark can name.
    pub(super) fn marked_relation(&self) -> Below {
        below(if self.world.detail.relations { 1 + self.world.relations.len() } else { 1 })
    }

    /// The units that a marked hook can be about.
    pub(super) fn marked_unit(&self) -> Below {
        if self.world.detail.relations { self.any_unit() } else { below(1) }
    }

    /// The sets of constraints that can follow from those that commands name.
    pub(super) fn constraints(&self) -> Below {
        let has_any = self.world.detail.constraints;
        below(if has_any { self.world.constraints.count() } else { 1 })
    }

    /// The constraints that commands can name.
    pub(super) fn listed_constraints(&self) -> Below {
        let has_any = self.world.detail.constraints;
        below(if has_any { self.world.constraints.listed_count() } else { 1 })
    }

    /// The bound on the requests of a hook about a port: only where hooks take two steps.
    pub(super) fn port_asked(&self) -> Below {
        below(if self.has_long_hooks() { 3 } else { 1 })
    }

    /// The bound on a hook's read of the configuration: only where hooks that read it take two
    /// steps.
    pub(super) fn config_read(&self) -> Below {
        let mut charms = self.world.applications.iter().map(|it| it.charm);
        let is_read = charms.any(|charm| charm.has_some(HookTrait::ReadsConfig));
        below(if is_read && self.has_long_hooks() { 3 } else { 1 })
    }

    /// Whether some hooks take two steps: all in a split world, else those that the outline lacks.
    fn has_long_hooks(&self) -> bool {
        self.is_split() || self.world.detail.relations
    }

    pub(super) fn is_split(&self) -> bool {
        self.world.transactions == Transactions::Split
    }

    /// Whether there can be directories: not in the variant in which agents read the scope
    /// documents.
    pub(super) fn directories(&self) -> bool {
        self.world.variants.relation_tracking != RelationTracking::RemoteScope
    }

    /// Every placement: on any machine, with any unit.
    pub(super) fn placement(&self) -> Below {
        let (machines, units) = (self.world.machines.len(), self.world.units.len());
        let base = u32::try_from(machines).expect("ids are 32 bits wide");
        Below { base, ..below(1 + machines + units) }
    }

    /// The units that may be principals on a machine: those of principal applications.
    pub(super) fn principals(&self, id: MachineId) -> Members {
        if !self.is_whole {
            return self.all_units();
        }
        let hosts_units = self.world.machine(id).hosts_units;
        let applications = self.world.applications.iter();
        let principal = applications.filter(|it| hosts_units && !it.subordinate);
        Members::ranges(principal.map(|application| application.units.clone()))
    }

    /// The units that may be subordinates of a unit.
    pub(super) fn subordinates(&self, id: UnitId) -> Members {
        if !self.is_whole {
            return self.all_units();
        }
        let is_principal = !self.world.is_subordinate(id);
        let applications = self.world.applications.iter();
        let subordinate = applications.filter(|it| is_principal && it.subordinate);
        Members::ranges(subordinate.map(|application| application.units.clone()))
    }

    fn all_units(&self) -> Members {
        Members::ranges(std::iter::once(0..self.world.units.len()))
    }

    /// The containers that a machine may have.
    pub(super) fn containers(&self, id: MachineId) -> Members {
        Members::of(self.world.containers_of(id))
    }

    /// A count of a relation's units: it may go one above what can be right.
    pub(super) fn in_scope(&self, id: RelationId) -> Below {
        let ends = self.world.relation(id).applications();
        below(2 + ends.map(|end| self.world.application(end).units.len()).sum::<usize>())
    }
}
