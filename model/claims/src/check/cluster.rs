//! The answers of several processes: they explore the world together, and process 0 answers.

use deathwatch_checker::{
    Stop,
    explore::{Exchange, ExploreOptions, GraphPart, KnownPaths, StateGraph, explore_distributed},
    fair::{self, ClaimVerdict, Sieved},
};

use super::{
    CheckQuestion, CheckReport, Exchanges, SearchSettings, TooLarge,
    counterexample::{CheckedSubject, NumberedStates},
    decide::{
        ClaimSubject, add_findings, decide_group, grouped, limits, masks, memory_beside,
        tell_of_decision,
    },
    seen::FirstFindings,
    transition_system::{FaultSteps, TransitionSystem},
};
use crate::claims::ClaimKind;

/// Answers `question` together with other processes, which all ask the same. The limits are those
/// of this process, and so is the checkpoint, which all have [opened
/// together](super::open_together); each state is explored. Process 0 gets the answers, which are
/// those of [`check`](super::check()), and the others nothing.
///
/// Most claims about what must follow are decided by all processes together. What these leave open
/// is decided by process 0, which then has to have room for the whole graph beside its part of it.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check_by_cluster(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    exchange: &dyn Exchange,
) -> Result<Option<CheckReport>, TooLarge> {
    let protocol = TransitionSystem::new(question, FaultSteps::Alike, settings)?;
    let store_edges = question.claims.iter().any(|claim| claim.kind() == ClaimKind::Leads);
    let SearchSettings { threads, progress, checkpoint, .. } = *settings;
    let options = ExploreOptions { threads, store_edges, ..ExploreOptions::default() };
    let limits = limits(settings);
    let mut found =
        explore_distributed(&protocol, exchange, &options, &limits, checkpoint, progress);
    found.findings.report_moves();
    let mut report = CheckReport {
        stopped: found.stopped,
        states: u64::from(found.states),
        representatives: None,
        exchanges: Exchanges::default(),
        transitions: found.transitions,
        depth: found.depth,
        bytes: found.bytes,
        spilled: found.part.spilled(),
        bytes_per_state: 8 * protocol.codec.words() as u64,
        exercised: found.findings.judge.seen.clauses(),
        findings: Vec::new(),
    };
    let seen = found.findings.judge.seen;
    let part = (Some(found.part), found.states);
    let mut cluster =
        ClusterDecision { protocol: &protocol, question, settings, exchange, part, seen };
    let mut decided = ClusterDecided::default();
    let open = match report.stopped {
        None => cluster.decide(&mut decided, &mut report),
        Some(_) => Ok(()),
    };
    if open == Err(Stop::Peer) {
        report.stopped = Some(Stop::Peer);
    }
    Ok(cluster.report(decided, report, open.err()))
}

/// What a decision by several processes is made of.
struct ClusterDecision<'d, 'a> {
    protocol: &'d TransitionSystem<'a>,
    question: &'d CheckQuestion<'d>,
    settings: &'d SearchSettings<'d>,
    exchange: &'d dyn Exchange,
    /// The graph as far as this process has it, unless it has the whole, and its states.
    part: (Option<GraphPart>, u32),
    seen: FirstFindings,
}

/// The verdicts on claims about fair runs, and the whole graph where it was needed.
#[derive(Default)]
struct ClusterDecided {
    verdicts: Vec<CheckedSubject>,
    graph: Option<StateGraph>,
}

impl ClusterDecision<'_, '_> {
    /// Decides the claims about what must follow, as far as that can be done.
    fn decide(
        &mut self,
        decided: &mut ClusterDecided,
        report: &mut CheckReport,
    ) -> Result<(), Stop> {
        let mut open = Vec::new();
        for group in grouped(self.question) {
            tell_of_decision(self.settings, report);
            let sieved = self.sieve(&group, report)?;
            if sieved.left != 0 {
                open.push(group.clone());
            }
            for (bit, (claim, _, subject)) in group.iter().enumerate() {
                if sieved.left >> bit & 1 == 0 {
                    let holds = ClaimVerdict { from_states: sieved.from_states[bit], lasso: None };
                    decided.verdicts.push((claim, *subject, holds));
                }
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let (part, states) = (self.part.0.as_ref().expect("there is one so far"), self.part.1);
        let graph = part.gather(self.exchange, states, &limits(self.settings))?;
        self.part.0 = None;
        if self.exchange.process() != 0 {
            return Ok(());
        }
        let graph = decided.graph.insert(graph);
        for group in open {
            let of = (&*graph, &group[..]);
            for verdict in decide_group(self.protocol, self.question, self.settings, of, report)? {
                let is_it = |(claim, subject, _): &&CheckedSubject| {
                    std::ptr::eq(*claim, verdict.0) && *subject == verdict.1
                };
                match decided.verdicts.iter().find(is_it) {
                    Some(before) => {
                        assert_eq!(before.2, verdict.2, "the sieve decides as the graph does");
                    }
                    None => decided.verdicts.push(verdict),
                }
            }
        }
        Ok(())
    }

    /// Sieves a group of claims.
    fn sieve(&self, group: &[ClaimSubject], report: &mut CheckReport) -> Result<Sieved, Stop> {
        let Self { protocol, question, settings, exchange, .. } = self;
        let (part, states) = (self.part.0.as_ref().expect("there is one so far"), self.part.1);
        let mut memory = memory_beside(part.bytes(), settings);
        let masks = masks(protocol, question, part, group, &mut memory, settings);
        let sieved = fair::sieve(
            (part, states),
            *exchange,
            protocol.classes.fairness(),
            (masks, group.len()),
            &mut memory,
            settings.stop,
        );
        report.bytes = report.bytes.max(part.bytes() + memory.peak());
        sieved
    }

    /// The answers of process 0, some of which may be open for a reason.
    fn report(
        self,
        mut decided: ClusterDecided,
        mut report: CheckReport,
        open: Option<Stop>,
    ) -> Option<CheckReport> {
        let Self { protocol, question, exchange, part, mut seen, .. } = self;
        let mut paths = KnownPaths::default();
        if let Some(part) = part.0.filter(|_| report.stopped != Some(Stop::Peer)) {
            match part.paths(exchange, &first_states(question, &seen)) {
                Ok(known) => paths = known,
                Err(stop) => report.stopped = Some(stop),
            }
        }
        if exchange.process() != 0 {
            return None;
        }
        if report.stopped == Some(Stop::Peer) {
            // Nothing can be shown of what lies with a process that was lost.
            seen = FirstFindings::new(question.claims.len());
            report.exercised = seen.clauses();
            decided = ClusterDecided::default();
        }
        let graph: &dyn NumberedStates = decided.graph.as_ref().map_or(&paths, |graph| graph);
        add_findings(protocol, question, graph, None, &seen, &mut decided.verdicts, &mut report);
        // What was found on the way does not depend on what is open.
        report.stopped = report.stopped.or(open);
        Some(report)
    }
}

/// The states whose steps decide something first.
fn first_states(question: &CheckQuestion<'_>, seen: &FirstFindings) -> Vec<u32> {
    let violations = seen.violations.iter().flatten().map(|(spot, _)| *spot);
    let witnesses = question.witnesses.iter().filter_map(|clause| seen.first(*clause));
    let spots = violations.chain(witnesses).chain(seen.departure);
    spots.map(|(state, _)| state).collect()
}
