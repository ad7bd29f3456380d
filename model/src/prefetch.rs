//! Prefetching: the processor is asked for what will be read soon. Nothing depends on it but time.

use prefetch_index::prefetch_index;

/// Asks for an item, and does not wait for it.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    prefetch_index(items, index);
    // An item that is larger than the alignment of memory may end in another cache line than it
    // begins in. The item behind it begins there, or in the line after.
    if size_of::<T>() > 16 {
        prefetch_index(items, index + 1);
    }
}
