//! The answers of several processes: they explore the world together, and process 0 answers.
//!
//! Process 0 proceeds as a single process does (`decide`): it finds out whether the world is small,
//! and by which renamings one state may represent several. It sends each search to the others
//! before it begins, and at last an empty message.

#[cfg(test)]
mod tests;

use deathwatch_checker::{
    Stop,
    explore::{
        Exchange, ExploreOptions, ExploredPart, GraphPart, KnownPaths, StateGraph,
        explore_distributed, said_by_first,
    },
    fair::{self, ClaimVerdict, Sieved},
};

use super::{
    CheckQuestion, CheckReport, Exchanges, SearchSettings, TooLarge,
    conditions::ClaimSubject,
    counterexample::CheckedSubject,
    decide::{
        LeadsDecision, LeadsResult, add_findings, count_all, decide_group, grouped, limits, masks,
        memory_beside, needs_edges, searched, tell_of_decision,
    },
    representatives::RepresentedClaims,
    seen::FirstFindings,
    symmetry::{RenamingGroup, candidates},
    transition_system::{FaultSteps, TransitionSystem, Worker},
};

/// Answers `question` together with other processes, which all ask the same. Process 0 returns the
/// report, which is that of [`check`](super::check()), and the others `None`. It alone answers in a
/// small world, and it decides for all whether a state represents others.
///
/// The limits are those of this process, and so is the checkpoint, which all have [opened
/// together](super::open_together). Most claims of the kind leads are decided by all processes
/// together. Process 0 decides the rest, and then needs memory for the whole graph beside its part.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check_by_cluster(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    exchange: &dyn Exchange,
) -> Result<Option<CheckReport>, TooLarge> {
    if exchange.process() != 0 {
        return follow(question, settings, exchange).map(|()| None);
    }
    let report = searched(question, FaultSteps::Alike, settings, &|protocol| {
        // If a process was lost, the search will find that, too.
        drop(said_by_first(exchange, &told(protocol)));
        search(protocol, question, settings, exchange)
    })?;
    // All is answered, so a lost process does not matter any more.
    drop(said_by_first(exchange, &[]));
    Ok(Some(report))
}

/// The first word of process 0 about a search. The candidates follow by which one state represents
/// others. An empty message means that nothing more is searched.
const SEARCH: u64 = 1;

/// The message of process 0 about a search.
fn told(protocol: &TransitionSystem<'_>) -> Vec<u64> {
    let generators = protocol.symmetry.as_ref().map_or(&[][..], RenamingGroup::generators);
    std::iter::once(SEARCH).chain(generators.iter().map(|it| *it as u64)).collect()
}

/// Joins the searches that process 0 announces, until there are no more.
fn follow(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    exchange: &dyn Exchange,
) -> Result<(), TooLarge> {
    let whole = TransitionSystem::new(question, FaultSteps::Alike, settings)?;
    while let Ok(said) = said_by_first(exchange, &[]) {
        match said[..] {
            [] => break,
            [SEARCH] => drop(search(&whole, question, settings, exchange)),
            [_, ref numbers @ ..] => {
                let mut tried = candidates(question.world, question.start, &whole.codec);
                tried.retain(|(number, _)| numbers.contains(&(*number as u64)));
                let symmetric =
                    TransitionSystem::symmetric(question, FaultSteps::Alike, settings, &tried)?;
                let Some(symmetric) = symmetric else {
                    exchange.leave();
                    break;
                };
                drop(search(&symmetric, question, settings, exchange));
            }
        }
    }
    Ok(())
}

/// Explores a world together with the other processes. Process 0 returns the report; all return
/// `None` if a renaming that was used turns out to be no symmetry.
fn search(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    exchange: &dyn Exchange,
) -> Option<CheckReport> {
    let SearchSettings { threads, progress, checkpoint, .. } = *settings;
    let store_edges = needs_edges(question);
    let options = ExploreOptions { threads, store_edges, ..ExploreOptions::default() };
    let limits = limits(settings);
    let found = explore_distributed(protocol, exchange, &options, &limits, checkpoint, progress);
    answer(protocol, question, settings, exchange, found)
}

/// Answers a question after exploration, as [`search`] does.
fn answer<'a>(
    protocol: &TransitionSystem<'a>,
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    exchange: &dyn Exchange,
    found: ExploredPart<Worker<'a>>,
) -> Option<CheckReport> {
    let mut report = CheckReport {
        stopped: found.stopped,
        states: found.states,
        representatives: None,
        exchanges: Exchanges::default(),
        transitions: found.transitions,
        depth: found.depth,
        bytes: found.bytes,
        spilled: found.part.spilled(),
        bytes_per_state: 8 * protocol.codec.words() as u64,
        exercised: Some(found.findings.judge.seen.clauses()),
        findings: Vec::new(),
    };
    if !count_all(protocol, &found.findings, &mut report) {
        return None;
    }
    let mut cluster = ClusterDecision {
        protocol,
        question,
        settings,
        exchange,
        states: found.states,
        part: Some(found.part),
        graph: None,
        findings: found.findings,
    };
    let mut decided = LeadsResult::default();
    let open = match report.stopped {
        None => cluster.decide(&mut decided, &mut report),
        Some(_) => Ok(()),
    };
    if open == Err(Stop::Peer) {
        report.stopped = Some(Stop::Peer);
    }
    cluster.report(decided, report, open.err())
}

/// The parts of a decision by several processes.
struct ClusterDecision<'d, 'a> {
    protocol: &'d TransitionSystem<'a>,
    question: &'d CheckQuestion<'d>,
    settings: &'d SearchSettings<'d>,
    exchange: &'d dyn Exchange,
    /// The number of states of all processes.
    states: u64,
    /// The part of the graph that this process keeps, until the graph is gathered.
    part: Option<GraphPart>,
    /// The whole graph, once process 0 has it.
    graph: Option<StateGraph>,
    findings: Worker<'a>,
}

impl ClusterDecision<'_, '_> {
    /// Decides the claims of the kind leads: by the sieve, then the rest in the whole graph.
    fn decide(&mut self, decided: &mut LeadsResult, report: &mut CheckReport) -> Result<(), Stop> {
        if let Some(elements) = &self.protocol.symmetry {
            return self.decide_by_representatives(elements, decided, report);
        }
        let mut open = Vec::new();
        for group in grouped(self.question) {
            tell_of_decision(self.settings, report);
            let sieved = self.sieve(&group, report)?;
            if sieved.left != 0 {
                open.push(group.clone());
            }
            for (bit, (claim, _, subject)) in group.iter().enumerate() {
                if sieved.left >> bit & 1 == 0 {
                    let holds = ClaimVerdict::holds(sieved.from_states[bit]);
                    decided.verdicts.push((claim, *subject, holds));
                }
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        self.gather()?;
        let Some(graph) = &self.graph else { return Ok(()) };
        for group in open {
            let of = (graph, &group[..]);
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

    /// Decides those claims in the graph of representatives.
    fn decide_by_representatives(
        &mut self,
        elements: &RenamingGroup,
        decided: &mut LeadsResult,
        report: &mut CheckReport,
    ) -> Result<(), Stop> {
        let Self { protocol, question, settings, exchange, states, part, findings, .. } = self;
        let claims = RepresentedClaims::of(protocol, question, settings, elements, findings);
        let part = part.as_ref().expect("there is one so far");
        claims.sieve((part, *states), *exchange, report, decided)?;
        if claims.are_decided(decided) {
            return Ok(());
        }
        self.gather()?;
        let decision = self.decision();
        decision.map_or(Ok(()), |it| it.decide_by_representatives(elements, report, decided))
    }

    /// Gathers the graph at process 0.
    fn gather(&mut self) -> Result<(), Stop> {
        let part = self.part.as_ref().expect("there is one so far");
        let graph = part.of_graph(self.states)?.gather(self.exchange, &limits(self.settings))?;
        self.part = None;
        self.graph = (self.exchange.process() == 0).then_some(graph);
        Ok(())
    }

    /// The decision by this process alone, if it has the whole graph.
    fn decision(&self) -> Option<LeadsDecision<'_, '_>> {
        let Self { protocol, question, settings, findings, .. } = self;
        let graph = self.graph.as_ref()?;
        Some(LeadsDecision { protocol, question, graph, findings, settings })
    }

    fn sieve(&self, group: &[ClaimSubject], report: &mut CheckReport) -> Result<Sieved, Stop> {
        let Self { protocol, question, settings, exchange, .. } = self;
        let part = self.part.as_ref().expect("there is one so far");
        let graph = part.of_graph(self.states)?;
        let mut memory = memory_beside(part.bytes(), settings);
        let said = masks(protocol, question, part, group, &mut memory, settings);
        let said = said.and_then(|masks| {
            let from_states = masks.from_states(group.len(), &mut memory)?;
            Ok((masks, from_states))
        });
        let (said, fairness) = ((said, group.len()), protocol.classes.fairness());
        let sieved = fair::sieve(&graph, *exchange, fairness, said, &mut memory, settings.stop);
        report.bytes = report.bytes.max(part.bytes() + memory.peak());
        sieved
    }

    /// The report of process 0, in which some answers are open if there is a reason.
    fn report(
        mut self,
        mut decided: LeadsResult,
        mut report: CheckReport,
        open: Option<Stop>,
    ) -> Option<CheckReport> {
        let Self { protocol, question, exchange, .. } = self;
        let mut seen = self.findings.judge.seen.clone();
        let mut paths = KnownPaths::default();
        if let Some(part) = self.part.take().filter(|_| report.stopped != Some(Stop::Peer)) {
            match part.paths(exchange, &first_states(question, &seen)) {
                Ok(known) => paths = known,
                Err(stop) => report.stopped = Some(stop),
            }
        }
        // A claim may have been found to distinguish renamed states.
        if exchange.process() != 0 || protocol.is_asymmetric() {
            return None;
        }
        if report.stopped == Some(Stop::Peer) {
            // Nothing can be shown of states that a lost process kept.
            seen = FirstFindings::new(question.claims.len());
            report.exercised = Some(seen.clauses());
            decided = LeadsResult::default();
        }
        if let Some(decision) = self.decision() {
            report = decision.answered(decided, &seen, report)?;
        } else {
            let verdicts = &mut decided.verdicts;
            add_findings(protocol, question, &paths, None, &seen, verdicts, &mut report);
        }
        // Findings of the exploration do not depend on open answers.
        report.stopped = report.stopped.or(open);
        Some(report)
    }
}

/// The states whose steps decide something first.
fn first_states(question: &CheckQuestion<'_>, seen: &FirstFindings) -> Vec<u64> {
    let violations = seen.violations.iter().flatten().map(|(spot, _)| *spot);
    let witnesses = question.witnesses.iter().filter_map(|clause| seen.first(*clause));
    let spots = violations.chain(witnesses).chain(seen.departure);
    spots.map(|(state, _)| state).collect()
}
