//! Obligations that may be open, by pairs of a shared part and a process's local state.
//!
//! Views have no history. So obligations are propagated afterwards in the graph of the pairs, each
//! edge of which is a move of the process, or a move of another actor that changes the pair. Every
//! run of an instance is a path there, so no open obligation is missed; some that are found may be
//! open in no run.

use super::{Closure, LocalId, OrderedMap, OrderedSet, SharedId, Template, Whose};

/// A shared part, and the local state of a process; 0 in a graph of shared parts alone.
pub type Pair = (SharedId, LocalId);

/// The graph of the pairs of one type of processes.
pub struct OpenPairs {
    pairs: Vec<Pair>,
    next: OrderedMap<Pair, Vec<Pair>>,
}

impl OpenPairs {
    /// The pairs of processes of type `of`, or the shared parts alone.
    ///
    /// # Errors
    /// If a broadcast violates the conditions of a template.
    pub fn of<T: Template>(
        template: &mut T,
        closure: &Closure,
        of: Option<usize>,
    ) -> Result<Self, T::Error> {
        let pair = |shared, locals: &[LocalId]| (shared, of.map_or(0, |of| locals[of]));
        let mut known = OrderedSet::default();
        let all = closure.views.iter().map(|view| pair(view.shared, &view.locals));
        let pairs: Vec<Pair> = all.filter(|pair| known.insert(*pair)).collect();
        let mut by_others: OrderedMap<SharedId, OrderedSet<(SharedId, Option<u32>)>> =
            OrderedMap::default();
        let mut next: OrderedMap<Pair, Vec<Pair>> = OrderedMap::default();
        for ((whose, shared, _), moves) in &closure.moves {
            for it in moves.iter() {
                if it.shared != *shared || it.broadcast.is_some() {
                    by_others.entry(*shared).or_default().insert((it.shared, it.broadcast));
                }
                if let Whose::Process(mover, local) = *whose
                    && of == Some(mover)
                {
                    next.entry((*shared, local)).or_default().push((it.shared, it.local));
                }
            }
        }
        for (shared, local) in &pairs {
            for (after, broadcast) in by_others.get(shared).into_iter().flatten() {
                let told = match (of, broadcast) {
                    (Some(of), Some(broadcast)) => template.told(*broadcast, of, *local)?,
                    _ => *local,
                };
                next.entry((*shared, *local)).or_default().push((*after, told));
            }
        }
        for all in next.values_mut() {
            all.sort_unstable();
            all.dedup();
            all.retain(|pair| known.contains(pair));
        }
        Ok(Self { pairs, next })
    }

    pub fn all(&self) -> &[(SharedId, LocalId)] {
        &self.pairs
    }

    /// The edges, each from a pair to a successor.
    pub fn steps(&self) -> impl Iterator<Item = (Pair, Pair)> + '_ {
        let from = self.pairs.iter().map(|pair| (*pair, self.next.get(pair)));
        from.flat_map(|(pair, next)| next.into_iter().flatten().map(move |to| (pair, *to)))
    }

    /// The pairs in which an obligation may be open. For each pair `says` returns whether the
    /// condition holds that opens it, and whether the one holds that closes it.
    pub fn open(
        &self,
        mut says: impl FnMut(SharedId, LocalId) -> [bool; 2],
    ) -> OrderedSet<(SharedId, LocalId)> {
        let said: OrderedMap<Pair, [bool; 2]> =
            self.pairs.iter().map(|pair| (*pair, says(pair.0, pair.1))).collect();
        let begins = self.pairs.iter().filter(|pair| said[*pair] == [true, false]);
        let mut rest: Vec<Pair> = begins.copied().collect();
        let mut open: OrderedSet<Pair> = rest.iter().copied().collect();
        while let Some(pair) = rest.pop() {
            for next in self.next.get(&pair).into_iter().flatten() {
                if !said[next][1] && open.insert(*next) {
                    rest.push(*next);
                }
            }
        }
        open
    }
}
