//! Notes on the limits of the search, in sentences.

use std::collections::BTreeSet;

use crate::{
    cut::{ModelCut, Thing},
    juju::Juju,
    version::Version,
};

/// The greatest number of entities that a note names.
const MOST_NAMED: usize = 3;

/// Sentences on what the search does not know of.
pub(super) fn notes(juju: &Juju, cuts: &[ModelCut], version: Option<Version>) -> Vec<String> {
    let mut notes = juju.notes.clone();
    if version.is_none() {
        notes.push("the version of Juju cannot be read, so each known way is tried".to_owned());
    }
    if juju.may_be_cut_off {
        notes.push(
            "the status does not end with `controller`, as that of Juju 2.5 and newer does: it may \
             break off, and what is missing may be stuck or hold something"
                .to_owned(),
        );
    }
    if !juju.of_unknown_status.is_empty() {
        let all = &juju.of_unknown_status;
        let more = all.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = all[..all.len().min(MOST_NAMED)].join(", ");
        notes.push(format!(
            "the status of {named}{more} is none that Juju is known to print; it was taken for that \
             of a healthy one, and may be another"
        ));
    }
    let taken = juju.taken_to_be_alive();
    if taken > 0 {
        let units = if taken == 1 { "1 unit" } else { &format!("{taken} units") };
        notes.push(format!(
            "the lives of {units} are not shown, and were taken to be Alive: ask `juju show-unit` \
             for all units; it prints lives since mid-2022"
        ));
    }
    if version.is_some_and(Version::has_jobs) {
        notes.push(
            "by the protocol of D1 and D2, Juju's own design documents, which 2.x and 3.x follow: in \
             4.x removal jobs set Dead, instances have lives of their own, and nothing is counted"
                .to_owned(),
        );
    }
    let shown = juju.units.len() + juju.machines.len() + juju.applications.len();
    let kept: BTreeSet<&Thing> = cuts.iter().flat_map(|cut| &cut.things).collect();
    let kept = kept.iter().filter(|it| !matches!(it, Thing::Relation(_))).count();
    if shown > kept {
        notes.push(format!(
            "left out: {} that are Alive and hold nothing here; what is Alive holds others only as a \
             unit in the scope of a relation, as a machine that deploys a unit, or as a host, and \
             one of each kind was kept",
            shown - kept
        ));
    }
    let searched: BTreeSet<usize> = cuts.iter().flat_map(ModelCut::relations).collect();
    let relations = juju.relations.iter().enumerate();
    let open = relations.filter(|(it, relation)| {
        !searched.contains(it) && juju.lives_of_relation(relation).len() > 1
    });
    let open = open.count();
    if open > 0 {
        let are = if open == 1 { "1 relation" } else { &format!("{open} relations") };
        notes.push(format!(
            "Juju does not print whether {are} between Alive applications, beside what is told \
             here, may be Dying"
        ));
    }
    notes
}
