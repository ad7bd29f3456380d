//! The subgraph in which a claim is owed to a subject, with the fairness of each step.
//!
//! A claim is violated if a fair run stays in that subgraph for ever. A decision whether there is
//! such a run decides the claim, and needs nothing else.

use std::collections::BTreeMap;

use deathwatch_checker::{
    explore::Space as _,
    graph::{Fairness, Label},
};
use deathwatch_model::{action::Action, rows::Row, world::Obligation as Owes};

use super::LabelledGraph;
use crate::claims::ClaimObligation;

/// The states in which a claim is owed to a subject, numbered in the order of the whole graph.
pub struct OwedStates<'a> {
    graph: &'a LabelledGraph<'a>,
    /// For each of them, its number in the whole graph.
    states: Vec<u32>,
    /// States in which it comes to be owed, from which all others can be reached.
    pub starts: Vec<usize>,
    /// The fairness classes that have to move and can in one of the states.
    pub classes: Vec<OwedClass>,
    /// For each of these, its number among all classes.
    numbers: Vec<u16>,
}

/// A fairness class that has to move.
#[derive(Clone, Copy, Debug)]
pub struct OwedClass {
    pub owes: Owes,
    /// A step that it can take.
    pub example: Action,
}

/// A state in which a claim is owed.
pub struct OwedState {
    /// Its number in the whole graph.
    pub number: u32,
    /// The classes that can move, in order.
    pub able: Vec<usize>,
    /// The steps after which it is still owed.
    pub steps: Vec<OwedStep>,
}

/// A step after which a claim is still owed.
pub struct OwedStep {
    pub action: Action,
    pub to: usize,
    pub taker: Taker,
}

/// The mover of a step, as far as fairness is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taker {
    /// A fault, which strikes finitely often.
    Fault,
    /// An actor that does not have to move.
    Free,
    /// A class that has to move.
    Class(usize),
}

impl LabelledGraph<'_> {
    /// The subgraph in which `obligation` is owed to `subject`.
    pub fn owed(&self, obligation: ClaimObligation, subject: Row) -> OwedStates<'_> {
        let conditions = self.conditions(obligation, subject);
        let (mut is_owed, mut starts) = (vec![false; conditions.len()], Vec::new());
        for start in 0..self.states() {
            if conditions[start as usize] == [true, false] && !is_owed[start as usize] {
                is_owed[start as usize] = true;
                starts.push(start);
                let mut waiting = vec![start];
                while let Some(state) = waiting.pop() {
                    for (to, _) in self.graph.out_edges(state) {
                        let [_, is_done] = conditions[to as usize];
                        if !is_done && !is_owed[to as usize] {
                            is_owed[to as usize] = true;
                            waiting.push(to);
                        }
                    }
                }
            }
        }
        let states: Vec<u32> =
            (0..self.states()).filter(|state| is_owed[*state as usize]).collect();
        let (numbers, classes) = self.classes_in(&states).into_iter().unzip();
        let mut owed = OwedStates { graph: self, states, starts: Vec::new(), classes, numbers };
        owed.starts = starts.into_iter().filter_map(|state| owed.index(state)).collect();
        owed
    }

    /// For each state, whether it creates the obligation, and whether it discharges it.
    fn conditions(&self, obligation: ClaimObligation, subject: Row) -> Vec<[bool; 2]> {
        let (world, mut worker) = (self.question.world, self.protocol.worker());
        let of = |state| {
            let state = self.protocol.read(&mut worker, &self.graph.state(state));
            obligation.from_to(world, state, subject)
        };
        (0..self.states()).map(of).collect()
    }

    /// The classes that have to move and can in one of `states`, by their numbers.
    fn classes_in(&self, states: &[u32]) -> BTreeMap<u16, OwedClass> {
        let (mut found, mut worker) = (BTreeMap::new(), self.protocol.worker());
        for state in states {
            let mut classes =
                self.graph.out_edges(*state).filter_map(|(_, label)| label.as_class());
            if classes.all(|class| self.owes(class).is_none() || found.contains_key(&class)) {
                continue;
            }
            for (example, _, label) in self.steps(&mut worker, *state) {
                if let Some(class) = label.as_class()
                    && let Some(owes) = self.owes(class)
                {
                    found.entry(class).or_insert(OwedClass { owes, example });
                }
            }
        }
        found
    }

    /// The duty of a class, if it owes anything.
    fn owes(&self, class: u16) -> Option<Owes> {
        match self.protocol.classes.fairness()[usize::from(class)] {
            Fairness::None => None,
            Fairness::Weak => Some(Owes::Weak),
            Fairness::Strong => Some(Owes::Strong),
        }
    }
}

impl OwedStates<'_> {
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Calls `see` with each state, in order, until a call returns `false`.
    pub fn each(&self, mut see: impl FnMut(OwedState) -> bool) {
        let mut worker = self.graph.protocol.worker();
        for number in self.states.iter().copied() {
            let (mut able, mut steps) = (Vec::new(), Vec::new());
            for (action, to, label) in self.graph.steps(&mut worker, number) {
                let taker = self.taker(label);
                if let Taker::Class(class) = taker {
                    able.push(class);
                }
                steps.extend(self.index(to).map(|to| OwedStep { action, to, taker }));
            }
            able.sort_unstable();
            able.dedup();
            if !see(OwedState { number, able, steps }) {
                return;
            }
        }
    }

    /// The index of a state of the whole graph, if it is one of these.
    fn index(&self, state: u32) -> Option<usize> {
        self.states.binary_search(&state).ok()
    }

    fn taker(&self, label: Label) -> Taker {
        if label.is_fault() {
            return Taker::Fault;
        }
        let class = label.as_class().and_then(|class| self.numbers.binary_search(&class).ok());
        class.map_or(Taker::Free, Taker::Class)
    }
}
