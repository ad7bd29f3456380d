//! A search that goes on in another process: the findings as text, and the numbers of pending
//! transactions, which are given anew.
//!
//! A packed state has the number of a transaction in its place, and the numbers are in the order of
//! the states that first have them. So the transactions themselves need not be kept: the protocol
//! makes them again.

use std::fmt::Write as _;

use deathwatch_checker::explore::{Refused, Resumable, StateGraph};
use deathwatch_model::clause::Clause;

use super::{SAMPLE, TransitionSystem, Worker};
use crate::check::seen::{FirstFindings, Spot};

impl Resumable for TransitionSystem<'_> {
    fn save(&self, workers: &mut dyn Iterator<Item = &mut Self::Worker>) -> Vec<u8> {
        let mut seen = FirstFindings::new(self.question.claims.len());
        for worker in workers {
            worker.report_moves();
            seen.merge(&worker.judge.seen);
        }
        self.write_findings(&seen).into_bytes()
    }

    fn resume(
        &self,
        worker: &mut Self::Worker,
        findings: &[u8],
        graph: &StateGraph,
    ) -> Result<(), Refused> {
        let text = str::from_utf8(findings).map_err(|_| Refused)?;
        text.lines()
            .try_for_each(|line| self.read_finding(line, &mut worker.judge.seen))
            .ok_or(Refused)?;
        self.number_again(worker, graph)
    }
}

impl TransitionSystem<'_> {
    /// The findings, a line for each.
    fn write_findings(&self, seen: &FirstFindings) -> String {
        let mut text = String::new();
        let mut line = |of: &str, what: &dyn std::fmt::Display, (state, position): Spot, row| {
            writeln!(text, "{of} {what} {state} {position} {row}")
                .expect("a string takes any text");
        };
        for (claim, violation) in seen.violations.iter().enumerate() {
            if let Some((spot, subject)) = violation {
                line("violated", &claim, *spot, self.codec.index_of(*subject));
            }
        }
        for clause in seen.clauses().iter() {
            let first = seen.first(clause).expect("it was carried out");
            line("carried-out", &clause, first, 0);
        }
        if let Some(spot) = seen.departure {
            line("departed", &0, spot, 0);
        }
        text
    }

    /// Adds what a line says to the findings.
    fn read_finding(&self, line: &str, seen: &mut FirstFindings) -> Option<()> {
        let mut words = line.split(' ');
        let (of, what) = (words.next()?, words.next()?);
        let spot: Spot = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        match of {
            "violated" => {
                let claim = what.parse().ok().filter(|claim| *claim < seen.violations.len())?;
                seen.violated(claim, spot, self.codec.row_at(words.next()?.parse().ok()?)?);
            }
            "carried-out" => seen.carried_out(Clause::named(what)?, spot),
            "departed" => seen.departed(spot),
            _ => return None,
        }
        Some(())
    }

    /// Gives pending transactions the numbers that they have in the states of `graph`. A state
    /// that first has a number was found from a state whose successors are made again here, in
    /// their order, so they get the same numbers. For these states, and for a sample of the others,
    /// the graph must have just what the protocol makes.
    fn number_again(&self, worker: &mut Worker<'_>, graph: &StateGraph) -> Result<(), Refused> {
        if graph.states() == 0 || graph.state(0) != self.packed_start() {
            return Err(Refused);
        }
        let mut known = self.codec.greatest_number(&graph.state(0));
        let mut state = vec![0; graph.words()];
        for id in 1..graph.states() {
            graph.read(id, &mut state);
            let is_new = self.codec.greatest_number(&state) > known;
            if !is_new && !id.is_multiple_of(SAMPLE) {
                continue;
            }
            let parent = graph.state(graph.parent(id));
            let mut successors = self.successors(worker, &parent);
            let each = |rewrite: &mut dyn FnMut(&mut [u64])| {
                for successor in &mut successors {
                    rewrite(successor);
                }
            };
            let committed = self.codec.commit(each, |_| Vec::new());
            committed.map_err(|_| Refused)?;
            let numbers = successors.iter().map(|it| self.codec.greatest_number(it));
            known = numbers.fold(known, u32::max);
            let is_there = |it: &Vec<u64>| graph.find(it).is_some();
            if !successors.contains(&state) || !successors.iter().all(is_there) {
                return Err(Refused);
            }
        }
        Ok(())
    }

    /// The states that steps from a packed state lead to, in their order.
    fn successors(&self, worker: &mut Worker<'_>, state: &[u64]) -> Vec<Vec<u64>> {
        self.go_to(worker, state);
        self.list_enabled(worker);
        let mut successors = Vec::with_capacity(worker.actions.len());
        for position in 0..worker.actions.len() {
            self.advance(worker, state, position);
            if worker.words != state {
                successors.push(worker.words.clone());
            }
            Self::undo(worker);
        }
        successors
    }
}
