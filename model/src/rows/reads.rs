//! Reads: the rows that a part of the protocol looks at, recorded while it runs.
//!
//! What an actor can do and what its steps change is a function of the rows that it reads. So an
//! explorer that knows them can look up what it has computed before. The tables of the
//! store, the runtime and the history note each read; unless a thread records, that costs a test of
//! one flag.

use std::cell::{Cell, RefCell};

use super::{Row, RowKind};
use crate::ids::{ApplicationId, RelationId, Rename, Renaming};

/// Something that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Row(Row),
    /// The rows of a kind that a relation has for its units.
    Relation(RowKind, RelationId),
    All(RowKind),
    /// The deployers of the agents of all units.
    Deployers,
    Pending,
    /// Whether a count of the row that was read last is at least some number; `false`, too, if more
    /// is asked of it, and it is not greater than all that it is compared with.
    Count(bool),
    /// Whether some unit of an application is Alive, and whether that is so.
    AnyAlive(ApplicationId, bool),
    /// Nothing, but what agents know of a relation is changed whatever it is.
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

/// Notes each of some reads, if this thread records.
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

/// Whether this thread recorded before; it does so again, or not, once this is dropped, even by a
/// panic.
struct WasRecording(bool);

impl Drop for WasRecording {
    fn drop(&mut self) {
        IS_RECORDING.set(self.0);
    }
}

/// Calls `run`, and adds what it reads of any state to `reads`; some of it more than once.
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

/// The greatest number that counts were compared with before, which is put back on drop.
struct WasCompared(u32);

impl Drop for WasCompared {
    fn drop(&mut self) {
        COMPARED.set(self.0);
    }
}

/// Calls `run`, to which all counts are the same that are greater than `most`.
pub fn comparing<T>(most: u32, run: impl FnOnce() -> T) -> T {
    let _before = WasCompared(COMPARED.replace(most));
    run()
}

/// Whether a count is greater than all that it is compared with.
pub(super) fn is_beyond(count: u32) -> bool {
    count > COMPARED.get()
}

/// Calls `run`, a check, and records nothing of what it reads.
pub fn unrecorded<T>(run: impl FnOnce() -> T) -> T {
    let _before = WasRecording(IS_RECORDING.replace(false));
    run()
}
