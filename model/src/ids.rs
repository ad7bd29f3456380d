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
/// end), hence equality and hashing can be derived. Two machine words are all that it takes inline:
/// the rows of a large world have to fit the processor's caches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdSet<T> {
    words: Words,
    kind: PhantomData<fn() -> T>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    One { base: u32, word: u64 },
    Many(Box<Window>),
}

/// A window of several words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Window {
    base: u32,
    /// Counting the bits of a large set takes long, so their number is kept.
    len: u32,
    words: Vec<u64>,
}

impl<T> Default for IdSet<T> {
    fn default() -> Self {
        Self { words: Words::One { base: 0, word: 0 }, kind: PhantomData }
    }
}

impl<T: Id> IdSet<T> {
    fn base(&self) -> u32 {
        match &self.words {
            Words::One { base, .. } => *base,
            Words::Many(window) => window.base,
        }
    }

    fn words(&self) -> &[u64] {
        match &self.words {
            Words::One { word, .. } => std::slice::from_ref(word),
            Words::Many(window) => &window.words,
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        matches!(self.words, Words::One { word: 0, .. })
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        match &self.words {
            Words::One { word, .. } => word.count_ones() as usize,
            Words::Many(window) => window.len as usize,
        }
    }

    /// Whether `id` is in it.
    pub fn contains(&self, id: T) -> bool {
        let (at, bit) = place(id);
        let Some(offset) = at.checked_sub(self.base()) else { return false };
        self.words().get(offset as usize).is_some_and(|word| word & bit != 0)
    }

    /// Adds `id`.
    pub fn insert(&mut self, id: T) {
        let (at, bit) = place(id);
        match &mut self.words {
            Words::One { base, word } if *word == 0 || *base == at => {
                *base = at;
                *word |= bit;
            }
            Words::One { base, word } => {
                let (base, len, words) = (*base, word.count_ones(), vec![*word]);
                let mut window = Window { base, len, words };
                window.insert(at, bit);
                self.words = Words::Many(Box::new(window));
            }
            Words::Many(window) => window.insert(at, bit),
        }
    }

    /// Takes `id` out.
    pub fn remove(&mut self, id: T) {
        if !self.contains(id) {
            return;
        }
        let (at, bit) = place(id);
        match &mut self.words {
            Words::One { base, word } => {
                *word &= !bit;
                if *word == 0 {
                    *base = 0;
                }
            }
            Words::Many(window) => {
                window.remove(at, bit);
                if let [word] = window.words[..] {
                    self.words = Words::One { base: window.base, word };
                }
            }
        }
    }

    /// Its members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.words().iter().zip(self.base()..).flat_map(|(word, at)| members(at as usize, *word))
    }

    /// The members below 64 as one word; worlds that are explored exhaustively have no others.
    pub fn low_word(&self) -> u64 {
        if self.base() == 0 { self.words()[0] } else { 0 }
    }

    /// The set whose members are the bits of `word`.
    pub fn from_low_word(word: u64) -> Self {
        Self { words: Words::One { base: 0, word }, kind: PhantomData }
    }
}

impl Window {
    fn insert(&mut self, at: u32, bit: u64) {
        if at < self.base {
            let missing = (self.base - at) as usize;
            self.words.splice(0..0, std::iter::repeat_n(0, missing));
            self.base = at;
        }
        let offset = (at - self.base) as usize;
        if offset >= self.words.len() {
            self.words.resize(offset + 1, 0);
        }
        self.len += u32::from(self.words[offset] & bit == 0);
        self.words[offset] |= bit;
    }

    /// Takes out what is in it, and cuts off what is empty then; something is left, as no window
    /// has one word only.
    fn remove(&mut self, at: u32, bit: u64) {
        self.words[(at - self.base) as usize] &= !bit;
        self.len -= 1;
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        let empty = self.words.iter().take_while(|word| **word == 0).count();
        self.words.drain(..empty);
        self.base += u32::try_from(empty).expect("a window is as narrow as its indices");
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
