//! The sieve: by several processes, of which none has the whole graph, which claims hold.
//!
//! A claim is violated if it is pending in a terminal state, or on a fair cycle. So from the states
//! in which it is pending all those are dropped that lie on no fair cycle, as far as that can be
//! told by looking from one state to the next: those without an edge to a state that is left, and
//! those from which some class that has to move cannot get to where it moves, or cannot. On a
//! fair cycle each state has such an edge and gets to such places, so no state of one is dropped. A
//! claim of which nothing is left holds; the others are for [`leads`](super::leads) to decide.
//!
//! Every process has what is pending in every state, which takes two bytes for each, and sees the
//! edges of the states that it keeps. All states are gone through in spans, and after each the
//! processes tell each other what has changed. Numbers rise along most edges, so what must follow
//! is carried on in one sweep through them all, upwards, and what is dropped in one that goes down;
//! sweeps are repeated until nothing changes. What is left does not depend on the order.

use std::ops::Range;

use super::{
    ClaimSets, Limits, MOST_CLAIMS, Masks, StateValues, lasting, mask_of, may_stop,
    obligations::{count, goes_on},
};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{Exchange, MessageReader, MessageWriter, PartOfGraph, round, to_all},
    graph::{Fairness, Label},
};

/// The most spans of a sweep.
const SPANS: u32 = 1 << 6;
/// The least states of a span.
const SMALLEST_SPAN: u32 = 1 << 9;

/// What a sieve has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieved {
    /// In how many states each claim has its `from`.
    pub from_states: [u64; MOST_CLAIMS],
    /// The claims that may be violated: the others hold.
    pub left: u64,
}

/// Sieves the first `claims` claims in a graph, which was explored to its end. `masks` are those of
/// the states of this part of it, unless there was no memory for them. All processes call it, and
/// find the same. What is counted of `memory` is given back.
///
/// # Errors
/// If one of the processes has no memory, `stop` gives a reason to, or a process was lost.
///
/// # Panics
/// If there are more than [`MOST_CLAIMS`] claims.
pub fn sieve(
    graph: PartOfGraph<'_>,
    exchange: &dyn Exchange,
    fairness: &[Fairness],
    (masks, claims): (Result<Masks, Stop>, usize),
    memory: &mut MemoryBudget,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Sieved, Stop> {
    let (claims, limits) = (mask_of(claims), Limits { ticks: 0, memory, stop });
    let mut sieve = Sieve { graph, exchange, fairness, claims, limits, failed: None };
    let (masks, from_states) = sieve.share(masks)?;
    let mut left = sieve.pending(&masks)?;
    masks.free(sieve.limits.memory);
    let at_terminals = sieve.at_terminals(&left)?;
    sieve.keep_only(&mut left, !at_terminals)?;
    loop {
        while sieve.peel(&mut left)? {}
        if !sieve.drop_unfair(&mut left)? {
            break;
        }
    }
    let on_cycles = sieve.all(&left);
    sieve.limits.memory.give(left.values.bytes());
    sieve.agree(Ok(()))?;
    Ok(Sieved { from_states, left: at_terminals | on_cycles })
}

struct Sieve<'s> {
    graph: PartOfGraph<'s>,
    exchange: &'s dyn Exchange,
    fairness: &'s [Fairness],
    claims: u64,
    limits: Limits<'s>,
    /// Why this process has to stop, until it has told the others.
    failed: Option<Stop>,
}

/// What all processes have: a set of claims for each state.
struct Shared {
    values: ClaimSets,
    /// The states whose values this process has changed in the present span. One may be there more
    /// than once.
    changes: Vec<u32>,
    /// For each state whether it has changed since it was looked at; empty if that does not matter.
    is_changed: Vec<bool>,
}

/// In which direction a sweep goes through the states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// A state that this process keeps: its place, and its number.
type Kept = (u32, u32);

/// What is done with such a state.
type Visit<'l> = dyn FnMut(&mut Shared, Kept, &mut Limits<'_>) -> Result<(), Stop> + 'l;

impl Sieve<'_> {
    /// Tells all what the claims say of the states that this process keeps. Returns what they say
    /// of each state, and in how many each has its `from`.
    fn share(&mut self, masks: Result<Masks, Stop>) -> Result<(Masks, [u64; MOST_CLAIMS]), Stop> {
        let own = self.agree(masks)?;
        let mut values = self.new_values::<2>()?;
        let (mut counts, me) = ([0; MOST_CLAIMS], self.exchange.process());
        for span in self.spans(Direction::Up) {
            let (mut message, mut last) = (MessageWriter::default(), [0, 0]);
            for (place, _) in self.graph.kept_by(me, span.clone()) {
                let said = own.get(place);
                said.iter().zip(last).for_each(|(word, last)| message.push(word ^ last));
                last = said;
            }
            for (process, message) in (0..).zip(self.round(Ok(message))?) {
                let (mut message, mut said) = (MessageReader::new(&message), [0, 0]);
                let mut kept = self.graph.kept_by(process, span.clone());
                let read = kept.try_for_each(|(_, number)| {
                    for word in &mut said {
                        *word ^= message.take()?;
                    }
                    count(&mut counts, said[0] & self.claims, 1);
                    values.set(number, said, self.limits.memory)
                });
                self.note(read.and_then(|()| message.end()));
            }
        }
        own.free(self.limits.memory);
        Ok((Masks(values), counts))
    }

    /// The claims that are pending in each state.
    fn pending(&mut self, masks: &Masks) -> Result<Shared, Stop> {
        let (graph, mut pending) = (self.graph, self.new_shared()?);
        let is_changed = self.limits.memory.filled(true, self.graph.states as usize);
        pending.is_changed = self.agree(is_changed)?;
        let set = (0..self.graph.states).try_for_each(|state| {
            // Each state is reachable, so its `from` counts.
            let [from, to] = masks.get(state);
            pending.values.set(state, [from & !to & self.claims], self.limits.memory)
        });
        self.agree(set)?;
        while self.sweep(Direction::Up, &mut pending, &mut |pending, (place, state), limits| {
            if std::mem::take(&mut pending.is_changed[state as usize]) {
                let here = pending.get(state);
                for (next, _) in graph.edges(place) {
                    let there = pending.get(next);
                    if here & !there != 0 {
                        pending.change(next, there | here & !masks.get(next)[1], limits)?;
                    }
                }
            }
            Ok(())
        })? {}
        self.limits.memory.free(std::mem::take(&mut pending.is_changed));
        Ok(pending)
    }

    /// The claims that are pending in some terminal state.
    fn at_terminals(&mut self, pending: &Shared) -> Result<u64, Stop> {
        let mut found = 0;
        for (place, state) in self.graph.kept_by(self.exchange.process(), 0..self.graph.states) {
            let mask = pending.get(state);
            if mask & found != mask && may_stop(self.fairness, self.graph.edges(place)) {
                found |= mask;
            }
        }
        self.union(&[found]).map(|all| all[0])
    }

    /// Drops the states that have no edge to one that is left. Returns whether there were any.
    fn peel(&mut self, left: &mut Shared) -> Result<bool, Stop> {
        let graph = self.graph;
        self.sweep(Direction::Down, left, &mut |left, (place, state), limits| {
            let mask = left.get(state);
            if mask == 0 {
                return Ok(());
            }
            let lasting = goes_on(mask, lasting(graph.edges(place)), |next| left.get(next));
            left.change(state, lasting, limits)
        })
    }

    /// Drops the states from which a class that has to move does not get, along what is left, to
    /// where it moves, or cannot. Returns whether there were any.
    fn drop_unfair(&mut self, left: &mut Shared) -> Result<bool, Stop> {
        let mut is_changed = false;
        for (class, lacking) in (0..).zip(self.lacking(left)?).filter(|(_, lacking)| *lacking != 0)
        {
            let fair = self.get_to(class, lacking, left)?;
            let mut dropped = Ok(());
            for state in 0..self.graph.states {
                let (mask, fair) = (left.get(state), fair.get(state));
                if mask & lacking & !fair != 0 {
                    is_changed = true;
                    let kept = [mask & (fair | !lacking)];
                    dropped = dropped.and(left.values.set(state, kept, self.limits.memory));
                }
            }
            self.limits.memory.give(fair.values.bytes());
            self.agree(dropped)?;
        }
        Ok(is_changed)
    }

    /// For each class that has to move the claims of which a state is left in which it could, and
    /// moves to none that is left.
    fn lacking(&mut self, left: &Shared) -> Result<Vec<u64>, Stop> {
        let mut lacking = vec![0; self.fairness.len()];
        let mut reached = lacking.clone();
        for (place, state) in self.graph.kept_by(self.exchange.process(), 0..self.graph.states) {
            let mask = left.get(state);
            if mask == 0 {
                continue;
            }
            let classes =
                |(next, label): (u32, Label)| Some((next, usize::from(label.as_class()?)));
            let moves: Vec<_> = self.graph.edges(place).filter_map(classes).collect();
            for (next, class) in &moves {
                reached[*class] |= left.get(*next);
            }
            for (_, class) in &moves {
                lacking[*class] |= mask & !reached[*class];
            }
            for (_, class) in moves {
                reached[class] = 0;
            }
        }
        for (lacking, fairness) in lacking.iter_mut().zip(self.fairness) {
            if *fairness == Fairness::None {
                *lacking = 0;
            }
        }
        self.union(&lacking)
    }

    /// For each state those of these claims of which it gets, along what is left, to where the
    /// class moves, or cannot.
    fn get_to(&mut self, class: u16, claims: u64, left: &Shared) -> Result<Shared, Stop> {
        let (graph, mut found) = (self.graph, self.new_shared()?);
        while self.sweep(Direction::Down, &mut found, &mut |found, (place, state), limits| {
            let mask = left.get(state) & claims;
            if mask == found.get(state) {
                return Ok(());
            }
            let (mut can_move, mut reached) = (false, 0);
            for (next, label) in lasting(graph.edges(place)) {
                reached |= found.get(next);
                if label.as_class() == Some(class) {
                    can_move = true;
                    reached |= left.get(next);
                }
            }
            found.change(state, if can_move { reached & mask } else { mask }, limits)
        })? {}
        Ok(found)
    }

    /// Shows each state that this process keeps to `look`, which may change values; after each span
    /// all processes have all changes. Returns whether there were any.
    fn sweep(
        &mut self,
        direction: Direction,
        shared: &mut Shared,
        look: &mut Visit<'_>,
    ) -> Result<bool, Stop> {
        let (me, mut is_any) = (self.exchange.process(), false);
        for span in self.spans(direction) {
            let mut each = |kept: Kept| {
                self.limits.tick()?;
                look(shared, kept, &mut self.limits)
            };
            let mut kept = self.graph.kept_by(me, span);
            let looked = match direction {
                Direction::Up => kept.try_for_each(&mut each),
                Direction::Down => kept.rev().try_for_each(&mut each),
            };
            let message = shared.take_changes();
            for (process, message) in self.round(looked.map(|()| message))?.iter().enumerate() {
                let mut message = MessageReader::new(message);
                is_any |= !message.is_empty();
                if process != me {
                    let read = self.read(&mut message, shared, direction);
                    self.note(read);
                }
            }
        }
        self.limits.memory.free(std::mem::take(&mut shared.changes));
        Ok(is_any)
    }

    /// Makes the changes of another process.
    fn read(
        &mut self,
        message: &mut MessageReader<'_>,
        shared: &mut Shared,
        direction: Direction,
    ) -> Result<(), Stop> {
        let (mut state, mut value) = (0, 0);
        while !message.is_empty() {
            state = message.take()?.checked_add(state).ok_or(Stop::Peer)?;
            value ^= message.take()?;
            let number = u32::try_from(state).ok().filter(|it| *it < self.graph.states);
            let number = number.filter(|_| value & !self.claims == 0).ok_or(Stop::Peer)?;
            // Two processes may have carried on something else to one state.
            let before = if direction == Direction::Up { shared.get(number) } else { 0 };
            shared.set(number, before | value, self.limits.memory)?;
        }
        Ok(())
    }

    /// Keeps nothing but these claims.
    fn keep_only(&mut self, left: &mut Shared, claims: u64) -> Result<(), Stop> {
        let kept = (0..self.graph.states).try_for_each(|state| {
            left.values.set(state, [left.get(state) & claims], self.limits.memory)
        });
        self.agree(kept)
    }

    /// The claims of which any state is left.
    fn all(&self, left: &Shared) -> u64 {
        (0..self.graph.states).fold(0, |all, state| all | left.get(state))
    }

    /// No claims for all states.
    fn new_shared(&mut self) -> Result<Shared, Stop> {
        let values = self.new_values()?;
        Ok(Shared { values, changes: Vec::new(), is_changed: Vec::new() })
    }

    /// Zeros for all states.
    fn new_values<const WORDS: usize>(&mut self) -> Result<StateValues<WORDS>, Stop> {
        let values = StateValues::new(self.graph.states, self.limits.memory);
        self.agree(values)
    }

    /// The spans of numbers in which a sweep goes through all states.
    fn spans(&self, direction: Direction) -> Vec<Range<u32>> {
        let (states, size) =
            (self.graph.states, self.graph.states.div_ceil(SPANS).max(SMALLEST_SPAN));
        let firsts = (0..states).step_by(size as usize);
        let mut spans: Vec<_> =
            firsts.map(|first| first..states.min(first.saturating_add(size))).collect();
        if direction == Direction::Down {
            spans.reverse();
        }
        spans
    }

    /// What the masks of all processes have together, word by word.
    fn union(&mut self, masks: &[u64]) -> Result<Vec<u64>, Stop> {
        let mut message = MessageWriter::default();
        for mask in masks {
            message.push(*mask);
        }
        let mut all = vec![0; masks.len()];
        for message in self.round(Ok(message))? {
            let mut message = MessageReader::new(&message);
            let read = all.iter_mut().try_for_each(|mask| {
                *mask |= message.take()? & self.claims;
                Ok(())
            });
            self.note(read.and_then(|()| message.end()));
        }
        Ok(all)
    }

    /// Notes that something has failed, to be told in the next round.
    fn note(&mut self, done: Result<(), Stop>) {
        self.failed = self.failed.or(done.err());
    }

    /// Goes on if all processes have done something, and with what this one has.
    fn agree<T>(&mut self, done: Result<T, Stop>) -> Result<T, Stop> {
        let told = done.as_ref().map(|_| MessageWriter::default()).map_err(|stop| *stop);
        let told = self.round(told).map(drop);
        done.and_then(|done| told.map(|()| done))
    }

    /// Tells all something, and returns what each has told.
    fn round(&mut self, made: Result<MessageWriter, Stop>) -> Result<Vec<Vec<u8>>, Stop> {
        let made = self.failed.take().map_or(made, Err);
        let made = made.map(|message| to_all(self.exchange, &message));
        let sent: usize = made.iter().flatten().map(MessageWriter::len).sum();
        let messages = round(self.exchange, made)?;
        let bytes = (sent + messages.iter().map(Vec::len).sum::<usize>()) as u64;
        let counted = self.limits.memory.take(bytes).map(|()| self.limits.memory.give(bytes));
        self.note(counted);
        Ok(messages)
    }
}

impl Shared {
    fn get(&self, state: u32) -> u64 {
        self.values.get(state)[0]
    }

    /// Gives a state a value. Another one than before is noted among the changes.
    fn change(&mut self, state: u32, value: u64, limits: &mut Limits<'_>) -> Result<(), Stop> {
        if value != self.get(state) {
            limits.memory.reserve(&mut self.changes, 1)?;
            self.changes.push(state);
        }
        self.set(state, value, limits.memory)
    }

    /// Gives a state a value, of which the others know.
    fn set(&mut self, state: u32, value: u64, memory: &mut MemoryBudget) -> Result<(), Stop> {
        if value == self.get(state) {
            return Ok(());
        }
        if let Some(is_changed) = self.is_changed.get_mut(state as usize) {
            *is_changed = true;
        }
        self.values.set(state, [value], memory)
    }

    /// The changes as a message, each state once with its present value; none are left.
    fn take_changes(&mut self) -> MessageWriter {
        self.changes.sort_unstable();
        self.changes.dedup();
        let (mut message, mut last, mut before) = (MessageWriter::default(), 0, 0);
        for state in self.changes.drain(..) {
            let [value] = self.values.get(state);
            message.push((state - last).into());
            message.push(value ^ before);
            (last, before) = (state, value);
        }
        message
    }
}
