//! Identities: small numbers that index dense tables, and sets of them.
//!
//! Names live in the `World`; everything else carries these `Copy` numbers, so that a state is
//! small and a step costs what it touches.

use std::{fmt, marker::PhantomData};

/// A number that stands for one entity of a world.
pub trait Id: Copy + Eq + Ord {
    /// The entity with this index.
    fn new(index: usize) -> Self;
    /// The index in the tables of its kind.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a world has fewer than 2^32 entities of a kind"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A machine or a container.
    MachineId
    /// An application.
    ApplicationId
    /// A unit of an application.
    UnitId
    /// A relation: a canonical name, "wordpress:db mysql:server".
    RelationId
}

/// An entity of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A machine.
    Machine(MachineId),
    /// An application.
    Application(ApplicationId),
    /// A unit.
    Unit(UnitId),
    /// A relation.
    Relation(RelationId),
}

/// A set of identities: one inline word while its members are near each other, more when not.
///
/// The words form a window that begins at a multiple of 64, so the principals of the last of a
/// hundred thousand machines still take one word. The form is canonical (no empty word at either
/// end), hence equality and hashing can be derived.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdSet<T> {
    base: u32,
    words: Words,
    kind: PhantomData<fn() -> T>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    One(u64),
    /// Counting the bits of a large set takes long, so their number is kept.
    Many {
        words: Vec<u64>,
        len: u32,
    },
}

impl<T> Default for IdSet<T> {
    fn default() -> Self {
        Self { base: 0, words: Words::One(0), kind: PhantomData }
    }
}

impl<T: Id> IdSet<T> {
    fn words(&self) -> &[u64] {
        match &self.words {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many { words, .. } => words,
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        matches!(self.words, Words::One(0))
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        match &self.words {
            Words::One(word) => word.count_ones() as usize,
            Words::Many { len, .. } => *len as usize,
        }
    }

    /// Whether `id` is in it.
    pub fn contains(&self, id: T) -> bool {
        let (word, bit) = place(id);
        let Some(offset) = word.checked_sub(self.base) else { return false };
        self.words().get(offset as usize).is_some_and(|word| word & bit != 0)
    }

    /// Adds `id`.
    pub fn insert(&mut self, id: T) {
        let (word, bit) = place(id);
        if self.is_empty() {
            (self.base, self.words) = (word, Words::One(bit));
            return;
        }
        if let (Words::One(bits), false) = (&self.words, word == self.base) {
            self.words = Words::Many { words: vec![*bits], len: bits.count_ones() };
        }
        match &mut self.words {
            Words::One(bits) => *bits |= bit,
            Words::Many { words, len } => {
                if word < self.base {
                    let missing = (self.base - word) as usize;
                    words.splice(0..0, std::iter::repeat_n(0, missing));
                    self.base = word;
                }
                let offset = (word - self.base) as usize;
                if offset >= words.len() {
                    words.resize(offset + 1, 0);
                }
                *len += u32::from(words[offset] & bit == 0);
                words[offset] |= bit;
            }
        }
    }

    /// Takes `id` out.
    pub fn remove(&mut self, id: T) {
        if !self.contains(id) {
            return;
        }
        let (word, bit) = place(id);
        let offset = (word - self.base) as usize;
        match &mut self.words {
            Words::One(bits) => {
                *bits &= !bit;
                if *bits == 0 {
                    self.base = 0;
                }
            }
            Words::Many { words, len } => {
                words[offset] &= !bit;
                *len -= 1;
                if words[offset] == 0 && (offset == 0 || offset + 1 == words.len()) {
                    let (words, len) = (std::mem::take(words), *len);
                    self.settle(words, len);
                }
            }
        }
    }

    /// Restores the canonical form, once a word at either end is empty.
    fn settle(&mut self, mut words: Vec<u64>, len: u32) {
        while words.last() == Some(&0) {
            words.pop();
        }
        let empty = words.iter().take_while(|word| **word == 0).count();
        words.drain(..empty);
        match words.len() {
            0 => *self = Self::default(),
            1 => {
                self.base += u32::try_from(empty).expect("a window is as narrow as its indices");
                self.words = Words::One(words[0]);
            }
            _ => {
                self.base += u32::try_from(empty).expect("a window is as narrow as its indices");
                self.words = Words::Many { words, len };
            }
        }
    }

    /// Its members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.words().iter().zip(self.base..).flat_map(|(word, at)| members(at as usize, *word))
    }

    /// The members below 64 as one word; worlds that are explored exhaustively have no others.
    pub fn low_word(&self) -> u64 {
        if self.base == 0 { self.words()[0] } else { 0 }
    }

    /// The set whose members are the bits of `word`.
    pub fn from_low_word(word: u64) -> Self {
        Self { base: 0, words: Words::One(word), kind: PhantomData }
    }
}

/// The entities whose bits are set in the word at this place.
fn members<T: Id>(place: usize, mut word: u64) -> impl Iterator<Item = T> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then(|| T::new(place * 64 + bit as usize))
    })
}

/// The word that holds `id`, and its bit there.
fn place<T: Id>(id: T) -> (u32, u64) {
    let index = id.index();
    let word = u32::try_from(index / 64).expect("ids are 32 bits wide");
    (word, 1 << (index % 64))
}

impl<T: Id> FromIterator<T> for IdSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut set = Self::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

impl<T: Id + fmt::Debug> fmt::Debug for IdSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, hash_map::DefaultHasher};
    use std::hash::{Hash, Hasher};

    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn hash(set: &IdSet<UnitId>) -> u64 {
        let mut hasher = DefaultHasher::new();
        set.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn a_set_is_what_an_ordered_set_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..300 {
            let (mut set, mut oracle) = (IdSet::<UnitId>::default(), BTreeSet::new());
            let span = 1 << (rng.next_u32() % 12);
            for _ in 0..100 {
                let id = UnitId::new(rng.random_range(0..span));
                if rng.random_range(0..3) == 0 {
                    set.remove(id);
                    oracle.remove(&id);
                } else {
                    set.insert(id);
                    oracle.insert(id);
                }
                assert!(set.iter().eq(oracle.iter().copied()));
                assert_eq!((set.len(), set.is_empty()), (oracle.len(), oracle.is_empty()));
                let rebuilt: IdSet<UnitId> = oracle.iter().rev().copied().collect();
                assert_eq!((&set, hash(&set)), (&rebuilt, hash(&rebuilt)), "one form per set");
            }
        }
    }
}
