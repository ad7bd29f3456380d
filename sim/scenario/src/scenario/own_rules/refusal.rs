//! Rules that make something else of a refusal.

use deathwatch_model::{
    agents::ChangedRefusal, operation::Operation, ops::Decline, table::RowEnum as _, txn::Why,
};

use super::RuleReader;
use crate::{
    problem::Problem,
    scenario::{names::with_suggestion, value::Located},
};

/// The word for a refusal that becomes nothing.
const NO_OP: &str = "no-op";

impl RuleReader<'_> {
    /// Reads a rule that makes something else of the refusal for this reason.
    pub(super) fn refusal(&self, reason: &Located<String>) -> Result<ChangedRefusal, Problem> {
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
}
