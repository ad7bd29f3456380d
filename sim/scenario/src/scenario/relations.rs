//! The constants of a scenario's world: the relations that may exist.

use deathwatch_model::{
    ids::{ApplicationId, Id, RelationId},
    world::{RelationDef, Scope, WorldBuilder},
};

use super::{
    form::{RelationFile, ScopeFile},
    names::{NameIndex, Names, duplicate, is_word},
    value::{Located, Map},
};
use crate::problem::{Problem, Text};

/// Reads the relations and adds them to `world`.
pub(super) fn read(
    text: &Text,
    file: &Map<RelationFile>,
    names: &Names,
    world: &mut WorldBuilder,
) -> Result<NameIndex, Problem> {
    let mut index = NameIndex::of("relation");
    for (name, relation) in file.iter() {
        let ends = endpoints(text, name, names)?;
        if let Some(earlier) = index.position(&name.value) {
            return Err(duplicate(text, name, &file.0[earlier].0.span));
        }
        index.add(&name.value);
        let id = RelationId::new(world.relations.len());
        let scope = scope(text, relation, &ends, world)?;
        let ends = match *ends {
            [first, second] => [first, second],
            _ => [ends[0]; 2],
        };
        let relation = RelationDef { name: name.value.clone(), ends, scope };
        for end in relation.applications() {
            world.applications[end.index()].relations.push(id);
        }
        world.relations.push(relation);
    }
    Ok(index)
}

/// The application of each endpoint; a peer relation has one.
fn endpoints(
    text: &Text,
    name: &Located<String>,
    names: &Names,
) -> Result<Vec<ApplicationId>, Problem> {
    let mut ends = Vec::new();
    let mut at = 0;
    for endpoint in name.value.split(' ') {
        let span = text.inside(name, &(at..at + endpoint.len()));
        let expected = "an endpoint, such as wordpress:db, was expected";
        let Some((application, role)) = endpoint.split_once(':') else {
            return Err(text.problem(&span, "this does not name a relation", expected));
        };
        if !is_word(role) || ends.len() == 2 {
            let problem = text.problem(&span, "this does not name a relation", expected);
            return Err(problem.with_help("one endpoint for a peer relation, two for any other"));
        }
        let span = text.inside(name, &(at..at + application.len()));
        let application = Located { value: application.to_owned(), span: span.clone() };
        let id = ApplicationId::new(names.applications.find(text, &application)?);
        if ends.contains(&id) {
            let message = format!("{} would be related to itself", application.value);
            let problem = text.problem(&span, message, "another application was expected");
            return Err(problem.with_help("a peer relation is written with one endpoint"));
        }
        ends.push(id);
        at += endpoint.len() + 1;
    }
    Ok(ends)
}

fn scope(
    text: &Text,
    file: &RelationFile,
    ends: &[ApplicationId],
    world: &WorldBuilder,
) -> Result<Scope, Problem> {
    let given = file.scope.as_ref();
    let is_container = given.is_some_and(|scope| scope.value == ScopeFile::Container);
    let span = given.map_or(0..0, |scope| scope.span.clone());
    let subordinates = ends.iter().filter(|id| world.application(**id).subordinate).count();
    match ends.len() {
        1 if is_container => {
            let message = "a peer relation is among the units of one application";
            Err(text.problem(&span, message, "no container scope was expected"))
        }
        1 => Ok(Scope::Peer),
        _ if is_container && subordinates == 0 => {
            let message = "a container relation has a subordinate application";
            Err(text.problem(&span, message, "neither of these two is subordinate"))
        }
        _ if is_container => Ok(Scope::Container),
        _ => Ok(Scope::Global),
    }
}
