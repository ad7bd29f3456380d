//! The answers of several processes: they explore the world together, and process 0 answers.

use deathwatch_checker::{
    Stop,
    explore::{
        Exchange, ExploreOptions, Explored, ExploredPart, KnownPaths, SearchLimits,
        explore_distributed,
    },
};

use super::{
    CheckQuestion, CheckReport, SearchSettings, TooLarge,
    decide::{add_findings, answer},
    seen::FirstFindings,
    transition_system::{FaultSteps, TransitionSystem, Worker},
};
use crate::claims::ClaimKind;

/// Answers `question` together with other processes, which all ask the same. The limits are those
/// of this process; each state is explored, and there are no checkpoints. Process 0 gets the
/// answers, which are those of [`check`](super::check()), and the others nothing.
///
/// Claims about what must follow are decided by process 0, which then has to have room for the
/// whole graph beside its part of it.
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
    let SearchSettings { threads, max_states, max_bytes, stop, progress, .. } = *settings;
    let options = ExploreOptions { threads, store_edges, ..ExploreOptions::default() };
    let limits = SearchLimits { max_states, max_bytes, stop };
    let mut found = explore_distributed(&protocol, exchange, &options, &limits, progress);
    found.findings.report_moves();
    if store_edges && found.stopped.is_none() {
        match found.part.gather(exchange, found.states, max_bytes, stop) {
            Ok(_) if exchange.process() != 0 => return Ok(None),
            Ok(graph) => {
                drop(found.part);
                let explored = Explored {
                    graph,
                    findings: found.findings,
                    stopped: None,
                    states: found.states,
                    transitions: found.transitions,
                    depth: found.depth,
                    expanded: found.states,
                    bytes: found.bytes,
                };
                return Ok(answer(&protocol, question, settings, explored));
            }
            Err(stop) => found.stopped = Some(stop),
        }
    }
    Ok(safety(&protocol, question, exchange, found))
}

/// Answers what the search has found on the way.
fn safety(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    exchange: &dyn Exchange,
    found: ExploredPart<Worker<'_>>,
) -> Option<CheckReport> {
    let mut seen = found.findings.judge.seen;
    let mut stopped = found.stopped;
    let mut paths = KnownPaths::default();
    if stopped != Some(Stop::Peer) {
        match found.part.paths(exchange, &first_states(question, &seen)) {
            Ok(known) => paths = known,
            Err(stop) => stopped = Some(stop),
        }
    }
    if exchange.process() != 0 {
        return None;
    }
    if stopped == Some(Stop::Peer) {
        // Nothing can be shown of what lies with a process that was lost.
        seen = FirstFindings::new(question.claims.len());
    }
    let mut report = CheckReport {
        stopped,
        states: u64::from(found.states),
        representatives: None,
        transitions: found.transitions,
        depth: found.depth,
        bytes: found.bytes,
        bytes_per_state: 8 * protocol.codec.words() as u64,
        exercised: seen.clauses(),
        findings: Vec::new(),
    };
    add_findings(protocol, question, &paths, None, &seen, &mut Vec::new(), &mut report);
    Some(report)
}

/// The states whose steps decide something first.
fn first_states(question: &CheckQuestion<'_>, seen: &FirstFindings) -> Vec<u32> {
    let violations = seen.violations.iter().flatten().map(|(spot, _)| *spot);
    let witnesses = question.witnesses.iter().filter_map(|clause| seen.first(*clause));
    let spots = violations.chain(witnesses).chain(seen.departure);
    spots.map(|(state, _)| state).collect()
}
