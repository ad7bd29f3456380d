//! Resuming a search in another process: the findings as text, and the numbers of pending
//! transactions, which are given anew.
//!
//! A packed state has the number of a transaction in its place, and numbers are in the order of the
//! states that first have them. So transactions need not be saved: the protocol makes them again.

use std::fmt::Write as _;

use deathwatch_checker::explore::{CheckpointError, Refused, Resumable, StateGraph};
use deathwatch_model::{action::Action, clause::Clause};

use super::{SAMPLE, TransitionSystem, Worker, symmetric::RenamedFindings};
use crate::{
    check::{
        seen::{FirstFindings, Spot},
        symmetry::RenamingGroup,
    },
    claims::ClaimKind,
};

impl Resumable for TransitionSystem<'_> {
    fn save(&self, workers: &mut dyn Iterator<Item = &mut Self::Worker>) -> Vec<u8> {
        let mut seen = FirstFindings::new(self.question.claims.len());
        let mut renamed: Option<RenamedFindings> = None;
        for worker in workers {
            worker.report_moves();
            seen.merge(&worker.judge.seen);
            let theirs = worker.renamed.as_ref().map(|it| &it.findings);
            if let (Some(all), Some(theirs)) = (&mut renamed, theirs) {
                if !all.merge(theirs) {
                    self.refuse_symmetry();
                }
            } else {
                renamed = theirs.cloned();
            }
        }
        self.write_findings(&seen, renamed.as_ref()).into_bytes()
    }

    fn resume(
        &self,
        worker: &mut Self::Worker,
        findings: &[u8],
        graph: &StateGraph,
        expanded: u32,
        batch: u32,
    ) -> Result<(), CheckpointError> {
        let resumed = self.go_on_from(worker, findings, graph, expanded, batch);
        if resumed.is_err() {
            // Findings that are refused are dropped.
            worker.judge.seen = FirstFindings::new(self.question.claims.len());
        }
        resumed
    }
}

impl TransitionSystem<'_> {
    fn go_on_from(
        &self,
        worker: &mut Worker<'_>,
        findings: &[u8],
        graph: &StateGraph,
        expanded: u32,
        batch: u32,
    ) -> Result<(), CheckpointError> {
        let damaged = |Refused| CheckpointError::Damaged;
        self.read_findings(findings, worker).map_err(damaged)?;
        if !worker.judge.seen.lies_below(graph.states().into()) || !self.has_labels(worker, graph) {
            return Err(CheckpointError::Damaged);
        }
        self.number_again(worker, graph, batch).map_err(|Refused| CheckpointError::Space)?;
        if self.are_true(worker, graph) && self.are_all(worker, graph, expanded) {
            Ok(())
        } else {
            Err(CheckpointError::Damaged)
        }
    }

    /// Whether each label of an edge is one of this world, and its images under renamings are
    /// known.
    fn has_labels(&self, worker: &Worker<'_>, graph: &StateGraph) -> bool {
        let classes = self.classes.fairness().len();
        let Some((group, renamed)) = self.symmetry.as_ref().zip(worker.renamed.as_ref()) else {
            let is_class = |class| usize::from(class) < classes;
            return graph.labels().all(|label| label.as_class().is_none_or(is_class));
        };
        let labels = &renamed.findings.labels;
        labels.are_whole()
            && graph.labels().all(|label| {
                let most = (classes + 2) * group.len();
                label.as_class().is_some_and(|code| usize::from(code) < most)
                    && labels.knows(group.parts_of(label, classes).0)
            })
    }

    /// The findings, a line for each. Before them, if there is symmetry, come the generators and
    /// whether a renaming was refused.
    fn write_findings(&self, seen: &FirstFindings, renamed: Option<&RenamedFindings>) -> String {
        let mut text = String::new();
        if let (Some(group), Some(renamed)) = (&self.symmetry, renamed) {
            text = generated_by(group.generators());
            if self.is_asymmetric() {
                text.push_str(REFUSED);
            }
            let RenamedFindings { labels, states, transitions } = renamed;
            writeln!(text, "stand-for {states} {transitions}").expect(TEXT);
            for (place, becomes) in labels.seen() {
                writeln!(text, "becomes {place} {becomes}").expect(TEXT);
            }
        }
        let mut line = |of: &str, what: &dyn std::fmt::Display, (state, position): Spot, row| {
            writeln!(text, "{of} {what} {state} {position} {row}").expect(TEXT);
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

    /// Adds saved findings to those of a worker.
    pub(super) fn read_findings(
        &self,
        findings: &[u8],
        worker: &mut Worker<'_>,
    ) -> Result<(), Refused> {
        let ours = self.symmetry.as_ref().map(RenamingGroup::generators);
        if generators_in(findings).as_deref() != ours {
            return Err(Refused);
        }
        let text = str::from_utf8(findings).map_err(|_| Refused)?;
        text.lines()
            .skip(usize::from(ours.is_some()))
            .try_for_each(|line| self.read_finding(line, worker))
            .ok_or(Refused)
    }

    /// Adds the finding in a line to those of a worker; `None` if the line is wrong.
    fn read_finding(&self, line: &str, worker: &mut Worker<'_>) -> Option<()> {
        if line == REFUSED.trim_end() {
            self.refuse_symmetry();
            return Some(());
        }
        let mut words = line.split(' ');
        let (of, what) = (words.next()?, words.next()?);
        let renamed = worker.renamed.as_mut().map(|it| &mut it.findings);
        match of {
            "stand-for" => {
                let RenamedFindings { states, transitions, .. } = renamed?;
                *states = states.checked_add(what.parse().ok()?)?;
                *transitions = transitions.checked_add(words.next()?.parse().ok()?)?;
                return Some(());
            }
            "becomes" => {
                let (place, becomes) = (what.parse().ok()?, words.next()?.parse().ok()?);
                if !renamed?.labels.add(place, becomes)? {
                    self.refuse_symmetry();
                }
                return Some(());
            }
            _ => {}
        }
        let seen = &mut worker.judge.seen;
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

    /// Whether each finding holds at its place, by the protocol. Runs are built from findings in
    /// the end, so a changed file must not get that far.
    fn are_true(&self, worker: &mut Worker<'_>, graph: &StateGraph) -> bool {
        let (world, seen) = (self.question.world, worker.judge.seen.clone());
        let mut state = vec![0; graph.words()];
        let mut read = |number: u64| {
            graph.read(u32::try_from(number).expect("it lies below"), &mut state);
            state.clone()
        };
        let violations = seen.violations.iter().zip(&self.question.claims);
        let mut violations = violations.filter_map(|(it, claim)| Some(((*it)?, claim)));
        let are_violated = violations.all(|((spot, subject), claim)| {
            let state = read(spot.0);
            if claim.kind() == ClaimKind::Step {
                self.step_is(worker, &state, spot.1, |worker, _| {
                    let Worker { base, next, effects, .. } = worker;
                    claim.at_fault(world, base, next, &effects.touched) == Some(subject)
                })
            } else {
                claim.first(world, &self.state(worker, &state)) == Some(subject)
            }
        });
        let are_carried_out = seen.clauses().iter().all(|clause| {
            let (number, position) = seen.first(clause).expect("it was carried out");
            self.step_is(worker, &read(number), position, |worker, _| {
                worker.effects.clauses.as_slice().contains(&clause)
            })
        });
        let departs = seen.departure.is_none_or(|(number, position)| {
            let Some(refinement) = &self.question.refines else { return false };
            self.step_is(worker, &read(number), position, |worker, action| {
                refinement.departure(&worker.base, action, &worker.next).is_some()
            })
        });
        are_violated && are_carried_out && departs
    }

    /// Whether a sample of the expanded states finds nothing new, neither findings nor states. The
    /// sample includes the last ones: they had no new successors, but almost all would have if they
    /// had not been expanded.
    fn are_all(&self, worker: &mut Worker<'_>, graph: &StateGraph, expanded: u32) -> bool {
        let mut sample = (0..expanded).rev().step_by(SAMPLE as usize);
        sample.all(|id| self.is_known(worker, graph, id))
    }

    /// Whether an expanded state finds nothing new.
    fn is_known(&self, worker: &mut Worker<'_>, graph: &StateGraph, id: u32) -> bool {
        let (world, state) = (self.question.world, graph.state(id));
        self.go_to(worker, &state);
        self.list_enabled(worker);
        let claims = || self.question.claims.iter().enumerate();
        let seen = worker.judge.seen.clone();
        let is_news = claims().any(|(number, claim)| {
            matches!(claim.kind(), ClaimKind::Always | ClaimKind::Reachable)
                && seen.is_news(number, (id.into(), 0))
                && claim.first(world, &worker.base).is_some()
        });
        !is_news
            && (0..worker.actions.len()).all(|position| {
                self.advance(worker, &state, position);
                let spot = (id.into(), u32::try_from(position).expect("they are few"));
                let is_known = worker.words == state || {
                    let Worker { base, next, effects, .. } = &*worker;
                    let mut clauses = effects.clauses.as_slice().iter();
                    clauses.all(|it| seen.first(*it).is_some_and(|first| first <= spot))
                        && claims().all(|(number, claim)| {
                            claim.kind() != ClaimKind::Step
                                || !seen.is_news(number, spot)
                                || claim.at_fault(world, base, next, &effects.touched).is_none()
                        })
                        && graph.find(&self.representative(worker)).is_some()
                };
                Self::undo(worker);
                is_known
            })
    }

    /// Whether there is a step at this position of a packed state that changes something and
    /// fulfils `is`.
    fn step_is(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        position: u32,
        is: impl Fn(&Worker<'_>, Action) -> bool,
    ) -> bool {
        self.go_to(worker, state);
        self.list_enabled(worker);
        let position = position as usize;
        if position >= worker.actions.len() {
            return false;
        }
        let action = self.advance(worker, state, position);
        let is_so = worker.words != state && is(worker, action);
        Self::undo(worker);
        is_so
    }

    /// Gives pending transactions the numbers that they have in the states of `graph`, batch by
    /// batch. A state that first has a number is made again here, with all successors of its parent
    /// in their order, so they get the same numbers. For these states, and for a sample of the
    /// others, the graph must have exactly the states that the protocol makes.
    fn number_again(
        &self,
        worker: &mut Worker<'_>,
        graph: &StateGraph,
        batch: u32,
    ) -> Result<(), Refused> {
        if graph.states() == 0 || graph.state(0) != self.packed_start() {
            return Err(Refused);
        }
        let mut known = self.codec.greatest_number(&graph.state(0));
        let mut state = vec![0; graph.words()];
        // The new states of a batch, and the end of the states that were expanded with it.
        let (mut found, mut end) = (Vec::new(), 0);
        for id in 1..graph.states() {
            while graph.parent(id) >= end {
                self.number_batch(worker, graph, &mut found)?;
                known = known.max(self.codec.greatest_final_number());
                // All states before this one were found when the next batch began.
                end = id.min(end.saturating_add(batch.max(1)));
            }
            graph.read(id, &mut state);
            let number = self.codec.greatest_number(&state);
            if number > known || id.is_multiple_of(SAMPLE) {
                found.push(id);
            }
            known = known.max(number);
        }
        self.number_batch(worker, graph, &mut found)
    }

    /// Gives pending transactions the numbers of the batch that found these states.
    fn number_batch(
        &self,
        worker: &mut Worker<'_>,
        graph: &StateGraph,
        found: &mut Vec<u32>,
    ) -> Result<(), Refused> {
        let parents = found.iter().map(|id| graph.parent(*id));
        let made = parents.map(|parent| self.successors(worker, &graph.state(parent)));
        let mut made: Vec<Vec<Vec<u64>>> = made.collect();
        let each = |rewrite: &mut dyn FnMut(&mut [u64])| {
            made.iter_mut().flatten().for_each(|state| rewrite(state));
        };
        self.commit_txns(each)?;
        let is_there = |it: &Vec<u64>| graph.find(it).is_some();
        let mut both = found.drain(..).zip(&made);
        let is_same =
            both.all(|(id, made)| made.contains(&graph.state(id)) && made.iter().all(is_there));
        if is_same { Ok(()) } else { Err(Refused) }
    }

    /// The successors of a packed state, or their representatives, in the order of the steps.
    pub(super) fn successors(&self, worker: &mut Worker<'_>, state: &[u64]) -> Vec<Vec<u64>> {
        self.go_to(worker, state);
        self.list_enabled(worker);
        let mut successors = Vec::with_capacity(worker.actions.len());
        for position in 0..worker.actions.len() {
            self.advance(worker, state, position);
            if worker.words != state {
                successors.push(self.representative(worker));
            }
            Self::undo(worker);
        }
        successors
    }
}

/// The beginning of the line with the candidates that generate a group.
const GENERATED_BY: &str = "generated-by";
/// The line of findings in which a renaming was found to be no symmetry.
const REFUSED: &str = "refused\n";
const TEXT: &str = "a string takes any text";

fn generated_by(candidates: &[usize]) -> String {
    let numbers = candidates.iter().map(|number| format!(" {number}"));
    format!("{GENERATED_BY}{}\n", numbers.collect::<String>())
}

/// The numbers of the candidates that generated the group of a search with these findings; `None`
/// if it had no symmetry.
pub(in crate::check) fn generators_in(findings: &[u8]) -> Option<Vec<usize>> {
    let line = str::from_utf8(findings).ok()?.lines().next()?;
    let numbers = line.strip_prefix(GENERATED_BY)?.split_whitespace();
    numbers.map(|number| number.parse().ok()).collect()
}
