//! Results that workers share.
//!
//! Each worker has a cache of its own, since a look-up in a table that no other thread writes to
//! takes some dozen instructions. On a miss it looks here, behind a lock for each function, before
//! it computes the result. So a result is computed once, or a few times if several workers miss it
//! at the same moment, and not once a thread. A single worker shares nothing.

use std::{
    iter,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use deathwatch_checker::memo::{Memo, ReadTrail};

/// Results of type `R` of some functions of states, by number.
pub(super) struct SharedResults<R> {
    functions: OnceLock<Vec<Mutex<ResultsByState<R>>>>,
    /// The greatest number of bytes of the results so far, and their limit.
    bytes: AtomicUsize,
    most_bytes: usize,
}

type ResultsByState<R> = Memo<Arc<SharedResult<R>>>;

/// A result, and the trail of its reads.
pub(super) struct SharedResult<R> {
    pub(super) trail: ReadTrail,
    pub(super) result: R,
}

impl<R> SharedResults<R> {
    /// An empty table with this limit; `None` for one thread, or if nothing may be remembered.
    pub(super) fn among(threads: usize, most_bytes: usize) -> Option<Arc<Self>> {
        let new = || Self { functions: OnceLock::new(), bytes: AtomicUsize::new(0), most_bytes };
        (threads > 1 && most_bytes > 0).then(|| Arc::new(new()))
    }

    /// Makes room for this number of functions. Each worker calls it, with the same number.
    pub(super) fn begin(&self, functions: usize) {
        let each = || iter::repeat_with(Mutex::default).take(functions).collect();
        self.functions.get_or_init(each);
    }

    /// The result of a function in a state, if a worker has computed it.
    pub(super) fn find(&self, function: usize, state: &[u64]) -> Option<Arc<SharedResult<R>>> {
        self.lock(function)?.get(state)
    }

    /// Adds the result of a function in a state, which counts as `bytes`, unless another worker was
    /// faster, or the limit is reached.
    pub(super) fn add(
        &self,
        function: usize,
        state: &[u64],
        trail: &ReadTrail,
        bytes: usize,
        result: impl FnOnce() -> R,
    ) {
        if self.bytes.load(Ordering::Relaxed) + bytes > self.most_bytes {
            return;
        }
        let Some(mut known) = self.lock(function) else { return };
        if known.get(state).is_none() {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            let shared = SharedResult { trail: trail.clone(), result: result() };
            known.insert(state, trail, Arc::new(shared));
        }
    }

    fn lock(&self, function: usize) -> Option<MutexGuard<'_, ResultsByState<R>>> {
        let function = self.functions.get()?.get(function)?;
        Some(function.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trail that reads these bits of a state's only word.
    fn trail_of(bits: u64) -> ReadTrail {
        let mut trail = ReadTrail::default();
        trail.clear(1);
        trail.add(0, bits);
        trail.end();
        trail
    }

    #[test]
    fn a_result_is_found_in_states_that_agree_in_what_was_read() {
        assert!(SharedResults::<char>::among(1, 1000).is_none(), "there is no other");
        let shared = SharedResults::among(2, 1000).expect("there are two");
        assert!(shared.find(0, &[5]).is_none(), "nobody has begun");
        shared.begin(2);
        shared.add(1, &[5], &trail_of(1), 10, || 'a');
        let found = |function, state: u64| shared.find(function, &[state]).map(|it| it.result);
        assert_eq!((found(1, 7), found(1, 6), found(0, 7)), (Some('a'), None, None));
        // The first result counts; others have computed the same.
        shared.add(1, &[3], &trail_of(1), 10, || unreachable!("it is known"));
        assert_eq!(found(1, 5), Some('a'));
    }

    #[test]
    fn results_take_no_more_than_they_may() {
        let shared = SharedResults::among(2, 100).expect("there are two");
        shared.begin(1);
        for state in 0..4 {
            shared.add(0, &[state], &trail_of(3), 40, || state);
        }
        let known = (0..4).filter(|state| shared.find(0, &[*state]).is_some());
        assert_eq!(known.collect::<Vec<_>>(), [0, 1]);
    }
}
