//! The known bugs that no scenario shows, each with the reason.

/// A known bug that is left out.
pub struct LeftOut {
    /// Its number.
    pub number: u8,
    /// Where it was reported, or the beginning of the commit that fixed it.
    pub known_as: &'static str,
    /// Its mechanism.
    pub mechanism: &'static str,
    /// The reason.
    pub why: &'static str,
}

/// Those that are left out, in the order of their numbers.
pub const LEFT_OUT: &[LeftOut] = &[
    LeftOut {
        number: 19,
        known_as: "#10647, fe936dc574",
        mechanism: "Forced destruction of a model visits Alive applications only, and a Dying one stays.",
        why: "here a model is destroyed command by command, and D2:399 has force for units and machines only",
    },
    LeftOut {
        number: 21,
        known_as: "#23352",
        mechanism: "Forced removal of a relation asserts that its applications are Alive.",
        why: "D2:399 has force for units and machines only, and a Dying relation always has a unit in scope here",
    },
    LeftOut {
        number: 28,
        known_as: "be02fd0993",
        mechanism: "A machine that becomes Dying with its last unit gets no cleanup, and its storage stays.",
        why: "the documents have no storage, and no machine goes with its last unit",
    },
    LeftOut {
        number: 29,
        known_as: "lp:1827285, #10139",
        mechanism: "Destroying a model stops at the first machine that was provisioned by hand.",
        why: "the documents have no such machines, and here a model is destroyed command by command",
    },
    LeftOut {
        number: 31,
        known_as: "lp:1765387, #8631",
        mechanism: "A Dying controller that has lost its vote keeps the manager job.",
        why: "the documents have no votes, and no machine loses a job; findings/a-manager-stays-dying is the nearest",
    },
    LeftOut {
        number: 32,
        known_as: "lp:1727162, #7996",
        mechanism: "Units of another model are not counted in the relation, and their departures are lost.",
        why: "relations between models are beyond the documents",
    },
    LeftOut {
        number: 33,
        known_as: "lp:1795499, lp:1804362, lp:1879645",
        mechanism: "The connection to the other model is lost while a relation dies, and one side is never told.",
        why: "relations between models are beyond the documents",
    },
    LeftOut {
        number: 35,
        known_as: "lp:1950705, #13511",
        mechanism: "A pod is deleted before its agent has set the unit Dead.",
        why: "the documents have no Kubernetes; on a machine the agent comes back with new hardware, which relation-scope-bug/ is about",
    },
    LeftOut {
        number: 36,
        known_as: "#12986",
        mechanism: "A new charm without a peer relation asserts a count that its own transaction changes.",
        why: "D4's upgrades change hooks and no endpoints",
    },
    LeftOut {
        number: 43,
        known_as: "#21171",
        mechanism: "Forced removal of an application fails because a Dying unit is not Dead.",
        why: "D2:399 has force for units and machines only",
    },
];
