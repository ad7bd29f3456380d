//! Which process has which states, and which knows them by their hash.
//!
//! Numbers are dealt in blocks, one to each process in turn, so that the states of a batch lie in
//! the order of their processes, and a number says where its state is. The first
//! blocks are small, so that small worlds are shared, too; blocks that are large need few rounds.

use std::ops::Range;

/// The states of a block of the first round.
const SMALLEST: u64 = 1 << 6;
/// How often blocks double from one round to the next: to 4,096 states.
const DOUBLINGS: u32 = 6;
/// The states of all smaller blocks that a process has.
const SMALLER: u64 = SMALLEST * ((1 << DOUBLINGS) - 1);
/// The states of the largest blocks.
const LARGEST: u64 = SMALLEST << DOUBLINGS;
/// Virtual shards of states by their hash, which are dealt to processes in ranges.
const SHARDS: u32 = 1 << 12;

/// How states are dealt to this number of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockLayout {
    pub(super) processes: usize,
}

/// The part of a round of blocks that one process has.
struct BlockRound {
    /// The number of the first state of the round.
    round: u64,
    /// The size of the blocks of the round.
    size: u64,
    /// The place that the first state of a block has at its process.
    place: u64,
}

impl BlockLayout {
    /// The process that has the state with this number, and the place that it has there.
    pub(super) fn place(self, number: u32) -> (usize, u32) {
        let BlockRound { round, size, place } = self.block(number);
        let distance = u64::from(number) - round;
        let process = usize::try_from(distance / size).expect("processes are few");
        (process, narrow(place + distance % size))
    }

    /// The first number behind the blocks of the round that has this number.
    pub(super) fn round_end(self, number: u32) -> u32 {
        let BlockRound { round, size, .. } = self.block(number);
        u32::try_from(round + size * self.processes as u64).unwrap_or(u32::MAX)
    }

    /// The places that a process has of these numbers, which belong to one round of blocks, and by
    /// how much the numbers are greater.
    pub(super) fn part(self, process: usize, numbers: Range<u32>) -> (Range<u32>, u32) {
        let BlockRound { round, size, place } = self.block(numbers.start);
        let offset = (round + size * process as u64 - place).min(u64::from(u32::MAX));
        (self.places(process, numbers), narrow(offset))
    }

    /// The places that a process has of these numbers.
    pub(super) fn places(self, process: usize, numbers: Range<u32>) -> Range<u32> {
        let below = |number: u32| {
            let BlockRound { round, size, place } = self.block(number);
            let first = round + size * process as u64;
            narrow(place + u64::from(number).saturating_sub(first).min(size))
        };
        below(numbers.start)..below(numbers.end)
    }

    /// The number of the state that a process has at this place.
    pub(super) fn number(self, process: usize, place: u32) -> u32 {
        let BlockRound { round, size, place: first } = Self { processes: 1 }.block(place);
        let (processes, process) = (self.processes as u64, process as u64);
        narrow(round * processes + size * process + u64::from(place) - first)
    }

    /// The process that knows states with this hash.
    pub(super) fn owner(self, hash: u32) -> usize {
        // Tables take the highest bits of a hash, so the shard takes those of another.
        let shard = hash.wrapping_mul(0x9e37_79b1) / (u32::MAX / SHARDS + 1);
        shard as usize * self.processes / SHARDS as usize
    }

    fn block(self, number: u32) -> BlockRound {
        let (number, processes) = (u64::from(number), self.processes as u64);
        if let Some(distance) = number.checked_sub(SMALLER * processes) {
            let place = SMALLER + distance / (LARGEST * processes) * LARGEST;
            BlockRound { round: place * processes, size: LARGEST, place }
        } else {
            let round = (number / (SMALLEST * processes) + 1).ilog2();
            let place = SMALLEST * ((1 << round) - 1);
            BlockRound { round: place * processes, size: SMALLEST << round, place }
        }
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("there are no more places than states")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::MOST_STATES;

    #[test]
    fn numbers_fill_the_places_of_each_process_in_order() {
        for processes in 1..=7 {
            let layout = BlockLayout { processes };
            let mut filled = vec![0; processes];
            for number in 0..120_000 {
                let (process, place) = layout.place(number);
                assert_eq!(place, filled[process], "{number} of {processes}");
                assert_eq!(layout.number(process, place), number);
                assert_eq!(layout.places(process, 0..number), 0..place);
                filled[process] += 1;
            }
            assert!(layout.place(MOST_STATES).0 < processes);
        }
    }

    #[test]
    fn the_parts_of_a_batch_lie_in_the_order_of_processes() {
        for processes in [1, 2, 3, 5] {
            let layout = BlockLayout { processes };
            let (mut begin, mut step) = (0, 1);
            while begin < 200_000 {
                let end = layout.round_end(begin).min(begin + step);
                let mut numbers = begin..end;
                for process in 0..processes {
                    let (places, offset) = layout.part(process, begin..end);
                    for place in places {
                        let number = numbers.next().expect("parts are no longer than the batch");
                        assert_eq!(
                            (place + offset, layout.place(number)),
                            (number, (process, place))
                        );
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
            let mut known = vec![0_u32; processes];
            for state in 0..64_000_u64 {
                known[BlockLayout { processes }.owner(crate::explore::hash_words(&[state]))] += 1;
            }
            let mean = 64_000 / u32::try_from(processes).expect("they are few");
            assert!(known.iter().all(|it| it.abs_diff(mean) < mean / 4), "{known:?}");
        }
    }
}
