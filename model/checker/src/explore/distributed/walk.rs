//! The paths to some states, from the processes that keep what lies on them.

use std::collections::BTreeMap;

use super::{
    Exchange, GraphPart,
    message::{MessageReader, MessageWriter},
    rounds::{round, silence, to_all},
};
use crate::{Stop, explore::PackedStates as _};

/// Some states, and all that lie on the paths to them by which they were first found.
#[derive(Clone, Debug, Default)]
pub struct KnownPaths {
    /// For each state that is known the state that it was found from, and the packed state.
    states: BTreeMap<u32, (u32, Vec<u64>)>,
}

impl KnownPaths {
    /// A shortest path from a start to this state, both included.
    ///
    /// # Panics
    /// If the state is not known.
    pub fn path_to(&self, number: u32) -> Vec<u32> {
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
    pub fn state(&self, number: u32) -> Vec<u64> {
        self.states[&number].1.clone()
    }
}

impl GraphPart {
    /// Finds the paths to the states that process 0 wants; it alone gets them. All processes call
    /// this after the search.
    ///
    /// # Errors
    /// If a process was lost, or sent what makes no sense.
    pub fn paths(&self, exchange: &dyn Exchange, wanted: &[u32]) -> Result<KnownPaths, Stop> {
        let (mut known, mut wanted) = (KnownPaths::default(), wanted.to_vec());
        let mut state = vec![0; self.words()];
        loop {
            wanted.sort_unstable();
            wanted.dedup();
            let mut question = MessageWriter::default();
            for number in &wanted {
                question.push(*number);
            }
            let questions = round(exchange, Ok(to_all(exchange, &question)))?;
            let mut question = MessageReader::new(&questions[0]);
            if question.is_empty() {
                return Ok(known);
            }
            let mut answers = silence(exchange);
            while !question.is_empty() {
                let (process, place) = self.layout.place(question.take()?);
                if process == self.process {
                    if place >= self.len() {
                        return Err(Stop::Peer);
                    }
                    self.read(place, &mut state);
                    answers[0].push(self.parent(place));
                    answers[0].push_words(&state);
                }
            }
            let answers = round(exchange, Ok(answers))?;
            let mut answers: Vec<MessageReader<'_>> =
                answers.iter().map(|it| MessageReader::new(it)).collect();
            if self.process != 0 {
                continue;
            }
            for number in std::mem::take(&mut wanted) {
                let answer = &mut answers[self.layout.place(number).0];
                let parent = answer.take_below(number.saturating_add(1))?;
                answer.take_words(&mut state)?;
                known.states.insert(number, (parent, state.clone()));
                if !known.states.contains_key(&parent) {
                    wanted.push(parent);
                }
            }
        }
    }
}
