//! The claims about what must follow: everything that is Dying or Dead is removed in the end.

use deathwatch_model::{
    actor::Client,
    agents,
    free_ids::Scan,
    ids::{EntityId, UserId},
    life::Life::{Dead, Dying},
    operation::Operation,
    ops::Plan,
    rows::Row,
    state::State,
    world::World,
};

use super::{Claim, Link::RelationsOfApplication, forms::leads};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a Dying machine is removed",
        source: "D1:65-73; D2:217-219",
        test: leads!(Machine [], is_dying, is_gone),
    },
    Claim {
        name: "a Dead machine is removed",
        source: "D1:69-73; D2:219",
        test: leads!(Machine [], is_dead, is_gone),
    },
    Claim {
        name: "a Dying unit is removed",
        source: "D1:89-103; D2:243-251",
        test: leads!(Unit [], is_dying, is_gone),
    },
    Claim {
        name: "a Dead unit is removed",
        source: "D1:98-103; D2:251",
        test: leads!(Unit [], is_dead, is_gone),
    },
    Claim {
        name: "a Dying application is removed",
        source: "D1:189-196; D2:265-269",
        test: leads!(Application [], is_dying, is_gone),
    },
    Claim {
        name: "a Dying relation is removed",
        source: "D1:147-163; D2:285-291",
        test: leads!(Relation [], is_dying, is_gone),
    },
    Claim {
        name: "the settings of a removed relation are deleted",
        source: "D1:130-137",
        test: leads!(Relation [], leaves_settings, has_no_leftovers),
    },
    Claim {
        name: "the name of a destroyed application becomes free",
        source: "D1:42-45; D2:79",
        test: leads!(Application[RelationsOfApplication], is_dying, can_be_deployed),
    },
    Claim {
        name: "a unit that is forced is removed",
        source: "D2:399",
        test: leads!(Unit [], is_forced, is_gone),
    },
    Claim {
        name: "a machine that is forced is removed",
        source: "D2:399",
        test: leads!(Machine [], is_forced, is_gone),
    },
];

impl Claim {
    /// The claims that whatever is destroyed or forced is removed.
    pub fn removals() -> impl Iterator<Item = &'static Self> {
        CLAIMS.iter()
    }
}

fn is_dying(_: &World, state: &State, subject: Row) -> bool {
    subject.life(state) == Some(Dying)
}

fn is_dead(_: &World, state: &State, subject: Row) -> bool {
    subject.life(state) == Some(Dead)
}

pub(super) fn is_gone(_: &World, state: &State, subject: Row) -> bool {
    subject.life(state).is_none()
}

fn leaves_settings(_: &World, state: &State, subject: Row) -> bool {
    matches!(subject, Row::Relation(id) if state.store.relation_docs(id).leftovers)
}

fn has_no_leftovers(world: &World, state: &State, subject: Row) -> bool {
    !leaves_settings(world, state, subject)
}

/// Asks the protocol itself whether the user's command would be accepted.
fn can_be_deployed(world: &World, state: &State, subject: Row) -> bool {
    let Row::Application(id) = subject else { return false };
    let user = Client::User(UserId::FIRST);
    let plan = agents::plan_for(world, state, user, Operation::Deploy(id), &Scan);
    matches!(plan, Plan::Submit(_))
}

fn is_forced(_: &World, state: &State, subject: Row) -> bool {
    match subject.own_entity() {
        Some(EntityId::Unit(id)) => state.store.unit_docs(id).force,
        Some(EntityId::Machine(id)) => state.store.machine_docs(id).force,
        Some(EntityId::Application(_) | EntityId::Relation(_)) | None => false,
    }
}
