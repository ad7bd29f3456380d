//! The threads that expand states, each with its own worker.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, prelude::*};

use super::{CHUNKS, Space, chunk::Chunk};
use crate::threads;

/// The workers of one search.
pub(super) struct WorkerPool<'s, S: Space> {
    pub(super) space: &'s S,
    /// Never contended: a thread only locks its own.
    workers: Vec<Mutex<S::Worker>>,
    threads: Option<ThreadPool>,
}

impl<'s, S: Space> WorkerPool<'s, S> {
    pub(super) fn new(space: &'s S, threads: usize) -> Self {
        // A thread beyond the chunks of a batch would have nothing to do.
        let threads = threads::pool(threads.min(CHUNKS as usize));
        let workers = threads.as_ref().map_or(1, ThreadPool::current_num_threads);
        let workers = (0..workers).map(|_| Mutex::new(space.worker())).collect();
        Self { space, workers, threads }
    }

    /// Does `job` for every chunk, in no particular order. A panic of a job goes on here.
    pub(super) fn run(
        &mut self,
        chunks: &mut [Chunk],
        job: impl Fn(&S, &mut S::Worker, &mut Chunk) + Sync,
    ) {
        let (space, workers) = (self.space, &self.workers);
        let run = |me: usize, chunk: &mut Chunk| {
            let mut worker = workers[me].lock().expect("a panic of a worker ends the search");
            job(space, &mut worker, chunk);
        };
        match &self.threads {
            Some(pool) if chunks.len() > 1 => pool.install(|| {
                chunks.par_iter_mut().with_max_len(1).for_each(|chunk| {
                    let me = rayon::current_thread_index().expect("this is a thread of the pool");
                    run(me, chunk);
                });
            }),
            _ => chunks.iter_mut().for_each(|chunk| run(0, chunk)),
        }
    }

    /// Each worker, while none of them works.
    pub(super) fn workers_mut(&mut self) -> impl Iterator<Item = &mut S::Worker> {
        self.workers.iter_mut().map(|it| it.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// The findings of all workers together.
    pub(super) fn findings(self) -> S::Worker {
        let space = self.space;
        let workers = self.workers.into_iter();
        workers
            .map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner))
            .reduce(|mut all, worker| {
                space.merge(&mut all, worker);
                all
            })
            .expect("there is at least one worker")
    }
}
