//! Rules of a scenario's own: the tables `[rule."NAME"]`. Each changes the protocol: it adds a
//! duty, lets an act be done only under a condition, makes something else of a refusal, or picks a
//! branch by another condition.

mod act;
mod branch;
mod duty;
mod file;
mod refusal;
mod restriction;

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use deathwatch_language::{RuleCondition, RuleScope, kind_named};
use deathwatch_model::{
    agents::{OwnRules, RuleActor},
    clause::{Clause, NUMBERS, Rule},
    rows::RowKind,
    world::{OwnRuleSet, World},
};

pub(super) use file::RuleFile;

use super::{
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
