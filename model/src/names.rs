//! Names: how actions are written in traces and scenarios, and read back.
//!
//! Printing and reading are inverses, because a trace is a scenario: a counterexample that is
//! moved to `scenarios/` must mean what it meant.

use std::fmt::Write as _;

use crate::{
    action::{Act, Action, Actor, Agent},
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    operation::Operation,
    txn::Doc,
    world::World,
};

/// Why a line is not an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The part of the line that is at fault, as byte offsets.
    pub span: std::ops::Range<usize>,
    /// What is wrong with it.
    pub message: String,
    /// What would have been right.
    pub expected: String,
}

impl World {
    /// An action as a line of a trace, "machine-agent 1: remove-unit wordpress/0".
    pub fn show(&self, action: &Action) -> String {
        format!("{}: {}", self.show_actor(action.actor), self.show_act(action.act))
    }

    /// An actor, "unit-agent wordpress/0".
    pub fn show_actor(&self, actor: Actor) -> String {
        match actor {
            Actor::User => "user".into(),
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

    /// What is done, "remove-unit wordpress/0".
    pub fn show_act(&self, act: Act) -> String {
        let unit = |id: UnitId| &self.unit(id).name;
        let machine = |id: MachineId| &self.machine(id).name;
        let relation = |id: RelationId| &self.relation(id).name;
        match act {
            Act::Run(operation) => self.show_operation(operation),
            Act::Begin(operation) => format!("begin {}", self.show_operation(operation)),
            Act::Commit => "commit".into(),
            Act::Abort => "abort".into(),
            Act::DeployUnit(id) => format!("deploy-unit {}", unit(id)),
            Act::Recall(id) => format!("recall-unit {}", unit(id)),
            Act::WriteDirectory(id) => format!("write-directory {}", relation(id)),
            Act::DropDirectory(id) => format!("drop-directory {}", relation(id)),
            Act::RunHooks(id) => format!("run-hooks {}", relation(id)),
            Act::StartInstance(id) => format!("start-instance {}", machine(id)),
            Act::Decommission(id) => format!("decommission {}", machine(id)),
            Act::DeleteSettings(id) => format!("delete-settings {}", relation(id)),
            Act::FinishUnitsCleanup(id) => {
                format!("finish-units-cleanup {}", self.application(id).name)
            }
            Act::Crash(agent) => format!("crash {}", self.show_agent(agent)),
            Act::FailHardware(id) => format!("fail-hardware {}", machine(id)),
            Act::FailHardwareUnnoticed(id) => format!("fail-hardware-unnoticed {}", machine(id)),
            Act::FailHooks(id, at) => format!("fail-hooks {} {}", unit(id), relation(at)),
            Act::AbortTxn(actor) => format!("abort-transaction {}", self.show_actor(actor)),
            Act::LoseConnection => "lose-connection".into(),
            Act::Restart(agent) => format!("restart {}", self.show_agent(agent)),
            Act::Resolve(id) => format!("resolve {}", unit(id)),
            Act::Terminate(id) => format!("terminate {}", machine(id)),
            Act::Upgrade => "upgrade".into(),
        }
    }

    /// An operation, "enter-scope wordpress/0 wordpress:db mysql:server".
    pub fn show_operation(&self, operation: Operation) -> String {
        let mut text = operation.verb().to_owned();
        let mut add = |name: &str| write!(text, " {name}").expect("a string takes any text");
        match operation {
            Operation::Deploy(id) | Operation::DestroyApplication(id) => {
                add(&self.application(id).name);
            }
            Operation::AddPeer(id) | Operation::Integrate(id) | Operation::DestroyRelation(id) => {
                add(&self.relation(id).name);
            }
            Operation::AddUnit(id)
            | Operation::DestroyUnit(id)
            | Operation::SetUnitDead(id)
            | Operation::RemoveUnit(id)
            | Operation::ForceDestroyUnit(id) => add(&self.unit(id).name),
            Operation::AddMachine(id)
            | Operation::DestroyMachine(id)
            | Operation::SetMachineDead(id)
            | Operation::RemoveMachine(id)
            | Operation::ForceDestroyMachine(id) => add(&self.machine(id).name),
            Operation::AssignUnit(unit, machine) | Operation::AddUnitOn(unit, machine) => {
                add(&self.unit(unit).name);
                add(&self.machine(machine).name);
            }
            Operation::EnterScope(unit, relation) | Operation::LeaveScope(unit, relation) => {
                add(&self.unit(unit).name);
                add(&self.relation(relation).name);
            }
        }
        text
    }

    /// A document, "unit wordpress/0".
    pub fn show_doc(&self, doc: Doc) -> String {
        let (machine, unit) = (|id| &self.machine(id).name, |id| &self.unit(id).name);
        let (application, relation) =
            (|id| &self.application(id).name, |id| &self.relation(id).name);
        match doc {
            Doc::Machine(id) => format!("machine {}", machine(id)),
            Doc::Application(id) => format!("application {}", application(id)),
            Doc::ApplicationSettings(id) => format!("settings of application {}", application(id)),
            Doc::Unit(id) => format!("unit {}", unit(id)),
            Doc::Relation(id) => format!("relation {}", relation(id)),
            Doc::RelationSettings(id) => format!("unit settings in relation {}", relation(id)),
            Doc::Scope(at, id) => format!("scope of {} in relation {}", unit(id), relation(at)),
            Doc::SettingsCleanup(id) => format!("cleanup of the settings of {}", relation(id)),
            Doc::UnitsCleanup(id) => format!("cleanup of the units of {}", application(id)),
            Doc::ForceUnit(id) => format!("cleanup that forces unit {}", unit(id)),
            Doc::ForceMachine(id) => format!("cleanup that forces machine {}", machine(id)),
        }
    }

    /// Reads a line of a trace. The duty is left open, as the line does not say it.
    ///
    /// # Errors
    /// If the line is not an action of this world.
    pub fn read(&self, line: &str) -> Result<Action, NameError> {
        let Some((actor, act)) = line.split_once(": ") else {
            let expected = "\"actor: action\", such as \"user: destroy-unit wordpress/0\"";
            return Err(error(0, line, "this is not an action", expected));
        };
        let mut words = Words { line, at: 0, end: actor.len() };
        let actor = self.read_actor(&mut words)?;
        words.finish()?;
        let mut words = Words { line, at: line.len() - act.len(), end: line.len() };
        let act = self.read_act(&mut words)?;
        words.finish()?;
        Ok(Action { actor, act, duty: None })
    }

    fn read_actor(&self, words: &mut Words<'_>) -> Result<Actor, NameError> {
        const ACTORS: &str = "user, client, unit-agent UNIT, machine-agent MACHINE, provisioner, \
                              cleaner, faults, operator or supervisor";
        let (at, word) = words.next(ACTORS)?;
        Ok(match word {
            "user" => Actor::User,
            "client" => match words.rest() {
                (_, "") => Actor::Client(0),
                (at, number) => match number.parse() {
                    Ok(number @ 0..=7) => Actor::Client(number),
                    _ => return Err(error(at, number, "no such client", "a number up to 7")),
                },
            },
            "unit-agent" => Actor::UnitAgent(self.read_unit(words)?),
            "machine-agent" => Actor::MachineAgent(self.read_machine(words)?),
            "provisioner" => Actor::Provisioner,
            "cleaner" => Actor::Cleaner,
            "faults" => Actor::Faults,
            "operator" => Actor::Operator,
            "supervisor" => Actor::Supervisor,
            _ => return Err(error(at, word, "no such actor", ACTORS)),
        })
    }

    fn read_act(&self, words: &mut Words<'_>) -> Result<Act, NameError> {
        let start = words.at;
        let (_, word) = words.next("an action")?;
        Ok(match word {
            "begin" => Act::Begin(self.read_operation(words)?),
            "commit" => Act::Commit,
            "abort" => Act::Abort,
            "deploy-unit" => Act::DeployUnit(self.read_unit(words)?),
            "recall-unit" => Act::Recall(self.read_unit(words)?),
            "write-directory" => Act::WriteDirectory(self.read_relation(words)?),
            "drop-directory" => Act::DropDirectory(self.read_relation(words)?),
            "run-hooks" => Act::RunHooks(self.read_relation(words)?),
            "start-instance" => Act::StartInstance(self.read_machine(words)?),
            "decommission" => Act::Decommission(self.read_machine(words)?),
            "delete-settings" => Act::DeleteSettings(self.read_relation(words)?),
            "finish-units-cleanup" => Act::FinishUnitsCleanup(self.read_application(words)?),
            "crash" => Act::Crash(self.read_agent(words)?),
            "fail-hardware" => Act::FailHardware(self.read_machine(words)?),
            "fail-hardware-unnoticed" => Act::FailHardwareUnnoticed(self.read_machine(words)?),
            "fail-hooks" => Act::FailHooks(self.read_unit(words)?, self.read_relation(words)?),
            "abort-transaction" => Act::AbortTxn(self.read_actor(words)?),
            "lose-connection" => Act::LoseConnection,
            "restart" => Act::Restart(self.read_agent(words)?),
            "resolve" => Act::Resolve(self.read_unit(words)?),
            "terminate" => Act::Terminate(self.read_machine(words)?),
            "upgrade" => Act::Upgrade,
            _ => {
                words.at = start;
                Act::Run(self.read_operation(words)?)
            }
        })
    }

    fn read_agent(&self, words: &mut Words<'_>) -> Result<Agent, NameError> {
        let (at, word) = words.next("unit-agent UNIT or machine-agent MACHINE")?;
        match word {
            "unit-agent" => Ok(Agent::Unit(self.read_unit(words)?)),
            "machine-agent" => Ok(Agent::Machine(self.read_machine(words)?)),
            _ => Err(error(at, word, "no such agent", "unit-agent UNIT or machine-agent MACHINE")),
        }
    }

    /// Reads an operation, "remove-unit wordpress/0".
    fn read_operation(&self, words: &mut Words<'_>) -> Result<Operation, NameError> {
        const VERBS: &str = "an action, such as destroy-unit, enter-scope or commit \
                             (`deathwatch list clauses` names the transactions)";
        let (at, word) = words.next(VERBS)?;
        Ok(match word {
            "deploy" => Operation::Deploy(self.read_application(words)?),
            "add-peer-relation" => Operation::AddPeer(self.read_relation(words)?),
            "add-unit" => Operation::AddUnit(self.read_unit(words)?),
            "add-unit-on" => {
                Operation::AddUnitOn(self.read_unit(words)?, self.read_machine(words)?)
            }
            "add-machine" => Operation::AddMachine(self.read_machine(words)?),
            "assign-unit" => {
                Operation::AssignUnit(self.read_unit(words)?, self.read_machine(words)?)
            }
            "integrate" => Operation::Integrate(self.read_relation(words)?),
            "enter-scope" => {
                Operation::EnterScope(self.read_unit(words)?, self.read_relation(words)?)
            }
            "leave-scope" => {
                Operation::LeaveScope(self.read_unit(words)?, self.read_relation(words)?)
            }
            "destroy-machine" => Operation::DestroyMachine(self.read_machine(words)?),
            "destroy-unit" => Operation::DestroyUnit(self.read_unit(words)?),
            "destroy-relation" => Operation::DestroyRelation(self.read_relation(words)?),
            "destroy-application" => Operation::DestroyApplication(self.read_application(words)?),
            "set-unit-dead" => Operation::SetUnitDead(self.read_unit(words)?),
            "set-machine-dead" => Operation::SetMachineDead(self.read_machine(words)?),
            "remove-machine" => Operation::RemoveMachine(self.read_machine(words)?),
            "remove-unit" => Operation::RemoveUnit(self.read_unit(words)?),
            "force-destroy-unit" => Operation::ForceDestroyUnit(self.read_unit(words)?),
            "force-destroy-machine" => Operation::ForceDestroyMachine(self.read_machine(words)?),
            _ => return Err(error(at, word, "no such action", VERBS)),
        })
    }

    fn read_unit(&self, words: &mut Words<'_>) -> Result<UnitId, NameError> {
        let (at, name) = words.next("a unit")?;
        let names = self.units.iter().map(|unit| unit.name.as_str());
        self.unit_named(name).ok_or_else(|| unknown(at, "unit", name, names))
    }

    fn read_machine(&self, words: &mut Words<'_>) -> Result<MachineId, NameError> {
        let (at, name) = words.next("a machine")?;
        let names = self.machines.iter().map(|machine| machine.name.as_str());
        self.machine_named(name).ok_or_else(|| unknown(at, "machine", name, names))
    }

    fn read_application(&self, words: &mut Words<'_>) -> Result<ApplicationId, NameError> {
        let (at, name) = words.next("an application")?;
        let names = self.applications.iter().map(|application| application.name.as_str());
        self.application_named(name).ok_or_else(|| unknown(at, "application", name, names))
    }

    /// A relation's name may have a space in it, so it is the rest of the line.
    fn read_relation(&self, words: &mut Words<'_>) -> Result<RelationId, NameError> {
        let (at, name) = words.rest();
        let names = self.relations.iter().map(|relation| relation.name.as_str());
        self.relation_named(name).ok_or_else(|| unknown(at, "relation", name, names))
    }
}

/// The words of a part of a line, with their places.
struct Words<'a> {
    line: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), NameError> {
        let rest = &self.line[self.at..self.end];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let word = rest.split_whitespace().next();
        let word =
            word.ok_or_else(|| error(self.end, "", "something is missing here", expected))?;
        self.at = start + word.len();
        Ok((start, word))
    }

    fn rest(&mut self) -> (usize, &'a str) {
        let rest = &self.line[self.at..self.end];
        let start = self.at + (rest.len() - rest.trim_start().len());
        self.at = self.end;
        (start, rest.trim())
    }

    fn finish(&mut self) -> Result<(), NameError> {
        match self.rest() {
            (_, "") => Ok(()),
            (at, rest) => Err(error(at, rest, "this is one word too many", "the end of the line")),
        }
    }
}

/// That nothing of this kind is called `name`.
fn unknown<'a>(
    at: usize,
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> NameError {
    let known: Vec<&str> = known.collect();
    let expected = match known.as_slice() {
        [] => format!("but this world has no {kind}"),
        known => format!("one of: {}", known.join(", ")),
    };
    error(at, name, &format!("no such {kind}"), &expected)
}

fn error(at: usize, part: &str, message: &str, expected: &str) -> NameError {
    NameError { span: at..at + part.len(), message: message.into(), expected: expected.into() }
}
