//! The conditions of claims about what must follow, in one state after the other.
//!
//! Mostly the next state differs from the last one in a few rows, and only the conditions that read
//! these are judged again.

use deathwatch_language::Trail;
use deathwatch_model::{
    rows::{Parts, Row},
    state::State,
    world::World,
};

use super::decide::ClaimSubject;
use crate::claims::ClaimIndex;

/// The conditions of some claims, each of one subject, in the last state.
pub(super) struct Conditions<'a> {
    world: &'a World,
    group: &'a [ClaimSubject],
    /// The claims, by what they read.
    index: ClaimIndex,
    /// For each of these, the first of its subjects in the group, and its index among all.
    firsts: Vec<(usize, usize)>,
    /// Where obligations begin, and where they are met: a bit for each of the group.
    last: Option<[u64; 2]>,
}

impl<'a> Conditions<'a> {
    /// Before the first state.
    pub(super) fn of(world: &'a World, group: &'a [ClaimSubject]) -> Self {
        let (mut index, mut firsts) = (ClaimIndex::default(), Vec::new());
        for (bit, (claim, obligation, subject)) in group.iter().enumerate() {
            if bit == 0 || group[bit - 1].0.name != claim.name {
                index.add(firsts.len(), obligation.own);
                firsts.push((bit, subject.index(world).expect("it is a subject")));
            }
        }
        Self { world, group, index, firsts, last: None }
    }

    /// Goes to a state, which differs from the last one in these rows at most.
    pub(super) fn go_to(&mut self, state: &State, touched: &[Row]) -> (u64, u64) {
        let all = u64::MAX >> (u64::BITS as usize - self.group.len());
        let mut judged = if self.last.is_some() { 0 } else { all };
        let Self { world, group, index, firsts, last, .. } = self;
        let trail = Trail { world, states: None, recount: None };
        for row in touched {
            index.follow(&trail, *row, Parts::ALL, &mut |slot, subject| {
                let (bit, first) = firsts[slot];
                let at = subject.index(world).and_then(|it| (bit + it).checked_sub(first));
                let is_own = |at: &usize| group.get(*at).is_some_and(|it| it.2 == subject);
                if let Some(at) = at.filter(is_own) {
                    judged |= 1 << at;
                }
            });
        }
        let [mut from, mut to] = last.unwrap_or_default();
        while judged != 0 {
            let bit = judged.trailing_zeros() as usize;
            judged &= judged - 1;
            let (_, obligation, subject) = group[bit];
            let [is_from, is_to] = obligation.from_to(world, state, subject);
            from = from & !(1 << bit) | u64::from(is_from) << bit;
            to = to & !(1 << bit) | u64::from(is_to) << bit;
        }
        self.last = Some([from, to]);
        debug_assert_eq!([from, to], self.anew(state), "a condition reads more than is derived");
        (from, to)
    }

    /// All conditions in a state, judged anew.
    fn anew(&self, state: &State) -> [u64; 2] {
        let mut all = [0, 0];
        for (bit, (_, obligation, subject)) in self.group.iter().enumerate() {
            let holds = obligation.from_to(self.world, state, *subject);
            for (mask, holds) in all.iter_mut().zip(holds) {
                *mask |= u64::from(holds) << bit;
            }
        }
        all
    }
}
