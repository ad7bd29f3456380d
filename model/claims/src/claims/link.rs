//! Links: the rows that a claim reads beside its subject, each with its reverse dependency.
//!
//! A claim names the links that its predicate follows, in the line that names the predicate. When a
//! step touches a row, the events by which the row changed tell which links to follow back, from
//! the row to the subjects whose verdict it may change: so checking claims costs what a step
//! touches, and a link that no asked claim reads costs nothing. A reverse dependency may list too
//! many subjects. It must not miss any that might newly violate a claim about states, or whose
//! obligation might arise or end; the tests compare it with a check of everything, for all claims
//! together and for each alone.

use deathwatch_model::rows::{Row, RowKind};

use super::{
    RowEvent::{
        self, Agent, ApplicationLife, Charm, Entry, Exit, Instance, MachineLife,
        Placement as Place, RelationLife, Session, StartError, Started, Subordinates, UnitLife,
    },
    affected::Affected,
};

macro_rules! links {
    ($($(#[$doc:meta])* $link:ident:
        $($kind:ident [$($event:expr),+] |$it:ident $(, $key:ident)+| $way:expr),+;)+) => {
        /// Rows that a claim reads, named by what they are to its subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Link {
            $($(#[$doc])* $link),+
        }

        impl Link {
            /// The kinds of rows that are read by the link.
            pub fn kinds(self) -> &'static [RowKind] {
                match self {
                    $(Self::$link => &[$(RowKind::$kind),+]),+
                }
            }

            /// The events of these rows after which subjects may have to be judged again.
            pub(super) fn events(self) -> &'static [RowEvent] {
                match self {
                    $(Self::$link => &[$($($event),+),+]),+
                }
            }

            /// Adds the subjects that depend on a touched row.
            pub(super) fn follow(self, row: Row, affected: &mut Affected<'_>) {
                match self {
                    $(Self::$link => {
                        $(if let Row::$kind($($key),+) = row {
                            let $it = &mut *affected;
                            $way;
                        })+
                    })+
                }
            }
        }
    };
}

links! {
    /// Of an application: whether its units exist.
    UnitsOfApplication: Unit [UnitLife] |it, id| it.application_of(id);
    /// Of an application: whether its relations exist.
    RelationsOfApplication: Relation [RelationLife] |it, id| it.ends_of(id);
    /// Of an application: the commands in progress that deploy it.
    SessionsOfApplication: User [Session] |it, id| it.application_of_session(id);
    /// Of a relation: the lives of its applications.
    EndsOfRelation: Application [ApplicationLife] |it, id| it.relations_of(id);
    /// Of a relation: its scope documents.
    ScopeOfRelation: Scope [Entry, Exit] |it, id, _unit| it.add(Row::Relation(id));
    /// Of a relation: whether the units in its scope exist.
    UnitsInScope: Unit [UnitLife] |it, id| it.relations_in_scope_of(id);
    /// Of a unit: whether its machine or principal exists.
    PlacementOfUnit:
        Machine [MachineLife] |it, id| it.units_on(id),
        Unit [UnitLife] |it, id| it.subordinates_of(id);
    /// Of a unit: the life of its application.
    ApplicationOfUnit: Application [ApplicationLife] |it, id| it.units_of(id);
    /// Of a unit: its scope documents.
    ScopesOfUnit: Scope [Entry, Exit] |it, _relation, id| it.add(Row::Unit(id));
    /// Of a machine or a principal: the units that name it as their placement.
    UnitsPlacedThere: Unit [Place] |it, id| it.placements_of(id);
    /// Of a machine: whether its containers exist.
    ContainersOfMachine: Machine [MachineLife] |it, id| it.host_of(id);
    /// Of a subordinate: the lives of its application's relations.
    RelationsOfSubordinate: Relation [RelationLife] |it, id| it.subordinates_in(id);
    /// Of the agent of a unit: its life and placement.
    UnitOfAgent: Unit [UnitLife, Place] |it, id| it.add(Row::UnitRuntime(id));
    /// Of the hooks of a unit: its life.
    UnitOfHooks: Unit [UnitLife] |it, id| it.hooks_of(id);
    /// Of the hooks of a unit: what its agent knows of failures.
    AgentOfHooks: UnitRuntime [Charm] |it, id| it.hooks_of(id);
    /// Of the charm of a unit: its life.
    UnitOfCharm: Unit [UnitLife] |it, id| it.charm_of(id);
    /// Of the charm of a unit: what its agent knows of failures.
    AgentOfCharm: UnitRuntime [Charm] |it, id| it.charm_of(id);
    /// Of the workflow of a unit: its life.
    UnitOfWorkflow: Unit [UnitLife] |it, id| it.workflow_of(id);
    /// Of the workflow of a unit: whether its agent is deployed and up.
    AgentOfWorkflow: UnitRuntime [Agent] |it, id| it.workflow_of(id);
    /// Of a relation and a unit: the unit's settings.
    SettingsOfRole: Settings [RowEvent::Settings] |it, id, unit| it.add(Row::Scope(id, unit));
    /// Of what an agent has seen in a relation: the settings of the others.
    SettingsOfSeen: Settings [RowEvent::Settings] |it, id, unit| it.observers_of(id, unit);
    /// Of what an agent has seen in a relation: who is in the scope.
    ObserversOfScope: Scope [Entry, Exit] |it, id, unit| it.observers_of(id, unit);
    /// Of what an agent has seen in a relation: its unit's life and place, those of units beside
    /// it, and whether the relation is Alive.
    LivesOfSighting:
        Unit [UnitLife, Place] |it, id| it.sightings_of_unit(id),
        Relation [RelationLife] |it, id| it.sightings_of_relation(id);
    /// Of the hardware and agent of a machine: the life of the machine.
    MachineOfAgent: Machine [MachineLife, Instance] |it, id| it.add(Row::MachineRuntime(id));
    /// Of the hardware and agent of a machine: the start that the provisioner has begun.
    StartOfAgent: Task [Started] |it, _task| it.machine_being_started();
    /// Of an application: the machines of its units, and whether they are in error.
    UnitsInError:
        Unit [UnitLife, Place] |it, id| it.application_of_any(id),
        Machine [StartError] |it, id| it.applications_on(id);
    /// Of a relation and a unit: the unit's documents.
    UnitOfPair: Unit [UnitLife, Place, Subordinates] |it, id| it.pairs_of_unit(id);
    /// Of a relation and a unit: whether the relation is Alive.
    RelationOfPair: Relation [RelationLife] |it, id| it.pairs_of_relation(id);
    /// Of a relation and a unit: the lives of the unit's subordinates.
    SubordinatesOfPair: Unit [UnitLife, Place] |it, id| it.pairs_of_principals(id);
    /// Of the first manager machine, which stands for all: the lives of the others.
    OtherManagers: Machine [MachineLife] |it, id| it.first_manager(id);
}
