//! What is said of many holders: the first are told of, then a few of whom there is something else
//! to say, and the others are counted. A paragraph on ten thousand units would say less.

use std::collections::BTreeSet;

use super::Account;

/// So many holders are told of, and then so many that are unlike them.
const FIRST: usize = 3;
/// So many are looked at for something else to say.
const LOOKS: usize = 100;

impl Account<'_> {
    /// Tells of some of the holders, and says by `more` how many others there are.
    pub(super) fn some<T>(
        &mut self,
        holders: impl Iterator<Item = T>,
        tell: impl Fn(&mut Self, T),
        more: impl Fn(usize) -> String,
    ) {
        let (mut unlike, mut others) = (0, 0);
        for (index, holder) in holders.enumerate() {
            if index < FIRST {
                tell(self, holder);
            } else if index < LOOKS && unlike < FIRST {
                let before = self.sentences.len();
                tell(self, holder);
                if self.has_news(before) {
                    unlike += 1;
                } else {
                    self.sentences.truncate(before);
                    others += 1;
                }
            } else {
                others += 1;
            }
        }
        if others > 0 {
            self.say(more(others));
        }
    }

    /// Whether the sentences from this one on say anything but what is said before them of others,
    /// who differ in their numbers.
    fn has_news(&self, from: usize) -> bool {
        let shape = |sentence: &String| sentence.replace(|it: char| it.is_ascii_digit(), "");
        let (before, news) = self.sentences.split_at(from);
        let known: BTreeSet<String> = before.iter().map(shape).collect();
        news.iter().any(|sentence| !known.contains(&shape(sentence)))
    }
}

/// "1 more unit is", "97 more units are".
pub(super) fn more(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 more {what} is"),
        _ => format!("{count} more {what}s are"),
    }
}
