//! Sets of claims that all processes have, and what they tell each other of them.

use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{MessageReader, MessageWriter},
    fair::ClaimSets,
};

/// What all processes have: a set of claims for each state, or each name of a class there.
pub(super) struct SharedClaims {
    sets: ClaimSets,
    /// Those that this process has changed in the present span. One may be there more than once.
    changes: Vec<u32>,
    /// Whether each has changed since it was looked at; empty if that does not matter.
    watched: Vec<bool>,
}

impl SharedClaims {
    /// No claims, for this number of states.
    pub(super) fn new(states: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let sets = ClaimSets::new(states, memory)?;
        Ok(Self { sets, changes: Vec::new(), watched: Vec::new() })
    }

    /// As [`Self::new`], all of which count as changed.
    pub(super) fn watched(states: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let new = Self::new(states, memory)?;
        Ok(Self { watched: memory.filled(true, states as usize)?, ..new })
    }

    /// Whether a state has changed since this was asked last.
    pub(super) fn take_watched(&mut self, state: u32) -> bool {
        std::mem::take(&mut self.watched[state as usize])
    }

    /// Does not note any longer which states have changed.
    pub(super) fn watch_no_more(&mut self, memory: &mut MemoryBudget) {
        memory.free(std::mem::take(&mut self.watched));
    }

    pub(super) fn get(&self, state: u32) -> u64 {
        self.sets.get(state)[0]
    }

    /// Gives a state a set. Another one than before is noted among the changes.
    pub(super) fn change(
        &mut self,
        state: u32,
        claims: u64,
        memory: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        if claims != self.get(state) {
            memory.reserve(&mut self.changes, 1)?;
            self.changes.push(state);
        }
        self.set(state, claims, memory)
    }

    /// Gives a state a set, of which the others know.
    pub(super) fn set(
        &mut self,
        state: u32,
        claims: u64,
        memory: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        if claims == self.get(state) {
            return Ok(());
        }
        if let Some(watched) = self.watched.get_mut(state as usize) {
            *watched = true;
        }
        self.sets.set(state, [claims], memory)
    }

    /// The changes as a message, each state once with its present set; none are left.
    pub(super) fn take_changes(&mut self) -> MessageWriter {
        self.changes.sort_unstable();
        self.changes.dedup();
        let (mut message, mut last, mut before) = (MessageWriter::default(), 0, 0);
        for state in self.changes.drain(..) {
            let [claims] = self.sets.get(state);
            message.push((state - last).into());
            message.push(claims ^ before);
            (last, before) = (state, claims);
        }
        message
    }

    /// Makes the changes of another process. They take the place of what there is, or are added to
    /// it. No others than `possible` can be among them.
    pub(super) fn make_changes(
        &mut self,
        message: &mut MessageReader<'_>,
        adds: bool,
        possible: u64,
        memory: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let (mut state, mut claims) = (0, 0);
        while !message.is_empty() {
            state = message.take()?.checked_add(state).ok_or(Stop::Peer)?;
            claims ^= message.take()?;
            let number = u32::try_from(state).ok().filter(|it| (*it as usize) < self.sets.len());
            let number = number.filter(|_| claims & !possible == 0).ok_or(Stop::Peer)?;
            let before = if adds { self.get(number) } else { 0 };
            self.set(number, before | claims, memory)?;
        }
        Ok(())
    }

    /// Gives back what the changes took.
    pub(super) fn forget_changes(&mut self, memory: &mut MemoryBudget) {
        memory.free(std::mem::take(&mut self.changes));
    }

    /// How many bytes the sets take.
    pub(super) fn bytes(&self) -> u64 {
        self.sets.bytes()
    }
}
