//! The decision of claims about what must follow, in a graph of representatives.

use std::collections::BTreeMap;

use deathwatch_checker::{
    MemoryBudget, Stop,
    fair::{self, ClaimVerdict, MOST_CLAIMS},
};
use deathwatch_model::rows::Row;

use super::{
    CheckReport,
    decide::{
        ClaimSubject, Decided, Decision, leads_options, masks, memory_beside, tell_of_decision,
    },
    symmetry::{Followed, RenamingGroup, SaidOfAll, Stabilizers, Unfolded, unfolded_masks},
};
use crate::claims::{Claim, ClaimObligation};

impl Decision<'_, '_> {
    /// Decides the claims in a graph of representatives. Of subjects that take each other's place
    /// one is decided for all. A claim that is violated counts as decided once a run shows it.
    pub(super) fn decide_by_representatives(
        &self,
        elements: &RenamingGroup,
        report: &mut CheckReport,
        decided: &mut Decided,
    ) -> Result<(), Stop> {
        let Self { protocol, question, graph, findings, settings } = *self;
        let claims: Vec<(&'static Claim, ClaimObligation)> = question
            .claims
            .iter()
            .filter_map(|claim| Some((*claim, claim.obligation()?)))
            .collect();
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
        let said = self.said(&claims, &mut memory)?;
        if protocol.is_asymmetric() {
            return Ok(()); // as claims were found to say
        }
        let renamed = findings.renamed.as_ref().expect("there is symmetry");
        let (classes, fairness) = (protocol.classes.fairness().len(), protocol.classes.fairness());
        // What the same renamings leave as it is, is followed at once.
        let mut alike: BTreeMap<Vec<usize>, Vec<(usize, Row)>> = BTreeMap::new();
        for (claim, (_, obligation)) in claims.iter().enumerate() {
            let subjects = obligation.kind().rows(question.world);
            for subject in subjects.filter(|it| elements.is_first(*it)) {
                alike.entry(elements.keeping(subject)).or_default().push((claim, subject));
            }
        }
        let mut violated = Vec::new();
        for (subgroup, wanted) in &alike {
            let followed =
                Followed::new(graph, elements, &renamed.findings.labels, classes, subgroup)?;
            for wanted in wanted.chunks(MOST_CLAIMS) {
                tell_of_decision(settings, report);
                let (masks, from) =
                    followed.masks(&said, wanted, &stabilizers, &mut memory, settings.stop)?;
                let found = fair::violated(
                    &followed,
                    fairness,
                    &masks,
                    wanted.len(),
                    leads_options(settings),
                    &mut memory,
                    settings.stop,
                );
                masks.free(&mut memory);
                report.bytes = report.bytes.max(graph.bytes() + memory.peak());
                let (found, _) = found?;
                for (bit, ((claim, subject), from_states)) in wanted.iter().zip(from).enumerate() {
                    if found >> bit & 1 == 1 {
                        violated.push((*claim, *subject, from_states));
                        continue;
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
        // Their runs are found among all states: of each claim's subjects that are exchanged for
        // each other that of the first one, as those of the others are the same, renamed.
        let Decided { verdicts, stabilizers: kept } = decided;
        let unfolded = self.unfolded(kept.insert(stabilizers))?;
        for violated in violated.chunks(MOST_CLAIMS) {
            tell_of_decision(settings, report);
            let (count, options, stop) = (violated.len(), leads_options(settings), settings.stop);
            let wanted: Vec<(usize, Row)> =
                violated.iter().map(|(claim, subject, _)| (*claim, *subject)).collect();
            let masks = unfolded_masks(&unfolded, elements, &said, &wanted, &mut memory, stop)?;
            let found = fair::leads(&unfolded, fairness, &masks, count, options, &mut memory, stop);
            masks.free(&mut memory);
            report.bytes = report.bytes.max(graph.bytes() + memory.peak());
            for ((claim, subject, from_states), verdict) in violated.iter().zip(found?) {
                let claim = claims[*claim].0;
                assert_eq!(*from_states, verdict.from_states, "of {}", claim.name);
                assert!(verdict.lasso.is_some(), "{} is violated by no run", claim.name);
                for other in elements.orbit(*subject) {
                    let lasso = verdict.lasso.clone().filter(|_| other == *subject);
                    let verdict = ClaimVerdict { from_states: *from_states, lasso };
                    verdicts.push((claim, other, verdict));
                }
            }
        }
        Ok(())
    }

    /// What claims say of all their subjects in each representative: as many claims at once as
    /// there are bits for.
    fn said(
        &self,
        claims: &[(&'static Claim, ClaimObligation)],
        memory: &mut MemoryBudget,
    ) -> Result<Vec<SaidOfAll>, Stop> {
        let Self { protocol, question, graph, settings, .. } = *self;
        let mut groups: Vec<Vec<(usize, ClaimSubject)>> = Vec::new();
        for (index, (claim, obligation)) in claims.iter().enumerate() {
            let subjects = obligation.kind().rows(question.world);
            let subjects = subjects.map(|subject| (index, (*claim, *obligation, subject)));
            let subjects: Vec<(usize, ClaimSubject)> = subjects.collect();
            match groups.last_mut() {
                Some(last) if last.len() + subjects.len() <= MOST_CLAIMS => last.extend(subjects),
                _ => groups.push(subjects),
            }
        }
        let said = groups.into_iter().map(|group| {
            let subjects: Vec<ClaimSubject> = group.iter().map(|(_, it)| *it).collect();
            let masks = masks(protocol, question, graph, &subjects, memory, settings)?;
            Ok((masks, group.into_iter().map(|(index, (.., subject))| (index, subject)).collect()))
        });
        said.collect()
    }

    /// All states of a graph of representatives.
    ///
    /// # Errors
    /// If there are too many to be numbered.
    pub(super) fn unfolded<'u>(
        &'u self,
        stabilizers: &'u Stabilizers,
    ) -> Result<Unfolded<'u>, Stop> {
        let group = self.protocol.symmetry.as_ref().expect("there is symmetry");
        let renamed = self.findings.renamed.as_ref().expect("there is symmetry");
        let classes = self.protocol.classes.fairness().len();
        Unfolded::new(self.graph, group, stabilizers, &renamed.findings.labels, classes)
    }
}
