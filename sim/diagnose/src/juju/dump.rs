//! The output of `juju dump-db`, of 2.0 to 3.6: what status and units do not tell. Of its
//! collections only lives, scopes and the memory of agents are read.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::life::Life;
use deathwatch_scenario::Problem;

use super::{Juju, Outside};
use crate::tree::TreeNode;

/// Adds what the database says to what is shown of a model.
pub(super) fn read(node: &TreeNode<'_>, juju: &mut Juju) -> Result<(), Problem> {
    for unit in node.list("units")? {
        let (Some(name), Some(life)) = (unit.text(&["name"])?, life(&unit)?) else { continue };
        let Some(known) = juju.units.get_mut(&name) else {
            return Err(unit.expected("a unit that `juju status` shows"));
        };
        known.life = Some(life);
    }
    let mut by_id = BTreeMap::new();
    for document in node.list("relations")? {
        let Some(key) = document.text(&["key"])? else { continue };
        let mut ends: Vec<&str> = key.split(' ').collect();
        ends.sort_unstable();
        let number = juju.relations.iter().position(|it| {
            let key = it.key();
            let mut known: Vec<&str> = key.split(' ').collect();
            known.sort_unstable();
            known == ends
        });
        let Some(number) = number else { continue };
        juju.relations[number].life = life(&document)?;
        if let Some(id) = document.text(&["id"])? {
            by_id.insert(id, number);
        }
    }
    scopes(node, &by_id, juju)?;
    memories(node, &by_id, juju)
}

/// The life of a document: 0, 1 or 2.
fn life(node: &TreeNode<'_>) -> Result<Option<Life>, Problem> {
    let Some(number) = node.text(&["life"])? else { return Ok(None) };
    match number.as_str() {
        "0" => Ok(Some(Life::Alive)),
        "1" => Ok(Some(Life::Dying)),
        "2" => Ok(Some(Life::Dead)),
        _ => Err(node.get("life").unwrap_or(node.clone()).expected("0, 1 or 2")),
    }
}

/// Reads who is in which scope. Who has no document there is not.
fn scopes(
    node: &TreeNode<'_>,
    by_id: &BTreeMap<String, usize>,
    juju: &mut Juju,
) -> Result<(), Problem> {
    if node.get("relationscopes").is_none() {
        return Ok(());
    }
    let mut in_scope: BTreeSet<(usize, String)> = BTreeSet::new();
    for document in node.list("relationscopes")? {
        let key = document.text(&["key"])?.unwrap_or_default();
        let parts: Vec<&str> = key.split('#').collect();
        let (Some(id), Some(unit)) = (parts.get(1), parts.last()) else { continue };
        let Some(number) = by_id.get(*id) else { continue };
        if super::status::application_in(unit).is_none() {
            return Err(document.expected("a scope with its unit"));
        }
        if !juju.units.contains_key(*unit) {
            let relation = juju.relations[*number].key();
            for (holds, _) in juju.relations[*number].ends.clone() {
                let what = format!("{unit}, a unit that is gone, in scope of {relation} (#10618)");
                juju.outside.push(Outside { what, holds });
            }
        }
        in_scope.insert((*number, (*unit).to_owned()));
    }
    for number in by_id.values() {
        let relation = &juju.relations[*number];
        let is_about = |unit: &&String| relation.joins(&juju.units[*unit].application);
        let units: Vec<String> = juju.units.keys().filter(is_about).cloned().collect();
        let known = units.into_iter().map(|unit| {
            let is_in = in_scope.contains(&(*number, unit.clone()));
            (unit, is_in)
        });
        let known: Vec<(String, bool)> = known.collect();
        juju.relations[*number].in_scope.extend(known);
    }
    Ok(())
}

/// Reads which relations agents remember, since 2.8.
fn memories(
    node: &TreeNode<'_>,
    by_id: &BTreeMap<String, usize>,
    juju: &mut Juju,
) -> Result<(), Problem> {
    for document in node.list("unitstates")? {
        let id = document.text(&["_id"])?.unwrap_or_default();
        let Some(unit) = id.rsplit(['#', ':']).next().filter(|it| juju.units.contains_key(*it))
        else {
            continue;
        };
        let remembered: BTreeSet<&str> =
            document.table("relation-state")?.into_iter().map(|(id, _)| id).collect();
        for (id, number) in by_id {
            let knows = remembered.contains(id.as_str());
            juju.relations[*number].remembered.insert(unit.to_owned(), knows);
        }
    }
    Ok(())
}
