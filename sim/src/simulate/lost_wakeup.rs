//! Lost wake-ups: processes that are parked although they could move.
//!
//! Debug builds look for one after every event of a small world, so every simulation that the tests
//! run compares the notifications with a check of all tasks.

use deathwatch_model::{
    action::Act,
    agents::{self, Enabled, Task},
    free_ids::Scan,
    ids::EntityId,
    state::State,
    world::World,
};

use super::{process::Process, scheduler::Scheduler};
use crate::long_way;

/// The first task that could move and has no event in the queue, with what it could do.
pub(super) fn find(
    world: &World,
    state: &State,
    scheduler: &mut Scheduler,
    may_act: impl Fn(Process) -> bool,
) -> Option<(Task, Act)> {
    if !long_way::is_taken(world) {
        return None;
    }
    let mut enabled = Enabled::default();
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    for task in tasks {
        let Some((process, about)) = Process::of(task) else { continue };
        enabled.clear();
        agents::enabled_for_task(world, state, task, &Scan, &mut enabled);
        let Some(action) = enabled.actions.first() else { continue };
        if may_act(process) && !has_event(scheduler, process, about) {
            return Some((task, action.act));
        }
    }
    None
}

/// Whether `process` has an event at which it will check the task. A manager task checks only the
/// documents in its work queue; it finishes what it has pending first, whatever that is about.
fn has_event(scheduler: &mut Scheduler, process: Process, about: Option<EntityId>) -> bool {
    let is_queued = match (process, about) {
        (Process::ManagerTask(task), Some(about)) => scheduler.work_queue(task).contains(about),
        _ => true,
    };
    is_queued && scheduler.is_ready(process)
}

/// Checks that the search can find something, on random walks. Before each step exactly those
/// processes are ready that could move. If notifications of some kind are dropped, a lost wake-up
/// must be found.
#[cfg(test)]
mod tests {
    use std::path::Path;

    use deathwatch_model::{
        action::Action,
        agents::Change,
        protocol::{self, Effects},
        rows::Row,
        runtime::ManagerTask,
    };

    use super::*;
    use crate::{
        Scenario,
        dice::{Dice, Stream},
        scenario::parse,
        simulate::process::client_of,
    };

    /// A world in which every process has something to do now and then.
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

    /// The same, where an upgrade does not help the agents that run.
    fn with_versions() -> Scenario {
        let variant = "[variants]\nagent-upgrade = \"on-fresh-systems\"";
        let neglected = "[\"unit-agent.1\", \"provisioner.3\", \"cleaner.1\"]";
        let source = WORLD.replace("[variants]", variant).replace("[\"unit-agent.1\"]", neglected);
        parse(Path::new("test.toml"), source.as_str()).expect("a scenario")
    }

    fn empty_scheduler(scenario: &Scenario) -> Scheduler {
        let dice = Dice::new(0, Stream::Schedule);
        Scheduler::new(&scenario.world, scenario.simulate.latency.clone(), dice)
    }

    /// Whether the notification of a task, because of a row, is one of those that are dropped.
    type IsDropped = fn(Row, Task) -> bool;

    /// A scheduler in which those processes are ready that can move. While a manager task cannot
    /// check anything, every document is in its work queue.
    fn ready_if_enabled(scenario: &Scenario, state: &State) -> Scheduler {
        let mut scheduler = empty_scheduler(scenario);
        let world = &scenario.world;
        let is_kept = |client| {
            state.active_manager(world).is_none() || agents::pending(state, client).is_some()
        };
        for task in ManagerTask::ALL.into_iter().filter(|task| is_kept(client_of(*task))) {
            let tasks = agents::tasks(world, client_of(task).actor());
            let about = tasks.into_iter().filter_map(|task| Process::of(task)?.1);
            about.for_each(|about| scheduler.work_queue(task).push(about));
        }
        while let Some((task, _)) = find(world, state, &mut scheduler, |_| true) {
            scheduler.notify(task);
        }
        scheduler
    }

    /// Any action of any actor that has one: actors are as likely as each other, so that faults are
    /// few.
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

    /// The first lost wake-up of some random runs, if only those notifications arrive.
    fn first_lost_wakeup(
        scenario: &Scenario,
        arrives: &dyn Fn(Row, Task) -> bool,
    ) -> Option<(Task, Act)> {
        let world = &scenario.world;
        for seed in 0..40 {
            let mut dice = Dice::new(seed, Stream::Workload);
            let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
            for _ in 0..250 {
                let mut scheduler = ready_if_enabled(scenario, &state);
                let Some(action) = any(world, &state, &mut dice) else { break };
                let before = state.clone();
                protocol::step(world, &mut state, action, &mut effects);
                let change = Change { world, before: &before, after: &state };
                for row in &effects.touched {
                    change.watchers(*row, &mut |task| {
                        if arrives(*row, task) {
                            scheduler.notify(task);
                        }
                    });
                }
                let found = find(world, &state, &mut scheduler, |_| true);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    #[test]
    fn no_wakeup_is_lost_if_every_notification_arrives() {
        for scenario in [scenario(), with_versions()] {
            assert_eq!(first_lost_wakeup(&scenario, &|_, _| true), None);
        }
    }

    #[test]
    fn a_wakeup_is_lost_if_notifications_are_dropped() {
        let dropped: [(&str, IsDropped); 11] = [
            ("unit agents", |_, it| matches!(it, Task::UnitAgent(_))),
            ("machine agents", |_, it| matches!(it, Task::MachineAgent(_))),
            ("supervisor", |_, it| matches!(it, Task::Restart(_))),
            ("hooks", |_, it| matches!(it, Task::Resolve(_))),
            ("hardware", |_, it| matches!(it, Task::Terminate(_))),
            ("provisioner", |_, it| it == Task::Provisioner),
            ("machines", |_, it| matches!(it, Task::Provision(_))),
            ("cleaner", |_, it| it == Task::Cleaner),
            ("cleanup documents", |_, it| matches!(it, Task::Clean(_))),
            ("upgrade", |row, _| row == Row::Upgrade),
            ("replacement", |_, it| matches!(it, Task::Replace(_))),
        ];
        for (whose, is_dropped) in dropped {
            let is_lost = |scenario: Scenario| {
                first_lost_wakeup(&scenario, &|row, it| !is_dropped(row, it)).is_some()
            };
            assert!(
                if whose == "replacement" { is_lost(with_versions()) } else { is_lost(scenario()) },
                "notifications to {whose} are dropped, and no wake-up is lost"
            );
        }
    }

    #[test]
    fn no_wakeup_is_lost_once_all_processes_are_woken() {
        let scenario = scenario();
        let (world, state) = (&scenario.world, &scenario.start);
        let mut scheduler = empty_scheduler(&scenario);
        assert!(find(world, state, &mut scheduler, |_| true).is_some());
        assert_eq!(find(world, state, &mut scheduler, |_| false), None);
        agents::wake_all(world, state, &mut |task| scheduler.notify(task));
        assert_eq!(find(world, state, &mut scheduler, |_| true), None);
    }
}
