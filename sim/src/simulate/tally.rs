//! The tally of a run: what is counted on the way.

use std::collections::{BTreeMap, VecDeque};

use deathwatch_model::{
    action::{Act, Action, Outcome},
    claims::{EntityId, EntityKind},
    life::Life::{self, Alive, Dead, Dying},
    protocol::Effects,
    state::State,
    world::World,
};

use super::stats::Stats;

/// How many of the last actions are looked at to say what keeps moving.
pub(super) const MEMORY: usize = 256;
/// A document that is not on its way out.
const NEVER: u64 = u64::MAX;

/// What is known of a document.
#[derive(Clone, Copy, Debug)]
struct Entry {
    life: Option<Life>,
    /// Since when it is on its way out.
    dying_since: u64,
}

/// What is counted on the way.
#[derive(Debug)]
pub(super) struct Tally {
    stats: Stats,
    /// How many documents of each kind there are.
    present: [u64; 4],
    /// By kind and index: what is known of each document.
    entries: [Vec<Entry>; 4],
    last: VecDeque<Action>,
}

impl Tally {
    /// Before the first step.
    pub(super) fn new(world: &World, state: &State) -> Self {
        let nowhere = |count: usize| vec![Entry { life: None, dying_since: NEVER }; count];
        let entries = [
            nowhere(world.machines.len()),
            nowhere(world.applications.len()),
            nowhere(world.units.len()),
            nowhere(world.relations.len()),
        ];
        let last = VecDeque::with_capacity(MEMORY);
        let mut tally = Self { stats: Stats::default(), present: [0; 4], entries, last };
        for kind in EntityKind::ALL {
            kind.subjects(world).for_each(|subject| tally.life(0, subject, subject.life(state)));
        }
        tally
    }

    /// How many steps there were.
    pub(super) fn steps(&self) -> u64 {
        self.stats.steps
    }

    /// The user gave a command.
    pub(super) fn command(&mut self) {
        self.stats.commands += 1;
    }

    /// A step was taken.
    pub(super) fn step(&mut self, action: &Action, outcome: Outcome, effects: &Effects) {
        let stats = &mut self.stats;
        stats.steps += 1;
        effects.clauses.iter().for_each(|clause| stats.clauses.insert(*clause));
        match outcome {
            Outcome::Planned => stats.planned += 1,
            Outcome::Committed => {
                stats.committed += 1;
                stats.planned += u64::from(matches!(action.act, Act::Run(_)));
            }
            Outcome::Aborted => stats.aborted += 1,
            Outcome::Contended => {
                stats.aborted += 1;
                stats.contended += 1;
            }
            Outcome::Done | Outcome::NoOp | Outcome::Refused(_) => {}
        }
        if let Some(fault) = fault(action.act) {
            stats.struck(fault);
        }
    }

    /// Remembers a step: only the last few are, for a calm that does not settle.
    pub(super) fn remember(&mut self, action: &Action) {
        if self.last.len() == MEMORY {
            self.last.pop_front();
        }
        self.last.push_back(*action);
    }

    /// This is the life of a document now.
    pub(super) fn life(&mut self, now: u64, subject: EntityId, life: Option<Life>) {
        let kind = subject.kind() as usize;
        let entry = &mut self.entries[kind][subject.index()];
        let before = std::mem::replace(&mut entry.life, life);
        if before == life {
            return;
        }
        if before.is_none() {
            self.present[kind] += 1;
            self.stats.largest[kind] = self.stats.largest[kind].max(self.present[kind]);
        }
        match life {
            Some(Dying | Dead) => entry.dying_since = entry.dying_since.min(now),
            Some(Alive) => {}
            None => {
                self.present[kind] -= 1;
                // What is removed without ever having been Dying takes no time.
                let began = std::mem::replace(&mut entry.dying_since, NEVER).min(now);
                self.stats.removal[kind].insert(now - began);
            }
        }
    }

    /// The statistics of a run that ended at `time`.
    pub(super) fn stats(mut self, time: u64) -> Stats {
        self.stats.time = time;
        self.stats
    }

    /// The actions that were taken most often of late.
    pub(super) fn what_moves(&self, world: &World) -> String {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for action in &self.last {
            *counts.entry(world.show(action)).or_default() += 1;
        }
        let mut most: Vec<(usize, String)> =
            counts.into_iter().map(|(action, count)| (count, action)).collect();
        most.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        let most = most.iter().take(3).map(|(_, action)| action.as_str());
        most.collect::<Vec<_>>().join("; ")
    }
}

/// The name of a fault.
fn fault(act: Act) -> Option<&'static str> {
    Some(match act {
        Act::Crash(_) => "crash",
        Act::FailHardware(_) => "hardware-failure",
        Act::FailHardwareUnnoticed(_) => "undetected-hardware-failure",
        Act::FailHooks(..) => "hook-failure",
        Act::AbortTxn(_) => "abort",
        Act::LoseConnection => "lost-connection",
        _ => return None,
    })
}
