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

use super::{ClaimSets, Limits, MOST_CLAIMS, Masks, StateValues, fairness_of, obligations::count};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{Exchange, GraphPart, MessageReader, MessageWriter, round, to_all},
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

/// Sieves the first `claims` claims in a graph of `states` states, which was explored to its end.
/// `masks` are those of the states of `part`, unless there was no memory for them. All processes
/// call it, and find the same. What is counted of `memory` is given back.
///
/// # Errors
/// If one of the processes has no memory, `stop` gives a reason to, or a process was lost.
///
/// # Panics
/// If there are more than [`MOST_CLAIMS`] claims.
pub fn sieve(
    (part, states): (&GraphPart, u32),
    exchange: &dyn Exchange,
    fairness: &[Fairness],
    (masks, claims): (Result<Masks, Stop>, usize),
    memory: &mut MemoryBudget,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<Sieved, Stop> {
    assert!(claims <= MOST_CLAIMS, "a mask has 64 bits");
    let claims = if claims == 64 { u64::MAX } else { (1 << claims) - 1 };
    let limits = Limits { ticks: 0, memory, stop };
    let mut sieve = Sieve { part, states, exchange, fairness, claims, limits, failed: None };
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
    sieve.limits.memory.give(left.bytes());
    sieve.agree(Ok(()))?;
    Ok(Sieved { from_states, left: at_terminals | on_cycles })
}

struct Sieve<'s> {
    part: &'s GraphPart,
    states: u32,
    exchange: &'s dyn Exchange,
    fairness: &'s [Fairness],
    claims: u64,
    limits: Limits<'s>,
    /// Why this process has to stop, until it has told the others.
    failed: Option<Stop>,
}

/// The changes of a span: states and their values. A state may be there more than once.
type Changes = Vec<(u32, u64)>;

/// In which direction a sweep goes through the states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// A state that this process keeps: its place, and its number.
type Kept = (u32, u32);

impl Sieve<'_> {
    /// Tells all what the claims say of the states that this process keeps. Returns what they say
    /// of each state, and in how many each has its `from`.
    fn share(&mut self, masks: Result<Masks, Stop>) -> Result<(Masks, [u64; MOST_CLAIMS]), Stop> {
        let own = self.agree(masks)?;
        let mut values = self.new_values::<2>()?;
        let (mut counts, me) = ([0; MOST_CLAIMS], self.exchange.process());
        for span in self.spans(Direction::Up) {
            let (mut message, mut last) = (MessageWriter::default(), [0, 0]);
            for (place, _) in self.part.kept_by(me, span.clone()) {
                let said = own.get(place);
                said.iter().zip(last).for_each(|(word, last)| message.push_small(word ^ last));
                last = said;
            }
            for (process, message) in (0..).zip(self.round(Ok(message))?) {
                let (mut message, mut said) = (MessageReader::new(&message), [0, 0]);
                let mut kept = self.part.kept_by(process, span.clone());
                let read = kept.try_for_each(|(_, number)| {
                    for word in &mut said {
                        *word ^= message.take_small()?;
                    }
                    count(&mut counts, said[0] & self.claims);
                    values.set(number, said, self.limits.memory)
                });
                self.note(read.and_then(|()| message.end()));
            }
        }
        own.free(self.limits.memory);
        Ok((Masks(values), counts))
    }

    /// The claims that are pending in each state.
    fn pending(&mut self, masks: &Masks) -> Result<ClaimSets, Stop> {
        let mut pending = self.new_values()?;
        let changed = self.limits.memory.filled(true, self.states as usize);
        let mut changed = self.agree(changed)?;
        let set = (0..self.states).try_for_each(|state| {
            // Each state is reachable, so its `from` counts.
            let [from, to] = masks.get(state);
            pending.set(state, [from & !to & self.claims], self.limits.memory)
        });
        self.agree(set)?;
        let part = self.part;
        let carry_on = &mut |limits: &mut Limits<'_>,
                             pending: &mut ClaimSets,
                             changes: &mut Changes,
                             changed: &mut Vec<bool>,
                             (place, state): Kept| {
            if !std::mem::take(&mut changed[state as usize]) {
                return Ok(());
            }
            let [here] = pending.get(state);
            for (next, _) in part.edges(place) {
                let [there] = pending.get(next);
                let more = there | here & !masks.get(next)[1];
                if more != there {
                    change(limits, pending, changes, (next, more))?;
                    changed[next as usize] = true;
                }
            }
            Ok(())
        };
        while self.sweep(Direction::Up, &mut pending, &mut changed, carry_on)? {}
        self.limits.memory.free(changed);
        Ok(pending)
    }

    /// The claims that are pending in some terminal state.
    fn at_terminals(&mut self, pending: &ClaimSets) -> Result<u64, Stop> {
        let (fairness, mut found) = (self.fairness, 0);
        for (place, state) in self.part.kept_by(self.exchange.process(), 0..self.states) {
            let [mask] = pending.get(state);
            let mut labels = self.part.edges(place).map(|(_, label)| label);
            if mask & found != mask && labels.all(|it| fairness_of(fairness, it) == Fairness::None)
            {
                found |= mask;
            }
        }
        self.union(&[found]).map(|all| all[0])
    }

    /// Drops the states that have no edge to one that is left. Returns whether there were any.
    fn peel(&mut self, left: &mut ClaimSets) -> Result<bool, Stop> {
        let part = self.part;
        let look = &mut |limits: &mut Limits<'_>,
                         left: &mut ClaimSets,
                         changes: &mut Changes,
                         (): &mut (),
                         (place, state): Kept| {
            let [mask] = left.get(state);
            if mask == 0 {
                return Ok(());
            }
            let mut lasting = 0;
            for (next, _) in part.edges(place).filter(|(_, label)| !label.is_fault()) {
                lasting |= mask & left.get(next)[0];
                if lasting == mask {
                    return Ok(());
                }
            }
            change(limits, left, changes, (state, lasting))
        };
        self.sweep(Direction::Down, left, &mut (), look)
    }

    /// Drops the states from which a class that has to move does not get, along what is left, to
    /// where it moves, or cannot. Returns whether there were any.
    fn drop_unfair(&mut self, left: &mut ClaimSets) -> Result<bool, Stop> {
        let mut is_changed = false;
        for (class, lacking) in (0..).zip(self.lacking(left)?).filter(|(_, lacking)| *lacking != 0)
        {
            let fair = self.get_to(class, lacking, left)?;
            let mut dropped = Ok(());
            for state in 0..self.states {
                let ([mask], [fair]) = (left.get(state), fair.get(state));
                if mask & lacking & !fair != 0 {
                    is_changed = true;
                    let kept = [mask & (fair | !lacking)];
                    dropped = dropped.and(left.set(state, kept, self.limits.memory));
                }
            }
            self.limits.memory.give(fair.bytes());
            self.agree(dropped)?;
        }
        Ok(is_changed)
    }

    /// For each class that has to move the claims of which a state is left in which it could, and
    /// moves to none that is left.
    fn lacking(&mut self, left: &ClaimSets) -> Result<Vec<u64>, Stop> {
        let (mut lacking, mut reached) =
            (vec![0; self.fairness.len()], vec![0; self.fairness.len()]);
        for (place, state) in self.part.kept_by(self.exchange.process(), 0..self.states) {
            let [mask] = left.get(state);
            if mask == 0 {
                continue;
            }
            let classes =
                |(next, label): (u32, Label)| Some((next, usize::from(label.as_class()?)));
            let moves: Vec<_> = self.part.edges(place).filter_map(classes).collect();
            for (next, class) in &moves {
                reached[*class] |= left.get(*next)[0];
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
    fn get_to(&mut self, class: u16, claims: u64, left: &ClaimSets) -> Result<ClaimSets, Stop> {
        let mut found = self.new_values()?;
        let part = self.part;
        let look = &mut |limits: &mut Limits<'_>,
                         found: &mut ClaimSets,
                         changes: &mut Changes,
                         (): &mut (),
                         (place, state): Kept| {
            let (mask, [before]) = (left.get(state)[0] & claims, found.get(state));
            if mask == before {
                return Ok(());
            }
            let (mut can_move, mut reached) = (false, 0);
            for (next, label) in part.edges(place).filter(|(_, label)| !label.is_fault()) {
                reached |= found.get(next)[0];
                if label.as_class() == Some(class) {
                    can_move = true;
                    reached |= left.get(next)[0];
                }
            }
            let now = if can_move { reached & mask } else { mask };
            if now == before { Ok(()) } else { change(limits, found, changes, (state, now)) }
        };
        while self.sweep(Direction::Down, &mut found, &mut (), look)? {}
        Ok(found)
    }

    /// Shows each state that this process keeps to `look`, which changes values and notes that;
    /// after each span all processes have all changes. `news` notes what others have changed.
    /// Returns whether anything did.
    fn sweep<C: Changed>(
        &mut self,
        direction: Direction,
        values: &mut ClaimSets,
        news: &mut C,
        look: &mut Visit<'_, C>,
    ) -> Result<bool, Stop> {
        let (me, mut is_any, mut changes) = (self.exchange.process(), false, Changes::new());
        for span in self.spans(direction) {
            let mut each = |kept: Kept| {
                self.limits.tick()?;
                look(&mut self.limits, values, &mut changes, news, kept)
            };
            let mut kept = self.part.kept_by(me, span);
            let looked = match direction {
                Direction::Up => kept.try_for_each(&mut each),
                Direction::Down => kept.rev().try_for_each(&mut each),
            };
            let message = written(&mut changes, values);
            for (process, message) in self.round(looked.map(|()| message))?.iter().enumerate() {
                let mut message = MessageReader::new(message);
                is_any |= !message.is_empty();
                if process != me {
                    let read = self.read(&mut message, values, direction, news);
                    self.note(read);
                }
            }
        }
        self.limits.memory.free(changes);
        Ok(is_any)
    }

    /// Makes the changes of another process.
    fn read(
        &mut self,
        message: &mut MessageReader<'_>,
        values: &mut ClaimSets,
        direction: Direction,
        changed: &mut impl Changed,
    ) -> Result<(), Stop> {
        let (mut state, mut value) = (0, 0);
        while !message.is_empty() {
            state = message.take_small()?.checked_add(state).ok_or(Stop::Peer)?;
            value ^= message.take_small()?;
            let number = u32::try_from(state).ok().filter(|it| *it < self.states);
            let number = number.filter(|_| value & !self.claims == 0).ok_or(Stop::Peer)?;
            let [before] = values.get(number);
            // Two processes may have carried on something else to one state.
            let now = if direction == Direction::Up { before | value } else { value };
            if now != before {
                values.set(number, [now], self.limits.memory)?;
                changed.note(number);
            }
        }
        Ok(())
    }

    /// Keeps nothing but these claims.
    fn keep_only(&mut self, left: &mut ClaimSets, claims: u64) -> Result<(), Stop> {
        let kept = (0..self.states).try_for_each(|state| {
            let [mask] = left.get(state);
            left.set(state, [mask & claims], self.limits.memory)
        });
        self.agree(kept)
    }

    /// The claims of which any state is left.
    fn all(&self, left: &ClaimSets) -> u64 {
        (0..self.states).fold(0, |all, state| all | left.get(state)[0])
    }

    /// Zeros for all states.
    fn new_values<const WORDS: usize>(&mut self) -> Result<StateValues<WORDS>, Stop> {
        let values = StateValues::new(self.states, self.limits.memory);
        self.agree(values)
    }

    /// The spans of numbers in which a sweep goes through all states.
    fn spans(&self, direction: Direction) -> Vec<Range<u32>> {
        let (states, size) = (self.states, self.states.div_ceil(SPANS).max(SMALLEST_SPAN));
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
            message.push_small(*mask);
        }
        let mut all = vec![0; masks.len()];
        for message in self.round(Ok(message))? {
            let mut message = MessageReader::new(&message);
            let read = all.iter_mut().try_for_each(|mask| {
                *mask |= message.take_small()? & self.claims;
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

/// What is done with a state that this process keeps.
type Visit<'l, C> =
    dyn FnMut(&mut Limits<'_>, &mut ClaimSets, &mut Changes, &mut C, Kept) -> Result<(), Stop> + 'l;

/// What becomes of the news that the value of a state has changed.
trait Changed {
    fn note(&mut self, state: u32);
}

impl Changed for () {
    fn note(&mut self, _: u32) {}
}

impl Changed for Vec<bool> {
    fn note(&mut self, state: u32) {
        self[state as usize] = true;
    }
}

/// Changes the value of a state.
fn change(
    limits: &mut Limits<'_>,
    values: &mut ClaimSets,
    changes: &mut Changes,
    (state, value): (u32, u64),
) -> Result<(), Stop> {
    limits.memory.reserve(changes, 1)?;
    changes.push((state, value));
    values.set(state, [value], limits.memory)
}

/// The changes as a message, each state once with the value that it has in the end; none are left.
fn written(changes: &mut Changes, values: &ClaimSets) -> MessageWriter {
    changes.sort_unstable();
    changes.dedup_by_key(|(state, _)| *state);
    let (mut message, mut last, mut before) = (MessageWriter::default(), 0, 0);
    for (state, _) in changes.drain(..) {
        let [value] = values.get(state);
        message.push_small((state - last).into());
        message.push_small(value ^ before);
        (last, before) = (state, value);
    }
    message
}
