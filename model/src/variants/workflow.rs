//! The variants of the older unit agent in "Unit Agent startup" (D5).

/// Makes the table of these rows, after the given ones.
macro_rules! with_workflow {
    ($($rows:tt)*) => {
        variants! {
            $($rows)*

            error_states "error-states" ErrorStates needs ["workflow"]
            "Whether the administrator can take a unit out of an error state (D5:18 against D5:9-14)." {
                Resolved "resolved"
                    "The administrator resolves it, and the hook is run again or counts as run (D5:18).",
                Final "final"
                    "Nobody can: no transition leaves an error state (D5:9-14, taken literally).",
            }
            startup_in_error "startup-in-error" StartupInError needs ["workflow"]
            "What an agent does that starts up and finds its unit in an error state (D5:18 against D5:20)." {
                Waits "waits"
                    "It waits for the administrator (D5:18).",
                RunsTransitions "runs-transitions"
                    "It runs the transition hooks, as its unit does not run (D5:20, taken literally).",
            }
            startup_state "startup-state" StartupState needs ["workflow"]
            "Where an agent that starts up reads the state of its unit (D5:5 and D5:22 against D5:32)." {
                Disk "disk"
                    "On the unit's disk (D5:5; D5:22-24).",
                Store "store"
                    "In the store, as it retrieves its unit state from there (D5:32, taken literally).",
            }
            tries_counted "tries-counted" TriesCounted needs ["workflow"]
            "Where an agent counts how often it has tried a transition (D5:18, which does not say)." {
                InMemory "in-memory"
                    "In its memory, and those that have failed: a crash gives it as many tries again.",
                OnDisk "on-disk" fix
                    "On its disk, before each try, whether that fails or is cut short: our fix.",
            }
            replicated "replicated" Replicated needs ["workflow"]
            "When an agent records the state of its unit in the store (D5:24, beside D5:5)." {
                WhenItDiffers "when-it-differs"
                    "Whenever the store has another one and there is a connection, even after a crash (D5:24).",
                AtTransitions "at-transitions"
                    "When it changes, if there is a connection just then: what is not sent then never is (D5:5 with D5:24).",
                AtReconnection "at-reconnection"
                    "When it changes, or as soon as there is a connection again, if the process still knows.",
            }
            settings_node "settings-node" SettingsNode needs ["workflow"]
            "How an agent creates the settings node and the role node of its unit (D5:41-42, beside D4:258-265)." {
                Before "before"
                    "In two steps, the settings node first (D5:41-42).",
                WithRoleNode "with-role-node" fix
                    "In one transaction, as D4's agent does: our fix.",
            }
            established "established" Established needs ["workflow"]
            "Which units of a relation have joined run for them (D5:42, beside D5:20 and D5:70)." {
                ByRoleNode "by-role-node"
                    "Those with a role node, whether their agents run or not (D5:42).",
                WithPresence "with-presence" fix
                    "Those of them whose agents are present: our fix.",
            }
            dying_at_startup "dying-at-startup" DyingAtStartup needs ["workflow"]
            "What an agent that starts up does with a Dying unit that does not run (D5:20, beside D1:89-96)." {
                BroughtToRun "brought-to-run"
                    "It brings it to run, as any other, even if it has just stopped it (D5:20).",
                LeftAlone "left-alone" fix
                    "Nothing more than to let it go: our fix.",
            }
            seen_units "seen-units" SeenUnits needs ["workflow"]
            "Where an agent notes which units it has seen in a relation (D5:58, beside D4:223 and D4:235)." {
                InMemory "in-memory"
                    "In a variable of the process, which is lost with it (D5:58).",
                OnDisk "on-disk" fix
                    "On its disk, with the version of the settings that the last hook has read which ended, so that it compares when it starts: our fix.",
            }
            writes_without_connection "writes-without-connection" WritesWithoutConnection needs ["workflow"]
            "Where an agent that is cut off keeps what its hooks have written (D5:22-24, beside D4:134)." {
                InMemory "in-memory"
                    "In its memory until there is a connection again: a crash loses it.",
                OnDisk "on-disk" fix
                    "On its disk, as the hook exits: our fix.",
            }
            event_of_unseen "event-of-unseen" EventOfUnseen needs ["workflow"]
            "What an agent does when settings change of a unit that it has not noted as seen yet (D5:69, beside D5:67 and D4:300-304)." {
                Dropped "dropped"
                    "Nothing, even if it runs joined for that unit just then: it is not in v-1 (D5:69).",
                Kept "kept" fix
                    "It runs changed as soon as joined has run: our fix.",
            }
            found_at_startup "found-at-startup" FoundAtStartup needs ["workflow"]
            "How joined runs for units that are found at startup (D5:58 and D5:62, beside D5:67)." {
                OneByOne "one-by-one"
                    "Once for each, which is noted after that, as one that comes later (D5:67).",
                OneHook "one-hook"
                    "They are noted at once, and one hook is for all of them (D5:58 and D5:62, taken literally).",
            }
            children_and_watch "children-and-watch" ChildrenAndWatch needs ["workflow"]
            "How an agent reads who is there and sets its watch (D5:56)." {
                Together "together"
                    "In one request, as the store's own that reads and sets a watch.",
                Apart "apart"
                    "It reads first and sets the watch then, in two steps (D5:56, taken literally).",
            }
            later_units "later-units" LaterUnits needs ["workflow"]
            "Whether the settings of units are watched that come after the agent's startup (D5:57, beside D5:67)." {
                Unwatched "unwatched"
                    "They are not: only those of the units found at startup are said to be (D5:57).",
                Watched "watched" fix
                    "They are, from the joined hook on: our fix.",
            }
            watch_set_again "watch-set-again" WatchSetAgain needs ["workflow"]
            "What an agent does that sets a watch again which has fired (D5:66-67)." {
                WithItsEvent "with-its-event"
                    "It acts on the event that fired, so what happened in between it never notices (D5:66-67).",
                WithALook "with-a-look" fix
                    "It looks who is there, too, and compares: our fix.",
            }
        }
    };
}

pub(super) use with_workflow;
