//! The decision of claims about what must follow, in a graph of representatives.

use std::collections::BTreeMap;

use deathwatch_checker::{
    Stop,
    explore::Explored,
    fair::{self, ClaimVerdict, MOST_CLAIMS},
};
use deathwatch_model::rows::Row;

use super::{
    CheckQuestion, CheckReport, SearchSettings,
    counterexample::CheckedSubject,
    decide::{ClaimSubject, Decided, masks, memory_beside, tell_of_decision},
    symmetry::{Followed, RenamingGroup, SaidOfAll, Stabilizers, Unfolded, unfolded_masks},
    transition_system::{TransitionSystem, Worker},
};
use crate::claims::{Claim, ClaimObligation};

/// Decides the claims about fair runs in a graph of representatives. Of subjects that take each
/// other's place one is decided for all.
pub(super) fn decide_by_representatives(
    protocol: &TransitionSystem<'_>,
    elements: &RenamingGroup,
    question: &CheckQuestion<'_>,
    explored: &Explored<Worker<'_>>,
    settings: &SearchSettings<'_>,
    report: &mut CheckReport,
    decided: &mut Decided,
) -> Result<(), Stop> {
    let graph = &explored.graph;
    let claims: Vec<(&'static Claim, ClaimObligation)> =
        question.claims.iter().filter_map(|claim| Some((*claim, claim.obligation()?))).collect();
    if claims.is_empty() {
        return Ok(());
    }
    tell_of_decision(settings, report);
    let mut memory = memory_beside(graph.bytes(), settings);
    let stabilizers = Stabilizers::of(
        graph,
        question.world,
        &protocol.codec,
        elements,
        &mut memory,
        settings.stop,
    )?;
    // What each claim says of all its subjects, a bit for each, and those that are decided.
    let (mut said, mut wanted, mut chunk) = (Vec::<SaidOfAll>::new(), Vec::new(), Vec::new());
    for (index, (claim, obligation)) in claims.iter().enumerate() {
        let subjects: Vec<Row> = obligation.kind().rows(question.world).collect();
        wanted.extend(subjects.iter().filter(|it| elements.is_first(**it)).map(|it| (index, *it)));
        chunk.push((index, *claim, *obligation, subjects));
        let more = claims
            .get(index + 1)
            .map_or(MOST_CLAIMS, |(_, next)| next.kind().count(question.world));
        let bits: usize = chunk.iter().map(|(.., subjects)| subjects.len()).sum();
        if bits + more > MOST_CLAIMS {
            let each = chunk.drain(..).flat_map(|(index, claim, obligation, subjects)| {
                let each = subjects.into_iter();
                each.map(move |subject| (index, (claim, obligation, subject)))
            });
            let each: Vec<(usize, ClaimSubject)> = each.collect();
            let group: Vec<ClaimSubject> = each.iter().map(|(_, it)| *it).collect();
            let masks = masks(protocol, question, graph, &group, &mut memory, settings)?;
            said.push((masks, each.iter().map(|(index, it)| (*index, it.2)).collect()));
        }
    }
    if protocol.is_asymmetric() {
        return Ok(()); // as claims were found to say
    }
    let renamed = explored.findings.renamed.as_ref().expect("there is symmetry");
    let (classes, fairness) = (protocol.classes.fairness().len(), protocol.classes.fairness());
    // What the same renamings leave as it is, is followed at once.
    let mut alike: BTreeMap<Vec<usize>, Vec<(usize, Row)>> = BTreeMap::new();
    for (claim, subject) in wanted {
        alike.entry(elements.keeping(subject)).or_default().push((claim, subject));
    }
    let mut violated = Vec::new();
    for (subgroup, wanted) in &alike {
        let followed = Followed::new(graph, elements, &renamed.labels, classes, subgroup)?;
        for wanted in wanted.chunks(MOST_CLAIMS) {
            tell_of_decision(settings, report);
            let (masks, from) =
                followed.masks(&said, wanted, &stabilizers, &mut memory, settings.stop)?;
            let found = fair::violated(
                &followed,
                fairness,
                &masks,
                wanted.len(),
                &mut memory,
                settings.stop,
            );
            masks.free(&mut memory);
            report.bytes = report.bytes.max(graph.bytes() + memory.peak());
            let (found, _) = found?;
            for (bit, ((claim, subject), from_states)) in wanted.iter().zip(from).enumerate() {
                if found >> bit & 1 == 1 {
                    violated.push((*claim, *subject));
                }
                for other in elements.orbit(*subject) {
                    let verdict = ClaimVerdict { from_states, lasso: None };
                    decided.verdicts.push((claims[*claim].0, other, verdict));
                }
            }
        }
    }
    if violated.is_empty() {
        return Ok(());
    }
    // Their runs are found among all states: of each claim's subjects that are exchanged for each
    // other that of the first one, as those of the others are the same, renamed.
    let unfolded = unfolded(protocol, explored, &stabilizers)?;
    for violated in violated.chunks(MOST_CLAIMS) {
        tell_of_decision(settings, report);
        let (count, stop) = (violated.len(), settings.stop);
        let masks = unfolded_masks(&unfolded, elements, &said, violated, &mut memory, stop)?;
        let found = fair::leads(&unfolded, fairness, &masks, count, &mut memory, stop);
        masks.free(&mut memory);
        report.bytes = report.bytes.max(graph.bytes() + memory.peak());
        for ((claim, subject), verdict) in violated.iter().zip(found?) {
            let claim = claims[*claim].0;
            let is_it = |it: &&mut CheckedSubject| std::ptr::eq(it.0, claim) && it.1 == *subject;
            let known = decided.verdicts.iter_mut().find(is_it).expect("it was decided");
            assert_eq!(known.2.from_states, verdict.from_states, "of {}", claim.name);
            assert!(verdict.lasso.is_some(), "{} is violated by no run", claim.name);
            known.2 = verdict;
        }
    }
    decided.stabilizers = Some(stabilizers);
    Ok(())
}

/// All states of a graph of representatives.
pub(super) fn unfolded<'a>(
    protocol: &'a TransitionSystem<'_>,
    explored: &'a Explored<Worker<'_>>,
    stabilizers: &'a Stabilizers,
) -> Result<Unfolded<'a>, Stop> {
    let group = protocol.symmetry.as_ref().expect("there is symmetry");
    let renamed = explored.findings.renamed.as_ref().expect("there is symmetry");
    let classes = protocol.classes.fairness().len();
    Unfolded::new(&explored.graph, group, stabilizers, &renamed.labels, classes)
}
