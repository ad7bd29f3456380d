//! Asserts: the conditions of ops on their documents.

use super::predicate::Predicate;
use crate::{life::Life, world::World};

/// A condition on one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assert<P> {
    /// It need not exist.
    Nothing,
    Exists,
    /// It does not exist.
    Missing,
    /// It exists, and at least one of these holds for it.
    Any([Option<P>; 3]),
    /// It exists, and none of these holds for it.
    None([Option<P>; 3]),
}

/// Holds for a document that satisfies at least one predicate.
pub fn any<P: Copy, const N: usize>(predicates: [P; N]) -> Assert<P> {
    const { assert!(N <= 3, "an assert has three predicates at most") };
    let mut all = [None; 3];
    for (one, predicate) in all.iter_mut().zip(predicates) {
        *one = Some(predicate);
    }
    Assert::Any(all)
}

/// Holds for a document that satisfies no predicate.
pub fn none<P: Copy, const N: usize>(predicates: [P; N]) -> Assert<P> {
    any(predicates).negated()
}

/// Holds for a document with this life.
pub fn life_is<P: Copy + From<Life>>(life: Life) -> Assert<P> {
    any([P::from(life)])
}

impl<P: Copy> Assert<P> {
    /// The negation, for an existing document.
    pub(crate) fn negated(self) -> Self {
        match self {
            Assert::Nothing => Assert::Nothing,
            Assert::Exists => Assert::Missing,
            Assert::Missing => Assert::Exists,
            Assert::Any(predicates) => Assert::None(predicates),
            Assert::None(predicates) => Assert::Any(predicates),
        }
    }

    /// The assert as text, beginning with "to" or "not to".
    pub(super) fn text(self, world: &World) -> String
    where
        P: Predicate,
    {
        let all = |predicates: [Option<P>; 3]| {
            let texts = predicates.into_iter().flatten().map(|predicate| predicate.text(world));
            texts.collect::<Vec<_>>()
        };
        match self {
            Assert::Nothing => "to be anything".to_owned(),
            Assert::Exists => "to exist".to_owned(),
            Assert::Missing => "not to exist".to_owned(),
            Assert::Any(predicates) => format!("to {}", all(predicates).join(" or to ")),
            Assert::None(predicates) => format!("not to {}", all(predicates).join(" and not to ")),
        }
    }
}
