//! The whole graph at one process, as a search by that process alone would have left it.

use super::{
    Exchange, PartOfGraph,
    message::{MessageReader, MessageWriter},
    rounds::{round, silence},
};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{ExploreOptions, PackedStates as _, SearchLimits, StateGraph, edges::encode_targets},
    graph::Label,
};

impl PartOfGraph<'_> {
    /// Collects the graph, which was explored to its end, at process 0; the others get an empty
    /// one. All processes call this after the search. The memory of the graph counts beside that of
    /// this part, and its edges go to disk if those of parts do.
    ///
    /// # Errors
    /// If a limit is reached, or a process was lost.
    pub fn gather(
        self,
        exchange: &dyn Exchange,
        limits: &SearchLimits<'_>,
    ) -> Result<StateGraph, Stop> {
        let (part, states) = (self.part, self.states);
        let mut graph = StateGraph::new(part.words(), &ExploreOptions::default(), limits.spill);
        graph.forget_index();
        let mut budget = MemoryBudget::of(limits.max_bytes);
        let mut ready = budget.take(part.bytes());
        let (mut begin, end_of_all) = (0, states.into());
        while begin < end_of_all {
            let end = self.layout.round_end(begin).min(end_of_all);
            let sent = ready.and_then(|()| (limits.stop)().map_or(Ok(()), Err)).map(|()| {
                let mut messages = silence(exchange);
                let places = self.layout.places(part.process, begin..end);
                places.for_each(|place| self.write(place, &mut messages[0]));
                messages
            });
            let messages = round(exchange, sent)?;
            ready = Ok(());
            if part.process == 0 {
                let mut messages = messages.iter();
                ready = messages.try_for_each(|it| add_all(&mut graph, it, states, &mut budget));
                if ready.is_ok() && u64::from(graph.states()) != end {
                    ready = Err(Stop::Peer);
                }
            }
            begin = end;
        }
        round(exchange, ready.map(|()| silence(exchange)))?;
        Ok(graph)
    }

    /// Writes the state at this place, its parent and its edges.
    fn write(self, place: u32, message: &mut MessageWriter) {
        let mut state = vec![0; self.part.words()];
        self.part.read(place, &mut state);
        message.push(self.parent(place).into());
        message.push_words(&state);
        let edges = self.stored_edges(place);
        message.push(edges.len() as u64);
        for (target, label) in edges {
            message.push(target.into());
            message.push(label.code().into());
        }
    }
}

/// Adds the states that a process has sent.
fn add_all(
    graph: &mut StateGraph,
    message: &[u8],
    states: u32,
    budget: &mut MemoryBudget,
) -> Result<(), Stop> {
    let (mut message, mut state) = (MessageReader::new(message), vec![0; graph.words()]);
    let (mut labels, mut targets, mut encoded) = (Vec::new(), Vec::new(), Vec::new());
    while !message.is_empty() {
        let parent = message.take_below(graph.states().saturating_add(1))?;
        message.take_words(&mut state)?;
        let number = graph.append(&state, parent, budget)?;
        labels.clear();
        targets.clear();
        encoded.clear();
        for _ in 0..message.take()? {
            targets.push(message.take_below(states)?);
            labels.push(Label::of_code(u16::try_from(message.take()?).map_err(|_| Stop::Peer)?));
        }
        encode_targets(number, targets.iter().copied(), &mut encoded);
        if let Some(edges) = graph.all_edges_mut() {
            let sequence = edges.add_sequence(&labels, budget)?;
            edges.add(sequence, &encoded, budget)?;
        }
    }
    Ok(())
}
