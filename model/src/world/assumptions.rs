//! The fairness assumptions of a scenario.

/// The fairness assumptions; the user owes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each assumption is switched on its own")]
pub struct Assumptions {
    pub agents_act: bool,
    pub crashed_agents_restart: bool,
    /// The operator terminates hardware that has failed, or that is gone, where nobody detected it.
    pub failed_hardware_is_terminated: bool,
    pub hook_errors_are_resolved: bool,
    /// The operator resolves failed starts of machines.
    pub failed_starts_are_resolved: bool,
    pub agents_are_upgraded: bool,
    /// The operator terminates the hardware of agents that neglect a duty, where replacing them
    /// helps.
    pub agents_are_redeployed: bool,
    /// A command in progress goes on until it is finished or its connection is lost.
    pub commands_finish: bool,
    /// The users give finitely many commands.
    pub finitely_many_commands: bool,
    /// The unit of fairness: each agent, or each duty of each agent.
    pub per: Per,
    pub strong: bool,
}

impl Default for Assumptions {
    fn default() -> Self {
        Self {
            agents_act: true,
            crashed_agents_restart: true,
            failed_hardware_is_terminated: true,
            hook_errors_are_resolved: true,
            failed_starts_are_resolved: true,
            agents_are_upgraded: true,
            agents_are_redeployed: true,
            commands_finish: true,
            finitely_many_commands: false,
            per: Per::Agent,
            strong: false,
        }
    }
}

/// The obligation of an actor with enabled actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// Nothing: it may act at any time, or never.
    Nothing,
    /// An action that stays enabled is taken eventually (weak fairness).
    Weak,
    /// An action that is enabled infinitely often is taken eventually (strong fairness).
    Strong,
}

/// The unit of fairness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// An agent is fair if it keeps acting, whichever of its duties it does.
    #[default]
    Agent,
    /// An agent is fair if each of its duties gets its turn.
    Duty,
}
