//! The variants of the unit agent in "Charms in action" (D4): hooks, charm, relations and settings.

/// Makes the table of these rows, after the given ones.
macro_rules! with_unit_agent {
    ($($rows:tt)*) => {
        with_workflow! {
            $($rows)*

            resolved_by_default "resolved-by-default" ResolvedByDefault
            "How the operator resolves a hook error (D4:41-49)." {
                Skip "skip"
                    "The hook counts as run (D4:47-49, as its author feels it is).",
                Retry "retry"
                    "The hook is run again (D4:41-43).",
                Chosen "chosen"
                    "The one or the other, as the operator chooses.",
            }
            resolved_request "resolved-request" ResolvedRequest needs ["hooks"]
            "When the agent clears the operator's request to resolve a hook error, which is in the store (D4:36-49)." {
                AtOnce "at-once"
                    "As it acts on it, in one step.",
                ClearedAfter "cleared-after"
                    "After it has acted on it: a crash can come between.",
                ClearedBefore "cleared-before" fix
                    "Before it acts on it; if a crash comes between, the operator asks again: our fix, as long as the hardware lasts that has the error.",
            }
            dying_before_start "dying-before-start" DyingBeforeStart needs ["hooks"]
            "What a unit that becomes Dying before it is started does with its first hooks (D4:182-189)." {
                FinishesStarting "finishes-starting"
                    "It runs them all, then goes (D4:182).",
                StopsAtOnce "stops-at-once"
                    "It runs none of them any more, and goes.",
            }
            recovery_config_changed "recovery-config-changed" RecoveryConfigChanged needs ["hooks"]
            "When an agent that has restarted runs config-changed again (D4:167)." {
                WhenIdle "when-idle"
                    "Once its unit is started, whenever no other hook runs.",
                AtOnce "at-once"
                    "Before all else, once its unit is installed (D4:166-167, taken literally).",
            }
            hook_record "hook-record" HookRecord needs ["hooks", "workflow"]
            "Who records that a hook has run (D4:36-39, D5:5, D5:66-67)." {
                ByAgent "by-agent"
                    "The agent, after the hook has exited: a crash can come between (D4:36-39; D5:66-67).",
                WithExit "with-exit" fix
                    "The hook's own process, as it exits: our fix.",
            }
            hook_decision "hook-decision" HookDecision needs ["hooks"]
            "On which view of the store a unit's agent begins a hook (D4:17-18, beside D1:141-142 and D4:315-317)." {
                CurrentView "current-view"
                    "On the store as it is: it looks and begins in one step.",
                LateView "late-view"
                    "On the store as it was when it looked: it decides on a hook in one step and begins it in the next, whatever has changed meanwhile.",
            }
            forced_upgrade "forced-upgrade" ForcedUpgrade needs ["charm"]
            "Whether upgrade-charm and config-changed run after a forced upgrade of a unit that is in no error (D4:174-177)." {
                RunsHooks "runs-hooks"
                    "They do, as after any other upgrade.",
                RunsNone "runs-none"
                    "They do not, as after one from an error.",
            }
            hooks_before_force "hooks-before-force" HooksBeforeForce needs ["charm"]
            "What becomes of an upgrade's hook that failed, and of the next one, if the charm is upgraded by force from that error (D4:173-174 beside D4:174-177)." {
                StillRun "still-run"
                    "They are those of the upgrade before, and run when the operator resolves the error.",
                Dropped "dropped"
                    "Neither runs any more, as no hook follows a forced upgrade from an error (taken literally).",
            }
            upgrade_again "upgrade-again" UpgradeAgain needs ["charm"]
            "What a second command to upgrade a charm makes of an upgrade that is due (D4:173-177)." {
                LastDecides "last-decides"
                    "What it would make of none: without force it takes the force of the first away.",
                ForceStays "force-stays" fix
                    "If that is forced, both are due: the forced charm is written in an error, too, and the newer one when there is none, with its hooks. It takes an older charm that is kept: our fix.",
            }
            early_upgrade "early-upgrade" EarlyUpgrade needs ["charm"]
            "Whether a charm is upgraded between the first hooks of a unit (D4:165-171 beside D4:173-174)." {
                AfterStart "after-start"
                    "It is not: config-changed follows install immediately, and start follows that.",
                BetweenHooks "between-hooks"
                    "It is, as at any time when the directory is the agent's; upgrade-charm follows the upgrade immediately (D4:66-69, taken literally).",
            }
            dying_unit_upgrade "dying-unit-upgrade" DyingUnitUpgrade needs ["charm"]
            "Whether a Dying unit that is in no error is upgraded (D4:173-174 beside D4:329-335)." {
                LeftOut "left-out"
                    "It is not, as it leaves.",
                AsAnyOther "as-any-other"
                    "It is, until it has stopped.",
            }
            hook_ports "hook-ports" HookPorts needs ["charm"]
            "When the port changes that a hook opens or closes (D4:137-138)." {
                AtOnce "at-once"
                    "At once, whatever becomes of the hook: the known BUG lp:1089304.",
                OnSuccess "on-success" fix
                    "When the hook succeeds, as with what it writes by relation-set (D4:134-136).",
            }
            ports_of_removed_unit "ports-of-removed-unit" PortsOfRemovedUnit needs ["charm"]
            "What becomes of the open port of a unit that is removed (D4:117-119, D4:137-138)." {
                LeftOpen "left-open"
                    "It stays open, as only hooks close ports.",
                ClosedWithUnit "closed-with-unit" fix
                    "It is closed by whoever removes the unit, as Juju always did.",
            }
            agent_in_error "agent-in-error" AgentInError
            "What an agent does while a hook error is not resolved (D4:21-22, D1:93-95)." {
                Suspended "suspended"
                    "Nothing.",
                StillDeploysSubordinates "still-deploys-subordinates"
                    "It still deploys, recalls and removes its unit's subordinates.",
            }
            entering_scope "entering-scope" EnteringScope needs ["relations"]
            "How a unit enters a scope where its settings are documents of their own (D4:258-265)." {
                OneTransaction "one-transaction"
                    "In one transaction, with its settings.",
                TwoTransactions "two-transactions"
                    "In two: its settings are written first (D4:258-265, taken literally).",
            }
            changed_after_joined "changed-after-joined" ChangedAfterJoined needs ["relations"]
            "Whether changed follows joined for a unit that departs in between (D4:225-233 against D4:235-236)." {
                Always "always"
                    "It does (D4:225-227).",
                UnlessDeparted "unless-departed"
                    "It does not: the departed hook runs at once.",
            }
            members_known "members-known" MembersKnown needs ["relations"]
            "How an agent knows whom it has seen in a relation (D4:223, D4:235)." {
                ByName "by-name"
                    "By name, so that it does not notice who has left and come back while it was busy (D4).",
                ByStay "by-stay" fix
                    "By the scope document, which is another one when a unit comes back: our fix.",
            }
            hook_reads "hook-reads" HookReads needs ["charm", "settings"]
            "What a hook reads that has read it before (D4:131-133)." {
                Cached "cached"
                    "The same again (D4).",
                Fresh "fresh"
                    "What is there now.",
                KeyByKey "key-by-key"
                    "Each value as it was when that was read first, so two of one unit may be of different times (D4:129-133, taken literally).",
            }
            hook_writes "hook-writes" HookWrites needs ["settings"]
            "When others see what a hook has written (D4:134-136)." {
                FlushedOnSuccess "flushed-on-success"
                    "Once the hook has succeeded (D4).",
                AtOnce "at-once"
                    "At once, like ports (D4:137-138).",
            }
            sandbox_order "sandbox-order" SandboxOrder needs ["settings"]
            "In which order a hook's writes go to the store and the record that it has run to the disk (D4:134-136 beside D4:36-39)." {
                FlushFirst "flush-first"
                    "The writes first: after a crash in between a hook counts as failed whose writes are seen.",
                RecordFirst "record-first"
                    "The record first: a crash in between loses the writes of a hook that counts as run.",
                RecordWithBuffer "record-with-buffer" fix
                    "The record first, with the writes in it, which are flushed again after a crash: our fix, as long as the disk lasts.",
            }
        }
    };
}

pub(super) use with_unit_agent;
