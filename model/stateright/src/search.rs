//! The search: stateright's, within our limits.

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use deathwatch_claims::{
    ClaimKind,
    check::{
        CheckAnswer, CheckQuestion, CheckReport, Exchanges, Finding, FindingSubject,
        SearchProgress, SearchSettings, Stop, TooLarge, Trace,
    },
};
use deathwatch_model::{action::Action, state::State, world::World};
use stateright::{Checker, Model, Path};

use crate::{
    protocol::{MOST_ASKED, ProtocolModel, askable},
    threads,
};

/// The interval at which the limits are checked.
const POLL: Duration = Duration::from_millis(20);
/// The bytes that stateright needs for a state besides the state itself: fingerprints in a hash map
/// that is half full, and the entry of its queue.
const OVERHEAD: u64 = 160;

/// Answers the `Always` claims, the witnesses and the refinement of `question` by stateright's
/// breadth-first checker. The other claims are left out of the findings. Of more than 128 things
/// asked, each 128 take a search of their own.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
) -> Result<CheckReport, TooLarge> {
    let mut report = CheckReport {
        stopped: None,
        states: 0,
        representatives: None,
        exchanges: Exchanges::default(),
        transitions: 0,
        depth: 0,
        bytes: 0,
        spilled: 0,
        bytes_per_state: question.bytes_per_state()?,
        exercised: None,
        findings: Vec::new(),
    };
    let asked = askable(question);
    let nothing: [&[_]; 1] = [&[]];
    let groups = asked.chunks(MOST_ASKED).chain(nothing.into_iter().filter(|_| asked.is_empty()));
    for group in groups {
        search(ProtocolModel::new(question, group), settings, &mut report);
    }
    Ok(report)
}

/// Searches for what `protocol` is asked, and adds what was found to `report`.
fn search(protocol: ProtocolModel, settings: &SearchSettings<'_>, report: &mut CheckReport) {
    let threads = threads::startable(settings.threads.max(1));
    let open = |(asked, _): &(FindingSubject, _)| finding(*asked, None, Some(Stop::Threads), 0);
    let unanswered: Vec<Finding> = protocol.asked().iter().map(open).collect();
    let flag = Arc::clone(&protocol.stopped);
    let state_bytes = size_of_state(&protocol.world) + OVERHEAD;
    let start = || protocol.checker().threads(threads).spawn_bfs();
    let checker = if threads > 0 { threads::unless_refused(start) } else { None };
    let Some(checker) = checker else {
        // Those that were started have nothing to do any more.
        flag.store(true, Ordering::Relaxed);
        report.stopped = Some(Stop::Threads);
        report.findings.extend(unanswered);
        return;
    };
    let mut stopped = None;
    while !checker.is_done() {
        thread::sleep(POLL);
        let (states, transitions) =
            (checker.unique_state_count() as u64, checker.state_count() as u64);
        let bytes = states * state_bytes;
        let too_many = |limit: Option<u64>, is: u64| limit.is_some_and(|most| is > most);
        let reached = (settings.stop)()
            .or(too_many(settings.max_states, states).then_some(Stop::States))
            .or(too_many(settings.max_bytes, bytes).then_some(Stop::Memory));
        if let (Some(stop), None) = (reached, stopped) {
            stopped = Some(stop);
            flag.store(true, Ordering::Relaxed);
        }
        let depth = u32::try_from(checker.max_depth()).unwrap_or(u32::MAX);
        (settings.progress)(SearchProgress {
            states,
            transitions,
            depth,
            bytes,
            ..SearchProgress::default()
        });
    }
    let checker = checker.join();
    // To tell what was found, stateright asks for the actions of each state on the way again.
    flag.store(false, Ordering::Relaxed);
    let states = checker.unique_state_count() as u64;
    report.stopped = report.stopped.or(stopped);
    report.states = states;
    report.transitions = (checker.state_count() as u64).saturating_sub(1);
    report.depth = u32::try_from(checker.max_depth()).unwrap_or(u32::MAX).saturating_sub(1);
    report.bytes = states * state_bytes;
    let found = checker.discoveries();
    let findings = checker.model().asked().iter().map(|(asked, name)| {
        let trace = found.get(name).cloned().map(|path| trace(checker.model(), *asked, path));
        finding(*asked, trace, stopped, states)
    });
    report.findings.extend(findings);
}

/// An estimate, from above, of what a state in stateright's queue takes.
fn size_of_state(world: &World) -> u64 {
    let entries = world.machines.len()
        + world.applications.len()
        + 2 * world.units.len()
        + 2 * world.relations.len();
    96 * entries as u64 + 512
}

/// The run that was found for or against what was asked.
fn trace(protocol: &ProtocolModel, asked: FindingSubject, path: Path<State, Action>) -> Trace {
    let last = path.last_state().clone();
    let mut trace = Trace { steps: path.into_actions(), ..Trace::default() };
    if let FindingSubject::Refinement = asked
        && let Some((action, departure)) = protocol.departure(&last)
    {
        trace.steps.push(action);
        trace.departure = Some(departure);
    }
    trace
}

/// The answer to what was asked, given the run that was found for or against it.
fn finding(
    asked: FindingSubject,
    trace: Option<Trace>,
    stopped: Option<Stop>,
    states: u64,
) -> Finding {
    let is_wanted = match asked {
        FindingSubject::Claim(claim) => claim.kind() == ClaimKind::Reachable,
        FindingSubject::Witness(_) => true,
        FindingSubject::Refinement => false,
    };
    let answer = match (trace.is_some(), stopped) {
        (false, Some(_)) => CheckAnswer::Undecided,
        (found, _) if found == is_wanted => CheckAnswer::Holds,
        (_, _) => CheckAnswer::Violated,
    };
    Finding { asked, answer, subjects: 1, applied: states, trace }
}
