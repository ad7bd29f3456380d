//! Questions that are asked on the spot: claims that no file has.
//!
//! A run that answers one can be replayed and shrunk only in a scenario that has the claim. So a
//! question can be put into the text of a scenario.

use deathwatch_claims::{Claim, ClaimTexts};
use deathwatch_language::Error;
use deathwatch_model::{rows::RowKind, world::World};
use toml_edit::{DocumentMut, InlineTable, Item, Table};

use super::problem::problem;
use crate::{
    problem::{Problem, Text},
    scenario::{Scenario, part_of, reread},
};

/// A question that is asked on the spot.
#[derive(Clone, Debug)]
pub struct Question {
    /// The kind of rows that it is about, one by one; `None` if it is about the whole state.
    pub each: Option<RowKind>,
    pub asked: ClaimTexts<PlacedText>,
}

/// A text, and the name of the place where it stands.
#[derive(Clone, Debug)]
pub struct PlacedText {
    /// The place: a flag, say.
    pub place: &'static str,
    pub text: String,
}

impl AsRef<str> for PlacedText {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Question {
    /// The name of its claim: the question itself.
    fn name(&self) -> String {
        let said = match &self.asked {
            ClaimTexts::Always(it) | ClaimTexts::Step(it) | ClaimTexts::Reachable(it) => {
                it.text.clone()
            }
            ClaimTexts::Leads(from, to) => format!("{} leads to {}", from.text, to.text),
        };
        match self.each {
            Some(kind) => format!("each {}: {said}", kind.name()),
            None => said,
        }
    }

    /// The question as a claim about a world.
    ///
    /// # Errors
    /// If a text is no condition, or means nothing in this world. The problem says where, and what
    /// there is instead.
    pub fn claim(&self, world: &World) -> Result<&'static Claim, Problem> {
        let wrong = |PlacedText { place, text }: &PlacedText, error: &Error| {
            problem(&Text::new(*place, text.as_str().into()), &error.span, error)
        };
        Ok(Claim::own(&self.name(), self.asked.claim(world, self.each, wrong)?))
    }

    /// The scenario with the question among its own claims, as if its file had it, and the claim.
    ///
    /// # Errors
    /// If the question means nothing in its world.
    ///
    /// # Panics
    /// If a file that was read cannot be read with a claim more, which would be a defect of
    /// deathwatch.
    pub fn put_into(&self, scenario: &Scenario) -> Result<(Scenario, &'static Claim), Problem> {
        let claim = self.claim(&scenario.world)?;
        let mut file: DocumentMut = scenario.source().parse().expect("it was read before");
        let also = scenario.text.part.as_ref().map(|part| &*part.name);
        let part = part_of(&mut file, also).expect("it was read before");
        let own = part.entry("own").or_insert_with(|| Item::Table(Table::new()));
        let own = own.as_table_like_mut().expect("it was read as a table");
        own.insert(claim.name, self.entry().into());
        Ok((reread(scenario, file.to_string())?, claim))
    }

    /// Its entry in the table `[own]`.
    fn entry(&self) -> toml_edit::Value {
        let mut entry = InlineTable::new();
        if let Some(kind) = self.each {
            entry.insert("each", kind.name().into());
        }
        let (key, value) = match &self.asked {
            ClaimTexts::Always(it) => ("always", it.text.as_str().into()),
            ClaimTexts::Step(it) => ("step", it.text.as_str().into()),
            ClaimTexts::Reachable(it) => ("reachable", it.text.as_str().into()),
            ClaimTexts::Leads(from, to) => {
                let both = [("from", from.text.as_str()), ("to", to.text.as_str())];
                ("leads", InlineTable::from_iter(both).into())
            }
        };
        entry.insert(key, value);
        entry.into()
    }
}
