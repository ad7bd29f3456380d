//! What the claims are about, state by state: where `from` and where `to` holds.

use rayon::prelude::*;

use crate::explore::StateGraph;

/// So many states are judged by one thread at a time.
const CHUNK: usize = 1 << 12;

/// For each state, the claims that have their `from` there, and those that have their `to`.
#[derive(Clone, Debug)]
pub struct Masks {
    /// Where obligations begin.
    pub from: Vec<u64>,
    /// Where they are met.
    pub to: Vec<u64>,
}

impl Masks {
    /// Asks `judge` of every packed state of `graph`, with up to `threads` threads.
    pub fn of<W>(
        graph: &StateGraph,
        threads: usize,
        worker: &(dyn Fn() -> W + Sync),
        judge: &(dyn Fn(&mut W, &[u64]) -> (u64, u64) + Sync),
    ) -> Self {
        let states = graph.states() as usize;
        let (mut from, mut to) = (vec![0; states], vec![0; states]);
        let fill = |(chunk, (from, to)): (usize, (&mut [u64], &mut [u64]))| {
            let mut worker = worker();
            for (offset, (from, to)) in from.iter_mut().zip(to).enumerate() {
                let id = u32::try_from(chunk * CHUNK + offset).expect("states have numbers");
                (*from, *to) = judge(&mut worker, graph.state(id));
            }
        };
        let chunks = from.par_chunks_mut(CHUNK).zip(to.par_chunks_mut(CHUNK)).enumerate();
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(|| chunks.for_each(fill)),
            Err(_) => chunks.for_each(fill), // as many threads as there are then
        }
        Self { from, to }
    }
}
