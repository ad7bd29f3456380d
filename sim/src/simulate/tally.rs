//! The tally of a run: what is counted on the way.

use std::collections::{BTreeMap, VecDeque};

use deathwatch_model::{
    action::{Act, Action, Outcome},
    claims::Subject,
    ids::Id,
    life::Life::{self, Dying},
    protocol::Effects,
    state::State,
    world::World,
};

use super::stats::Stats;

/// How many of the last actions are looked at to say what keeps moving.
const MEMORY: usize = 256;
/// A document that is not on its way out.
const NEVER: u64 = u64::MAX;

/// What is counted on the way.
#[derive(Debug)]
pub(super) struct Tally {
    stats: Stats,
    /// How many documents of each kind there are.
    present: [u64; 4],
    /// By kind and index: since when a document is Dying.
    dying_since: [Vec<u64>; 4],
    last: VecDeque<Action>,
}

impl Tally {
    /// Before the first step.
    pub(super) fn new(world: &World, state: &State) -> Self {
        let subjects = [
            world.machine_ids().map(Subject::Machine).collect::<Vec<_>>(),
            world.application_ids().map(Subject::Application).collect(),
            world.unit_ids().map(Subject::Unit).collect(),
            world.relation_ids().map(Subject::Relation).collect(),
        ];
        let life = |subject: &Subject| crate::describe::life(state, *subject);
        let present =
            subjects.each_ref().map(|all| all.iter().filter(|it| life(it).is_some()).count());
        let since = |subject: &Subject| match life(subject) {
            Some(Life::Dying | Life::Dead) => 0,
            Some(Life::Alive) | None => NEVER,
        };
        let dying_since = subjects.map(|all| all.iter().map(since).collect());
        let present = present.map(|count| count as u64);
        let stats = Stats { largest: present, ..Stats::default() };
        Self { stats, present, dying_since, last: VecDeque::with_capacity(MEMORY) }
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
        if self.last.len() == MEMORY {
            self.last.pop_front();
        }
        self.last.push_back(*action);
    }

    /// The life of a document changed.
    pub(super) fn life(
        &mut self,
        now: u64,
        subject: Subject,
        before: Option<Life>,
        after: Option<Life>,
    ) {
        if before == after {
            return;
        }
        let (kind, index) = place(subject);
        match (before, after) {
            (None, Some(_)) => {
                self.present[kind] += 1;
                self.stats.largest[kind] = self.stats.largest[kind].max(self.present[kind]);
            }
            (Some(_), None) => self.present[kind] -= 1,
            _ => {}
        }
        let since = &mut self.dying_since[kind][index];
        match after {
            Some(Dying) if *since == NEVER => *since = now,
            None => {
                let began = std::mem::replace(since, NEVER);
                // What is removed without ever having been Dying takes no time.
                let took = if began == NEVER { 0 } else { now - began };
                self.stats.removal[kind].insert(took);
            }
            Some(_) => {}
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

/// The kind of a document, and its index.
fn place(subject: Subject) -> (usize, usize) {
    match subject {
        Subject::Machine(id) => (0, id.index()),
        Subject::Application(id) => (1, id.index()),
        Subject::Unit(id) => (2, id.index()),
        Subject::Relation(id) => (3, id.index()),
    }
}

/// The name of a fault.
fn fault(act: Act) -> Option<&'static str> {
    Some(match act {
        Act::Crash(_) => "crash",
        Act::FailHardware(_) => "hardware-failure",
        Act::FailHardwareUnnoticed(_) => "undetected-hardware-failure",
        Act::FailHooks(..) => "hook-failure",
        Act::AbortFlight(_) => "abort",
        Act::LoseConnection => "lost-connection",
        _ => return None,
    })
}
