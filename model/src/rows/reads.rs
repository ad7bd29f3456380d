//! Reads: the rows that a part of the protocol looks at, recorded while it runs.
//!
//! An actor's actions and the changes of its steps are functions of the rows that it reads. So an
//! explorer that knows these rows can look earlier results up. The tables of the store, the runtime
//! and the history note each read; unless a thread records, that costs a test of one flag.

use std::cell::{Cell, RefCell};

use super::{Row, RowKind};
use crate::ids::{ApplicationId, RelationId, Rename, Renaming};

/// A read value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Row(Row),
    /// The rows of a kind that a relation has for its units.
    Relation(RowKind, RelationId),
    All(RowKind),
    /// The deployers of the agents of all units.
    Deployers,
    Pending,
    /// Whether a count of the row read last reached some threshold; for a read of the number
    /// itself, whether it is greater than all thresholds.
    Count(bool),
    /// Whether some unit of an application is Alive, and whether that is so.
    AnyAlive(ApplicationId, bool),
    /// Nothing, but all agents' knowledge of the relation is changed, whatever it is.
    Broadcast(RelationId),
}

impl Rename for Read {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Row(row) => Self::Row(row.renamed(by)),
            Self::Relation(..)
            | Self::All(_)
            | Self::Deployers
            | Self::Pending
            | Self::Count(_)
            | Self::AnyAlive(..)
            | Self::Broadcast(_) => *self,
        }
    }
}

thread_local! {
    static IS_RECORDING: Cell<bool> = const { Cell::new(false) };
    static COMPARED: Cell<u32> = const { Cell::new(u32::MAX) };
    static READS: RefCell<Vec<Read>> = const { RefCell::new(Vec::new()) };
}

/// Notes a read, if this thread records.
#[inline]
pub(crate) fn note(read: Read) {
    if IS_RECORDING.get() {
        push(read);
    }
}

/// Notes several reads, if this thread records.
#[inline]
pub(crate) fn note_each(reads: impl Iterator<Item = Read>) {
    if IS_RECORDING.get() {
        reads.for_each(push);
    }
}

#[cold]
#[inline(never)]
fn push(read: Read) {
    READS.with_borrow_mut(|reads| {
        if reads.last() != Some(&read) {
            reads.push(read);
        }
    });
}

/// Whether this thread recorded before: restored on drop, even by a panic.
struct WasRecording(bool);

impl Drop for WasRecording {
    fn drop(&mut self) {
        IS_RECORDING.set(self.0);
    }
}

/// Calls `run`, and adds its reads of any state to `reads`; some may occur more than once.
///
/// # Panics
/// If `run` does, or records itself.
pub fn recorded<T>(reads: &mut Vec<Read>, run: impl FnOnce() -> T) -> T {
    READS.with_borrow_mut(|all| std::mem::swap(all, reads));
    let before = WasRecording(IS_RECORDING.replace(true));
    assert!(!before.0, "what is read belongs to one recording");
    let result = run();
    drop(before);
    READS.with_borrow_mut(|all| std::mem::swap(all, reads));
    result
}

/// The greatest threshold of counts before, which is restored on drop.
struct WasCompared(u32);

impl Drop for WasCompared {
    fn drop(&mut self) {
        COMPARED.set(self.0);
    }
}

/// Calls `run`, which does not distinguish counts that are greater than `most`.
pub fn comparing<T>(most: u32, run: impl FnOnce() -> T) -> T {
    let _before = WasCompared(COMPARED.replace(most));
    run()
}

/// Whether a count is greater than all thresholds.
pub(super) fn is_beyond(count: u32) -> bool {
    count > COMPARED.get()
}

/// Calls `run`, a check whose reads are not recorded.
pub fn unrecorded<T>(run: impl FnOnce() -> T) -> T {
    let _before = WasRecording(IS_RECORDING.replace(false));
    run()
}
