//! Which units and machines a search exchanged, and which it did not.

use deathwatch_model::{
    ids::{EntityId, MachineId, Rename as _, Renaming, UnitId},
    world::World,
};

use super::Candidate;

/// The pairs that take each other's place at once.
pub type ExchangedPairs = Vec<(EntityId, EntityId)>;

/// The exchanges that leave the start of a world as it is, as few as connect all that they can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// Those by which one state stood for several.
    pub made: Vec<ExchangedPairs>,
    /// Those that some step, claim or assumption of fairness tells apart, alone or with the others.
    pub refused: Vec<ExchangedPairs>,
}

impl Exchanges {
    /// The exchanges of these candidates, of which those with these numbers were made.
    pub(in crate::check) fn of(world: &World, tried: &[Candidate], made: &[usize]) -> Self {
        let mut exchanges = Self::default();
        for (number, renaming) in tried {
            let list =
                if made.contains(number) { &mut exchanges.made } else { &mut exchanges.refused };
            list.push(exchanged(world, renaming));
        }
        exchanges
    }
}

/// The pairs that take each other's place in a renaming by which nothing goes further.
fn exchanged(world: &World, by: &Renaming) -> ExchangedPairs {
    let units = world.unit_ids().map(|id: UnitId| (id, id.renamed(by)));
    let machines = world.machine_ids().map(|id: MachineId| (id, id.renamed(by)));
    let units = units.filter(|(one, other)| one < other);
    let machines = machines.filter(|(one, other)| one < other);
    let units = units.map(|(one, other)| (EntityId::Unit(one), EntityId::Unit(other)));
    units
        .chain(machines.map(|(one, other)| (EntityId::Machine(one), EntityId::Machine(other))))
        .collect()
}
