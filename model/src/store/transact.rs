//! Transactions in the store: the evaluation of asserts, and the changes.
//!
//! All asserts are judged on the documents before the transaction, then all changes are made in
//! order.

use super::{Store, Touched};
use crate::{
    txn::{Assert, DocumentKey, Op, Txn, of_any},
    world::World,
};

/// A document that the store may contain.
pub(crate) trait StoredDocument: DocumentKey {
    fn exists(self, store: &Store) -> bool;
    /// Whether it exists and satisfies `predicate`.
    fn holds(self, predicate: Self::Predicate, store: &Store, world: &World) -> bool;
    fn change(self, change: Self::Change, store: &mut Store, world: &World, touched: &mut Touched);
}

impl Store {
    /// Whether an assert holds for a document.
    pub(crate) fn satisfies<D: StoredDocument>(
        &self,
        doc: D,
        assert: Assert<D::Predicate>,
        world: &World,
    ) -> bool {
        let some_hold = |predicates: [Option<D::Predicate>; 3]| {
            predicates.into_iter().flatten().any(|predicate| doc.holds(predicate, self, world))
        };
        match assert {
            Assert::Nothing => true,
            Assert::Exists => doc.exists(self),
            Assert::Missing => !doc.exists(self),
            Assert::Any(predicates) => some_hold(predicates),
            Assert::None(predicates) => doc.exists(self) && !some_hold(predicates),
        }
    }
}

impl Op {
    fn holds(&self, store: &Store, world: &World) -> bool {
        of_any!(&self.on, on => store.satisfies(on.doc, on.assert, world))
    }

    fn apply(&self, store: &mut Store, world: &World, touched: &mut Touched) {
        of_any!(&self.on, on => {
            if let Some(change) = on.change {
                on.doc.change(change, store, world, touched);
            }
        });
    }
}

impl Txn {
    /// The first op with an assert that does not hold.
    pub fn obstacle(&self, store: &Store, world: &World) -> Option<&Op> {
        self.ops.iter().find(|op| !op.holds(store, world))
    }

    pub fn apply(&self, store: &mut Store, world: &World, touched: &mut Touched) {
        for op in &self.ops {
            op.apply(store, world, touched);
        }
    }
}
