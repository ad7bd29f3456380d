//! The acts of each actor besides transactions: a row for each act.

use crate::{
    actor::{Agent, Client},
    ids::{ApplicationId, Constraints, MachineId, RelationId, UnitId, UserId},
    table::rows,
};

/// Makes something of the rows of the acts of the agent of a unit: variant, parameters, verb,
/// example, meaning, and what does the act, in the file of the duty.
macro_rules! with_unit_acts {
    ($make:ident) => {
        $make! {
            Deploy(unit: UnitId) "deploy-unit" "deploy-unit nrpe/0"
                "Install the agent of a subordinate."
                by deployer::deploy_subordinate;
            Recall(unit: UnitId) "recall-unit" "recall-unit nrpe/0"
                "Take the agent of a subordinate away."
                by deployer::recall_subordinate;
            WriteDirectory(relation: RelationId) "write-directory"
                "write-directory wordpress:db mysql:server"
                "Write the directory of a relation whose scope was entered."
                by scopes::write_directory;
            Rejoin(relation: RelationId) "rejoin" "rejoin wordpress:db mysql:server"
                "Take part in a relation again whose scope the unit is in, without a directory yet."
                by scopes::rejoin;
            DropDirectory(relation: RelationId) "drop-directory"
                "drop-directory wordpress:db mysql:server"
                "Delete the directory of a relation that somebody else left on the unit's behalf."
                by scopes::drop_directory;
            PutSettings(relation: RelationId) "put-settings" "put-settings wordpress:db mysql:server"
                "Write the unit's first settings in a relation whose scope it enters next."
                by settings::put_first;
            ReadSettings(other: UnitId, relation: RelationId) "relation-get"
                "relation-get mysql/0 wordpress:db mysql:server"
                "The hook that runs reads the settings of another unit, or of its own."
                by settings::read;
            WriteSettings(relation: RelationId) "relation-set" "relation-set wordpress:db mysql:server"
                "The hook that runs writes its unit's settings."
                by settings::write_in_hook;
            Flush(relation: RelationId) "flush-settings" "flush-settings wordpress:db mysql:server"
                "What the hook has written goes to the store."
                by settings::flush;
            FindFailed "find-failed-hook" "find-failed-hook"
                "Treat a hook that was cut short as one that failed."
                by hook_failures::find_failed;
            ObeyRequest "obey-request" "obey-request"
                "Act on the operator's request to resolve the hook error."
                by requests::obey;
            ClearRequest "clear-request" "clear-request"
                "Clear the operator's request to resolve a hook error, in the store."
                by requests::clear;
            WriteCharm "write-charm" "write-charm"
                "Write the charm directory, where nothing can come between."
                by directory::write;
            BeginCharm "begin-charm" "begin-charm"
                "Begin to write the charm directory."
                by directory::begin;
            EndCharm "end-charm" "end-charm"
                "Have the charm directory written."
                by directory::end;
            OpenPort "open-port" "open-port"
                "Open the unit's port, for the hook that runs."
                by ports::open;
            ClosePort "close-port" "close-port"
                "Close the unit's port, for the hook that runs."
                by ports::close;
            GetConfig "config-get" "config-get"
                "The hook that runs reads the configuration."
                by config::get;
            EstablishPresence "establish-presence" "establish-presence"
                "Create the presence node of the agent."
                by workflow::establish_presence;
            ReadState "read-state" "read-state"
                "Read the state of the unit, with which the workflow goes on."
                by workflow::read_state;
            Replicate "replicate" "replicate"
                "Record the state of the workflow in the store."
                by workflow::replicate;
            FindUnits(relation: RelationId) "find-units" "find-units wordpress:db mysql:server"
                "Read who is there in a relation, before the watch is set."
                by watches::find_units;
            Watch(relation: RelationId) "watch" "watch wordpress:db mysql:server"
                "Set the watches in a relation, and look who is there."
                by watches::watch;
            Reconnect "reconnect" "reconnect"
                "Find a connection to the store again."
                by workflow::reconnect;
        }
    };
}

macro_rules! unit_acts {
    ($($variant:ident $(($($parameter:ident: $type:ident),+))?
        $verb:literal $example:literal $meaning:literal by $file:ident::$does:ident;)+) => {
        rows! {
            /// An act of the agent of a unit.
            UnitAct {
                $($variant $(($($parameter: $type),+))? $verb $example $meaning)+
            }
        }
    };
}

with_unit_acts!(unit_acts);
pub(crate) use with_unit_acts;

rows! {
    /// The work of a unit's charm for its agent. It takes its time, and may fail.
    Hook {
        Departure(relation: RelationId) "run-hooks" "run-hooks wordpress:db mysql:server"
            "Run the hooks of a departure from a relation."
        Stop "run-stop-hook" "run-stop-hook"
            "Run the stop hook, once the unit has left all relations."
        Install "run-install-hook" "run-install-hook"
            "Run the install hook, before any other hook."
        ConfigChanged "run-config-changed-hook" "run-config-changed-hook"
            "Run the config-changed hook."
        Start "run-start-hook" "run-start-hook"
            "Run the start hook, after the first config-changed hook."
        UpgradeCharm "run-upgrade-charm-hook" "run-upgrade-charm-hook"
            "Run the upgrade-charm hook, after the charm directory was upgraded."
        Joined(other: UnitId, relation: RelationId) "run-joined-hook"
            "run-joined-hook mysql/0 wordpress:db mysql:server"
            "Run the joined hook for another unit that is seen in a relation for the first time."
        Changed(other: UnitId, relation: RelationId) "run-changed-hook"
            "run-changed-hook mysql/0 wordpress:db mysql:server"
            "Run the changed hook for another unit that has joined, or changed its settings."
        Departed(other: UnitId, relation: RelationId) "run-departed-hook"
            "run-departed-hook mysql/0 wordpress:db mysql:server"
            "Run the departed hook for another unit that is no longer related."
        Broken(relation: RelationId) "run-broken-hook" "run-broken-hook wordpress:db mysql:server"
            "Run the broken hook, before leaving a relation in which nobody is seen any more."
    }
}

rows! {
    /// An act of the agent of a machine.
    MachineAct {
        Deploy(unit: UnitId) "deploy-unit" "deploy-unit wordpress/0"
            "Install the agent of a principal."
        Recall(unit: UnitId) "recall-unit" "recall-unit wordpress/0"
            "Take the agent of a principal away."
    }
}

rows! {
    /// An act of the provisioner.
    ProvisionerAct {
        ReadMachine(machine: MachineId) "read-machine" "read-machine 1"
            "Read the document of a machine that is to have an instance."
        NameStart(machine: MachineId) "name-start" "name-start 1"
            "Name the next start of a machine in its document, unless that has changed."
        StartInstance(machine: MachineId) "start-instance" "start-instance 1"
            "Start an instance for a machine."
        Decommission(machine: MachineId) "decommission" "decommission 1"
            "Give a machine's instance back."
        StopStray(machine: MachineId) "stop-stray" "stop-stray 1"
            "Stop the instances of a machine that no document records."
        FindFailed(machine: MachineId) "find-failed-start" "find-failed-start 1"
            "See that the start of an instance has failed."
        RecordLate(machine: MachineId) "record-late" "record-late 1"
            "As a former provisioner, record the instance that it has started."
        NameLate(machine: MachineId) "name-late" "name-late 1"
            "As a former provisioner, name the start of a machine that it has read."
        StartLate(machine: MachineId) "start-late" "start-late 1"
            "As a former provisioner, start an instance for a machine that it has read."
        FailLate(machine: MachineId) "fail-late" "fail-late 1"
            "As a former provisioner, see that the start of an instance has failed."
        WriteErrorLate(machine: MachineId) "write-error-late" "write-error-late 1"
            "As a former provisioner, write that a start has failed."
    }
}

impl ProvisionerAct {
    /// Whether it is one of a former provisioner, which owes nothing.
    pub fn is_late(self) -> bool {
        match self {
            Self::RecordLate(_)
            | Self::NameLate(_)
            | Self::StartLate(_)
            | Self::FailLate(_)
            | Self::WriteErrorLate(_) => true,
            Self::ReadMachine(_)
            | Self::NameStart(_)
            | Self::StartInstance(_)
            | Self::Decommission(_)
            | Self::StopStray(_)
            | Self::FindFailed(_) => false,
        }
    }
}

rows! {
    /// An act of the cleaner.
    CleanerAct {
        DeleteSettings(relation: RelationId) "delete-settings"
            "delete-settings wordpress:db mysql:server"
            "Delete the settings documents of a removed relation, and the cleanup document."
        FinishUnitsCleanup(application: ApplicationId) "finish-units-cleanup"
            "finish-units-cleanup wordpress"
            "Delete the cleanup document of an application whose units are all destroyed."
    }
}

rows! {
    /// A fault.
    Fault {
        Crash(agent: Agent) "crash" "crash unit-agent wordpress/0"
            "An agent's process ends."
        FailHardware(machine: MachineId) "fail-hardware" "fail-hardware 1"
            "The hardware of a machine fails, and the provisioner notices."
        FailHardwareUnnoticed(machine: MachineId) "fail-hardware-unnoticed"
            "fail-hardware-unnoticed 1"
            "The hardware of a machine fails, and nobody notices."
        FailHooks(unit: UnitId, relation: RelationId) "fail-hooks"
            "fail-hooks wordpress/0 wordpress:db mysql:server"
            "A hook about a relation fails, or the hooks of a departure where they have no names."
        FailStopHook(unit: UnitId) "fail-stop-hook" "fail-stop-hook wordpress/0"
            "The stop hook fails."
        FailUnitHook(unit: UnitId) "fail-unit-hook" "fail-unit-hook wordpress/0"
            "A hook that is about no relation fails, other than the stop hook."
        AbortTxn(client: Client) "abort-transaction" "abort-transaction user"
            "A transaction pending aborts for no reason of ours."
        FailStart(machine: MachineId) "fail-start" "fail-start 1"
            "The start of an instance fails."
        TimeOutStart(machine: MachineId) "time-out-start" "time-out-start 1"
            "The start of an instance times out and counts as failed, and the instance comes up."
        FailOver(machine: MachineId) "fail-over" "fail-over 1"
            "Another provisioner takes over while this one still starts an instance."
        LoseConnection(user: UserId) "lose-connection" "lose-connection"
            "A user's connection is lost between two transactions of one command."
        Disconnect(unit: UnitId) "disconnect" "disconnect wordpress/0"
            "The connection of a unit's agent is lost."
        Reboot(machine: MachineId) "reboot" "reboot 1"
            "A machine is rebooted: the processes of all agents on it end at once."
    }
}

rows! {
    /// An act of the operator.
    OperatorAct {
        Resolve(unit: UnitId) "resolve" "resolve wordpress/0"
            "A hook error is resolved: the hook counts as run."
        Retry(unit: UnitId) "resolve-by-retry" "resolve-by-retry wordpress/0"
            "A hook error is resolved: the hook is run again."
        Terminate(machine: MachineId) "terminate" "terminate 1"
            "Hardware that failed unnoticed is terminated out of band."
        Replace(machine: MachineId) "replace" "replace 1"
            "Hardware is terminated out of band because an agent on it neglects a duty."
        ResolveStart(machine: MachineId) "resolve-start" "resolve-start 1"
            "A failed start is resolved: the provisioner tries again."
        ResolveStartWith(machine: MachineId, constraints: Constraints) "resolve-start-with"
            "resolve-start-with 1 mem=2G"
            "A failed start is resolved, and the machine gets other constraints: the provisioner tries again."
        Upgrade "upgrade" "upgrade"
            "The agents that neglect a duty are upgraded."
    }
}

rows! {
    /// An act of the supervisor.
    SupervisorAct {
        Restart(agent: Agent) "restart" "restart unit-agent wordpress/0"
            "A crashed agent's process starts again."
    }
}
