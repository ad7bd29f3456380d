//! The search of one of several processes: batch after batch, in the rounds that all of them make.

mod saved;
mod settled;

use std::ops::Range;

pub use self::saved::open_together;
use super::{
    Distributed, Exchange, ExploredPart, GraphPart,
    findings::merge_findings,
    layout::BlockLayout,
    message::{MessageReader, MessageWriter},
    owned::{Known, NumberedStates, OwnedStates},
    rounds::{round, silence, to_all},
};
use crate::{
    Phase, SearchProgress, Stop,
    budget::MemoryBudget,
    explore::{
        CHUNKS, Checkpoint, ExploreOptions, NewStates, Refused, SearchLimits,
        candidates::Candidates,
        checkpoint::Written,
        chunk::Chunk,
        generated::{Generated, GeneratedStates},
    },
    graph::MOST_STATES,
    threads::Workers,
};

/// A smaller chunk is not worth handing to a thread.
const SMALL_CHUNK: u32 = 16;
/// How many states, with their numbers, a process remembers so that it need not ask their owners
/// again.
const MOST_RECENT: u32 = 1 << 16;
/// A bit that no number of a state has: of an answer that has a place among the new states.
const NEW: u32 = MOST_STATES + 1;

/// Explores all of `space` together with other processes, which all call this with the same space
/// and options, each within `limits` of its own, and reports to `progress` after every batch. The
/// number of states of a batch is not that of the options.
///
/// If all have opened a checkpoint [together](open_together), they go on from it if it has
/// something, and leave others there. If one of them cannot they are interrupted, and
/// [`Checkpoint::take_error`] says why.
///
/// # Panics
/// If a state does not have as many words as the space says, or a worker panics.
pub fn explore_distributed<S: Distributed>(
    space: &S,
    exchange: &dyn Exchange,
    options: &ExploreOptions,
    limits: &SearchLimits<'_>,
    checkpoint: Option<&Checkpoint>,
    progress: &dyn Fn(SearchProgress),
) -> ExploredPart<S::Worker> {
    let mut search = Search::new(space, exchange, options, limits, checkpoint);
    search.failed = search.begin().err();
    let mut stopped = search.go_on().err();
    while stopped.is_none() && search.expanded < search.states {
        stopped = search.batch().and_then(|()| search.save()).err();
        progress(search.progress());
    }
    search.end(stopped)
}

struct Search<'s, S: Distributed> {
    space: &'s S,
    exchange: &'s dyn Exchange,
    options: &'s ExploreOptions,
    limits: &'s SearchLimits<'s>,
    checkpoint: Option<&'s Checkpoint>,
    layout: BlockLayout,
    workers: Workers<S::Worker>,
    part: GraphPart,
    owned: OwnedStates,
    recent: NumberedStates,
    /// The states for which the owners are asked.
    asked: Candidates,
    /// Kept from batch to batch for their memory, and how many are in use.
    chunks: Vec<Chunk>,
    used: usize,
    budget: MemoryBudget,
    /// States that all processes have found and expanded, and the first one of the next level.
    states: u32,
    expanded: u32,
    level_end: u32,
    depth: u32,
    /// Edges of the states that this process has expanded.
    transitions: u64,
    /// Why this process has to stop, until it has told the others.
    failed: Option<Stop>,
    batch: Batch,
    /// What there is before the first batch.
    begun: Written,
    /// The states that were expanded everywhere since the last checkpoint, batch by batch.
    settled: Vec<Vec<Vec<u64>>>,
}

/// What a process knows of the present batch, from one round to the next.
#[derive(Default)]
struct Batch {
    /// For each state that was asked for, in order: its owner, and its number once that is known.
    owners: Vec<usize>,
    numbers: Vec<Option<u32>>,
    /// What this process has answered each, as an owner.
    answers: Vec<Vec<Known>>,
    /// The number of states that there are with those of this batch.
    states: u32,
}

impl<'s, S: Distributed> Search<'s, S> {
    fn new(
        space: &'s S,
        exchange: &'s dyn Exchange,
        options: &'s ExploreOptions,
        limits: &'s SearchLimits<'s>,
        checkpoint: Option<&'s Checkpoint>,
    ) -> Self {
        let (layout, words) = (BlockLayout { processes: exchange.processes() }, space.words());
        Self {
            space,
            exchange,
            options,
            limits,
            checkpoint,
            layout,
            workers: Workers::new(options.threads.min(CHUNKS as usize), || space.worker()),
            part: GraphPart::new(layout, exchange.process(), words, options, limits.spill),
            owned: OwnedStates::new(words, options.hash),
            recent: NumberedStates::new(words, options.hash),
            asked: Candidates::new(words),
            chunks: Vec::new(),
            used: 0,
            budget: MemoryBudget::new(limits.max_bytes, limits.max_states),
            states: 0,
            expanded: 0,
            level_end: 0,
            depth: 0,
            transitions: 0,
            failed: None,
            batch: Batch::default(),
            begun: Written::default(),
            settled: Vec::new(),
        }
    }

    /// Numbers the states in which runs begin, as each process does.
    fn begin(&mut self) -> Result<(), Stop> {
        let (space, hash) = (self.space, self.options.hash);
        let mut starts = GeneratedStates::new(space.words());
        for state in space.starts() {
            assert_eq!(state.len(), space.words(), "every state is as wide as the space says");
            starts.push(Generated { state: &state, hash: hash(&state), source: 0 });
        }
        let mut new = NewStates { lists: vec![&mut starts], hash };
        space.commit(&mut new).map_err(|Refused| Stop::Space)?;
        let mut different = Candidates::new(space.words());
        for start in 0..starts.len() {
            different.add(starts.get(start), &mut MemoryBudget::unlimited())?;
        }
        let me = self.exchange.process();
        for number in 0..different.len() {
            self.budget.one_more(number)?;
            let start = different.states.get(number as usize);
            if self.layout.owner(start.hash) == me {
                self.owned.keep(start, number, &mut self.budget)?;
            }
            if self.layout.place(number).0 == me {
                self.part.add(number, start.state, number, &mut self.budget)?;
            }
        }
        (self.states, self.level_end) = (different.len(), different.len());
        (self.begun.states, self.begun.owned) = (self.part.len(), self.owned.len());
        Ok(())
    }

    /// Expands the states of the next batch, and numbers what was found.
    fn batch(&mut self) -> Result<(), Stop> {
        let numbers = self.next_batch();
        let unsettled = self.expand(numbers.clone()).map(|()| self.unsettled());
        let sources = self.round(unsettled)?;
        let asked = self.settle(&sources).map(|()| self.ask());
        let asked = self.round(asked)?;
        let answered = self.answer(&asked);
        let answered = self.round(answered)?;
        let numbered = self.number(&answered);
        let numbered = self.round(numbered)?;
        let kept = self.keep(&numbered);
        let late = self.round(kept)?;
        self.failed = self.finish(&late).err();
        (self.states, self.expanded) = (self.batch.states, numbers.end);
        Ok(())
    }

    /// Sends what a step has made, and returns what other processes have sent.
    fn round(&mut self, made: Result<Vec<MessageWriter>, Stop>) -> Result<Vec<Vec<u8>>, Stop> {
        let made = self.failed.take().map_or(made, Err);
        let sent: usize = made.iter().flatten().map(MessageWriter::len).sum();
        let messages = round(self.exchange, made)?;
        let received: usize = messages.iter().map(Vec::len).sum();
        let bytes = (sent + received) as u64;
        self.failed = self.budget.take(bytes).map(|()| self.budget.give(bytes)).err();
        Ok(messages)
    }

    /// The numbers of the next batch: of one level, and of one round of blocks.
    fn next_batch(&mut self) -> Range<u32> {
        if self.expanded == self.level_end {
            self.level_end = self.states;
            self.depth += 1;
        }
        self.expanded..self.level_end.min(self.layout.round_end(self.expanded))
    }

    /// Expands the states of the batch that this process keeps.
    fn expand(&mut self, numbers: Range<u32>) -> Result<(), Stop> {
        self.failed.take().or_else(self.limits.stop).map_or(Ok(()), Err)?;
        if self.recent.store().len() > MOST_RECENT {
            self.forget_recent();
        }
        self.owned.begin();
        self.asked.clear();
        let (places, offset) = self.layout.part(self.exchange.process(), numbers);
        let size = places.end - places.start;
        let size = size.div_ceil(CHUNKS).max(SMALL_CHUNK);
        let firsts = places.clone().step_by(size as usize);
        self.used = firsts.len();
        while self.chunks.len() < self.used {
            self.chunks.push(Chunk::new(self.space.words(), self.options));
        }
        let chunks = &mut self.chunks[..self.used];
        let share = self.budget.left() / chunks.len().max(1) as u64;
        for (chunk, first) in chunks.iter_mut().zip(firsts) {
            chunk.begin(first..places.end.min(first + size), share);
        }
        let (space, limits) = (self.space, self.limits);
        let (sources, known) = (self.part.sources(offset), self.recent.store());
        self.workers.run(chunks, |worker, chunk| {
            chunk.expand(space, worker, sources, known, limits);
        });
        self.budget.absorb(chunks.iter().map(Chunk::budget));
        chunks.iter().try_for_each(Chunk::ended)?;
        for chunk in chunks {
            chunk.merge_into(&mut self.asked, offset, &mut self.budget)?;
        }
        Ok(())
    }

    fn forget_recent(&mut self) {
        self.budget.give(self.recent.bytes());
        self.recent = NumberedStates::new(self.space.words(), self.options.hash);
    }

    /// To the owners: the states whose numbers this process does not know.
    fn ask(&mut self) -> Vec<MessageWriter> {
        let mut messages = silence(self.exchange);
        self.batch.owners.clear();
        for place in 0..self.asked.states.len() {
            let Generated { state, hash, .. } = self.asked.states.get(place);
            let owner = self.layout.owner(hash);
            messages[owner].push_words(state);
            self.batch.owners.push(owner);
        }
        messages
    }

    /// To those that asked: how many new states each process is the first to have, and of each
    /// state its number, or its place among the new ones.
    fn answer(&mut self, messages: &[Vec<u8>]) -> Result<Vec<MessageWriter>, Stop> {
        let (words, me) = (self.space.words(), self.exchange.process());
        self.batch.answers.clear();
        for message in messages {
            let mut message = MessageReader::new(message);
            let mut states = Vec::with_capacity(message.rest().len() / size_of::<u64>());
            while !message.is_empty() {
                let from = states.len();
                states.resize(from + words, 0);
                message.take_words(&mut states[from..])?;
                let hash = (self.options.hash)(&states[from..]);
                if self.layout.owner(hash) != me {
                    return Err(Stop::Peer);
                }
            }
            self.batch.answers.push(self.owned.look_up(&states, &mut self.budget)?);
        }
        let messages = self.batch.answers.iter().map(|answers| {
            let mut message = MessageWriter::default();
            self.owned.firsts().iter().for_each(|first| message.push(*first));
            for answer in answers {
                message.push(match answer {
                    Known::As(number) => *number,
                    Known::New(place) => *place | NEW,
                });
            }
            message
        });
        Ok(messages.collect())
    }

    /// Numbers the states that this process is the first to have. To their owners: their numbers;
    /// to those who keep them: the states themselves.
    fn number(&mut self, messages: &[Vec<u8>]) -> Result<Vec<MessageWriter>, Stop> {
        let (me, processes) = (self.exchange.process(), messages.len());
        let mut answers: Vec<MessageReader<'_>> =
            messages.iter().map(|it| MessageReader::new(it)).collect();
        // How many each process is the first to have, and where mine lie at each owner.
        let (mut counts, mut mine) = (vec![0_u64; processes], Vec::with_capacity(processes));
        for answer in &mut answers {
            let mut firsts = vec![answer.take()?];
            for count in &mut counts {
                let (last, next) = (firsts[firsts.len() - 1], answer.take_below(NEW)?);
                *count += u64::from(next.checked_sub(last).ok_or(Stop::Peer)?);
                firsts.push(next);
            }
            mine.push(firsts[me]..firsts[me + 1]);
        }
        let states = u64::from(self.states) + counts.iter().sum::<u64>();
        self.batch.states = u32::try_from(states).map_err(|_| Stop::States)?;
        if let Some(last) = self.batch.states.checked_sub(1) {
            self.budget.one_more(last)?;
        }
        let before = u64::from(self.states) + counts[..me].iter().sum::<u64>();
        let mut next = u32::try_from(before).map_err(|_| Stop::States)?;
        let end = before + counts[me];
        let (mut numbers, mut states) = (silence(self.exchange), silence(self.exchange));
        let mut numbered = vec![0; processes];
        self.batch.numbers.clear();
        for (place, owner) in self.batch.owners.iter().enumerate() {
            let (answer, mine) = (answers[*owner].take()?, &mine[*owner]);
            let new = answer & !NEW;
            self.batch.numbers.push(if answer & NEW == 0 {
                Some(answer).filter(|number| *number < self.states).ok_or(Stop::Peer).map(Some)?
            } else if mine.contains(&new) {
                // An owner goes through them in the order in which it was asked.
                if new != mine.start + numbered[*owner] {
                    return Err(Stop::Peer);
                }
                numbered[*owner] += 1;
                let Generated { state, source, .. } = self.asked.states.get(place);
                let keeper = &mut states[self.layout.place(next).0];
                keeper.push(next);
                keeper.push(source);
                keeper.push_words(state);
                numbers[*owner].push(next);
                next += 1;
                Some(next - 1)
            } else if new < mine.start {
                None
            } else {
                return Err(Stop::Peer);
            });
        }
        answers.into_iter().try_for_each(MessageReader::end)?;
        if u64::from(next) != end {
            return Err(Stop::Peer);
        }
        for (numbers, states) in numbers.iter_mut().zip(states) {
            numbers.append(states);
        }
        Ok(numbers)
    }

    /// Keeps the new states that this process owns, and those that it is to expand. To those that
    /// were not the first to have a state: its number.
    fn keep(&mut self, messages: &[Vec<u8>]) -> Result<Vec<MessageWriter>, Stop> {
        let (before, after) = (self.states, self.batch.states);
        let firsts = self.owned.firsts().to_vec();
        let (mut numbers, mut state) = (Vec::new(), vec![0; self.space.words()]);
        for (process, message) in messages.iter().enumerate() {
            let mut message = MessageReader::new(message);
            for _ in firsts[process]..firsts[process + 1] {
                let number = message.take_below(after)?;
                if number < before || numbers.last().is_some_and(|last| number <= *last) {
                    return Err(Stop::Peer);
                }
                numbers.push(number);
            }
            while !message.is_empty() {
                let (number, parent) = (message.take()?, message.take_below(before)?);
                message.take_words(&mut state)?;
                self.part.add(number, &state, parent, &mut self.budget)?;
            }
        }
        self.owned.keep_new(&numbers, &mut self.budget)?;
        let mut messages = silence(self.exchange);
        for (process, answers) in self.batch.answers.iter().enumerate() {
            for answer in answers {
                if let Known::New(place) = answer
                    && *place < firsts[process]
                {
                    messages[process].push(numbers[*place as usize]);
                }
            }
        }
        Ok(messages)
    }

    /// Keeps the edges of the states that this process has expanded, and remembers the numbers of
    /// the states that they lead to.
    fn finish(&mut self, messages: &[Vec<u8>]) -> Result<(), Stop> {
        let mut late: Vec<MessageReader<'_>> =
            messages.iter().map(|it| MessageReader::new(it)).collect();
        let mut numbers = Vec::with_capacity(self.batch.numbers.len());
        for (number, owner) in self.batch.numbers.iter().zip(&self.batch.owners) {
            numbers.push(match number {
                Some(number) => *number,
                None => late[*owner].take_below(self.batch.states)?,
            });
        }
        late.into_iter().try_for_each(MessageReader::end)?;
        let chunks = &mut self.chunks[..self.used];
        if self.options.store_edges {
            let (part, recent) = (&self.part, &self.recent);
            self.workers.run(chunks, |_, chunk| {
                chunk.renumber(|place| numbers[place as usize]);
                chunk.encode(|known| recent.number(known), |labels| part.sequence(labels));
            });
        }
        for chunk in chunks {
            for source in 0..chunk.complete() {
                if self.options.store_edges {
                    let (labels, sequence, targets) = chunk.encoded_edges(source);
                    self.part.add_edges(labels, sequence, targets, &mut self.budget)?;
                }
                self.transitions += chunk.degree(source);
            }
        }
        for (place, number) in numbers.iter().enumerate() {
            self.recent.add(self.asked.states.get(place), *number, &mut self.budget)?;
        }
        Ok(())
    }

    fn progress(&self) -> SearchProgress {
        SearchProgress {
            phase: Phase::Exploring,
            states: self.states.into(),
            // What the others have taken is not known before the end.
            transitions: self.transitions * self.exchange.processes() as u64,
            depth: self.depth(),
            frontier: (self.states - self.expanded).into(),
            bytes: self.budget.used(),
        }
    }

    fn depth(&self) -> u32 {
        self.depth + u32::from(self.states > self.level_end)
    }

    /// Tells all what this process has found. After a search that stopped, too, unless one was
    /// lost.
    fn end(mut self, stopped: Option<Stop>) -> ExploredPart<S::Worker> {
        let (space, depth) = (self.space, self.depth());
        let last = stopped.map_or_else(|| self.round(Ok(silence(self.exchange))).err(), Some);
        let saved = space.save(&mut self.workers.each_mut());
        let findings = self.workers.into_each().reduce(|mut all, worker| {
            space.merge(&mut all, worker);
            all
        });
        let mut found = ExploredPart {
            part: self.part,
            findings: findings.expect("there is at least one worker"),
            stopped: last,
            states: self.states,
            transitions: self.transitions,
            depth,
            bytes: self.budget.peak(),
        };
        if found.stopped != Some(Stop::Peer) {
            let told = merge_findings(space, self.exchange, &mut found, &saved);
            found.stopped = told.err().or(found.stopped);
        }
        found
    }
}
