//! The variants of the protocol: where the documents disagree, admit a bug or propose a fix.
//!
//! The first value of each variant is the default; the defaults together are "the documents,
//! consistently read". A scenario chooses values by name. The rows about a unit's hooks, charm,
//! relations and settings follow in `unit_agent`, and those about the older agent in `workflow`.

mod declare;
mod info;
mod unit_agent;
mod workflow;

use declare::variants;
pub use info::{VariantError, VariantInfo};
use unit_agent::with_unit_agent;
use workflow::with_workflow;

with_unit_agent! {
    relation_tracking "relation-tracking" RelationTracking
    "How a unit agent knows which relations its unit is in (D1:18-26)." {
        LocalDirectory "local-directory" "By a directory on its own disk: the known BUG.",
        LeaveWhenDetected "leave-when-detected" fix
            "As before, but a relation it has no directory for is left when it is detected: the first proposed fix.",
        RemoteScope "remote-scope" fix "By the scope documents themselves: the second proposed fix.",
        Reconciled "reconciled" fix
            "By a directory, but first it compares these with the scopes that its unit is in, and takes up again what it has no directory for (the code since April 2014).",
    }
    directory_written "directory-written" DirectoryWritten
    "When a unit agent writes the directory of a relation: the documents say only what it is for (D1:22-24)." {
        AfterEntering "after-entering" "Once it has entered the scope.",
        WithFirstRemoteUnit "with-first-remote-unit"
            "Once it sees another unit in the scope, whose membership the directory is for (the code of 2013).",
        BeforeEntering "before-entering" "Before it enters the scope (the code since April 2014).",
    }
    detected_scope "detected-scope" DetectedScope
    "How an agent leaves a scope that it has detected without a directory (D1:20-22, beside D4:329-335)." {
        LeftAfterHooks "left-after-hooks"
            "It runs the hooks of a departure first, as for any other (D4).",
        LeftAtOnce "left-at-once"
            "It leaves without hooks, as it knows of no unit that it could depart from.",
    }
    dead_while_in_scope "dead-while-in-scope" DeadWhileInScope
    "Whether a unit may be set Dead while it is in scope of a relation (D2:229 against D1:91-96)." {
        Forbidden "forbidden" "It may not (D2).",
        Allowed "allowed" "It may, and its scopes are not left when it is removed (D1).",
        AllowedAndLeftOnRemoval "allowed-and-left-on-removal" fix
            "It may, and whoever removes it first leaves its scopes (the code since November 2013).",
        AllowedAndLeftWithRemoval "allowed-and-left-with-removal"
            "It may, and the transaction that removes it leaves its scopes, each part going by what was read (the code until 2019).",
    }
    undeployed_unit_not_alive "undeployed-unit-not-alive" UndeployedUnitNotAlive
    "What a deployer does with a unit that is not Alive and not deployed (D2:355 and D2:375)." {
        Removed "removed" "It sets the unit Dead and removes it, if the rules allow (D2).",
        DeployedWhileHeld "deployed-while-held" fix
            "While the unit is in a scope or has subordinates it is deployed, so that its agent can free it: our fix.",
    }
    subordinates_of_dying_principal "subordinates-of-dying-principal" SubordinatesOfDyingPrincipal
    "Who destroys the subordinates of a Dying principal (D2:239 against D2:363-369)." {
        DestroyedByPrincipal "destroyed-by-principal" "The principal's agent (D2, Units).",
        Untold "untold" "Nobody (D2's list of agent duties, taken literally).",
    }
    container_members "container-members" ContainerMembers
    "Which container relations a subordinate takes part in (D4:251-256)." {
        Alongside "alongside" "Those with what may be deployed alongside: its principal and other subordinates.",
        WithPrincipal "with-principal" "Those with its principal's application only (the code of June 2017).",
    }
    subordinate_dies_when "subordinate-dies-when" SubordinateDiesWhen
    "Which end of a relation makes a subordinate Dying (D1:143-145 against D2:241, D2:361 and D2:339)." {
        LastRelationWithPrincipal "last-relation-with-principal"
            "That of the last Alive container relation with its principal's application (D1).",
        LastRelationOfAnyScope "last-relation-of-any-scope"
            "That of the last Alive relation with its principal's application, global ones too (D2, Units and Agents, taken literally).",
        AnyContainerRelation "any-container-relation"
            "That of any container relation it is in (D2's closing list).",
        LastContainerRelation "last-container-relation"
            "That of the last Alive container relation of its application, with whomever (the code until 2017).",
    }
    kept_subordinate "kept-subordinate" KeptSubordinate
    "What the agent of a subordinate asserts when it destroys its unit because no relation keeps it (D2:361, D1:86-87)." {
        Unasserted "unasserted"
            "Nothing: a relation that is new by then is left without a subordinate.",
        Asserted "asserted" fix "That no relation keeps it still: our fix.",
    }
    settings_cleanup "settings-cleanup" SettingsCleanup
    "Who deletes the settings documents of a removed relation (D1:130-137 against D4:339-341)." {
        NoCleaner "no-cleaner" "Nobody: the BUG in D1 and D2.",
        Cleaner "cleaner" fix "The cleaner, a task of a manager machine's agent.",
        LastLeaver "last-leaver" fix
            "Whoever removes the relation, in the same transaction (D4:339-341).",
    }
    peer_relations "peer-relations" PeerRelations
    "When the peer relations of a deployed application are created (D2:39)." {
        SeparateTransaction "separate-transaction"
            "In transactions after the application's: the BUG in D2.",
        WithApplication "with-application" fix "In the transaction that creates the application.",
    }
    done_already "done-already" DoneAlready
    "What a command to destroy does that finds its work done (D1:11-12)." {
        Noticed "noticed" "Nothing, without an error (D1).",
        Aborts "aborts" "It goes on, and aborts, as it asserts that there is something to do (the code of 2020).",
    }
    dying_relation_skipped "dying-relation-skipped" DyingRelationSkipped
    "What destroy-application asserts of a relation that is already Dying (D1:173)." {
        Asserted "asserted" "That it is Dying still: the branch is the assert.",
        Unasserted "unasserted" "Nothing: it may be another one by then (the code of 2013).",
    }
    unprovisioned_unit "unprovisioned-unit" UnprovisionedUnit
    "What destroy-unit does to a unit without a provisioned machine (D1:87 against D3:69-77)." {
        SetDying "set-dying" "It sets the unit Dying (D1 and D2).",
        RemovedDirectly "removed-directly"
            "It removes the unit if the user asks for it and its machine was never provisioned (D3, as it is today).",
        WithoutMachine "removed-directly-without-machine" "The same, and if it has no machine.",
        ByAnybody "removed-directly-by-anybody" "The same, and whoever asks for it.",
        WithoutInstance "removed-directly-without-instance"
            "The same, and if its machine has lost its instance.",
        IfFree "removed-directly-if-free" fix
            "The same, if it is in no scope; else it sets the unit Dying: our fix.",
        AssertingMore "removed-directly-asserting-more"
            "It removes the unit if its machine has no instance, and asserts that it never had one (the code until 2015).",
    }
    unprovisioned_machine "unprovisioned-machine" UnprovisionedMachine
    "What becomes of a machine that is not Alive and has no instance (D2:387 against D3:79-83)." {
        RemovedByProvisioner "removed-by-provisioner" "The provisioner removes it (D2, Agents).",
        Left "left"
            "Nothing, unless it had an instance once it was Dead (D3, as it is today: a known gap).",
        LeftWhileDying "left-while-dying"
            "Nothing while it is Dying; the provisioner removes it once it is Dead (the code of 2013).",
    }
    manager_machine "manager-machine" ManagerMachine
    "Which machines with the manage-model job are protected (D1:61 against D2:207)." {
        LastIsProtected "last-is-protected" "The last one (D1 and D2, the transactions).",
        NeverDies "never-dies" "All of them (D2, Machines).",
        LastThatRunsIsProtected "last-that-runs-is-protected" fix
            "The last one with an instance, until another has one: our fix.",
    }
    machine_with_dying_units "machine-with-dying-units" MachineWithDyingUnits
    "Whether a machine whose principal units are not Alive can be destroyed (D2:213)." {
        Refused "refused" "It cannot, for now (D2).",
        Allowed "allowed" "It can, and its agent waits for them (D2, future plans).",
    }
    model_with_containers "model-with-containers" ModelWithContainers
    "Whether a machine with containers becomes Dying when its model is destroyed (D2:215)." {
        Destroyed "destroyed" "It does, and so do its containers (D2).",
        Refused "refused" "It does not, as with a command of its own (the code until 2020).",
    }
    machine_set_dead "machine-set-dead" MachineSetDead
    "Which machine agents set their Dying machine Dead (D1:67 against D2:371 and D2:381)." {
        ByAnyAgent "by-any-agent" "That of any machine (D1, and D2, Machines).",
        ByAgentsThatHostUnits "by-agents-that-host-units"
            "Those of machines with the host-units job (D2's list of agent duties, taken literally).",
    }
    units_of_dying_application "units-of-dying-application" UnitsOfDyingApplication
    "Who destroys the units of a Dying application (D1:185-187)." {
        Agents "agents" "Each unit's own agent (D1 and D2).",
        AgentsAndCleanup "agents-and-cleanup" "The cleaner as well (the code since mid-2013).",
    }
    unit_assignment "unit-assignment" UnitAssignment
    "When a new unit gets its machine (D2:41-47)." {
        SeparateTransaction "separate-transaction"
            "In a transaction after the one that creates it.",
        WithUnit "with-unit" fix "In the transaction that creates it: our fix.",
    }
    clean_machine "clean-machine" CleanMachine
    "Whether a unit's assignment asserts that its machine is still without units (D2:47)." {
        Unasserted "unasserted"
            "It does not: two users can put two units on a machine that was clean (D2).",
        Asserted "asserted" fix "It does, and so a machine never has two units: our fix.",
    }
    placement "placement" Placement
    "Which machine a new unit gets (D2:47, D3:16-20, D3:50-56)." {
        CleanMachine "clean-machine"
            "The first of its series without units, whatever its constraints, or else a new one (D2, of ec2).",
        SatisfyingMachine "clean-machine-that-satisfies" fix
            "The same, if that machine has what the unit's constraints ask for: our fix.",
        AnySeries "clean-machine-of-any-series"
            "The first without units, whatever its series: D2:47, taken literally.",
        NewMachine "new-machine" "Always a new one.",
        AnyMachine "any-machine" "Any without units, or any new one, as a provider likes (D2).",
    }
    constraints_captured "constraints-captured" ConstraintsCaptured needs ["constraints"]
    "When a unit captures the constraints of its application and the model (D3:38-43, D3:57-59)." {
        AsCreated "as-created"
            "As it is created: those that are in force at the commit (D3).",
        AsRead "as-read"
            "As it is created, but those that were read when that was planned, of which nothing is asserted.",
        WithMachine "with-machine"
            "When its machine is made, as D3:57-59 warns against.",
    }
    machine_constraints "machine-constraints" MachineConstraints
    "Whether a unit's assignment asserts that its machine has what the unit asks for (D3:44-45 beside D3:102-106)." {
        Unasserted "unasserted"
            "It does not: what was read of the machine may have been replaced by the commit (D3).",
        Asserted "asserted" fix
            "It does, and a unit goes to no machine that has less: our fix.",
    }
    forced_unit "forced-unit" ForcedUnit
    "How far force takes a unit (D2:399)." {
        SetDead "set-dead" "It is set Dead, and its deployer removes it (D2).",
        Removed "removed" fix
            "The cleaner removes it as well: our fix, and what the code does since 2019.",
        SetDeadIfAlive "set-dead-if-alive"
            "As first, but nothing is done about one that is Dying already (the code of 2019).",
    }
    forced_machine "forced-machine" ForcedMachine
    "What a machine is while it is being forced (D2:215, D2:399)." {
        StaysAlive "stays-alive"
            "Alive until it is empty, so units can still be assigned to it.",
        DyingAtOnce "dying-at-once" fix "Dying from the start: our fix.",
        Removed "removed"
            "As first, and then the cleaner removes its document (the code of 2013).",
    }
    dying_machine_without_instance "dying-machine-without-instance" DyingMachineWithoutInstance
    "Whether an instance is started for a Dying machine (D2:219 against D3:4-7)." {
        NotStarted "not-started" "It is not (D2, for now).",
        StartedWhileInUse "started-while-in-use" fix
            "It is while the machine has units or containers: our fix, and what D2 muses about.",
        Started "started" "It is, as for every machine that is not Dead (D3:4-7).",
    }
    failed_start "failed-start" FailedStart needs ["provisioning"]
    "What a failed start of an instance leaves in the machine's document (D3:69-83 against D3:92-96)." {
        ErrorStatus "error-status" "An error, and it is tried again only once that is resolved (D3, as planned).",
        TriedAgain "tried-again" "Nothing, and it is tried again and again (D3, as it is today).",
    }
    resolved_start "resolved-start" ResolvedStart needs ["provisioning"]
    "What the user does about a machine of which no instance can start (D3:98-100 against D3:102-106)." {
        AsItIs "as-it-is" "It is tried again as it is, as after an error that passes (D3:98-100).",
        WithOtherConstraints "with-other-constraints"
            "It gets other constraints, for which the provider has hardware (D3:102-106).",
    }
    stray_instance "stray-instance" StrayInstance needs ["provisioning"]
    "Which instances of a machine the provisioner takes for strays (D3:4-7)." {
        Unrecorded "unrecorded" "All that no document records, whoever has started them (D3).",
        Superseded "superseded" fix
            "Those of which the document names another start than theirs, or none; instances are listed before the documents are read: our fix.",
        DocumentsFirst "superseded-by-what-was-read"
            "The same, but the documents are read before the instances are listed.",
    }
    superseded_start "superseded-start" SupersededStart needs ["provisioning"]
    "What the provider does about a start that another one has superseded, where starts have names (D3:92-100)." {
        Performed "performed" "It starts an instance, as for any other (D3).",
        Refused "refused" fix
            "It refuses to start one, once it was asked for the other (fencing): our fix.",
    }
    unrecorded_instance "unrecorded-instance" UnrecordedInstance needs ["provisioning"]
    "When the agent on a machine's instance runs (D3:4-7)." {
        AgentWaits "agent-waits" "Once its instance is recorded: our resolution.",
        AgentRuns "agent-runs" "At once, as instances have agents (D3).",
    }
    agent_upgrade "agent-upgrade" AgentUpgrade
    "Which agents an upgrade cures of neglecting duties (D1:33-35 against D1:35-37)." {
        InPlace "in-place" "All, where they are (D1:33-35).",
        OnFreshSystems "on-fresh-systems"
            "None that runs: the new version comes with instances that are started afterwards, so the operator terminates the hardware of agents that neglect a duty (D1:35-37).",
    }
    counterpart_removal "counterpart-removal" CounterpartRemoval
    "Whether the last unit to leave a Dying relation asserts why the counterpart application stays (D1:161-163)." {
        Asserted "asserted" "It does: the branch is the assert.",
        Unasserted "unasserted" "It decrements whatever happened since (the code of January 2013).",
    }
    last_unit_removal "last-unit-removal" LastUnitRemoval
    "What keeps a Dying application when one of its units is removed (D1:110-112)." {
        UnitsOrRelations "units-or-relations"
            "Another unit, or a relation (D1).",
        UnitsOnly "units-only"
            "Another unit; with a relation alone the removal aborts (the code of January 2013).",
        NeverRemoved "never-removed" "Nothing has to: it loses the unit and stays (the code before D1).",
    }
}

#[cfg(test)]
mod tests;
