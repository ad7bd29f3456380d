//! The measure: a lexicographic ranking by which every run of every instance ends, once no faults
//! happen any more.
//!
//! Its parts are, in order: the shared part without its pending transactions; the local states
//! without their pending transactions; the pending transactions. Each is ranked in an acyclic
//! graph, and each move goes to a lower rank in the first of these in which it changes the node.

use std::{collections::BTreeMap, hash::Hash};

use super::{Amounts, Closure, LocalId, MoverKind, OrderedSet, SharedId, Template, Whose};

/// A reason why the measure may not fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureFailure {
    /// The shared part can return to an earlier value.
    Shared,
    /// A process can return to an earlier local state while the shared part stays.
    Local,
    /// A pending transaction can return to an earlier value while nothing else changes.
    Pending,
    /// A move broadcasts although the shared part stays, or a process's move changes only what is
    /// pending, in the shared part, too.
    Mixed,
}

/// The ranks of the measure: each counted move goes to a lower rank in the first of the graphs in
/// which it changes the node.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    shared: Ranks<SharedId>,
    local: BTreeMap<(SharedId, usize), Ranks<u32>>,
    pending: BTreeMap<(SharedId, usize, u32, Amounts), Ranks<LocalId>>,
    shared_pending: BTreeMap<(SharedId, Amounts), Ranks<SharedId>>,
}

/// For each node of a graph the length of the longest path that begins there, in edges.
type Ranks<N> = BTreeMap<N, u32>;

/// A node of one of the graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ranked {
    /// A shared part without its pending transactions.
    Shared(SharedId),
    /// At such a shared part, the local state of a process, without pending transactions.
    Local(SharedId, usize, u32),
    /// At such a shared part, type and settled local state, and where others add these amounts to
    /// the counts that are not of pending ones: the local state.
    Pending(SharedId, usize, u32, Amounts, LocalId),
    /// At such a shared part, and with these counts that are not of pending ones: the shared part.
    SharedPending(SharedId, Amounts, SharedId),
}

impl Measure {
    /// The rank of each node of each graph.
    pub fn ranks(&self) -> impl Iterator<Item = (Ranked, u32)> + '_ {
        let shared = self.shared.iter().map(|(node, rank)| (Ranked::Shared(*node), *rank));
        let local = self.local.iter().flat_map(|((at, of), ranks)| {
            ranks.iter().map(|(node, rank)| (Ranked::Local(*at, *of, *node), *rank))
        });
        let pending = self.pending.iter().flat_map(|((at, of, mine, others), ranks)| {
            let node = |node| Ranked::Pending(*at, *of, *mine, *others, node);
            ranks.iter().map(move |(it, rank)| (node(*it), *rank))
        });
        let shared_pending = self.shared_pending.iter().flat_map(|((at, counts), ranks)| {
            ranks.iter().map(|(node, rank)| (Ranked::SharedPending(*at, *counts, *node), *rank))
        });
        shared.chain(local).chain(pending).chain(shared_pending)
    }
}

/// The measure, if by it every run ends in which only movers that are `counted` move.
///
/// # Errors
/// The first reason why the measure may not fall.
pub fn ends<T: Template>(
    template: &mut T,
    closure: &Closure,
    counted: impl Fn(MoverKind) -> bool,
) -> Result<Measure, MeasureFailure> {
    let mut shared: OrderedSet<(SharedId, SharedId)> = OrderedSet::default();
    let mut local = Graphs::<(SharedId, usize), u32>::new();
    let mut pending = Graphs::<(SharedId, usize, u32, Amounts), LocalId>::new();
    let mut shared_pending = Graphs::<(SharedId, Amounts), SharedId>::new();
    for ((whose, from, others), moves) in &closure.moves {
        for it in moves.iter().filter(|it| counted(it.mover)) {
            let [before, after] = [*from, it.shared].map(|it| template.settled_shared(it));
            if before != after {
                shared.insert((before, after));
                continue;
            }
            if it.broadcast.is_some() {
                return Err(MeasureFailure::Mixed);
            }
            let counts =
                std::array::from_fn(
                    |count| {
                        if template.is_of_pending(count) { 0 } else { others[count] }
                    },
                );
            match *whose {
                Whose::Shared => shared_pending.add((before, counts), (*from, it.shared)),
                Whose::Process(of, mine) => {
                    let [was, is] = [mine, it.local].map(|it| template.settled_local(of, it));
                    if was != is {
                        local.add((before, of), (was, is));
                    } else if *from != it.shared {
                        return Err(MeasureFailure::Mixed);
                    } else {
                        pending.add((before, of, was, counts), (mine, it.local));
                    }
                }
            }
        }
    }
    Ok(Measure {
        shared: ranks(&shared).ok_or(MeasureFailure::Shared)?,
        local: local.ranks().ok_or(MeasureFailure::Local)?,
        pending: pending.ranks().ok_or(MeasureFailure::Pending)?,
        shared_pending: shared_pending.ranks().ok_or(MeasureFailure::Pending)?,
    })
}

struct Graphs<K, N>(BTreeMap<K, OrderedSet<(N, N)>>);

impl<K: Ord, N: Hash + Ord + Copy> Graphs<K, N> {
    fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn add(&mut self, key: K, edge: (N, N)) {
        self.0.entry(key).or_default().insert(edge);
    }

    /// The ranks in each graph, or `None` if one has a cycle.
    fn ranks(self) -> Option<BTreeMap<K, Ranks<N>>> {
        self.0.into_iter().map(|(key, edges)| Some((key, ranks(&edges)?))).collect()
    }
}

/// The ranks of a graph, or `None` if it has a cycle (a loop is one): from the ends backwards, a
/// node is ranked once all its successors are.
fn ranks<N: Hash + Ord + Copy>(edges: &OrderedSet<(N, N)>) -> Option<Ranks<N>> {
    let mut before: BTreeMap<N, Vec<N>> = BTreeMap::new();
    let mut outgoing: BTreeMap<N, usize> = BTreeMap::new();
    for (from, to) in edges {
        before.entry(*to).or_default().push(*from);
        *outgoing.entry(*from).or_default() += 1;
    }
    let ends = before.keys().filter(|it| !outgoing.contains_key(it));
    let mut ranks: Ranks<N> = ends.map(|it| (*it, 0)).collect();
    let mut ranked: Vec<N> = ranks.keys().copied().collect();
    while let Some(node) = ranked.pop() {
        let above = ranks[&node] + 1;
        for from in before.get(&node).into_iter().flatten() {
            let rank = ranks.entry(*from).or_default();
            *rank = above.max(*rank);
            let left = outgoing.get_mut(from).expect("it has an edge");
            *left -= 1;
            if *left == 0 {
                ranked.push(*from);
            }
        }
    }
    outgoing.values().all(|left| *left == 0).then_some(ranks)
}
