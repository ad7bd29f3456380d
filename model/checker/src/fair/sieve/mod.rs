//! The sieve: decides by several processes, none of which has the whole graph, which claims hold.
//!
//! A claim is violated if it is pending in a terminal state, or on a fair cycle. So of the states
//! in which it is pending, the sieve drops those that lie on no fair cycle, as far as local
//! conditions tell: states without an edge to a remaining state, and states from which, for some
//! fair class, no path through remaining states reaches a move of that class or a state where it
//! cannot move. A state on a fair cycle meets both conditions, so it is never dropped. A claim with
//! no state left holds; the others are for [`leads`](super::leads) to decide.
//!
//! ```text
//! left(s) = the claims that some path to s leaves open     // `pending`: sweeps upwards
//! open    = the claims that are left in a terminal state   // `at_terminals`: they are violated
//! left(s) = left(s) - open
//! repeat until nothing changes:
//!     until nothing changes:                               // `peel`: sweeps downwards
//!         left(s) = the claims left in s and in some lasting successor of s
//!     for each class that has to move, and the claims C that are left in a state
//!     in which it can move, but only to states in which they are not left:
//!         fair(s) = those of C with which s gets, along states where they are left,
//!                   to a move of the class that keeps them left,
//!                   or to a state in which it cannot move          // `get_to`
//!         left(s) = left(s) & (fair(s) | not C)            // `drop_unfair`
//! the claims that are neither open nor left anywhere hold
//! ```
//!
//! Every process holds the pending claims of all states, at two bytes a state, and sees the edges
//! of the states that it keeps. A sweep takes all states in spans; after each span the processes
//! exchange their changes. Numbers rise along most edges, so an upward sweep propagates obligations
//! and a downward sweep drops states; sweeps are repeated until nothing changes. The result does
//! not depend on their order.
//!
//! In a graph with turns a class is followed under the name that it has in each state of a path
//! (`names`), so the result is that of the graph unfolded from it.

mod names;
mod shared;

use std::ops::Range;

use super::{
    DecisionLimits, MOST_CLAIMS, Masks, StateValues, lasting, mask_of, may_stop,
    obligations::goes_on,
};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{Exchange, MessageReader, MessageWriter, round, to_all},
    graph::{Fairness, Label, SharedGraph},
};
use names::ClassNames;
use shared::SharedClaims;

/// The number of spans in a sweep, unless spans become too small or too large. With more of them
/// processes learn of changes sooner, but wait for each other as often.
const SPANS: u32 = 1 << 4;
/// The smallest span, in states.
const SMALLEST_SPAN: u32 = 1 << 9;
/// The largest span, in states: messages about all of them have to fit into memory.
const LARGEST_SPAN: u32 = 1 << 20;

/// The result of a sieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieved {
    /// For each claim, the number of states that have its `from`.
    pub from_states: [u64; MOST_CLAIMS],
    /// The claims that may be violated: the others hold.
    pub left: u64,
}

/// Sieves the first `claims` claims in a graph that was explored to its end. All processes call it
/// together, and return the same. All memory taken from `memory` is given back.
///
/// `said` has the masks of each state that this process keeps, by its place, and for each claim the
/// number of states with its `from` among those that these stand for; or an error, if there was no
/// memory for that.
///
/// # Errors
/// If one of the processes has no memory, `stop` returns a reason, or a process was lost.
///
/// # Panics
/// If there are more than [`MOST_CLAIMS`] claims.
pub fn sieve(
    graph: &impl SharedGraph,
    exchange: &dyn Exchange,
    fairness: &[Fairness],
    (said, claims): (Result<(Masks, Vec<u64>), Stop>, usize),
    memory: &mut MemoryBudget,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Sieved, Stop> {
    let (claims, limits) = (mask_of(claims), DecisionLimits { ticks: 0, memory, stop });
    let mut sieve = Sieve { graph, exchange, fairness, claims, limits, failed: None };
    let (own, from_states) = sieve.agree(said)?;
    let from_states = sieve.sum(&from_states)?;
    let masks = sieve.share(own)?;
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

struct Sieve<'s, G> {
    graph: &'s G,
    exchange: &'s dyn Exchange,
    fairness: &'s [Fairness],
    claims: u64,
    limits: DecisionLimits<'s>,
    /// A failure of this process that the others do not know of yet; the next round sends it.
    failed: Option<Stop>,
}

/// The direction of a sweep through the numbers of states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// A state that this process keeps: its place, and its number.
type KeptState = (u32, u32);

/// The visit of a kept state, which may change the shared claims.
type StateVisitor<'l> =
    dyn FnMut(&mut SharedClaims, KeptState, &mut MemoryBudget) -> Result<(), Stop> + 'l;

impl<G: SharedGraph> Sieve<'_, G> {
    /// Sends the masks of the states that this process keeps; returns the masks of all states.
    fn share(&mut self, own: Masks) -> Result<Masks, Stop> {
        let values = StateValues::new(self.graph.states(), self.limits.memory);
        let (mut values, me) = (self.agree(values)?, self.exchange.process());
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
                    values.set(number, said, self.limits.memory)
                });
                self.note(read.and_then(|()| message.end()));
            }
        }
        own.free(self.limits.memory);
        Ok(Masks(values))
    }

    /// The claims that are pending in each state.
    fn pending(&mut self, masks: &Masks) -> Result<SharedClaims, Stop> {
        let graph = self.graph;
        let pending = SharedClaims::watched(graph.states(), self.limits.memory);
        let mut pending = self.agree(pending)?;
        let set = (0..graph.states()).try_for_each(|state| {
            // The graph has only reachable states, so the `from` of each counts.
            let [from, to] = masks.get(state);
            pending.set(state, from & !to & self.claims, self.limits.memory)
        });
        self.agree(set)?;
        while self.sweep(Direction::Up, &mut pending, &mut |pending, (place, state), memory| {
            if pending.take_watched(state) {
                let here = pending.get(state);
                for (next, _) in graph.edges(place) {
                    let there = pending.get(next);
                    if here & !there != 0 {
                        pending.change(next, there | here & !masks.get(next)[1], memory)?;
                    }
                }
            }
            Ok(())
        })? {}
        pending.watch_no_more(self.limits.memory);
        Ok(pending)
    }

    /// The claims that are pending in some terminal state.
    fn at_terminals(&mut self, pending: &SharedClaims) -> Result<u64, Stop> {
        let mut found = 0;
        for (place, state) in self.graph.kept_by(self.exchange.process(), 0..self.graph.states()) {
            let mask = pending.get(state);
            if mask & found != mask && may_stop(self.fairness, self.graph.edges(place)) {
                found |= mask;
            }
        }
        self.union(&[found]).map(|all| all[0])
    }

    /// Drops the states that have no edge to a remaining state. Returns whether there were any.
    fn peel(&mut self, left: &mut SharedClaims) -> Result<bool, Stop> {
        let graph = self.graph;
        self.sweep(Direction::Down, left, &mut |left, (place, state), memory| {
            let mask = left.get(state);
            if mask == 0 {
                return Ok(());
            }
            let lasting = goes_on(mask, lasting(graph.edges(place)), |next| left.get(next));
            left.change(state, lasting, memory)
        })
    }

    /// Drops the states from which, for some fair class, no path through remaining states reaches a
    /// move of that class or a state where it cannot move. Returns whether there were any.
    fn drop_unfair(&mut self, left: &mut SharedClaims) -> Result<bool, Stop> {
        let mut is_changed = false;
        for (names, lacking) in ClassNames::lacking(self.graph.turns(), &self.lacking(left)?) {
            let fair = self.get_to(&names, lacking, left)?;
            let mut dropped = Ok(());
            for state in 0..self.graph.states() {
                let mask = left.get(state);
                if mask & lacking == 0 {
                    continue;
                }
                let each = names.places().map(|name| fair.get(names.node(state, name)));
                let kept = mask & (each.fold(lacking, |all, fair| all & fair) | !lacking);
                is_changed |= kept != mask;
                dropped = dropped.and(left.set(state, kept, self.limits.memory));
            }
            self.limits.memory.give(fair.bytes());
            self.agree(dropped)?;
        }
        Ok(is_changed)
    }

    /// For each fair class the claims with a remaining state in which the class can move, but by no
    /// move to a remaining state. Only for those can `drop_unfair` drop anything.
    fn lacking(&mut self, left: &SharedClaims) -> Result<Vec<u64>, Stop> {
        let mut lacking = vec![0; self.fairness.len()];
        let mut reached = lacking.clone();
        for (place, state) in self.graph.kept_by(self.exchange.process(), 0..self.graph.states()) {
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

    /// For each state and each name that the class may have there, the claims of `claims` for which
    /// a path through remaining states reaches a move of that class or a state where it cannot
    /// move.
    fn get_to(
        &mut self,
        names: &ClassNames,
        claims: u64,
        left: &SharedClaims,
    ) -> Result<SharedClaims, Stop> {
        let graph = self.graph;
        let nodes = graph.states().checked_mul(names.count()).ok_or(Stop::States);
        let found = nodes.and_then(|nodes| SharedClaims::new(nodes, self.limits.memory));
        let mut found = self.agree(found)?;
        while self.sweep(Direction::Down, &mut found, &mut |found, (place, state), memory| {
            let mask = left.get(state) & claims;
            for name in names.places() {
                let node = names.node(state, name);
                if mask == found.get(node) {
                    continue;
                }
                let (mut can_move, mut reached) = (false, 0);
                for (next, label, turn) in graph.turned_edges(place) {
                    if label.is_fault() {
                        continue;
                    }
                    reached |= found.get(names.node(next, names.after(name, turn)));
                    if label.as_class() == Some(names.class(name)) {
                        can_move = true;
                        reached |= left.get(next);
                    }
                }
                found.change(node, if can_move { reached & mask } else { mask }, memory)?;
            }
            Ok(())
        })? {}
        Ok(found)
    }

    /// Shows each state that this process keeps to `look`, which may change values; after each span
    /// all processes have all changes. Returns whether any process made one.
    fn sweep(
        &mut self,
        direction: Direction,
        shared: &mut SharedClaims,
        look: &mut StateVisitor<'_>,
    ) -> Result<bool, Stop> {
        let (me, mut is_any) = (self.exchange.process(), false);
        for span in self.spans(direction) {
            let mut each = |kept: KeptState| {
                self.limits.tick()?;
                look(shared, kept, self.limits.memory)
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
                    // Going up, processes may have added different claims to a state: all are kept.
                    let adds = direction == Direction::Up;
                    let (claims, memory) = (self.claims, &mut *self.limits.memory);
                    let read = shared.make_changes(&mut message, adds, claims, memory);
                    self.note(read);
                }
            }
        }
        shared.forget_changes(self.limits.memory);
        Ok(is_any)
    }

    /// Clears all claims but these in every state.
    fn keep_only(&mut self, left: &mut SharedClaims, claims: u64) -> Result<(), Stop> {
        let kept = (0..self.graph.states())
            .try_for_each(|state| left.set(state, left.get(state) & claims, self.limits.memory));
        self.agree(kept)
    }

    /// The claims with any remaining state.
    fn all(&self, left: &SharedClaims) -> u64 {
        (0..self.graph.states()).fold(0, |all, state| all | left.get(state))
    }

    /// The spans of numbers, in the order in which a sweep takes them.
    fn spans(&self, direction: Direction) -> Vec<Range<u32>> {
        let states = self.graph.states();
        let size = states.div_ceil(SPANS).clamp(SMALLEST_SPAN, LARGEST_SPAN);
        let firsts = (0..states).step_by(size as usize);
        let mut spans: Vec<_> =
            firsts.map(|first| first..states.min(first.saturating_add(size))).collect();
        if direction == Direction::Down {
            spans.reverse();
        }
        spans
    }

    /// The union of the masks of all processes, word by word.
    fn union(&mut self, masks: &[u64]) -> Result<Vec<u64>, Stop> {
        let claims = self.claims;
        self.together(masks, |all, mask| Some(all | mask & claims))
    }

    /// The sums of the counts of all processes, a number for each claim.
    fn sum(&mut self, counts: &[u64]) -> Result<[u64; MOST_CLAIMS], Stop> {
        let sums = self.together(counts, u64::checked_add)?;
        let mut all = [0; MOST_CLAIMS];
        all[..sums.len()].copy_from_slice(&sums);
        Ok(all)
    }

    /// The words of all processes folded by `add`, position by position. A `None` from `add` counts
    /// as a malformed message.
    fn together(
        &mut self,
        words: &[u64],
        add: impl Fn(u64, u64) -> Option<u64>,
    ) -> Result<Vec<u64>, Stop> {
        let mut message = MessageWriter::default();
        for word in words {
            message.push(*word);
        }
        let mut all = vec![0; words.len()];
        for message in self.round(Ok(message))? {
            let mut message = MessageReader::new(&message);
            let read = all.iter_mut().try_for_each(|all| {
                *all = add(*all, message.take()?).ok_or(Stop::Peer)?;
                Ok(())
            });
            self.note(read.and_then(|()| message.end()));
        }
        Ok(all)
    }

    /// Notes a failure, which the next round sends to the others.
    fn note(&mut self, done: Result<(), Stop>) {
        self.failed = self.failed.or(done.err());
    }

    /// Returns `done` if all processes succeeded; otherwise an error, in every process.
    fn agree<T>(&mut self, done: Result<T, Stop>) -> Result<T, Stop> {
        let told = done.as_ref().map(|_| MessageWriter::default()).map_err(|stop| *stop);
        let told = self.round(told).map(drop);
        done.and_then(|done| told.map(|()| done))
    }

    /// Sends a message to all, and returns the message of each.
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
