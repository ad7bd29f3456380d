//! Metrics: what is counted during a run.

use std::collections::{BTreeMap, VecDeque};

use deathwatch_model::{
    action::{Act, Action, MachineAct, Outcome, ProvisionerAct, TxnAct, UnitAct},
    actor::{Agent, Client},
    ids::{EntityId, Id as _},
    life::Life::{self, Alive, Dead, Dying},
    prefetch::prefetch,
    protocol::Effects,
    rows::{ManagerTask, Row},
    state::State,
    world::{FaultKind, World},
};

use crate::{
    duties::{DutySets, LastDuty},
    quiescence,
    stats::Stats,
};

/// The number of last actions that are kept, to say what keeps moving.
pub(crate) const RECENT: usize = 256;
/// The time at which a document that is Alive began to die.
const NEVER: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct DocumentLife {
    life: Option<Life>,
    /// The virtual time, in milliseconds, since which it is Dying or Dead; else `NEVER`.
    dying_since: u64,
    /// The last duty of its agent.
    last: Option<LastDuty>,
}

#[derive(Debug)]
pub(crate) struct Metrics {
    stats: Stats,
    /// The number of documents of each kind.
    present: [u64; 4],
    /// By kind and index: the life of each document.
    documents: [Vec<DocumentLife>; 4],
    /// Whether duties are noted, as faults may strike.
    notes_duties: bool,
    duties: DutySets,
    struck: BTreeMap<FaultKind, DutySets>,
    /// The last duties of the tasks of managers.
    last: [Option<LastDuty>; 2],
    recent: VecDeque<Action>,
}

impl Metrics {
    /// Before the first step.
    pub(crate) fn new(world: &World, state: &State) -> Self {
        let absent =
            |count: usize| vec![DocumentLife { life: None, dying_since: NEVER, last: None }; count];
        let documents = [
            absent(world.machines.len()),
            absent(world.applications.len()),
            absent(world.units.len()),
            absent(world.relations.len()),
        ];
        let recent = VecDeque::with_capacity(RECENT);
        let mut metrics = Self {
            stats: Stats::default(),
            present: [0; 4],
            documents,
            notes_duties: FaultKind::ALL.iter().any(|kind| world.faults.switch(*kind).is_on()),
            duties: DutySets::default(),
            struck: BTreeMap::new(),
            last: [None; 2],
            recent,
        };
        for entity in EntityId::all(world) {
            metrics.note_life(0, entity, entity.life(state));
        }
        metrics
    }

    /// Asks the processor for what is noted of an agent.
    pub(crate) fn prefetch(&self, agent: Agent) {
        if self.notes_duties {
            let [machines, _, units, _] = &self.documents;
            match agent {
                Agent::Unit(id) => prefetch(&units[id.index()]),
                Agent::Machine(id) => prefetch(&machines[id.index()]),
            }
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        self.stats.steps
    }

    pub(crate) fn command(&mut self) {
        self.stats.commands += 1;
    }

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
        if self.notes_duties {
            self.note_duty(action, effects);
        }
    }

    /// Notes the duty of a step of an agent, or those of the agents that a fault strikes: all whose
    /// rows it changes.
    fn note_duty(&mut self, action: &Action, effects: &Effects) {
        let [machines, _, units, _] = &mut self.documents;
        let last = match action.act {
            Act::Faults(fault) => return self.note_fault(FaultKind::of(fault), effects),
            Act::Txn(Client::Unit(id), _) | Act::Hook(id, _) => &mut units[id.index()].last,
            Act::Txn(Client::Machine(id), _) => &mut machines[id.index()].last,
            Act::UnitAgent(id, act) => {
                if let UnitAct::Deploy(subordinate) = act {
                    units[subordinate.index()].last = None;
                }
                &mut units[id.index()].last
            }
            Act::MachineAgent(id, act) => {
                if let MachineAct::Deploy(principal) = act {
                    units[principal.index()].last = None;
                }
                &mut machines[id.index()].last
            }
            Act::Provisioner(act) => {
                if let ProvisionerAct::StartInstance(id) | ProvisionerAct::StartLate(id) = act {
                    machines[id.index()].last = None;
                }
                &mut self.last[ManagerTask::Provisioner as usize]
            }
            Act::Txn(Client::Provisioner, _) => &mut self.last[ManagerTask::Provisioner as usize],
            Act::Txn(Client::Cleaner, _) | Act::Cleaner(_) => {
                &mut self.last[ManagerTask::Cleaner as usize]
            }
            Act::Txn(Client::User(_) | Client::Script(_), _)
            | Act::Operator(_)
            | Act::Supervisor(_) => return,
        };
        *last = LastDuty::after(*last, action, effects);
        if let Some(last) = *last {
            self.duties.insert(last);
        }
    }

    /// Notes the last duties of the agents that a fault of this kind strikes.
    fn note_fault(&mut self, kind: FaultKind, effects: &Effects) {
        self.stats.count_fault(kind.key());
        for row in &effects.touched {
            let last = match *row {
                Row::UnitRuntime(id) => &mut self.documents[2][id.index()].last,
                Row::MachineRuntime(id) => &mut self.documents[0][id.index()].last,
                Row::Task(task) => &mut self.last[task as usize],
                _ => continue,
            };
            if let Some(last) = last.take() {
                self.struck.entry(kind).or_default().insert(last);
            }
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
        self.stats.duties = self.duties.duties();
        let struck = self.struck.iter().map(|(kind, it)| (kind.key().into(), it.duties()));
        self.stats.struck = struck.collect();
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
