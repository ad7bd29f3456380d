//! A file of claims that are text.

use deathwatch_language::kind_named;
use deathwatch_model::world::{Details, World};
use serde::Deserialize;

use super::{Claim, ClaimTexts};

/// A file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    claim: Vec<WrittenClaim>,
}

/// A claim, as it is written: one of `always`, `step`, `leads` and `reachable`, in CEL.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    /// A sentence that completes "we claim that".
    name: String,
    /// The passage that it rests on.
    source: String,
    /// The kind of rows that it is about, one by one.
    each: Option<String>,
    always: Option<String>,
    step: Option<String>,
    leads: Option<WrittenLeads>,
    reachable: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeads {
    from: String,
    to: String,
}

/// Reads the claims of a file about a detail.
///
/// # Errors
/// If it is no file of claims, or an expression means nothing.
pub(super) fn read(detail: &str, source: &str) -> Result<Vec<Claim>, String> {
    let written: WrittenFile = toml::from_str(source).map_err(|error| error.to_string())?;
    let details = Details::with(detail).ok_or_else(|| format!("there is no detail {detail}"))?;
    let world = World::smallest(details);
    written.claim.into_iter().map(|claim| claim.read(&world)).collect()
}

impl WrittenClaim {
    fn read(self, world: &World) -> Result<Claim, String> {
        let kind = |name: &str| {
            kind_named(name).ok_or_else(|| format!("there are no rows of the kind {name}"))
        };
        let each = self.each.as_deref().map(kind).transpose()?;
        let name = &self.name;
        let asked = match (&self.always, &self.step, &self.leads, &self.reachable) {
            (Some(text), None, None, None) => ClaimTexts::Always(text),
            (None, Some(text), None, None) => ClaimTexts::Step(text),
            (None, None, Some(WrittenLeads { from, to }), None) => ClaimTexts::Leads(from, to),
            (None, None, None, Some(text)) => ClaimTexts::Reachable(text),
            _ => return Err(format!("{name}: one of always, step, leads and reachable is said")),
        };
        let own = asked.claim(world, each, |_, error| {
            format!("{name}: {}, {}", error.message, error.expected)
        })?;
        Ok(Claim::said(self.name.leak(), self.source.leak(), vec![own]))
    }
}
