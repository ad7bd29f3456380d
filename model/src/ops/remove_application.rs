//! Remove an application: the end of whichever transaction removes the last reference to it.
//!
//! Death and Destruction, "To remove a service":
//!
//! 1. delete the application document;
//! 2. delete its settings document.

use crate::{
    clause::{Clause, Rule},
    ids::ApplicationId,
    txn::{Assert, Change, Doc, Txn},
};

/// Adds both sentences to `txn`, which asserts that nothing refers to the application.
pub(super) fn remove_application(id: ApplicationId, txn: &mut Txn) {
    let clause = |number| Clause { rule: Rule::RemoveApplication, number };
    txn.on_behalf(clause(1), Doc::Application(id), Assert::Exists, Change::Remove);
    txn.on_behalf(clause(2), Doc::ApplicationSettings(id), Assert::Exists, Change::Remove);
}
