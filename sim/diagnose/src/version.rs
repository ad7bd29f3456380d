//! Versions of Juju, as values of the variants of the protocol.

/// A variant of the protocol, by its name, and its value.
pub(crate) type VariantValue = (&'static str, &'static str);

/// A version of Juju, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32, u32);

impl Version {
    /// The version that is printed so, if it can be read.
    pub(crate) fn read(printed: &str) -> Option<Self> {
        let mut parts = printed.split(['.', '-']);
        let mut number = || parts.next()?.parse().ok();
        Some(Self(number()?, number()?))
    }

    /// Whether removal is done by jobs over a database without counts, and not as D1 and D2 say.
    pub(crate) fn has_jobs(self) -> bool {
        self >= Self(4, 0)
    }

    /// Whether its status ends with what it says of the controller.
    pub(crate) fn has_controller_in_status(self) -> bool {
        self >= Self(2, 5)
    }

    /// Whether this is a Juju whose output is read.
    pub(crate) fn is_read(self) -> bool {
        self >= Self(2, 0)
    }
}

/// The variants of a version: those that are known, and those of which several values are.
pub(crate) struct VersionVariants {
    pub(crate) known: Vec<VariantValue>,
    pub(crate) open: Vec<(&'static str, Vec<&'static str>)>,
    /// Whether agents leave the scopes of peer relations.
    pub(crate) leaves_peers: bool,
}

impl VersionVariants {
    /// The same where each Dying machine without an instance is a container: in 4.x nobody makes
    /// these Dead (#20521, which is open).
    pub(crate) fn of_containers(mut self) -> Self {
        let is_open = |(name, values): &(&str, Vec<&str>)| {
            *name == "unprovisioned-machine" && values.first() == Some(&"left")
        };
        if self.open.iter().any(is_open) {
            self.open.retain(|it| !is_open(it));
            self.known.push(("unprovisioned-machine", "left"));
        }
        self
    }
}

/// The variants of all versions since 2.0.
const SINCE_2_0: &[VariantValue] = &[
    ("directory-written", "before-entering"),
    ("settings-cleanup", "cleaner"),
    ("peer-relations", "with-application"),
    ("machine-with-dying-units", "allowed"),
    ("units-of-dying-application", "agents-and-cleanup"),
    ("dying-machine-without-instance", "not-started"),
];

/// The behaviour of Jujus of this version; of an unknown one, each value that some version has.
pub(crate) fn behaviour(version: Option<Version>) -> VersionVariants {
    let mut known = SINCE_2_0.to_vec();
    let mut open = Vec::new();
    let Some(version) = version else {
        open.push(("relation-tracking", vec!["reconciled", "local-directory"]));
        open.push(("dead-while-in-scope", vec!["allowed-and-left-on-removal", "forbidden"]));
        open.push(("unprovisioned-machine", vec!["removed-by-provisioner", "left"]));
        return VersionVariants { known, open, leaves_peers: true };
    };
    if version <= Version(2, 1) {
        known.push(("subordinate-dies-when", "last-container-relation"));
    }
    known.push(if version < Version(2, 8) {
        ("relation-tracking", "local-directory")
    } else {
        ("relation-tracking", "reconciled")
    });
    if version.has_jobs() {
        known.push(("dead-while-in-scope", "forbidden"));
        open.push(("unprovisioned-machine", vec!["left", "removed-by-provisioner"]));
    } else {
        known.push(("dead-while-in-scope", "allowed-and-left-on-removal"));
        known.push(("unprovisioned-unit", "removed-directly"));
    }
    VersionVariants { known, open, leaves_peers: !version.has_jobs() }
}

/// A remedy where nobody can take the next step: the variant and its value, its sentence, and the
/// reports that it is about.
pub(crate) struct Remedy {
    pub(crate) choice: VariantValue,
    pub(crate) says: &'static str,
    pub(crate) like: &'static str,
}

/// The name under which a clause that is carried out again stands among variants.
pub(crate) const PEERS: VariantValue = ("unit-agent.8", "carried-out");

/// The remedies, in the order in which they are tried.
pub(crate) const FIXES: &[Remedy] = &[
    Remedy {
        choice: ("dying-machine-without-instance", "started-while-in-use"),
        says: "a Dying machine in use is started",
        like: "#22012 (#20467, #22575, #21169): no charm's fault, and resolved does nothing",
    },
    Remedy {
        choice: ("unprovisioned-machine", "removed-by-provisioner"),
        says: "the provisioner removes a Dying machine without an instance",
        like: "#20521 (open): in 4.x a machine that never had an instance is left",
    },
    Remedy {
        choice: PEERS,
        says: "agents leave the scopes of peer relations",
        like: "#23326 (#20932, #20835): in 4.x agents do not leave their peers, and a unit in scope \
               is never Dead",
    },
    Remedy {
        choice: ("dead-while-in-scope", "allowed-and-left-on-removal"),
        says: "to remove a unit leaves its scopes first, as in 2.x and 3.x",
        like: "lp:1233457, fixed in 2013 and back in 4.x",
    },
    Remedy {
        choice: ("undeployed-unit-not-alive", "deployed-while-held"),
        says: "a Dying unit is deployed again while something holds it",
        like: "the BUG of D1:18-26: replaced hardware does not know what its unit was in",
    },
    Remedy {
        choice: ("relation-tracking", "reconciled"),
        says: "agents compare what they remember with the scopes that their unit is in",
        like: "lp:1303697: an agent that forgot a relation; fixed in 2014 and in the database since 2.8",
    },
    Remedy {
        choice: ("subordinate-dies-when", "last-relation-with-principal"),
        says: "a subordinate goes with the last relation to its own principal",
        like: "lp:1686696 (lp:1655486, lp:1702636): fixed in 2.2",
    },
];
