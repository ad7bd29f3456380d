//! The parser of lines of a trace.

use super::{
    error::{ExpectedText, SyntaxError},
    words::{CONSTRAINTS, Words},
};
use crate::{
    action::{
        ABORT, Act, Action, BEGIN, COMMIT, CleanerAct, DECIDE, END, EXIT, Fault, Hook, HookAct,
        MachineAct, OperatorAct, ProvisionerAct, SupervisorAct, TxnAct, UnitAct,
    },
    actor::{Actor, Client},
    ids::UnitId,
    operation::Operation,
    table::{RowEnum, RowText},
    world::World,
};

impl World {
    /// Reads a line of a trace. The duty of the action is left open, as it is not in the line.
    ///
    /// # Errors
    /// If the line is not an action of this world.
    pub fn read(&self, line: &str) -> Result<Action, SyntaxError> {
        let Some((actor, act)) = line.split_once(": ") else {
            let expected = "\"actor: action\", such as \"user: destroy-unit wordpress/0\"";
            let expected = ExpectedText::Words(expected);
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
    /// Reads an act of `actor`.
    fn act(&mut self, actor: Actor) -> Result<Act, SyntaxError> {
        let (at, verb) = self.next(ExpectedText::Words("an action"))?;
        let own = match actor {
            Actor::User(_) | Actor::Client(_) => None,
            Actor::UnitAgent(me) => self.unit_agent(me, verb)?,
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
        self.begun(actor, verb)?.ok_or_else(|| self.no_such_act(actor, at, verb))
    }

    /// An act of a unit's agent other than a transaction.
    fn unit_agent(&mut self, me: UnitId, verb: &str) -> Result<Option<Act>, SyntaxError> {
        match verb {
            EXIT => return Ok(Some(Act::Hook(me, HookAct::Exit))),
            END => return Ok(Some(Act::Hook(me, HookAct::End))),
            DECIDE => return self.decide(me).map(Some),
            _ => {}
        }
        if let Some(hook) = Hook::from_verb(verb, self)? {
            return Ok(Some(Act::Hook(me, HookAct::Run(hook))));
        }
        Ok(UnitAct::from_verb(verb, self)?.map(|act| Act::UnitAgent(me, act)))
    }

    /// The hook that the agent of a unit decides on.
    fn decide(&mut self, me: UnitId) -> Result<Act, SyntaxError> {
        let known = ExpectedText::Verb(verbs(Hook::ROWS));
        let (at, verb) = self.next(known.clone())?;
        match Hook::from_verb(verb, self)? {
            Some(hook) => Ok(Act::Hook(me, HookAct::Decide(hook))),
            None => Err(SyntaxError::new(at, verb, "an agent decides on hooks only", known)),
        }
    }

    /// An operation that an actor plans or begins, or the end of one that it has begun.
    fn begun(&mut self, actor: Actor, verb: &str) -> Result<Option<Act>, SyntaxError> {
        let Some(client) = actor.client() else { return Ok(None) };
        let txn = |act| Some(Act::Txn(client, act));
        match verb {
            BEGIN => self.begin(actor, client).map(Some),
            COMMIT => Ok(txn(TxnAct::Commit)),
            ABORT => Ok(txn(TxnAct::Abort)),
            verb => Ok(self.operation(verb)?.and_then(|it| txn(TxnAct::Run(it)))),
        }
    }

    /// The operation with this verb. `--force` behind a user's verb, or `--constraints` before the
    /// last word, makes it another operation.
    fn operation(&mut self, verb: &str) -> Result<Option<Operation>, SyntaxError> {
        let with_constraints = WITH_CONSTRAINTS.iter().find(|(plain, _)| *plain == verb);
        if let Some((_, constrained)) = with_constraints.filter(|_| self.has(CONSTRAINTS)) {
            return Operation::from_verb(constrained, self);
        }
        let forced = format!("{FORCE}{verb}");
        let is_forced = verbs(Operation::ROWS).contains(&forced.as_str()) && self.skip("--force");
        Operation::from_verb(if is_forced { &forced } else { verb }, self)
    }

    fn begin(&mut self, actor: Actor, client: Client) -> Result<Act, SyntaxError> {
        let mut known = verbs(Operation::ROWS);
        if let Actor::UnitAgent(_) = actor {
            known.extend(verbs(Hook::ROWS));
        }
        let (at, verb) = self.next(ExpectedText::Verb(known.clone()))?;
        if let Some(operation) = self.operation(verb)? {
            return Ok(Act::Txn(client, TxnAct::Begin(operation)));
        }
        if let Actor::UnitAgent(me) = actor
            && let Some(hook) = Hook::from_verb(verb, self)?
        {
            return Ok(Act::Hook(me, HookAct::Begin(hook)));
        }
        let message =
            if is_known(verb) { "this is done without `begin`" } else { "no such action" };
        Err(SyntaxError::new(at, verb, message, ExpectedText::Verb(known)))
    }

    fn no_such_act(&self, actor: Actor, at: usize, verb: &str) -> SyntaxError {
        let mut known: Vec<&str> = own_rows(actor).iter().flat_map(|rows| verbs(rows)).collect();
        if actor.client().is_some() {
            known.extend(verbs(Operation::ROWS));
            known.extend([BEGIN, COMMIT, ABORT]);
        }
        let message = if is_known(verb) {
            format!("{} does not do this", self.world.show_actor(actor))
        } else {
            "no such action".to_owned()
        };
        SyntaxError::new(at, verb, &message, ExpectedText::Verb(known))
    }
}

/// The beginning of the verb of an operation that forces something.
const FORCE: &str = "force-";

/// The commands that take constraints as an option, and the operations that they become with it.
pub const WITH_CONSTRAINTS: [(&str, &str); 2] =
    [("deploy", "deploy-constrained"), ("resolved", "resolved-constraints")];

/// Whether any actor has an act with this verb.
fn is_known(verb: &str) -> bool {
    let rows = super::VERBS.iter().flat_map(|verbs| verbs.rows);
    [BEGIN, DECIDE, COMMIT, ABORT, EXIT, END].contains(&verb)
        || rows.into_iter().any(|row| row.verb == verb)
}

/// The acts of `actor` other than transactions.
fn own_rows(actor: Actor) -> &'static [&'static [RowText]] {
    match actor {
        Actor::User(_) | Actor::Client(_) => &[],
        Actor::UnitAgent(_) => &[UnitAct::ROWS, Hook::ROWS],
        Actor::MachineAgent(_) => &[MachineAct::ROWS],
        Actor::Provisioner => &[ProvisionerAct::ROWS],
        Actor::Cleaner => &[CleanerAct::ROWS],
        Actor::Faults => &[Fault::ROWS],
        Actor::Operator => &[OperatorAct::ROWS],
        Actor::Supervisor => &[SupervisorAct::ROWS],
    }
}

fn verbs(rows: &[RowText]) -> Vec<&'static str> {
    rows.iter().map(|row| row.verb).collect()
}
