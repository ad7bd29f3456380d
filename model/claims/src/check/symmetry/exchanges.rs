//! The exchanges of units and machines in a search: those made, and those left out.

use deathwatch_model::{
    ids::{EntityId, Rename as _, Renaming},
    world::World,
};

use super::Candidate;

/// The pairs that one renaming exchanges.
pub type ExchangedPairs = Vec<(EntityId, EntityId)>;

/// Exchanges that leave the start of a world as it is: as few as connect all that can be exchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// The exchanges by which one state represented several.
    pub made: Vec<ExchangedPairs>,
    /// The others. A claim or a step distinguishes the two, alone or together with other exchanges;
    /// or there would have been too many renamings for each state.
    pub left_out: Vec<ExchangedPairs>,
}

impl Exchanges {
    /// The exchanges of the candidates `tried`, of which those with the numbers `made` were made.
    pub(in crate::check) fn of(world: &World, tried: &[Candidate], made: &[usize]) -> Self {
        let mut exchanges = Self::default();
        for (number, renaming) in tried {
            let list =
                if made.contains(number) { &mut exchanges.made } else { &mut exchanges.left_out };
            list.push(exchanged(world, renaming));
        }
        exchanges
    }
}

/// The pairs of a renaming that is its own inverse.
fn exchanged(world: &World, by: &Renaming) -> ExchangedPairs {
    let pairs = EntityId::all(world).map(|id| (id, id.renamed(by)));
    pairs.filter(|(one, other)| one < other).collect()
}
