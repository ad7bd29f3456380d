//! The text on the relation-scope bug that is not in the scenarios: a part for each group of
//! scenarios, those whose names begin with the same number.

/// A group of scenarios.
pub(super) struct Section {
    /// The number that their names begin with.
    pub(super) number: &'static str,
    /// The heading.
    pub(super) title: &'static str,
    /// The text before the scenarios.
    pub(super) before: &'static [&'static str],
    /// The text after them.
    pub(super) after: &'static [&'static str],
    /// The ends of their names in the order of the page; others come after these.
    pub(super) order: &'static [&'static str],
}

/// The beginning of the page.
pub(super) const INTRODUCTION: &[&str] = &[
    "The documents do not promise that whatever is Dying gets removed, and call one of their \
     reasons a serious BUG (D1:18-26, and again D2:71). A unit that takes part in a relation is \
     in its scope: the store holds a scope document for it, and the relation counts it. A Dying \
     relation goes with the last unit that leaves its scope (D1:147-148), and it is the unit's \
     own agent that leaves (D1:141-142). But the agent tells by the directories on its own disk \
     which relations its unit is in. If the hardware fails, the provisioner starts another \
     instance, and the agent is deployed there with an empty disk. It comes upon a Dying relation \
     of which it has no directory, takes it for one that its unit never joined, and leaves it \
     alone. Nobody else may leave for the unit, so the relation stays for ever, and with it \
     whatever it holds.",
    "Two fixes are proposed, and said to be easy (D1:20-26). The agent could leave the scope of \
     relations whenever it detects them; or, which the documents like better, it could tell by \
     the scope documents in the store which relations its unit is in. Below each is tried alone, \
     then with what it turns out to lack.",
    "Each answer is about every run there is, searched exhaustively. Faults strike at any time \
     and any number of times, but finitely often; agents keep acting, and the user owes nothing. \
     A run is a list of steps, each with the clauses that it carries out (a clause that was \
     quoted before is only named).",
];

/// The groups, in order.
pub(super) const SECTIONS: &[Section] = &[
    Section {
        number: "1",
        title: "The bug as written",
        before: &["A unit a side, each on a machine of its own, and a relation between the two \
                   applications, which the user may destroy. Nothing goes wrong but that hardware \
                   fails, is noticed to have failed, and is replaced."],
        after: &[],
        order: &[],
    },
    Section {
        number: "2",
        title: "A crash is enough",
        before: &["The same world, but the hardware lasts. Agents crash instead: the process is \
                   gone, its disk is kept, and it is started again."],
        after: &[],
        order: &[],
    },
    Section {
        number: "3",
        title: "Without faults",
        before: &["That nothing is stuck where nothing fails shows that it is the agent's memory \
                   that is at fault, and not a transaction."],
        after: &[],
        order: &[],
    },
    Section {
        number: "4",
        title: "The first proposed fix: relations are left when they are detected",
        before: &[
            "With `relation-tracking = leave-when-detected` an agent that finds its unit in \
                   scope of a relation without having a directory for it leaves that scope \
                   (D1:20-22). If both are Alive it enters again, with a directory this time.",
        ],
        after: &[
            "The passage responsible is not about relations at all. A deployer that finds a unit \
             undeployed and no longer Alive removes it rather than deploy it, as there would be no \
             point (D2:355; D2:375). So a unit that is Dying when its machine fails has no agent \
             ever after. But it is in scope, and may not become Dead there (D2:229); only its \
             agent would leave (D1:91; D1:141-142); and each waits for the other.",
            "A fix of ours: while something holds the unit, a scope or a subordinate, it is \
             deployed although it is Dying, so that its agent can let go of it \
             (`undeployed-unit-not-alive = deployed-while-held`). What the code has done since \
             November 2013 fixes it as well: a unit may be Dead while in scope, and whoever \
             removes it first leaves its scopes (`dead-while-in-scope = \
             allowed-and-left-on-removal`). Then it is no longer so, and need not be, that a Dead \
             unit is in no scope.",
        ],
        order: FIXES,
    },
    Section {
        number: "5",
        title: "The second proposed fix: membership is what the store says",
        before: &["With `relation-tracking = remote-scope` there are no directories to lose: the \
                   agent's unit is in a relation if the store has a scope document that says so \
                   (D1:22-24)."],
        after: &["The passages responsible, and what fixes them, are the same as for the first \
                  fix: both fixes are about what an agent knows, and here there is no agent."],
        order: FIXES,
    },
    Section {
        number: "6",
        title: "If a unit may be Dead while in scope",
        before: &[
            "The documents disagree on whether a unit may be Dead while it is in scope: one \
             forbids it (D2:229), the other states no such condition (D1:91-96), and its \
             hardware-failure story is easier to tell without it.",
        ],
        after: &[],
        order: &[],
    },
    Section { number: "7", title: "Two units a side", before: &[], after: &[], order: &[] },
    Section { number: "8", title: "Agents that stay down", before: &[], after: &[], order: &[] },
    Section { number: "9", title: "The largest world", before: &[], after: &[], order: &[] },
];

const FIXES: &[&str] = &[
    "while-units-live",
    "is-not-enough",
    "mended",
    "mended-split",
    "left-on-removal",
    "two-units-a-side",
];
