//! Claims about transitions, checked on steps.
//!
//! A step mostly touches a few rows, so only the claims about these are judged.

use deathwatch_language::Trail;
use deathwatch_model::{rows::Row, state::State, world::World};

use super::{ClaimIndex, OwnClaim, OwnFormula, index::FoundSubjects};
use crate::claims::Claim;

#[derive(Default)]
pub(crate) struct JudgedSteps {
    index: ClaimIndex,
    claims: Vec<(usize, &'static OwnClaim)>,
    /// Scratch memory: the subjects to judge; and the violations, by slot and subject.
    found: FoundSubjects,
    violated: Vec<(usize, Row)>,
}

impl JudgedSteps {
    /// The claims about transitions among these.
    pub(crate) fn of(claims: &[&'static Claim]) -> Self {
        let mut judged = Self::default();
        for (number, own) in parts(claims) {
            if matches!(own.says, OwnFormula::Step(_)) {
                judged.index.add(judged.claims.len(), own);
                judged.claims.push((number, own));
            }
        }
        judged
    }

    /// Calls `violated` for each claim that a step violates and each subject that does, in their
    /// order. The step touched these rows. Claims are numbered as in [`Self::of`].
    pub(crate) fn check(
        &mut self,
        world: &World,
        states: [&State; 2],
        touched: &[Row],
        violated: &mut dyn FnMut(usize, Row),
    ) {
        let Self { index, claims, found, violated: all } = self;
        if claims.is_empty() {
            return;
        }
        index.find(&Trail { world, states, recount: None }, touched, found);
        index.steps(found, states[1], &mut |watch, rows, life| {
            let (_, own) = claims[watch.slot];
            all.extend(own.violating(world, states, rows, life).map(|row| (watch.slot, row)));
        });
        all.sort_unstable();
        all.dedup();
        all.drain(..).for_each(|(slot, subject)| violated(claims[slot].0, subject));
    }
}

/// The parts of the claims for each kind of subjects, each with the number of its claim.
pub(crate) fn parts(claims: &[&'static Claim]) -> impl Iterator<Item = (usize, &'static OwnClaim)> {
    let texts = claims.iter().enumerate().map(|(number, claim)| (number, claim.texts()));
    texts.flat_map(|(number, texts)| texts.iter().map(move |own| (number, own)))
}
