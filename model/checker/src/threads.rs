//! Pools of threads, as large as the system allows.
//!
//! How many threads work changes no result, so a thread that cannot be started is no error: the
//! work is done by fewer, in the end by the caller alone.
//!
//! What is done side by side takes as long as its last thread. For how long all threads were at
//! work is counted for the whole process, as a system counts processor time, if it has given this
//! crate a clock. The crate has none: no result may depend on one.

use std::{
    io,
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder, prelude::*};

use crate::Stop;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Nanoseconds for which all threads of a pool were at work.
static ALL_BUSY: AtomicU64 = AtomicU64::new(0);

/// From now on it is measured for how long all threads are at work, by `clock`, which gives the
/// time since some moment that is always the same. A second clock is ignored.
pub fn measure_threads(clock: fn() -> Duration) {
    CLOCK.get_or_init(|| clock);
}

/// For how long all threads that work side by side were at work, since [`measure_threads`]. In the
/// rest of a search's time at least one of them had to wait.
pub fn all_busy() -> Duration {
    Duration::from_nanos(ALL_BUSY.load(Ordering::Relaxed))
}

/// From the first job of a thread to the end of its last one.
type Shift = (Duration, Duration);

/// Threads that work side by side, each with a worker: scratch memory and findings that it keeps
/// from one job to the next.
pub(crate) struct Workers<W> {
    /// Never contended: a thread only locks its own.
    each: Vec<Mutex<W>>,
    /// When each thread began and ended, of what is done side by side at the moment.
    shifts: Vec<Mutex<Option<Shift>>>,
    pool: Pool,
}

/// The threads; none if the caller works alone.
#[derive(Clone)]
pub(crate) struct Pool(Option<Arc<ThreadPool>>);

impl Pool {
    /// Does all of `job` on one of the threads, which begins at once with what it does side by
    /// side. A caller who is none of them has to wake them up for that, and they the caller, each
    /// time.
    pub(crate) fn install<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

impl<W: Send> Workers<W> {
    /// Up to this number of threads.
    pub(crate) fn new(threads: usize, worker: impl Fn() -> W) -> Self {
        let pool = pool_by(threads, start);
        let workers = pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        let shifts = (0..workers).map(|_| Mutex::new(None)).collect();
        let each = (0..workers).map(|_| Mutex::new(worker())).collect();
        Self { each, shifts, pool: Pool(pool.map(Arc::new)) }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.pool.0.is_none()
    }

    pub(crate) fn pool(&self) -> Pool {
        self.pool.clone()
    }

    /// Does `job` for every item, in no particular order. A panic of a job goes on here.
    pub(crate) fn run<T: Send>(&self, items: &mut [T], job: impl Fn(&mut W, &mut T) + Sync) {
        self.run_if(true, items, job);
    }

    /// As [`Self::run`], side by side only if that is worth while.
    pub(crate) fn run_if<T: Send>(
        &self,
        is_worth: bool,
        items: &mut [T],
        job: impl Fn(&mut W, &mut T) + Sync,
    ) {
        let run = |me: usize, item: &mut T| {
            let mut worker =
                self.each[me].lock().expect("a panic of a worker ends all that it works for");
            job(&mut worker, item);
        };
        let clock = CLOCK.get();
        match &self.pool.0 {
            Some(pool) if is_worth && items.len() > 1 => {
                pool.install(|| {
                    items.par_iter_mut().with_max_len(1).for_each(|item| {
                        let me = rayon::current_thread_index();
                        let me = me.expect("this is a thread of the pool");
                        let begun = clock.map(|now| now());
                        run(me, item);
                        if let (Some(begun), Some(now)) = (begun, clock) {
                            let mut shift = lock(&self.shifts[me]);
                            *shift = Some((shift.map_or(begun, |(first, _)| first), now()));
                        }
                    });
                });
                self.end_shifts();
            }
            _ => items.iter_mut().for_each(|item| run(0, item)),
        }
    }

    /// Counts for how long all threads were at work: from when the last one began to when the first
    /// one had nothing left to do.
    fn end_shifts(&self) {
        let shifts: Option<Vec<Shift>> = self.shifts.iter().map(|it| lock(it).take()).collect();
        let Some(shifts) = shifts else { return };
        let begun = shifts.iter().map(|(begun, _)| *begun).max();
        let ended = shifts.iter().map(|(_, ended)| *ended).min();
        let (begun, ended) = begun.zip(ended).expect("a pool has threads");
        let both = ended.saturating_sub(begun).as_nanos();
        let both = u64::try_from(both).unwrap_or(u64::MAX);
        ALL_BUSY.fetch_add(both, Ordering::Relaxed);
    }

    /// Each worker, while none of them works.
    pub(crate) fn each_mut(&mut self) -> impl Iterator<Item = &mut W> {
        self.each.iter_mut().map(|it| it.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// The workers, of which there is at least one.
    pub(crate) fn into_each(self) -> impl Iterator<Item = W> {
        self.each.into_iter().map(|it| it.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The states that a thread takes at once, after which it is asked whether to stop.
const CHUNK: u32 = 1 << 12;
/// The chunks that are computed before their results are taken.
const CHUNKS: u32 = 1 << 6;

/// Computes something of each of the states `0..states` with up to `threads` threads, each with
/// scratch memory made by `scratch`: `compute` is asked of a range of states, and `take` is given
/// the results in the order of the states, so they do not depend on the number of threads.
///
/// # Errors
/// If `stop`, which is asked before each range, gives a reason to, or `take` fails.
///
/// # Panics
/// If `scratch`, `compute` or `take` does.
pub fn in_order<W: Send, T: Send>(
    states: u32,
    threads: usize,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
    scratch: impl Fn() -> W,
    compute: impl Fn(&mut W, Range<u32>) -> T + Sync,
    mut take: impl FnMut(Range<u32>, T) -> Result<(), Stop>,
) -> Result<(), Stop> {
    // A thread beyond the chunks would have nothing to do.
    let workers = Workers::new(threads.min(states.div_ceil(CHUNK) as usize), scratch);
    for first in (0..states).step_by((CHUNK * CHUNKS) as usize) {
        let end = states.min(first.saturating_add(CHUNK * CHUNKS));
        let firsts = (first..end).step_by(CHUNK as usize);
        let ranges = firsts.map(|first| first..end.min(first.saturating_add(CHUNK)));
        let mut chunks: Vec<_> = ranges.map(|range| (range, None)).collect();
        workers.run(&mut chunks, |worker, (range, result)| {
            *result = Some(stop().map_or_else(|| Ok(compute(worker, range.clone())), Err));
        });
        for (range, result) in chunks {
            take(range, result.expect("each chunk was computed")?)?;
        }
    }
    Ok(())
}

fn start(thread: ThreadBuilder) -> io::Result<()> {
    thread::Builder::new().spawn(|| thread.run()).map(drop)
}

/// A pool of up to `threads` threads, which are started by `start`. If it fails, half as many are
/// tried; `None` if the caller is to work alone.
fn pool_by(
    threads: usize,
    mut start: impl FnMut(ThreadBuilder) -> io::Result<()>,
) -> Option<ThreadPool> {
    let mut threads = threads;
    while threads > 1 {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        match builder.spawn_handler(&mut start).build() {
            Ok(pool) => return Some(pool),
            Err(_) => threads /= 2,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// The size of the pool where the system allows `allowed` threads at a time.
    fn size(threads: usize, allowed: usize) -> Option<usize> {
        let mut left = allowed;
        let pool = pool_by(threads, |thread| {
            // A pool that failed has given its threads back before the next begins with index 0.
            left = if thread.index() == 0 { allowed } else { left };
            left = left.checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
            start(thread)
        });
        pool.map(|pool| pool.current_num_threads())
    }

    #[test]
    fn only_the_time_in_which_all_are_at_work_counts() {
        // A clock that goes on by a second with each reading.
        static READINGS: AtomicU64 = AtomicU64::new(0);
        measure_threads(|| Duration::from_secs(READINGS.fetch_add(1, Ordering::Relaxed)));
        let (workers, before) = (Workers::new(2, || ()), all_busy());
        let both = Barrier::new(2);
        workers.run(&mut [(), ()], |(), ()| {
            both.wait();
        });
        // Two readings before the barrier and two behind it. Other tests may have threads at work,
        // too, so there is no upper bound.
        assert!(all_busy().saturating_sub(before) >= Duration::from_secs(1));
        let alone = Workers::new(1, || ());
        alone.run(&mut [(), ()], |(), ()| ());
        assert!(lock(&alone.shifts[0]).is_none(), "nobody works beside another");
    }

    #[test]
    fn where_threads_cannot_be_started_fewer_work() {
        assert_eq!(size(8, 8), Some(8));
        assert_eq!(size(8, 7), Some(4));
        assert_eq!(size(7, 3), Some(3));
        assert_eq!(size(7, 2), None);
        assert_eq!((size(8, 0), size(1, 8), size(0, 8)), (None, None, None));
    }
}
