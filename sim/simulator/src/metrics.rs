//! Metrics: what is counted during a run.

use std::collections::VecDeque;

use deathwatch_model::{
    action::{Act, Action, Outcome, TxnAct},
    ids::EntityId,
    life::Life::{self, Alive, Dead, Dying},
    protocol::Effects,
    rows::Row,
    state::State,
    world::{FaultKind, World},
};

use crate::{quiescence, stats::Stats};

/// The number of last actions that are kept, to say what keeps moving.
pub(crate) const RECENT: usize = 256;
/// The time at which a document that is Alive began to die.
const NEVER: u64 = u64::MAX;

/// The life of a document.
#[derive(Clone, Copy, Debug)]
struct DocumentLife {
    life: Option<Life>,
    /// The virtual time, in milliseconds, since which it is Dying or Dead; else `NEVER`.
    dying_since: u64,
}

/// The counters of a run.
#[derive(Debug)]
pub(crate) struct Metrics {
    stats: Stats,
    /// The number of documents of each kind.
    present: [u64; 4],
    /// By kind and index: the life of each document.
    documents: [Vec<DocumentLife>; 4],
    recent: VecDeque<Action>,
}

impl Metrics {
    /// Before the first step.
    pub(crate) fn new(world: &World, state: &State) -> Self {
        let absent = |count: usize| vec![DocumentLife { life: None, dying_since: NEVER }; count];
        let documents = [
            absent(world.machines.len()),
            absent(world.applications.len()),
            absent(world.units.len()),
            absent(world.relations.len()),
        ];
        let recent = VecDeque::with_capacity(RECENT);
        let mut metrics = Self { stats: Stats::default(), present: [0; 4], documents, recent };
        for entity in EntityId::all(world) {
            metrics.note_life(0, entity, entity.life(state));
        }
        metrics
    }

    /// The number of steps.
    pub(crate) fn steps(&self) -> u64 {
        self.stats.steps
    }

    /// The user gave a command.
    pub(crate) fn command(&mut self) {
        self.stats.commands += 1;
    }

    /// A step was taken.
    pub(crate) fn step(&mut self, action: &Action, outcome: Outcome, effects: &Effects) {
        let stats = &mut self.stats;
        stats.steps += 1;
        effects.clauses.iter().for_each(|clause| stats.clauses.insert(*clause));
        match outcome {
            Outcome::Planned => stats.planned += 1,
            Outcome::Committed => {
                stats.committed += 1;
                stats.planned += u64::from(matches!(action.act.txn(), Some(TxnAct::Run(_))));
            }
            Outcome::Aborted => stats.aborted += 1,
            Outcome::Contended => {
                stats.aborted += 1;
                stats.contended += 1;
            }
            Outcome::Done | Outcome::NoOp | Outcome::Refused(_) | Outcome::NotEnabled => {}
        }
        if let Act::Faults(fault) = action.act {
            stats.count_fault(FaultKind::of(fault).key());
        }
    }

    /// Keeps `action` among the last ones, for a calm that does not settle.
    pub(crate) fn keep_recent(&mut self, action: &Action) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(*action);
    }

    /// Notes the life of a document at the time `now`.
    pub(crate) fn note_life(&mut self, now: u64, entity: EntityId, life: Option<Life>) {
        let kind = Row::from(entity).kind() as usize;
        let document = &mut self.documents[kind][entity.index()];
        let before = std::mem::replace(&mut document.life, life);
        if before == life {
            return;
        }
        if before.is_none() {
            self.present[kind] += 1;
            self.stats.largest[kind] = self.stats.largest[kind].max(self.present[kind]);
        }
        match life {
            Some(Dying | Dead) => document.dying_since = document.dying_since.min(now),
            Some(Alive) => {}
            None => {
                self.present[kind] -= 1;
                // What is removed without ever having been Dying takes no time.
                let began = std::mem::replace(&mut document.dying_since, NEVER).min(now);
                self.stats.removal[kind].insert(now - began);
            }
        }
    }

    /// The statistics of a run that ended at `time`.
    pub(crate) fn stats(mut self, time: u64) -> Stats {
        self.stats.time = time;
        for (kind, documents) in self.documents.iter().enumerate() {
            let is_dying = |it: &&DocumentLife| matches!(it.life, Some(Dying | Dead));
            for document in documents.iter().filter(is_dying) {
                self.stats.unfinished[kind].insert(time.saturating_sub(document.dying_since));
            }
        }
        self.stats
    }

    /// The three actions that were taken most often of late.
    pub(crate) fn what_moves(&self, world: &World) -> String {
        quiescence::what_moves(world, self.recent.iter())
    }
}
