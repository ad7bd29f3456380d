//! Pools of threads, as large as the system allows.
//!
//! How many threads work changes no result, so a thread that cannot be started is no error: the
//! work is done by fewer, in the end by the caller alone.

use std::{io, thread};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

/// A pool of up to `threads` threads; `None` if the caller is to work alone.
pub(crate) fn pool(threads: usize) -> Option<ThreadPool> {
    pool_by(threads, start)
}

fn start(thread: ThreadBuilder) -> io::Result<()> {
    thread::Builder::new().spawn(|| thread.run()).map(drop)
}

/// A pool whose threads are started by `start`. If it fails, half as many are tried.
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
    fn where_threads_cannot_be_started_fewer_work() {
        assert_eq!(size(8, 8), Some(8));
        assert_eq!(size(8, 7), Some(4));
        assert_eq!(size(7, 3), Some(3));
        assert_eq!(size(7, 2), None);
        assert_eq!((size(8, 0), size(1, 8), size(0, 8)), (None, None, None));
    }
}
