//! Whether somebody sleeps who could move: what the wake-ups are held against.
//!
//! Debug builds ask after every step of small worlds, so every simulation that the tests run
//! compares the wake-ups with a look at everything.

use deathwatch_model::{
    action::{Act, Actor},
    agents::{self, Offered, Watch},
    ids::Subject,
    spares::Scan,
    state::State,
    world::World,
};

use super::{
    party::{Party, Task, agent_of},
    sleepers::Sleepers,
};

/// Worlds with more documents than this are not looked at.
const SMALL: usize = 24;

/// The first watch that could move and has no turn coming, with what it could do.
pub(super) fn oversleeper(
    world: &World,
    state: &State,
    sleepers: &mut Sleepers,
    acts: impl Fn(Party) -> bool,
) -> Option<(Watch, Act)> {
    if world.units.len() + world.machines.len() > SMALL {
        return None;
    }
    let mut offered = Offered::default();
    let watches = agents::actors(world).flat_map(|actor| agents::watches(world, actor));
    for watch in watches {
        let Some(party) = party_of(watch) else { continue };
        offered.clear();
        agents::enabled_for_watch(world, state, watch, &Scan, &mut offered);
        let Some(action) = offered.actions.first() else { continue };
        if acts(party) && !has_turn(sleepers, party, watch) {
            return Some((watch, action.act));
        }
    }
    None
}

/// Whose turn it would be; nobody's for those who come by the clock.
fn party_of(watch: Watch) -> Option<Party> {
    Some(match (watch.actor, watch.of) {
        (Actor::Provisioner, _) => Party::Task(Task::Provisioner),
        (Actor::Cleaner, _) => Party::Task(Task::Cleaner),
        (Actor::Supervisor, Some(of)) => Party::Restart(agent_of(of)?),
        (Actor::Operator, Some(Subject::Unit(id))) => Party::Resolve(id),
        (Actor::Operator, Some(Subject::Machine(id))) => Party::Terminate(id),
        (Actor::Operator, None) => Party::Upgrade,
        (Actor::UnitAgent(id), _) => Party::Agent(agent_of(Subject::Unit(id))?),
        (Actor::MachineAgent(id), _) => Party::Agent(agent_of(Subject::Machine(id))?),
        (
            Actor::Operator | Actor::Supervisor | Actor::User | Actor::Client(_) | Actor::Faults,
            _,
        ) => return None,
    })
}

fn has_turn(sleepers: &mut Sleepers, party: Party, watch: Watch) -> bool {
    let lies = match (party, watch.of) {
        (Party::Task(task), Some(of)) => {
            // What has a transaction in flight finishes that first, whatever it looks at.
            sleepers.is_on_desk(task, of)
        }
        _ => true,
    };
    lies && sleepers.is_awake(party)
}
