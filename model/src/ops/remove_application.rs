//! Remove an application: the end of whichever transaction removes the last reference to it.
//!
//! Death and Destruction, "To remove a service":
//!
//! 1. Delete the application document.
//! 2. Delete the application's settings document.

use crate::{
    clause::Rule,
    ids::ApplicationId,
    ops::Draft,
    txn::{ApplicationChange, Assert, Marker, MarkerChange},
};

/// Does clause `number` of the calling rule, which asserts that nothing refers to the application.
pub(super) fn remove_application(txn: &mut Draft<'_>, number: u8, id: ApplicationId) {
    txn.assert(number, id, Assert::Exists);
    txn.on_behalf(number, Rule::RemoveApplication, |txn| {
        txn.change(1, id, ApplicationChange::Remove);
        txn.change(2, Marker::ApplicationSettings(id), MarkerChange::Remove);
    });
}
