//! Sets of identifiers.

use std::{fmt, marker::PhantomData};

use super::{
    Id,
    form::{MemberForm, add, is_sparse, span},
    window::{members, position},
};

/// A set of identifiers: one inline word while its members are near each other; else a list or a
/// window of words, whichever is smaller.
///
/// A word stands at a multiple of 64, so the principals of the last of a hundred thousand machines
/// still take one word, and two that are far apart take two entries of a list. The form follows
/// from the members, hence equality and hashing can be derived. Two machine words are all that it
/// takes inline: the rows of a large world have to fit the processor's caches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdSet<T> {
    form: MemberForm,
    kind: PhantomData<fn() -> T>,
}

impl<T> Default for IdSet<T> {
    fn default() -> Self {
        Self { form: MemberForm::Word { at: 0, word: 0 }, kind: PhantomData }
    }
}

impl<T: Id> IdSet<T> {
    /// Whether the set has no members.
    pub fn is_empty(&self) -> bool {
        matches!(self.form, MemberForm::Word { word: 0, .. })
    }

    pub fn len(&self) -> usize {
        match &self.form {
            MemberForm::Word { word, .. } => word.count_ones() as usize,
            MemberForm::List(list) => list.len(),
            MemberForm::Window(window) => window.len as usize,
        }
    }

    /// Whether `id` is in it.
    pub fn contains(&self, id: T) -> bool {
        let (at, bit) = position(number(id));
        match &self.form {
            MemberForm::Word { at: there, word } => at == *there && word & bit != 0,
            MemberForm::List(list) => list.binary_search(&number(id)).is_ok(),
            MemberForm::Window(window) => window.word(at) & bit != 0,
        }
    }

    /// Adds `id`.
    pub fn insert(&mut self, id: T) {
        let number = number(id);
        let (at, bit) = position(number);
        match &mut self.form {
            MemberForm::Word { at: there, word } if *word == 0 || *there == at => {
                *there = at;
                *word |= bit;
            }
            MemberForm::Word { at: there, word } => {
                let mut list: Vec<u32> = members(*there, *word).collect();
                add(&mut list, number);
                self.form = MemberForm::of(list);
            }
            MemberForm::List(list) => {
                add(list, number);
                if !is_sparse(list.len(), span(list)) {
                    self.form = MemberForm::of(std::mem::take(list));
                }
            }
            MemberForm::Window(window) => {
                window.insert(at, bit);
                if is_sparse(window.len as usize, window.words.len()) {
                    self.form = MemberForm::of(window.members().collect());
                }
            }
        }
    }

    /// Takes `id` out.
    pub fn remove(&mut self, id: T) {
        if !self.contains(id) {
            return;
        }
        let number = number(id);
        let (at, bit) = position(number);
        match &mut self.form {
            MemberForm::Word { at, word } => {
                *word &= !bit;
                if *word == 0 {
                    *at = 0;
                }
            }
            MemberForm::List(list) => {
                list.retain(|other| *other != number);
                let span = span(list);
                if span == 1 || !is_sparse(list.len(), span) {
                    self.form = MemberForm::of(std::mem::take(list));
                }
            }
            MemberForm::Window(window) => {
                window.remove(at, bit);
                let span = window.words.len();
                if span == 1 || is_sparse(window.len as usize, span) {
                    self.form = MemberForm::of(window.members().collect());
                }
            }
        }
    }

    /// Its members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let (list, at, words) = self.parts();
        let words = words.iter().zip(at..).flat_map(|(word, at)| members(at, *word));
        list.iter().copied().chain(words).map(|number| T::new(number as usize))
    }

    /// Its members that are not in `other`, in ascending order.
    pub fn outside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = T> + 'a {
        let (list, at, words) = self.parts();
        let listed =
            list.iter().copied().filter(|number| !other.contains(T::new(*number as usize)));
        let left = words.iter().zip(at..).map(|(word, at)| (at, word & !other.bits(64 * at, 64)));
        let left = left.flat_map(|(at, word)| members(at, word));
        listed.chain(left).map(|number| T::new(number as usize))
    }

    /// Its members in a range that are not in `other`, in ascending order.
    pub fn outside_within<'a>(
        &'a self,
        other: &'a Self,
        range: std::ops::Range<usize>,
    ) -> impl Iterator<Item = T> + 'a {
        range.clone().step_by(64).map(T::new).flat_map(move |id| {
            let (first, end) = (number(id), number(T::new(range.end)));
            let count = (end - first).min(64);
            identities(id, self.bits(first, count) & !other.bits(first, count))
        })
    }

    /// Its members in groups of up to 64: the first identity of a group, and a bit for each member
    /// from that on.
    pub fn words(&self) -> impl Iterator<Item = (T, u64)> + '_ {
        let (list, at, words) = self.parts();
        let listed = list.chunk_by(|one, other| one / 64 == other / 64).map(|near| {
            (near[0] / 64, near.iter().fold(0, |word, number| word | position(*number).1))
        });
        let words = (at..).zip(words.iter().copied()).filter(|(_, word)| *word != 0);
        listed.chain(words).map(|(at, word)| (T::new(64 * at as usize), word))
    }

    /// The members among the 64 identities from `first` on, as bits.
    pub fn word_from(&self, first: T) -> u64 {
        self.bits(number(first), 64)
    }

    /// Its members as a list, or as words with the index of the first word; the other is empty.
    fn parts(&self) -> (&[u32], u32, &[u64]) {
        match &self.form {
            MemberForm::Word { at, word } => (&[], *at, std::slice::from_ref(word)),
            MemberForm::List(list) => (list, 0, &[]),
            MemberForm::Window(window) => (&[], window.at, &window.words),
        }
    }

    /// The members among the `count` identities from `first`, at most 64, as bits.
    #[inline]
    pub(crate) fn bits(&self, first: u32, count: u32) -> u64 {
        let mask = u64::MAX >> (64 - count);
        match &self.form {
            MemberForm::Word { at, word } => shifted(*word, *at, first) & mask,
            MemberForm::List(list) => {
                let from = list.partition_point(|number| *number < first);
                let near = list[from..].iter().take_while(|number| **number - first < count);
                near.fold(0, |bits, number| bits | 1 << (number - first))
            }
            MemberForm::Window(window) => {
                let at = first / 64;
                let (low, high) = (window.word(at), window.word(at + 1));
                (shifted(low, at, first) | shifted(high, at + 1, first)) & mask
            }
        }
    }

    /// Adds the identities from `first` whose bits are set.
    #[inline]
    pub(crate) fn insert_bits(&mut self, first: u32, bits: u64) {
        let (at, shift) = (first / 64, first % 64);
        match &mut self.form {
            MemberForm::Word { at: there, word }
                if (*word == 0 || *there == at) && bits.leading_zeros() >= shift =>
            {
                if bits != 0 {
                    *there = at;
                    *word |= bits << shift;
                }
            }
            MemberForm::Word { .. } | MemberForm::List(_) | MemberForm::Window(_) => {
                for offset in members(0, bits) {
                    self.insert(T::new((first + offset) as usize));
                }
            }
        }
    }
}

/// The bits of the word at this place, shifted so that bit 0 stands for identity `first`.
#[inline]
fn shifted(word: u64, at: u32, first: u32) -> u64 {
    let start = at * 64;
    if start >= first {
        word.checked_shl(start - first).unwrap_or(0)
    } else {
        word.checked_shr(first - start).unwrap_or(0)
    }
}

/// The identities whose bits are set in a word that begins with `first`.
pub fn identities<T: Id>(first: T, word: u64) -> impl Iterator<Item = T> {
    members(0, word).map(move |offset| T::new(first.index() + offset as usize))
}

fn number<T: Id>(id: T) -> u32 {
    u32::try_from(id.index()).expect("ids are 32 bits wide")
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
    use crate::ids::UnitId;

    fn hash(set: &IdSet<UnitId>) -> u64 {
        let mut hasher = DefaultHasher::new();
        set.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn a_set_is_what_an_ordered_set_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut forms = [false; 3];
        for _ in 0..300 {
            let (mut set, mut oracle) = (IdSet::<UnitId>::default(), BTreeSet::new());
            let span = 1 << (rng.next_u32() % 12);
            for _ in 0..300 {
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
                let (first, count) = (rng.random_range(0..span), rng.random_range(1..=64));
                let near = (0..count).filter(|offset| set.contains(UnitId::new(first + offset)));
                let bits = near.fold(0, |bits, offset| bits | 1 << offset);
                let words = set.words().flat_map(|(first, word)| identities(first, word));
                assert!(words.eq(oracle.iter().copied()));
                let narrow = |value: usize| u32::try_from(value).unwrap();
                assert_eq!(set.bits(narrow(first), narrow(count)), bits);
                assert_eq!(set.word_from(UnitId::new(first)), set.bits(narrow(first), 64));
                let mut joined = set.clone();
                joined.insert_bits(narrow(first), u64::MAX >> (64 - count));
                let all = (first..first + count).map(UnitId::new).chain(set.iter());
                assert_eq!(joined, all.collect(), "one form per set, however it came to be");
                let rebuilt: IdSet<UnitId> = oracle.iter().rev().copied().collect();
                assert_eq!((&set, hash(&set)), (&rebuilt, hash(&rebuilt)), "one form per set");
                forms[match set.form {
                    MemberForm::Word { .. } => 0,
                    MemberForm::List(_) => 1,
                    MemberForm::Window(_) => 2,
                }] = true;
            }
        }
        assert_eq!(forms, [true; 3], "every form was taken");
    }
}
