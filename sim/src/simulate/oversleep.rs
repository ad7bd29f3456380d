//! Whether somebody sleeps who could move: what the wake-ups are held against.
//!
//! Debug builds ask after every step of small worlds, so every simulation that the tests run
//! compares the wake-ups with a look at everything.

use deathwatch_model::{
    action::{Act, Actor},
    agents::{self, Enabled, Task},
    free_ids::Scan,
    ids::EntityId,
    state::State,
    world::World,
};

use super::{
    party::{ManagerTask, Party, agent_of},
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
) -> Option<(Task, Act)> {
    if world.units.len() + world.machines.len() > SMALL {
        return None;
    }
    let mut offered = Enabled::default();
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    for task in tasks {
        let Some(party) = party_of(task) else { continue };
        offered.clear();
        agents::enabled_for_task(world, state, task, &Scan, &mut offered);
        let Some(action) = offered.actions.first() else { continue };
        if acts(party) && !has_turn(sleepers, party, task) {
            return Some((task, action.act));
        }
    }
    None
}

/// Whose turn it would be; nobody's for those who come by the clock.
fn party_of(task: Task) -> Option<Party> {
    Some(match (task.actor, task.of) {
        (Actor::Provisioner, _) => Party::ManagerTask(ManagerTask::Provisioner),
        (Actor::Cleaner, _) => Party::ManagerTask(ManagerTask::Cleaner),
        (Actor::Supervisor, Some(of)) => Party::Restart(agent_of(of)?),
        (Actor::Operator, Some(EntityId::Unit(id))) => Party::Resolve(id),
        (Actor::Operator, Some(EntityId::Machine(id))) => Party::Terminate(id),
        (Actor::Operator, None) => Party::Upgrade,
        (Actor::UnitAgent(id), _) => Party::Agent(agent_of(EntityId::Unit(id))?),
        (Actor::MachineAgent(id), _) => Party::Agent(agent_of(EntityId::Machine(id))?),
        (
            Actor::Operator | Actor::Supervisor | Actor::User | Actor::Client(_) | Actor::Faults,
            _,
        ) => return None,
    })
}

fn has_turn(sleepers: &mut Sleepers, party: Party, task: Task) -> bool {
    let lies = match (party, task.of) {
        (Party::ManagerTask(task), Some(of)) => {
            // What has a transaction pending finishes that first, whatever it looks at.
            sleepers.is_on_desk(task, of)
        }
        _ => true,
    };
    lies && sleepers.is_awake(party)
}

/// That the comparison can fail. Walks along random runs; before each step exactly those are
/// awake who could move. If some kind of call is never heard, somebody is found to oversleep.
#[cfg(test)]
mod tests {
    use std::path::Path;

    use deathwatch_model::{
        action::{Action, Agent},
        protocol::{self, Effects},
    };

    use super::*;
    use crate::{
        Scenario,
        dice::{Concern, Dice},
        scenario::parse,
        simulate::wake::{Call, Caller},
    };

    /// A world in which everybody has something to do now and then.
    const WORLD: &str = r#"
shows = "Much happens."
[variants]
settings-cleanup = "cleaner"
[world]
transactions = "split"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = { jobs = ["manage-model", "host-units"] }
2 = {}
3 = { exists = false }
[world.applications]
wordpress = { units = ["1", "2"], most-units = 3 }
mysql = { units = ["2"] }
logging = { subordinate = true, most-units = 3 }
[world.relations]
"wordpress:db mysql:server" = { entered = ["wordpress/0", "mysql/0"] }
"wordpress:info logging:info" = { scope = "container" }
[user]
"destroy-relation wordpress:db mysql:server" = "unlimited"
"integrate wordpress:db mysql:server" = "unlimited"
"add-unit wordpress" = "unlimited"
"destroy-unit wordpress/0" = "unlimited"
"destroy-unit --force wordpress/1" = "unlimited"
"destroy-machine 0" = 1
"destroy-machine --force 2" = 1
"add-machine 3" = 1
[faults]
crash = true
downtime = true
hardware-failure = true
undetected-hardware-failure = ["1", "2"]
abort = true
hook-failure = true
[switch-off]
neglected = ["unit-agent.1"]
"#;

    fn scenario() -> Scenario {
        parse(Path::new("test.toml"), WORLD).expect("a scenario")
    }

    fn nobody(scenario: &Scenario) -> Sleepers {
        let dice = Dice::new(0, Concern::Schedule);
        Sleepers::new(&scenario.world, scenario.simulate.latency.clone(), dice)
    }

    /// Whether a call is one of those that are lost.
    type IsLost = fn(&Call) -> bool;

    /// Those are awake who can move. While a task cannot look at anything, everything lies on its
    /// desk.
    fn who_can(scenario: &Scenario, state: &State) -> Sleepers {
        let mut sleepers = nobody(scenario);
        let world = &scenario.world;
        let is_kept = |actor| {
            state.active_manager(world).is_none() || agents::pending(state, actor).is_some()
        };
        for task in ManagerTask::ALL.into_iter().filter(|task| is_kept(task.actor())) {
            let tasks = agents::tasks(world, task.actor());
            let of = tasks.into_iter().filter_map(|task| task.of);
            of.for_each(|of| sleepers.desk(task).put(of));
        }
        while let Some((task, _)) = oversleeper(world, state, &mut sleepers, |_| true) {
            match (party_of(task), task.of) {
                (Some(Party::ManagerTask(task)), Some(of)) => {
                    sleepers.hear(world, state, Call::ManagerTask(task, of));
                }
                (Some(party), _) => sleepers.hear(world, state, Call::Party(party)),
                (None, _) => unreachable!("it has no party"),
            }
        }
        sleepers
    }

    /// Any action of any actor, so that there are not too many faults.
    fn any(world: &World, state: &State, dice: &mut Dice) -> Option<Action> {
        let enabled = |actor| {
            let mut actions = Vec::new();
            agents::enabled_for(world, state, actor, &mut actions);
            actions
        };
        let mut choices: Vec<Vec<Action>> = agents::actors(world).map(enabled).collect();
        choices.retain(|actions| !actions.is_empty());
        let actions = choices.get(dice.index(choices.len().max(1)))?;
        Some(actions[dice.index(actions.len())])
    }

    /// Who first oversleeps on some random runs, if calls that are not heard are lost.
    fn first_oversleeper(is_heard: &dyn Fn(&Call) -> bool) -> Option<(Task, Act)> {
        let scenario = scenario();
        let world = &scenario.world;
        for seed in 0..40 {
            let mut dice = Dice::new(seed, Concern::Workload);
            let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
            for _ in 0..250 {
                let mut sleepers = who_can(&scenario, &state);
                let Some(action) = any(world, &state, &mut dice) else { break };
                let before = state.clone();
                protocol::step(world, &mut state, action, &mut effects);
                let call = |call| {
                    if is_heard(&call) {
                        sleepers.hear(world, &state, call);
                    }
                };
                let mut caller = Caller { world, before: &before, after: &state, call };
                effects.touched.iter().for_each(|row| caller.look_at(*row));
                let found = oversleeper(world, &state, &mut sleepers, |_| true);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    #[test]
    fn nobody_oversleeps_if_every_call_is_heard() {
        assert_eq!(first_oversleeper(&|_| true), None);
    }

    #[test]
    fn who_is_never_called_oversleeps() {
        let lost: [(&str, IsLost); 8] = [
            ("unit agents", |it| matches!(it, Call::Party(Party::Agent(Agent::Unit(_))))),
            ("machine agents", |it| matches!(it, Call::Party(Party::Agent(Agent::Machine(_))))),
            ("supervisor", |it| matches!(it, Call::Party(Party::Restart(_)))),
            ("hooks", |it| matches!(it, Call::Party(Party::Resolve(_)))),
            ("hardware", |it| matches!(it, Call::Party(Party::Terminate(_)))),
            ("provisioner", |it| matches!(it, Call::ManagerTask(ManagerTask::Provisioner, _))),
            ("cleaner", |it| matches!(it, Call::ManagerTask(ManagerTask::Cleaner, _))),
            ("upgrade", |it| matches!(it, Call::Everybody)),
        ];
        for (who, is_lost) in lost {
            let found = first_oversleeper(&|call| !is_lost(call));
            assert!(found.is_some(), "nobody notices that calls to {who} are lost");
        }
    }

    #[test]
    fn everybody_awake_is_nobody_asleep() {
        let scenario = scenario();
        let (world, state) = (&scenario.world, &scenario.start);
        let mut sleepers = nobody(&scenario);
        assert!(oversleeper(world, state, &mut sleepers, |_| true).is_some());
        assert_eq!(oversleeper(world, state, &mut sleepers, |_| false), None);
        sleepers.rouse_everybody(world, state);
        assert_eq!(oversleeper(world, state, &mut sleepers, |_| true), None);
    }
}
