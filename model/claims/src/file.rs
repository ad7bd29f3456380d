//! A file of claims that are text.

use deathwatch_language::{Expression, Form, KINDS};
use deathwatch_model::{
    claims::{Claim, Own, Says},
    ids::{ApplicationId, Id, RelationId},
    rows::RowKind,
    world::{
        ApplicationDef, CharmDef, Details, MachineDef, RelationDef, Scope, UnitDef, World,
        WorldBuilder,
    },
};
use serde::Deserialize;

/// A file of claims about one detail.
pub(crate) struct TextFile {
    /// Its name.
    pub(crate) name: &'static str,
    /// The detail that its claims are about.
    pub(crate) detail: &'static str,
    /// The claims, in the order of the text.
    pub(crate) claims: Vec<Claim>,
}

/// A file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    detail: String,
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
    leads: Option<Leads>,
    reachable: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Leads {
    from: String,
    to: String,
}

impl TextFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no file of claims, or an expression means nothing.
    pub(crate) fn read(name: &'static str, source: &'static str) -> Result<Self, String> {
        let written: Written = toml::from_str(source).map_err(|error| error.to_string())?;
        let world = world(&written.detail)?;
        let claims = written.claim.into_iter().map(|claim| claim.read(&world));
        let claims = claims.collect::<Result<_, _>>()?;
        Ok(Self { name, detail: written.detail.leak(), claims })
    }
}

impl WrittenClaim {
    fn read(self, world: &World) -> Result<Claim, String> {
        let each = self.each.as_deref().map(kind).transpose()?;
        let name = &self.name;
        let read = |form, text: &str| {
            Expression::new(world, form, text)
                .map_err(|error| format!("{name}: {}, {}", error.message, error.expected))
        };
        let (state, step) = (Form::State(each), Form::Step(each));
        let one = |form, text: &str, says: fn(_) -> Says| {
            let expression = read(form, text)?;
            let (reads, keeps) = (expression.reads().clone(), expression.keeps());
            Ok(Own { each, reads, keeps, says: says(Box::new(expression)) })
        };
        let own = match (&self.always, &self.step, &self.leads, &self.reachable) {
            (Some(text), None, None, None) => one(state, text, |it| Says::Always(it)),
            (None, Some(text), None, None) => one(step, text, |it| Says::Step(it)),
            (None, None, Some(Leads { from, to }), None) => {
                let (from, to) = (read(state, from)?, read(state, to)?);
                let reads = from.reads().clone().and(to.reads());
                let keeps = from.keeps() | to.keeps();
                Ok(Own { each, reads, keeps, says: Says::Leads(Box::new(from), Box::new(to)) })
            }
            (None, None, None, Some(text)) => one(state, text, |it| Says::Reachable(it)),
            _ => Err(format!("{name}: one of always, step, leads and reachable was expected")),
        };
        Ok(Claim::said(self.name.leak(), self.source.leak(), own?))
    }
}

fn kind(name: &str) -> Result<RowKind, String> {
    let kind = KINDS.into_iter().find(|kind| kind.row_type().name == name);
    kind.ok_or_else(|| format!("there are no rows of the kind {name}"))
}

/// A world that has rows of every kind that claims of a detail may name. A claim that names no entity is the
/// same for all worlds.
fn world(detail: &str) -> Result<World, String> {
    let mut details = Details::default();
    let mut on = vec![detail];
    while let Some(name) = on.pop() {
        let info = Details::LIST.iter().find(|info| info.name == name);
        let info = info.ok_or_else(|| format!("there is no detail {name}"))?;
        let _ = details.set(name, true);
        on.extend(info.needs);
    }
    let first = 0;
    let world = WorldBuilder {
        machines: vec![MachineDef {
            name: "0".to_owned(),
            parent: None,
            manages_model: true,
            hosts_units: true,
            never_starts: false,
        }],
        applications: vec![ApplicationDef {
            name: "application".to_owned(),
            subordinate: false,
            charm: CharmDef::default(),
            relations: vec![RelationId::new(first)],
            units: 0..1,
        }],
        units: vec![UnitDef {
            name: "application/0".to_owned(),
            application: ApplicationId::new(first),
        }],
        relations: vec![RelationDef {
            name: "application:peers".to_owned(),
            ends: [ApplicationId::new(first); 2],
            scope: Scope::Peer,
        }],
        detail: details,
        ..WorldBuilder::default()
    };
    Ok(world.build())
}
