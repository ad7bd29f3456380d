//! Paths to some states, collected from the processes that keep the states on them.

use std::collections::BTreeMap;

use super::{
    Exchange, GraphPart,
    message::{MessageReader, MessageWriter},
    rounds::{round, silence, to_all},
};
use crate::{Stop, explore::PackedStates as _};

/// Some states, with all states on the paths by which they were first found.
#[derive(Clone, Debug, Default)]
pub struct KnownPaths {
    /// For each known state its parent's number, and the packed state.
    states: BTreeMap<u64, (u64, Vec<u64>)>,
}

impl KnownPaths {
    /// A shortest path from a start to this state, both included.
    ///
    /// # Panics
    /// If the state is not known.
    pub fn path_to(&self, number: u64) -> Vec<u64> {
        let mut path = vec![number];
        let mut at = number;
        while self.states[&at].0 != at {
            at = self.states[&at].0;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The packed state with this number.
    ///
    /// # Panics
    /// If the state is not known.
    pub fn state(&self, number: u64) -> Vec<u64> {
        self.states[&number].1.clone()
    }
}

impl GraphPart {
    /// Collects the paths to the states that process 0 wants, which alone gets them. All processes
    /// call this after the search.
    ///
    /// # Errors
    /// If a process was lost, or sent a message that makes no sense.
    pub fn paths(&self, exchange: &dyn Exchange, wanted: &[u64]) -> Result<KnownPaths, Stop> {
        let (mut known, mut wanted) = (KnownPaths::default(), wanted.to_vec());
        let mut ready = Ok(());
        loop {
            wanted.sort_unstable();
            wanted.dedup();
            let mut question = MessageWriter::default();
            for number in &wanted {
                question.push(*number);
            }
            let asked = round(exchange, ready.map(|()| to_all(exchange, &question)))?;
            if asked[0].is_empty() {
                return Ok(known);
            }
            let answers = round(exchange, self.answer(exchange, &asked[0]))?;
            ready = if self.process == 0 {
                self.add_answers(&mut known, &mut wanted, &answers)
            } else {
                Ok(())
            };
        }
    }

    /// The message to process 0 with the wanted states that this process keeps.
    fn answer(&self, exchange: &dyn Exchange, wanted: &[u8]) -> Result<Vec<MessageWriter>, Stop> {
        let (mut wanted, mut answers) = (MessageReader::new(wanted), silence(exchange));
        let mut state = vec![0; self.words()];
        while !wanted.is_empty() {
            let (process, place) = self.layout.place(wanted.take()?).ok_or(Stop::Peer)?;
            if process == self.process {
                if place >= self.len() {
                    return Err(Stop::Peer);
                }
                self.read(place, &mut state);
                answers[0].push(self.parent(place));
                answers[0].push_words(&state);
            }
        }
        Ok(answers)
    }

    /// Adds the wanted states; next, those of their parents that are unknown are wanted.
    fn add_answers(
        &self,
        known: &mut KnownPaths,
        wanted: &mut Vec<u64>,
        answers: &[Vec<u8>],
    ) -> Result<(), Stop> {
        let mut answers: Vec<MessageReader<'_>> =
            answers.iter().map(|it| MessageReader::new(it)).collect();
        let mut state = vec![0; self.words()];
        for number in std::mem::take(wanted) {
            let (keeper, _) = self.layout.place(number).ok_or(Stop::Peer)?;
            let answer = &mut answers[keeper];
            let parent = answer.take_in(self.layout.first..number + 1)?;
            answer.take_words(&mut state)?;
            known.states.insert(number, (parent, state.clone()));
            if !known.states.contains_key(&parent) {
                wanted.push(parent);
            }
        }
        answers.into_iter().try_for_each(MessageReader::end)
    }
}
