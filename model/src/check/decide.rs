//! The answers of our own explorer: explore, see where claims failed, decide the fair runs.

use deathwatch_checker::{
    Phase, Progress, Stop,
    explore::{Explored, Limits, Options, Space as _, StateGraph, explore},
    fair::{self, Lasso, MOST_CLAIMS, Masks, Verdict},
};

use crate::{
    action::Action,
    check::{
        Answer, Asked, Finding, Question, Report, Settings, TooLarge, Trace,
        transition_system::{Seen, TransitionSystem, Worker},
    },
    claims::{Claim, ClaimKind, Diagnosis, EntityId, Formula, Leads},
    clause::Clause,
    state::State,
};

/// Answers `question` by our own explorer.
///
/// # Errors
/// If the world is too large to be explored exhaustively.
pub fn check(question: &Question<'_>, settings: &Settings<'_>) -> Result<Report, TooLarge> {
    let protocol = TransitionSystem::new(question)?;
    let needs_edges = question.claims.iter().any(|claim| claim.kind() == ClaimKind::Leads);
    let mut explored = explore_all(&protocol, settings, needs_edges);
    explored.graph.forget_index();
    let seen = explored.findings.seen.clone();
    let mut builder = CounterexampleBuilder {
        protocol: &protocol,
        question,
        graph: &explored.graph,
        worker: None,
    };
    let mut report = Report {
        stopped: explored.stopped,
        states: u64::from(explored.states),
        transitions: explored.transitions,
        depth: explored.depth,
        bytes: explored.bytes,
        bytes_per_state: 8 * protocol.codec.words() as u64,
        exercised: seen.clauses(),
        findings: Vec::new(),
    };
    let mut verdicts = decide(&protocol, question, &explored, settings, &mut report);
    for (index, claim) in question.claims.iter().enumerate() {
        report.findings.push(match claim.test {
            Formula::Leads(leads) => builder.leads(claim, leads, &mut verdicts, report.stopped),
            Formula::Always(_) | Formula::Step(_) => {
                builder.safety(claim, &seen, index, report.stopped, report.states)
            }
        });
    }
    for &clause in &question.witnesses {
        report.findings.push(builder.witness(clause, &seen, report.stopped));
    }
    Ok(report)
}

/// Explores, within the limits of `settings`.
pub(super) fn explore_all(
    protocol: &TransitionSystem<'_>,
    settings: &Settings<'_>,
    store_edges: bool,
) -> Explored<Worker> {
    let options = Options { threads: settings.threads, store_edges, ..Options::default() };
    let Settings { max_states, max_bytes, stop, progress, .. } = *settings;
    explore(protocol, &options, &Limits { max_states, max_bytes, stop }, progress)
}

/// A claim about one document, decided.
type Decided = (&'static Claim, EntityId, Verdict);

/// Decides the claims about fair runs, each for each of its documents. Nothing is decided of a
/// graph that was not explored to its end.
fn decide(
    protocol: &TransitionSystem<'_>,
    question: &Question<'_>,
    explored: &Explored<Worker>,
    settings: &Settings<'_>,
    report: &mut Report,
) -> Vec<Decided> {
    let mut decided = Vec::new();
    if report.stopped.is_some() {
        return decided;
    }
    let mut asked: Vec<(&'static Claim, Leads, EntityId)> = Vec::new();
    for claim in &question.claims {
        if let Formula::Leads(leads) = claim.test {
            let subjects = leads.of.subjects(question.world);
            asked.extend(subjects.map(|subject| (*claim, leads, subject)));
        }
    }
    let fairness = protocol.classes.fairness();
    for group in asked.chunks(MOST_CLAIMS) {
        (settings.progress)(Progress {
            states: report.states,
            transitions: report.transitions,
            depth: report.depth,
            frontier: 0,
            bytes: report.bytes,
            phase: Phase::Deciding,
        });
        // Two masks a state, the obligations that are open there, and the search for cycles.
        let needed = u64::from(explored.states) * 48;
        if settings.max_bytes.is_some_and(|most| explored.bytes + needed > most) {
            report.stopped = Some(Stop::Memory);
            return decided;
        }
        report.bytes = report.bytes.max(explored.bytes + needed);
        let verdicts =
            masks(protocol, question, &explored.graph, group, settings).and_then(|masks| {
                fair::leads(&explored.graph, &fairness, &masks, group.len(), settings.stop)
            });
        let verdicts = match verdicts {
            Ok(verdicts) => verdicts,
            Err(stop) => {
                report.stopped = Some(stop);
                return decided;
            }
        };
        let subjects = group.iter().map(|(claim, _, subject)| (*claim, *subject));
        decided.extend(subjects.zip(verdicts).map(|((claim, subject), v)| (claim, subject, v)));
    }
    decided
}

/// For each state, the claims of which it has `from`, and those of which it has `to`.
fn masks(
    protocol: &TransitionSystem<'_>,
    question: &Question<'_>,
    graph: &StateGraph,
    group: &[(&'static Claim, Leads, EntityId)],
    settings: &Settings<'_>,
) -> Result<Masks, Stop> {
    Masks::of(
        graph,
        settings.threads,
        settings.stop,
        || protocol.worker(),
        |worker, state| {
            let state = protocol.documents(worker, state);
            let (mut from, mut to) = (0, 0);
            for (bit, (_, leads, subject)) in group.iter().enumerate() {
                from |= u64::from((leads.from)(question.world, state, *subject)) << bit;
                to |= u64::from((leads.to)(question.world, state, *subject)) << bit;
            }
            (from, to)
        },
    )
}

/// Turns numbers of states into runs.
struct CounterexampleBuilder<'a> {
    protocol: &'a TransitionSystem<'a>,
    question: &'a Question<'a>,
    graph: &'a StateGraph,
    worker: Option<Worker>,
}

impl CounterexampleBuilder<'_> {
    /// The answer to an `Always` or a `Step` claim: where it was first seen to fail.
    fn safety(
        &mut self,
        claim: &'static Claim,
        seen: &Seen,
        index: usize,
        stopped: Option<Stop>,
        states: u64,
    ) -> Finding {
        let violation = seen.violations[index];
        let trace = violation.map(|((state, position), subject)| {
            let mut steps = self.steps_to(state);
            if claim.kind() == ClaimKind::Step {
                steps.push(self.action_at(state, position));
            }
            Trace { subject: Some(subject), steps, cycle: Vec::new(), diagnosis: None }
        });
        let answer = match (&trace, stopped) {
            (Some(_), _) => Answer::Violated,
            (None, Some(_)) => Answer::Inconclusive,
            (None, None) => Answer::Holds,
        };
        Finding { asked: Asked::Claim(claim), answer, subjects: 1, applied: states, trace }
    }

    /// What was decided of a claim for each of its documents: violated if it is for one of them,
    /// and then the shortest of the runs that show it.
    fn leads(
        &mut self,
        claim: &'static Claim,
        leads: Leads,
        decided: &mut Vec<Decided>,
        stopped: Option<Stop>,
    ) -> Finding {
        let mut mine: Vec<Decided> = Vec::new();
        decided.retain(|decided| {
            let is_mine = std::ptr::eq(decided.0, claim);
            if is_mine {
                mine.push(decided.clone());
            }
            !is_mine
        });
        let subjects = leads.of.count(self.question.world);
        let complete = mine.len() == subjects;
        let applied = mine.iter().map(|(_, _, verdict)| verdict.from_states).sum();
        let shortest = mine
            .into_iter()
            .filter_map(|(_, subject, verdict)| Some((subject, verdict.lasso?)))
            .min_by_key(|(_, lasso)| lasso.prefix.len());
        let trace = shortest.map(|(subject, lasso)| self.trace_of(subject, &lasso));
        let answer = match (&trace, complete, stopped) {
            (Some(_), ..) => Answer::Violated,
            (None, false, _) | (None, _, Some(_)) => Answer::Inconclusive,
            (None, true, None) if applied == 0 => Answer::Vacuous,
            (None, true, None) => Answer::Holds,
        };
        Finding { asked: Asked::Claim(claim), answer, subjects, applied, trace }
    }

    fn witness(&mut self, clause: Clause, seen: &Seen, stopped: Option<Stop>) -> Finding {
        let trace = seen.first(clause).map(|(state, position)| {
            let mut steps = self.steps_to(state);
            steps.push(self.action_at(state, position));
            Trace { subject: None, steps, cycle: Vec::new(), diagnosis: None }
        });
        let answer = match (&trace, stopped) {
            (Some(_), _) => Answer::Holds,
            (None, Some(_)) => Answer::Inconclusive,
            (None, None) => Answer::Violated,
        };
        let applied = u64::from(trace.is_some());
        Finding { asked: Asked::Witness(clause), answer, subjects: 1, applied, trace }
    }

    fn trace_of(&mut self, subject: EntityId, lasso: &Lasso) -> Trace {
        let (protocol, graph, world) = (self.protocol, self.graph, self.question.world);
        let worker = self.worker();
        let mut act = |steps: &[fair::Step]| -> Vec<Action> {
            let act =
                |step: &fair::Step| protocol.action_of(worker, graph.state(step.from), step.edge);
            steps.iter().map(act).collect()
        };
        let (steps, cycle) = (act(&lasso.prefix), act(&lasso.cycle));
        let stuck = self.state(lasso.entry());
        let diagnosis = Some(Diagnosis::of(world, &stuck, subject));
        Trace { subject: Some(subject), steps, cycle, diagnosis }
    }

    /// The actions on a shortest path to a state.
    fn steps_to(&mut self, state: u32) -> Vec<Action> {
        let (protocol, graph) = (self.protocol, self.graph);
        let path = graph.path_to(state);
        let worker = self.worker();
        let steps = path.windows(2).map(|pair| {
            let (from, to) = (graph.state(pair[0]), graph.state(pair[1]));
            protocol.between(worker, from, to).expect("the path was found by taking these steps")
        });
        steps.collect()
    }

    fn action_at(&mut self, state: u32, position: u32) -> Action {
        let (protocol, graph) = (self.protocol, self.graph);
        protocol.action_at(self.worker(), graph.state(state), position)
    }

    fn state(&mut self, state: u32) -> State {
        let (protocol, graph) = (self.protocol, self.graph);
        protocol.state(self.worker(), graph.state(state))
    }

    fn worker(&mut self) -> &mut Worker {
        self.worker.get_or_insert_with(|| self.protocol.worker())
    }
}
