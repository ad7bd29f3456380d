//! Instructions: the lines of a script, read.
//!
//! Most lines are one action, written as a trace prints it. `run` and `retry` stand for as many
//! actions as it takes; a transcript shows those, so a printed run never has them. Printing and
//! reading are inverses.

use deathwatch_model::{
    action::{Act, Action, TxnAct},
    actor::{Actor, Client},
    operation::Operation,
    syntax::{ExpectedText, SyntaxError},
    world::World,
};

/// The word that begins a run.
const RUN: &str = "run";
/// The runner that stands for everybody.
const ALL: &str = "all";
pub(super) const RETRY: &str = "retry";

/// The instruction of a line of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// An action; its duty is left open.
    Act(Action),
    /// Actors act until there is nothing left to do.
    Run(Runner),
    /// An actor plans an operation and commits it, and does so again if it aborts.
    Retry(Client, Operation),
}

/// The actors that act until none of them can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A single actor. A user finishes the command in progress and begins no other.
    Actor(Actor),
    /// All actors that are assumed to act, in turns.
    All,
}

impl Instruction {
    /// Whether the actor is a client, which is bound by the protocol alone.
    pub(super) fn is_of_client(self) -> bool {
        match self {
            Self::Act(action) => matches!(action.act.actor(), Actor::Client(_)),
            Self::Run(Runner::Actor(actor)) => matches!(actor, Actor::Client(_)),
            Self::Run(Runner::All) => false,
            Self::Retry(client, _) => matches!(client, Client::Script(_)),
        }
    }

    /// Reads a line, without the outcome that it may expect.
    ///
    /// # Errors
    /// If it is not an instruction in this world.
    pub fn read(world: &World, line: &str) -> Result<Self, SyntaxError> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == RUN {
            return match rest.trim() {
                ALL => Ok(Self::Run(Runner::All)),
                actor => {
                    let actor = world.read_actor(actor);
                    let actor = actor.map_err(|error| moved(error, line.len() - rest.len()))?;
                    Ok(Self::Run(Runner::Actor(actor)))
                }
            };
        }
        if let Some((actor, act)) = line.split_once(": ")
            && let Some(operation) = act.strip_prefix(RETRY)
            && (operation.is_empty() || operation.starts_with(' '))
        {
            return Self::read_retry(world, line, (actor, operation.trim_start()));
        }
        world.read(line).map(Self::Act)
    }

    /// Reads a retry. An operation is read as an action is, so the line is read without the verb.
    fn read_retry(
        world: &World,
        line: &str,
        (actor, operation): (&str, &str),
    ) -> Result<Self, SyntaxError> {
        let (begins, is_at) = (actor.len() + ": ".len(), line.len() - operation.len());
        let action = world.read(&format!("{actor}: {operation}")).map_err(|error| {
            let is_behind = error.span.start >= begins;
            if is_behind { moved(error, is_at - begins) } else { error }
        })?;
        match action.act {
            Act::Txn(client, TxnAct::Run(operation)) => Ok(Self::Retry(client, operation)),
            _ => Err(SyntaxError {
                span: is_at..line.len(),
                message: "only a transaction can be done again".into(),
                expected: ExpectedText::Words("a transaction, such as remove-unit wordpress/0"),
            }),
        }
    }

    /// The line, without the outcome that it may expect.
    pub fn show(&self, world: &World) -> String {
        match self {
            Self::Act(action) => world.show(action),
            Self::Run(Runner::All) => format!("{RUN} {ALL}"),
            Self::Run(Runner::Actor(actor)) => format!("{RUN} {}", world.show_actor(*actor)),
            Self::Retry(client, operation) => {
                let (actor, operation) =
                    (world.show_actor(client.actor()), world.show_operation(*operation));
                format!("{actor}: {RETRY} {operation}")
            }
        }
    }
}

/// The error in a part of a line that begins at `offset`.
fn moved(error: SyntaxError, offset: usize) -> SyntaxError {
    let span = error.span.start + offset..error.span.end + offset;
    SyntaxError { span, ..error }
}
