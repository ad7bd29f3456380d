//! The search of one process: batch after batch, in the rounds that all processes make.

mod saved;
mod settled;

use std::ops::Range;

pub use self::saved::open_together;
use super::{
    Distributed, Exchange, ExploredPart, GraphPart,
    findings::merge_findings,
    layout::BlockLayout,
    message::{MessageReader, MessageWriter},
    numbers::low,
    owned::{OwnedStates, OwnerAnswer, RecentStates},
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
        limits::POLL,
    },
    graph::MOST_STATES,
    threads::Workers,
};

/// The least number of states of a chunk: a smaller one is not worth handing to a thread.
const SMALL_CHUNK: u32 = 16;
/// The number of states in the cache of known numbers at which it is emptied.
const MOST_RECENT: u32 = 1 << 16;

/// Explores all of `space` together with other processes, which all call this with the same space
/// and options, each within `limits` of its own. Reports to `progress` after every batch. The
/// option `batch` is ignored: batches follow the layout of blocks.
///
/// If all have opened a checkpoint [together](open_together), they resume from it if it is not
/// empty, and take others there. If one of them cannot, all are interrupted, and
/// [`Checkpoint::take_error`] has the reason.
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
    recent: RecentStates,
    /// The states whose owners are asked for their numbers.
    asked: Candidates,
    /// Chunks, which are reused by all batches, and the number in use.
    chunks: Vec<Chunk>,
    used: usize,
    budget: MemoryBudget,
    /// Ends of ranges of numbers: of the states found by all processes, of the expanded ones, and
    /// of the present level.
    states: u64,
    expanded: u64,
    level_end: u64,
    depth: u32,
    /// The number of edges of the states that this process has expanded.
    transitions: u64,
    /// A failure of this process that the others do not know of yet; the next round sends it.
    failed: Option<Stop>,
    batch: Batch,
    /// The sizes written before the first batch.
    begun: Written,
    /// The states that were expanded in all processes since the last checkpoint, batch by batch.
    settled: Vec<Vec<Vec<u64>>>,
}

/// The data of the present batch that later rounds need.
#[derive(Default)]
struct Batch {
    /// For each state of `asked`: its owner, and the lower bits of its number once that is known.
    owners: Vec<usize>,
    numbers: Vec<Option<u32>>,
    /// The answers of this process, as an owner, to each process.
    answers: Vec<Vec<OwnerAnswer>>,
    /// The end of the numbers of all states, those of this batch included.
    states: u64,
}

impl<'s, S: Distributed> Search<'s, S> {
    fn new(
        space: &'s S,
        exchange: &'s dyn Exchange,
        options: &'s ExploreOptions,
        limits: &'s SearchLimits<'s>,
        checkpoint: Option<&'s Checkpoint>,
    ) -> Self {
        let (words, first) = (space.words(), options.first);
        let layout = BlockLayout { processes: exchange.processes(), first };
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
            recent: RecentStates::new(words, options.hash),
            asked: Candidates::new(words),
            chunks: Vec::new(),
            used: 0,
            budget: limits.budget(layout.most_states()),
            states: first,
            expanded: first,
            level_end: first,
            depth: 0,
            transitions: 0,
            failed: None,
            batch: Batch::default(),
            begun: Written::default(),
            settled: Vec::new(),
        }
    }

    /// Numbers the start states, in the same way in each process.
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
        for (start, number) in (0..different.len()).zip(self.states..) {
            self.budget.one_more(start.into())?;
            let start = different.states.get(start as usize);
            if self.layout.owner(start.hash) == me {
                self.owned.keep(start, number, &mut self.budget)?;
            }
            if self.keeper(number)? == me {
                self.part.add(number, start.state, number, &mut self.budget)?;
            }
        }
        self.states += u64::from(different.len());
        self.level_end = self.states;
        (self.begun.states, self.begun.owned) = (self.part.len(), self.owned.len());
        Ok(())
    }

    /// Expands the states of the next batch, and numbers the new ones.
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

    /// Sends the messages of a step, and returns those of all processes.
    fn round(&mut self, made: Result<Vec<MessageWriter>, Stop>) -> Result<Vec<Vec<u8>>, Stop> {
        let made = self.failed.take().map_or(made, Err);
        let sent: usize = made.iter().flatten().map(MessageWriter::len).sum();
        let messages = round(self.exchange, made)?;
        let received: usize = messages.iter().map(Vec::len).sum();
        let bytes = (sent + received) as u64;
        self.failed = self.budget.take(bytes).map(|()| self.budget.give(bytes)).err();
        Ok(messages)
    }

    /// The numbers of the next batch, which lies in one level and in one round of blocks.
    fn next_batch(&mut self) -> Range<u64> {
        if self.expanded == self.level_end {
            self.level_end = self.states;
            self.depth += 1;
        }
        self.expanded..self.level_end.min(self.layout.round_end(self.expanded))
    }

    /// Expands the states of the batch that this process keeps.
    fn expand(&mut self, numbers: Range<u64>) -> Result<(), Stop> {
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
            chunk.merge_into(&mut self.asked, &mut self.budget)?;
        }
        Ok(())
    }

    /// The process that keeps the state with this number.
    fn keeper(&self, number: u64) -> Result<usize, Stop> {
        self.layout.place(number).map(|(keeper, _)| keeper).ok_or(Stop::States)
    }

    /// The end of the places that this process has of the numbers below `number`.
    fn places_below(&self, number: u64) -> u32 {
        self.layout.places(self.exchange.process(), self.layout.first..number).end
    }

    fn forget_recent(&mut self) {
        self.budget.give(self.recent.bytes());
        self.recent = RecentStates::new(self.space.words(), self.options.hash);
    }

    /// The messages to the owners: the states whose numbers this process does not know.
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

    /// The messages to the askers: the ranges of new states by their first process, and for each
    /// state asked for its number or its index among the new ones; the lowest bit says which.
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
            self.owned.firsts().iter().for_each(|first| message.push((*first).into()));
            for answer in answers {
                message.push(match answer {
                    OwnerAnswer::Numbered(number) => *number << 1,
                    OwnerAnswer::New(place) => u64::from(*place) << 1 | 1,
                });
            }
            message
        });
        Ok(messages.collect())
    }

    /// Numbers the states that this process is the first to have. The messages have the numbers for
    /// the owners, and the states themselves for the processes that keep them.
    fn number(&mut self, messages: &[Vec<u8>]) -> Result<Vec<MessageWriter>, Stop> {
        let (me, processes) = (self.exchange.process(), messages.len());
        let mut answers: Vec<MessageReader<'_>> =
            messages.iter().map(|it| MessageReader::new(it)).collect();
        // The number of states for which each process is the first, and my range at each owner.
        let (mut counts, mut mine) = (vec![0_u64; processes], Vec::with_capacity(processes));
        for answer in &mut answers {
            let mut firsts = vec![answer.take_in(0..1)?];
            for count in &mut counts {
                let last = firsts[firsts.len() - 1];
                let next = answer.take_in(last..u64::from(MOST_STATES) + 1)?;
                *count += next - last;
                firsts.push(next);
            }
            mine.push(firsts[me]..firsts[me + 1]);
        }
        self.batch.states = self.states + counts.iter().sum::<u64>();
        if let Some(others) = (self.batch.states - self.layout.first).checked_sub(1) {
            self.budget.one_more(others)?;
        }
        let mut next = self.states + counts[..me].iter().sum::<u64>();
        let end = next + counts[me];
        let (mut numbers, mut states) = (silence(self.exchange), silence(self.exchange));
        let mut numbered = vec![0; processes];
        self.batch.numbers.clear();
        for (place, owner) in self.batch.owners.iter().enumerate() {
            let (answer, mine) = (answers[*owner].take()?, &mine[*owner]);
            let (is_new, which) = (answer & 1 == 1, answer >> 1);
            self.batch.numbers.push(if !is_new {
                let is_known = (self.layout.first..self.states).contains(&which);
                is_known.then_some(Some(low(which))).ok_or(Stop::Peer)?
            } else if mine.contains(&which) {
                // An owner's new states are in the order in which it was asked.
                if which != mine.start + numbered[*owner] {
                    return Err(Stop::Peer);
                }
                numbered[*owner] += 1;
                let Generated { state, source, .. } = self.asked.states.get(place);
                let keeper = &mut states[self.keeper(next)?];
                keeper.push(next);
                keeper.push(self.layout.number(me, source));
                keeper.push_words(state);
                numbers[*owner].push(next);
                next += 1;
                Some(low(next - 1))
            } else if which < mine.start {
                None
            } else {
                return Err(Stop::Peer);
            });
        }
        answers.into_iter().try_for_each(MessageReader::end)?;
        if next != end {
            return Err(Stop::Peer);
        }
        for (numbers, states) in numbers.iter_mut().zip(states) {
            numbers.append(states);
        }
        Ok(numbers)
    }

    /// Adds the new states that this process owns or keeps. The messages have the numbers for the
    /// processes that were not the first to have a state.
    fn keep(&mut self, messages: &[Vec<u8>]) -> Result<Vec<MessageWriter>, Stop> {
        let (before, after) = (self.states, self.batch.states);
        let firsts = self.owned.firsts().to_vec();
        let (mut numbers, mut state) = (Vec::new(), vec![0; self.space.words()]);
        let mut added = 0;
        for (process, message) in messages.iter().enumerate() {
            let mut message = MessageReader::new(message);
            for _ in firsts[process]..firsts[process + 1] {
                let least = numbers.last().map_or(before, |last| last + 1);
                numbers.push(message.take_in(least..after)?);
            }
            while !message.is_empty() {
                added += state.len();
                if added >= POLL {
                    (self.limits.stop)().map_or(Ok(()), Err)?;
                    added = 0;
                }
                let number = message.take_in(before..after)?;
                let parent = message.take_in(self.layout.first..before)?;
                message.take_words(&mut state)?;
                self.part.add(number, &state, parent, &mut self.budget)?;
            }
        }
        if self.part.len() != self.places_below(after) {
            return Err(Stop::Peer);
        }
        self.owned.keep_new(&numbers, &mut self.budget)?;
        let mut messages = silence(self.exchange);
        for (process, answers) in self.batch.answers.iter().enumerate() {
            for answer in answers {
                if let OwnerAnswer::New(place) = answer
                    && *place < firsts[process]
                {
                    messages[process].push(numbers[*place as usize]);
                }
            }
        }
        Ok(messages)
    }

    /// Stores the edges of the states that this process has expanded; caches target numbers.
    fn finish(&mut self, messages: &[Vec<u8>]) -> Result<(), Stop> {
        let mut late: Vec<MessageReader<'_>> =
            messages.iter().map(|it| MessageReader::new(it)).collect();
        let mut numbers = Vec::with_capacity(self.batch.numbers.len());
        for (number, owner) in self.batch.numbers.iter().zip(&self.batch.owners) {
            numbers.push(match number {
                Some(number) => *number,
                None => low(late[*owner].take_in(self.states..self.batch.states)?),
            });
        }
        late.into_iter().try_for_each(MessageReader::end)?;
        let chunks = &mut self.chunks[..self.used];
        if self.options.store_edges {
            let (part, recent) = (&self.part, &self.recent);
            self.workers.run(chunks, |_, chunk| {
                chunk.encode(
                    |known| recent.number(known),
                    |new| numbers[new as usize],
                    |labels| part.sequence(labels),
                );
            });
        }
        for chunk in chunks {
            if let Some(edges) = self.part.all_edges_mut() {
                chunk.keep_edges(edges, &mut self.budget)?;
            }
            self.transitions += chunk.transitions(chunk.complete());
        }
        for (place, number) in numbers.iter().enumerate() {
            self.recent.add(self.asked.states.get(place), *number, &mut self.budget)?;
        }
        Ok(())
    }

    fn progress(&self) -> SearchProgress {
        SearchProgress {
            phase: Phase::Exploring,
            states: self.states - self.layout.first,
            // The transitions of the others are not known before the end, so this is an estimate.
            transitions: self.transitions * self.exchange.processes() as u64,
            depth: self.depth(),
            frontier: self.states - self.expanded,
            bytes: self.budget.used(),
        }
    }

    fn depth(&self) -> u32 {
        self.depth + u32::from(self.states > self.level_end)
    }

    /// Merges the findings of all processes; also after a search that stopped, unless one was lost.
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
            states: self.states - self.layout.first,
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
