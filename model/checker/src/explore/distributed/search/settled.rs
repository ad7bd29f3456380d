//! Values that a space numbers when they are first met: all processes give them the same numbers.

use super::{Distributed, MessageReader, MessageWriter, Search, to_all};
use crate::{
    Stop,
    explore::{NewStates, PackedStates as _, Refused},
};

impl<S: Distributed> Search<'_, S> {
    /// The message to all: the states that every process has to expand, so that the values of their
    /// successors get the same numbers.
    pub(super) fn unsettled(&mut self) -> Vec<MessageWriter> {
        let new = NewStates { lists: vec![&mut self.asked.states], hash: self.options.hash };
        let (mut message, mut state) = (MessageWriter::default(), vec![0; self.space.words()]);
        for place in self.space.unsettled(&new) {
            self.part.read(place, &mut state);
            message.push_words(&state);
        }
        to_all(self.exchange, &message)
    }

    /// Numbers the values of the batch as all processes do.
    pub(super) fn settle(&mut self, messages: &[Vec<u8>]) -> Result<(), Stop> {
        let mut sources = Vec::new();
        for message in messages {
            let mut message = MessageReader::new(message);
            while !message.is_empty() {
                let mut state = vec![0; self.space.words()];
                message.take_words(&mut state)?;
                sources.push(state);
            }
        }
        let mut new = NewStates { lists: vec![&mut self.asked.states], hash: self.options.hash };
        let worker = self.workers.each_mut().next().expect("there is at least one worker");
        self.space.settle(worker, &sources, &mut new).map_err(|Refused| Stop::Space)?;
        if self.checkpoint.is_some() && !sources.is_empty() {
            self.settled.push(sources);
        }
        Ok(())
    }

    /// Numbers values as a saved search did, from the states that all processes had expanded.
    pub(super) fn settle_again(&mut self, sources: &[Vec<u64>]) -> Result<(), Refused> {
        let mut none = NewStates { lists: Vec::new(), hash: self.options.hash };
        let worker = self.workers.each_mut().next().expect("there is at least one worker");
        self.space.settle(worker, sources, &mut none)
    }
}
