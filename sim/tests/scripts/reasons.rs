//! Steps that are not possible: the reason for each.

use deathwatch_scenario::replay;

use super::{pair, snapshot};
use crate::common::render;

/// The reason why the last step is not possible, and the help below it.
fn reason(what: &str, steps: &str, tables: &str) -> String {
    let impossible = replay(&pair(steps, tables)).expect_err(what);
    let problem = render(&impossible.problem);
    let label = problem.lines().find_map(|line| line.split_once("`-- "));
    let (_, label) = label.unwrap_or_else(|| panic!("{what}: it has a label\n{problem}"));
    let help = problem.split_once("help: ").map_or("", |(_, help)| help);
    let help: String = help.lines().flat_map(|line| ["\n  ", line.trim()]).collect();
    format!("{what}\n  {label}{help}\n")
}

#[test]
fn a_step_that_is_not_possible_says_why() {
    let unit_agent = "unit-agent wordpress/0: leave-scope wordpress/0 wordpress:db mysql:server";
    let after = |steps: &str| format!("{steps}\n{unit_agent}");
    let split = "[world]\ntransactions = \"split\"\n";
    let faults = "[faults]\ncrash = true\ndowntime = true\nhook-failure = true\n\
                  hardware-failure = [\"1\", \"0\"]\nundetected-hardware-failure = [\"1\"]\n";
    let allowed = "[user]\n\"destroy-unit wordpress/0\" = 1\n\"destroy-machine *\" = 1\n\
                   \"destroy-relation *\" = 1\n";
    let off = "[switch-off]\nclauses = [\"unit-agent.8\"]\n";
    let neglected = "[switch-off]\nneglected = [\"unit-agent.8\"]\n";
    let fresh = "[switch-off]\nneglected = [\"unit-agent.8\"]\n\
                 [variants]\nagent-upgrade = \"on-fresh-systems\"\n";
    let destroy = "client: destroy-unit wordpress/0";
    let loss = "faults: fail-hardware 1";
    let silence = "faults: fail-hardware-unnoticed 1";
    let crash = "faults: crash unit-agent wordpress/0";
    let fails = format!("{destroy}\nfaults: fail-hooks wordpress/0 wordpress:db mysql:server");
    let own = "faults: fail-unit-hook wordpress/0";
    let own_hooks = "[faults]\nunit-hook-failure = true\n";
    let no_config = "[detail]\nhooks = true\n[switch-off]\nclauses = [\"unit-agent.21\"]\n\
                     [faults]\ncrash = true\nunit-hook-failure = true\n";
    let stops = format!("{destroy}\n{unit_agent}\nunit-agent wordpress/0: run-stop-hook");
    let stop = "faults: fail-stop-hook wordpress/0";
    let stopped = format!("{destroy}\n{unit_agent}\n{stop}\n{unit_agent}");
    let dead = "client: destroy-unit wordpress/0\nrun unit-agent wordpress/0";
    let machine = "machine-agent 1: recall-unit wordpress/0";
    let told = [
        reason("nothing to do", unit_agent, ""),
        reason("no such unit", "unit-agent wordpress/1: set-unit-dead wordpress/1", ""),
        reason("not deployed", &after(loss), faults),
        reason("crashed", &after(crash), faults),
        reason("a failed hook", &after(&fails), faults),
        reason("a failed hook of its own", &after(own), own_hooks),
        reason("a failed stop hook", &stopped, own_hooks),
        reason("hooks of its own off", &stops, ""),
        reason("another hook than the one that can fail", stop, own_hooks),
        reason("a failure of a hook that is never run", &format!("{crash}\n{own}"), no_config),
        reason("dead", &after(dead), ""),
        reason("switched off", &after(destroy), off),
        reason("neglected", &after(destroy), neglected),
        reason(
            "neglected after an upgrade",
            &after(&format!("{destroy}\noperator: upgrade")),
            fresh,
        ),
        reason("machine without instance", &format!("{loss}\n{machine}"), faults),
        reason("silent machine", &format!("{silence}\n{machine}"), faults),
        reason("no manager", "faults: fail-hardware 0\nprovisioner: start-instance 1", faults),
        reason("nothing asks", machine, ""),
        reason("nothing to clean", "cleaner: delete-settings wordpress:db mysql:server", ""),
        reason("fault off", loss, ""),
        reason("fault of another machine", "faults: fail-hardware 2", faults),
        reason("no fault", &format!("{loss}\n{silence}"), faults),
        reason("not allowed", "user: destroy-unit wordpress/0", ""),
        reason(
            "too often",
            "user: destroy-relation wordpress:db mysql:server\nrun all\n\
             client: integrate wordpress:db mysql:server\n\
             user: destroy-relation wordpress:db mysql:server",
            allowed,
        ),
        reason("refused", "user: destroy-machine 1", allowed),
        reason("no-op", &format!("{destroy}\nuser: destroy-unit wordpress/0"), allowed),
        reason("split", unit_agent, split),
        reason(
            "one at a time",
            "client: destroy-unit wordpress/0\n\
             unit-agent wordpress/0: begin leave-scope wordpress/0 wordpress:db mysql:server\n\
             unit-agent wordpress/0: begin set-unit-dead wordpress/0",
            split,
        ),
    ];
    snapshot("reasons", &told.concat());
}
