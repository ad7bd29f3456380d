//! The form of a machine in a scenario file.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{file::yes, value::At};

/// A machine or a container.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct MachineFile {
    /// Its jobs; by default it hosts units.
    #[schemars(extend("default" = ["host-units"]))]
    pub(crate) jobs: Option<Vec<At<Job>>>,
    /// The machine that it is a container of.
    pub(crate) host: Option<At<String>>,
    /// The series of what runs on it, such as "precise". It needs the detail `series`.
    pub(crate) series: Option<At<String>>,
    /// Whether it exists at the start; otherwise it may be added.
    #[serde(default = "yes")]
    pub(crate) exists: bool,
    /// Whether it has an instance at the start; by default it has one if its host has.
    #[schemars(extend("default" = true))]
    pub(crate) provisioned: Option<At<bool>>,
}

/// A job of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Job {
    /// Units can be assigned to it.
    HostUnits,
    /// The provisioner and the cleaner run in its agent.
    ManageModel,
}
