//! The conditions of claims of the kind leads, in one state after the other.
//!
//! The values of a subject's conditions are a function of the rows that they read, so they are
//! looked up.

use deathwatch_model::{
    ids::Rename as _,
    rows::{Read, Row, recorded},
    state::State,
    world::World,
};

use super::{
    look_ups::{LookUps, grouped},
    transition_system::{TransitionSystem, Worker},
};
use crate::claims::{Claim, ClaimObligation};

pub(super) type ClaimSubject = (&'static Claim, ClaimObligation, Row);

/// The conditions of some claims, each of one subject.
pub(super) struct Conditions<'a> {
    world: &'a World,
    claims: &'a [ClaimSubject],
    /// Groups of indices of claims whose subjects belong to one entity, or are one row.
    groups: Vec<Vec<usize>>,
    /// For each group, as bits, the claims whose obligations begin, and those that are met.
    look_ups: LookUps<[u64; 2], [u64; 2]>,
}

impl<'a> Conditions<'a> {
    /// The conditions of these claims, before the first state.
    pub(super) fn of(
        world: &'a World,
        claims: &'a [ClaimSubject],
        protocol: &TransitionSystem<'_>,
    ) -> Self {
        let groups = grouped(claims.iter().enumerate().map(|(bit, (_, _, it))| (*it, bit)));
        let look_ups =
            LookUps::new(groups.len(), protocol.codec.words(), protocol.cache_bytes, None);
        Self { world, claims, groups, look_ups }
    }

    /// Goes to a packed state. Returns the claims whose obligations begin there, and those whose
    /// obligations are met, as bits.
    pub(super) fn go_to<'w>(
        &mut self,
        protocol: &TransitionSystem<'w>,
        worker: &mut Worker<'w>,
        words: &[u64],
    ) -> (u64, u64) {
        let Self { world, claims, groups, look_ups } = self;
        look_ups.go_to(words);
        let known = look_ups.all().map(|all| all.iter().fold([0, 0], joined));
        let groups: &[Vec<usize>] = if known.is_some() { &[] } else { groups };
        let mut all = known.unwrap_or_default();
        for (number, group) in groups.iter().enumerate() {
            let masks = look_ups.find(number).unwrap_or_else(|| {
                let state = protocol.read(worker, words);
                let mut reads = std::mem::take(&mut look_ups.reads);
                reads.clear();
                let masks = recorded(&mut reads, || judged(world, claims, group, state));
                compare(protocol, worker, words, (claims, group, masks), &mut reads);
                look_ups.reads = reads;
                if look_ups.is_remembered(number) {
                    look_ups.insert(number, &protocol.codec, masks, 0, || masks);
                }
                masks
            });
            all = joined(all, &masks);
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

/// Compares the conditions in a state with those in its images; refuses symmetry if they differ.
fn compare<'a>(
    protocol: &TransitionSystem<'a>,
    worker: &mut Worker<'a>,
    words: &[u64],
    (claims, group, masks): (&[ClaimSubject], &[usize], [u64; 2]),
    reads: &mut Vec<Read>,
) {
    let Some(elements) = &protocol.symmetry else { return };
    let unpack = TransitionSystem::unpack;
    protocol.in_images(worker, words, reads, unpack, |worker, number, image| {
        let by = elements.element(number);
        let becomes = |bit: &usize| {
            let (claim, _, subject) = claims[*bit];
            let becomes = (claim.name, subject.renamed(by));
            let place = claims.iter().position(|(claim, _, it)| (claim.name, *it) == becomes);
            place.expect("the subjects of a claim are all rows of a kind")
        };
        let renamed: Vec<usize> = group.iter().map(becomes).collect();
        let (state, mut more) = (protocol.read(worker, image), Vec::new());
        let said = recorded(&mut more, || judged(protocol.world(), claims, &renamed, state));
        let is_same = group.iter().zip(&renamed).all(|(bit, renamed)| {
            (0..2).all(|which| masks[which] >> bit & 1 == said[which] >> renamed & 1)
        });
        if !is_same {
            protocol.refuse_symmetry();
        }
        more
    });
}

fn joined(all: [u64; 2], more: &[u64; 2]) -> [u64; 2] {
    [all[0] | more[0], all[1] | more[1]]
}

/// The claims among `bits` whose first and whose second condition holds in a state.
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
