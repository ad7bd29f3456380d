//! Decisions of several processes, each in a thread of its own.

use deathwatch_checker::explore::{Distributed as _, Resumable as _, Space as _};
use deathwatch_model::{clause::Clause, pack::Codec, state::State, world::World};

use super::*;
use crate::{
    check::{
        CheckAnswer, FindingSubject, check,
        exchange::{in_processes, intact},
        tests::machines_and_manager,
    },
    claims::{Claim, ClaimKind},
};

#[test]
fn of_more_states_than_a_graph_can_have_only_what_must_follow_is_undecided() {
    let (world, start) = machines_and_manager(2);
    let (claims, witnesses) = (Claim::without_history().collect(), Clause::all().collect());
    let (world, start) = (&world, &start);
    let question = CheckQuestion { world, start, claims, witnesses, refines: None };
    let settings = SearchSettings::without_limits(1);
    let whole = check(&question, &settings).expect("three machines fit");
    let each = TransitionSystem::new(&question, FaultSteps::Alike, &settings);
    let each = each.expect("three machines fit");
    let all = candidates(world, start, &each.codec);
    let some = TransitionSystem::symmetric(&question, FaultSteps::Alike, &settings, &all);
    let some = some.expect("three machines fit").expect("one is as good as the other");
    for protocol in [each, some] {
        let mut reports = in_processes(1, &intact, |exchange| {
            let options = ExploreOptions { first: 1 << 33, ..ExploreOptions::default() };
            let limits = limits(&settings);
            let mut found =
                explore_distributed(&protocol, exchange, &options, &limits, None, &|_| ());
            found.states += 1 << 31;
            // The findings as one process sends them to another.
            let sent = protocol.save(&mut std::iter::once(&mut found.findings));
            found.findings = protocol.worker();
            protocol.add_findings(&mut found.findings, &sent).expect("they are of this space");
            answer(&protocol, &question, &settings, exchange, found)
        });
        let report = reports.remove(0).expect("process 0 answers, and machines are alike");
        assert_eq!(report.stopped, Some(Stop::States));
        let (mut decided, mut open) = (0, 0);
        for (finding, whole) in report.findings.iter().zip(&whole.findings) {
            let is_leads = matches!(finding.asked, FindingSubject::Claim(claim)
                if claim.kind() == ClaimKind::Leads);
            if is_leads && finding.subjects > 0 {
                assert_eq!(finding.answer, CheckAnswer::Undecided, "{:?}", finding.asked);
                open += 1;
            } else {
                assert_eq!(finding.answer, whole.answer, "{:?}", finding.asked);
                let steps = [finding, whole].map(|it| it.trace.as_ref().map(|it| it.steps.len()));
                assert_eq!(steps[0], steps[1], "{:?}", finding.asked);
                decided += usize::from(steps[0].is_some());
            }
        }
        assert!(decided > 9 && open > 3, "{decided} are shown, {open} are open");
    }
}

/// The decision of two processes on claims of the kind leads, with representatives.
struct DecidedByTwo {
    open: Result<(), Stop>,
    /// The number of verdicts, and whether the process has the whole graph.
    verdicts: usize,
    is_collected: bool,
    report: Option<CheckReport>,
}

/// The decisions of two processes, each of which calls `disturb` after the search.
fn by_two(
    question: &CheckQuestion<'_>,
    whole: &CheckReport,
    disturb: impl Fn(&TransitionSystem<'_>, &dyn Exchange) + Sync,
) -> Vec<DecidedByTwo> {
    in_processes(2, &intact, |exchange| {
        let settings = SearchSettings::without_limits(1);
        let codec = Codec::new(question.world, question.start).expect("they fit");
        let candidates = candidates(question.world, question.start, &codec);
        let protocol =
            TransitionSystem::symmetric(question, FaultSteps::Alike, &settings, &candidates);
        let protocol = protocol.expect("they fit").expect("one is as good as the other");
        let options = ExploreOptions { store_edges: true, ..ExploreOptions::default() };
        let limits = limits(&settings);
        let found = explore_distributed(&protocol, exchange, &options, &limits, None, &|_| ());
        disturb(&protocol, exchange);
        let mut cluster = ClusterDecision {
            protocol: &protocol,
            question,
            settings: &settings,
            exchange,
            states: found.states,
            part: Some(found.part),
            graph: None,
            findings: found.findings,
        };
        let (mut decided, mut report) = (LeadsResult::default(), whole.clone());
        report.findings.clear();
        let open = cluster.decide(&mut decided, &mut report);
        let (verdicts, is_collected) = (decided.verdicts.len(), cluster.graph.is_some());
        let report = cluster.report(decided, report, open.err());
        DecidedByTwo { open, verdicts, is_collected, report }
    })
}

/// The claims of the kind leads that have this answer, and the answers to all of them.
fn answered<'a>(
    (world, start): (&'a World, &'a State),
    answer: CheckAnswer,
) -> (CheckQuestion<'a>, CheckReport) {
    let question =
        |claims| CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
    let claims = Claim::without_history().filter(|claim| claim.kind() == ClaimKind::Leads);
    let all = question(claims.collect());
    let whole = check(&all, &SearchSettings::without_limits(1)).expect("they fit");
    let claims = all.claims.iter().zip(&whole.findings);
    let claims = claims.filter(|(_, finding)| finding.answer == answer);
    let question = question(claims.map(|(claim, _)| *claim).collect());
    assert!(question.claims.len() > 1, "some are answered so");
    (question, whole)
}

#[test]
fn of_representatives_only_what_a_sieve_leaves_is_decided_in_the_whole_graph() {
    let (world, start) = machines_and_manager(2);
    for (agents_act, answer) in [(true, CheckAnswer::Holds), (false, CheckAnswer::Violated)] {
        let world = world.changed(|world| world.assumptions.agents_act = agents_act);
        let (question, whole) = answered((&world, &start), answer);
        let found = by_two(&question, &whole, |_, _| ());
        let subjects = question.claims.iter().filter_map(|it| it.obligation());
        let subjects: usize = subjects.map(|it| it.kind().count(&world)).sum();
        assert!(found.iter().all(|it| it.open == Ok(())));
        assert_eq!(found[0].verdicts, subjects, "each subject has a verdict");
        assert_eq!(found[0].is_collected, answer == CheckAnswer::Violated);
        assert!(!found[1].is_collected && found[1].report.is_none(), "process 0 answers");
        let report = found[0].report.as_ref().expect("machines are alike");
        assert!(report.findings.iter().all(|finding| finding.answer == answer), "{report:?}");
    }
}

#[test]
fn a_process_whose_claims_tell_renamed_states_apart_tells_all_the_others() {
    let (world, start) = machines_and_manager(2);
    let (question, whole) = answered((&world, &start), CheckAnswer::Holds);
    for asymmetric in [0, 1] {
        let found = by_two(&question, &whole, |protocol, exchange| {
            if exchange.process() == asymmetric {
                protocol.refuse_symmetry();
            }
        });
        for it in found {
            assert!(it.open == Err(Stop::Space) && it.verdicts == 0 && it.report.is_none());
        }
    }
}
