//! Rules that add a duty.

use std::collections::BTreeMap;

use deathwatch_language::{RuleScope, kind_name};
use deathwatch_model::{
    agents::{OwnDuty, RuleActor, Task},
    rows::{Row, RowKind},
};

use super::{
    RuleReader,
    restriction::{name, own_kind},
};
use crate::{problem::Problem, scenario::value::Located};

impl RuleReader<'_> {
    /// Reads a rule that adds this act as a duty.
    pub(super) fn duty(&self, act: &Located<String>) -> Result<OwnDuty, Problem> {
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
