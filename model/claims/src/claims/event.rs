//! Events: the changes of rows that claims look at: those about transitions, and the links of
//! others.

use deathwatch_model::{
    actor::Client, agents::WatchedStep, rows::Row, state::State, store::Store, world::World,
};

/// A change of a row that claims look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowEvent {
    /// The life of a machine changed; to be created or removed is a change of life, too.
    MachineLife,
    /// The life of an application changed.
    ApplicationLife,
    /// The life of a unit changed.
    UnitLife,
    /// The life of a relation changed.
    RelationLife,
    /// A unit was placed elsewhere.
    Placement,
    /// The list of a unit's subordinates changed.
    Subordinates,
    /// A unit entered a scope.
    Entry,
    /// A unit left a scope.
    Exit,
    /// Something about the hooks of a unit changed.
    Hook,
    /// Something about the charm directory, the configuration or the port of a unit changed.
    Upkeep,
    /// An application was exposed, or is not any more.
    Exposure,
    /// A unit's hook failed, or its failure was resolved, or it stopped; looked at where hooks
    /// have names.
    Charm,
    /// Something about the workflow of a unit changed.
    Workflow,
    /// A unit's agent was deployed, recalled, crashed or restarted, or begun or ended a hook;
    /// looked at where units have workflows.
    Agent,
    /// What an agent has seen in a relation changed.
    Sight,
    /// A unit's settings document in a relation was created or deleted.
    Settings,
    /// A unit's settings in a relation became others.
    Written,
    /// A user's command in progress changed.
    Session,
    /// A machine got an instance id, or lost it.
    Instance,
    /// A machine came to be in error, or ceased to be.
    StartError,
    /// Something about what the provisioner has begun changed, where instances are apart from
    /// machines.
    Started,
    /// A unit or a machine got other constraints.
    Constraints,
}

impl RowEvent {
    /// Every event.
    pub const ALL: [Self; 22] = [
        RowEvent::MachineLife,
        RowEvent::ApplicationLife,
        RowEvent::UnitLife,
        RowEvent::RelationLife,
        RowEvent::Placement,
        RowEvent::Subordinates,
        RowEvent::Entry,
        RowEvent::Exit,
        RowEvent::Hook,
        RowEvent::Upkeep,
        RowEvent::Exposure,
        RowEvent::Charm,
        RowEvent::Workflow,
        RowEvent::Agent,
        RowEvent::Sight,
        RowEvent::Settings,
        RowEvent::Written,
        RowEvent::Session,
        RowEvent::Instance,
        RowEvent::StartError,
        RowEvent::Started,
        RowEvent::Constraints,
    ];

    /// Whether it is an event that something was begun in this row, or ended, and nothing else in
    /// it has changed.
    pub(super) fn tells_of_pending(world: &World, row: Row) -> bool {
        world.detail.workflow && matches!(row, Row::UnitRuntime(_))
    }

    /// The events that a step brought about in a row.
    pub(super) fn of(change: &WatchedStep<'_>, row: Row) -> [Option<Self>; 4] {
        let (old, new) = (&change.before.store, &change.after.store);
        match row {
            Row::Machine(id) => {
                let life = old.machine_life(id) != new.machine_life(id);
                let detail = change.world.detail;
                if !(detail.provisioning || detail.constraints) {
                    return one(life, Self::MachineLife);
                }
                let start = |store: &Store| store.machine(id).map(|it| it.start);
                let instance = |store: &Store| store.machine(id).map(|it| it.instance);
                let constraints = |store: &Store| store.machine(id).map(|it| it.constraints);
                [
                    life.then_some(Self::MachineLife),
                    (instance(old) != instance(new)).then_some(Self::Instance),
                    (start(old) != start(new)).then_some(Self::StartError),
                    (constraints(old) != constraints(new)).then_some(Self::Constraints),
                ]
            }
            Row::Application(id) => {
                let life = old.application_life(id) != new.application_life(id);
                let exposed = |store: &Store| store.application(id).is_some_and(|it| it.exposed);
                let exposure = exposed(old) != exposed(new);
                [
                    life.then_some(Self::ApplicationLife),
                    exposure.then_some(Self::Exposure),
                    None,
                    None,
                ]
            }
            Row::Unit(id) => {
                let lists = [old, new].map(|it| it.unit(id).map(|unit| &unit.subordinates));
                let [placement, later] = change.placements(id);
                [
                    (old.unit_life(id) != new.unit_life(id)).then_some(Self::UnitLife),
                    (placement != later).then_some(Self::Placement),
                    (lists[0] != lists[1]).then_some(Self::Subordinates),
                    (old.constraints_of(id) != new.constraints_of(id)).then_some(Self::Constraints),
                ]
            }
            Row::Relation(id) => {
                one(old.relation_life(id) != new.relation_life(id), Self::RelationLife)
            }
            Row::Scope(id, unit) => match (old.in_scope(id, unit), new.in_scope(id, unit)) {
                (false, true) => one(true, Self::Entry),
                (true, false) => one(true, Self::Exit),
                (false, false) | (true, true) => [None; 4],
            },
            Row::User(id) => {
                let session = |state: &State| state.runtime.user(id).session;
                one(session(change.before) != session(change.after), Self::Session)
            }
            Row::UnitHooks(_) => one(true, Self::Hook),
            Row::UnitCharm(_) => one(true, Self::Upkeep),
            Row::UnitWorkflow(_) => one(true, Self::Workflow),
            Row::Sighting(..) => one(true, Self::Sight),
            Row::Settings(id, unit) => {
                let [before, after] = [old, new].map(|store: &Store| store.settings(id, unit));
                [
                    (before.exists != after.exists).then_some(Self::Settings),
                    (before.written != after.written).then_some(Self::Written),
                    None,
                    None,
                ]
            }
            Row::UnitRuntime(id) => {
                let failed = |state: &State| {
                    let agent = state.runtime.unit(id);
                    (agent.charm, agent.hook_error)
                };
                let is_told = change.world.detail.hooks;
                let failure = is_told && failed(change.before) != failed(change.after);
                let process = |state: &State| {
                    let agent = state.runtime.unit(id);
                    (agent.down, agent.deployed_by, state.runtime.pending_hook(Client::Unit(id)))
                };
                let is_told = change.world.detail.workflow;
                let step = is_told && process(change.before) != process(change.after);
                [failure.then_some(Self::Charm), step.then_some(Self::Agent), None, None]
            }
            Row::Task(_) => one(change.world.detail.provisioning, Self::Started),
            Row::MachineRuntime(id) => {
                let former = |state: &State| state.runtime.machine(id).former;
                one(former(change.before) != former(change.after), Self::Started)
            }
            _ => [None; 4],
        }
    }
}

/// The event, if it happened.
fn one(happened: bool, event: RowEvent) -> [Option<RowEvent>; 4] {
    [happened.then_some(event), None, None, None]
}
