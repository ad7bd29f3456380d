//! Refusals: the reasons why an operation is not allowed.

use crate::clause::{Clause, Rule};

macro_rules! refusals {
    ($(
        $(#[$doc:meta])*
        $why:ident $text:literal $example:literal [$($rule:ident $number:literal),+]
    )+) => {
        /// A reason why an operation is refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Why {
            $($(#[$doc])* $why),+
        }

        impl Why {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$why),+];

            /// The reason, completing "refused: ".
            pub fn text(self) -> &'static str {
                match self { $(Self::$why => $text),+ }
            }

            /// The clauses that refuse for this reason, in the order of the rules.
            pub fn clauses(self) -> &'static [Clause] {
                match self {
                    $(Self::$why => &[$(Clause { rule: Rule::$rule, number: $number }),+]),+
                }
            }

            /// A step of a script that is refused for this reason, in one of our scenarios.
            pub fn example(self) -> &'static str {
                match self { $(Self::$why => $example),+ }
            }
        }
    };
}

refusals! {
    /// The entity does not exist.
    NotFound "it does not exist"
        "client: integrate wordpress:cache memcached:cache"
        [
            Deploy 3, AddUnit 2, AddUnit 4, AddMachine 2, Integrate 1, EnterScope 2,
            DestroyMachine 1, DestroyModel 1, DestroyRelation 1, ForceDestroyUnit 1, ForceDestroyMachine 2,
            SetConstraints 1, SetConfig 1, UpgradeCharm 1, ForceUpgradeCharm 1, Unexpose 1,
            FailStart 1, Resolved 1, ResolvedConstraints 1
        ]
    /// An entity of that name exists.
    AlreadyExists "it exists already"
        "client: deploy wordpress"
        [Deploy 1, Deploy 3, AddUnit 3, AddMachine 1, Integrate 2]
    /// Something that must be Alive is not.
    NotAlive "something that must be Alive is not"
        "client: add-unit wordpress/1"
        [
            Deploy 3, AddUnit 2, AddUnit 4, AddMachine 2, AssignUnit 1, AssignUnit 2, Integrate 1,
            EnterScope 1, EnterScope 2, SetConstraints 1, SetConfig 1, UpgradeCharm 1, ForceUpgradeCharm 1, Expose 1,
            RecordInstance 1
        ]
    /// The entity must be Dead and is not.
    NotDead "it is not Dead"
        "client: remove-machine 1"
        [RemoveMachine 1, RemoveUnit 3]
    /// The entity must be Dying and is not.
    NotDying "it is not Dying"
        "client: set-unit-dead wordpress/0"
        [SetUnitDead 1, SetMachineDead 1]
    /// It is the last machine with the manage-model job.
    LastManager "it is the last manager machine"
        "client: destroy-machine 0"
        [DestroyMachine 2, DestroyModel 1, SetMachineDead 4, ForceDestroyMachine 1]
    /// A machine with the manage-model job never dies.
    Manager "it is a manager machine"
        "client: destroy-machine 1"
        [DestroyMachine 2, DestroyModel 1, ForceDestroyMachine 1]
    /// The machine has units.
    HasUnits "it has units"
        "client: destroy-machine 1"
        [AddUnit 4, AssignUnit 2, DestroyMachine 3, DestroyModel 1, DestroyModel 2, SetMachineDead 3]
    /// The machine has containers.
    HasContainers "it has containers"
        "client: destroy-machine 1"
        [DestroyMachine 4, DestroyModel 1, SetMachineDead 2]
    /// The unit has subordinates.
    HasSubordinates "it has subordinates"
        "client: set-unit-dead wordpress/0"
        [SetUnitDead 2]
    /// The unit is in scope of a relation.
    InScope "it is in scope of a relation"
        "client: set-unit-dead wordpress/0"
        [SetUnitDead 3]
    /// The unit is a subordinate.
    Subordinate "it is a subordinate"
        "user: destroy-unit nrpe/0"
        [AssignUnit 1, DestroyUnit 4, ForceDestroyUnit 3]
    /// The application is a subordinate one.
    SubordinateApplication "its application is a subordinate one"
        "client: add-unit nrpe/0"
        [Deploy 4, AddUnit 1, SetConstraints 2]
    /// The relation is a peer relation.
    Peer "it is a peer relation"
        "client: destroy-relation etcd:cluster"
        [Integrate 3, DestroyRelation 2]
    /// The relation is no peer relation.
    NotPeer "it is no peer relation"
        "client: add-peer-relation wordpress:db mysql:server"
        [Deploy 3]
    /// The unit has a machine already.
    AlreadyAssigned "it has a machine already"
        "client: assign-unit wordpress/0 2"
        [AssignUnit 1]
    /// The machine does not have the host-units job.
    HostsNoUnits "the machine hosts no units"
        "client: assign-unit mysql/0 0"
        [AddUnit 4, AssignUnit 2, AssignUnit 3]
    /// The principal's subordinate is on its way out; the scope cannot be entered yet.
    SubordinateNotAlive "its subordinate is not Alive"
        "client: enter-scope wordpress/0 wordpress:juju-info nrpe:general-info"
        [EnterScope 6]
    /// The relation does not concern this unit.
    NotConcerned "the relation does not concern it"
        "client: enter-scope nagios/0 wordpress:db mysql:server"
        [EnterScope 7]
    /// The machine has not the unit's series, or two applications with a container relation have
    /// two.
    OtherSeries "its series is another"
        "client: integrate wordpress:info landscape:info"
        [AddUnit 5, AssignUnit 4, Integrate 4]
    /// The machine has not what the unit asks for.
    AsksForMore "it asks for more than the machine has"
        "client: assign-unit wordpress/0 1"
        [AddUnit 8, AssignUnit 7]
    /// The start of the machine has not failed, or that is resolved.
    NotInError "it is not in error"
        "client: resolved-constraints 14 cpu-power=400,mem=2G"
        [ResolvedConstraints 1]
    /// The world has no free identifier for another one.
    Full "the world has no place for another"
        "client: enter-scope wordpress/2 wordpress:juju-info nrpe:general-info"
        [EnterScope 5]
}
