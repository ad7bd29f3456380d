//! The distribution of states to processes: by number to the keeper, by hash to the owner.
//!
//! Numbers are dealt in blocks, one to each process in turn, so that the states of a batch lie in
//! the order of their processes, and a number determines the process and the place. The first
//! blocks are small, so that small worlds are shared, too; later ones are large, so rounds are few.

use std::ops::Range;

use crate::graph::MOST_STATES;

/// The states of a block in the first round.
const SMALLEST: u64 = 1 << 6;
/// The number of times that the block size doubles from one round to the next: to 4,096 states.
const DOUBLINGS: u32 = 6;
/// The states of a process in all rounds of smaller blocks.
const SMALLER: u64 = SMALLEST * ((1 << DOUBLINGS) - 1);
/// The states of a block in all later rounds.
const LARGEST: u64 = SMALLEST << DOUBLINGS;
/// Virtual shards of states by hash, which are dealt to processes in ranges.
const SHARDS: u32 = 1 << 12;

/// The greatest number of states of all processes together.
const MOST_NUMBERS: u64 = 1 << 40;

/// The distribution of states to `processes` processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockLayout {
    pub(super) processes: usize,
    /// The number of the first state.
    pub(super) first: u64,
}

/// A round of blocks, one block for each process.
struct BlockRound {
    /// The number of the first state of the round.
    first_number: u64,
    /// The size of the blocks of the round.
    size: u64,
    /// The place that the first state of a block has at its process.
    first_place: u64,
}

impl BlockLayout {
    /// The greatest number of states: no process has more than a search by one may have.
    pub(super) fn most_states(self) -> u64 {
        // Process 0 never has fewer states than another one.
        let full = self.number(0, MOST_STATES) - self.first;
        full.min(MOST_NUMBERS)
    }

    /// The process that keeps the state with this number, and its place there, if any.
    pub(super) fn place(self, number: u64) -> Option<(usize, u32)> {
        if number < self.first {
            return None;
        }
        let BlockRound { first_number, size, first_place } = self.block(number);
        let distance = number - first_number;
        let process = usize::try_from(distance / size).expect("processes are few");
        Some((process, u32::try_from(first_place + distance % size).ok()?))
    }

    /// The first number behind the round of blocks that has this number.
    pub(super) fn round_end(self, number: u64) -> u64 {
        let BlockRound { first_number, size, .. } = self.block(number);
        first_number + size * self.processes as u64
    }

    /// The places that a process has of these numbers, which must lie in one round of blocks, and
    /// the difference of a number and its place.
    pub(super) fn part(self, process: usize, numbers: Range<u64>) -> (Range<u32>, u64) {
        let BlockRound { first_number, size, first_place } = self.block(numbers.start);
        (self.places(process, numbers), first_number + size * process as u64 - first_place)
    }

    pub(super) fn places(self, process: usize, numbers: Range<u64>) -> Range<u32> {
        let below = |number: u64| {
            let BlockRound { first_number, size, first_place } = self.block(number);
            let first = first_number + size * process as u64;
            let place = first_place + number.saturating_sub(first).min(size);
            u32::try_from(place).expect("there are no more places than states of one process")
        };
        below(numbers.start)..below(numbers.end)
    }

    /// The number of the state at this place of a process.
    pub(super) fn number(self, process: usize, place: u32) -> u64 {
        let place = u64::from(place);
        let alone = Self { processes: 1, first: 0 };
        let BlockRound { first_number, size, first_place } = alone.block(place);
        let (processes, process) = (self.processes as u64, process as u64);
        self.first + first_number * processes + size * process + place - first_place
    }

    /// The owner of states with this hash.
    pub(super) fn owner(self, hash: u32) -> usize {
        // Tables use the highest bits of the hash, so the shard uses those of another hash of it.
        let shard = hash.wrapping_mul(0x9e37_79b1) / (u32::MAX / SHARDS + 1);
        shard as usize * self.processes / SHARDS as usize
    }

    fn block(self, number: u64) -> BlockRound {
        let (number, processes) = (number - self.first, self.processes as u64);
        let (place, size) = if let Some(distance) = number.checked_sub(SMALLER * processes) {
            (SMALLER + distance / (LARGEST * processes) * LARGEST, LARGEST)
        } else {
            let round = (number / (SMALLEST * processes) + 1).ilog2();
            (SMALLEST * ((1 << round) - 1), SMALLEST << round)
        };
        BlockRound { first_number: self.first + place * processes, size, first_place: place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_places_of_each_process_in_order() {
        for (processes, first) in (1..=7).zip([0, 1, 1 << 31, (1 << 32) - 100].into_iter().cycle())
        {
            let layout = BlockLayout { processes, first };
            let mut filled = vec![0; processes];
            for number in first..first + 120_000 {
                let (process, place) = layout.place(number).expect("it is not below the first");
                assert_eq!(place, filled[process], "{number} of {processes}");
                assert_eq!(layout.number(process, place), number);
                assert_eq!(layout.places(process, first..number), 0..place);
                filled[process] += 1;
            }
            assert!(first == 0 || layout.place(first - 1).is_none());
            assert_eq!(layout.place(u64::MAX), None);
        }
    }

    #[test]
    fn no_process_has_more_states_than_one_alone_may_have() {
        for processes in [1, 2, 3, 32, 500, 600, 4096] {
            for first in [0, 1 << 33] {
                let layout = BlockLayout { processes, first };
                let most = layout.most_states();
                let all = u64::from(MOST_STATES) * processes as u64;
                assert!(
                    most <= all
                        && (most == MOST_NUMBERS || most + LARGEST * processes as u64 > all),
                    "{most}"
                );
                for process in [0, processes / 2, processes - 1] {
                    let places = layout.places(process, first..first + most);
                    assert!(places.end <= MOST_STATES);
                    let last = places.end - 1;
                    let number = layout.number(process, last);
                    assert!((first..first + most).contains(&number));
                    assert_eq!(layout.place(number), Some((process, last)));
                    assert!(layout.round_end(number) > number);
                }
            }
        }
        assert_eq!(BlockLayout { processes: 1, first: 0 }.most_states(), MOST_STATES.into());
    }

    #[test]
    fn the_parts_of_a_batch_lie_in_the_order_of_processes() {
        for (processes, first) in [(1, 0), (2, 0), (3, (1 << 40) - 100_000), (5, 1 << 33)] {
            let layout = BlockLayout { processes, first };
            let (mut begin, mut step) = (first, 1);
            while begin < first + 200_000 {
                let end = layout.round_end(begin).min(begin + step);
                let mut numbers = begin..end;
                for process in 0..processes {
                    let (places, offset) = layout.part(process, begin..end);
                    for place in places {
                        let number = numbers.next().expect("parts are no longer than the batch");
                        assert_eq!(u64::from(place) + offset, number);
                        assert_eq!(layout.place(number), Some((process, place)));
                    }
                }
                assert_eq!(numbers.next(), None);
                (begin, step) = (end, step % 30_011 * 7 + 1);
            }
        }
    }

    #[test]
    fn each_process_knows_as_many_states() {
        for processes in [1, 2, 3, 32] {
            let (layout, mut known) = (BlockLayout { processes, first: 0 }, vec![0_u32; processes]);
            for state in 0..64_000_u64 {
                known[layout.owner(crate::explore::hash_words(&[state]))] += 1;
            }
            let mean = 64_000 / u32::try_from(processes).expect("they are few");
            assert!(known.iter().all(|it| it.abs_diff(mean) < mean / 4), "{known:?}");
        }
    }
}
