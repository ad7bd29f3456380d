//! Values that a space numbers when they are first met: they get the same numbers in all processes.

use super::{Distributed, MessageReader, MessageWriter, Search, to_all};
use crate::{
    Stop,
    explore::{NewStates, PackedStates as _, Refused},
};

impl<S: Distributed> Search<'_, S> {
    /// To all: the states that have to be expanded everywhere, so that what they bring gets the
    /// same numbers.
    pub(super) fn unsettled(&mut self) -> Vec<MessageWriter> {
        let new = NewStates { lists: vec![&mut self.asked.states], hash: self.options.hash };
        let (mut message, mut state) = (MessageWriter::default(), vec![0; self.space.words()]);
        for place in self.space.unsettled(&new) {
            self.part.read(place, &mut state);
            message.push_words(&state);
        }
        to_all(self.exchange, &message)
    }

    /// Gives what the space numbers the numbers that it has everywhere.
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

    /// Gives values again the numbers that they had from states that were expanded everywhere.
    pub(super) fn settle_again(&mut self, sources: &[Vec<u64>]) -> Result<(), Refused> {
        let mut none = NewStates { lists: Vec::new(), hash: self.options.hash };
        let worker = self.workers.each_mut().next().expect("there is at least one worker");
        self.space.settle(worker, sources, &mut none)
    }
}
