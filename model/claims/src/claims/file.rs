//! A file of claims.

use std::{fmt, io, ops::Range, sync::Arc};

use deathwatch_language::{Error, KINDS, kind_named};
use deathwatch_model::{
    rows::RowKind,
    world::{Details, World},
};
use serde::Deserialize;
use toml::Spanned;

use super::{Claim, ClaimKind, ClaimTexts, OwnClaim};

/// The reason why a file of claims cannot be used.
#[derive(Debug)]
pub struct ClaimFileError {
    /// The path of the file, below the root of the project.
    pub path: &'static str,
    /// Its text; empty if it cannot be read.
    pub source: Arc<str>,
    pub mistake: Box<Mistake>,
}

impl ClaimFileError {
    /// The reason why this text is no file of claims about every world; `None` if it is one.
    pub fn of(path: &'static str, source: &str) -> Option<Self> {
        read(path, None, Ok(source)).err()
    }
}

/// A mistake in a file of claims.
#[derive(Debug)]
pub enum Mistake {
    Unreadable(io::Error),
    /// The text is no TOML, or has other keys.
    Toml(toml::de::Error),
    /// A part of the file has no meaning: the span of the error is in the file.
    Part(Error),
    /// An expression has no meaning: the span of the error is in this value of a string, which is
    /// written at these bytes of the file.
    Expression(String, Range<usize>, Error),
}

impl fmt::Display for ClaimFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, source, mistake } = self;
        let line = |offset: usize| source[..offset].matches('\n').count() + 1;
        match &**mistake {
            Mistake::Unreadable(error) => write!(f, "failed to read {path}: {error}"),
            Mistake::Toml(error) => write!(f, "{path}: {error}"),
            Mistake::Part(error) => {
                let line = line(error.span.start);
                write!(f, "{path}:{line}: {}, {}", error.message, error.expected)
            }
            Mistake::Expression(_, string, error) => {
                let line = line(string.start);
                write!(f, "{path}:{line}: {}, {}", error.message, error.expected)
            }
        }
    }
}

impl std::error::Error for ClaimFileError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    claim: Vec<WrittenClaim>,
}

/// A claim, as it is written: one condition for each row of some kinds, or several parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    /// A sentence that completes "we claim that".
    name: Spanned<String>,
    /// The passage that it rests on.
    source: String,
    /// The names of the claims that mean the same and read notes.
    #[serde(default)]
    instead_of: Vec<String>,
    #[serde(default)]
    part: Vec<Spanned<WrittenPart>>,
    each: Option<Spanned<WrittenKinds>>,
    always: Option<WrittenText>,
    step: Option<WrittenText>,
    leads: Option<WrittenLeads>,
    reachable: Option<WrittenText>,
}

/// The part of a claim about each row of some kinds: one of `always`, `step`, `leads` and
/// `reachable`, in CEL.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPart {
    /// The kinds of rows that are its subjects; without them, the whole state.
    each: Option<Spanned<WrittenKinds>>,
    always: Option<WrittenText>,
    step: Option<WrittenText>,
    leads: Option<WrittenLeads>,
    reachable: Option<WrittenText>,
}

/// One kind of rows, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenKinds {
    One(String),
    Several(Vec<String>),
}

/// An expression, as it is written.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
struct WrittenText(Spanned<String>);

impl AsRef<str> for WrittenText {
    fn as_ref(&self) -> &str {
        self.0.as_ref()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeads {
    from: WrittenText,
    /// The condition that discharges the obligation; without one, the opposite of `from`.
    to: Option<WrittenText>,
}

pub(super) struct BuiltInClaim {
    pub(super) claim: Claim,
    /// The names of the claims that mean the same and read notes.
    pub(super) instead_of: Vec<String>,
}

/// Reads the claims of a file about worlds with this detail, or about every world.
///
/// # Errors
/// If it cannot be read, is no file of claims, or has an expression without meaning.
///
/// # Panics
/// If there is no such detail.
pub(super) fn read(
    path: &'static str,
    detail: Option<&str>,
    source: io::Result<impl Into<Arc<str>>>,
) -> Result<Vec<BuiltInClaim>, ClaimFileError> {
    let details = detail.map_or_else(Details::default, |detail| {
        Details::with(detail).expect("a file is about a detail that there is")
    });
    let (source, claims) = match source.map(Into::into) {
        Ok(source) => {
            let claims = claims(details, &source);
            (source, claims)
        }
        Err(error) => ("".into(), Err(Box::new(Mistake::Unreadable(error)))),
    };
    claims.map_err(|mistake| ClaimFileError { path, source, mistake })
}

fn claims(details: Details, source: &str) -> Result<Vec<BuiltInClaim>, Box<Mistake>> {
    let written: WrittenFile =
        toml::from_str(source).map_err(|error| Box::new(Mistake::Toml(error)))?;
    let world = World::smallest(details);
    written.claim.into_iter().map(|claim| claim.read(&world)).collect()
}

/// The mistake at `span`.
fn mistake(span: &Range<usize>, message: impl Into<String>, expected: &str) -> Box<Mistake> {
    Box::new(Mistake::Part(Error::new(span, message, expected)))
}

impl WrittenClaim {
    fn read(self, world: &World) -> Result<BuiltInClaim, Box<Mistake>> {
        let Self { name, source, instead_of, mut part, each, always, step, leads, reachable } =
            self;
        let named = name.span();
        let beside = WrittenPart { each, always, step, leads, reachable };
        if part.is_empty() {
            part.push(Spanned::new(named.clone(), beside));
        } else if beside.says_something() {
            let message = "this claim says something beside its parts";
            return Err(mistake(&named, message, "parts, or one claim was expected"));
        }
        let mut own = Vec::new();
        for part in part {
            let (at, part) = (part.span(), part.into_inner());
            for each in part.kinds()? {
                own.push(part.read(world, each, &at)?);
            }
        }
        let is_leads = own.iter().any(|it| it.kind() == ClaimKind::Leads);
        if own.is_empty() || (is_leads && own.len() > 1) {
            let message = format!("this claim is about {} kinds of rows", own.len());
            let expected =
                if is_leads { "one was expected, as it leads" } else { "some were expected" };
            return Err(mistake(&named, message, expected));
        }
        let name = name.into_inner();
        Ok(BuiltInClaim { claim: Claim::said(name.leak(), source.leak(), own), instead_of })
    }
}

impl WrittenPart {
    fn says_something(&self) -> bool {
        let Self { each, always, step, leads, reachable } = self;
        let is_said = always.is_some() || step.is_some() || leads.is_some();
        each.is_some() || is_said || reachable.is_some()
    }

    /// The kinds of its subjects; `None` for the whole state.
    fn kinds(&self) -> Result<Vec<Option<RowKind>>, Box<Mistake>> {
        let Some(each) = &self.each else { return Ok(vec![None]) };
        let kind = |name: &String| {
            kind_named(name).map(Some).ok_or_else(|| {
                let message = format!("there are no rows of the kind `{name}`");
                let error = Error::new(&each.span(), message, "a kind of row was expected");
                let known = KINDS.iter().map(|kind| kind.name().to_owned()).collect();
                Box::new(Mistake::Part(Error { names: Some((name.clone(), known)), ..error }))
            })
        };
        match each.get_ref() {
            WrittenKinds::One(name) => Ok(vec![kind(name)?]),
            WrittenKinds::Several(names) => names.iter().map(kind).collect(),
        }
    }

    /// Reads the part about rows of the kind `each`; it is at these bytes of the file.
    fn read(
        &self,
        world: &World,
        each: Option<RowKind>,
        at: &Range<usize>,
    ) -> Result<OwnClaim, Box<Mistake>> {
        let asked = match (&self.always, &self.step, &self.leads, &self.reachable) {
            (Some(text), None, None, None) => ClaimTexts::Always(text.clone()),
            (None, Some(text), None, None) => ClaimTexts::Step(text.clone()),
            (None, None, Some(WrittenLeads { from, to }), None) => {
                let ended = || {
                    let text = format!("!({})", from.as_ref());
                    WrittenText(Spanned::new(from.0.span(), text))
                };
                ClaimTexts::Leads(from.clone(), to.clone().unwrap_or_else(ended))
            }
            (None, None, None, Some(text)) => ClaimTexts::Reachable(text.clone()),
            both => {
                let message = match both {
                    (None, None, None, None) => "this claim says nothing",
                    _ => "this claim says two things",
                };
                let expected = "one of `always`, `step`, `leads` and `reachable` was expected";
                return Err(mistake(at, message, expected));
            }
        };
        asked.claim(world, each, |WrittenText(text), error| {
            let value = text.get_ref().clone();
            Box::new(Mistake::Expression(value, text.span(), error.clone()))
        })
    }
}
