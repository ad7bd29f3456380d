//! Candidates for symmetries: renamings that exchange two units of an application, with their
//! machines and all units there; or two machines without units.

use std::collections::BTreeSet;

use deathwatch_model::{
    ids::{EntityId, Id as _, MachineId, Placement, Renaming, UnitId},
    pack::{Codec, Local, RenamedRows},
    state::State,
    world::World,
};

use super::Candidate;

/// The greatest number of units and machines of a world that is searched for candidates. In a
/// larger one every pair would be tried, and its states are far too many anyway.
const MOST_ENTITIES: usize = 64;

/// Pairs of entities that are exchanged with each other.
type Swaps = BTreeSet<(EntityId, EntityId)>;

/// Renamings that leave the start as it is: as few as connect all entities that can be exchanged.
pub(in crate::check) fn candidates(world: &World, start: &State, codec: &Codec) -> Vec<Candidate> {
    // A set of containers would be renamed with its machines, and then takes other bits.
    let has_containers = world.machines.iter().any(|machine| machine.parent.is_some());
    if has_containers || world.units.len() + world.machines.len() > MOST_ENTITIES {
        return Vec::new();
    }
    let mut found = Vec::new();
    let is_symmetric = |swaps: &Swaps| {
        let swaps: Vec<(EntityId, EntityId)> = swaps.iter().copied().collect();
        let renaming = world.renaming(&swaps)?;
        (codec.fits(&renaming) && keeps(world, start, codec, &renaming)).then_some(renaming)
    };
    for application in world.application_ids() {
        let units: Vec<UnitId> = world.application(application).units().collect();
        add(&units, |one, other| is_symmetric(&of_units(world, start, one, other)?), &mut found);
    }
    let is_empty = |id: &MachineId| on(world, start, Placement::Machine(*id)).next().is_none();
    let machines: Vec<MachineId> = world.machine_ids().filter(is_empty).collect();
    let swap = |one, other| {
        is_symmetric(&Swaps::from([(EntityId::Machine(one), EntityId::Machine(other))]))
    };
    add(&machines, swap, &mut found);
    found.into_iter().enumerate().collect()
}

/// Adds renamings that exchange two of `among`, unless those added before connect the two.
fn add<T: Copy>(
    among: &[T],
    exchange: impl Fn(T, T) -> Option<Renaming>,
    found: &mut Vec<Renaming>,
) {
    let mut class: Vec<usize> = (0..among.len()).collect();
    for one in 0..among.len() {
        for other in one + 1..among.len() {
            if class[one] == class[other] {
                continue;
            }
            let Some(renaming) = exchange(among[one], among[other]) else { continue };
            let (kept, gone) = (class[one], class[other]);
            class.iter_mut().filter(|it| **it == gone).for_each(|it| *it = kept);
            if !renaming.is_identity() && !found.contains(&renaming) {
                found.push(renaming);
            }
        }
    }
}

/// The pairs that are exchanged with two units; `None` if the neighbours of one have no
/// counterparts at the other.
fn of_units(world: &World, start: &State, one: UnitId, other: UnitId) -> Option<Swaps> {
    let (mut swaps, mut rest) = (Swaps::new(), vec![(one, other)]);
    while let Some((one, other)) = rest.pop() {
        let pair = (EntityId::Unit(one), EntityId::Unit(other));
        if one == other || !swaps.insert(pair) {
            continue;
        }
        let place = |id| start.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
        match (place(one), place(other)) {
            (Placement::Machine(here), Placement::Machine(there)) if here != there => {
                swaps.insert((EntityId::Machine(here), EntityId::Machine(there)));
                rest.extend(both(
                    world,
                    start,
                    Placement::Machine(here),
                    Placement::Machine(there),
                )?);
            }
            (here, there) if here == there => {}
            (Placement::Principal(here), Placement::Principal(there)) => rest.push((here, there)),
            _ => return None,
        }
        let (one, other) = (Placement::Principal(one), Placement::Principal(other));
        rest.extend(both(world, start, one, other)?);
    }
    let is_new =
        |pair: &(EntityId, EntityId)| pair.0 < pair.1 || !swaps.contains(&(pair.1, pair.0));
    Some(swaps.iter().copied().filter(is_new).collect())
}

/// The units at one place, each with one of the same application at the other; `None` if they do
/// not match.
fn both(
    world: &World,
    start: &State,
    one: Placement,
    other: Placement,
) -> Option<Vec<(UnitId, UnitId)>> {
    let [here, there] = [one, other].map(|place| on(world, start, place).collect::<Vec<_>>());
    let pairs: Vec<(UnitId, UnitId)> = here.iter().copied().zip(there.iter().copied()).collect();
    let application = |id: UnitId| world.unit(id).application.index();
    let are_alike = pairs.iter().all(|(one, other)| application(*one) == application(*other));
    (here.len() == there.len() && are_alike).then_some(pairs)
}

/// The units that are at a place at the start.
fn on<'a>(
    world: &'a World,
    start: &'a State,
    place: Placement,
) -> impl Iterator<Item = UnitId> + 'a {
    let is_there = move |id: &UnitId| start.store.unit(*id).is_some_and(|it| it.placement == place);
    world.unit_ids().filter(is_there)
}

/// Whether a renaming leaves the start as it is.
fn keeps(world: &World, start: &State, codec: &Codec, by: &Renaming) -> bool {
    let (mut txns, mut scratch) = (Local::default(), RenamedRows::new(world));
    let words = codec.pack(start, &mut txns);
    let mut renamed = vec![0; words.len()];
    for index in 0..codec.rows() {
        codec.pack_renamed(&words, index, by, (&mut scratch, &mut txns), &mut renamed);
    }
    renamed == words
}
