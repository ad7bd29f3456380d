//! Worlds whose fields are expected, of the details about provisioning.

use crate::common::PAIR;

/// Two machines, of which one is started by a provisioner that is replaced, and one fails.
pub(crate) const STARTED: &str = r#"
shows = "A test."
steps = """
provisioner: start-instance 2
faults: fail-over 2
provisioner: start-instance 3
faults: fail-start 3"""
detail = { provisioning = true }
faults = { fail-over = true, start-failure = true }
world.machines = { 0.jobs = ["manage-model"], 1.jobs = ["manage-model"], 2.provisioned = false, 3.provisioned = false }
[expect]
start = { 2 = "pending", 3 = "error" }
strays = { 2 = "none" }
former-start = { 2 = "current" }"#;

/// Two applications and the model, of which one and the model are given constraints.
pub(crate) fn with_constraints(expect: &str) -> String {
    let steps = "client: set-model-constraints mem=2G\nclient: set-constraints wordpress cpu=4";
    let detail = "[detail]\nconstraints = true\n[world]\nconstraints = [\"mem=2G\", \"cpu=4\"]\n";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{detail}{PAIR}[expect]\n{expect}"
    )
}

/// What has constraints then.
pub(crate) const CONSTRAINTS: &str = r#"
constraints = { model = "mem=2G", wordpress = "cpu=4", mysql = "none", "wordpress/0" = "none", 1 = "none" }
"#;
