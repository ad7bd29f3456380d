//! The kinds of rows: one line for each, from which all tables and functions of kinds are made.

/// Calls a macro with a row for each kind: name, the parts of its key, the type of its rows, the
/// table of a state that has them, the name in scenarios and traces, the entity that a row is
/// about, and the condition for a world to have such rows, if any. Rows `per unit` are described
/// together, each field by the set of units that have it.
macro_rules! each_row {
    ($then:ident) => {
        $then! {
            Machine(id: MachineId) MachineDocs in store
                "machine" "a machine's documents";
            Application(id: ApplicationId) ApplicationDocs in store
                "application" "an application's documents";
            Unit(id: UnitId) UnitDocs in store
                "unit" "a unit's documents";
            Relation(id: RelationId) RelationDocs in store
                "relation" "a relation's documents";
            Scope(relation: RelationId, unit: UnitId) ScopeDoc in store
                "scope" "a unit's scope document in a relation" per unit;
            Settings(relation: RelationId, unit: UnitId) SettingsDoc in store
                "settings-document" "a unit's settings document in a relation" per unit
                where |world| world.has_sightings();
            Model ModelDocs in store
                "model" "the model's document"
                where |world| world.detail.constraints;
            MachineRuntime(id: MachineId) MachineRuntime in runtime
                "machine-agent" "a machine's hardware and agent";
            UnitRuntime(id: UnitId) UnitRuntime in runtime
                "unit-agent" "a unit's agent";
            UnitHooks(id: UnitId) UnitHooks in runtime
                "unit-hooks" "a unit's hooks"
                where |world| world.detail.hooks;
            UnitCharm(id: UnitId) UnitCharm in runtime
                "unit-charm" "a unit's charm and port"
                where |world| world.detail.charm;
            UnitWorkflow(id: UnitId) UnitWorkflow in runtime
                "unit-workflow" "a unit's workflow"
                where |world| world.detail.workflow;
            Membership(relation: RelationId, unit: UnitId) Membership in runtime
                "membership" "what a unit's agent knows of a relation" per unit;
            Sighting(relation: RelationId, unit: UnitId) Sighting in runtime
                "sighting" "what a unit's agent has seen in a relation"
                where |world| world.has_sightings();
            User(id: UserId) User in runtime
                "user" "a user";
            Task(task: ManagerTask) TaskRuntime in runtime
                "manager-task" "the provisioner or the cleaner";
            Client(id: ClientId) Client in runtime
                "client" "a scripted client";
            Upgrade Upgrade in runtime
                "upgrade" "the upgrade of agents that neglect duties";
            UnitHistory(id: UnitId) UnitHistory in history
                "unit-history" "what has happened to a unit"
                where |world| world.history.has_rows(HistoryOf::Unit);
            RelationHistory(relation: RelationId, unit: UnitId) RelationHistory in history
                "relation-history" "what has happened to a unit in a relation"
                where |world| world.history.has_rows(HistoryOf::Relation);
            MachineHistory(id: MachineId) MachineHistory in history
                "machine-history" "what has happened to a machine"
                where |world| world.history.has_rows(HistoryOf::Machine);
        }
    };
}

pub(crate) use each_row;
