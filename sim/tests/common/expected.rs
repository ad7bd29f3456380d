//! Worlds for expectations, with the details about provisioning and the older agent.

use crate::common::PAIR;

/// Two machines: a provisioner that is replaced starts one, and the other fails.
pub(crate) const STARTED: &str = r#"
shows = "A test."
steps = """
provisioner: read-machine 2
provisioner: start-instance 2
faults: fail-over 2
provisioner: read-machine 3
provisioner: start-instance 3
faults: fail-start 3
provisioner: commit"""
detail = { provisioning = true }
faults = { fail-over = true, start-failure = true }
world.machines = { 0.jobs = ["manage-model"], 1.jobs = ["manage-model"], 2.provisioned = false, 3.provisioned = false }
[expect]
start = { 2 = "pending", 3 = "error" }
strays = { 2 = "none" }
named-stray = { 2 = false }
stage = { provisioner = "asked" }
former-start = { 2 = "current" }"#;

/// Two applications and the model, with constraints for one application and for the model.
pub(crate) fn with_constraints(expect: &str) -> String {
    let steps = "client: set-model-constraints mem=2G\nclient: set-constraints wordpress cpu=4";
    let detail = "[detail]\nconstraints = true\n[world]\nconstraints = [\"mem=2G\", \"cpu=4\"]\n";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{detail}{PAIR}[expect]\n{expect}"
    )
}

pub(crate) const CONSTRAINTS: &str = r#"
constraints = { model = "mem=2G", wordpress = "cpu=4", mysql = "none", "wordpress/0" = "none", 1 = "none" }
"#;

/// A unit with the older agent, which is cut off after its install hook has failed once.
pub(crate) fn with_workflow(expect: &str) -> String {
    let steps = "machine-agent 1: deploy-unit wordpress/0
unit-agent wordpress/0: establish-presence
unit-agent wordpress/0: read-state
unit-agent wordpress/0: begin run-install-hook
faults: fail-unit-hook wordpress/0
faults: disconnect wordpress/0";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n[detail]\nworkflow = true\n\
         [world]\ntransactions = \"split\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n\
         1 = {{}}\n[world.applications]\nwordpress = {{ units = [\"1\"], deployed = false }}\n\
         [faults]\ndisconnection = true\nunit-hook-failure = true\n[expect]\n{expect}"
    )
}

pub(crate) const WORKFLOW: &str = r#"
workflow = { "wordpress/0" = "new" }
workflow-replica = { "wordpress/0" = "new" }
failed-tries = { "wordpress/0" = 1 }
startup = { "wordpress/0" = "bringing" }
present = { "wordpress/0" = false }
cut-off = { "wordpress/0" = true }
known-dying = { "wordpress/0" = false }
unsent = { "wordpress/0" = false }
hook-exited = { "wordpress/0" = false }
"#;

/// Two related units with the older agent: one has seen the other, whose settings have changed
/// since.
pub(crate) fn with_watches(expect: &str) -> String {
    let relation = "wordpress:db mysql:server";
    let steps = format!(
        "unit-agent wordpress/0: watch {relation}
unit-agent wordpress/0: begin run-joined-hook mysql/0 {relation}
unit-agent wordpress/0: end
unit-agent mysql/0: watch {relation}
unit-agent mysql/0: begin run-joined-hook wordpress/0 {relation}
unit-agent mysql/0: end
client: destroy-unit wordpress/0
unit-agent wordpress/0: leave-scope wordpress/0 {relation}"
    );
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n[detail]\nworkflow = true\n\
         [world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n2 = {{}}\n\
         [world.applications]\nwordpress = {{ units = [\"1\"] }}\n\
         mysql = {{ units = [\"2\"], writes = [\"relation-joined\"] }}\n[world.relations]\n\
         \"{relation}\" = {{ entered = [\"wordpress/0\", \"mysql/0\"] }}\n[expect]\n{expect}"
    )
}

pub(crate) const WATCHES: &str = r#"
container-watch = { "mysql/0 in wordpress:db mysql:server" = "fired", "wordpress/0 in wordpress:db mysql:server" = "unwatched" }
joining = { "mysql/0 in wordpress:db mysql:server" = [] }
leaving = { "mysql/0 in wordpress:db mysql:server" = ["wordpress/0"] }
settings-watched = { "mysql/0 in wordpress:db mysql:server" = ["wordpress/0"] }
settings-fired = { "mysql/0 in wordpress:db mysql:server" = [] }
told = { "mysql/0 in wordpress:db mysql:server" = ["wordpress/0"], "wordpress/0 in wordpress:db mysql:server" = [] }
"#;
