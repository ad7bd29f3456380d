//! Claims that are text, checked in one state after the other, and on steps.
//!
//! An explorer goes from state to state, and mostly the next one differs from the last one in a few
//! rows. A claim that held there can be violated here only by a subject that these rows concern, so
//! only these are judged. A claim that did not hold there is judged from the beginning.

use deathwatch_language::Trail;
use deathwatch_model::{rows::Row, state::State, world::World};

use super::{ClaimIndex, OwnClaim, OwnFormula};
use crate::claims::Claim;

/// Claims about states, and what is known of them in the last state.
#[derive(Default)]
pub(crate) struct JudgedStates {
    index: ClaimIndex,
    claims: Vec<JudgedClaim>,
    /// Scratch memory: the subjects to judge, each with the slot of its claim.
    found: Vec<(usize, Row)>,
}

struct JudgedClaim {
    /// Its number among all claims.
    number: usize,
    own: &'static OwnClaim,
    /// Whether the last state decided nothing; unknown before the first.
    is_open: bool,
}

impl JudgedStates {
    /// The claims about states among these, before the first state.
    pub(crate) fn of(claims: &[&'static Claim]) -> Self {
        let mut judged = Self::default();
        for (number, own) in parts(claims) {
            if matches!(own.says, OwnFormula::Always(_) | OwnFormula::Reachable(_)) {
                judged.index.add(judged.claims.len(), own);
                judged.claims.push(JudgedClaim { number, own, is_open: false });
            }
        }
        judged
    }

    /// Goes from the last state to this one, which differs in these rows at most. Gives the claims
    /// that it decides, each with the first subject at which it does.
    pub(crate) fn go_to(
        &mut self,
        world: &World,
        states: [&State; 2],
        touched: &[Row],
        decided: &mut dyn FnMut(usize, Row),
    ) {
        let Self { index, claims, found } = self;
        if claims.is_empty() {
            return;
        }
        index.find(&Trail { world, states: Some(states), recount: None }, touched, found);
        let state = states[1];
        for (slot, subject) in found {
            let claim = &mut claims[*slot];
            claim.is_open = claim.is_open && !claim.own.is_decided(world, state, *subject);
        }
        for JudgedClaim { number, own, is_open } in claims.iter_mut().filter(|it| !it.is_open) {
            let first = own.first(world, state);
            *is_open = first.is_none();
            if let Some(subject) = first {
                decided(*number, subject);
            }
        }
    }

    /// Whether what is known of the claims is what a check of everything finds.
    pub(crate) fn is_true_to(&self, world: &World, state: &State) -> bool {
        self.claims.iter().all(|it| it.is_open == it.own.first(world, state).is_none())
    }
}

/// Claims about transitions.
#[derive(Default)]
pub(crate) struct JudgedSteps {
    index: ClaimIndex,
    claims: Vec<(usize, &'static OwnClaim)>,
    /// Scratch memory: the subjects to judge, each with the slot of its claim.
    found: Vec<(usize, Row)>,
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

    /// Gives the claims that a step which touched these rows violates, each with the subjects that
    /// do, the first one first.
    pub(crate) fn check(
        &mut self,
        world: &World,
        states: [&State; 2],
        touched: &[Row],
        violated: &mut dyn FnMut(usize, Row),
    ) {
        let Self { index, claims, found } = self;
        if claims.is_empty() {
            return;
        }
        index.find(&Trail { world, states: Some(states), recount: None }, touched, found);
        for (slot, subject) in found {
            let (number, own) = claims[*slot];
            if own.is_violated(world, states, *subject) {
                violated(number, *subject);
            }
        }
    }
}

/// What claims that are text say of each kind of their subjects, with the numbers of the claims.
pub(super) fn parts(claims: &[&'static Claim]) -> impl Iterator<Item = (usize, &'static OwnClaim)> {
    let texts = claims.iter().enumerate().map(|(number, claim)| (number, claim.texts()));
    texts.flat_map(|(number, texts)| texts.iter().map(move |own| (number, own)))
}
