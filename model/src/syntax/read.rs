//! How lines of a trace are read.

use super::words::Words;
use crate::{
    action::{
        ABORT, Act, Action, Actor, BEGIN, COMMIT, CleanerAct, Fault, MachineAct, OperatorAct,
        ProvisionerAct, SupervisorAct, TxnAct, UnitAct,
        table::{Row, Table},
    },
    operation::Operation,
    world::World,
};

/// Why a line is not an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The part of the line that is at fault, as byte offsets.
    pub span: std::ops::Range<usize>,
    /// What is wrong with it.
    pub message: String,
    /// What would have been right.
    pub expected: Expected,
}

/// What would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// What these words say.
    Words(&'static str),
    /// A number from 0 to this.
    NumberUpTo(u8),
    /// The name of a thing of this kind, and what there is of it.
    OneOf(&'static str, Vec<String>),
    /// Something that the actor does: the verbs that there are.
    Verb(Vec<&'static str>),
}

impl SyntaxError {
    pub(super) fn new(at: usize, part: &str, message: &str, expected: Expected) -> Self {
        Self { span: at..at + part.len(), message: message.into(), expected }
    }
}

impl World {
    /// Reads a line of a trace. The duty is left open, as the line does not say it.
    ///
    /// # Errors
    /// If the line is not an action of this world.
    pub fn read(&self, line: &str) -> Result<Action, SyntaxError> {
        let Some((actor, act)) = line.split_once(": ") else {
            let expected = "\"actor: action\", such as \"user: destroy-unit wordpress/0\"";
            let expected = Expected::Words(expected);
            return Err(SyntaxError::new(0, line, "this is not an action", expected));
        };
        let mut words = Words { world: self, line, at: 0, end: actor.len() };
        let actor = words.actor()?;
        words.finish()?;
        let mut words = Words { world: self, line, at: line.len() - act.len(), end: line.len() };
        let act = words.act(actor)?;
        words.finish()?;
        Ok(Action { act, duty: None })
    }

    /// Reads an actor, "unit-agent wordpress/0".
    ///
    /// # Errors
    /// If it is not an actor of this world.
    pub fn read_actor(&self, text: &str) -> Result<Actor, SyntaxError> {
        let mut words = Words { world: self, line: text, at: 0, end: text.len() };
        let actor = words.actor()?;
        words.finish()?;
        Ok(actor)
    }
}

impl Words<'_> {
    /// What `actor` does.
    fn act(&mut self, actor: Actor) -> Result<Act, SyntaxError> {
        let (at, verb) = self.next(Expected::Words("an action"))?;
        let own = match actor {
            Actor::User | Actor::Client(_) => None,
            Actor::UnitAgent(me) => {
                UnitAct::from_verb(verb, self)?.map(|act| Act::UnitAgent(me, act))
            }
            Actor::MachineAgent(me) => {
                MachineAct::from_verb(verb, self)?.map(|act| Act::MachineAgent(me, act))
            }
            Actor::Provisioner => ProvisionerAct::from_verb(verb, self)?.map(Act::Provisioner),
            Actor::Cleaner => CleanerAct::from_verb(verb, self)?.map(Act::Cleaner),
            Actor::Faults => Fault::from_verb(verb, self)?.map(Act::Faults),
            Actor::Operator => OperatorAct::from_verb(verb, self)?.map(Act::Operator),
            Actor::Supervisor => SupervisorAct::from_verb(verb, self)?.map(Act::Supervisor),
        };
        if let Some(act) = own {
            return Ok(act);
        }
        let txn = match actor.client() {
            Some(client) => self.txn(verb)?.map(|act| Act::Txn(client, act)),
            None => None,
        };
        txn.ok_or_else(|| self.no_such_act(actor, at, verb))
    }

    /// What is done about a transaction.
    fn txn(&mut self, verb: &str) -> Result<Option<TxnAct>, SyntaxError> {
        Ok(match verb {
            BEGIN => {
                let (at, verb) = self.next(Expected::Verb(verbs(Operation::ROWS)))?;
                let Some(operation) = Operation::from_verb(verb, self)? else {
                    let expected = Expected::Verb(verbs(Operation::ROWS));
                    return Err(SyntaxError::new(at, verb, "no such action", expected));
                };
                Some(TxnAct::Begin(operation))
            }
            COMMIT => Some(TxnAct::Commit),
            ABORT => Some(TxnAct::Abort),
            verb => Operation::from_verb(verb, self)?.map(TxnAct::Run),
        })
    }

    fn no_such_act(&self, actor: Actor, at: usize, verb: &str) -> SyntaxError {
        let mut known = verbs(own_rows(actor));
        if actor.client().is_some() {
            known.extend(verbs(Operation::ROWS));
            known.extend([BEGIN, COMMIT, ABORT]);
        }
        let message = if is_known(verb) {
            format!("{} does not do this", self.world.show_actor(actor))
        } else {
            "no such action".to_owned()
        };
        SyntaxError::new(at, verb, &message, Expected::Verb(known))
    }
}

/// Whether anybody does what begins with `verb`.
fn is_known(verb: &str) -> bool {
    let rows = super::VERBS.iter().flat_map(|verbs| verbs.rows);
    [BEGIN, COMMIT, ABORT].contains(&verb) || rows.into_iter().any(|row| row.verb == verb)
}

/// What `actor` does beside transactions.
fn own_rows(actor: Actor) -> &'static [Row] {
    match actor {
        Actor::User | Actor::Client(_) => &[],
        Actor::UnitAgent(_) => UnitAct::ROWS,
        Actor::MachineAgent(_) => MachineAct::ROWS,
        Actor::Provisioner => ProvisionerAct::ROWS,
        Actor::Cleaner => CleanerAct::ROWS,
        Actor::Faults => Fault::ROWS,
        Actor::Operator => OperatorAct::ROWS,
        Actor::Supervisor => SupervisorAct::ROWS,
    }
}

fn verbs(rows: &[Row]) -> Vec<&'static str> {
    rows.iter().map(|row| row.verb).collect()
}
