//! Checkpoints of several processes: each saves its own state, and all resume from the same moment.
//!
//! All write one after the same batch, and it counts once all have written theirs. So whenever
//! processes are killed, each still has the last checkpoint that counts: as its newest, or as the
//! one before that.
//!
//! Values that a space numbers get the same numbers again: the states that every process has
//! expanded are saved batch by batch, and expanded again.

use std::io::{self, Read, Write};

use super::{Distributed, Generated, MessageReader, MessageWriter, Search, round, silence, to_all};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{
        Checkpoint, CheckpointError, CheckpointOptions, Exchange, PackedStates as _, Refused,
        checkpoint::{
            Growing, SavedSearch, Written, read_edges, read_number, read_u32, read_words,
            write_edges, write_number, write_words,
        },
        chunk::Chunk,
        edges::Edges,
    },
};

/// Opens the checkpoints of several processes. All call this, each with files of its own. Only the
/// last moment of which all have a checkpoint is left to resume from.
///
/// # Errors
/// If the files of a process cannot be opened, or its checkpoint not resumed; nothing changes then.
pub fn open_together(
    options: CheckpointOptions,
    exchange: &dyn Exchange,
) -> Result<Checkpoint, CheckpointError> {
    let opened = Checkpoint::open_shared(options);
    let mut message = MessageWriter::default();
    for moment in opened.iter().flat_map(Checkpoint::moments) {
        message.push(moment);
    }
    let lost = |_| CheckpointError::PeerLost;
    let messages = round(exchange, Ok(to_all(exchange, &message))).map_err(lost)?;
    let checkpoint = opened?;
    let moments = messages.iter().map(|message| moments(message)).collect::<Result<Vec<_>, _>>();
    let moments = moments.map_err(|_| {
        exchange.leave();
        CheckpointError::PeerLost
    })?;
    checkpoint.keep_only(last_common(&moments).map_err(CheckpointError::Process)?);
    Ok(checkpoint)
}

fn moments(message: &[u8]) -> Result<Vec<u64>, Stop> {
    let (mut message, mut moments) = (MessageReader::new(message), Vec::new());
    while !message.is_empty() {
        moments.push(message.take()?);
    }
    Ok(moments)
}

/// The last moment of which all processes have a checkpoint, or as error a process that lacks it. A
/// process without moments has refused its files.
fn last_common(moments: &[Vec<u64>]) -> Result<u64, usize> {
    if let Some(process) = moments.iter().position(Vec::is_empty) {
        return Err(process);
    }
    // Process 0 is the first to remove its files after the search, so the others' are leftovers.
    if moments[0] == [0] {
        return Ok(0);
    }
    let is_common = |moment: &&u64| moments.iter().all(|it| it.contains(moment));
    let furthest_behind = || (0..moments.len()).min_by_key(|process| moments[*process].last());
    moments[0].iter().rfind(is_common).copied().ok_or_else(|| furthest_behind().unwrap_or(0))
}

impl<S: Distributed> Search<'_, S> {
    /// Resumes from the checkpoint, if it has anything.
    pub(super) fn go_on(&mut self) -> Result<(), Stop> {
        let Some(checkpoint) = self.checkpoint else { return Ok(()) };
        let Some(saved) = checkpoint.take_saved() else {
            // If process 0 has nothing, all begin anew, whatever the others have.
            let is_first = self.exchange.process() == 0;
            if is_first {
                checkpoint.begin();
            }
            self.round(Ok(silence(self.exchange)))?;
            if !is_first {
                checkpoint.begin();
            }
            return Ok(());
        };
        // This only checks that findings can be read; they are added once all processes can resume.
        let readable = |()| {
            let added = self.space.add_findings(&mut self.space.worker(), &saved.findings);
            added.map_err(|Refused| CheckpointError::Damaged)
        };
        let error = self.resume(checkpoint, &saved).and_then(readable).err();
        let first = self.first_that_cannot(error.is_none());
        if let Some(error) = error.or(first?.map(CheckpointError::Process)) {
            checkpoint.refuse(error);
            return Err(Stop::Interrupted);
        }
        let worker = self.workers.each_mut().next().expect("there is at least one worker");
        let added = self.space.add_findings(worker, &saved.findings);
        self.failed = added.err().map(|Refused| Stop::Space);
        Ok(())
    }

    /// Takes a checkpoint if one is due.
    pub(super) fn save(&mut self) -> Result<(), Stop> {
        let Some(checkpoint) = self.checkpoint else { return Ok(()) };
        let [states, expanded] = [self.states, self.expanded].map(|it| it - self.layout.first);
        if !checkpoint.is_due(states, expanded) {
            return Ok(());
        }
        // A resumed search begins with an empty cache, so this one goes on with an empty one, too.
        self.forget_recent();
        let findings = self.space.save(&mut self.workers.each_mut());
        let candidates = [&self.asked, self.owned.new_states()];
        let candidates = candidates.map(|it| it.room().map(|room| room as u64).to_vec());
        let saved = SavedSearch {
            words: self.space.words(),
            store_edges: self.options.store_edges,
            states,
            expanded,
            transitions: self.transitions,
            used: self.budget.used(),
            peak: self.budget.peak(),
            needed: self.budget.needed(),
            rooms: candidates.into_iter().chain(self.chunks.iter().map(Chunk::room)).collect(),
            findings,
            ..SavedSearch::default()
        };
        let is_written = self.failed.is_none() && checkpoint.prepare(&saved, self);
        if self.first_that_cannot(is_written)?.is_none() {
            checkpoint.count();
            self.settled.clear();
        }
        Ok(())
    }

    /// Tells all whether this process `could` do its step; returns the first that could not.
    fn first_that_cannot(&mut self, could: bool) -> Result<Option<usize>, Stop> {
        let mut message = MessageWriter::default();
        if could {
            message.push(1);
        }
        let messages = self.round(Ok(to_all(self.exchange, &message)))?;
        Ok(messages.iter().position(Vec::is_empty))
    }

    fn resume(
        &mut self,
        checkpoint: &Checkpoint,
        saved: &SavedSearch,
    ) -> Result<(), CheckpointError> {
        let ours = (self.space.words(), self.options.store_edges);
        if ours != (saved.words, saved.store_edges) || !saved.is_possible() {
            return Err(CheckpointError::Damaged);
        }
        if !self.budget.allows(saved.states, saved.needed) {
            return Err(CheckpointError::Limits { states: saved.states, bytes: saved.needed });
        }
        checkpoint.restore(saved, self)?;
        let sources = self.part.all_edges().map(Edges::sources);
        let [states, expanded] = [saved.states, saved.expanded].map(|it| self.layout.first + it);
        if self.part.len() != self.places_below(states)
            || sources.is_some_and(|it| it != self.places_below(expanded))
        {
            return Err(CheckpointError::Damaged);
        }
        (self.states, self.expanded) = (states, expanded);
        self.transitions = saved.transitions;
        let (mut budget, mut rooms) = (MemoryBudget::of(Some(saved.used)), saved.rooms.iter());
        for candidates in [&mut self.asked, self.owned.new_states_mut()] {
            let room = rooms.next().ok_or(CheckpointError::Damaged)?;
            let room: Vec<usize> = room.iter().filter_map(|it| usize::try_from(*it).ok()).collect();
            let room = room.try_into().map_err(|_| CheckpointError::Damaged)?;
            candidates.resume(room, &mut budget).map_err(|_| CheckpointError::Damaged)?;
        }
        for room in rooms {
            let mut chunk = Chunk::new(saved.words, self.options);
            chunk.resume(room, saved.used).ok_or(CheckpointError::Damaged)?;
            self.chunks.push(chunk);
        }
        // A resumed search needs the same memory, so it stops at the same state if that is short.
        let chunks: u64 = self.chunks.iter().map(|chunk| chunk.budget().used()).sum();
        if self.part.bytes() + self.owned.bytes() + budget.used() + chunks != saved.used {
            return Err(CheckpointError::Damaged);
        }
        self.budget.resume(saved.used, saved.peak, saved.needed);
        Ok(())
    }
}

impl<S: Distributed> Growing for Search<'_, S> {
    fn begun(&self) -> Written {
        self.begun
    }

    /// A word of a state is written as its difference from the word of the state before.
    fn write_more(
        &self,
        written: &mut Written,
        search: &SavedSearch,
        to: &mut impl Write,
    ) -> io::Result<()> {
        write_number(to, self.level_end)?;
        write_number(to, self.depth.into())?;
        write_number(to, self.settled.len() as u64)?;
        for sources in &self.settled {
            write_number(to, sources.len() as u64)?;
            sources.iter().flatten().try_for_each(|word| write_number(to, *word))?;
        }
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        write_number(to, (self.part.len() - written.states).into())?;
        for place in written.states..self.part.len() {
            let parent = self.part.parent(place);
            write_number(to, parent - written.parent)?;
            written.parent = parent;
            self.part.read(place, &mut state);
            write_words(to, &state, &before)?;
            before.copy_from_slice(&state);
        }
        before.fill(0);
        write_number(to, (self.owned.len() - written.owned).into())?;
        for place in written.owned..self.owned.len() {
            let number = self.owned.read(place, &mut state);
            write_number(to, number - written.number)?;
            written.number = number;
            write_words(to, &state, &before)?;
            before.copy_from_slice(&state);
        }
        (written.states, written.owned) = (self.part.len(), self.owned.len());
        self.part.all_edges().map_or(Ok(()), |edges| write_edges(edges, written, to))
    }

    fn read_more(
        &mut self,
        written: &mut Written,
        search: &SavedSearch,
        from: &mut impl Read,
        budget: &mut MemoryBudget,
    ) -> Result<(), CheckpointError> {
        (self.level_end, self.depth) = (read_number(from)?, read_u32(from)?);
        for _ in 0..read_u32(from)? {
            let mut sources = Vec::new();
            for _ in 0..read_u32(from)? {
                let state = (0..search.words).map(|_| read_number(from));
                sources.push(state.collect::<io::Result<Vec<u64>>>()?);
            }
            self.settle_again(&sources).map_err(|Refused| CheckpointError::Space)?;
        }
        let damaged = |_| CheckpointError::Damaged;
        let first = self.layout.first;
        let later = |number: u64, more: u64, end: u64| {
            let later = number.checked_add(more).filter(|it| (first..end).contains(it));
            later.ok_or(CheckpointError::Damaged)
        };
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        let (me, end) = (self.exchange.process(), first + search.states);
        for _ in 0..read_u32(from)? {
            let number = self.layout.number(me, self.part.len());
            written.parent = later(written.parent, read_number(from)?, number.min(end))?;
            read_words(from, &mut state, &before)?;
            self.part.add(number, &state, written.parent, budget).map_err(damaged)?;
            before.copy_from_slice(&state);
        }
        before.fill(0);
        for _ in 0..read_u32(from)? {
            written.number = later(written.number, read_number(from)?, end)?;
            read_words(from, &mut state, &before)?;
            let hash = (self.options.hash)(&state);
            let state = Generated { state: &state, hash, source: 0 };
            self.owned.keep(state, written.number, budget).map_err(damaged)?;
            before.copy_from_slice(state.state);
        }
        (written.states, written.owned) = (self.part.len(), self.owned.len());
        let edges = self.part.all_edges_mut();
        edges.map_or(Ok(()), |edges| read_edges(edges, written, from, budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moment_that_all_have_is_gone_on_from() {
        let common = |moments: &[&[u64]]| {
            last_common(&moments.iter().map(|it| it.to_vec()).collect::<Vec<_>>())
        };
        assert_eq!(common(&[&[0], &[0]]), Ok(0));
        assert_eq!(common(&[&[0, 4], &[0]]), Ok(0), "one was killed before it had written");
        assert_eq!(common(&[&[4, 9], &[0, 4], &[4]]), Ok(4));
        assert_eq!(common(&[&[4, 9], &[9], &[4, 9]]), Ok(9));
        assert_eq!(common(&[&[0], &[4, 9]]), Ok(0), "process 0 has answered");
        assert_eq!(common(&[&[4, 9], &[9], &[0]]), Err(2), "its files are gone");
        assert_eq!(common(&[&[9], &[4], &[9]]), Err(1), "these are old");
        assert_eq!(common(&[&[0, 4], &[0, 4], &[]]), Err(2), "it has refused them");
    }
}
