//! Notes: what answers for a passage that is no clause, variant or claim, and what is left out.

/// Notes on some passages.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    pub about: &'static str,
    /// The passages; nothing if the documents do not speak of it.
    pub source: &'static str,
    pub says: &'static str,
    pub standing: Standing,
}

/// How something stands that the documents say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is carried out in this file.
    In(&'static str),
    /// It is left out on purpose.
    LeftOut,
}

macro_rules! notes {
    ($($about:literal $source:literal $standing:expr, $says:literal)+) => {
        impl Note {
            /// Every note, in the order in which they are read.
            pub const ALL: &'static [Self] = &[$(Self {
                about: $about,
                source: $source,
                standing: $standing,
                says: $says,
            }),+];
        }
    };
}

use Standing::{In, LeftOut};

notes! {
    "what has a life" "D2:5-11" In("model/src/ids/mod.rs"),
        "the kinds of `EntityId`"
    "the three lives" "D2:15-19" In("model/src/life.rs"),
        "`Life`"
    "whether removal is certain" "D1:15-17" In("model/claims/claims/leads.toml"),
        "the claims about what must follow, each under the assumptions of a scenario"
    "hardware that fails" "D1:18-26" In("model/src/agents/faults.rs"),
        "the fault `hardware-failure`"
    "hardware that fails unnoticed" "D1:27-30" In("model/src/agents/operator.rs"),
        "the operator, and the fault `undetected-hardware-failure`"
    "agents that neglect a duty" "D1:31-37" In("model/src/agents/neglect.rs"),
        "`[switch-off] neglected`: until the operator upgrades them, or they are redeployed"
    "aborted transactions" "D1:47-52" In("model/src/protocol.rs"),
        "an abort, after which the transaction is planned again up to a limit"
    "commands that take several transactions" "D2:35-47" In("model/src/agents/user.rs"),
        "the user's sessions of deploy and add-unit"
    "which machine a unit goes to" "D2:47" In("model/src/free_ids/mod.rs"),
        "the first machine of its series without units, or else a new one; the variant `placement` has other \
         ways"
    "series that never change" "D3:16-20" In("model/src/world/series.rs"),
        "they are constants of a scenario, so nothing can change them and nothing is claimed of it"
    "kinds without an agent" "D2:257; D2:277" In("model/src/action/mod.rs"),
        "the actors, none of which is an application or a relation"
    "jobs" "D2:371; D2:383; D2:391" In("model/src/world/mod.rs"),
        "each machine has either, both or none of the two"
    "transactions" "D2:395" In("model/src/txn/mod.rs"),
        "asserts and changes of many documents, as data"
    "the implicit endpoint juju-info" "D2:275" In("sim/scenario/src/scenario/relations.rs"),
        "no charm has to declare an endpoint, so every application has this one, too"
    "container relations" "D2:53" In("model/src/ops/enter_scope.rs"),
        "one end at least is a subordinate application, or both are"
    "who sees whom in a relation" "D4:251-256" In("model/src/world/mod.rs"),
        "`Scope`: global, container or peer"
    "a charm is its hooks" "D4:12-15; D4:143-158" In("model/src/world/charm.rs"),
        "`CharmDef`: which of the hooks a charm has"
    "hooks have names" "D4:146-150; D4:155-158" In("model/src/action/hook.rs"),
        "`HookKind`: the names of hooks"
    "what a relation hook is about" "D4:202-206; D4:211-215" In("model/src/action/hook.rs"),
        "a relation hook says which relation it is of, and all but the broken hook which unit it is about"
    "where a hook writes settings" "D4:122; D4:207-209" In("model/src/agents/charm/settings.rs"),
        "`tools`: in any relation of its unit, as a scenario shows of one relation's hook in another \
         relation; without the detail `settings` a relation hook writes in its own, any other in all"
    "whose settings a hook reads" "D4:121; D4:207-209; D4:216-218; D4:236-239"
        In("model/src/agents/charm/settings.rs"),
        "`readable`: in any relation of its unit those of the unit that it is about, of every other that is \
         seen, of those that were and have departed, and its own; scenarios show each"
    "to write what is there, and to read again" "D4:131-133; D4:319-324"
        In("model/src/agents/charm/settings.rs"),
        "`does_nothing`: a script says `=> no-op` of it; of several values that a hook writes nobody sees any but \
         the last"
    "hooks that fail because of what they have read" "D4:313-317" In("model/src/world/charm.rs"),
        "`may_fail`: a hook that may fail does so whatever it has read, so also where it missed something; \
         scenarios show that none but changed runs again for it"
    "hooks that see a mixture of times" "D4:313-317" In("model/src/rows/sighting.rs"),
        "`read`: of each unit the settings as they were when they were read first; a scenario shows old \
         ones of one unit beside new ones of another"
    "which relations and units a hook lists" "D4:123-124" In("model/src/rows/sighting.rs"),
        "`seen`: the units that its agent has seen and whose departure it has not, in the relations that it \
         knows; both change between hooks only, so what is listed once is listed again"
    "settings that are not there" "D4:287-298" In("model/src/rows/settings.rs"),
        "`written`: settings are as their unit wrote them when it entered, or have changed since, any number \
         of times; what a hook misses in those that it read was not written yet or has been deleted, and \
         nothing depends on which"

    "Constraints that are not shown" "D3:30-32" LeftOut,
        "What a document has is told here of units, too, as of any other: whoever reads it looks into the store."
    "That nobody has to build force" "D1:38-40" LeftOut,
        "It is an argument, and D2:399 has force. A scenario decides whether the user may use it."
    "settings of a relation that is gone" "D1:131-137" In("model/src/agents/charm/settings.rs"),
        "`settings.5`: no hook reads them, as they may be deleted at any time"
    "settings that nobody watches" "D1:131-137; D5:70" In("model/src/agents/startup/watch_events.rs"),
        "D1 says that nobody watches the settings of a relation that is gone, D5 that such a watch fires and \
         is ignored: a conflict. Here the watches of the older agent are set until the relation is gone with \
         the settings (`settings-are-watched-to-the-end`); no hook follows"
    "How much was built when the document was written" "D2:397" LeftOut,
        "The documents are checked, not the code of that time. Where that differed in a way that \
         is known, there is a variant."
    "Storage" "D2:219; D2:355" LeftOut,
        "It occurs only in remarks about the future."
    "The election among manager machines" "D1:72-73; D2:219" LeftOut,
        "Provisioner and cleaner run in the first manager machine whose agent runs."
    "How a transaction is applied" "D2:395; D4:262-265" LeftOut,
        "It is applied whole or not at all, and nobody sees half of it. So in which order `enter-scope` \
         writes settings and scope document can be seen only where these are two transactions \
         (`entering-scope`)."
    "What a charm deploys" "D4:71-79" LeftOut,
        "It is outside the charm directory, and nothing that is modelled depends on it."
    "Scripts that run as hooks do" "D4:81-92" LeftOut,
        "A wish. What it is about can be seen: a forced upgrade writes the directory while it is the \
         user's (`charm.4`)."
    "What hooks are told" "D4:100-107; D4:116; D4:198-201" LeftOut,
        "Names and addresses, which no rule depends on."
    "A hook process that goes on after its agent has ended" "D4:104-105; D4:321-323" LeftOut,
        "The tools of a hook speak to the agent and work through nothing else, so such a process changes \
         nothing that is shared. The agent that follows finds its hook failed (`unit-agent.17`), and runs \
         one hook at a time."
    "What hooks log" "D4:114-115" LeftOut,
        "No rule depends on it."
    "Advice to authors of charms" "D4:51-55" LeftOut,
        "What a hook does inside is its own affair: here it succeeds or fails. A hook that tries again by \
         itself is one that takes longer."
    "A status that a charm chooses for its error" "D4:57-59" LeftOut,
        "A wish. An error is there or not; the hook that failed is known."
    "Looking into a charm that misbehaves" "D4:348-350" LeftOut,
        "It is for people, and changes nothing that is shared."
    "What the resolution of a failed start is called" "D3:88-90" LeftOut,
        "The note asks whether it should be `resolved`. That is its name here (`resolved.2`)."
    "A status that says what went wrong" "D3:92-96" LeftOut,
        "An error is there or not: no rule depends on its text."
    "Two relations of one name" "D2:275" LeftOut,
        "By the convention about juju-info two relations may have one canonical name. The passage says \
         that nothing can be mistaken by it; here their names differ."
    "Taking a unit off its machine" "D2:379" LeftOut,
        "No command and no transaction of the documents does it but the removal of the unit. So a \
         principal that is no longer assigned is one that is gone, and that one is recalled."
    "The rest of destroy-model and destroy-controller" "D2:215" LeftOut,
        "The passage says of them that a machine may become Dying with its containers, which is \
         `destroy-model` here, for one machine. Applications are destroyed by `destroy-application`."
    "What commands do if not told otherwise" "D2:41" LeftOut,
        "A scenario says how many units a deployment has; one is nobody's default."
    "How commands travel" "" LeftOut,
        "A command reads the store, plans a transaction and commits it. The connection may be lost \
         between two transactions of one command."
    "Time" "" LeftOut,
        "For `check` nothing takes long or short: whatever can happen may happen next, and what is \
         bound to happen does so eventually. `simulate` draws virtual times, which decide who is \
         first and never what is possible."
    "Networks, accounts" "" LeftOut,
        "They hold none of the four kinds of entities."
    "the relations of a unit, and its role in them" "D5:33-37" In("model/src/world/mod.rs"),
        "an agent knows the relations of its application from the world, and the ends of a relation are the \
         roles: who plays which is what `World::relations_of` and the members of a relation say"
    "the three types of one hook" "D5:62; D5:66-67; D5:69" In("model/src/agents/startup/watches.rs"),
        "D5 has one hook, relation-changed, which is told a type; here joined, changed and departed are hooks \
         of their own, as in D4: a charm may have one of them and not another"
    "relations of a unit in an error state" "D5:18" In("model/src/agents/startup/workflow.rs"),
        "D5 does not say whether relation hooks run while a transition has failed. Here they do not: \
         `in_error` goes on with the startup and the record of the state only"
    "how a unit with the older agent leaves" "D5:35-70" In("model/src/agents/lifecycle/unit_agent.rs"),
        "D5 knows of no lives. Here a Dying unit leaves its scopes as D1:91 has it, and runs no hooks of a \
         relation as it leaves: broken runs in a unit that stays (D5:68)"
    "watches that are set again at the event" "D5:69" In("model/src/agents/startup/watch_events.rs"),
        "a watch on settings is set again with its event, before the hook runs; a second change before the hook \
         is read by it, so one changed hook is enough for both"
    "Relation hooks of the older agent that fail" "D5:18" LeftOut,
        "Transitions are tried again and end in error states. The passage excepts relation hooks, and D5 has \
         no state for one that failed and nobody who would resolve it. So they succeed here; what an error \
         in one holds up is asked of the later agent (D4:17-49)."
    "How long a presence node stays" "D5:20" LeftOut,
        "It is made \"as per the agent state spec\", which none of the documents is. Here it ends with the \
         process or its connection. D5:70 names a watch on it, \"the agent exists watch\", as one that \
         must have fired when settings are deleted, and breaks off; which hook would follow is not said, so \
         nothing here waits for its end."
}
