//! Rules of a scenario's own: additional duties, conditions of acts, replaced refusals, and
//! replaced conditions of branches.
//!
//! A condition is compiled by crates above the model. It reads rows through their accessors, as the
//! duties of the protocol do; so look-ups, symmetry and wake-ups need nothing of their own.

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{
    Task,
    watched::{Wake, WatchedStep},
};
use crate::{
    action::{Act, Hook, HookAct, TxnAct},
    actor::Actor,
    clause::{Clause, Rule},
    ids::{ApplicationId, EntityId, Id as _, RelationId, Renaming, UnitId},
    operation::Operation,
    ops::{Decline, Plan},
    refusal::Why,
    rows::{Row, RowKind},
    state::State,
    table::{Arguments, RowEnum},
    world::World,
};

/// The entities that a rule can name: the actor's own, and the arguments of the act.
pub type Named = [Option<EntityId>; 3];

/// A condition of a rule.
pub trait Condition: fmt::Debug + Send + Sync {
    /// Whether it holds in a state, for the subject, if any, and an act on the entities in `named`.
    fn holds(&self, world: &World, state: &State, subject: Option<Row>, named: &Named) -> bool;

    /// Calls `found` with each subject for which its value may have changed in this step because of
    /// the change of `row`.
    fn subjects(&self, change: &WatchedStep<'_>, row: Row, found: &mut dyn FnMut(Row));

    /// The units and machines that it names.
    fn named(&self) -> Vec<EntityId>;

    /// Whether it depends on the number of units and machines: it has a quantifier over all of
    /// them, or asks whether there are identifiers enough, or whether any actor can move.
    fn asks_of_world(&self) -> bool;

    /// The name of something it reads in `world` that the outline lacks or has otherwise, if any.
    fn hidden(&self, world: &World, outline: &World) -> Option<String>;

    /// The same condition with units and machines renamed.
    fn renamed(&self, by: &Renaming) -> Arc<dyn Condition>;
}

/// The rules of a scenario, in four lists. Each rule has the number of its clause.
#[derive(Clone, Debug, Default)]
pub struct OwnRules {
    pub duties: Vec<OwnDuty>,
    /// Conditions without which an act is not done.
    pub restrictions: Vec<Restriction>,
    /// Replacements of refusals.
    pub refusals: Vec<ChangedRefusal>,
    /// Replacements of the conditions of branches.
    pub branches: Vec<ExchangedBranch>,
}

impl OwnRules {
    /// The transactions that the rules add as duties.
    pub fn operations(&self) -> impl Iterator<Item = Operation> + '_ {
        let acts = self.duties.iter().flat_map(|rule| rule.acts.values().flatten());
        acts.filter_map(|(_, act)| act.txn()?.plans())
    }

    /// The conditions, each with the clause of its rule.
    pub fn conditions(&mut self) -> impl Iterator<Item = (Clause, &mut Arc<dyn Condition>)> {
        let duties = self.duties.iter_mut().map(|it| (it.number, &mut it.when));
        let restrictions = self.restrictions.iter_mut().map(|it| (it.number, &mut it.when));
        let branches = self.branches.iter_mut().map(|it| (it.number, &mut it.when));
        duties.chain(restrictions).chain(branches).map(|(number, when)| (clause(number), when))
    }
}

/// The first rule of a world whose meaning is different in its outline, and the reason.
pub fn not_of_outline(world: &World) -> Option<(Clause, String)> {
    let (mut rules, outline) = (of(world)?.clone(), world.outline());
    let mut conditions = rules.conditions();
    let hidden = conditions.find_map(|(clause, when)| {
        let what = (!world.is_off(clause)).then(|| when.hidden(world, &outline))??;
        Some((clause, format!("it reads {what}, which is hidden in the outline")))
    });
    drop(conditions);
    let departure = Hook::Departure(RelationId::new(0)).row().verb;
    let mut renamed = rules.restrictions.iter().filter(|rule| rule.verb == departure);
    let renamed = renamed.next().filter(|_| world.detail.relations).map(|rule| {
        let why = "it is about hooks of a departure, which have other names here";
        (clause(rule.number), why.to_owned())
    });
    hidden.or(renamed)
}

/// A duty of an actor towards each row of a kind that satisfies a condition.
#[derive(Clone, Debug)]
pub struct OwnDuty {
    pub number: u8,
    pub when: Arc<dyn Condition>,
    /// The acts that it adds, each with the row that it is about, by the task that does them.
    pub acts: BTreeMap<Task, Vec<(Row, Act)>>,
    pub tasks: BTreeMap<Row, Task>,
}

/// A condition without which an act is not done.
#[derive(Clone, Debug)]
pub struct Restriction {
    pub number: u8,
    pub verb: &'static str,
    /// The kind of actor that it binds; every kind if there is none.
    pub by: Option<RuleActor>,
    /// The kind of its subject: the actor's own row, or that of an argument of the act.
    pub each: Option<RowKind>,
    pub when: Arc<dyn Condition>,
}

/// A replacement for a refusal: another reason, or no effect at all.
#[derive(Clone, Debug)]
pub struct ChangedRefusal {
    pub number: u8,
    pub verb: &'static str,
    pub why: Why,
    pub becomes: Decline,
}

/// A replacement for the condition of a branch, in an atomic world: in a split one it would have to
/// be judged again at the commit.
#[derive(Clone, Debug)]
pub struct ExchangedBranch {
    pub number: u8,
    /// The clause whose branch it is.
    pub clause: Clause,
    /// The condition of the branch; its subject is the document of the branch.
    pub when: Arc<dyn Condition>,
}

/// The clauses whose branches can have another condition, each with the kind of the document.
pub const BRANCHES: [(Clause, RowKind); 5] = [
    (Clause { rule: Rule::DestroyApplication, number: 5 }, RowKind::Application),
    (Clause { rule: Rule::DestroyRelation, number: 3 }, RowKind::Relation),
    (Clause { rule: Rule::LeaveScope, number: 2 }, RowKind::Relation),
    (Clause { rule: Rule::LeaveScope, number: 6 }, RowKind::Application),
    (Clause { rule: Rule::RemoveUnit, number: 4 }, RowKind::Application),
];

/// A kind of actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleActor {
    User,
    UnitAgent,
    MachineAgent,
    Provisioner,
    Cleaner,
    Operator,
    Supervisor,
}

impl RuleActor {
    /// Every kind, with its name.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::User, "user"),
        (Self::UnitAgent, "unit-agent"),
        (Self::MachineAgent, "machine-agent"),
        (Self::Provisioner, "provisioner"),
        (Self::Cleaner, "cleaner"),
        (Self::Operator, "operator"),
        (Self::Supervisor, "supervisor"),
    ];

    /// The kind of an actor. Scripts' clients and faults follow no rules.
    fn of(actor: Actor) -> Option<Self> {
        match actor {
            Actor::User(_) => Some(Self::User),
            Actor::UnitAgent(_) => Some(Self::UnitAgent),
            Actor::MachineAgent(_) => Some(Self::MachineAgent),
            Actor::Provisioner => Some(Self::Provisioner),
            Actor::Cleaner => Some(Self::Cleaner),
            Actor::Operator => Some(Self::Operator),
            Actor::Supervisor => Some(Self::Supervisor),
            Actor::Client(_) | Actor::Faults => None,
        }
    }

    /// The task in which an actor of this kind does a duty towards a row: an agent's own row, or
    /// anything that the manager's tasks look after.
    pub fn task_about(self, row: Row) -> Option<Task> {
        match (self, row.actor()) {
            (Self::UnitAgent, Some(EntityId::Unit(id))) => Some(Task::UnitAgent(id)),
            (Self::MachineAgent, Some(EntityId::Machine(id))) => Some(Task::MachineAgent(id)),
            (Self::Provisioner, Some(EntityId::Machine(id))) => Some(Task::Provision(id)),
            (Self::Cleaner, Some(entity)) => Some(Task::Clean(entity)),
            _ => None,
        }
    }
}

/// The rules of a world, if it has any.
#[inline]
pub(super) fn of(world: &World) -> Option<&OwnRules> {
    world.own_rules.says()
}

/// The clause of the rule with this number.
pub(super) fn clause(number: u8) -> Clause {
    Clause { rule: Rule::Own, number }
}

/// The entities that a rule on an act of `actor` with these arguments can name.
fn named(actor: Actor, arguments: Arguments) -> Named {
    let [first, second] = arguments.map(|argument| argument?.entity());
    [actor.entity(), first, second]
}

impl OwnDuty {
    /// Its clause.
    pub fn clause(&self) -> Clause {
        clause(self.number)
    }

    /// Whether its condition holds for a subject.
    pub(super) fn is_due(&self, world: &World, state: &State, subject: Row) -> bool {
        let me = self.tasks.get(&subject).and_then(|task| task.actor().entity());
        self.when.holds(world, state, Some(subject), &[me, None, None])
    }
}

impl Restriction {
    /// The subject of an act that the rule is about, or `Some((None, _))` if the rule has no
    /// subject; `None` for any other act.
    fn about(&self, world: &World, act: Act) -> Option<(Option<Row>, Named)> {
        let (verb, arguments) = act.verb();
        let kind = RuleActor::of(act.actor())?;
        let is_meant = verb == self.verb && self.by.is_none_or(|by| by == kind);
        if !is_meant || world.is_off(clause(self.number)) {
            return None;
        }
        let named = named(act.actor(), arguments);
        let Some(each) = self.each else { return Some((None, named)) };
        let entities = || named.into_iter().flatten();
        let pair = || {
            let relation = entities().find_map(|it| match it {
                EntityId::Relation(id) => Some(id),
                _ => None,
            })?;
            let unit = entities().find_map(|it| match it {
                EntityId::Unit(id) => Some(id),
                _ => None,
            })?;
            world.pair_index(relation, unit).and(each.of_pair(relation, unit))
        };
        let subject = entities().find_map(|it| each.of_entity(it)).or_else(pair);
        subject.map(|it| (Some(it), named))
    }
}

/// Whether every rule allows an act, which is the duty of the clause `duty`, if there is one.
#[inline]
pub(super) fn allows(world: &World, state: &State, act: Act, duty: Option<Clause>) -> bool {
    !world.is_amended() || is_allowed(world, state, act, duty)
}

#[cold]
fn is_allowed(world: &World, state: &State, act: Act, duty: Option<Clause>) -> bool {
    if duty.is_some_and(|clause| is_off_for(world, clause, act)) {
        return false;
    }
    let restrictions = of(world).map_or(&[][..], |it| &it.restrictions);
    restrictions.iter().all(|rule| {
        let about = rule.about(world, act);
        about.is_none_or(|(subject, named)| rule.when.holds(world, state, subject, &named))
    })
}

/// Whether a clause is switched off at the place of an act: its actor or an argument.
fn is_off_for(world: &World, clause: Clause, act: Act) -> bool {
    let (_, arguments) = act.verb();
    let named = named(act.actor(), arguments);
    world.is_off_at(clause, |place| named.contains(&Some(place)))
}

/// Whether the rules allow a hook of the charm of `me`, which is the duty of the clause `duty`.
pub(super) fn allows_hook(
    me: UnitId,
    hook: Hook,
    duty: Option<Clause>,
    world: &World,
    state: &State,
) -> bool {
    allows(world, state, Act::Hook(me, HookAct::Run(hook)), duty)
}

/// Adds the rules that restrict an act to `clauses`.
pub(crate) fn note(world: &World, act: Act, clauses: &mut Vec<Clause>) {
    let restrictions = of(world).map_or(&[][..], |it| &it.restrictions);
    let under = restrictions.iter().filter(|rule| rule.about(world, act).is_some());
    clauses.extend(under.map(|rule| clause(rule.number)));
}

/// The unit that an operation creates, if it gives the identifier, and its application.
pub(super) fn created(operation: Operation, world: &World) -> Option<(UnitId, ApplicationId)> {
    match operation {
        Operation::AddUnit(unit) | Operation::AddUnitOn(unit, _) => {
            Some((unit, world.unit(unit).application))
        }
        _ => None,
    }
}

/// Whether a rule adds a duty to the task.
pub(super) fn has_duty(world: &World, task: Task) -> bool {
    of(world).is_some_and(|rules| rules.duties.iter().any(|rule| rule.acts.contains_key(&task)))
}

/// The applications whose lack of a free unit may block duties that rules add to a task.
pub(super) fn waits_for(task: Task, world: &World) -> impl Iterator<Item = ApplicationId> {
    let duties = of(world).map_or(&[][..], |it| &it.duties).iter();
    let acts = duties.flat_map(move |rule| rule.acts.get(&task).into_iter().flatten());
    acts.filter_map(|(_, act)| match act {
        Act::Txn(_, TxnAct::Run(operation)) => Some(created(*operation, world)?.1),
        _ => None,
    })
}

/// The plan with which a rule replaces `plan`, and the clause of the rule.
pub(super) fn instead(world: &World, operation: Operation, plan: &Plan) -> Option<(Plan, Clause)> {
    let Plan::Refuse(why) = *plan else { return None };
    let verb = operation.row().verb;
    let is_meant = |rule: &&ChangedRefusal| {
        rule.why == why && rule.verb == verb && !world.is_off(clause(rule.number))
    };
    let rule = of(world)?.refusals.iter().find(is_meant)?;
    let becomes = match rule.becomes {
        Decline::NoOp => Plan::NoOp,
        Decline::Refuse(why) => Plan::Refuse(why),
    };
    Some((becomes, clause(rule.number)))
}

/// The clause of the rule that replaces the condition of a branch, and whether the branch is taken.
pub(super) fn exchanged(
    world: &World,
    state: &State,
    branch: Clause,
    about: EntityId,
) -> Option<(Clause, bool)> {
    let is_meant =
        |rule: &&ExchangedBranch| rule.clause == branch && !world.is_off(clause(rule.number));
    let rule = of(world)?.branches.iter().find(is_meant)?;
    let subject = Some(Row::from(about));
    Some((clause(rule.number), rule.when.holds(world, state, subject, &Named::default())))
}

/// Names the tasks that rules make watch `row`, and returns whether all do. The plan of a duty may
/// depend on any document, so a change of any document wakes the tasks that have a duty due.
pub(super) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) -> bool {
    let Some(rules) = of(change.world) else { return false };
    for rule in &rules.duties {
        rule.when.subjects(change, row, &mut |subject| {
            rule.tasks.get(&subject).copied().into_iter().for_each(&mut *wake);
        });
        if row.kind().is_document() || change.is_of_manager(row) {
            let is_due = |subject| rule.is_due(change.world, change.after, subject);
            let due = rule.tasks.iter().filter(|(subject, _)| is_due(**subject));
            due.for_each(|(_, task)| wake(*task));
        }
    }
    let mut concerns_all = false;
    for rule in &rules.branches {
        rule.when.subjects(change, row, &mut |_| concerns_all = true);
    }
    for rule in &rules.restrictions {
        rule.when.subjects(change, row, &mut |subject| {
            let subject = rule.each.map(|_| subject);
            let task = subject.zip(rule.by).and_then(|(subject, by)| match by {
                RuleActor::UnitAgent | RuleActor::MachineAgent => by.task_about(subject),
                _ => None,
            });
            match task {
                Some(task) => wake(task),
                None => concerns_all = true,
            }
        });
    }
    concerns_all
}
