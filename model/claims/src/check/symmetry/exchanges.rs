//! Which units and machines a search exchanged, and which it did not.

use deathwatch_model::{
    ids::{EntityId, Rename as _, Renaming},
    world::World,
};

use super::Candidate;

/// The pairs that take each other's place at once.
pub type ExchangedPairs = Vec<(EntityId, EntityId)>;

/// The exchanges that leave the start of a world as it is, as few as connect all that they can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// The exchanges by which one state stood for several.
    pub made: Vec<ExchangedPairs>,
    /// The others: something tells them apart, alone or together, or there would have been more
    /// renamings than are looked through in each state.
    pub left_out: Vec<ExchangedPairs>,
}

impl Exchanges {
    /// The exchanges of these candidates, of which those with these numbers were made.
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

/// The pairs that take each other's place in a renaming by which nothing goes further.
fn exchanged(world: &World, by: &Renaming) -> ExchangedPairs {
    let pairs = EntityId::all(world).map(|id| (id, id.renamed(by)));
    pairs.filter(|(one, other)| one < other).collect()
}
