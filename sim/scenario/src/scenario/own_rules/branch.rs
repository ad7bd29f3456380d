//! Rules that pick a branch of an operation by another condition.

use deathwatch_language::RuleScope;
use deathwatch_model::{
    agents::{BRANCHES, ExchangedBranch},
    clause::Clause,
    world::Transactions,
};

use super::RuleReader;
use crate::{
    problem::Problem,
    scenario::{names::with_suggestion, value::Located},
};

impl RuleReader<'_> {
    /// Reads a rule about the branch of this clause.
    pub(super) fn branch(&self, clause: &Located<String>) -> Result<ExchangedBranch, Problem> {
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
}
