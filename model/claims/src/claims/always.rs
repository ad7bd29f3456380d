//! The claims about states: of each subject, as far as it and what it reads can tell.
//!
//! No verdict on a subject needs a scan. The numbers of documents that refer to one are in the
//! `Recount`. The subjects whose verdicts a step may change follow from the links.

use deathwatch_model::{
    ids::{EntityId, MachineId, Placement, RelationId, UnitId},
    life::Life::{Alive, Dead, Dying},
    rows::{Hardware, Row},
};

use super::{
    Claim, ClaimView,
    Link::{
        ApplicationOfUnit, ContainersOfMachine, EndsOfRelation, MachineOfAgent, OtherManagers,
        PlacementOfUnit, RelationsOfApplication, ScopeOfRelation, ScopesOfUnit,
        SessionsOfApplication, UnitsInScope, UnitsOfApplication, UnitsPlacedThere,
    },
    forms::always,
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "an application counts its units",
        source: "D1:110-112; D1:177",
        test: always!(miscounts_units, Application[UnitsOfApplication]),
    },
    Claim {
        name: "an application counts its relations",
        source: "D1:123-128; D1:177-181",
        test: always!(miscounts_relations, Application[RelationsOfApplication]),
    },
    Claim {
        name: "a relation counts the units in its scope",
        source: "D1:121; D1:147",
        test: always!(miscounts_scope, Relation[ScopeOfRelation]),
    },
    Claim {
        name: "no document refers to a missing one",
        source: "D2:293-307",
        test: always!(
            refers_to_missing,
            Unit [PlacementOfUnit, ApplicationOfUnit],
            Relation [EndsOfRelation, ScopeOfRelation, UnitsInScope]
        ),
    },
    Claim {
        name: "machines and principals list the units that name them",
        source: "D1:107-108; D2:297-299",
        test: always!(
            lists_wrongly,
            Machine [UnitsPlacedThere, ContainersOfMachine],
            Unit [UnitsPlacedThere]
        ),
    },
    Claim {
        name: "a Dead unit has no subordinates",
        source: "D2:229",
        test: always!(dead_with_subordinates, Unit []),
    },
    Claim {
        name: "a Dead unit is in no scope",
        source: "D2:229",
        test: always!(dead_in_scope, Unit[ScopesOfUnit]),
    },
    Claim {
        name: "a Dead machine has neither units nor containers",
        source: "D2:211; D2:217",
        test: always!(dead_machine_in_use, Machine []),
    },
    Claim {
        name: "a Dying application is held by a unit or a relation",
        source: "D1:189-192; D2:265-269",
        test: always!(unheld_application, Application []),
    },
    Claim {
        name: "a Dying relation is held by a unit in its scope",
        source: "D1:121; D1:147-148; D2:285",
        test: always!(unheld_relation, Relation []),
    },
    Claim {
        name: "an Alive relation joins Alive applications",
        source: "D1:149-151; D2:57",
        test: always!(alive_between_dying, Relation[EndsOfRelation]),
    },
    Claim {
        name: "applications and relations are never Dead",
        source: "D2:259; D2:277",
        test: always!(lingers_dead, Application [], Relation []),
    },
    Claim {
        name: "an application has its peer relations unless it is being deployed",
        source: "D2:39",
        test: always!(lacks_peers, Application [RelationsOfApplication, SessionsOfApplication]),
    },
    Claim {
        name: "an application has its settings document",
        source: "D1:195-196",
        test: always!(lacks_settings, Application []),
    },
    Claim {
        name: "there is no hardware without a machine document",
        source: "D2:219; D2:389",
        test: always!(is_left_behind, MachineRuntime[MachineOfAgent]),
    },
    Claim {
        name: "a relation with units in scope has their settings",
        source: "D4:262-264",
        test: always!(lacks_unit_settings, Relation[ScopeOfRelation]),
    },
    Claim {
        name: "an Alive manager machine remains",
        source: "D1:61",
        test: always!(no_manager, Machine[OtherManagers]),
    },
];

fn miscounts_units(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    let application = view.state.store.application(id);
    application.is_some_and(|application| application.units != view.recount.units_of(id))
}

fn miscounts_relations(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    let application = view.state.store.application(id);
    application.is_some_and(|application| application.relations != view.recount.relations_of(id))
}

fn miscounts_scope(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Relation(id) = subject else { return false };
    let store = &view.state.store;
    store.relation(id).is_some_and(|relation| relation.in_scope as usize != store.scope(id).len())
}

fn refers_to_missing(view: &ClaimView<'_>, subject: Row) -> bool {
    match subject.own_entity() {
        Some(EntityId::Unit(id)) => unit_refers_to_missing(view, id),
        Some(EntityId::Relation(id)) => relation_refers_to_missing(view, id),
        Some(EntityId::Machine(_) | EntityId::Application(_)) | None => false,
    }
}

fn unit_refers_to_missing(view: &ClaimView<'_>, id: UnitId) -> bool {
    let store = &view.state.store;
    store.unit(id).is_some_and(|unit| {
        let placement_is_missing = match unit.placement {
            Placement::Nowhere => false,
            Placement::Machine(machine) => store.machine(machine).is_none(),
            Placement::Principal(principal) => store.unit(principal).is_none(),
        };
        placement_is_missing || store.application(view.world.unit(id).application).is_none()
    })
}

fn relation_refers_to_missing(view: &ClaimView<'_>, id: RelationId) -> bool {
    let store = &view.state.store;
    if store.relation(id).is_none() {
        return !store.scope(id).is_empty();
    }
    let mut ends = view.world.relation(id).applications();
    ends.any(|end| store.application(end).is_none()) || view.recount.missing_in_scope(id) > 0
}

/// Whether the list and the references to it disagree. Every listed unit has to name this placement
/// (checked here), and the list has to be as long as the number of units that name it (`Recount`);
/// then both are the same set.
fn lists_wrongly(view: &ClaimView<'_>, subject: Row) -> bool {
    match subject.own_entity() {
        Some(EntityId::Machine(id)) => {
            lists_units_wrongly(view, id) || lists_containers_wrongly(view, id)
        }
        Some(EntityId::Unit(id)) => lists_subordinates_wrongly(view, id),
        Some(EntityId::Application(_) | EntityId::Relation(_)) | None => false,
    }
}

fn lists_subordinates_wrongly(view: &ClaimView<'_>, id: UnitId) -> bool {
    view.state.store.unit(id).is_some_and(|principal| {
        let placement = Placement::Principal(id);
        principal.subordinates.iter().any(|unit| !names(view, unit, placement))
            || principal.subordinates.len() != view.recount.naming(placement) as usize
    })
}

fn lists_units_wrongly(view: &ClaimView<'_>, id: MachineId) -> bool {
    view.state.store.machine(id).is_some_and(|machine| {
        let placement = Placement::Machine(id);
        machine.principals.iter().any(|unit| !names(view, unit, placement))
            || machine.principals.len() != view.recount.naming(placement) as usize
    })
}

fn lists_containers_wrongly(view: &ClaimView<'_>, id: MachineId) -> bool {
    view.state.store.machine(id).is_some_and(|machine| {
        let is_wrong = |container| {
            let parent = view.world.machine(container).parent;
            parent != Some(id) || view.state.store.machine(container).is_none()
        };
        machine.containers.iter().any(is_wrong)
            || machine.containers.len() != view.recount.containers_of(id) as usize
    })
}

/// Whether the unit exists and has this placement.
fn names(view: &ClaimView<'_>, unit: UnitId, placement: Placement) -> bool {
    view.state.store.unit(unit).is_some_and(|unit| unit.placement == placement)
}

fn dead_with_subordinates(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    let unit = view.state.store.unit(id);
    unit.is_some_and(|unit| unit.life == Dead && !unit.subordinates.is_empty())
}

fn dead_in_scope(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    let store = &view.state.store;
    let mut relations = view.world.relations_of(id).iter();
    store.unit_life(id) == Some(Dead) && relations.any(|relation| store.in_scope(*relation, id))
}

fn dead_machine_in_use(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    view.state.store.machine(id).is_some_and(|machine| {
        let in_use = !machine.principals.is_empty() || !machine.containers.is_empty();
        machine.life == Dead && in_use
    })
}

fn unheld_application(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    view.state.store.application(id).is_some_and(|application| {
        application.life == Dying && application.units == 0 && application.relations == 0
    })
}

fn unheld_relation(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Relation(id) = subject else { return false };
    let relation = view.state.store.relation(id);
    relation.is_some_and(|relation| relation.life == Dying && relation.in_scope == 0)
}

fn alive_between_dying(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Relation(id) = subject else { return false };
    let store = &view.state.store;
    let mut ends = view.world.relation(id).applications();
    store.relation_life(id) == Some(Alive)
        && ends.any(|end| store.application_life(end) != Some(Alive))
}

fn lingers_dead(view: &ClaimView<'_>, subject: Row) -> bool {
    subject.life(view.state) == Some(Dead)
}

/// Whether peer relations are missing. Those that the user's command in progress will still create
/// do not count.
fn lacks_peers(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    let mut sessions = view.state.runtime.users().iter().filter_map(|user| user.session);
    let in_progress = sessions.any(|session| session.application == id && session.peers);
    view.state.store.application_life(id) == Some(Alive)
        && !in_progress
        && view.recount.missing_peers(id) > 0
}

fn lacks_settings(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    let docs = view.state.store.application_docs(id);
    docs.application.is_some() != docs.settings
}

/// Whether hardware is there of a machine that is not.
fn is_left_behind(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    view.state.runtime.machine(id).hardware != Hardware::Absent
        && view.state.store.machine(id).is_none()
}

/// Whether units are in scope and there are no settings documents.
fn lacks_unit_settings(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Relation(id) = subject else { return false };
    !view.state.store.scope(id).is_empty() && !view.state.store.relation_docs(id).settings
}

/// Whether no manager machine is Alive, in a world that has one. The first manager machine stands
/// for all.
fn no_manager(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Machine(id) = subject else { return false };
    view.recount.first_manager() == Some(id) && view.recount.alive_managers() == 0
}
