//! The form of a machine in a scenario file.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::scenario::value::Located;

/// A machine or a container.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MachineFile {
    /// Its jobs; by default it hosts units.
    #[schemars(extend("default" = ["host-units"]))]
    pub jobs: Option<Vec<Located<Job>>>,
    /// The machine that it is a container of.
    pub host: Option<Located<String>>,
    /// The series of what runs on it, such as "precise". It needs the detail `series`.
    pub series: Option<Located<String>>,
    /// Whether it exists at the start; otherwise it may be added.
    #[serde(default = "yes")]
    pub exists: bool,
    /// Whether it has an instance at the start; by default it has one if its host has.
    #[schemars(extend("default" = true))]
    pub provisioned: Option<Located<bool>>,
    /// Whether no instance of it ever starts. It needs the detail `provisioning`.
    #[schemars(extend("default" = false))]
    pub never_starts: Option<Located<bool>>,
}

impl MachineFile {
    /// A machine that exists and has defaults for all else.
    pub(in crate::scenario) fn there() -> Self {
        Self {
            jobs: None,
            host: None,
            series: None,
            exists: true,
            provisioned: None,
            never_starts: None,
        }
    }
}

/// A job of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Units can be assigned to it.
    HostUnits,
    /// The provisioner and the cleaner run in its agent.
    ManageModel,
}

/// The default of a switch that is on.
pub(super) fn yes() -> bool {
    true
}
