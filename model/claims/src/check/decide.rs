//! The decision of a question by our own explorer.
//!
//! ```text
//! explore a small part without symmetry; answer, if that was the whole world
//! while some renamings are candidates for symmetry:
//!     explore representatives, and compare moves and claims with those of renamed states
//!     if all agree: decide the claims of the kind leads by representatives, and answer
//!     keep the candidates that pass a trial alone
//! explore all states, noting violations and witnesses; decide the claims of the kind leads; answer
//! ```

use deathwatch_checker::{
    MemoryBudget, Phase, SearchProgress, Stop,
    explore::{
        Checkpoint, ExploreOptions, ExploredSpace, PackedStates, SearchLimits, Space as _,
        StateGraph, explore, explore_resumable,
    },
    fair::{self, LeadsOptions, MOST_CLAIMS, Masks},
};
use deathwatch_model::world::FaultKind;

use crate::{
    check::{
        Caching, CheckQuestion, CheckReport, SearchSettings, Symmetry, TooLarge,
        conditions::{ClaimSubject, Conditions},
        counterexample::{CheckedSubject, CounterexampleBuilder, NumberedStates},
        seen::FirstFindings,
        symmetry::{Exchanges, RenamingGroup, Stabilizers, Unfolded, candidates},
        transition_system::{FaultSteps, TransitionSystem, Worker, generators_in},
    },
    claims::ClaimKind,
};

/// Answers `question` by our own explorer.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
) -> Result<CheckReport, TooLarge> {
    searched(question, FaultSteps::Alike, settings, &|it| search(it, question, settings))
}

/// Answers `question` as [`check`] does, for the runs without faults of these kinds. The world
/// stays the same: hooks that could fail still run.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check_without(
    question: &CheckQuestion<'_>,
    faults: &[FaultKind],
    settings: &SearchSettings<'_>,
) -> Result<CheckReport, TooLarge> {
    let faults = FaultSteps::Without(faults);
    searched(question, faults, settings, &|it| search(it, question, settings))
}

/// The number of states above which a world is worth looking for symmetry.
const FEW: u64 = 1 << 14;

/// Answers by `search`, with representatives if there is symmetry. `search` explores a world and
/// answers; it returns `None` if a renaming that was used turns out to be no symmetry.
pub(super) fn searched(
    question: &CheckQuestion<'_>,
    faults: FaultSteps<'_>,
    settings: &SearchSettings<'_>,
    search: &dyn Fn(&TransitionSystem<'_>) -> Option<CheckReport>,
) -> Result<CheckReport, TooLarge> {
    let protocol = TransitionSystem::new(question, faults, settings)?;
    let saved = settings.checkpoint.and_then(Checkpoint::findings);
    // Steps of the outline are not compared with those of renamed states.
    let is_tried = question.refines.is_none()
        && settings.symmetry != Symmetry::Off
        && largest_kind(question) <= MOST_CLAIMS
        // Without caching every state would be compared with all its renamed states.
        && (settings.caching == Caching::On || settings.symmetry == Symmetry::On);
    // A resumed search goes on with the renamings that it began with.
    let may_reduce =
        saved.as_deref().map_or(is_tried, |findings| generators_in(findings).is_some());
    if may_reduce && saved.is_none() && settings.symmetry == Symmetry::Auto {
        let most = settings.max_states.map_or(FEW, |most| most.min(FEW));
        let few = SearchSettings { max_states: Some(most), checkpoint: None, ..*settings };
        // This trial numbers transactions, which have no numbers yet in other processes.
        let protocol = TransitionSystem::new(question, faults, settings)?;
        let explored = explore_all(&protocol, &few, needs_edges(question));
        let is_all = settings.max_states == Some(most) && settings.checkpoint.is_none();
        let is_answer = match explored.stopped {
            Some(Stop::States) => is_all,
            // Representatives may need less memory, and several processes have more.
            Some(Stop::Memory) => false,
            _ => true,
        };
        if is_answer {
            return Ok(answer(&protocol, question, settings, explored).expect(EXACT));
        }
    }
    let tried = if is_tried || may_reduce {
        candidates(question.world, question.start, &protocol.codec)
    } else {
        Vec::new()
    };
    if may_reduce {
        let mut candidates = tried.clone();
        if let Some(generators) = saved.as_deref().and_then(generators_in) {
            candidates.retain(|(number, _)| generators.contains(number));
        }
        while let Some(symmetric) =
            TransitionSystem::symmetric(question, faults, settings, &candidates)?
        {
            if let Some(mut report) = search(&symmetric) {
                let made = symmetric.symmetry.as_ref().map_or(&[][..], RenamingGroup::generators);
                report.exchanges = Exchanges::of(question.world, &tried, made);
                return Ok(report);
            }
            let before = candidates.len();
            let trial = SearchSettings { max_states: Some(FEW), checkpoint: None, ..*settings };
            candidates.retain(|alone| {
                let alone = std::slice::from_ref(alone);
                let alone = TransitionSystem::symmetric(question, faults, &trial, alone);
                alone.ok().flatten().is_some_and(|alone| {
                    explore_all(&alone, &trial, needs_edges(question));
                    !alone.is_asymmetric()
                })
            });
            if candidates.len() == before {
                break;
            }
        }
    }
    let exchanges = Exchanges::of(question.world, &tried, &[]);
    Ok(CheckReport { exchanges, ..search(&protocol).expect(EXACT) })
}

const EXACT: &str = "nothing is renamed";

/// The greatest number of subjects of a claim of the kind leads.
fn largest_kind(question: &CheckQuestion<'_>) -> usize {
    let obligations = question.claims.iter().filter_map(|claim| claim.obligation());
    obligations.map(|it| it.kind().count(question.world)).max().unwrap_or(0)
}

/// Whether a claim of the kind leads is asked.
pub(super) fn needs_edges(question: &CheckQuestion<'_>) -> bool {
    question.claims.iter().any(|claim| claim.kind() == ClaimKind::Leads)
}

/// Explores a world by one process, and answers; `None` if a renaming that was used is no symmetry.
fn search(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
) -> Option<CheckReport> {
    let explored = explore_all(protocol, settings, needs_edges(question));
    answer(protocol, question, settings, explored)
}

/// Answers a question after exploration, as [`search`] does.
fn answer(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    mut explored: ExploredSpace<Worker<'_>>,
) -> Option<CheckReport> {
    explored.graph.forget_index();
    let seen = explored.findings.judge.seen.clone();
    let mut report = CheckReport {
        stopped: explored.stopped,
        states: u64::from(explored.states),
        representatives: None,
        exchanges: Exchanges::default(),
        transitions: explored.transitions,
        depth: explored.depth,
        bytes: explored.bytes,
        spilled: explored.graph.spilled(),
        bytes_per_state: 8 * protocol.codec.words() as u64,
        exercised: Some(seen.clauses()),
        findings: Vec::new(),
    };
    if !count_all(protocol, &explored.findings, &mut report) {
        return None;
    }
    let (graph, findings) = (&explored.graph, &explored.findings);
    let decision = LeadsDecision { protocol, question, graph, findings, settings };
    let decided = decision.decide(&mut report);
    decision.answered(decided, &seen, report)
}

/// Counts the states that the representatives stand for. Returns whether all renamings are still
/// taken for symmetries.
pub(super) fn count_all(
    protocol: &TransitionSystem<'_>,
    findings: &Worker<'_>,
    report: &mut CheckReport,
) -> bool {
    if let Some(renamed) = findings.renamed.as_ref().map(|it| &it.findings) {
        protocol.compare_fairness(&renamed.labels);
        report.representatives = Some(report.states);
        if report.stopped.is_none() {
            (report.states, report.transitions) = (renamed.states, renamed.transitions);
        }
    }
    !protocol.is_asymmetric()
}

/// Adds the answers to a report, each with the run that shows it.
pub(super) fn add_findings(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    graph: &dyn NumberedStates,
    unfolded: Option<&Unfolded<'_>>,
    seen: &FirstFindings,
    verdicts: &mut Vec<CheckedSubject>,
    report: &mut CheckReport,
) {
    let mut builder = CounterexampleBuilder::new(protocol, question, graph, unfolded);
    for (index, claim) in question.claims.iter().enumerate() {
        report.findings.push(match claim.obligation() {
            Some(obligation) => builder.leads(claim, obligation, verdicts, report.stopped),
            None => builder.safety(claim, seen, index, report.stopped, report.states),
        });
    }
    for &clause in &question.witnesses {
        report.findings.push(builder.witness(clause, seen, report.stopped));
    }
    if let Some(refinement) = &question.refines {
        report.findings.push(builder.refinement(refinement, seen, report));
    }
}

/// Explores within the limits of `settings`.
pub(super) fn explore_all<'a>(
    protocol: &TransitionSystem<'a>,
    settings: &SearchSettings<'_>,
    store_edges: bool,
) -> ExploredSpace<Worker<'a>> {
    let options =
        ExploreOptions { threads: settings.threads, store_edges, ..ExploreOptions::default() };
    let SearchSettings { progress, checkpoint, .. } = *settings;
    let limits = limits(settings);
    let mut explored = match checkpoint {
        None => explore(protocol, &options, &limits, progress),
        Some(at) => explore_resumable(protocol, &options, &limits, at, progress),
    };
    explored.findings.report_moves();
    explored
}

/// The limits of a search with these settings.
pub(super) fn limits<'s>(settings: &SearchSettings<'s>) -> SearchLimits<'s> {
    let SearchSettings { max_states, max_bytes, stop, spill, .. } = *settings;
    SearchLimits { max_states, max_bytes, spill, stop }
}

/// The verdicts on claims of the kind leads.
#[derive(Default)]
pub(super) struct LeadsResult {
    pub(super) verdicts: Vec<CheckedSubject>,
    /// The stabilizers by which a graph of representatives is unfolded.
    pub(super) stabilizers: Option<Stabilizers>,
}

/// The parts of a decision of claims of the kind leads.
pub(super) struct LeadsDecision<'d, 'a> {
    pub(super) protocol: &'d TransitionSystem<'a>,
    pub(super) question: &'d CheckQuestion<'d>,
    /// The whole graph, and the other findings.
    pub(super) graph: &'d StateGraph,
    pub(super) findings: &'d Worker<'a>,
    pub(super) settings: &'d SearchSettings<'d>,
}

impl LeadsDecision<'_, '_> {
    /// Decides the claims, for each of their subjects; none, if the graph is not complete.
    fn decide(&self, report: &mut CheckReport) -> LeadsResult {
        let mut decided = LeadsResult::default();
        if report.stopped.is_none() {
            let found = match &self.protocol.symmetry {
                None => self.decide_all(report, &mut decided),
                Some(group) => self.decide_by_representatives(group, report, &mut decided),
            };
            report.stopped = found.err();
        }
        decided
    }

    /// Decides the claims in a graph of all states.
    fn decide_all(&self, report: &mut CheckReport, decided: &mut LeadsResult) -> Result<(), Stop> {
        let Self { protocol, question, graph, settings, .. } = self;
        for group in grouped(question) {
            let of = (*graph, &group[..]);
            decided.verdicts.extend(decide_group(protocol, question, settings, of, report)?);
        }
        Ok(())
    }

    /// The report, as far as claims were decided; `None` if a renaming is no symmetry.
    pub(super) fn answered(
        &self,
        LeadsResult { mut verdicts, stabilizers }: LeadsResult,
        seen: &FirstFindings,
        mut report: CheckReport,
    ) -> Option<CheckReport> {
        let Self { protocol, question, graph, .. } = *self;
        if protocol.is_asymmetric() {
            return None;
        }
        let unfolded = stabilizers.as_ref().and_then(|it| self.unfolded(it).ok());
        let unfolded = unfolded.as_ref();
        add_findings(protocol, question, graph, unfolded, seen, &mut verdicts, &mut report);
        Some(report)
    }
}

/// Decides a group of claims in a graph of all states.
pub(super) fn decide_group(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    (graph, group): (&StateGraph, &[ClaimSubject]),
    report: &mut CheckReport,
) -> Result<Vec<CheckedSubject>, Stop> {
    tell_of_decision(settings, report);
    let fairness = protocol.classes.fairness();
    let mut memory = memory_beside(graph.bytes(), settings);
    let verdicts = masks(protocol, question, graph, group, &mut memory, settings);
    let verdicts = verdicts.and_then(|masks| {
        let (count, options) = (group.len(), leads_options(settings));
        fair::leads(graph, fairness, &masks, count, options, &mut memory, settings.stop)
    });
    report.bytes = report.bytes.max(graph.bytes() + memory.peak());
    let subjects = group.iter().map(|(claim, _, subject)| (*claim, *subject));
    Ok(subjects.zip(verdicts?).map(|((claim, subject), v)| (claim, subject, v)).collect())
}

/// The options of a decision with these settings.
pub(super) fn leads_options(settings: &SearchSettings<'_>) -> LeadsOptions {
    LeadsOptions { threads: settings.threads, ..LeadsOptions::default() }
}

pub(super) fn tell_of_decision(settings: &SearchSettings<'_>, report: &CheckReport) {
    (settings.progress)(SearchProgress {
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        frontier: 0,
        bytes: report.bytes,
        phase: Phase::Deciding,
    });
}

/// The memory that is left beside `bytes`.
pub(super) fn memory_beside(bytes: u64, settings: &SearchSettings<'_>) -> MemoryBudget {
    MemoryBudget::of(settings.max_bytes.map(|most| most.saturating_sub(bytes)))
}

/// The claims of the kind leads, one for each subject, in groups that are decided at once.
pub(super) fn grouped(question: &CheckQuestion<'_>) -> Vec<Vec<ClaimSubject>> {
    let claims = question.claims.iter().filter_map(|claim| Some((*claim, claim.obligation()?)));
    let all: Vec<ClaimSubject> = claims
        .flat_map(|(claim, obligation)| {
            let subjects = obligation.kind().rows(question.world);
            subjects.map(move |subject| (claim, obligation, subject))
        })
        .collect();
    all.chunks(MOST_CLAIMS).map(<[ClaimSubject]>::to_vec).collect()
}

/// For each state, the claims whose `from` holds there, and those whose `to` does.
pub(super) fn masks(
    protocol: &TransitionSystem<'_>,
    question: &CheckQuestion<'_>,
    graph: &impl PackedStates,
    group: &[ClaimSubject],
    memory: &mut MemoryBudget,
    settings: &SearchSettings<'_>,
) -> Result<Masks, Stop> {
    Masks::of(
        graph,
        settings.threads,
        memory,
        settings.stop,
        || (protocol.worker(), Conditions::of(question.world, group, protocol)),
        |(worker, conditions), state| conditions.go_to(protocol, worker, state),
    )
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::atomic::{AtomicBool, Ordering},
    };

    use super::*;
    use crate::{
        check::{CheckAnswer, tests::machines},
        claims::{Claim, tests::world},
    };
    use deathwatch_model::{state::State, world::World};

    const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

    fn question<'a>(world: &'a World, start: &'a State, kinds: &[ClaimKind]) -> CheckQuestion<'a> {
        let claims =
            Claim::without_history().filter(|claim| kinds.contains(&claim.kind())).collect();
        CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None }
    }

    fn report(question: &CheckQuestion<'_>, settings: &SearchSettings<'_>) -> CheckReport {
        check(question, settings).expect("two machines fit")
    }

    #[test]
    fn the_bound_of_memory_includes_what_the_decision_takes() {
        let (world, start) = machines();
        let bytes = |question: &CheckQuestion<'_>, store_edges| {
            let protocol =
                TransitionSystem::new(question, FaultSteps::Alike, &SETTINGS).expect("it fits");
            let mut explored = explore_all(&protocol, &SETTINGS, store_edges);
            explored.graph.forget_index();
            (explored.bytes, explored.graph.bytes())
        };
        let states = question(&world, &start, &[ClaimKind::Always]);
        assert_eq!(report(&states, &SETTINGS).bytes, bytes(&states, false).0, "no edges are kept");
        let question = question(&world, &start, &[ClaimKind::Leads]);
        let whole = report(&question, &SETTINGS);
        let (search, graph) = bytes(&question, true);
        assert!(whole.bytes >= search && whole.bytes > graph, "{whole:?}");
        assert_eq!(Ok(whole.bytes_per_state), question.bytes_per_state());
        let least = whole.bytes;
        for (bound, stopped) in [(least, None), (9 * least, None), (least - 1, Some(Stop::Memory))]
        {
            let report = report(&question, &SearchSettings { max_bytes: Some(bound), ..SETTINGS });
            assert_eq!(report.stopped, stopped);
            assert!(report.states == whole.states || stopped.is_some());
            let is_open = |it: &crate::check::Finding| it.answer == CheckAnswer::Undecided;
            let subjects = report.findings.iter().filter(|it| it.subjects > 0);
            assert!(subjects.clone().count() > 3);
            assert!(subjects.clone().all(|it| is_open(it) == stopped.is_some()));
        }
    }

    #[test]
    fn nothing_is_decided_in_a_part_of_the_graph_or_by_a_part_of_the_decision() {
        let (world, start) = machines();
        let question = question(&world, &start, &[ClaimKind::Leads]);
        let whole = report(&question, &SETTINGS);
        let open = |settings: &SearchSettings<'_>, stop| {
            let report = report(&question, settings);
            assert_eq!(report.stopped, Some(stop));
            let answers = report.findings.iter().map(|finding| finding.answer);
            assert!(answers.clone().all(|it| it == CheckAnswer::Undecided), "{report:?}");
        };
        for max_states in 1..whole.states {
            open(&SearchSettings { max_states: Some(max_states), ..SETTINGS }, Stop::States);
        }
        let pressed = AtomicBool::new(false);
        let settings = SearchSettings {
            stop: &|| pressed.load(Ordering::Relaxed).then_some(Stop::Interrupted),
            progress: &|it| pressed.store(it.phase == Phase::Deciding, Ordering::Relaxed),
            ..SETTINGS
        };
        open(&settings, Stop::Interrupted);
    }

    #[test]
    fn every_subject_is_decided_once() {
        let world = world(&["hooks", "charm", "relations", "settings"]);
        let start = State::empty(&world);
        let question = question(&world, &start, &[ClaimKind::Leads]);
        let mut decided = BTreeSet::new();
        for group in grouped(&question) {
            assert!((1..=MOST_CLAIMS).contains(&group.len()));
            for (claim, _, subject) in group {
                assert!(decided.insert((claim.name, subject)), "{} of {subject:?}", claim.name);
            }
        }
        let obligations = question.claims.iter().filter_map(|claim| claim.obligation());
        let all: usize = obligations.map(|it| it.kind().count(&world)).sum();
        assert_eq!(decided.len(), all);
    }

    #[test]
    fn a_fault_that_is_left_out_is_no_step() {
        let (world, start) = machines();
        let second = world.machine_ids().nth(1).expect("there are two");
        let world = world.changed(|world| world.faults.hardware_failure = vec![second]);
        let question = question(&world, &start, &[]);
        let with = report(&question, &SETTINGS);
        let without = check_without(&question, &[FaultKind::HardwareFailure], &SETTINGS);
        let without = without.expect("two machines fit");
        assert!(without.transitions < with.transitions);
    }
}
