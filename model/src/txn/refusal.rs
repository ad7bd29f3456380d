//! Refusals: the reasons why an operation is not allowed.

macro_rules! refusals {
    ($($(#[$doc:meta])* $why:ident $text:literal $example:literal)+) => {
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

            /// A step of a script that is refused for this reason, where the test scenarios have
            /// it.
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
    /// An entity of that name exists.
    AlreadyExists "it exists already"
        "client: deploy wordpress"
    /// Something that must be Alive is not.
    NotAlive "something that must be Alive is not"
        "client: add-unit wordpress/1"
    /// The entity must be Dead and is not.
    NotDead "it is not Dead"
        "client: remove-machine 1"
    /// The entity must be Dying and is not.
    NotDying "it is not Dying"
        "client: set-unit-dead wordpress/0"
    /// It is the last machine with the manage-model job.
    LastManager "it is the last manager machine"
        "client: destroy-machine 0"
    /// A machine with the manage-model job never dies.
    Manager "it is a manager machine"
        "client: destroy-machine 1"
    /// The machine has units.
    HasUnits "it has units"
        "client: destroy-machine 1"
    /// The machine has containers.
    HasContainers "it has containers"
        "client: destroy-machine 1"
    /// The unit has subordinates.
    HasSubordinates "it has subordinates"
        "client: set-unit-dead wordpress/0"
    /// The unit is in scope of a relation.
    InScope "it is in scope of a relation"
        "client: set-unit-dead wordpress/0"
    /// The unit is a subordinate.
    Subordinate "it is a subordinate"
        "user: destroy-unit nrpe/0"
    /// The application is a subordinate one.
    SubordinateApplication "its application is a subordinate one"
        "client: add-unit nrpe/0"
    /// The relation is a peer relation.
    Peer "it is a peer relation"
        "client: destroy-relation etcd:cluster"
    /// The unit has a machine already.
    AlreadyAssigned "it has a machine already"
        "client: assign-unit wordpress/0 2"
    /// The machine does not have the host-units job.
    HostsNoUnits "the machine hosts no units"
        "client: assign-unit mysql/0 0"
    /// The principal's subordinate is on its way out; the scope cannot be entered yet.
    SubordinateNotAlive "its subordinate is not Alive"
        "client: enter-scope wordpress/0 wordpress:juju-info nrpe:general-info"
    /// The relation does not concern this unit.
    NotConcerned "the relation does not concern it"
        "client: enter-scope nagios/0 wordpress:db mysql:server"
    /// The world has no free identifier for another one.
    Full "the world has no place for another"
        "client: enter-scope wordpress/0 wordpress:juju-info nrpe:general-info"
}
