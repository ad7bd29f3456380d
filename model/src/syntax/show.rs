//! The text of actors, acts and documents.

use std::fmt::Write as _;

use crate::{
    action::{Act, Action, Hook},
    actor::{Actor, Agent},
    ids::{EntityId, Id, UserId},
    operation::Operation,
    table::{Argument, Arguments, RowEnum},
    world::{Command, CommandArgument, World},
};

impl World {
    /// An action as a line of a trace, as in "machine-agent 1: remove-unit wordpress/0".
    pub fn show(&self, action: &Action) -> String {
        format!("{}: {}", self.show_actor(action.actor()), self.show_act(action.act))
    }

    /// An actor, as in "unit-agent wordpress/0".
    pub fn show_actor(&self, actor: Actor) -> String {
        match actor {
            Actor::User(UserId::FIRST) => "user".into(),
            Actor::User(id) => format!("user {}", id.index() + 1),
            Actor::Client(0) => "client".into(),
            Actor::Client(number) => format!("client {number}"),
            Actor::UnitAgent(id) => self.show_agent(Agent::Unit(id)),
            Actor::MachineAgent(id) => self.show_agent(Agent::Machine(id)),
            Actor::Provisioner => "provisioner".into(),
            Actor::Cleaner => "cleaner".into(),
            Actor::Faults => "faults".into(),
            Actor::Operator => "operator".into(),
            Actor::Supervisor => "supervisor".into(),
        }
    }

    fn show_agent(&self, agent: Agent) -> String {
        match agent {
            Agent::Unit(id) => format!("unit-agent {}", self.unit(id).name),
            Agent::Machine(id) => format!("machine-agent {}", self.machine(id).name),
        }
    }

    /// An act without its actor, as in "remove-unit wordpress/0".
    pub fn show_act(&self, act: Act) -> String {
        let (verb, arguments) = act.verb();
        match act.first_part() {
            Some(word) => self.show_words(&format!("{word} {verb}"), arguments),
            None => self.show_words(verb, arguments),
        }
    }

    /// A hook, "run-hooks wordpress:db mysql:server".
    pub fn show_hook(&self, hook: Hook) -> String {
        self.show_words(hook.row().verb, hook.arguments())
    }

    /// An operation, as in "enter-scope wordpress/0 wordpress:db mysql:server".
    pub fn show_operation(&self, operation: Operation) -> String {
        self.show_words(operation.verb(), operation.arguments())
    }

    /// A command, as in "destroy-unit --force wordpress/0".
    pub fn show_command(&self, command: Command) -> String {
        let row = command.kind().row();
        let given = command.arguments().into_iter().flatten();
        let mut words: Vec<String> = given.map(|it| self.show_command_argument(it)).collect();
        let mut verb = row.verb;
        if let Some(option) = row.option() {
            verb = verb.trim_end_matches(option).trim_end();
            words.insert(words.len() - 1, option.to_owned());
        }
        format!("{verb} {}", words.join(" "))
    }

    fn show_command_argument(&self, argument: CommandArgument) -> String {
        match argument {
            CommandArgument::Entity(EntityId::Application(id)) => self.application(id).name.clone(),
            CommandArgument::Entity(EntityId::Machine(id)) => self.machine(id).name.clone(),
            CommandArgument::Entity(EntityId::Relation(id)) => self.relation(id).name.clone(),
            CommandArgument::Entity(EntityId::Unit(id)) => self.unit(id).name.clone(),
            CommandArgument::Units(count) => count.to_string(),
            CommandArgument::Constraints(set) => self.constraints.name(set).to_owned(),
        }
    }

    fn show_words(&self, verb: &str, arguments: Arguments) -> String {
        let mut text = verb.to_owned();
        for argument in arguments.into_iter().flatten() {
            if argument != Argument::User(UserId::FIRST) {
                write!(text, " {}", self.show_argument(argument)).expect("a string takes any text");
            }
        }
        text
    }

    fn show_argument(&self, argument: Argument) -> String {
        match argument {
            Argument::Unit(id) => self.unit(id).name.clone(),
            Argument::Machine(id) => self.machine(id).name.clone(),
            Argument::Application(id) => self.application(id).name.clone(),
            Argument::Relation(id) => self.relation(id).name.clone(),
            Argument::Constraints(set) => self.constraints.name(set).to_owned(),
            Argument::Agent(agent) => self.show_agent(agent),
            Argument::User(id) => (id.index() + 1).to_string(),
            Argument::Client(client) => self.show_actor(client.actor()),
        }
    }
}
