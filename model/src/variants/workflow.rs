//! The variants of the older unit agent, that of "Unit Agent startup" (D5).

/// Makes the table of these rows, after the ones that are given.
macro_rules! with_workflow {
    ($($rows:tt)*) => {
        variants! {
            $($rows)*

            error_states "error-states" ErrorStates
            "Whether the administrator can take a unit out of an error state (D5:18 against D5:9-14)." {
                Resolved "resolved"
                    "The administrator resolves it, and the hook is run again or counts as run (D5:18).",
                Final "final"
                    "Nobody can: no transition leaves an error state (D5:9-14, taken literally).",
            }
            startup_in_error "startup-in-error" StartupInError
            "What an agent does that starts up and finds its unit in an error state (D5:18 against D5:20)." {
                Waits "waits"
                    "It waits for the administrator (D5:18).",
                RunsTransitions "runs-transitions"
                    "It runs the transition hooks, as its unit does not run (D5:20, taken literally).",
            }
            startup_state "startup-state" StartupState
            "Where an agent that starts up reads the state of its unit (D5:5 and D5:22 against D5:32)." {
                Disk "disk"
                    "On the unit's disk (D5:5; D5:22-24).",
                Store "store"
                    "In the store, as it retrieves its unit state from there (D5:32, taken literally).",
            }
            dying_at_startup "dying-at-startup" DyingAtStartup
            "What an agent that starts up does with a Dying unit that does not run (D5:20, beside D1:89-96)." {
                BroughtToRun "brought-to-run"
                    "It brings it to run, as any other, even if it has just stopped it (D5:20).",
                LeftAlone "left-alone" fix
                    "Nothing more than to let it go: our fix.",
            }
        }
    };
}

pub(super) use with_workflow;
