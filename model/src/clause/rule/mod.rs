//! The rules of the protocol, each with its clauses: a row for each.

mod declare;

use declare::rules;

rules! {
    Deploy "deploy" "ops/deploy.rs" {
        1 "No application of that name may exist, whatever its life." "D1:42-45; D2:37; D2:79; D2:255"
        2 "Create the application, Alive, and its settings document." "D2:35; D2:255"
        3 "Create a peer relation for each peer endpoint of the charm." "D2:39"
        4 "If the command names constraints, its charm must not be a subordinate one." "D3:61-64"
        5 "If the command names constraints, the application has them from the start." "D3:50-56"
    }
    AddUnit "add-unit" "ops/add_unit.rs" {
        1 "The application must be a principal one." "D2:47"
        2 "The application must be Alive; it gains a unit." "D2:49; D2:261"
        3 "Create the unit, Alive." "D2:41; D2:47; D2:223"
        4 "Where the variant says so, the unit gets its machine in the same transaction." "our resolution, beside D2:41-47"
        5 "Where it gets its machine so, the machine must have the series of its application." "D3:16-20"
        6 "The unit captures its constraints: of each key the application's, else the model's, else none." "D3:38-43; D3:50-59"
        7 "Where it gets its machine so and that is new, the machine copies the unit's constraints." "D3:44-45"
        8 "Where it gets its machine so and the variant says so, a machine that is there must have what the unit asks for." "our resolution, beside D3:44-45"
    }
    AddMachine "add-machine" "ops/add_machine.rs" {
        1 "Create the machine, Alive." "D2:205; D3:46-48"
        2 "A container's host must be Alive, and lists it." "our resolution, beside D2:215"
        3 "The machine copies the model's constraints." "D3:46-48"
    }
    AssignUnit "assign-unit" "ops/assign_unit.rs" {
        1 "The unit must be Alive and a principal, and not be assigned yet." "D2:225"
        2 "The machine must be Alive, have the host-units job and, where the variant says so, no units; it lists the unit." "D2:47; D2:209"
        3 "If the machine does not exist yet, create it in the same transaction." "D2:43; D2:47"
        4 "The machine must have the series of the unit's application." "D3:16-20"
        5 "A machine that is new copies the unit's constraints." "D3:44-45"
        6 "Where the variant says so, the unit captures its constraints when its machine is made." "D3:57-59"
        7 "Where the variant says so, a machine that is there must have what the unit asks for." "our resolution, beside D3:44-45"
    }
    Integrate "integrate" "ops/integrate.rs" {
        1 "Both applications must be Alive; each gains a relation." "D2:55; D2:261"
        2 "No identical relation may exist, whatever its life; create it, Alive." "D1:42-45; D2:79; D2:273; D2:279"
        3 "A peer relation comes with its application only: refuse." "D2:39"
        4 "In a container scope both applications must have one series." "D3:22-25"
    }
    EnterScope "enter-scope" "ops/enter_scope.rs" {
        1 "The unit must be Alive." "D2:57; D2:227"
        2 "The relation must be Alive; it gains a unit in scope." "D2:57; D2:227; D2:281"
        3 "Write the unit's settings, so that they are there before anybody looks." "D4:262-264"
        4 "Create the scope document; if it is there already, nothing is to be done." "D2:281; D4:265"
        5 "A principal that finds no subordinate of the other application creates one." "D2:53; D2:57; D2:349"
        6 "A principal whose subordinate is not Alive does not enter until it is gone." "our resolution, beside D2:53"
        7 "The relation must concern the unit." "D2:57; D2:281; D4:251-256"
        8 "The subordinate captures no constraints." "D3:61-64"
    }
    LeaveScope "leave-scope" "ops/leave_scope.rs" {
        1 "Delete the unit's scope document." "D1:141-142; D2:161; D2:287"
        2 "Unless the relation is Dying and this is its last unit, it loses one unit in scope." "D1:147-148; D2:165"
        3 "The relation's last unit takes one relation from its own application." "D1:153-158; D2:167-169"
        4 "The relation's last unit deletes the Dying relation." "D1:147-148; D1:159; D2:165; D2:171; D2:289"
        5 "The relation's last unit marks the settings documents for cleanup, or deletes them where the variant says so." "D1:160; D2:173; D4:339-341"
        6 "The counterpart application, if Alive or with a unit or with another relation, loses one relation; otherwise it is removed." "D1:153-154; D1:161-163; D2:167; D2:175; D2:269; D2:291"
    }
    DestroyMachine "destroy-machine" "ops/destroy_machine.rs" {
        1 "If the machine is not Alive, there is nothing to do." "D1:11-12; D1:60; D2:65; D2:87"
        2 "If it is the last one with the manage-model job, refuse." "D1:61-62; D2:89; D2:207"
        3 "If it has units assigned, refuse." "D1:61-62; D2:89; D2:211; D2:213; D2:331"
        4 "If it has containers, refuse." "D2:215"
        5 "Set the machine to Dying." "D1:63; D2:91; D2:213"
    }
    DestroyModel "destroy-model" "ops/destroy_model.rs" {
        1 "The machine becomes Dying as in destroy-machine, but containers are no obstacle." "D2:215"
        2 "So do its containers, which are those that were read." "our resolution, beside D2:215"
    }
    DestroyUnit "destroy-unit" "ops/destroy_unit.rs" {
        1 "If the unit is not Alive, there is nothing to do." "D1:11-12; D1:86; D2:65; D2:113"
        2 "Set the unit to Dying." "D1:87; D2:115; D2:229-233"
        3 "A unit without a provisioned machine can be removed directly." "D3:69-77"
        4 "The user cannot destroy a subordinate." "D2:233; D2:335"
        5 "Where the variant says so, a subordinate that its own agent destroys is kept by no relation." "our resolution, beside D2:241; D2:361"
    }
    DestroyRelation "destroy-relation" "ops/destroy_relation.rs" {
        1 "If the relation is not Alive, there is nothing to do." "D1:11-12; D1:120; D2:65; D2:143"
        2 "A peer relation goes with its application only: refuse." "D2:39"
        3 "If any unit is in scope, set the relation to Dying." "D1:121; D2:145; D2:283"
        4 "Otherwise each application loses one relation, except one that is being destroyed." "D1:122-128; D2:147-151"
        5 "Otherwise delete the relation." "D1:13-14; D1:129; D2:67; D2:153; D2:285"
        6 "Otherwise mark the settings documents for cleanup, or delete them where the variant says so." "D1:130-137; D2:155-157; D4:339-341"
    }
    DestroyApplication "destroy-application" "ops/destroy_application.rs" {
        1 "If the application is not Alive, there is nothing to do." "D1:11-12; D1:171; D2:65; D2:181"
        2 "It is in the relations that were read, and in no others." "D1:172; D2:183"
        3 "A relation that is Dying already is skipped." "D1:173; D2:185"
        4 "A relation that is Alive is destroyed; its removal is counted." "D1:174-176; D2:187; D2:263; D2:283; D2:337"
        5 "If it has units, or more relations than were removed, it becomes Dying and loses the removed ones." "D1:177-181; D2:189"
        6 "Otherwise it is removed." "D1:13-14; D1:182-183; D2:67; D2:191; D2:265"
        7 "Ask the cleaner to destroy its units, where there is one for that." "our resolution, beside D1:187"
    }
    SetUnitDead "set-unit-dead" "ops/set_unit_dead.rs" {
        1 "Set the unit to Dead." "D1:96; D2:121; D2:249"
        2 "No unit may be subordinate to it." "D2:229"
        3 "It may be in no scope." "D2:229"
    }
    SetMachineDead "set-machine-dead" "ops/set_machine_dead.rs" {
        1 "Set the machine to Dead." "D1:67; D2:95; D2:217"
        2 "It may have no containers." "D2:217"
        3 "It may have no units." "D2:211; D2:217"
        4 "Where the variant says so, a manager stays until another one has an instance." "our resolution, beside D1:61-62"
    }
    RemoveMachine "remove-machine" "ops/remove_machine.rs" {
        1 "If the machine is not Dead, refuse." "D1:77; D2:105"
        2 "Delete the machine document; a container leaves its host's list." "D1:78; D2:107"
    }
    RemoveUnit "remove-unit" "ops/remove_unit.rs" {
        1 "Unassign a principal from its machine." "D1:107; D2:131"
        2 "Unassign a subordinate from its principal." "D1:108; D2:133"
        3 "Delete the Dead unit's document." "D1:101-103; D1:109; D2:127; D2:135"
        4 "If its application is Alive, or has another unit, or is in a relation, it loses one unit; otherwise it is removed." "D1:110-112; D2:137; D2:267"
    }
    RemoveApplication "remove-application" "ops/remove_application.rs" {
        1 "Delete the application document." "D1:189-195; D2:197-199; D2:259"
        2 "Delete the application's settings document." "D1:196; D2:201"
    }
    ForceDestroyUnit "force-destroy-unit" "ops/force_destroy.rs" {
        1 "The unit becomes Dying, if it is Alive; a Dying one is acted on too." "D2:399"
        2 "Ask the cleaner to set it Dead, references in order." "D2:399"
        3 "The user cannot force a subordinate." "D2:233; D2:335"
    }
    ForceDestroyMachine "force-destroy-machine" "ops/force_destroy.rs" {
        1 "If the machine is the last one with the manage-model job, refuse." "D1:61-62; D2:89; D2:207"
        2 "Ask the cleaner to set it Dead, with its containers and units." "D2:215; D2:399"
    }
    SetConfig "set-config" "ops/set_config.rs" needs "charm" {
        1 "The application must be Alive." "our resolution, beside D4:166-167"
        2 "Change its configuration, of which each of its units that are deployed is told." "D4:120; D4:166-167"
    }
    UpgradeCharm "upgrade-charm" "ops/upgrade_charm.rs" needs "charm" {
        1 "The application must be Alive." "our resolution, beside D4:173-177"
        2 "Change its charm, to which each of its units that are deployed is to be upgraded." "D4:173-174"
    }
    ForceUpgradeCharm "force-upgrade-charm" "ops/upgrade_charm.rs" needs "charm" {
        1 "The application must be Alive." "our resolution, beside D4:173-177"
        2 "Change its charm, to which each of its units that are deployed is to be upgraded, in an error, too." "D4:174-177"
    }
    Expose "expose" "ops/expose.rs" needs "charm" {
        1 "The application must be Alive." "our resolution, beside D4:117-118"
        2 "If it is exposed, there is nothing to do; otherwise its units' open ports can be reached from now on." "D4:117-118"
    }
    Unexpose "unexpose" "ops/expose.rs" needs "charm" {
        1 "If it is not exposed, there is nothing to do; otherwise its units' open ports cannot be reached any more." "our resolution, beside D4:117-118"
    }
    RecordInstance "record-instance" "ops/record_instance.rs" needs "provisioning" {
        1 "The machine must still be one that is to have an instance." "D2:385; D3:4-7"
        2 "If it has an instance id, there is nothing to do." "our resolution, beside D3:4-7"
        3 "Record the instance id. No failed start is left." "D2:385; D3:92-94; D3:98-100"
    }
    FailStart "fail-start" "ops/fail_start.rs" needs "provisioning" {
        1 "If the machine has an instance id, there is nothing to do." "D3:92-93"
        2 "Set the machine's error status." "D3:93-96"
    }
    Resolved "resolved" "ops/resolved.rs" needs "provisioning" {
        1 "If the machine is not in error, there is nothing to do." "D3:98-100"
        2 "Let the provisioner try again." "D3:98-100"
    }
    ResolvedConstraints "resolved-constraints" "ops/resolved.rs" needs "provisioning" "constraints" {
        1 "The machine must be in error." "our resolution, beside D3:102-106"
        2 "Replace all of its constraints." "D3:102-106"
        3 "Let the provisioner try again." "D3:98-100; D3:102-106"
    }
    SetConstraints "set-constraints" "ops/set_constraints.rs" needs "constraints" {
        1 "The application must be Alive." "our resolution, beside D3:34-36"
        2 "Its charm must not be a subordinate one." "D3:61-64"
        3 "Set its constraints, for the units that are added from now on." "D3:30-36; D3:50-56"
    }
    SetModelConstraints "set-model-constraints" "ops/set_constraints.rs" needs "constraints" {
        1 "Set the model's constraints, for the units and machines that are added from now on." "D3:30-36; D3:46-48"
    }
    UnitAgent "unit-agent" "agents/lifecycle/unit_agent.rs" {
        1 "Detect Alive relations of its application and enter their scopes." "D2:349"
        2 "Detect Dying relations whose scope it has entered and leave them." "D1:141-142; D2:161; D2:287; D2:351"
        3 "Detect undeployed Alive subordinates and deploy them." "D2:353"
        4 "Detect undeployed subordinates that are not Alive, set them Dead and remove them." "D2:355"
        5 "Detect deployed Dead subordinates, recall them and remove them." "D1:101-103; D2:127; D2:247; D2:251; D2:357"
        6 "Detect that its application is Dying and set its unit Dying." "D1:187; D2:195; D2:235; D2:337; D2:359"
        7 "As a subordinate, detect that no relation with its principal is Alive and set its unit Dying." "D1:143-145; D2:163; D2:237; D2:241; D2:361"
        8 "Detect that its unit is Dying and leave all scopes." "D1:91-95; D2:119; D2:245; D2:363-365"
        9 "Detect that its unit is Dying and destroy its subordinates." "D2:237-239; D2:333"
        10 "When its Dying unit is in no scope and has no subordinates, set it Dead." "D1:96; D2:121; D2:243; D2:247-249; D2:367-369"
        11 "Run the hooks of a departure before leaving the scope; one that fails waits for the operator." "D1:93-95; D2:119; D2:287; D4:329-335"
        12 "Recall a deployed subordinate that has no document any more." "our resolution, beside D2:357; D2:379"
        13 "Delete the directory of a relation whose scope somebody else has left for it." "our resolution, beside D1:22-24; D2:399"
        14 "Where the variant says so, take up a relation again whose scope it is in without a directory." "our resolution, beside D1:18-26"
        15 "When its Dying unit is in no scope, run the stop hook; one that fails waits for the operator." "D1:93-95; D2:119; D4:241-246"
        16 "Once its unit is Dead, terminate and refuse to run again." "D1:100; D2:125"
        17 "Once it runs again, treat a hook that was cut short as one that failed." "D4:36-39"
        18 "Run the install hook before any other." "D4:163"
        19 "Run config-changed right after the install hook." "D4:165-166"
        20 "Run the start hook right after the first config-changed." "D4:169-171"
        21 "Run config-changed again after it has restarted." "D4:166-167"
        22 "While a hook error is not resolved, do nothing." "D1:93-95; D2:119; D4:17-22"
        23 "Run a failed hook again before any other, where the operator says so." "D4:41-45"
    }
    RelationHooks "relation-hooks" "agents/charm/relations.rs" needs "relations" {
        1 "Run the joined hook for a related unit that is seen for the first time." "D4:223; D4:267-285"
        2 "Run the changed hook for it next." "D4:225-233"
        3 "Until then run no other hook of the relation." "D4:226-233"
        4 "Run the changed hook again after its settings have changed." "D4:226-228; D4:300-304"
        5 "Run the departed hook for a unit that was seen and is no longer related." "D4:235-236; D4:337-338"
        6 "Before leaving, run the departed hook for each unit that is seen." "D4:242-244; D4:332-333"
        7 "Before leaving, run the broken hook once nobody is seen." "D4:241-246; D4:334"
        8 "Run the broken hook once." "D4:241-242"
        9 "See only units of its scope that play the other role." "D4:251-256; D4:267-272"
        10 "Leave its settings behind for as long as the relation lives." "D4:236-239; D4:338-341"
        11 "Run the joined hook for no unit that is seen already." "D4:223"
        12 "Run the departed hook for no unit that is still related, unless it leaves." "D4:235-236"
        13 "To write settings that are there already changes nothing." "D4:321-324"
        14 "Run the changed hook again for no unit whose settings are as they were." "D4:226-228; D4:306-311"
        15 "Where the variant says so, write its unit's settings before it enters the scope, and not with it." "D4:258-265"
    }
    Settings "settings" "agents/charm/settings.rs" needs "settings" {
        1 "Give a hook the settings of a unit in any relation of its own, as they are when it reads them first, and its own with what it has written." "D4:121; D4:129-133; D4:207-209; D4:236-239"
        2 "Keep what a hook writes, in any relation of its unit, until it ends." "D4:122; D4:134; D4:207-209"
        3 "Once the hook has succeeded, write it, before or after the record of it as the variant says." "D4:134"
        4 "Once the hook has failed, discard it." "D4:134-136"
        5 "Give a hook no settings that are not there, as those of a relation that is gone." "D1:130-137; D2:155-157; D4:129-130"
        6 "Once a hook has ended, forget what it has read." "D4:126-133"
    }
    Charm "charm" "agents/charm/directory.rs" needs "charm" {
        1 "Write the charm directory before any hook runs." "D4:64-65; D4:97-98"
        2 "Write a directory again that was cut short." "our resolution, beside D4:64-69"
        3 "Once its unit is started, runs no hook and is in no error, write the directory of an upgrade." "D4:64-65; D4:173-174"
        4 "In an error, write the directory of a forced upgrade." "D4:174-177"
        5 "In an error, leave the directory to the user unless the upgrade is forced." "D4:66-69"
        6 "Run upgrade-charm right after the directory of an upgrade is written." "D4:149; D4:173-174"
        7 "After a forced upgrade in an error, run neither upgrade-charm nor config-changed." "D4:174-177"
        8 "Run config-changed right after upgrade-charm." "D4:165-166"
        9 "Run config-changed after the configuration has changed." "D4:166"
        10 "Open and close ports at once, for the hook that runs, or when it succeeds where the variant says so." "D4:117-119; D4:137-138"
        11 "Give a hook the configuration as it is when it reads it first." "D4:120; D4:129-133"
        12 "Give it the same when it reads it again, whatever it is then." "D4:131-133"
    }
    Workflow "workflow" "agents/startup/workflow.rs" needs "workflow" {
        1 "Run the install hook, by which a new unit becomes ready." "D5:9; D5:18-20"
        2 "Run the start hook, by which a ready unit comes to run." "D5:11; D5:18-20"
        3 "Run the stop hook of a running unit that is to go, by which it becomes ready." "D5:13; D5:18"
        4 "Try a transition that failed again, as often as the world says." "D5:18"
        5 "When it has failed too often, wait in its error state for the administrator." "D5:10; D5:12; D5:14; D5:18"
        6 "At startup, and with a new connection, establish the presence node." "D5:20; D5:30-31"
        7 "Then read the state of the unit and, unless it runs, bring it to run." "D5:5; D5:20; D5:22; D5:32"
        8 "Record the state in the store whenever that has another one." "D5:22-24"
        9 "In each relation create the unit's settings node, before its role node." "D5:39-42"
        10 "Then watch the role nodes of the others (w-1) and the settings of those that are there (w-2), and set the first watch again once it has fired." "D5:43; D5:47-58; D5:66-67"
        11 "Run the hook of type joined for each unit that is found, or comes." "D5:60-62; D5:67"
        12 "Run the hook of type departed for a unit that goes." "D5:66"
        13 "Run the hook of type changed for a unit that was seen and whose settings have changed, and watch these again (w-3)." "D5:69"
        14 "Run the hook of type broken once the relation is gone." "D5:68"
        15 "Run the hook of type changed for no unit that was not seen (v-1)." "D5:58; D5:69"
    }
    MachineAgent "machine-agent" "agents/lifecycle/machine_agent.rs" {
        1 "Detect undeployed Alive principals assigned to it and deploy them." "D2:373"
        2 "Detect undeployed principals that are not Alive, set them Dead and remove them." "D2:375"
        3 "Detect deployed Dead principals, recall them and remove them." "D1:101-103; D2:127; D2:251; D2:377"
        4 "Detect deployed principals that are not assigned to it and recall them." "D2:379"
        5 "Detect that its machine is Dying and set it Dead." "D1:67; D2:95; D2:217; D2:381"
        6 "Once its machine is Dead, terminate and refuse to run again." "D1:71; D2:99"
    }
    Provisioner "provisioner" "agents/lifecycle/provisioner.rs" {
        1 "Detect Alive machines without an instance and start one." "D2:385"
        2 "Detect machines that are not Alive and have no instance, set them Dead and remove them." "D2:387"
        3 "Detect Dead machines with an instance, decommission it and remove the machine." "D1:72-73; D2:101; D2:219; D2:251; D2:389"
        4 "Start the instance of a container only on a host whose instance runs." "our resolution, beside D2:215; D2:385"
        5 "Detect instances that no machine document records, and stop them." "D3:4-7"
        6 "Stop them before anything else is done about their machine." "our resolution, beside D3:4-7"
        7 "Start no instance for a machine in error." "D3:92-100"
        8 "Start an instance for a machine whose failed start is resolved." "D3:98-100"
    }
    Operator "operator" "agents/operator.rs" {
        1 "Once there is a version that does what the agents of a machine neglect, terminate its hardware." "D1:35-37; D2:75"
        2 "While the fresh system of another manager machine is awaited, terminate that of no manager." "D1:35-37; D2:75"
    }
    Cleaner "cleaner" "agents/lifecycle/cleaner.rs" {
        1 "Delete the settings documents of a removed relation." "D1:130-137; D2:155-157"
        2 "Destroy the units of a Dying application." "our resolution, beside D1:187"
        3 "Force a unit: its subordinates first, then leave its scopes, then set it Dead." "D2:399"
        4 "Force a machine: its containers and units first, then set it Dead." "D2:215; D2:399"
    }
}
