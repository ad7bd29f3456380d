//! Prefetching: the processor is asked for what will be read soon. Nothing depends on it but time.

use std::slice;

use prefetch_index::prefetch_index;

/// Asks for `item`, and does not wait for it.
#[inline]
pub fn prefetch<T>(item: &T) {
    let items = slice::from_ref(item);
    prefetch_index(items, 0);
    // An item that is larger than the alignment of memory may end in another cache line than it
    // begins in. One behind it would begin there, or in the line after.
    if size_of::<T>() > 16 {
        prefetch_index(items, 1);
    }
}
