//! Tests that the search for lost wake-ups can find one, on random walks.
//!
//! Before each step exactly those processes are ready that could move. If notifications of some
//! kind are dropped, a lost wake-up must be found.

use deathwatch_model::{
    action::Action,
    agents::WatchedStep,
    protocol::{self, Effects},
    rows::Row,
    runtime::ManagerTask,
};

use super::{busy_world, *};
use crate::{
    dice::{Dice, Stream},
    process::client_of,
    settings::Latency,
};

fn empty_scheduler(world: &World) -> Scheduler {
    let latency = Latency {
        watch: 1..=100,
        transaction: 1..=50,
        step: 1..=20,
        hook: 10..=2_000,
        named_hook: 100..=5_000,
        restart: 100..=2_000,
        operator: 1_000..=10_000,
        instance: 100..=2_000,
        outage: 1_000..=20_000,
    };
    Scheduler::new(world, latency, Dice::new(0, Stream::Schedule))
}

/// Whether the notification of a task, because of a row, is one of those that are dropped.
type IsDropped = fn(Row, Task) -> bool;

/// A scheduler in which those processes are ready that can move. While a manager task cannot
/// check anything, every document is in its work queue.
fn ready_if_enabled(world: &World, state: &State) -> Scheduler {
    let mut scheduler = empty_scheduler(world);
    let is_kept =
        |client| state.active_manager(world).is_none() || agents::pending(state, client).is_some();
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
fn first_lost_wakeup(world: &World, arrives: &dyn Fn(Row, Task) -> bool) -> Option<(Task, Act)> {
    let start = busy_world::start(world);
    for seed in 0..40 {
        let mut dice = Dice::new(seed, Stream::Workload);
        let (mut state, mut effects) = (start.clone(), Effects::default());
        for _ in 0..250 {
            let mut scheduler = ready_if_enabled(world, &state);
            let Some(action) = any(world, &state, &mut dice) else { break };
            let before = state.clone();
            protocol::step(world, &mut state, action, &mut effects);
            let change = WatchedStep { world, before: &before, after: &state };
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
    for world in [busy_world::world(), busy_world::with_versions()] {
        assert_eq!(first_lost_wakeup(&world, &|_, _| true), None);
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
        let needs_versions = whose == "replacement";
        let world = if needs_versions { busy_world::with_versions() } else { busy_world::world() };
        let found = first_lost_wakeup(&world, &|row, it| !is_dropped(row, it));
        assert!(found.is_some(), "notifications to {whose} are dropped, and no wake-up is lost");
    }
}

#[test]
fn no_wakeup_is_lost_once_all_processes_are_woken() {
    let world = &busy_world::world();
    let state = &busy_world::start(world);
    let mut scheduler = empty_scheduler(world);
    assert!(find(world, state, &mut scheduler, |_| true).is_some());
    assert_eq!(find(world, state, &mut scheduler, |_| false), None);
    agents::wake_all(world, state, &mut |task| scheduler.notify(task));
    assert_eq!(find(world, state, &mut scheduler, |_| true), None);
}
