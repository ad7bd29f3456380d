//! The forms of a set of identifiers. The form follows from the members.

use super::window::{Window, position};

/// The members, in the form that takes the least memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum MemberForm {
    /// All members are in one word; also the form of the empty set.
    Word {
        at: u32,
        word: u64,
    },
    /// The members, in order: used where a window would be larger.
    #[expect(clippy::box_collection, reason = "a row has room for one pointer")]
    List(Box<Vec<u32>>),
    Window(Box<Window>),
}

/// Whether a list of `len` members is smaller than a window of `words` words. A word takes as much
/// memory as two members.
pub(super) fn is_sparse(len: usize, words: usize) -> bool {
    len < 2 * words
}

impl MemberForm {
    /// The form of a set with the members of a sorted list.
    pub(super) fn of(list: Vec<u32>) -> Self {
        let words = span(&list);
        let (Some(first), true) = (list.first(), words == 1 || !is_sparse(list.len(), words))
        else {
            return if list.is_empty() {
                Self::Word { at: 0, word: 0 }
            } else {
                Self::List(Box::new(list))
            };
        };
        let mut window = Window { at: first / 64, len: 0, words: vec![0; words] };
        for number in list {
            let (at, bit) = position(number);
            window.insert(at, bit);
        }
        match window.words[..] {
            [word] => Self::Word { at: window.at, word },
            _ => Self::Window(Box::new(window)),
        }
    }
}

/// Adds a member to a sorted list.
pub(super) fn add(list: &mut Vec<u32>, number: u32) {
    if let Err(position) = list.binary_search(&number) {
        list.insert(position, number);
    }
}

/// The number of words that the members of a sorted list span.
pub(super) fn span(list: &[u32]) -> usize {
    match (list.first(), list.last()) {
        (Some(least), Some(most)) => (most / 64 - least / 64 + 1) as usize,
        _ => 0,
    }
}
