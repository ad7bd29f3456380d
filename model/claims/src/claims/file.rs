//! A file of claims.

use deathwatch_language::kind_named;
use deathwatch_model::{
    rows::RowKind,
    world::{Details, World},
};
use serde::Deserialize;

use super::{Claim, ClaimTexts, OwnClaim};

/// A file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    claim: Vec<WrittenClaim>,
}

/// A claim, as it is written: what it says of each row of some kinds, or of each kind in a part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    /// A sentence that completes "we claim that".
    name: String,
    /// The passage that it rests on.
    source: String,
    /// Whether it reads what the agent of a unit notes.
    #[serde(default)]
    noted: bool,
    #[serde(default)]
    part: Vec<WrittenPart>,
    each: Option<WrittenKinds>,
    always: Option<String>,
    step: Option<String>,
    leads: Option<WrittenLeads>,
    reachable: Option<String>,
}

/// What a claim says of each row of some kinds: one of `always`, `step`, `leads` and `reachable`,
/// in CEL.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPart {
    /// The kinds of rows that it is about, one by one; without it, the whole state.
    each: Option<WrittenKinds>,
    always: Option<String>,
    step: Option<String>,
    leads: Option<WrittenLeads>,
    reachable: Option<String>,
}

/// A kind of rows, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenKinds {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeads {
    from: String,
    /// What discharges the obligation; without it, that `from` does not hold any more.
    to: Option<String>,
}

/// A claim of a file.
pub(super) struct NotedClaim {
    pub(super) claim: Claim,
    /// Whether it reads what the agent of a unit notes.
    pub(super) noted: bool,
}

/// Reads the claims of a file about a world with this detail, or about every world.
///
/// # Errors
/// If it is no file of claims, or an expression means nothing.
pub(super) fn read(detail: Option<&str>, source: &str) -> Result<Vec<NotedClaim>, String> {
    let written: WrittenFile = toml::from_str(source).map_err(|error| error.to_string())?;
    let details = match detail {
        Some(detail) => {
            Details::with(detail).ok_or_else(|| format!("there is no detail {detail}"))?
        }
        None => Details::default(),
    };
    let world = World::smallest(details);
    written.claim.into_iter().map(|claim| claim.read(&world)).collect()
}

impl WrittenClaim {
    fn read(self, world: &World) -> Result<NotedClaim, String> {
        let Self { name, source, noted, mut part, each, always, step, leads, reachable } = self;
        if part.is_empty() {
            part.push(WrittenPart { each, always, step, leads, reachable });
        } else if always.or(step).or(reachable).is_some() || each.is_some() || leads.is_some() {
            return Err(format!("{name}: it says something beside its parts"));
        }
        let mut own = Vec::new();
        for part in part {
            for each in part.kinds().map_err(|error| format!("{name}: {error}"))? {
                own.push(part.read(world, each).map_err(|error| format!("{name}: {error}"))?);
            }
        }
        Ok(NotedClaim { claim: Claim::said(name.leak(), source.leak(), own), noted })
    }
}

impl WrittenPart {
    /// The kinds of its subjects; `None` for the whole state.
    fn kinds(&self) -> Result<Vec<Option<RowKind>>, String> {
        let kind = |name: &String| {
            let kind = kind_named(name);
            kind.map(Some).ok_or_else(|| format!("there are no rows of the kind {name}"))
        };
        match &self.each {
            None => Ok(vec![None]),
            Some(WrittenKinds::One(name)) => Ok(vec![kind(name)?]),
            Some(WrittenKinds::Several(names)) => names.iter().map(kind).collect(),
        }
    }

    fn read(&self, world: &World, each: Option<RowKind>) -> Result<OwnClaim, String> {
        let asked = match (&self.always, &self.step, &self.leads, &self.reachable) {
            (Some(text), None, None, None) => ClaimTexts::Always(text.clone()),
            (None, Some(text), None, None) => ClaimTexts::Step(text.clone()),
            (None, None, Some(WrittenLeads { from, to }), None) => {
                let ended = || format!("!({from})");
                ClaimTexts::Leads(from.clone(), to.clone().unwrap_or_else(ended))
            }
            (None, None, None, Some(text)) => ClaimTexts::Reachable(text.clone()),
            _ => return Err("one of always, step, leads and reachable is said".to_owned()),
        };
        asked.claim(world, each, |_, error| format!("{}, {}", error.message, error.expected))
    }
}
