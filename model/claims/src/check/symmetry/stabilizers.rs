//! Stabilizers of representatives: renamings in one coset of the stabilizer make the same state.

use deathwatch_checker::{MemoryBudget, Stop, explore::PackedStates, in_order};
use deathwatch_model::{
    pack::{Codec, Local},
    world::World,
};
use indexmap::IndexSet;

use super::{Canonicalizer, RenamingGroup};

/// For each representative the renamings that make the states of its orbit, each state once.
pub(in crate::check) struct Stabilizers {
    /// For each representative the number of its stabilizer.
    numbers: Vec<u16>,
    /// For each stabilizer and then each renaming, the least renaming that makes the same state.
    least: Vec<u16>,
    /// The number of renamings in each stabilizer.
    orders: Vec<usize>,
    renamings: usize,
}

impl Stabilizers {
    /// The stabilizers of these representatives.
    ///
    /// # Errors
    /// If memory does not suffice, or `stop` returns a reason.
    pub(in crate::check) fn of(
        graph: &impl PackedStates,
        world: &World,
        codec: &Codec,
        group: &RenamingGroup,
        threads: usize,
        memory: &mut MemoryBudget,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
    ) -> Result<Self, Stop> {
        let mut numbers: Vec<u16> = memory.filled(0, graph.states() as usize)?;
        let cache_bytes = CACHE_BYTES / threads.clamp(1, MOST_CACHES);
        let scratch = || {
            let canonical = Canonicalizer::new(world, codec, group, cache_bytes);
            (canonical, Local::default(), vec![0; graph.words()])
        };
        let mut known: IndexSet<Vec<usize>> = IndexSet::new();
        // A range has few distinct stabilizers, so each is returned once.
        let of_range = |(canonical, txns, state): &mut (Canonicalizer, _, Vec<u64>), range| {
            let (mut here, mut places) = (IndexSet::<Vec<usize>>::new(), Vec::new());
            for id in range {
                graph.read(id, state);
                canonical.go_to(codec, group, state, txns);
                let stabilizer = canonical.stabilizer(codec, txns);
                let place = here.get_index_of(stabilizer);
                let place = place.unwrap_or_else(|| here.insert_full(stabilizer.to_vec()).0);
                places.push(narrow(place));
            }
            (here, places)
        };
        in_order(graph.states(), threads, stop, scratch, of_range, |range, (here, places)| {
            let all = here.into_iter().map(|it| narrow(known.insert_full(it).0));
            let all: Vec<u16> = all.collect();
            let numbers = &mut numbers[range.start as usize..range.end as usize];
            for (number, place) in numbers.iter_mut().zip(places) {
                *number = all[usize::from(place)];
            }
            Ok(())
        })?;
        let least = known.iter().flat_map(|stabilizer| {
            (0..group.len()).map(move |number| {
                let same = stabilizer.iter().map(|it| group.product(number, *it));
                narrow(same.min().expect("the identity is in it"))
            })
        });
        let least = least.collect();
        let orders = known.iter().map(Vec::len).collect();
        Ok(Self { numbers, least, orders, renamings: group.len() })
    }

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

/// The bytes of the caches of renamed rows of all threads together.
const CACHE_BYTES: usize = 24 << 20;

/// The number of threads up to which they divide those bytes; each further thread adds a share.
const MOST_CACHES: usize = 8;

fn narrow(number: usize) -> u16 {
    u16::try_from(number).expect("a group of a thousand elements has fewer subgroups that occur")
}
