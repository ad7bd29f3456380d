//! Jobs that do not depend on each other, on several threads. Their results come in the order of
//! the jobs, on whatever thread each ran.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Does `work` for each number below `jobs`, on up to `threads` threads. `progress` gets the number
/// of jobs that were begun before.
///
/// # Panics
/// If `work` does.
pub fn all<T: Send>(
    threads: usize,
    jobs: usize,
    progress: &(dyn Fn(usize) + Sync),
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                return;
            }
            progress(job);
            let result = work(job);
            done.lock().expect("no worker panics with it").push((job, result));
        }
    };
    thread::scope(|scope| {
        // This thread works as well, so fewer than `threads` will do if no more can be started.
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        worker();
        for other in others {
            other.join().expect("a job does not panic");
        }
    });
    let mut done = done.into_inner().expect("all workers are done");
    done.sort_by_key(|(job, _)| *job);
    done.into_iter().map(|(_, result)| result).collect()
}
