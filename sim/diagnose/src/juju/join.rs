//! Relations, put together of the ends that status tells and of what units are shown to be in.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_scenario::Problem;

use super::{Juju, JujuRelation, Outside, show_unit::UnitRelation, status::RelationEnd};

/// Puts the relations of the model together.
///
/// # Errors
/// If units show different things of a relation.
pub(super) fn relations(
    juju: &mut Juju,
    mut edges: Vec<RelationEnd>,
    entries: &[UnitRelation<'_>],
) -> Result<(), Problem> {
    one_pair_for_each_id(entries)?;
    let mut found: Vec<JujuRelation> = Vec::new();
    // Units name both endpoints, so what they are in comes first.
    let mut by_id: BTreeMap<&str, BTreeSet<(&str, &str, &str)>> = BTreeMap::new();
    for entry in entries {
        let application = &juju.units[&entry.unit].application;
        let id = entry.id.as_deref().unwrap_or_default();
        let end = (application.as_str(), entry.endpoint.as_str(), entry.related.as_str());
        by_id.entry(id).or_default().insert(end);
    }
    for ends in by_id.values() {
        for (application, endpoint, related) in ends {
            let others = others(application, endpoint, related, entries, &edges);
            let [other] = &others[..] else { continue };
            let pair = [(*application, *endpoint), (other.as_str(), *related)];
            take(&pair, &mut edges, &mut found);
        }
    }
    while let Some(edge) = edges.first().cloned() {
        let pairs = counterparts(&edge, &edges);
        if pairs.len() > 1 && edge.other != edge.application {
            let (one, other) = (&edge.application, &edge.other);
            juju.notes.push(format!(
                "which endpoints of {one} and {other} are joined is not told; they were paired in order"
            ));
        }
        let end = (edge.application.as_str(), edge.endpoint.as_str());
        match pairs.first() {
            _ if edge.other == edge.application => take(&[end, end], &mut edges, &mut found),
            Some(other) => {
                let other = other.clone();
                let pair = [end, (other.application.as_str(), other.endpoint.as_str())];
                take(&pair, &mut edges, &mut found);
            }
            None => {
                // The other side is elsewhere, or the files are of two times.
                let (endpoint, holds) = (&edge.endpoint, edge.application.clone());
                let what = format!("a relation of {holds}:{endpoint} with what is not shown");
                juju.outside.push(Outside { what, holds });
                edges.remove(0);
            }
        }
    }
    for entry in entries {
        let application = &juju.units[&entry.unit].application;
        let is_it = |it: &&mut JujuRelation| {
            let other = |app: &str| app != application || it.is_peer();
            it.ends.iter().any(|(app, end)| app == application && *end == entry.endpoint)
                && it.ends.iter().any(|(app, end)| other(app) && *end == entry.related)
                && entry.others.iter().all(|(unit, _)| {
                    it.joins(juju.units.get(unit).map_or("", |unit| &unit.application))
                })
        };
        let Some(relation) = found.iter_mut().find(is_it) else { continue };
        let itself = entry.itself.map(|it| (entry.unit.clone(), it));
        let others = entry.others.iter().filter(|(unit, _)| juju.units.contains_key(unit));
        for (unit, is_in) in itself.into_iter().chain(others.cloned()) {
            if *relation.in_scope.entry(unit).or_insert(is_in) != is_in {
                return Err(entry.contradicts("the same units in scope as other units show"));
            }
        }
    }
    found.sort_by_key(JujuRelation::key);
    juju.relations = found;
    Ok(())
}

/// Checks that no two relations have the same number.
fn one_pair_for_each_id(entries: &[UnitRelation<'_>]) -> Result<(), Problem> {
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in entries {
        let Some(id) = &entry.id else { continue };
        let pair = BTreeSet::from([entry.endpoint.as_str(), entry.related.as_str()]);
        if *known.entry(id).or_insert_with(|| pair.clone()) != pair {
            return Err(
                entry.contradicts("the endpoints that other units show for this relation-id")
            );
        }
    }
    Ok(())
}

/// The applications that can be at the other end.
fn others(
    application: &str,
    endpoint: &str,
    related: &str,
    entries: &[UnitRelation<'_>],
    edges: &[RelationEnd],
) -> Vec<String> {
    let of = |unit: &str| unit.split('/').next().unwrap_or_default().to_owned();
    let told: BTreeSet<String> = entries
        .iter()
        .filter(|it| of(&it.unit) == application)
        .filter(|it| it.endpoint == endpoint && it.related == related)
        .flat_map(|it| it.others.iter().map(|(unit, _)| of(unit)))
        .collect();
    let is_possible = |other: &str| {
        edges
            .iter()
            .any(|it| it.application == application && it.endpoint == endpoint && it.other == other)
            && edges.iter().any(|it| {
                it.application == other && it.endpoint == related && it.other == application
            })
    };
    if !told.is_empty() {
        return told.into_iter().filter(|it| is_possible(it)).collect();
    }
    let all: BTreeSet<&str> = edges.iter().map(|it| it.other.as_str()).collect();
    all.into_iter().filter(|it| is_possible(it)).map(str::to_owned).collect()
}

/// The ends that can be the other end of `edge`.
fn counterparts(edge: &RelationEnd, edges: &[RelationEnd]) -> Vec<RelationEnd> {
    let is_itself =
        |it: &RelationEnd| it.application == edge.application && it.endpoint == edge.endpoint;
    let fits = |it: &&RelationEnd| {
        it.application == edge.other
            && it.other == edge.application
            && it.interface == edge.interface
            && !is_itself(it)
    };
    edges.iter().filter(fits).cloned().collect()
}

/// Makes a relation of two ends, which are the same of a peer relation, and takes its edges away.
fn take(pair: &[(&str, &str); 2], edges: &mut Vec<RelationEnd>, found: &mut Vec<JujuRelation>) {
    let is_between = |edge: &RelationEnd, from: (&str, &str), to: &str| {
        (edge.application.as_str(), edge.endpoint.as_str()) == from && edge.other == to
    };
    let mut ends: Vec<(String, String)> =
        pair.iter().map(|(app, end)| ((*app).to_owned(), (*end).to_owned())).collect();
    ends.sort();
    ends.dedup();
    let mut is_container = false;
    for (from, to) in [(pair[0], pair[1].0), (pair[1], pair[0].0)] {
        if let Some(at) = edges.iter().position(|it| is_between(it, from, to)) {
            is_container |= edges.remove(at).is_container;
        }
    }
    if found.iter().all(|it| it.ends != ends) {
        found.push(JujuRelation {
            ends,
            is_container,
            life: None,
            in_scope: BTreeMap::new(),
            remembered: BTreeMap::new(),
        });
    }
}
