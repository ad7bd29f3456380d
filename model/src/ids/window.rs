//! Windows: adjacent words of bits, for sets whose members are many and near each other.

/// Adjacent words; the first and the last one are not empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Window {
    /// The index of the first word.
    pub(super) at: u32,
    /// The number of members; to count them each time would take long.
    pub(super) len: u32,
    pub(super) words: Vec<u64>,
}

impl Window {
    pub(super) fn word(&self, at: u32) -> u64 {
        let word = at.checked_sub(self.at).and_then(|offset| self.words.get(offset as usize));
        word.copied().unwrap_or(0)
    }

    /// The numbers in it, in ascending order.
    pub(super) fn members(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip(self.at..).flat_map(|(word, at)| members(at, *word))
    }

    /// Adds a bit of the word with this index.
    pub(super) fn insert(&mut self, at: u32, bit: u64) {
        if at < self.at {
            let missing = (self.at - at) as usize;
            self.words.splice(0..0, std::iter::repeat_n(0, missing));
            self.at = at;
        }
        let offset = (at - self.at) as usize;
        if offset >= self.words.len() {
            self.words.resize(offset + 1, 0);
        }
        self.len += u32::from(self.words[offset] & bit == 0);
        self.words[offset] |= bit;
    }

    /// Takes a bit out, and cuts off empty words at both ends. At least one word is left, as no
    /// window has one word only.
    pub(super) fn remove(&mut self, at: u32, bit: u64) {
        self.words[(at - self.at) as usize] &= !bit;
        self.len -= 1;
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        let empty = self.words.iter().take_while(|word| **word == 0).count();
        self.words.drain(..empty);
        self.at += u32::try_from(empty).expect("a window is as narrow as its indices");
    }
}

/// The members of the word with this index.
pub(super) fn members(at: u32, mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then(|| at * 64 + bit)
    })
}

/// The index of the word that holds a member, and the member's bit in it.
pub(super) fn position(number: u32) -> (u32, u64) {
    (number / 64, 1 << (number % 64))
}
