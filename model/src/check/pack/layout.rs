//! How many bits each field of a world needs, and which units can be where.

use super::{
    Codec,
    bits::{Reader, Writer, bits_for, low_bits},
    pending_txns::PENDING_BITS,
};
use crate::{
    ids::{ApplicationId, Id, IdSet, MachineId, RelationId, UnitId},
    state::State,
    store::Placement,
    variants::{RelationTracking, UnitsOfDyingApplication},
    world::{Command, Transactions, World},
};

/// How many bits the fields of a world need; none where a field cannot change.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each field is there or not on its own")]
pub(super) struct Bits {
    pub(super) machine_or_unit: u32,
    pub(super) relation: u32,
    pub(super) down: u32,
    pub(super) pending: u32,
    pub(super) directories: bool,
    pub(super) unwritten: bool,
    pub(super) departed: bool,
    pub(super) session: bool,
    pub(super) session_units: u32,
    pub(super) aborts: u32,
    pub(super) upgraded: u32,
    pub(super) force: u32,
    pub(super) units_cleanup: u32,
}

impl Bits {
    pub(super) fn of(world: &World, start: &State) -> Self {
        let split = world.transactions == Transactions::Split;
        let on_disk = world.variants.relation_tracking != RelationTracking::RemoteScope;
        let units = world.commands.iter().filter_map(|allowed| match allowed.command {
            Command::Deploy(_, units) => Some(units),
            Command::AddUnit(_) => Some(0),
            _ => None,
        });
        let most_units = units.max();
        Self {
            machine_or_unit: bits_for(1 + world.machines.len() + world.units.len()),
            relation: if world.has_hooks() { bits_for(1 + world.relations.len()) } else { 0 },
            down: u32::from(world.faults.downtime),
            pending: if split { PENDING_BITS } else { 0 },
            directories: on_disk,
            unwritten: on_disk && world.faults.crash,
            departed: world.has_hooks(),
            session: most_units.is_some(),
            session_units: most_units.map_or(0, |most| bits_for(most as usize + 1)),
            aborts: if split { bits_for(usize::from(world.tries) + 1) } else { 0 },
            upgraded: u32::from(!world.neglected.is_empty()),
            force: u32::from(can_force(world, start)),
            units_cleanup: u32::from(can_clean_units(world, start)),
        }
    }
}

/// Whether anything is forced, or can be.
fn can_force(world: &World, start: &State) -> bool {
    let commands = world.commands.iter();
    let mut asked = commands.map(|allowed| allowed.command);
    asked.any(|c| matches!(c, Command::ForceDestroyUnit(_) | Command::ForceDestroyMachine(_)))
        || world.unit_ids().any(|id| start.store.unit_docs(id).force)
        || world.machine_ids().any(|id| start.store.machine_docs(id).force)
        || start.runtime.pending_txns().next().is_some()
}

/// Whether the cleaner is asked to destroy an application's units, or can be.
fn can_clean_units(world: &World, start: &State) -> bool {
    world.variants.units_of_dying_application == UnitsOfDyingApplication::AgentsAndCleanup
        || world.application_ids().any(|id| start.store.application_docs(id).units_cleanup)
}

impl Codec<'_> {
    /// The units that may be principals on a machine: those of principal applications.
    pub(super) fn principals(&self, id: MachineId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let hosts_units = self.world.machine(id).hosts_units;
        let applications = self.world.applications.iter();
        applications
            .filter(move |application| hosts_units && !application.subordinate)
            .map(|application| range(&application.units))
    }

    /// The units that may be subordinate to a unit.
    pub(super) fn subordinates(&self, id: UnitId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let principal = !self.world.is_subordinate(id);
        let applications = self.world.applications.iter();
        applications
            .filter(move |application| principal && application.subordinate)
            .map(|application| range(&application.units))
    }

    /// The units that may be in a relation.
    pub(super) fn members(&self, id: RelationId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let ends = self.world.relation(id).applications();
        ends.map(|end| range(&self.world.application(end).units))
    }

    #[expect(clippy::unused_self, reason = "reads as the other fields do")]
    pub(super) fn put_units(
        &self,
        w: &mut Writer,
        units: u64,
        ranges: impl Iterator<Item = (u32, u32)>,
    ) {
        for (first, count) in ranges {
            w.put(units >> first & low_bits(count), count);
        }
    }

    #[expect(clippy::unused_self, reason = "reads as the other fields do")]
    pub(super) fn take_units(
        &self,
        r: &mut Reader,
        ranges: impl Iterator<Item = (u32, u32)>,
    ) -> IdSet<UnitId> {
        let mut units = 0;
        for (first, count) in ranges {
            units |= r.take(count) << first;
        }
        IdSet::from_low_word(units)
    }

    pub(super) fn host_code(&self, host: Placement) -> u64 {
        match host {
            Placement::Nowhere => 0,
            Placement::Machine(id) => 1 + id.index() as u64,
            Placement::Principal(id) => 1 + (self.world.machines.len() + id.index()) as u64,
        }
    }

    pub(super) fn host_of(&self, code: usize) -> Placement {
        let machines = self.world.machines.len();
        match code {
            0 => Placement::Nowhere,
            code if code <= machines => Placement::Machine(MachineId::new(code - 1)),
            code => Placement::Principal(UnitId::new(code - 1 - machines)),
        }
    }

    pub(super) fn application_bits(&self, id: ApplicationId) -> (u32, u32) {
        let application = self.world.application(id);
        // A count may go one above what can be right.
        (bits_for(application.units.len() + 2), bits_for(application.relations.len() + 2))
    }

    pub(super) fn in_scope_bits(&self, id: RelationId) -> u32 {
        let members: u32 = self.members(id).map(|(_, count)| count).sum();
        bits_for(members as usize + 2)
    }
}

fn range(units: &std::ops::Range<usize>) -> (u32, u32) {
    let narrow = |value| u32::try_from(value).expect("there are at most 64");
    (narrow(units.start), narrow(units.len()))
}
