//! The agents of the entity lifecycle (D1 and D2): unit agents, machine agents, deployers, and the
//! tasks of managers.

pub(super) mod cleaner;
pub(super) mod deployer;
pub(super) mod machine_agent;
pub(super) mod provisioner;
pub(super) mod scopes;
pub(super) mod unit_agent;
