//! The lists of a search that only grow, and so are only appended to a file.

use std::io::{self, Read, Write};

use super::{
    CheckpointError,
    head::{SavedSearch, read_number, read_u32, write_number},
};
use crate::{
    budget::MemoryBudget,
    explore::{
        StateGraph,
        edges::{Edges, are_targets},
        generated::Generated,
    },
    graph::Label,
};

/// The part of a search that was written: the next checkpoint begins behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::explore) struct Written {
    pub(in crate::explore) states: u32,
    /// The parent of the last state.
    pub(in crate::explore) parent: u64,
    /// The states that a process owns, and the number of the last one.
    pub(in crate::explore) owned: u32,
    pub(in crate::explore) number: u64,
    /// The states whose edges were written, and the sequences of labels.
    sources: u32,
    sequences: u32,
}

/// A part of a search whose lists only grow, and so are written and read piece by piece.
pub(in crate::explore) trait Growing {
    /// The part that a search has before anything is read, such as its starts; it is never written.
    fn begun(&self) -> Written {
        Written::default()
    }

    /// Writes the part of a search that is not in `written` yet.
    fn write_more(
        &self,
        written: &mut Written,
        search: &SavedSearch,
        to: &mut impl Write,
    ) -> io::Result<()>;

    /// Reads and adds the part that [`Self::write_more`] wrote.
    fn read_more(
        &mut self,
        written: &mut Written,
        search: &SavedSearch,
        from: &mut impl Read,
        budget: &mut MemoryBudget,
    ) -> Result<(), CheckpointError>;
}

impl Growing for StateGraph {
    /// A word of a state is written as its difference from that of the parent, which is mostly
    /// none.
    fn write_more(
        &self,
        written: &mut Written,
        search: &SavedSearch,
        to: &mut impl Write,
    ) -> io::Result<()> {
        write_number(to, (self.states() - written.states).into())?;
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        for id in written.states..self.states() {
            self.read(id, &mut state);
            before.fill(0);
            if id >= search.starts {
                let parent = self.parent(id);
                write_number(to, u64::from(parent) - written.parent)?;
                written.parent = parent.into();
                self.read(parent, &mut before);
            }
            write_words(to, &state, &before)?;
        }
        written.states = self.states();
        self.all_edges().map_or(Ok(()), |edges| write_edges(edges, written, to))
    }

    fn read_more(
        &mut self,
        written: &mut Written,
        search: &SavedSearch,
        from: &mut impl Read,
        budget: &mut MemoryBudget,
    ) -> Result<(), CheckpointError> {
        let states = read_u32(from)?;
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        for id in (written.states..).take(states as usize) {
            let mut parent = 0;
            before.fill(0);
            if id >= search.starts {
                written.parent = written.parent.saturating_add(read_number(from)?);
                let earlier = u32::try_from(written.parent).ok().filter(|parent| *parent < id);
                parent = earlier.ok_or(CheckpointError::Damaged)?;
                self.read(parent, &mut before);
            }
            read_words(from, &mut state, &before)?;
            let hash = self.store().hash(&state);
            let new = Generated { state: &state, hash, source: parent };
            let added = if id < search.starts {
                self.add_start(&state, budget)
            } else {
                self.add(new, budget).map(drop)
            };
            added.map_err(|_| CheckpointError::Damaged)?;
        }
        written.states += states;
        self.all_edges_mut().map_or(Ok(()), |edges| read_edges(edges, written, from, budget))
    }
}

/// Writes a state as its difference from another.
pub(in crate::explore) fn write_words(
    to: &mut impl Write,
    state: &[u64],
    before: &[u64],
) -> io::Result<()> {
    let mut words = state.iter().zip(before);
    words.try_for_each(|(word, before)| write_number(to, word ^ before))
}

/// Reads a state that was written as its difference from another.
pub(in crate::explore) fn read_words(
    from: &mut impl Read,
    state: &mut [u64],
    before: &[u64],
) -> io::Result<()> {
    for (word, before) in state.iter_mut().zip(before) {
        *word = read_number(from)? ^ before;
    }
    Ok(())
}

/// Writes the edges, and their sequences of labels, that there are more.
pub(in crate::explore) fn write_edges(
    edges: &Edges,
    written: &mut Written,
    to: &mut impl Write,
) -> io::Result<()> {
    let (sources, sequences) = (edges.sources(), edges.sequences());
    write_number(to, (sequences - written.sequences).into())?;
    for sequence in written.sequences..sequences {
        let labels = edges.labels(sequence);
        write_number(to, labels.len() as u64)?;
        labels.iter().try_for_each(|label| write_number(to, label.code().into()))?;
    }
    write_number(to, (sources - written.sources).into())?;
    for source in written.sources..sources {
        let (sequence, targets) = edges.encoded(source);
        write_number(to, sequence.into())?;
        write_number(to, targets.len() as u64)?;
        to.write_all(&targets)?;
    }
    (written.sources, written.sequences) = (sources, sequences);
    Ok(())
}

/// Reads and adds the edges that [`write_edges`] wrote.
pub(in crate::explore) fn read_edges(
    edges: &mut Edges,
    written: &mut Written,
    from: &mut impl Read,
    budget: &mut MemoryBudget,
) -> Result<(), CheckpointError> {
    let mut labels = Vec::new();
    for _ in 0..read_u32(from)? {
        labels.clear();
        for _ in 0..read_u32(from)? {
            let code = u16::try_from(read_number(from)?);
            labels.push(Label::of_code(code.map_err(|_| CheckpointError::Damaged)?));
        }
        edges.add_sequence(&labels, budget).map_err(|_| CheckpointError::Damaged)?;
    }
    let mut targets = Vec::new();
    for _ in 0..read_u32(from)? {
        let sequence = read_u32(from)?;
        if sequence >= edges.sequences() {
            return Err(CheckpointError::Damaged);
        }
        targets.clear();
        let length = read_number(from)?;
        from.take(length).read_to_end(&mut targets)?;
        if !are_targets(&targets, edges.labels(sequence).len()) {
            return Err(CheckpointError::Damaged);
        }
        let added = edges.add(sequence, &targets, budget);
        added.map_err(|_| CheckpointError::Damaged)?;
    }
    (written.sources, written.sequences) = (edges.sources(), edges.sequences());
    Ok(())
}
