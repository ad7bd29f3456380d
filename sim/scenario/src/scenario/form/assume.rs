//! The form of the table `[assume]`: who is assumed to act, and how fairly.

use deathwatch_model::world::{Assumptions, Per};
use schemars::JsonSchema;
use serde::Deserialize;

/// The fairness assumptions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each assumption is switched on its own")]
pub struct AssumeFile {
    /// Agents keep acting.
    #[schemars(extend("default" = true))]
    pub agents_act: bool,
    /// Crashed agents restart.
    #[schemars(extend("default" = true))]
    pub crashed_agents_restart: bool,
    /// The operator terminates hardware that has failed, or that is gone, where nobody detected it.
    #[schemars(extend("default" = true))]
    pub failed_hardware_is_terminated: bool,
    /// The operator resolves hook errors.
    #[schemars(extend("default" = true))]
    pub hook_errors_are_resolved: bool,
    /// The operator resolves failed starts of machines.
    #[schemars(extend("default" = true))]
    pub failed_starts_are_resolved: bool,
    /// Neglectful agents are upgraded.
    #[schemars(extend("default" = true))]
    pub agents_are_upgraded: bool,
    /// The operator terminates the hardware of agents that neglect a duty, where an upgrade does
    /// not help those that run.
    #[schemars(extend("default" = true))]
    pub agents_are_redeployed: bool,
    /// A command in progress goes on until it is finished or its connection is lost.
    #[schemars(extend("default" = true))]
    pub commands_finish: bool,
    /// The users give finitely many commands: no run has them again and again for ever.
    pub finitely_many_commands: bool,
    /// The unit of fairness: each agent, or each duty of each agent.
    pub per: PerFile,
    /// Agents are strongly fair: an action that is enabled again and again is done.
    pub strong: bool,
}

impl AssumeFile {
    pub(in crate::scenario) fn assumptions(&self) -> Assumptions {
        Assumptions {
            agents_act: self.agents_act,
            crashed_agents_restart: self.crashed_agents_restart,
            failed_hardware_is_terminated: self.failed_hardware_is_terminated,
            hook_errors_are_resolved: self.hook_errors_are_resolved,
            failed_starts_are_resolved: self.failed_starts_are_resolved,
            agents_are_upgraded: self.agents_are_upgraded,
            agents_are_redeployed: self.agents_are_redeployed,
            commands_finish: self.commands_finish,
            finitely_many_commands: self.finitely_many_commands,
            per: match self.per {
                PerFile::Agent => Per::Agent,
                PerFile::Duty => Per::Duty,
            },
            strong: self.strong,
        }
    }
}

impl Default for AssumeFile {
    fn default() -> Self {
        let default = Assumptions::default();
        Self {
            agents_act: default.agents_act,
            crashed_agents_restart: default.crashed_agents_restart,
            failed_hardware_is_terminated: default.failed_hardware_is_terminated,
            hook_errors_are_resolved: default.hook_errors_are_resolved,
            failed_starts_are_resolved: default.failed_starts_are_resolved,
            agents_are_upgraded: default.agents_are_upgraded,
            agents_are_redeployed: default.agents_are_redeployed,
            commands_finish: default.commands_finish,
            finitely_many_commands: default.finitely_many_commands,
            per: PerFile::default(),
            strong: default.strong,
        }
    }
}

/// The unit of fairness.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PerFile {
    /// An agent is fair if it keeps acting, whichever of its duties it does.
    #[default]
    Agent,
    /// An agent is fair if each of its duties gets its turn.
    Duty,
}
