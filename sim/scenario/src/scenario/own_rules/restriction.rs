//! Rules that let an act be done only under a condition.

use deathwatch_language::{RuleScope, kind_name};
use deathwatch_model::{
    action::Fault,
    agents::{Restriction, RuleActor},
    ids::{EntityId, Id},
    rows::RowKind,
    syntax::VERBS,
    table::{Parameter, RowEnum as _, RowText},
};

use super::RuleReader;
use crate::{
    problem::Problem,
    scenario::{names::with_suggestion, value::Located},
};

impl RuleReader<'_> {
    /// Reads a rule about an act with this verb.
    pub(super) fn restriction(&self, verb: &Located<String>) -> Result<Restriction, Problem> {
        let (row, actors) = self.verb(verb)?;
        let given = self.actor()?;
        if let Some(kind) = given
            && !actors.contains(&kind)
        {
            let span = self.file.actor.as_ref().map_or(&verb.span, |it| &it.span);
            let message = format!("no {} does `{}`", name(kind), verb.value);
            let names: Vec<&str> = actors.iter().map(|kind| name(*kind)).collect();
            let label = format!("{} was expected", names.join(", "));
            return Err(self.problem(span, &message, &label));
        }
        let by = given.or(match actors[..] {
            [one] => Some(one),
            _ => None,
        });
        let me = by.and_then(own_kind);
        let act = named(row);
        let each = self.each()?;
        if let (Some(kind), Some(at)) = (each, &self.file.each)
            && !is_found(kind, me, act)
        {
            let message = format!(
                "no row `{}` belongs to who does `{}`, or to what it names",
                kind_name(kind),
                row.verb
            );
            let label = "the kind of the actor's own row, or of an argument, was expected";
            return Err(self.problem(&at.span, &message, label));
        }
        self.needed("when", self.file.when.as_ref())?;
        let when = self.condition(RuleScope { each, me, act })?;
        Ok(Restriction { number: self.number, verb: row.verb, by, each, when })
    }

    /// The row of the acts with this verb, and who does them.
    fn verb(&self, verb: &Located<String>) -> Result<(&'static RowText, Vec<RuleActor>), Problem> {
        let all = VERBS.iter().flat_map(|verbs| verbs.rows.iter().map(move |row| (verbs, row)));
        let found: Vec<_> = all.clone().filter(|(_, row)| row.verb == verb.value).collect();
        if Fault::ROWS.iter().any(|row| row.verb == verb.value) {
            let label = "the table [faults] says which faults happen";
            return Err(self.problem(&verb.span, "faults follow no rules", label));
        }
        let Some((_, row)) = found.first() else {
            let message = format!("there is no act `{}`", verb.value);
            let label = "the verb of an act was expected (`deathwatch list steps` has them all)";
            let problem = self.problem(&verb.span, &message, label);
            return Err(with_suggestion(problem, &verb.value, all.map(|(_, row)| row.verb)));
        };
        let does = |(_, name): &&(RuleActor, &str)| {
            let mut actors = found.iter().flat_map(|(verbs, _)| verbs.actors.split(", "));
            actors.any(|actor| actor.split(' ').next() == Some(name))
        };
        let actors = RuleActor::ALL.iter().filter(does).map(|(kind, _)| *kind).collect();
        Ok((row, actors))
    }
}

pub(super) fn name(kind: RuleActor) -> &'static str {
    let named = RuleActor::ALL.iter().find(|(it, _)| *it == kind);
    named.map_or("", |(_, name)| name)
}

/// The kind of the entities whose agents these actors are.
pub(super) fn own_kind(kind: RuleActor) -> Option<RowKind> {
    match kind {
        RuleActor::UnitAgent => Some(RowKind::Unit),
        RuleActor::MachineAgent => Some(RowKind::Machine),
        RuleActor::User
        | RuleActor::Provisioner
        | RuleActor::Cleaner
        | RuleActor::Operator
        | RuleActor::Supervisor => None,
    }
}

/// The kinds of the entities that an act of a row names.
fn named(row: &RowText) -> [Option<RowKind>; 2] {
    let mut kinds = row.parameters.iter().map(|parameter| match parameter {
        Parameter::Unit => Some(RowKind::Unit),
        Parameter::Machine => Some(RowKind::Machine),
        Parameter::Application => Some(RowKind::Application),
        Parameter::Relation => Some(RowKind::Relation),
        Parameter::Constraints | Parameter::Agent | Parameter::User | Parameter::Client => None,
    });
    [kinds.next().flatten(), kinds.next().flatten()]
}

/// Whether every act with these arguments, by an actor whose own entity is of the kind `me`, has a
/// row of the kind `kind`.
fn is_found(kind: RowKind, me: Option<RowKind>, act: [Option<RowKind>; 2]) -> bool {
    let known: Vec<RowKind> = me.into_iter().chain(act.into_iter().flatten()).collect();
    let entity = |of: &RowKind| match of {
        RowKind::Unit => EntityId::Unit(Id::new(0)),
        RowKind::Machine => EntityId::Machine(Id::new(0)),
        RowKind::Application => EntityId::Application(Id::new(0)),
        _ => EntityId::Relation(Id::new(0)),
    };
    let is_pair = RowKind::PAIRS.contains(&kind);
    let has = |wanted| known.contains(&wanted);
    known.iter().any(|of| kind.of_entity(entity(of)).is_some())
        || is_pair && has(RowKind::Unit) && has(RowKind::Relation)
}
