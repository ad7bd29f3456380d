//! Findings with the runs that show them: numbers of states become actions.

use std::collections::BTreeSet;

use deathwatch_checker::{
    Stop,
    explore::{KnownPaths, Space as _, StateGraph},
    fair::{self, ClaimVerdict, Lasso, LassoStep},
    graph::Graph as _,
};
use deathwatch_model::{
    action::Action,
    clause::Clause,
    protocol::{self, Effects},
    rows::Row,
    state::State,
};

use super::{
    CheckAnswer, CheckQuestion, CheckReport, Finding, FindingSubject, Refinement, Trace,
    TurningPoint,
    certificate::certify,
    seen::FirstFindings,
    symmetry::Unfolded,
    transition_system::{TransitionSystem, Worker},
};
use crate::claims::{Claim, ClaimKind, ClaimObligation, Diagnosis};

/// The verdict on a claim for one subject.
pub(super) type CheckedSubject = (&'static Claim, Row, ClaimVerdict);

/// States by number, with the paths by which they were first reached.
pub(super) trait NumberedStates {
    /// A shortest path from a start to a state, both included.
    fn path_to(&self, state: u64) -> Vec<u64>;

    fn state(&self, state: u64) -> Vec<u64>;
}

impl NumberedStates for StateGraph {
    fn path_to(&self, state: u64) -> Vec<u64> {
        self.path_to(in_graph(state)).into_iter().map(u64::from).collect()
    }

    fn state(&self, state: u64) -> Vec<u64> {
        self.state(in_graph(state))
    }
}

/// The number of a state, within one graph.
fn in_graph(state: u64) -> u32 {
    u32::try_from(state).expect("one process numbers states with 32 bits")
}

impl NumberedStates for KnownPaths {
    fn path_to(&self, state: u64) -> Vec<u64> {
        self.path_to(state)
    }

    fn state(&self, state: u64) -> Vec<u64> {
        self.state(state)
    }
}

/// Turns numbers of states into runs, each of which is certified.
pub(super) struct CounterexampleBuilder<'a> {
    protocol: &'a TransitionSystem<'a>,
    question: &'a CheckQuestion<'a>,
    graph: &'a dyn NumberedStates,
    /// The graph of all states, if `graph` has representatives.
    unfolded: Option<&'a Unfolded<'a>>,
    worker: Option<Worker<'a>>,
}

impl<'a> CounterexampleBuilder<'a> {
    pub(super) fn new(
        protocol: &'a TransitionSystem<'a>,
        question: &'a CheckQuestion<'a>,
        graph: &'a dyn NumberedStates,
        unfolded: Option<&'a Unfolded<'a>>,
    ) -> Self {
        Self { protocol, question, graph, unfolded, worker: None }
    }

    /// The finding on a claim about states or transitions, with a shortest run that decides it: to
    /// its first violation, or to the state that shows it reached.
    pub(super) fn safety(
        &mut self,
        claim: &'static Claim,
        seen: &FirstFindings,
        index: usize,
        stopped: Option<Stop>,
        states: u64,
    ) -> Finding {
        let violation = seen.violations[index];
        let trace = violation.map(|((state, _), _)| {
            let (protocol, world) = (self.protocol, self.question.world);
            let (mut steps, words) = self.run_to(state);
            let subject = if claim.kind() == ClaimKind::Step {
                let found = protocol.violating(self.worker(), &words, claim);
                let (action, subject) = found.expect("a step from there violates it");
                steps.push(action);
                subject
            } else {
                let state = protocol.state(self.worker(), &words);
                claim.first(world, &state).expect("the state decides it")
            };
            let subject = claim.subject(subject);
            let trace = Trace { subject, steps, ..Trace::default() };
            self.certified(FindingSubject::Claim(claim), trace)
        });
        let found = match claim.kind() {
            ClaimKind::Reachable => CheckAnswer::Holds,
            ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => CheckAnswer::Violated,
        };
        let answer = answer(found, trace.as_ref(), stopped);
        Finding { asked: FindingSubject::Claim(claim), answer, subjects: 1, applied: states, trace }
    }

    /// The finding on a claim that was decided for each of its subjects: violated if it is for some
    /// subject, with the run of the shortest prefix.
    pub(super) fn leads(
        &mut self,
        claim: &'static Claim,
        obligation: ClaimObligation,
        decided: &mut Vec<CheckedSubject>,
        stopped: Option<Stop>,
    ) -> Finding {
        let mut mine: Vec<CheckedSubject> = Vec::new();
        decided.retain(|decided| {
            let is_mine = std::ptr::eq(decided.0, claim);
            if is_mine {
                mine.push(decided.clone());
            }
            !is_mine
        });
        let subjects = obligation.kind().count(self.question.world);
        let complete = mine.len() == subjects;
        let applied = mine.iter().map(|(_, _, verdict)| verdict.from_states).sum();
        let shortest = mine
            .into_iter()
            .filter_map(|(_, subject, verdict)| Some((subject, verdict.lasso?, verdict.no_return?)))
            .min_by_key(|(_, lasso, _)| lasso.prefix.len());
        let trace = shortest.map(|(subject, lasso, no_return)| {
            let trace = self.trace_of(claim, subject, (&lasso, no_return));
            self.certified(FindingSubject::Claim(claim), trace)
        });
        let answer = match (&trace, complete, stopped) {
            (Some(_), ..) => CheckAnswer::Violated,
            (None, false, _) | (None, _, Some(_)) => CheckAnswer::Undecided,
            (None, true, None) if applied == 0 => CheckAnswer::Vacuous,
            (None, true, None) => CheckAnswer::Holds,
        };
        Finding { asked: FindingSubject::Claim(claim), answer, subjects, applied, trace }
    }

    pub(super) fn witness(
        &mut self,
        clause: Clause,
        seen: &FirstFindings,
        stopped: Option<Stop>,
    ) -> Finding {
        let trace = seen.first(clause).map(|(state, _)| {
            let (mut steps, words) = self.run_to(state);
            let action = self.protocol.carrying_out(self.worker(), &words, clause);
            steps.push(action.expect("a step from there carries it out"));
            let trace = Trace { steps, ..Trace::default() };
            self.certified(FindingSubject::Witness(clause), trace)
        });
        let answer = answer(CheckAnswer::Holds, trace.as_ref(), stopped);
        let applied = u64::from(trace.is_some());
        Finding { asked: FindingSubject::Witness(clause), answer, subjects: 1, applied, trace }
    }

    /// The finding whether the world keeps to its outline, with a shortest run to a step that the
    /// outline does not have.
    pub(super) fn refinement(
        &mut self,
        refinement: &Refinement<'_>,
        seen: &FirstFindings,
        report: &CheckReport,
    ) -> Finding {
        let trace = seen.departure.map(|(state, position)| {
            let (mut steps, words) = self.run_to(state);
            let action = self.protocol.action_at(self.worker(), &words, position);
            let before = self.protocol.state(self.worker(), &words);
            let mut after = before.clone();
            protocol::step(self.question.world, &mut after, action, &mut Effects::default());
            let departure = refinement.departure(&before, action, &after);
            steps.push(action);
            let trace = Trace { steps, departure, ..Trace::default() };
            self.certified(FindingSubject::Refinement, trace)
        });
        let answer = answer(CheckAnswer::Violated, trace.as_ref(), report.stopped);
        Finding {
            asked: FindingSubject::Refinement,
            answer,
            subjects: 1,
            applied: report.states,
            trace,
        }
    }

    fn certified(&self, asked: FindingSubject, trace: Trace) -> Trace {
        if let Err(flaw) = certify(self.question, asked, &trace) {
            panic!("the run found for {asked:?} is none: {flaw}");
        }
        trace
    }

    fn trace_of(
        &mut self,
        claim: &Claim,
        subject: Row,
        (lasso, no_return): (&Lasso, fair::PointOfNoReturn),
    ) -> Trace {
        let (protocol, graph, world) = (self.protocol, self.graph, self.question.world);
        let mut act = |step: &LassoStep| match self.unfolded {
            None => protocol.action_of(self.worker(), &graph.state(step.from.into()), step.edge),
            Some(unfolded) => {
                let label = unfolded.edges(step.from).nth(step.edge).expect("it was taken").1;
                let (from, to) = (self.words(step.from), self.words(step.to));
                let action = protocol.along(self.worker(), &from, &to, label);
                action.expect("what a representative can do its state can do, renamed")
            }
        };
        let steps: Vec<Action> = lasso.prefix.iter().map(&mut act).collect();
        let mut cycle: Vec<Action> = lasso.cycle.iter().map(&mut act).collect();
        let fair::PointOfNoReturn { open, lost, unaided, aid } = no_return;
        let aid = aid.as_ref().map(&mut act);
        let words = self.words(lasso.entry());
        let stuck = protocol.state(self.worker(), &words);
        if cycle.is_empty() {
            cycle = self.idle_steps(&stuck);
        }
        let subject = claim.subject(subject);
        let stuck_row = subject.filter(|subject| subject.actor().is_some());
        let start = self.question.start;
        let diagnosis =
            stuck_row.map(|subject| Diagnosis::of_run(world, start, &steps, &cycle, subject));
        let no_return = Some(TurningPoint { open, lost, unaided, aid });
        Trace { subject, steps, cycle, diagnosis, no_return, departure: None }
    }

    /// For each class that owes a move in `state`, an action that changes nothing. The graph has no
    /// edges for these, although the class goes on for ever.
    fn idle_steps(&self, state: &State) -> Vec<Action> {
        let (world, mut enabled) = (self.question.world, Vec::new());
        protocol::enabled(world, state, &mut enabled);
        let (mut moved, mut effects) = (BTreeSet::new(), Effects::default());
        enabled.retain(|action| {
            let Some((class, _)) = self.protocol.classes.owes(state, action) else { return false };
            let mut next = state.clone();
            protocol::step(world, &mut next, *action, &mut effects);
            next == *state && moved.insert(class)
        });
        enabled
    }

    /// The actions on a shortest path to a state, or to one that it represents, and the packed
    /// state that they lead to.
    fn run_to(&mut self, state: u64) -> (Vec<Action>, Vec<u64>) {
        let (protocol, graph) = (self.protocol, self.graph);
        let path = graph.path_to(state);
        let (mut steps, mut words) = (Vec::new(), graph.state(path[0]));
        for next in &path[1..] {
            let step = protocol.towards(self.worker(), &words, &graph.state(*next));
            let (action, reached) = step.expect("the path was found by taking these steps");
            steps.push(action);
            words = reached;
        }
        (steps, words)
    }

    /// The packed state with this number, among all states.
    fn words(&mut self, state: u32) -> Vec<u64> {
        match self.unfolded {
            None => self.graph.state(state.into()),
            Some(unfolded) => {
                let (representative, renaming) = unfolded.parts(state);
                let words = self.graph.state(representative.into());
                self.protocol.renamed_state(self.worker(), &words, renaming)
            }
        }
    }

    fn worker(&mut self) -> &mut Worker<'a> {
        self.worker.get_or_insert_with(|| self.protocol.worker())
    }
}

/// The answer of a search for one run: `found` (`Holds` or `Violated`) if there is such a run;
/// otherwise the opposite, or open if the search gave up.
fn answer(found: CheckAnswer, run: Option<&Trace>, stopped: Option<Stop>) -> CheckAnswer {
    let is_wanted = found == CheckAnswer::Holds;
    match (run, stopped) {
        (Some(_), _) => found,
        (None, Some(_)) => CheckAnswer::Undecided,
        (None, None) if is_wanted => CheckAnswer::Violated,
        (None, None) => CheckAnswer::Holds,
    }
}
