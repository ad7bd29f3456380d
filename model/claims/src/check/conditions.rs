//! The conditions of claims about what must follow, in one state after the other.
//!
//! What they say of a subject is a function of the rows that they read, so it is looked up.

use deathwatch_model::{rows::recorded, state::State, world::World};

use super::{
    decide::ClaimSubject,
    look_ups::{LookUps, grouped},
    transition_system::{TransitionSystem, Worker},
};

/// The conditions of some claims, each of one subject.
pub(super) struct Conditions<'a> {
    world: &'a World,
    claims: &'a [ClaimSubject],
    /// The indices of claims whose subjects belong to one entity, or are one row.
    groups: Vec<Vec<usize>>,
    /// For each group where obligations begin, and where they are met: a bit for each claim.
    look_ups: LookUps<[u64; 2]>,
}

impl<'a> Conditions<'a> {
    /// Before the first state.
    pub(super) fn of(
        world: &'a World,
        claims: &'a [ClaimSubject],
        protocol: &TransitionSystem<'_>,
    ) -> Self {
        let groups = grouped(claims.iter().enumerate().map(|(bit, (_, _, it))| (*it, bit)));
        let look_ups = LookUps::new(groups.len(), protocol.codec.words(), protocol.cache_bytes);
        Self { world, claims, groups, look_ups }
    }

    /// Goes to a packed state: where obligations begin there, and where they are met.
    pub(super) fn go_to(
        &mut self,
        protocol: &TransitionSystem<'_>,
        worker: &mut Worker<'_>,
        words: &[u64],
    ) -> (u64, u64) {
        let Self { world, claims, groups, look_ups } = self;
        look_ups.go_to(words);
        let mut all = [0, 0];
        for (number, group) in groups.iter().enumerate() {
            let masks = look_ups.find(number).unwrap_or_else(|| {
                let state = protocol.read(worker, words);
                look_ups.reads.clear();
                let masks = recorded(&mut look_ups.reads, || judged(world, claims, group, state));
                if look_ups.is_remembered(number) {
                    look_ups.insert(number, &protocol.codec, masks);
                }
                masks
            });
            all[0] |= masks[0];
            all[1] |= masks[1];
        }
        if cfg!(debug_assertions) {
            let every: Vec<usize> = (0..claims.len()).collect();
            let state = protocol.read(worker, words);
            let anew = judged(world, claims, &every, state);
            assert_eq!(all, anew, "a condition reads what is not recorded");
        }
        (all[0], all[1])
    }
}

/// What the conditions of these claims say of a state.
fn judged(world: &World, claims: &[ClaimSubject], bits: &[usize], state: &State) -> [u64; 2] {
    let mut masks = [0, 0];
    for bit in bits {
        let (_, obligation, subject) = claims[*bit];
        let holds = obligation.from_to(world, state, subject);
        for (mask, holds) in masks.iter_mut().zip(holds) {
            *mask |= u64::from(holds) << bit;
        }
    }
    masks
}
