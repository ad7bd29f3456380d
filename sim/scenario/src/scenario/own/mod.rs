//! Claims of a scenario's own: the table `[own]`, and questions that are asked on the spot.

mod built_in;
mod problem;
mod question;

use std::collections::BTreeMap;

use deathwatch_claims::Claim;
pub use deathwatch_claims::ClaimTexts;
use deathwatch_documents::{IS_CARRIED_OUT, KEEPS_TO_ITS_OUTLINE};
use deathwatch_language::KINDS;
pub use deathwatch_language::kind_named;
use deathwatch_model::{rows::RowKind, world::World};

pub(super) use self::problem::problem;
pub use self::{
    built_in::built_in,
    question::{PlacedText, Question},
};
use super::{
    form::OwnFile,
    names::{duplicate, with_suggestion},
    value::{Located, Map},
};
use crate::problem::{Problem, Text};

pub(super) fn read(
    text: &Text,
    file: &Map<OwnFile>,
    world: &World,
) -> Result<Vec<&'static Claim>, Problem> {
    let world = &world.keeping_all();
    let mut claims: Vec<&'static Claim> = Vec::new();
    let mut seen = BTreeMap::new();
    for (name, own) in file.iter() {
        if let Some(first) = seen.insert(name.value.as_str(), &name.span) {
            return Err(duplicate(text, name, first));
        }
        let is_taken = match name.value.trim() {
            "" => Some("a claim has a name".to_owned()),
            "all" => Some("`all` stands for every claim".to_owned()),
            _ if deathwatch_claims::named(&name.value).is_some() => {
                Some(format!("the claim `{}` is built in", name.value))
            }
            // Answers to other questions have these names.
            other if other.ends_with(IS_CARRIED_OUT) || other == KEEPS_TO_ITS_OUTLINE => {
                Some(format!("`{other}` is asked with `witnesses` or `check.refines`"))
            }
            _ => None,
        };
        if let Some(message) = is_taken {
            return Err(text.problem(&name.span, message, "another name was expected"));
        }
        let each = own.each.as_ref().map(|each| kind(text, each)).transpose()?;
        let own = claim_text(text, name, own)?.claim(world, each, |string, error| {
            problem(text, &text.inside(string, &error.span), error)
        })?;
        claims.push(Claim::own(&name.value, own));
    }
    Ok(claims)
}

/// The text of a claim, which has exactly one.
fn claim_text<'a>(
    text: &Text,
    name: &Located<String>,
    own: &'a OwnFile,
) -> Result<ClaimTexts<&'a Located<String>>, Problem> {
    let always = own.always.as_ref().map(|it| (it.span.clone(), ClaimTexts::Always(it)));
    let step = own.step.as_ref().map(|it| (it.span.clone(), ClaimTexts::Step(it)));
    let leads = own.leads.as_ref();
    let leads = leads.map(|it| (it.span.clone(), ClaimTexts::Leads(&it.value.from, &it.value.to)));
    let reachable = own.reachable.as_ref().map(|it| (it.span.clone(), ClaimTexts::Reachable(it)));
    let mut all = [always, step, leads, reachable].into_iter().flatten();
    let one_of = "one of `always`, `step`, `leads` and `reachable` was expected";
    match (all.next(), all.next()) {
        (Some((_, asked)), None) => Ok(asked),
        (None, _) => Err(text.problem(&name.span, "this claim says nothing", one_of)),
        (Some((first, _)), Some((second, _))) => {
            let problem = text.problem(&second, "this claim says two things", one_of);
            Err(problem.with_label(first, "the first one"))
        }
    }
}

/// The kind of rows that is called so in scenarios.
fn kind(text: &Text, name: &Located<String>) -> Result<RowKind, Problem> {
    kind_named(&name.value).ok_or_else(|| {
        let message = format!("there are no rows of the kind `{}`", name.value);
        let problem = text.problem(&name.span, message, "a kind of row was expected");
        with_suggestion(problem, &name.value, kinds())
    })
}

/// The names of all kinds of rows, as the key `each` has them.
pub fn kinds() -> impl Iterator<Item = &'static str> + Clone {
    KINDS.iter().map(|kind| kind.name())
}
