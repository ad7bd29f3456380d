//! What is true in every state.

use super::{Claim, Subject, Test};
use crate::{
    ids::{ApplicationId, Id, RelationId},
    life::Life::{Alive, Dead, Dying},
    state::State,
    store::Host,
    world::{Scope, World},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "an application counts its units",
        source: "D1:110-112; D1:177",
        test: Test::Always(miscounts_units),
    },
    Claim {
        name: "an application counts its relations",
        source: "D1:123-128; D1:177-181",
        test: Test::Always(miscounts_relations),
    },
    Claim {
        name: "a relation counts the units in its scope",
        source: "D1:121; D1:147",
        test: Test::Always(miscounts_scope),
    },
    Claim {
        name: "no document refers to a missing one",
        source: "D2:293-307",
        test: Test::Always(refers_to_missing),
    },
    Claim {
        name: "machines and principals list the units that name them",
        source: "D1:107-108; D2:297-299",
        test: Test::Always(lists_wrongly),
    },
    Claim {
        name: "a Dead unit has no subordinates",
        source: "D2:229",
        test: Test::Always(dead_with_subordinates),
    },
    Claim {
        name: "a Dead unit is in no scope",
        source: "D2:229",
        test: Test::Always(dead_in_scope),
    },
    Claim {
        name: "a Dead machine has neither units nor containers",
        source: "D2:211; D2:217",
        test: Test::Always(dead_machine_in_use),
    },
    Claim {
        name: "a Dying application is held by a unit or a relation",
        source: "D1:189-192; D2:265-269",
        test: Test::Always(unheld_application),
    },
    Claim {
        name: "a Dying relation is held by a unit in its scope",
        source: "D1:121; D1:147-148; D2:285",
        test: Test::Always(unheld_relation),
    },
    Claim {
        name: "an Alive relation joins Alive applications",
        source: "D1:149-151; D2:57",
        test: Test::Always(alive_between_dying),
    },
    Claim {
        name: "applications and relations are never Dead",
        source: "D2:259; D2:277",
        test: Test::Always(lingers_dead),
    },
    Claim {
        name: "an application has its peer relations unless it is being deployed",
        source: "D2:39",
        test: Test::Always(lacks_peers),
    },
    Claim {
        name: "an application has its settings document",
        source: "D1:194-196",
        test: Test::Always(lacks_settings),
    },
    Claim {
        name: "an Alive manager machine remains",
        source: "D1:61",
        test: Test::Always(no_manager),
    },
];

fn application(world: &World, wrong: impl Fn(ApplicationId) -> bool) -> Option<Subject> {
    world.application_ids().find(|id| wrong(*id)).map(Subject::Application)
}

fn relation(world: &World, wrong: impl Fn(RelationId) -> bool) -> Option<Subject> {
    world.relation_ids().find(|id| wrong(*id)).map(Subject::Relation)
}

fn miscounts_units(world: &World, state: &State) -> Option<Subject> {
    application(world, |id| {
        state.store.application(id).is_some_and(|application| {
            let units = world.application(id).units();
            units.filter(|unit| state.store.unit(*unit).is_some()).count()
                != application.units as usize
        })
    })
}

fn miscounts_relations(world: &World, state: &State) -> Option<Subject> {
    application(world, |id| {
        state.store.application(id).is_some_and(|application| {
            let relations = &world.application(id).relations;
            relations.iter().filter(|relation| state.store.relation(**relation).is_some()).count()
                != application.relations as usize
        })
    })
}

fn miscounts_scope(world: &World, state: &State) -> Option<Subject> {
    relation(world, |id| {
        let docs = state.store.relation_docs(id);
        docs.relation.is_some_and(|relation| relation.in_scope as usize != docs.scope.len())
    })
}

fn refers_to_missing(world: &World, state: &State) -> Option<Subject> {
    let store = &state.store;
    let unit = world.unit_ids().find(|id| {
        store.unit(*id).is_some_and(|unit| {
            let host_is_missing = match unit.host {
                Host::Nowhere => false,
                Host::Machine(machine) => store.machine(machine).is_none(),
                Host::Principal(principal) => store.unit(principal).is_none(),
            };
            host_is_missing || store.application(world.unit(*id).application).is_none()
        })
    });
    unit.map(Subject::Unit).or_else(|| {
        relation(world, |id| {
            let docs = store.relation_docs(id);
            let mut ends = world.relation(id).applications();
            match docs.relation {
                None => !docs.scope.is_empty(),
                Some(_) => {
                    ends.any(|end| store.application(end).is_none())
                        || docs.scope.iter().any(|unit| store.unit(unit).is_none())
                }
            }
        })
    })
}

fn lists_wrongly(world: &World, state: &State) -> Option<Subject> {
    let store = &state.store;
    let machine = world.machine_ids().find(|id| {
        store.machine(*id).is_some_and(|machine| {
            let units = world.unit_ids().filter(|unit| {
                store.unit(*unit).is_some_and(|unit| unit.host == Host::Machine(*id))
            });
            let containers =
                world.containers_of(*id).filter(|container| store.machine(*container).is_some());
            !machine.principals.iter().eq(units) || !machine.containers.iter().eq(containers)
        })
    });
    let principal = || {
        world.unit_ids().find(|id| {
            store.unit(*id).is_some_and(|principal| {
                let units = world.unit_ids().filter(|unit| {
                    store.unit(*unit).is_some_and(|unit| unit.host == Host::Principal(*id))
                });
                !principal.subordinates.iter().eq(units)
            })
        })
    };
    machine.map(Subject::Machine).or_else(|| principal().map(Subject::Unit))
}

fn dead_with_subordinates(world: &World, state: &State) -> Option<Subject> {
    let at_fault = world.unit_ids().find(|id| {
        state.store.unit(*id).is_some_and(|unit| unit.life == Dead && !unit.subordinates.is_empty())
    });
    at_fault.map(Subject::Unit)
}

fn dead_in_scope(world: &World, state: &State) -> Option<Subject> {
    let at_fault = world.unit_ids().find(|id| {
        state.store.unit_life(*id) == Some(Dead)
            && world.relations_of(*id).iter().any(|relation| state.store.in_scope(*relation, *id))
    });
    at_fault.map(Subject::Unit)
}

fn dead_machine_in_use(world: &World, state: &State) -> Option<Subject> {
    let at_fault = world.machine_ids().find(|id| {
        state.store.machine(*id).is_some_and(|machine| {
            let in_use = !machine.principals.is_empty() || !machine.containers.is_empty();
            machine.life == Dead && in_use
        })
    });
    at_fault.map(Subject::Machine)
}

fn unheld_application(world: &World, state: &State) -> Option<Subject> {
    application(world, |id| {
        state.store.application(id).is_some_and(|application| {
            application.life == Dying && application.units == 0 && application.relations == 0
        })
    })
}

fn unheld_relation(world: &World, state: &State) -> Option<Subject> {
    relation(world, |id| {
        state
            .store
            .relation(id)
            .is_some_and(|relation| relation.life == Dying && relation.in_scope == 0)
    })
}

fn alive_between_dying(world: &World, state: &State) -> Option<Subject> {
    relation(world, |id| {
        state.store.relation_life(id) == Some(Alive)
            && world
                .relation(id)
                .applications()
                .any(|end| state.store.application_life(end) != Some(Alive))
    })
}

fn lingers_dead(world: &World, state: &State) -> Option<Subject> {
    application(world, |id| state.store.application_life(id) == Some(Dead))
        .or_else(|| relation(world, |id| state.store.relation_life(id) == Some(Dead)))
}

/// While the user's command is in progress, what it has not done yet is not missing.
fn lacks_peers(world: &World, state: &State) -> Option<Subject> {
    let session = state.hosts.others().session;
    application(world, |id| {
        let in_progress = session.is_some_and(|session| session.application == id && session.peers);
        let is_peer = |relation: &&RelationId| world.relation(**relation).scope == Scope::Peer;
        let mut peers = world.application(id).relations.iter().filter(is_peer);
        state.store.application_life(id) == Some(Alive)
            && !in_progress
            && peers.any(|peer| state.store.relation(*peer).is_none())
    })
}

fn lacks_settings(world: &World, state: &State) -> Option<Subject> {
    application(world, |id| {
        let docs = state.store.application_docs(id);
        docs.application.is_some() != docs.settings
    })
}

/// Said of worlds that have a manager machine.
fn no_manager(world: &World, state: &State) -> Option<Subject> {
    let is_manager = |index: &usize| world.machines[*index].manages_model;
    let managers = || (0..world.machines.len()).filter(is_manager).map(Id::new);
    let remains = managers().any(|id| state.store.machine_life(id) == Some(Alive));
    if remains { None } else { managers().next().map(Subject::Machine) }
}
