//! Relations that may exist: their names, their ends and their scopes.

use super::World;
use crate::{
    clause::{Clause, Rule},
    ids::{ApplicationId, RelationId, UnitId},
};

/// A relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationDef {
    /// Its canonical name, as in "wordpress:db mysql:server"; a peer relation has one endpoint.
    pub name: String,
    /// Its applications; a peer relation has the same one twice.
    pub ends: [ApplicationId; 2],
    /// Its scope, which determines the units that see each other in it.
    pub scope: Scope,
}

impl RelationDef {
    /// The name with its ends in the other order; `None` if there are not two ends.
    pub fn other_name(name: &str) -> Option<String> {
        let mut ends = name.split_whitespace();
        let (first, second) = (ends.next()?, ends.next()?);
        ends.next().is_none().then(|| format!("{second} {first}"))
    }

    /// The other application: `None` for a peer relation.
    pub fn counterpart(&self, of: ApplicationId) -> Option<ApplicationId> {
        self.ends.into_iter().find(|end| *end != of)
    }

    /// Its applications, each once.
    pub fn applications(&self) -> impl Iterator<Item = ApplicationId> + use<> {
        let [first, second] = self.ends;
        [first].into_iter().chain((second != first).then_some(second))
    }
}

/// The scope of a relation, which determines the units that see each other in it (D4:251-256).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Global,
    /// Units that are deployed alongside one another: a principal and its subordinate.
    Container,
    Peer,
}

impl World {
    /// Whether a unit sees every other unit in the scope of a relation, even of its own role.
    pub fn sees_anybody(&self) -> bool {
        self.is_off(Clause { rule: Rule::RelationHooks, number: 9 })
    }

    /// Whether `me` may ever see `other` in a relation, wherever the two are deployed.
    pub fn can_see(&self, me: UnitId, relation: RelationId, other: UnitId) -> bool {
        let is_peer = self.relation(relation).scope == Scope::Peer;
        let has_other_role = || self.unit(other).application != self.unit(me).application;
        is_peer || has_other_role() || self.sees_anybody()
    }
}
