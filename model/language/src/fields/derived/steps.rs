//! Fields of steps: events between the state before and the one after, such as a hook that begins
//! or succeeds. If none of the rows that such a field is derived from has changed, it has its
//! default.

use deathwatch_model::{
    action::Hook,
    actor::Client,
    agents::being_started,
    ids::{RelationId, UnitId},
    life::Life::Dead,
    rows::{
        Former, Row,
        RowKind::{
            self, Machine, MachineRuntime, Membership, Settings, Sighting, Task, Unit, UnitCharm,
            UnitHooks, UnitRuntime, UnitWorkflow,
        },
        Startup, Transition,
    },
    state::State,
    world::{HookTrait, World},
};

use super::{
    Follows, HOOKS, RELATIONS, UNITS,
    agents::{kind_of, other_of, relation_of},
};
use crate::{
    dependencies::Back::{self, Same, Started},
    fields::{Access::Step, begun::begun, exists::unit},
    types::{Type, Value},
};

/// The rows by whose changes the beginning of a hook shows.
const OF_HOOKS: &[(RowKind, &str, Back)] = &[
    (UnitHooks, "", Same),
    (UnitRuntime, "pending", Same),
    (UnitRuntime, "deployed_by", Same),
    (UnitRuntime, "charm", Same),
    (UnitCharm, "", Same),
    (Membership, "departed", Same),
];

pub(super) const ALL: &[Follows] = &[
    Follows(
        &[UnitHooks],
        "begins",
        Type::Word(HOOKS),
        OF_HOOKS,
        Step(|world, states, row| kind_of(begun(world, states, row))),
        "The kind of the hook that begins by the step, or runs as a whole.",
    ),
    Follows(
        &[UnitHooks],
        "begins_in",
        RELATIONS,
        OF_HOOKS,
        Step(|world, states, row| relation_of(begun(world, states, row))),
        "The relation of the hook that begins by the step, if it is a relation hook.",
    ),
    Follows(
        &[UnitHooks],
        "begins_about",
        UNITS,
        OF_HOOKS,
        Step(|world, states, row| other_of(begun(world, states, row))),
        "The other unit that the hook is about that begins by the step, if it is about one.",
    ),
    Follows(
        &[UnitRuntime],
        "hook_succeeds",
        Type::Flag,
        &[(UnitRuntime, "", Same), (UnitHooks, "", Same), (Unit, "life", Same)],
        Step(|_, states, row| Value::Flag(unit(row).is_some_and(|id| has_run(states, id)))),
        "Whether the hook that ran has ended by the step, none of it has failed, and its unit is \
         not Dead.",
    ),
    Follows(
        &[Settings],
        "renewed",
        Type::Flag,
        &[
            (Sighting, "wrote", Same),
            (UnitRuntime, "", Back::Pairs),
            (UnitHooks, "", Back::Pairs),
            (Unit, "life", Back::Pairs),
        ],
        Step(|world, states, row| {
            let Row::Settings(relation, id) = row else { return Value::Flag(false) };
            Value::Flag(may_renew(world, states, relation, id))
        }),
        "Whether the step may have changed them to others that are no less written: what a hook \
         wrote goes to the store.",
    ),
    Follows(
        &[Machine],
        "asked_for",
        Type::Flag,
        &[(MachineRuntime, "former_start", Same), (Task, "", Started)],
        Step(|_, [before, after], row| {
            let Row::Machine(id) = row else { return Value::Flag(false) };
            let [old, new] = [before, after].map(|state| state.runtime.machine(id).former);
            let is_late = matches!(old, Former::Reads | Former::Named | Former::Outdated)
                && matches!(new, Former::Current | Former::Superseded | Former::Failed);
            let is_asked = being_started(after) == Some(id) && being_started(before) != Some(id);
            Value::Flag(is_late || is_asked)
        }),
        "Whether an instance of it is asked for by the step.",
    ),
    Follows(
        &[UnitRuntime],
        "transition_begins",
        Type::Word(HOOKS),
        &[(UnitRuntime, "pending", Same)],
        Step(|_, [before, after], row| {
            let hook = |state: &State| {
                unit(row).and_then(|id| state.runtime.pending_hook(Client::Unit(id)))
            };
            let begun = hook(after).filter(|_| hook(before).is_none());
            let is_any = after.runtime.has_workflows();
            kind_of(begun.filter(|hook| is_any && Transition::by(*hook).is_some()))
        }),
        "The hook of the transition that begins by the step.",
    ),
    Follows(
        &[UnitWorkflow],
        "transition_made",
        Type::Word(HOOKS),
        &[
            (UnitWorkflow, "", Same),
            (UnitRuntime, "pending", Same),
            (UnitRuntime, "deployed_by", Same),
        ],
        Step(|_, states, row| kind_of(unit(row).and_then(|id| made(states, id)))),
        "The hook of the transition that was made, or failed, as a whole by the step.",
    ),
];

/// Whether the unit's running hook has ended without a failure, and no other one runs.
fn has_run([before, after]: [&State; 2], id: UnitId) -> bool {
    after.runtime.has_hooks()
        && after.runtime.is_deployed(id)
        && after.store.unit_life(id) != Some(Dead)
        && before.runtime.pending_hook(Client::Unit(id)).is_some()
        && after.runtime.pending_hook(Client::Unit(id)).is_none()
        && !after.runtime.unit(id).is_suspended()
        && after.runtime.hooks(id).marked().is_none()
}

fn may_renew(world: &World, states: [&State; 2], relation: RelationId, id: UnitId) -> bool {
    if world.detail.settings {
        let [wrote, writes] = states.map(|state| state.runtime.sighting(relation, id).wrote);
        wrote && !writes
    } else {
        let hook = states[0].runtime.pending_hook(Client::Unit(id));
        let is_new = hook.is_some_and(|hook| world.charm_of(id).is(hook, HookTrait::WritesNew));
        is_new && has_run(states, id)
    }
}

/// The hook of the transition that the step made, or that failed in it, as a whole.
fn made(states: [&State; 2], id: UnitId) -> Option<Hook> {
    let [before, after] = states.map(|state| &state.runtime);
    if !before.has_workflows() || before.unit(id).deployed_by != after.unit(id).deployed_by {
        return None;
    }
    let [old, new] = [before, after].map(|runtime| runtime.workflow(id));
    let has_read = old.startup == Startup::Begun && new.startup != Startup::Begun;
    let was_pending = before.pending_hook(Client::Unit(id)).is_some();
    let is_tried =
        |it: &Transition| it.from == old.state && (it.to == new.state || it.error == new.state);
    let tried = Transition::ALL.into_iter().find(is_tried)?;
    (!was_pending && !has_read).then_some(tried.hook)
}
