//! The measure: why every run of every instance ends, once no faults happen any more.
//!
//! It is lexicographic: how far the shared part is, without what is pending; then how far all local
//! states are, without what is pending; then how far what is pending is. Each is a rank in a graph
//! without cycles, and each move leads on in the first of these graphs in which it leads anywhere.

use std::{collections::BTreeMap, hash::Hash};

use super::{Amounts, Closure, LocalId, Map, Mover, Set, SharedId, Template, Whose};

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

/// Whether each run ends in which nobody moves but those who are `counted`.
///
/// # Errors
/// If the measure does not show it.
pub fn ends<T: Template>(
    template: &mut T,
    closure: &Closure,
    counted: impl Fn(Mover) -> bool,
) -> Result<(), Endless> {
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
    let found = [
        (is_cyclic(&shared), Endless::Shared),
        (local.some_are_cyclic(), Endless::Local),
        (pending.some_are_cyclic() || shared_pending.some_are_cyclic(), Endless::Pending),
    ];
    let first = found.into_iter().find(|(is_cyclic, _)| *is_cyclic);
    first.map_or(Ok(()), |(_, why)| Err(why))
}

/// Graphs, one for each key.
struct Graphs<K, N>(Map<K, Set<(N, N)>>);

impl<K: Hash + Eq, N: Hash + Ord + Copy> Graphs<K, N> {
    fn new() -> Self {
        Self(Map::default())
    }

    fn add(&mut self, key: K, edge: (N, N)) {
        self.0.entry(key).or_default().insert(edge);
    }

    fn some_are_cyclic(&self) -> bool {
        self.0.values().any(is_cyclic)
    }
}

/// Whether a graph has a cycle, which an edge from a node to itself is, too: what is left when
/// nodes without edges that lead to them are taken away, one after the other.
fn is_cyclic<N: Hash + Ord + Copy>(edges: &Set<(N, N)>) -> bool {
    let mut next: BTreeMap<N, Vec<N>> = BTreeMap::new();
    let mut incoming: BTreeMap<N, usize> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(*from).or_default().push(*to);
        *incoming.entry(*to).or_default() += 1;
    }
    let mut free: Vec<N> = next.keys().filter(|it| !incoming.contains_key(it)).copied().collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        for to in next.get(&node).into_iter().flatten() {
            taken += 1;
            let left = incoming.get_mut(to).expect("an edge leads to it");
            *left -= 1;
            if *left == 0 {
                free.push(*to);
            }
        }
    }
    taken < edges.len()
}
