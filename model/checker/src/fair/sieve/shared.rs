//! Sets of claims that all processes hold, and the messages that keep them equal.

use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{MessageReader, MessageWriter},
    fair::ClaimSets,
};

/// A set of claims for each state, or for each pair of a state and a class name; equal in all
/// processes after each round.
pub(super) struct SharedClaims {
    sets: ClaimSets,
    /// The states that this process has changed in the present span, possibly repeated.
    changes: Vec<u32>,
    /// Whether each set has changed since it was last looked at; empty if that is not tracked.
    watched: Vec<bool>,
}

impl SharedClaims {
    /// The empty set for each of this number of states.
    pub(super) fn new(states: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let sets = ClaimSets::new(states, memory)?;
        Ok(Self { sets, changes: Vec::new(), watched: Vec::new() })
    }

    /// As [`Self::new`], with changes tracked; at first every set counts as changed.
    pub(super) fn watched(states: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let new = Self::new(states, memory)?;
        Ok(Self { watched: memory.filled(true, states as usize)?, ..new })
    }

    /// Returns whether a set has changed since the last call, and resets that.
    pub(super) fn take_watched(&mut self, state: u32) -> bool {
        std::mem::take(&mut self.watched[state as usize])
    }

    /// Stops tracking changes, and frees the memory for it.
    pub(super) fn watch_no_more(&mut self, memory: &mut MemoryBudget) {
        memory.free(std::mem::take(&mut self.watched));
    }

    pub(super) fn get(&self, state: u32) -> u64 {
        self.sets.get(state)[0]
    }

    /// Sets the claims of a state, and records a change for the other processes.
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

    /// Sets the claims of a state without recording it: the other processes do the same.
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

    /// Drains the changes into a message: each state once, with its present set.
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

    /// Applies the changes of another process: they replace the sets or, with `adds`, join them.
    ///
    /// # Errors
    /// [`Stop::Peer`] if a state does not exist or a claim is not among `possible`.
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

    /// Gives back the memory of the changes.
    pub(super) fn forget_changes(&mut self, memory: &mut MemoryBudget) {
        memory.free(std::mem::take(&mut self.changes));
    }

    /// The memory of the sets, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.sets.bytes()
    }
}
