//! The measure: why every run of every instance ends, once no faults happen any more.
//!
//! It is lexicographic: how far the shared part is, without what is pending; then how far all local
//! states are, without what is pending; then how far what is pending is. Each is a rank in a graph
//! without cycles, and each move leads on in the first of these graphs in which it leads anywhere.

use std::{collections::BTreeMap, hash::Hash};

use super::{Amounts, Closure, LocalId, Mover, Set, SharedId, Template, Whose};

/// Why the measure may not fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// The shared part comes back to what it was.
    Shared,
    /// A process comes back to the local state in which it was, and the shared part stays.
    Local,
    /// What is pending comes back to what it was, and nothing else changes.
    Pending,
    /// Others are told something although the shared part stays, or a pending transaction changes
    /// two things at once.
    Mixed,
}

/// The ranks of the measure: each move that counts leads to a lower one, in the first of the graphs
/// in which it leads anywhere.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    shared: Ranks<SharedId>,
    local: BTreeMap<(SharedId, usize), Ranks<u32>>,
    pending: BTreeMap<(SharedId, usize, u32, Amounts), Ranks<LocalId>>,
    shared_pending: BTreeMap<(SharedId, Amounts), Ranks<SharedId>>,
}

/// For each node of a graph the number of edges of the longest path that begins there.
type Ranks<N> = BTreeMap<N, u32>;

/// A node of one of the graphs, which has a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ranked {
    /// A shared part without what is pending.
    Shared(SharedId),
    /// At such a shared part, the local state of a process of a type, without what is pending.
    Local(SharedId, usize, u32),
    /// At these two, and where others add this much to the counts but of what is pending, the local
    /// state.
    Pending(SharedId, usize, u32, Amounts, LocalId),
    /// At such a shared part, and with these counts but of what is pending, the shared part.
    SharedPending(SharedId, Amounts, SharedId),
}

impl Measure {
    /// Each node of each graph, with its rank.
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

/// The measure, if it shows that each run ends in which nobody moves but those who are `counted`.
///
/// # Errors
/// If it does not show that.
pub fn ends<T: Template>(
    template: &mut T,
    closure: &Closure,
    counted: impl Fn(Mover) -> bool,
) -> Result<Measure, Endless> {
    let mut shared: Set<(SharedId, SharedId)> = Set::default();
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
                return Err(Endless::Mixed);
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
                        return Err(Endless::Mixed);
                    } else {
                        pending.add((before, of, was, counts), (mine, it.local));
                    }
                }
            }
        }
    }
    Ok(Measure {
        shared: ranks(&shared).ok_or(Endless::Shared)?,
        local: local.ranks().ok_or(Endless::Local)?,
        pending: pending.ranks().ok_or(Endless::Pending)?,
        shared_pending: shared_pending.ranks().ok_or(Endless::Pending)?,
    })
}

struct Graphs<K, N>(BTreeMap<K, Set<(N, N)>>);

impl<K: Ord, N: Hash + Ord + Copy> Graphs<K, N> {
    fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn add(&mut self, key: K, edge: (N, N)) {
        self.0.entry(key).or_default().insert(edge);
    }

    /// The ranks in each graph, if none has a cycle.
    fn ranks(self) -> Option<BTreeMap<K, Ranks<N>>> {
        self.0.into_iter().map(|(key, edges)| Some((key, ranks(&edges)?))).collect()
    }
}

/// The ranks of a graph, unless it has a cycle, which an edge from a node to itself is, too: nodes
/// of which all edges lead to nodes with a rank get one, one after the other.
fn ranks<N: Hash + Ord + Copy>(edges: &Set<(N, N)>) -> Option<Ranks<N>> {
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
