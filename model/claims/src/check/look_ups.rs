//! Caches of functions of states, for one state after the other.
//!
//! The actions of an actor in a state, and the verdict of a claim on a subject, depend on the rows
//! that are read for them, and these take few values in all states together. So a result is
//! computed once for each value of its reads ([`Memos`]). A function whose results are hardly ever
//! found again is computed each time.

use std::{collections::BTreeMap, sync::Arc};

use deathwatch_checker::memo::{Memos, ReadTrail};
use deathwatch_model::{
    ids::{EntityId, RelationId},
    pack::Codec,
    rows::{Read, Row},
};

use super::shared_results::{SharedResult, SharedResults};

/// The greatest number of bytes of a result: a constant, some for each word of a state, and some
/// for each read: a slot, and a node where no other result continues with the same read.
const BYTES: usize = 256;
const BYTES_BY_WORD: usize = 16;
const BYTES_BY_READ: usize = 80;
/// The number of results of a function from which on it must have been asked twice as often.
const PROBED: usize = 1 << 12;

/// A group of subjects whose claims mostly read the same rows: entity and relation, or the row.
pub(super) type SubjectGroup = Result<(EntityId, Option<RelationId>), Row>;

pub(super) fn about(subject: Row) -> SubjectGroup {
    subject.actor().map(|entity| (entity, subject.relation())).ok_or(subject)
}

/// Groups values by the keys of their subjects.
pub(super) fn grouped<T>(said: impl Iterator<Item = (Row, T)>) -> Vec<Vec<T>> {
    let mut groups: BTreeMap<SubjectGroup, Vec<T>> = BTreeMap::new();
    for (subject, it) in said {
        groups.entry(about(subject)).or_default().push(it);
    }
    groups.into_values().collect()
}

/// Functions with cached results of type `T`, by number, at a present state. Workers share results
/// of type `R`.
pub(super) struct LookUps<T, R> {
    memos: Memos<T>,
    /// Results of other workers, if there are any.
    shared: Option<Arc<SharedResults<R>>>,
    is_remembered: Vec<bool>,
    /// The number of states for which the functions were asked.
    asked: usize,
    /// The present state.
    state: Vec<u64>,
    /// The bytes of the functions without results, with them at most, and the limit.
    empty_bytes: usize,
    bytes: usize,
    most_bytes: usize,
    trail: ReadTrail,
    /// The rows read to compute a result, in order; kept for their memory.
    pub(super) reads: Vec<Read>,
}

impl<T: Copy + Default, R> LookUps<T, R> {
    /// Caches for `functions` functions of states of `words` words, within `most_bytes`. If the
    /// results of a single state could take more, nothing is remembered: all would be cleared
    /// before the next state.
    pub(super) fn new(
        functions: usize,
        words: usize,
        most_bytes: usize,
        shared: Option<&Arc<SharedResults<R>>>,
    ) -> Self {
        let empty_bytes = Memos::<T>::bytes(functions, words);
        let of_a_state = functions * (BYTES + BYTES_BY_WORD * words);
        let remembers = empty_bytes + of_a_state <= most_bytes;
        let shared = shared.filter(|_| remembers).cloned();
        if let Some(shared) = &shared {
            shared.begin(functions);
        }
        Self {
            shared,
            memos: Memos::new(functions, if remembers { words } else { 0 }),
            is_remembered: vec![remembers; functions],
            asked: 0,
            state: vec![0; words],
            empty_bytes,
            bytes: if remembers { empty_bytes } else { 0 },
            most_bytes,
            trail: ReadTrail::default(),
            reads: Vec::new(),
        }
    }

    /// Goes to a state, at which each function is asked. If results take more than the limit, they
    /// are cleared before.
    #[inline]
    pub(super) fn go_to(&mut self, state: &[u64]) {
        if self.is_full() {
            self.clear();
        }
        self.asked += 1;
        self.state.copy_from_slice(state);
        self.memos.go_to(state);
    }

    /// The result of a function in the present state, if it is known.
    #[inline]
    pub(super) fn find(&self, function: usize) -> Option<T> {
        self.memos.get(function)
    }

    /// The results of all functions in the present state, if all are known.
    #[inline]
    pub(super) fn all(&self) -> Option<&[T]> {
        self.memos.all()
    }

    /// Whether any results are remembered.
    pub(super) fn remembers(&self) -> bool {
        self.bytes > 0
    }

    /// Whether the results of a function are remembered.
    pub(super) fn is_remembered(&self, function: usize) -> bool {
        self.is_remembered[function]
    }

    /// The result of a function in the present state, if another worker has computed it.
    pub(super) fn find_shared(&self, function: usize) -> Option<Arc<SharedResult<R>>> {
        let shared = self.shared.as_ref().filter(|_| self.is_remembered[function])?;
        shared.find(function, &self.state)
    }

    /// Remembers the result of a function in the present state, for which the rows in `reads` were
    /// read, and shares it with the other workers, where it takes `shared_bytes` beside its reads.
    pub(super) fn insert(
        &mut self,
        function: usize,
        codec: &Codec,
        result: T,
        shared_bytes: usize,
        share: impl FnOnce() -> R,
    ) {
        let mut trail = std::mem::take(&mut self.trail);
        self.trail_of(codec, &mut trail);
        self.remember(function, &trail, result);
        if let Some(shared) = &self.shared {
            let bytes = self.bytes_of(&trail) + shared_bytes;
            shared.add(function, &self.state, &trail, bytes, share);
        }
        self.trail = trail;
    }

    /// Remembers the result of a function in the present state, given the trail of its reads.
    pub(super) fn remember(&mut self, function: usize, trail: &ReadTrail, result: T) {
        let known = self.memos.len_of(function);
        if known >= PROBED && self.asked < 2 * known {
            self.is_remembered[function] = false;
            self.memos.clear_one(function);
            return;
        }
        self.memos.insert(function, &self.state, trail, result);
        self.bytes += self.bytes_of(trail);
    }

    /// The greatest number of bytes of a result with this trail.
    fn bytes_of(&self, trail: &ReadTrail) -> usize {
        BYTES + BYTES_BY_WORD * self.state.len() + BYTES_BY_READ * trail.len()
    }

    /// Makes `trail` the trail of `reads`.
    pub(super) fn trail_of(&mut self, codec: &Codec, trail: &mut ReadTrail) {
        trail.clear(self.state.len());
        #[cfg(test)]
        self.reads.retain(|read| !tests::is_hidden(*read));
        for read in &self.reads {
            codec.bits_of(*read, &mut |word, bits| trail.add(word, bits));
            trail.end();
        }
    }

    /// Counts bytes of a result beside those of its reads.
    pub(super) fn take(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Whether results take more than the limit. One more state adds little.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.most_bytes
    }

    pub(super) fn clear(&mut self) {
        self.memos.clear();
        self.asked = 0;
        self.bytes = self.empty_bytes;
    }
}

/// A remembered result is right only if every read is recorded; debug builds compare it with a
/// computed one. So each kind of read is left out in turn, and a comparison must fail.
#[cfg(test)]
mod tests {
    use std::{cell::Cell, panic};

    use deathwatch_model::{
        history::KeptHistory,
        protocol::{self, Effects},
        rows::RowKind,
        world::{Transactions, World},
    };
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{
        check::{CheckQuestion, SearchSettings, check},
        claims::{
            all_in, all_with,
            tests::{start, world},
        },
    };

    /// The number of states of a walk around which is explored, and of steps between them.
    const WALKS: usize = 12;
    const STEPS: usize = 40;
    const SEEDS: u64 = 3;

    /// The kinds of reads that are not recorded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Hidden {
        Nothing,
        Rows(RowKind),
        Deployers,
        Pending,
    }

    thread_local! {
        static HIDDEN: Cell<Hidden> = const { Cell::new(Hidden::Nothing) };
    }

    pub(super) fn is_hidden(read: Read) -> bool {
        let kind = match read {
            Read::Row(row) => row.kind(),
            Read::Relation(kind, _) | Read::All(kind) => kind,
            Read::Deployers => return HIDDEN.get() == Hidden::Deployers,
            Read::Pending => return HIDDEN.get() == Hidden::Pending,
            Read::Count(_) => return false, // the row that the count is in is there, too
            Read::Broadcast(_) => RowKind::Membership,
            Read::AnyAlive(..) => RowKind::Unit,
        };
        HIDDEN.get() == Hidden::Rows(kind)
    }

    /// Explores the surroundings of some states of a random walk, with all claims.
    fn explore(world: &World, seed: u64) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut state, mut actions) = (start(world, 1), Vec::new());
        for _ in 0..WALKS {
            let question = CheckQuestion {
                world,
                start: &state,
                claims: all_in(world).collect(),
                witnesses: Vec::new(),
                refines: None,
            };
            let settings =
                SearchSettings { max_states: Some(80), ..SearchSettings::without_limits(1) };
            check(&question, &settings).expect("a part of it is small");
            for _ in 0..STEPS {
                actions.clear();
                protocol::enabled(world, &state, &mut actions);
                let Some(last) = actions.len().checked_sub(1) else { break };
                let action = actions[random.random_range(0..=last)];
                protocol::step(world, &mut state, action, &mut Effects::default());
            }
        }
    }

    #[test]
    fn a_read_that_is_not_recorded_is_noticed() {
        let details: [&[&str]; 4] = [
            &[],
            &["hooks", "charm", "relations", "settings"],
            &["workflow"],
            &["provisioning", "constraints"],
        ];
        let both = [Transactions::Split, Transactions::Atomic];
        let worlds = details.into_iter().flat_map(|details| {
            let world = world(details);
            let kept =
                all_with(world.detail).fold(KeptHistory::default(), |all, it| all | it.keeps());
            both.map(|it| world.changed(|world| (world.transactions, world.history) = (it, kept)))
        });
        let worlds: Vec<World> = worlds.collect();
        let is_noticed = || {
            let explore = |(world, seed): (&World, u64)| {
                panic::catch_unwind(panic::AssertUnwindSafe(|| explore(world, seed))).is_err()
            };
            (0..SEEDS).flat_map(|seed| worlds.iter().map(move |it| (it, seed))).any(explore)
        };
        assert!(!is_noticed(), "everything is recorded");
        let kinds = RowKind::ALL.map(Hidden::Rows);
        for hidden in kinds.into_iter().chain([Hidden::Deployers, Hidden::Pending]) {
            HIDDEN.set(hidden);
            let noticed = is_noticed();
            HIDDEN.set(Hidden::Nothing);
            // Here no actor changes the model's document, acts by a script, upgrades agents, hears
            // of a unit in a relation, or uses an identifier again.
            let never_differs = [
                Hidden::Rows(RowKind::Model),
                Hidden::Rows(RowKind::Client),
                Hidden::Rows(RowKind::Upgrade),
                Hidden::Rows(RowKind::RelationHistory),
                Hidden::Pending,
            ];
            assert_eq!(noticed, !never_differs.contains(&hidden), "{hidden:?}");
        }
    }
}
