//! The head of a checkpoint: the question, the counts of the search, and the end of the other file.

use std::io::{self, Read, Write};

use super::CheckpointError;

/// The first line of a head, with the number of the layout of both files.
const MAGIC: &[u8] = b"deathwatch checkpoint 6\n";
const MOST: u64 = 1 << 56;

/// The number of bytes of a mark.
pub(super) const MARK: usize = 4;
const MEMORY: &str = "memory takes everything";

/// The end of the file of states when a head was written: its length, its checksum, and the mark of
/// the head, which is its last bytes.
pub(super) struct StatesEnd {
    pub(super) bytes: u64,
    pub(super) checksum: u32,
    pub(super) mark: [u8; MARK],
}

/// The counts, rooms and findings of a search, as a head has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::explore) struct SavedSearch {
    pub(in crate::explore) words: usize,
    pub(in crate::explore) batch: u32,
    pub(in crate::explore) store_edges: bool,
    pub(in crate::explore) states: u64,
    pub(in crate::explore) starts: u32,
    pub(in crate::explore) expanded: u64,
    pub(in crate::explore) transitions: u64,
    /// The memory in use, the most that was, and the least that would have been enough.
    pub(in crate::explore) used: u64,
    pub(in crate::explore) peak: u64,
    pub(in crate::explore) needed: u64,
    /// The room that each owner of candidates has, and each chunk.
    pub(in crate::explore) rooms: Vec<Vec<u64>>,
    pub(in crate::explore) findings: Vec<u8>,
}

impl SavedSearch {
    /// Whether the counts agree with each other. A head whose checksum was made anew by hand can
    /// have any numbers, and later code would index by them.
    pub(in crate::explore) fn is_possible(&self) -> bool {
        let Self { states, starts, expanded, transitions, used, peak, needed, .. } = self;
        let are_few = [states, transitions, needed].iter().all(|it| **it < MOST);
        are_few
            && expanded <= states
            && u64::from(*starts) <= *states
            && used <= peak
            && peak <= needed
    }
}

/// The head without its end, and its mark. The file of states ends with the mark, too, so a head
/// that was changed and signed again no longer fits it.
pub(super) fn begin_head(question: &str, search: &SavedSearch) -> (Vec<u8>, [u8; MARK]) {
    let mut head = MAGIC.to_vec();
    let SavedSearch { words, batch, store_edges, states, starts, expanded, .. } = search;
    let SavedSearch { transitions, used, peak, needed, rooms, findings, .. } = search;
    let write = |head: &mut Vec<u8>| -> io::Result<()> {
        write_bytes(head, question.as_bytes())?;
        let [batch, edges, starts] = [*batch, u32::from(*store_edges), *starts].map(u64::from);
        let counts = [batch, edges, *states, starts, *expanded];
        let sizes = [*words as u64, *transitions, *used, *peak, *needed];
        counts.into_iter().chain(sizes).try_for_each(|number| write_number(head, number))?;
        write_number(head, rooms.len() as u64)?;
        for room in rooms {
            write_number(head, room.len() as u64)?;
            room.iter().try_for_each(|number| write_number(head, *number))?;
        }
        write_bytes(head, findings)
    };
    write(&mut head).expect(MEMORY);
    let mark = crc32fast::hash(&head).to_le_bytes();
    (head, mark)
}

/// Ends a head whose other file has this number of bytes, with this checksum.
pub(super) fn end_head(mut head: Vec<u8>, bytes: u64, checksum: u32) -> Vec<u8> {
    write_number(&mut head, bytes).expect(MEMORY);
    write_number(&mut head, checksum.into()).expect(MEMORY);
    let crc = crc32fast::hash(&head);
    head.extend(crc.to_le_bytes());
    head
}

/// The search in a head, and the end that the other file must have.
pub(super) fn read_head(
    head: &[u8],
    question: &str,
) -> Result<(SavedSearch, StatesEnd), CheckpointError> {
    read(head, question).map_err(|error| match error {
        // It ends where it should not.
        CheckpointError::Io(_) => CheckpointError::Damaged,
        error => error,
    })
}

fn read(head: &[u8], question: &str) -> Result<(SavedSearch, StatesEnd), CheckpointError> {
    let line = head.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    if line != MAGIC {
        let kind = &MAGIC[..MAGIC.len() - 2];
        let is_other = line.starts_with(kind) && line.ends_with(b"\n");
        return Err(if is_other { CheckpointError::Layout } else { CheckpointError::Damaged });
    }
    let (head, crc) = head.split_last_chunk().ok_or(CheckpointError::Damaged)?;
    if head.len() < MAGIC.len() || crc32fast::hash(head) != u32::from_le_bytes(*crc) {
        return Err(CheckpointError::Damaged);
    }
    let from = &mut &head[MAGIC.len()..];
    let theirs = String::from_utf8(read_bytes(from)?).map_err(|_| CheckpointError::Damaged)?;
    if theirs != question {
        let mut lines = theirs.lines().filter(|line| !question.lines().any(|it| it == *line));
        return Err(CheckpointError::Question(lines.next().unwrap_or(&theirs).to_owned()));
    }
    let mut search = SavedSearch {
        batch: read_u32(from)?,
        store_edges: read_u32(from)? != 0,
        states: read_number(from)?,
        starts: read_u32(from)?,
        expanded: read_number(from)?,
        words: usize::try_from(read_number(from)?).map_err(|_| CheckpointError::Damaged)?,
        transitions: read_number(from)?,
        used: read_number(from)?,
        peak: read_number(from)?,
        needed: read_number(from)?,
        ..SavedSearch::default()
    };
    for _ in 0..read_u32(from)? {
        let room = (0..read_u32(from)?).map(|_| read_number(from));
        search.rooms.push(room.collect::<io::Result<_>>()?);
    }
    search.findings = read_bytes(from)?;
    let mark = crc32fast::hash(&head[..head.len() - from.len()]).to_le_bytes();
    let end = StatesEnd { bytes: read_number(from)?, checksum: read_u32(from)?, mark };
    if from.is_empty() { Ok((search, end)) } else { Err(CheckpointError::Damaged) }
}

fn write_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_number(to, bytes.len() as u64)?;
    to.write_all(bytes)
}

fn read_bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = read_number(from)?;
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Writes a number in bytes of seven bits, the lowest first; all but the last have the upper bit.
pub(in crate::explore) fn write_number(to: &mut impl Write, mut number: u64) -> io::Result<()> {
    let (mut bytes, mut length) = ([0; 10], 0);
    while number >= 0x80 {
        bytes[length] = number.to_le_bytes()[0] | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number.to_le_bytes()[0];
    to.write_all(&bytes[..=length])
}

pub(in crate::explore) fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

pub(in crate::explore) fn read_u32(from: &mut impl Read) -> io::Result<u32> {
    u32::try_from(read_number(from)?).map_err(|_| io::ErrorKind::InvalidData.into())
}
