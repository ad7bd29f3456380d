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
     own agent that leaves (D1:141-142). But the agent knows only from the directories on its own \
     disk which relations its unit is in. If the hardware fails, the provisioner starts another \
     instance, and the agent is deployed there with an empty disk. It detects a Dying relation \
     without a directory, takes it for one that its unit never joined, and does nothing. Nobody \
     else may leave for the unit, so the relation stays for ever, and with it whatever waits for \
     it.",
    "Two fixes are proposed, and said to be easy (D1:20-26). The agent could leave the scope of \
     relations whenever it detects them; or, which the documents prefer, it could use the scope \
     documents in the store to know which relations its unit is in. Below each is checked alone, \
     then with the change that it turns out to need.",
    "Each answer is about all runs, which are searched exhaustively. Faults happen at any time \
     and any number of times, but finitely often; agents keep acting, and the user need not act. \
     A run is a list of steps, each with the clauses that it carries out (a clause that was \
     quoted before is only named).",
];

/// The groups, in order.
pub(super) const SECTIONS: &[Section] = &[
    Section {
        number: "1",
        title: "The bug as written",
        before: &["Two applications with one unit each, on machines of their own, and a relation \
                   between the two, which the user may destroy. The only faults are hardware \
                   failures; they are noticed, and the hardware is replaced."],
        after: &[
            "When the directory is written makes no difference here: the new disk is empty in \
                  any case.",
        ],
        order: &["as-written"],
    },
    Section {
        number: "2",
        title: "A crash is enough",
        before: &["The same world, but the hardware lasts. Agents crash instead: the process is \
                   gone, its disk is kept, and it is started again. The documents do not say when \
                   the directory is written; by default it is once the scope has been entered."],
        after: &["So this finding needs `directory-written = after-entering`, or \
                  `with-first-remote-unit`, which is what the code of 2013 did. With \
                  `before-entering`, as in the code since April 2014, whatever an agent enters is \
                  on its disk, and a crash loses nothing. It is no fix of the bug, as the hardware \
                  still takes the disk along."],
        order: &["a-crash-is-enough", "with-first-remote-unit", "before-entering"],
    },
    Section {
        number: "3",
        title: "Without faults",
        before: &[
            "Without faults nothing is stuck. So the cause is what the agent forgets, and not \
                   a transaction.",
        ],
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
            "The passage responsible is not about relations at all. A deployer that detects an \
             undeployed unit that is not Alive removes it rather than deploy it, as there would be \
             no point (D2:355; D2:375). So a unit that is Dying when its machine fails never has \
             an agent again. But it is in scope, and may not become Dead there (D2:229), and only \
             its agent would leave the scope (D1:91; D1:141-142): each waits for the other.",
            "A fix of ours: while the unit is in a scope or has a subordinate, it is deployed \
             although it is Dying, so that its agent can leave the scope \
             (`undeployed-unit-not-alive = deployed-while-held`). What the code has done since \
             November 2013 fixes it as well: a unit may be Dead while in scope, and its remover \
             first leaves its scopes (`dead-while-in-scope = allowed-and-left-on-removal`). Then \
             the claim that a Dead unit is in no scope does not hold, and need not.",
        ],
        order: FIXES,
    },
    Section {
        number: "5",
        title: "The second proposed fix: membership is what the store says",
        before: &["With `relation-tracking = remote-scope` there are no directories to lose: the \
                   agent's unit is in a relation if the store has its scope document (D1:22-24)."],
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
             hardware-failure fix is simpler without it.",
        ],
        after: &[],
        order: &[],
    },
    Section { number: "7", title: "Two units on each side", before: &[], after: &[], order: &[] },
    Section {
        number: "8",
        title: "The largest world: agents that stay down",
        before: &[],
        after: &[],
        order: &[],
    },
    Section {
        number: "9",
        title: "What the code does since April 2014: directories are compared with scopes",
        before: &[
            "With `relation-tracking = reconciled` directories stay, but an agent that starts \
             first compares them with the scopes that its unit is in. A directory without a scope \
             is deleted. A scope without a directory gets one, whatever the lives of relation and \
             unit, and the agent goes on as if it had entered just now.",
        ],
        after: &[
            "Is it enough? Alone it is as good as either of the proposed fixes, and no better: it \
             is enough while units live, whatever happens to agents and hardware, and it is not \
             enough for a unit that is Dying when its machine fails, as there is no agent to \
             compare anything. With either of the changes that the proposed fixes need, it holds: \
             with `undeployed-unit-not-alive = deployed-while-held`, and with \
             `dead-while-in-scope = allowed-and-left-on-removal`. When the directories are written \
             does not matter then. The proposed fixes themselves are other values of the same \
             variant, and it needs neither.",
        ],
        order: &[
            "while-units-live",
            "is-not-enough",
            "mended",
            "mended-split",
            "with-first-remote-unit",
            "left-on-removal",
            "as-in-2014",
        ],
    },
];

const FIXES: &[&str] = &[
    "while-units-live",
    "is-not-enough",
    "mended",
    "mended-split",
    "left-on-removal",
    "two-units-a-side",
];

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use super::SECTIONS;
    use crate::report::bug::FOLDER;
    use deathwatch_scenario::scenario;

    #[test]
    fn every_scenario_of_the_folder_has_its_section_and_every_section_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(FOLDER);
        let files = scenario::find(&[folder]).expect("they are shipped");
        let number = |file: &std::path::PathBuf| {
            let name = file.file_stem()?.to_str()?;
            Some(name.split_once('-')?.0.to_owned())
        };
        let numbers: BTreeSet<String> = files.iter().filter_map(number).collect();
        let sections: BTreeSet<String> = SECTIONS.iter().map(|it| it.number.to_owned()).collect();
        assert_eq!(numbers, sections);
        for section in SECTIONS {
            for end in section.order {
                let is_there = |file: &std::path::PathBuf| {
                    let name = file.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
                    name.ends_with(end)
                };
                assert!(files.iter().any(is_there), "{}: no {end}", section.title);
            }
        }
    }
}
