//! Moves: the actions of actors in a state, with the changes of each step.
//!
//! Both are functions of the rows that the protocol reads, and so are the verdicts of claims about
//! transitions. The part of a state that one actor reads takes few values: the eleven million
//! transitions of the largest world of the bug have 153 different effects. So a worker looks moves
//! up, and computes unknown ones by the protocol.

use std::{iter, sync::Arc};

use deathwatch_checker::{
    graph::Label,
    memo::{Memo, ReadTrail},
};
use deathwatch_model::{
    action::{Act, Action},
    actor::Actor,
    agents::{self, ActionPart},
    clause::Clause,
    ids::{EntityId, Rename as _, Renaming},
    pack::Codec,
    rows::{Read, Row},
    world::World,
};
use foldhash::fast::FixedState;
use indexmap::{IndexMap, IndexSet, map::Entry};

use crate::check::{
    look_ups::LookUps,
    seen::{FirstFindings, Spot},
    shared_results::SharedResults,
    symmetry::ImagePatch,
};

/// A move of an actor: an action, with all that a transition shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Move {
    pub(super) action: Action,
    /// The bits that it changes, for each word of the packed state; no words if it changes none.
    pub(super) patch: Box<[u64]>,
    /// Its change of the images of the state, if there is symmetry.
    pub(super) images: ImagePatch,
    pub(super) label: Label,
    /// The clauses that it carries out.
    pub(super) clauses: Box<[Clause]>,
    /// The claims that it violates, with their subjects.
    pub(super) violations: Box<[(usize, Row)]>,
    /// Whether the outline has no such step, if refinement is asked.
    pub(super) departs: bool,
}

impl Move {
    /// Whether it changes nothing, so that it is no transition.
    pub(super) fn is_idle(&self) -> bool {
        self.patch.is_empty()
    }

    /// Makes `target` the state that it leads to from `state`.
    pub(super) fn write_target(&self, state: &[u64], target: &mut Vec<u64>) {
        target.clear();
        let bits = self.patch.iter().chain(iter::repeat(&0));
        target.extend(state.iter().zip(bits).map(|(word, bits)| word ^ bits));
    }

    /// The bytes that it takes beside those of a result.
    fn bytes(&self) -> usize {
        self.images.bytes() + size_of_val(&*self.patch)
    }

    /// Adds its findings, for a move that is made at `spot`.
    pub(super) fn report(&self, spot: Spot, seen: &mut FirstFindings) {
        if self.is_idle() {
            return;
        }
        for clause in &self.clauses {
            seen.carried_out(*clause, spot);
        }
        for (claim, subject) in &self.violations {
            seen.violated(*claim, spot, *subject);
        }
        if self.departs {
            seen.departed(spot);
        }
    }
}

/// A move that a part lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PartMove {
    /// Index of the part among all parts.
    part: u32,
    /// Index of its act in `MoveCache::acts`.
    act: u32,
    /// Index of the move in `moves`; or, with the bit `FORGOTTEN` set, in `forgotten`.
    number: u32,
}
const FORGOTTEN: u32 = 1 << 31;
const KNOWN: &str = "its number is remembered with it";

/// The greatest number of moves that are remembered only until transactions get final numbers.
/// Their memory is also limited to that of the caches.
const MOST_FORGOTTEN: usize = 1 << 12;

/// The spot of a move that was not made: another part lists the same act before it.
const NOWHERE: Spot = (u64::MAX, u32::MAX);

/// A range of the lists of moves.
type MoveList = (u32, u32);

/// Moves that workers share, each with the index of its part.
pub(super) type SharedMoves = SharedResults<Vec<(u32, Arc<Move>)>>;

/// The moves that one worker knows.
pub(super) struct MoveCache {
    /// The parts of the actors' actions, in the order in which actions are listed.
    parts: Vec<ListedPart>,
    /// Groups of parts that read much the same, by their indices.
    groups: Vec<Vec<usize>>,
    look_ups: LookUps<MoveList, Vec<(u32, Arc<Move>)>>,
    /// The distinct moves, each with the first spot at which it was made.
    moves: IndexMap<Arc<Move>, Spot, FixedState>,
    /// Moves with a transaction whose number is not final, which are not in `moves`.
    forgotten: Vec<Move>,
    most_forgotten: usize,
    /// The acts of moves, which have numbers. They are few, and never dropped.
    acts: IndexSet<Act, FixedState>,
    /// For each group the ranges of `lists_until_commit` by state, until the next commit.
    until_commit: Vec<Memo<MoveList>>,
    lists_until_commit: Vec<PartMove>,
    batch: u32,
    trail: ReadTrail,
    /// Lists of the moves of some group in some state, one after the other.
    lists: Vec<PartMove>,
    known_lists: IndexMap<Vec<PartMove>, MoveList, FixedState>,
    /// The moves in the present state, by group until they are sorted by part.
    found: Vec<PartMove>,
    /// The number of these before the group that was found last.
    before: usize,
}

struct ListedPart {
    part: ActionPart,
    /// Index of the first part of its actor.
    of_actor: usize,
    /// Whether other parts of its actor may list an act that it lists.
    may_repeat: bool,
}

impl MoveCache {
    /// An empty cache for states of `words` words. Remembered moves may take `most_bytes`.
    pub(super) fn new(
        world: &World,
        words: usize,
        most_bytes: usize,
        shared: Option<&Arc<SharedMoves>>,
    ) -> Self {
        let mut parts = Vec::new();
        for actor in agents::actors(world) {
            let (of_actor, own) = (parts.len(), agents::parts(world, actor));
            // Each fault is a part of its own.
            let may_repeat = own.len() > 1 && actor != Actor::Faults;
            parts.extend(own.into_iter().map(|part| ListedPart { part, of_actor, may_repeat }));
        }
        let mut groups: IndexMap<Result<EntityId, usize>, Vec<usize>> = IndexMap::new();
        for (place, ListedPart { part, .. }) in parts.iter().enumerate() {
            groups.entry(part.about().ok_or(place)).or_default().push(place);
        }
        let count = groups.len();
        Self {
            parts,
            look_ups: LookUps::new(count, words, most_bytes, shared),
            groups: groups.into_values().collect(),
            moves: IndexMap::default(),
            forgotten: Vec::new(),
            most_forgotten: MOST_FORGOTTEN.min(most_bytes / (words * size_of::<u64>())),
            acts: IndexSet::default(),
            until_commit: vec![Memo::default(); count],
            lists_until_commit: Vec::new(),
            batch: 0,
            trail: ReadTrail::default(),
            lists: Vec::new(),
            known_lists: IndexMap::default(),
            found: Vec::new(),
            before: 0,
        }
    }

    /// Goes to a packed state, which is expanded in this batch. Then the moves of each group are to
    /// be found or given.
    pub(super) fn go_to(&mut self, words: &[u64], batch: u32, seen: &mut FirstFindings) {
        if self.look_ups.is_full() {
            self.clear(seen);
        }
        self.look_ups.go_to(words);
        self.found.clear();
        if batch != self.batch || self.forgotten.len() > self.most_forgotten {
            self.batch = batch;
            if !self.forgotten.is_empty() {
                self.forgotten.clear();
                self.until_commit.iter_mut().for_each(Memo::clear);
                self.lists_until_commit.clear();
            }
        }
    }

    pub(super) fn remembers(&self) -> bool {
        self.look_ups.remembers()
    }

    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The parts of a group, each with its index among all.
    pub(super) fn parts_of(&self, group: usize) -> impl Iterator<Item = (u32, ActionPart)> + use<> {
        let part = |place: &usize| (number(*place), self.parts[*place].part);
        let parts: Vec<(u32, ActionPart)> = self.groups[group].iter().map(part).collect();
        parts.into_iter()
    }

    /// For each group the group of its renamed parts; `None` if there is none.
    pub(super) fn renamed_groups(&self, by: &Renaming) -> Option<Vec<usize>> {
        let place_of = |part: ActionPart| self.parts.iter().position(|it| it.part == part);
        let becomes = |group: &Vec<usize>| {
            let parts = group.iter().map(|place| place_of(self.parts[*place].part.renamed(by)));
            let mut parts = parts.collect::<Option<Vec<usize>>>()?;
            parts.sort_unstable();
            self.groups.iter().position(|other| *other == parts)
        };
        self.groups.iter().map(becomes).collect()
    }

    /// The reads from which moves were computed, in order.
    pub(super) fn reads(&mut self) -> &mut Vec<Read> {
        &mut self.look_ups.reads
    }

    /// Finds the moves of all groups in the present state, if all are known.
    #[inline]
    pub(super) fn find_all(&mut self) -> bool {
        let Some(lists) = self.look_ups.all() else { return false };
        for (first, end) in lists {
            // Most lists are short, for which a call would take longer.
            for made in &self.lists[*first as usize..*end as usize] {
                self.found.push(*made);
            }
        }
        true
    }

    /// Finds the moves of a group in the present state, if they are known.
    #[inline]
    pub(super) fn find(&mut self, group: usize, words: &[u64]) -> bool {
        let Self { look_ups, lists, found, before, .. } = self;
        *before = found.len();
        if let Some((first, end)) = look_ups.find(group) {
            found.extend(&lists[first as usize..end as usize]);
            return true;
        }
        if let Some((first, end)) = self.until_commit[group].get(words) {
            found.extend(&self.lists_until_commit[first as usize..end as usize]);
            return true;
        }
        self.find_shared(group)
    }

    /// Finds the moves of a group in the present state, if another worker knows them.
    fn find_shared(&mut self, group: usize) -> bool {
        let Some(known) = self.look_ups.find_shared(group) else { return false };
        let list = self.list_of(&known.result);
        self.look_ups.remember(group, &known.trail, list);
        true
    }

    /// Adds moves to those that were found. Returns their list, which may be new.
    fn list_of(&mut self, moves: &[(u32, Arc<Move>)]) -> MoveList {
        let Self { look_ups, moves: all, acts, lists, known_lists, found, .. } = self;
        let moves = moves.iter().map(|(part, made)| {
            let act = number(acts.insert_full(made.action.act).0);
            let entry = all.entry(made.clone());
            let number = number(entry.index());
            if let Entry::Vacant(_) = entry {
                look_ups.take(made.bytes());
            }
            entry.or_insert(NOWHERE);
            PartMove { part: *part, act, number }
        });
        let moves: Vec<PartMove> = moves.collect();
        found.extend(&moves);
        *known_lists.entry(moves).or_insert_with_key(|moves| {
            let first = number(lists.len());
            lists.extend(moves);
            (first, number(lists.len()))
        })
    }

    /// Compares the moves of the group that was found last with those by the protocol.
    pub(super) fn verify(&self, moves: &[(u32, Move)]) {
        let found = &self.found[self.before..];
        let known = found.iter().map(|it| (it.part, self.made(it.number)));
        let is_same = known.eq(moves.iter().map(|(part, made)| (*part, made)));
        assert!(is_same, "moves read what is not recorded: {found:?} are not {moves:?}");
    }

    /// Compares the moves of all groups, found one after the other, with those found at once.
    pub(super) fn verify_all(&mut self) {
        let found = std::mem::take(&mut self.found);
        if self.find_all() {
            assert_eq!(found, self.found, "what is found at once is something else");
        }
        self.found = found;
    }

    /// Adds the moves of a group in the present state. They are remembered; if a transaction in
    /// them has no final number, until the next commit.
    pub(super) fn give(
        &mut self,
        group: usize,
        words: &[u64],
        moves: Vec<(u32, Move)>,
        codec: &Codec,
        is_final: bool,
    ) {
        if is_final && self.look_ups.is_remembered(group) {
            let moves = moves.into_iter().map(|(part, made)| (part, Arc::new(made)));
            let moves: Vec<_> = moves.collect();
            let list = self.list_of(&moves);
            let bytes = moves.iter().map(|(_, made)| size_of_val(made) + made.bytes()).sum();
            self.look_ups.insert(group, codec, list, bytes, || moves);
            return;
        }
        let Self { look_ups, forgotten, acts, found, trail, .. } = self;
        let before = found.len();
        for (part, made) in moves {
            let act = number(acts.insert_full(made.action.act).0);
            found.push(PartMove { part, act, number: FORGOTTEN | number(forgotten.len()) });
            forgotten.push(made);
        }
        if look_ups.is_remembered(group) {
            let first = number(self.lists_until_commit.len());
            self.lists_until_commit.extend(&found[before..]);
            let list = (first, number(self.lists_until_commit.len()));
            look_ups.trail_of(codec, trail);
            self.until_commit[group].insert(words, trail, list);
        }
    }

    /// Calls `each` with the moves in the present state, which has the number `id`, in the order in
    /// which actions are listed. If several parts of an actor list an act, only the first counts.
    #[inline]
    pub(super) fn each(&mut self, id: u64, seen: &mut FirstFindings, mut each: impl FnMut(&Move)) {
        self.found.sort_by_key(|it| it.part);
        let mut before = 0;
        for index in 0..self.found.len() {
            let PartMove { part, number, .. } = self.found[index];
            if self.parts[part as usize].may_repeat && self.is_repeated(index) {
                continue;
            }
            let spot = (id, before);
            before += 1;
            if number & FORGOTTEN == 0 {
                let (made, first) = self.moves.get_index_mut(number as usize).expect(KNOWN);
                // Within a state the first spot comes first.
                if id < first.0 {
                    *first = spot;
                }
                each(made);
            } else {
                let made = &self.forgotten[(number & !FORGOTTEN) as usize];
                made.report(spot, seen);
                each(made);
            }
        }
    }

    /// Compares the moves in the present state with the actions that are listed there.
    pub(super) fn verify_order(&self, listed: &[Action]) {
        let is_new = |index: &usize| {
            !self.parts[self.found[*index].part as usize].may_repeat || !self.is_repeated(*index)
        };
        let found = (0..self.found.len()).filter(is_new);
        let actions = found.map(|index| self.made(self.found[index].number).action);
        assert!(actions.eq(listed.iter().copied()), "parts of actors list what these do not");
    }

    /// Whether an earlier part of the same actor lists the act of a found move.
    fn is_repeated(&self, index: usize) -> bool {
        let this = self.found[index];
        let first = number(self.parts[this.part as usize].of_actor);
        let earlier = self.found[..index].iter().rev();
        let mut of_actor = earlier.take_while(|earlier| earlier.part >= first);
        of_actor.any(|earlier| earlier.part != this.part && earlier.act == this.act)
    }

    fn made(&self, number: u32) -> &Move {
        if number & FORGOTTEN == 0 {
            self.moves.get_index(number as usize).expect(KNOWN).0
        } else {
            &self.forgotten[(number & !FORGOTTEN) as usize]
        }
    }

    /// Adds the findings of all moves.
    pub(super) fn report(&self, seen: &mut FirstFindings) {
        for (made, spot) in self.moves.iter().filter(|(_, spot)| **spot != NOWHERE) {
            made.report(*spot, seen);
        }
    }

    /// Drops everything, after adding it to the findings.
    fn clear(&mut self, seen: &mut FirstFindings) {
        self.report(seen);
        self.look_ups.clear();
        self.moves.clear();
        self.lists.clear();
        self.known_lists.clear();
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("they are few")
}
