//! Messages between processes: numbers and words, one after the other.
//!
//! A message comes from another process, so its reader trusts nothing: a message that is too short
//! or too long, or a number out of range, is a [`Stop::Peer`].

use std::ops::Range;

use crate::{
    Stop,
    explore::checkpoint::{read_number, write_number},
};

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageWriter(Vec<u8>);

impl MessageWriter {
    /// Adds a number of one to ten bytes; small numbers take fewer.
    pub(crate) fn push(&mut self, number: u64) {
        write_number(&mut self.0, number).expect("memory takes everything");
    }

    pub(super) fn push_words(&mut self, words: &[u64]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The message as it is sent: with the code of a reason to stop, and a checksum, at the end.
    pub(super) fn into_bytes(self, stop: Option<Stop>) -> Vec<u8> {
        let mut bytes = self.0;
        bytes.push(code(stop));
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}

/// Removes and checks the two parts that [`MessageWriter::into_bytes`] has added.
///
/// # Errors
/// The reason to stop that the message has, or [`Stop::Peer`] if its checksum is wrong.
pub(super) fn open(message: &mut Vec<u8>) -> Result<(), Stop> {
    let (rest, checksum) = message.split_last_chunk().ok_or(Stop::Peer)?;
    if crc32fast::hash(rest) != u32::from_le_bytes(*checksum) {
        return Err(Stop::Peer);
    }
    let (code, body) = rest.split_last().ok_or(Stop::Peer)?;
    reason(*code).map_or(Ok(()), Err)?;
    message.truncate(body.len());
    Ok(())
}

/// The unread rest of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageReader<'m>(&'m [u8]);

impl<'m> MessageReader<'m> {
    pub(crate) fn new(message: &'m [u8]) -> Self {
        Self(message)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn take(&mut self) -> Result<u64, Stop> {
        read_number(&mut self.0).map_err(|_| Stop::Peer)
    }

    /// The next number, which must be in `numbers`.
    pub(super) fn take_in(&mut self, numbers: Range<u64>) -> Result<u64, Stop> {
        self.take().and_then(|it| if numbers.contains(&it) { Ok(it) } else { Err(Stop::Peer) })
    }

    /// The next number, which must be below `bound`.
    pub(super) fn take_below(&mut self, bound: u32) -> Result<u32, Stop> {
        let number = self.take_in(0..bound.into())?;
        u32::try_from(number).map_err(|_| Stop::Peer)
    }

    pub(super) fn take_words(&mut self, words: &mut [u64]) -> Result<(), Stop> {
        for word in words {
            let (bytes, rest) = self.0.split_first_chunk().ok_or(Stop::Peer)?;
            (*word, self.0) = (u64::from_le_bytes(*bytes), rest);
        }
        Ok(())
    }

    pub(super) fn rest(self) -> &'m [u8] {
        self.0
    }

    /// # Errors
    /// If anything is left.
    pub(crate) fn end(self) -> Result<(), Stop> {
        if self.is_empty() { Ok(()) } else { Err(Stop::Peer) }
    }
}

/// The code of a reason to stop; 0 is none.
fn code(stop: Option<Stop>) -> u8 {
    stop.map_or(0, |stop| stop as u8 + 1)
}

fn reason(code: u8) -> Option<Stop> {
    let place = usize::from(code).checked_sub(1)?;
    Some(Stop::ALL.get(place).copied().unwrap_or(Stop::Peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_off_is_noticed() {
        let mut writer = MessageWriter::default();
        writer.push(7);
        writer.push_words(&[1 << 40, 2]);
        writer.push(1 << 40);
        let bytes = writer.0;
        let read = |bytes: &[u8]| {
            let (mut reader, mut words) = (MessageReader::new(bytes), [0; 2]);
            let small = reader.take_below(8)?;
            reader.take_words(&mut words)?;
            let large = reader.take_in(1 << 40..1 << 41)?;
            reader.end().map(|()| (small, words, large))
        };
        assert_eq!(read(&bytes), Ok((7, [1 << 40, 2], 1 << 40)));
        for len in 0..bytes.len() {
            assert_eq!(read(&bytes[..len]), Err(Stop::Peer));
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Stop::Peer));
        assert_eq!(MessageReader::new(&bytes).take_below(7), Err(Stop::Peer));
        for others in [0..7, 8..u64::MAX] {
            assert_eq!(MessageReader::new(&bytes).take_in(others), Err(Stop::Peer));
        }
    }

    #[test]
    fn each_reason_to_stop_is_told_and_what_was_not_written_is_one() {
        let sent = |stop| MessageWriter(vec![1, 2, 3]).into_bytes(stop);
        for stop in Stop::ALL {
            assert_eq!(open(&mut sent(Some(stop))), Err(stop));
        }
        let mut message = sent(None);
        for bit in 0..8 * message.len() {
            let mut other = message.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&mut other), Err(Stop::Peer));
            assert_eq!(open(&mut message[..bit / 8].to_vec()), Err(Stop::Peer));
        }
        assert_eq!((open(&mut message), message), (Ok(()), vec![1, 2, 3]));
        assert_eq!(reason(200), Some(Stop::Peer));
    }
}
