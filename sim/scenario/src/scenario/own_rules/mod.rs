//! Rules of a scenario's own: the tables `[rule."NAME"]`. Each changes the protocol: it adds a
//! duty, lets an act be done only under a condition, makes something else of a refusal, or picks a
//! branch by another condition.

mod act;
mod restriction;

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use deathwatch_language::{RuleCondition, RuleScope, kind_name, kind_named};
use deathwatch_model::{
    agents::{BRANCHES, ChangedRefusal, ExchangedBranch, OwnDuty, OwnRules, RuleActor, Task},
    clause::{Clause, NUMBERS, Rule},
    operation::Operation,
    ops::Decline,
    rows::{Row, RowKind},
    table::RowEnum as _,
    txn::Why,
    world::{OwnRuleSet, Transactions, World},
};

use self::restriction::{name, own_kind};
use super::{
    form::RuleFile,
    names::{duplicate, with_suggestion},
    own::{kinds, problem},
    value::{Located, Map},
};
use crate::problem::{Problem, Text};

/// The clauses that the rules of a file are, by name; the file has them in the order of names.
#[derive(Clone, Copy)]
pub(super) struct OwnClauses<'a>(pub(super) &'a Map<RuleFile>);

impl OwnClauses<'_> {
    /// The clause that the rule of this name is.
    pub(super) fn named(self, name: &str) -> Option<Clause> {
        let place = self.0.iter().position(|(known, _)| known.value == name)?;
        Some(Clause { rule: Rule::Own, number: u8::try_from(place + 1).ok()? })
    }

    pub(super) fn names(self) -> impl Iterator<Item = String> {
        self.0.0.iter().map(|(name, _)| name.value.clone())
    }

    /// Whether the clause is a duty that this rule adds.
    pub(super) fn is_duty(self, clause: Clause) -> bool {
        let place = usize::from(clause.number).checked_sub(1);
        let rule = place.and_then(|place| self.0.0.get(place));
        clause.rule == Rule::Own && rule.is_some_and(|(_, it)| it.act.is_some())
    }
}

struct RuleReader<'a> {
    text: &'a Text,
    world: &'a World,
    name: &'a Located<String>,
    file: &'a RuleFile,
    number: u8,
}

pub(super) fn read(text: &Text, file: &Map<RuleFile>, world: World) -> Result<World, Problem> {
    if file.0.is_empty() {
        return Ok(world);
    }
    check_names(text, file)?;
    let mut rules = OwnRules::default();
    for ((name, file), number) in file.iter().zip(1..) {
        let reader = RuleReader { text, world: &world, name, file, number };
        match reader.form()? {
            RuleForm::Duty(act) => rules.duties.push(reader.duty(act)?),
            RuleForm::Only(verb) => rules.restrictions.push(reader.restriction(verb)?),
            RuleForm::Refusal(why) => rules.refusals.push(reader.refusal(why)?),
            RuleForm::Branch(clause) => rules.branches.push(reader.branch(clause)?),
        }
    }
    let names: Vec<Arc<str>> = file.iter().map(|(name, _)| name.value.as_str().into()).collect();
    let operations = rules.operations().collect();
    Ok(world.changed(|it| it.own_rules = OwnRuleSet::new(names, operations, Arc::new(rules))))
}

/// Whether rules of the scenario's own add duties.
pub(super) fn adds_duties(world: &World) -> bool {
    world.own_rules.says().is_some_and(|it: &OwnRules| !it.duties.is_empty())
}

/// Checks that each rule has a name of its own, that no clause or rule of the protocol has.
fn check_names(text: &Text, file: &Map<RuleFile>) -> Result<(), Problem> {
    if let Some((name, _)) = file.iter().nth(NUMBERS - 1) {
        let message = format!("a scenario has at most {} rules", NUMBERS - 1);
        return Err(text.problem(&name.span, message, "one too many"));
    }
    let mut seen = BTreeMap::new();
    for (name, _) in file.iter() {
        if let Some(first) = seen.insert(name.value.as_str(), &name.span) {
            return Err(duplicate(text, name, first));
        }
        let message = if name.value.trim().is_empty() {
            "a rule has a name".to_owned()
        } else if Clause::named(&name.value).is_some() || Rule::named(&name.value).is_some() {
            format!("`{}` is in the protocol already", name.value)
        } else {
            continue;
        };
        return Err(text.problem(&name.span, message, "another name was expected"));
    }
    Ok(())
}

/// A form of rules, given by its key.
enum RuleForm<'a> {
    Duty(&'a Located<String>),
    /// A restriction: an act is done only under a condition.
    Only(&'a Located<String>),
    /// A refusal that is replaced by another outcome.
    Refusal(&'a Located<String>),
    /// A branch that is picked by another condition.
    Branch(&'a Located<String>),
}

/// The word for a refusal that becomes nothing.
const NO_OP: &str = "no-op";

/// The other keys of a rule, for each key that gives its form.
const BESIDE: [(&str, &[&str]); 4] = [
    ("act", &["actor", "each", "when"]),
    ("only", &["actor", "each", "when"]),
    ("refusal", &["of", "becomes"]),
    ("clause", &["when"]),
];

impl<'a> RuleReader<'a> {
    fn form(&self) -> Result<RuleForm<'a>, Problem> {
        let RuleFile { act, only, refusal, clause, .. } = self.file;
        let one_of = "one of `act`, `only`, `refusal` and `clause` was expected";
        let mut given = [("act", act), ("only", only), ("refusal", refusal), ("clause", clause)]
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let (key, value) = given
            .next()
            .ok_or_else(|| self.text.problem(&self.name.span, "this rule does nothing", one_of))?;
        if let Some((_, second)) = given.next() {
            let problem = self.text.problem(&second.span, "this rule does two things", one_of);
            return Err(problem.with_label(value.span.clone(), "the first one"));
        }
        let beside = BESIDE.iter().find(|(form, _)| *form == key).map_or(&[][..], |it| it.1);
        if let Some((other, value)) = self.file.beside().find(|(it, _)| !beside.contains(it)) {
            let message = format!("a rule with `{key}` has no `{other}`");
            let label = format!("beside `{key}` it can have {}", quoted(beside));
            return Err(self.text.problem(&value.span, message, &label));
        }
        Ok(match key {
            "act" => RuleForm::Duty(value),
            "only" => RuleForm::Only(value),
            "clause" => RuleForm::Branch(value),
            _ => RuleForm::Refusal(value),
        })
    }

    /// The value of a key that the rule needs.
    fn needed(
        &self,
        key: &str,
        value: Option<&'a Located<String>>,
    ) -> Result<&'a Located<String>, Problem> {
        value.ok_or_else(|| {
            let message = format!("this rule has no `{key}`");
            self.text.problem(&self.name.span, message, "expected in the table that begins here")
        })
    }

    /// The kind of rows that it is about.
    fn each(&self) -> Result<Option<RowKind>, Problem> {
        let Some(each) = &self.file.each else { return Ok(None) };
        let found = kind_named(&each.value).map(Some);
        found.ok_or_else(|| {
            let message = format!("there are no rows of the kind `{}`", each.value);
            let problem = self.text.problem(&each.span, message, "a kind of row was expected");
            with_suggestion(problem, &each.value, kinds())
        })
    }

    /// The kind of actor that it names.
    fn actor(&self) -> Result<Option<RuleActor>, Problem> {
        let Some(actor) = &self.file.actor else { return Ok(None) };
        let known = RuleActor::ALL.iter().find(|(_, name)| *name == actor.value);
        if let Some((kind, _)) = known {
            return Ok(Some(*kind));
        }
        let (message, label) = match actor.value.as_str() {
            "faults" => ("faults follow no rules", "the table [faults] says which happen"),
            "client" => ("clients follow no rules", "a client does what its script says"),
            _ => ("there is no such actor", "an actor was expected"),
        };
        let problem = self.text.problem(&actor.span, message, label);
        let known = RuleActor::ALL.iter().map(|(_, name)| *name);
        Err(with_suggestion(problem, &actor.value, known))
    }

    /// Its condition, which always holds where it has none.
    fn condition(&self, scope: RuleScope) -> Result<Arc<RuleCondition>, Problem> {
        let Some(when) = &self.file.when else {
            let always = RuleCondition::new(self.world, scope, "true");
            return Ok(Arc::new(always.expect("it means something in every world")));
        };
        let condition = RuleCondition::new(self.world, scope, &when.value);
        condition
            .map(Arc::new)
            .map_err(|error| problem(self.text, &self.text.inside(when, &error.span), &error))
    }

    fn problem(&self, span: &Range<usize>, message: &str, label: &str) -> Problem {
        self.text.problem(span, message, label)
    }
}

fn quoted(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

impl RuleReader<'_> {
    /// Reads a rule about the branch of this clause.
    fn branch(&self, clause: &Located<String>) -> Result<ExchangedBranch, Problem> {
        let named = Clause::named(&clause.value);
        let found = BRANCHES.iter().find(|(branch, _)| Some(*branch) == named);
        let Some((branch, kind)) = found else {
            let message = match named {
                Some(known) => format!("{known} has no branch whose condition can be exchanged"),
                None => format!("no such clause: `{}`", clause.value),
            };
            let label = "the clause of a branch was expected";
            let problem = self.problem(&clause.span, &message, label);
            let known = BRANCHES.map(|(branch, _)| branch.to_string());
            return Err(match named {
                Some(_) => problem.with_help(format!(
                    "possible: {}; that of a duty is exchanged by switching its clause off, and \
                     adding a rule with `act`",
                    known.join(", ")
                )),
                None => with_suggestion(problem, &clause.value, known.iter().map(String::as_str)),
            });
        };
        if self.world.transactions == Transactions::Split {
            let message = "in this world the condition would be judged again at the commit";
            let label = "a world with atomic transactions was expected";
            return Err(self.problem(&clause.span, message, label));
        }
        self.needed("when", self.file.when.as_ref())?;
        let scope = RuleScope { each: Some(*kind), ..RuleScope::default() };
        Ok(ExchangedBranch { number: self.number, clause: *branch, when: self.condition(scope)? })
    }

    /// Reads a rule that makes something else of the refusal for this reason.
    fn refusal(&self, reason: &Located<String>) -> Result<ChangedRefusal, Problem> {
        let why = self.why(reason, &[])?;
        let of = self.needed("of", self.file.of.as_ref())?;
        let becomes = self.needed("becomes", self.file.becomes.as_ref())?;
        let place = Operation::ROWS.iter().position(|row| row.verb == of.value);
        let place = place.ok_or_else(|| {
            let message = format!("there is no operation `{}`", of.value);
            let problem = self.text.problem(&of.span, message, "an operation was expected");
            with_suggestion(problem, &of.value, Operation::ROWS.iter().map(|row| row.verb))
        })?;
        let rule = Operation::RULES[place];
        let refuses = |why: &&Why| {
            **why == Why::NotFound || why.clauses().iter().any(|clause| clause.rule == rule)
        };
        if !refuses(&&why) {
            let message = format!("no `{}` is refused for this reason", of.value);
            let known: Vec<&str> = Why::ALL.iter().filter(refuses).map(|why| why.text()).collect();
            let problem = self.text.problem(&reason.span, message, "another reason was expected");
            return Err(problem.with_help(format!("it is refused as {}", known.join("; "))));
        }
        let becomes = match becomes.value.as_str() {
            NO_OP => Decline::NoOp,
            _ => Decline::Refuse(self.why(becomes, &[NO_OP])?),
        };
        let verb = Operation::ROWS[place].verb;
        Ok(ChangedRefusal { number: self.number, verb, why, becomes })
    }

    /// The reason that a value is; these words are possible there, too.
    fn why(&self, reason: &Located<String>, words: &[&str]) -> Result<Why, Problem> {
        let found = Why::ALL.iter().copied().find(|why| why.text() == reason.value);
        found.ok_or_else(|| {
            let message = format!("no such reason: `{}`", reason.value);
            let label = match words {
                [] => "a reason was expected (`deathwatch list refusals` has them all)",
                _ => "`no-op` or a reason was expected (`deathwatch list refusals` has them all)",
            };
            let problem = self.text.problem(&reason.span, message, label);
            let known = Why::ALL.iter().map(|why| why.text()).chain(words.iter().copied());
            with_suggestion(problem, &reason.value, known)
        })
    }

    /// Reads a rule that adds this act as a duty.
    fn duty(&self, act: &Located<String>) -> Result<OwnDuty, Problem> {
        let at = self.needed("actor", self.file.actor.as_ref())?;
        let each_at = self.needed("each", self.file.each.as_ref())?;
        let actor = self.actor()?.filter(|kind| match kind {
            RuleActor::UnitAgent
            | RuleActor::MachineAgent
            | RuleActor::Provisioner
            | RuleActor::Cleaner => true,
            RuleActor::User | RuleActor::Operator | RuleActor::Supervisor => false,
        });
        let actor = actor.ok_or_else(|| {
            let message = format!("no duty is added to the {}", at.value);
            let label = "unit-agent, machine-agent, provisioner or cleaner was expected";
            let help = match at.value.as_str() {
                "user" => "what a user does says the table [user]",
                _ => "what these do is not the protocol's: their acts are assumptions",
            };
            self.problem(&at.span, &message, label).with_help(help)
        })?;
        let each = self.each()?.expect("there is one");
        let scope = RuleScope { each: Some(each), me: own_kind(actor), act: [None; 2] };
        let when = self.condition(scope)?;
        let mut acts: BTreeMap<Task, Vec<(Row, _)>> = BTreeMap::new();
        let mut tasks = BTreeMap::new();
        for subject in each.rows(self.world) {
            let Some(task) = actor.task_about(subject) else {
                return Err(self.has_no_rows(actor, each, each_at));
            };
            let does = self.act(act, task, subject)?;
            acts.entry(task).or_default().push((subject, does));
            tasks.insert(subject, task);
        }
        Ok(OwnDuty { number: self.number, when, acts, tasks })
    }

    /// The problem that an actor has no duty towards rows of a kind.
    fn has_no_rows(&self, actor: RuleActor, each: RowKind, at: &Located<String>) -> Problem {
        let message = format!("a {} has no duty towards a row `{}`", name(actor), kind_name(each));
        let label = match actor {
            RuleActor::UnitAgent => "rows of its own unit were expected: unit, scope, membership …",
            RuleActor::MachineAgent => "rows of its own machine were expected: machine …",
            RuleActor::Provisioner => "rows of a machine were expected: machine …",
            RuleActor::Cleaner | RuleActor::User | RuleActor::Operator | RuleActor::Supervisor => {
                "rows of an entity were expected: unit, machine …"
            }
        };
        self.problem(&at.span, &message, label)
    }
}
