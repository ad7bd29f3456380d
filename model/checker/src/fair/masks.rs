//! What the claims say of each state: where `from` holds, and where `to`.

use rayon::prelude::*;

use crate::{Stop, explore::StateGraph, threads};

/// How many states a thread judges before it asks whether to stop.
const CHUNK: usize = 1 << 10;

/// For each state, the claims whose `from` holds there, and those whose `to` does: claim `i` is bit
/// `i`.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    /// Where obligations begin.
    pub from: Vec<u64>,
    /// Where they are met.
    pub to: Vec<u64>,
}

impl Masks {
    /// Asks `judge` of every packed state of `graph` for its two masks. Up to `threads` threads do
    /// so, each with scratch memory made by `worker`.
    ///
    /// # Errors
    /// If `stop`, which every thread asks now and then, gives a reason to.
    ///
    /// # Panics
    /// If `worker` or `judge` does.
    pub fn of<W>(
        graph: &StateGraph,
        threads: usize,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
        worker: impl Fn() -> W + Sync + Send,
        judge: impl Fn(&mut W, &[u64]) -> (u64, u64) + Sync + Send,
    ) -> Result<Self, Stop> {
        let states = graph.states() as usize;
        let mut masks = Self { from: vec![0; states], to: vec![0; states] };
        let fill = |worker: &mut W, (chunk, (from, to)): (usize, (&mut [u64], &mut [u64]))| {
            (stop)().map_or(Ok(()), Err)?;
            for ((id, from), to) in (chunk * CHUNK..).zip(from).zip(to) {
                let id = u32::try_from(id).expect("states have numbers");
                (*from, *to) = judge(worker, graph.state(id));
            }
            Ok(())
        };
        let Self { from, to } = &mut masks;
        // A thread beyond the chunks would have nothing to do.
        if let Some(pool) = threads::pool(threads.min(states.div_ceil(CHUNK))) {
            let chunks = from.par_chunks_mut(CHUNK).zip(to.par_chunks_mut(CHUNK)).enumerate();
            pool.install(|| chunks.map_init(worker, fill).collect::<Result<(), Stop>>())?;
        } else {
            let mut worker = worker();
            let mut chunks = from.chunks_mut(CHUNK).zip(to.chunks_mut(CHUNK)).enumerate();
            chunks.try_for_each(|chunk| fill(&mut worker, chunk))?;
        }
        Ok(masks)
    }
}
