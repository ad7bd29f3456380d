//! The digest of a run: one number for everything that was offered and chosen.

use std::hash::{Hash, Hasher};

use deathwatch_model::action::Action;

/// Mixes numbers into one. The same on every machine, and in every version of the language:
/// integers are mixed by value, whatever their width and the order of their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Notes a step: its time, how many actions were offered, and which was chosen.
    pub(super) fn note(&mut self, time: u64, offered: usize, action: &Action) {
        self.mix(time);
        self.mix(offered as u64);
        action.hash(self);
    }

    /// The number.
    pub(super) fn value(self) -> u64 {
        self.0
    }

    fn mix(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.mix(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number.unsigned_abs() as u64);
    }
}
