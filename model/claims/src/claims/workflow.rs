//! The claims about the older unit agent: the detail `workflow` (D5:5-33).
//!
//! What is said of a state holds of one disk: an agent that is deployed anew, because its hardware
//! is gone, begins again.

use deathwatch_model::{
    action::Hook,
    actor::Client,
    ids::UnitId,
    life::Life::{Alive, Dead},
    rows::{Row, Transition},
    runtime::{Startup, UnitWorkflow, Workflow},
    state::State,
    world::World,
};

use super::{
    Claim, ClaimView,
    Link::{AgentOfWorkflow, UnitOfWorkflow},
    RowEvent,
    forms::{always, leads, step},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a workflow goes only by the transitions of the documents, or as the administrator says",
        source: "D5:9-14; D5:18",
        test: step(&[RowEvent::Workflow], goes_otherwise),
    },
    Claim {
        name: "an error state is left only when the administrator says so",
        source: "D5:18",
        test: step(&[RowEvent::Workflow], leaves_error),
    },
    Claim {
        name: "an agent that starts goes on from the last state of its unit",
        source: "D5:5; D5:22",
        test: step(&[RowEvent::Workflow], goes_back),
    },
    Claim {
        name: "a transition becomes an error only after it was tried as often as the world says",
        source: "D5:18",
        test: step(&[RowEvent::Workflow], gives_up_early),
    },
    Claim {
        name: "a unit in an error state runs no transition",
        source: "D5:18",
        test: step(&[RowEvent::Workflow, RowEvent::Agent], runs_in_error),
    },
    Claim {
        name: "an agent that starts runs nothing before it has read the state of its unit",
        source: "D5:20; D5:32",
        test: step(&[RowEvent::Workflow, RowEvent::Agent], runs_unread),
    },
    Claim {
        name: "no unit is started that is not Alive",
        source: "D1:89-96; D2:119; D5:13",
        test: step(&[RowEvent::Workflow, RowEvent::Agent], starts_late),
    },
    Claim {
        name: "no unit is set Dead while it runs, unless it is forced",
        source: "D2:119; D5:13",
        test: step(&[RowEvent::UnitLife], dies_running),
    },
    Claim {
        name: "an agent that does not run is not present",
        source: "D5:20",
        test: always!(is_present_wrongly, UnitWorkflow[UnitOfWorkflow, AgentOfWorkflow]),
    },
    Claim {
        name: "an agent that runs comes to be present",
        source: "D5:20",
        test: leads!(UnitWorkflow [UnitOfWorkflow, AgentOfWorkflow], is_absent, is_not_absent),
    },
    Claim {
        name: "an Alive unit whose agent is deployed comes to run",
        source: "D5:18-20",
        test: leads!(UnitWorkflow [UnitOfWorkflow, AgentOfWorkflow], does_not_run, runs),
    },
    Claim {
        name: "the store comes to know the state of a unit",
        source: "D5:24",
        test: leads!(UnitWorkflow [UnitOfWorkflow, AgentOfWorkflow], lags, does_not_lag),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "a workflow goes only by the transitions of the documents, or as the administrator says",
    "an error state is left only when the administrator says so",
    "an agent that starts goes on from the last state of its unit",
    "a transition becomes an error only after it was tried as often as the world says",
    "a unit in an error state runs no transition",
    "no unit is set Dead while it runs, unless it is forced",
    "an Alive unit whose agent is deployed comes to run",
    "the store comes to know the state of a unit",
];

/// The workflow of a unit before and after a step in which its disk stayed.
fn both(before: &State, after: &State, row: Row) -> Option<(UnitId, UnitWorkflow, UnitWorkflow)> {
    let Row::UnitWorkflow(id) = row else { return None };
    let stays = before.runtime.unit(id).deployed_by == after.runtime.unit(id).deployed_by;
    stays.then(|| (id, *before.runtime.workflow(id), *after.runtime.workflow(id)))
}

/// Whether the agent has just read the state.
fn has_read(old: UnitWorkflow, new: UnitWorkflow) -> bool {
    old.startup == Startup::Begun && new.startup != Startup::Begun
}

fn goes_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (_, old, new) = both(before, after, row)?;
    let is_told = !has_read(old, new);
    let is_one = Transition::ALL.into_iter().any(|it| {
        it.from == old.state && (it.to == new.state || it.error == new.state)
            || is_told && it.error == old.state && (it.from == new.state || it.to == new.state)
    });
    (old.state != new.state && !is_one).then_some(row)
}

fn leaves_error(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (_, old, new) = both(before, after, row)?;
    let leaves = old.state.is_error() && old.state != new.state;
    (leaves && has_read(old, new)).then_some(row)
}

fn goes_back(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (_, old, new) = both(before, after, row)?;
    // An agent that finds on its disk that the last try was cut short gives up.
    let gives_up = old.failures > 0 && new.failures == 0 && new.state.is_error();
    let is_other = old.state != new.state && !old.state.is_error() && !gives_up;
    (is_other && has_read(old, new)).then_some(row)
}

fn gives_up_early(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (_, old, new) = both(before, after, row)?;
    let gives_up = !old.state.is_error() && new.state.is_error() && !has_read(old, new);
    (gives_up && old.failures < world.retries).then_some(row)
}

/// The transition that began by a step, or was made, or failed, as a whole.
fn begun(before: &State, after: &State, row: Row) -> Option<(UnitId, Hook)> {
    if !before.runtime.has_workflows() {
        return None;
    }
    match row {
        Row::UnitRuntime(id) => {
            let [old, new] =
                [before, after].map(|state| state.runtime.pending_hook(Client::Unit(id)));
            old.is_none().then_some((id, new?)).filter(|(_, hook)| Transition::by(*hook).is_some())
        }
        Row::UnitWorkflow(id) => {
            let (_, old, new) = both(before, after, row)?;
            let was_pending = before.runtime.pending_hook(Client::Unit(id)).is_some();
            let is_tried = |it: &Transition| {
                it.from == old.state && (it.to == new.state || it.error == new.state)
            };
            let tried = Transition::ALL.into_iter().find(is_tried)?;
            (!was_pending && !has_read(old, new)).then_some((id, tried.hook))
        }
        _ => None,
    }
}

fn runs_in_error(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(before, after, row)?;
    before.runtime.workflow(id).state.is_error().then_some(row)
}

fn runs_unread(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(before, after, row)?;
    (before.runtime.workflow(id).startup == Startup::Begun).then_some(row)
}

fn starts_late(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(before, after, row)?;
    (hook == Hook::Start && before.store.unit_life(id) != Some(Alive)).then_some(row)
}

fn dies_running(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::Unit(id) = row else { return None };
    let dies = before.store.unit_life(id).is_some_and(|life| life != Dead)
        && after.store.unit_life(id) == Some(Dead);
    let runs = world.detail.workflow
        && before.runtime.is_deployed(id)
        && before.runtime.workflow(id).state == Workflow::Running;
    (dies && runs && !before.store.is_forced(id)).then_some(row)
}

/// Whether the agent of a unit that is not Dead is deployed and up.
fn is_up(state: &State, id: UnitId) -> bool {
    state.runtime.is_deployed(id)
        && !state.runtime.unit(id).down
        && state.store.unit_life(id).is_some_and(|life| life != Dead)
}

fn is_present_wrongly(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::UnitWorkflow(id) = subject else { return false };
    view.state.runtime.workflow(id).present && !is_up(view.state, id)
}

fn is_absent(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitWorkflow(id) = subject else { return false };
    !state.runtime.workflow(id).present && is_up(state, id)
}

fn is_not_absent(world: &World, state: &State, subject: Row) -> bool {
    !is_absent(world, state, subject)
}

fn does_not_run(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitWorkflow(id) = subject else { return false };
    state.runtime.workflow(id).state != Workflow::Running
        && state.runtime.is_deployed(id)
        && state.store.unit_life(id) == Some(Alive)
}

fn runs(world: &World, state: &State, subject: Row) -> bool {
    !does_not_run(world, state, subject)
}

fn lags(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitWorkflow(id) = subject else { return false };
    let workflow = state.runtime.workflow(id);
    workflow.replica != workflow.state
        && state.runtime.is_deployed(id)
        && state.store.unit_life(id).is_some_and(|life| life != Dead)
}

fn does_not_lag(world: &World, state: &State, subject: Row) -> bool {
    !lags(world, state, subject)
}
