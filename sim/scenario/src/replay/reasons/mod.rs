//! Reasons: why a step is not possible, and which ones are.
//!
//! What an agent may do is said in the model only. So a reason that lies in the scenario is found
//! by asking the model again, of a world that differs in one thing: a clause that is not switched
//! off, a fault that is switched on, a command without a limit. If the step is possible there, that
//! is the reason.

mod absent;
mod what_if;

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    action::{Action, TxnAct},
    actor::{Actor, Client},
    agents,
    clause::Clause,
    operation::Operation,
    ops::Plan,
    protocol,
    world::{FaultKind, Transactions, World, WorldBuilder},
};

use super::{Failure, Obstacle, interpreter::Interpreter};
use crate::{
    describe,
    scenario::{Scenario, ScriptStep},
};
pub use deathwatch_documents::run::ReasonKind;

/// Why something is not possible.
pub struct Impossibility {
    pub kind: ReasonKind,
    pub clauses: Vec<Clause>,
    pub why: String,
    /// The advice on how to make it possible.
    pub advice: Option<String>,
}

fn because(kind: ReasonKind, why: impl Into<String>) -> Impossibility {
    Impossibility { kind, clauses: Vec::new(), why: why.into(), advice: None }
}

impl Impossibility {
    /// The reason with this advice.
    fn so(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// The reason with the clauses that say so.
    fn by(self, clauses: impl IntoIterator<Item = Clause>) -> Self {
        Self { clauses: clauses.into_iter().collect(), ..self }
    }
}

/// The greatest number of possible steps that are listed.
const LISTED: usize = 10;

/// The obstacle that `action`, for which `step` asks, is not possible.
pub(super) fn impossible(
    scenario: &Scenario,
    step: &ScriptStep,
    action: Action,
    interpreter: &Interpreter<'_>,
) -> Obstacle {
    let impossible = ImpossibleAction { interpreter, world: &scenario.world, action };
    let reason = impossible.reason();
    let is_of_file = impossible.is_of_file(&reason);
    let Impossibility { why, advice, .. } = what_if::add_condition(reason, interpreter, action);
    let problem = scenario.text.problem(&step.span, "this step is not possible here", &why);
    let help: Vec<String> = advice.into_iter().chain(impossible.alternatives()).collect();
    let failure = Failure { line: step.line, message: format!("not possible: {why}") };
    Obstacle { problem: problem.with_help_lines(&help), failure: (!is_of_file).then_some(failure) }
}

/// The reason why `action`, which is not enabled, is impossible in the state of `interpreter`. If
/// no actor has the duty, the reason says when one would.
pub fn why_not(action: Action, interpreter: &Interpreter<'_>) -> Impossibility {
    let reason = ImpossibleAction { interpreter, world: interpreter.world, action }.reason();
    what_if::add_condition(reason, interpreter, action)
}

/// An action that is not enabled in the state of the interpreter.
struct ImpossibleAction<'a> {
    interpreter: &'a Interpreter<'a>,
    world: &'a World,
    action: Action,
}

impl ImpossibleAction<'_> {
    /// The first reason that applies.
    fn reason(&self) -> Impossibility {
        absent::absence(self.world, &self.interpreter.state, self.action.actor())
            .or_else(|| self.pending())
            .or_else(|| self.atomicity())
            .or_else(|| self.switched_off())
            .or_else(|| self.rules())
            .or_else(|| self.faults())
            .or_else(|| self.permission())
            .or_else(|| self.plan())
            .or_else(|| self.unknown())
            .unwrap_or_else(|| self.no_reason())
    }

    /// Whether the tables of the file never allow such a step, whatever the protocol does.
    fn is_of_file(&self, reason: &Impossibility) -> bool {
        match reason.kind {
            ReasonKind::Atomicity | ReasonKind::FaultOff => true,
            ReasonKind::Command => self
                .planned()
                .is_some_and(|(_, operation)| self.world.begun_by(operation).next().is_none()),
            ReasonKind::Absent
            | ReasonKind::Pending
            | ReasonKind::SwitchedOff
            | ReasonKind::Neglected
            | ReasonKind::NoOp
            | ReasonKind::Refused
            | ReasonKind::Aborts
            | ReasonKind::Unknown
            | ReasonKind::Rule
            | ReasonKind::NotAsked => false,
        }
    }

    /// The client, and its part of a transaction; `None` for other acts.
    fn txn(&self) -> Option<(Client, TxnAct)> {
        Some((self.action.actor().client()?, self.action.act.txn()?))
    }

    /// The client and the operation that it plans.
    fn planned(&self) -> Option<(Client, Operation)> {
        let (client, act) = self.txn()?;
        Some((client, act.plans()?))
    }

    /// The reason that the actor has a transaction pending, or none.
    fn pending(&self) -> Option<Impossibility> {
        let name = self.world.show_actor(self.action.actor());
        let pending = protocol::pending(&self.interpreter.state, self.action.actor().client()?);
        match (self.action.act.txn(), pending) {
            (Some(TxnAct::Commit | TxnAct::Abort), None) => {
                let begins = format!("it begins one with: {name}: begin OPERATION");
                let why = format!("{name} has no transaction pending");
                Some(because(ReasonKind::Pending, why).so(begins))
            }
            (Some(TxnAct::Commit | TxnAct::Abort), Some(_)) | (_, None) => None,
            (Some(TxnAct::Run(_) | TxnAct::Begin(_)) | None, Some(txn)) => {
                let operation = self.world.show_operation(txn.operation);
                let why = format!("{name} has a transaction pending: {operation}");
                Some(
                    because(ReasonKind::Pending, why)
                        .so("that one comes to its end first: commit, abort or retry it"),
                )
            }
        }
    }

    /// The reason that the script splits transactions and the world does not, or the other way
    /// round.
    fn atomicity(&self) -> Option<Impossibility> {
        match (self.world.transactions, self.txn()?.1) {
            (Transactions::Atomic, TxnAct::Begin(operation)) => {
                let operation = self.world.show_operation(operation);
                let why = "the transactions of this world are atomic: they have no `begin`";
                let advice = format!("write `{operation}`, or [world] transactions = \"split\"");
                Some(because(ReasonKind::Atomicity, why).so(advice))
            }
            (Transactions::Split, TxnAct::Run(operation)) => {
                let operation = self.world.show_operation(operation);
                let why = "the transactions of this world are split: they `begin` and `commit`";
                let advice = format!("write `begin {operation}`, and then `commit`");
                Some(because(ReasonKind::Atomicity, why).so(advice))
            }
            (Transactions::Atomic, TxnAct::Run(_) | TxnAct::Commit | TxnAct::Abort)
            | (Transactions::Split, TxnAct::Begin(_) | TxnAct::Commit | TxnAct::Abort) => None,
        }
    }

    /// Whether the action is possible in another world.
    fn is_possible_in(&self, change: impl FnOnce(&mut WorldBuilder)) -> bool {
        let world = self.world.changed(change);
        self.interpreter.is_possible_in(&world, self.action)
    }

    /// The reason that a clause is switched off, or neglected.
    fn switched_off(&self) -> Option<Impossibility> {
        let own = || self.world.own_rules.clauses().map(|(clause, _)| clause);
        let name = |clause| self.world.clause_name(clause);
        let off = Clause::all().chain(own()).find(|clause| {
            self.world.is_off(*clause) && self.is_possible_in(|world| world.without.remove(*clause))
        });
        if let Some(clause) = off {
            let why = format!("{} is switched off: see the table [switch-off]", name(clause));
            return Some(because(ReasonKind::SwitchedOff, why).by([clause]));
        }
        if self.is_possible_in(|world| world.without_at.clear()) {
            let why = "a clause is switched off at this place: see the table [switch-off]";
            return Some(because(ReasonKind::SwitchedOff, why));
        }
        let neglected = Clause::all().chain(own()).find(|clause| {
            let is_neglected = self.world.neglected.contains(*clause);
            is_neglected && self.is_possible_in(|world| world.neglected.remove(*clause))
        });
        let clause = neglected?;
        if self.world.has_versions() {
            let why = format!("{} is neglected by agents of the old version", name(clause));
            let advice = "after `operator: upgrade`, new ones come with a new instance";
            return Some(because(ReasonKind::Neglected, why).so(advice).by([clause]));
        }
        let why = format!("{} is neglected until the agents are upgraded", name(clause));
        let reason = because(ReasonKind::Neglected, why).by([clause]);
        Some(reason.so("`operator: upgrade` upgrades them"))
    }

    /// The reason that a rule of the scenario's own forbids it.
    fn rules(&self) -> Option<Impossibility> {
        let mut rules = self.world.own_rules.clauses();
        let (clause, name) = rules.find(|(clause, _)| {
            !self.world.is_off(*clause)
                && self.is_possible_in(|world| world.without.insert(*clause))
        })?;
        let why = format!("the rule \"{name}\" does not allow it now");
        Some(because(ReasonKind::Rule, why).by([clause]))
    }

    /// The reason that a fault is not switched on.
    fn faults(&self) -> Option<Impossibility> {
        let mut more = self.interpreter.more_faults().iter();
        let missing = more.find(|it| self.interpreter.is_possible_in(&it.world, self.action))?;
        if missing.kinds == [FaultKind::Downtime] {
            let why = "an agent that crashes loses nothing here, and is back at once";
            return Some(because(ReasonKind::FaultOff, why).so("with `downtime` it stays down"));
        }
        let keys: Vec<&str> = missing.kinds.iter().map(|kind| kind.key()).collect();
        let keys = keys.join(" and ");
        let why = format!("the table [faults] does not switch this on: {keys}");
        Some(because(ReasonKind::FaultOff, why))
    }

    /// The reason that a user has no permission for the command, or has used it up, or is not done
    /// with another one.
    fn permission(&self) -> Option<Impossibility> {
        let (client, operation) = self.planned()?;
        let Client::User(id) = client else { return None };
        let state = &self.interpreter.state;
        let (user, name) = (state.runtime.user(id), self.world.show_actor(Actor::User(id)));
        if user.session.is_some() {
            let why = format!("the {name} has not finished the command in progress");
            let advice = format!("`run {name}` finishes it");
            return Some(because(ReasonKind::Command, why).so(advice));
        }
        if !matches!(self.interpreter.plan(client, operation), Plan::Submit(_)) {
            return None;
        }
        let Some(index) = self.world.begun_by(operation).next() else {
            let why = "the table [user] does not allow this command";
            let advice = "a client may do any transaction: write `client: …`";
            return Some(because(ReasonKind::Command, why).so(advice));
        };
        let most = self.world.commands[index].most?;
        (!agents::is_left(self.world, state, index)).then(|| {
            let why = if self.world.more_users == 0 {
                format!("the user has given this command as often as [user] allows: {most}")
            } else {
                format!("this command is given as often as [user] allows: {most}")
            };
            because(ReasonKind::Command, why)
                .so("raise that limit, or let a client do it: `client: …`")
        })
    }

    /// The reason that the plan is empty or refused, or that an assert fails.
    fn plan(&self) -> Option<Impossibility> {
        let (client, operation) = self.planned()?;
        let expected = |outcome: &str| {
            let line = self.world.show(&self.action);
            matches!(client, Client::User(_))
                .then(|| format!("if that is meant, write `{line} => {outcome}`"))
        };
        match self.interpreter.plan(client, operation) {
            Plan::NoOp => {
                let reason = because(ReasonKind::NoOp, "there is nothing to do");
                Some(Impossibility { advice: expected("no-op"), ..reason })
            }
            Plan::Refuse(reason) => {
                let outcome = format!("refused: {}", reason.text());
                let says = reason.clauses().iter().copied();
                let clauses = says.filter(|clause| clause.rule == operation.rule());
                let because = because(ReasonKind::Refused, outcome.as_str()).by(clauses);
                Some(Impossibility { advice: expected(&outcome), ..because })
            }
            Plan::Submit(txn) => {
                let op = self.interpreter.failing_op(&txn)?;
                let (world, state) = (self.world, &self.interpreter.state);
                let why = format!("it aborts: {}", describe::contradiction(world, state, &op));
                Some(because(ReasonKind::Aborts, why).by([op.clause]))
            }
        }
    }

    /// The reason that the agent of a unit in scope does not know it.
    fn unknown(&self) -> Option<Impossibility> {
        let (_, operation) = self.planned()?;
        let Operation::LeaveScope(unit, relation) = operation else { return None };
        let state = &self.interpreter.state;
        let is_in_scope = state.store.in_scope(relation, unit);
        let is_unknown = is_in_scope && !agents::knows(self.world, state, unit, relation);
        is_unknown.then(|| {
            let name = &self.world.unit(unit).name;
            let why = format!("the agent of {name} has no directory for this and does not know it");
            because(ReasonKind::Unknown, why).by(self.action.duty)
        })
    }

    /// The answer where nothing is in the way but that it is no duty.
    fn no_reason(&self) -> Impossibility {
        let Self { world, interpreter: Interpreter { state, .. }, .. } = self;
        let of = match self.action.actor() {
            Actor::UnitAgent(id) => EntityId::Unit(id),
            Actor::MachineAgent(id) => EntityId::Machine(id),
            Actor::Faults => {
                let why = "there is nothing here that this could strike";
                return because(ReasonKind::NotAsked, why);
            }
            Actor::User(_)
            | Actor::Client(_)
            | Actor::Provisioner
            | Actor::Cleaner
            | Actor::Operator
            | Actor::Supervisor => {
                let actor = world.show_actor(self.action.actor());
                let why = format!("{actor} has no duty to do this now");
                return because(ReasonKind::NotAsked, why).by(self.action.duty);
            }
        };
        let why =
            format!("it has no duty to do this now: {}", describe::document(world, state, of));
        because(ReasonKind::NotAsked, why).by(self.action.duty)
    }

    /// The possible actions of the actor, in lines.
    fn alternatives(&self) -> Vec<String> {
        if let Actor::Client(_) = self.action.actor() {
            return Vec::new(); // any transaction
        }
        let actor = self.world.show_actor(self.action.actor());
        let enabled = self.interpreter.alternatives(self.action);
        if enabled.is_empty() {
            return vec![format!("{actor} can do nothing now")];
        }
        let mut lines = vec![format!("{actor} can do now:")];
        lines.extend(enabled.iter().take(LISTED).map(|it| format!("  {}", self.world.show(it))));
        let more = enabled.len().saturating_sub(LISTED);
        lines.extend((more > 0).then(|| format!("  and {more} more")));
        lines
    }
}
