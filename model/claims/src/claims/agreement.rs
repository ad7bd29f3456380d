//! Agreement of the rows of a state with each other.
//!
//! A run keeps rows in agreement, so claims and agents may rely on it. A start that is described
//! field by field may be any state that rows can hold. This module finds its disagreements:
//! violated claims about states (lists against references, counts against the recount), and
//! conditions on hardware, agents and disks that no run breaks whatever is switched off.

use deathwatch_language::{Recount, View};
use deathwatch_model::{
    ids::Placement,
    rows::{Hardware, MachineRuntime, Membership, Row, RowKind, UnitRuntime},
    state::State,
    world::World,
};

use super::{Claim, ClaimKind};

/// A condition on hardware, agents and their disks that every run keeps.
struct Agreement {
    says: &'static str,
    of: RowKind,
    is_broken: fn(&World, &State, Row) -> bool,
}

const AGREEMENTS: &[Agreement] = &[
    Agreement {
        says: "a machine has an instance id if it has hardware, and only then",
        of: RowKind::Machine,
        is_broken: |_, state, row| {
            let Row::Machine(id) = row else { return false };
            let has_hardware = state.runtime.machine(id).hardware != Hardware::Absent;
            state.store.machine(id).is_some_and(|machine| machine.instance != has_hardware)
        },
    },
    Agreement {
        says: "nothing is on hardware that does not run",
        of: RowKind::MachineRuntime,
        is_broken: |_, state, row| {
            let Row::MachineRuntime(id) = row else { return false };
            let agent = state.runtime.machine(id);
            // Instances that no document records may be left beside the one that is recorded.
            let MachineRuntime { hardware, strays, named_stray, former, .. } = *agent;
            let beside =
                MachineRuntime { strays, named_stray, former, ..MachineRuntime::default() };
            let bare = MachineRuntime { hardware, ..beside };
            agent.hardware != Hardware::Running && *agent != bare
        },
    },
    Agreement {
        says: "a container runs only while its host does",
        of: RowKind::MachineRuntime,
        is_broken: |world, state, row| {
            let Row::MachineRuntime(id) = row else { return false };
            let runs = |id| state.runtime.machine(id).hardware == Hardware::Running;
            runs(id) && world.machine(id).parent.is_some_and(|host| !runs(host))
        },
    },
    Agreement {
        says: "a unit's agent is deployed only where its deployer is",
        of: RowKind::UnitRuntime,
        is_broken: |_, state, row| {
            let Row::UnitRuntime(id) = row else { return false };
            match state.runtime.unit(id).deployed_by {
                Placement::Nowhere => false,
                Placement::Machine(machine) => {
                    state.runtime.machine(machine).hardware != Hardware::Running
                }
                Placement::Principal(principal) => !state.runtime.is_deployed(principal),
            }
        },
    },
    Agreement {
        says: "an agent that is not deployed has neither a disk nor a memory",
        of: RowKind::UnitRuntime,
        is_broken: |_, state, row| {
            let Row::UnitRuntime(id) = row else { return false };
            !state.runtime.is_deployed(id) && *state.runtime.unit(id) != UnitRuntime::default()
        },
    },
    Agreement {
        says: "only a deployed agent knows of a relation, and only of one that exists",
        of: RowKind::Membership,
        is_broken: |_, state, row| {
            let Row::Membership(id, unit) = row else { return false };
            let is_possible = state.runtime.is_deployed(unit) && state.store.relation(id).is_some();
            !is_possible && state.runtime.membership(id, unit) != Membership::default()
        },
    },
];

/// The disagreements of a state: each a sentence, and a row for which it does not hold.
pub fn disagreements(world: &World, state: &State) -> Vec<(&'static str, Row)> {
    let recount = Recount::of(world, state);
    let view = View { world, states: [state; 2], recount: Some(&recount) };
    let mut all = Vec::new();
    let is_asked = |it: &&Claim| it.kind() == ClaimKind::Always && it.lacks(world.detail).is_none();
    for claim in Claim::without_history().filter(is_asked) {
        for own in claim.texts() {
            let subjects = own.subject_kind().rows(world);
            let wrong = subjects.filter(|row| own.is_decided_in(view, *row));
            all.extend(wrong.map(|row| (claim.name, row)));
        }
    }
    for agreement in AGREEMENTS {
        let rows = agreement.of.rows(world);
        let wrong = rows.filter(|row| (agreement.is_broken)(world, state, *row));
        all.extend(wrong.map(|row| (agreement.says, row)));
    }
    all
}
