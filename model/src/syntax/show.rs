//! The text of actors, acts and documents.

use std::fmt::Write as _;

use crate::{
    action::{Act, Action, BEGIN, Hook},
    actor::{Actor, Agent},
    ids::{Id, UserId},
    operation::Operation,
    table::{Argument, Arguments, RowEnum},
    world::{Command, Given, World},
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
        if act.begins() {
            self.show_words(&format!("{BEGIN} {verb}"), arguments)
        } else {
            self.show_words(verb, arguments)
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
        let verb = command.kind().row().verb;
        match command.given() {
            Given::Application(id) => format!("{verb} {}", self.application(id).name),
            Given::Deployment(id, units) => {
                format!("{verb} {} {units}", self.application(id).name)
            }
            Given::ConstrainedDeployment(id, units, constraints) => {
                let (verb, option) = verb.split_once(' ').unwrap_or((verb, ""));
                let (name, constraints) =
                    (&self.application(id).name, self.constraints.name(constraints));
                format!("{verb} {name} {units} {option} {constraints}")
            }
            Given::Constrained(id, constraints) => {
                let (name, constraints) =
                    (&self.application(id).name, self.constraints.name(constraints));
                format!("{verb} {name} {constraints}")
            }
            Given::Reconstrained(id, constraints) => {
                let (verb, option) = verb.split_once(' ').unwrap_or((verb, ""));
                let (name, constraints) =
                    (&self.machine(id).name, self.constraints.name(constraints));
                format!("{verb} {name} {option} {constraints}")
            }
            Given::Constraints(constraints) => {
                format!("{verb} {}", self.constraints.name(constraints))
            }
            Given::Machine(id) => format!("{verb} {}", self.machine(id).name),
            Given::Relation(id) => format!("{verb} {}", self.relation(id).name),
            Given::Unit(id) => format!("{verb} {}", self.unit(id).name),
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
