//! Which renamings leave each representative as it is, so that they make the same states of it.

use deathwatch_checker::{MemoryBudget, Stop, explore::PackedStates};
use deathwatch_model::{
    pack::{Codec, Local},
    world::World,
};
use indexmap::IndexMap;

use super::{Canonicalizer, RenamingGroup};

/// For each representative the renamings that make the states of its orbit, each state once.
pub(in crate::check) struct Stabilizers {
    /// For each representative the number of its stabilizer.
    numbers: Vec<u16>,
    /// For each stabilizer and then each renaming, the least one that makes the same state.
    least: Vec<u16>,
    /// The number of renamings in each stabilizer.
    orders: Vec<usize>,
    /// The number of renamings.
    renamings: usize,
}

impl Stabilizers {
    /// Of these representatives.
    ///
    /// # Errors
    /// If there is no memory, or `stop` gives a reason to.
    pub(in crate::check) fn of(
        graph: &impl PackedStates,
        world: &World,
        codec: &Codec,
        group: &RenamingGroup,
        memory: &mut MemoryBudget,
        stop: &dyn Fn() -> Option<Stop>,
    ) -> Result<Self, Stop> {
        let mut numbers = memory.filled(0, graph.states() as usize)?;
        let mut canonical = Canonicalizer::new(world, codec, group, CACHE_BYTES);
        let (mut txns, mut state) = (Local::default(), vec![0; graph.words()]);
        let mut known: IndexMap<Vec<usize>, ()> = IndexMap::new();
        for (id, number) in (0..).zip(&mut numbers) {
            if id % POLL == 0 {
                (stop)().map_or(Ok(()), Err)?;
            }
            graph.read(id, &mut state);
            canonical.go_to(codec, group, &state, &mut txns);
            let stabilizer = canonical.stabilizer(codec, &mut txns).to_vec();
            *number = narrow(known.insert_full(stabilizer, ()).0);
        }
        let least = known.keys().flat_map(|stabilizer| {
            (0..group.len()).map(move |number| {
                let same = stabilizer.iter().map(|it| group.product(number, *it));
                narrow(same.min().expect("the identity is in it"))
            })
        });
        let least = least.collect();
        let orders = known.keys().map(Vec::len).collect();
        Ok(Self { numbers, least, orders, renamings: group.len() })
    }

    /// The number of representatives.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.numbers.len()).expect("states have numbers")
    }

    /// The number of renamings that leave a representative as it is.
    pub(super) fn order(&self, representative: u32) -> usize {
        self.orders[usize::from(self.numbers[representative as usize])]
    }

    /// The least renaming that makes the same state of a representative as this one.
    #[inline]
    pub(super) fn least(&self, representative: u32, renaming: usize) -> usize {
        let stabilizer = usize::from(self.numbers[representative as usize]);
        self.least[stabilizer * self.renamings + renaming].into()
    }
}

/// The bytes that may be remembered of renamed rows.
const CACHE_BYTES: usize = 24 << 20;

/// The number of states after which it is asked whether to stop.
const POLL: u32 = 1 << 10;

fn narrow(number: usize) -> u16 {
    u16::try_from(number).expect("a group of a thousand elements has fewer subgroups that occur")
}
