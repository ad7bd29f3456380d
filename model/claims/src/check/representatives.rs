//! The decision of claims of the kind leads, in a graph of representatives.

use std::collections::BTreeMap;

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::{Exchange, GraphPart, PackedStates},
    fair::{self, ClaimVerdict, MOST_CLAIMS},
    graph::{Fairness, Graph as _},
};
use deathwatch_model::rows::Row;

use super::{
    CheckQuestion, CheckReport, SearchSettings,
    conditions::ClaimSubject,
    decide::{LeadsDecision, LeadsResult, leads_options, masks, memory_beside, tell_of_decision},
    symmetry::{CosetGraph, RenamingGroup, Stabilizers, SubjectMasks, Unfolded, unfolded_masks},
    transition_system::{RenamedLabels, TransitionSystem, Worker},
};
use crate::claims::{Claim, ClaimObligation};

/// A claim, by its index among those of the kind leads, and a subject of it.
type Asked = (usize, Row);

/// The claims of the kind leads, to be decided in a graph of representatives.
pub(super) struct RepresentedClaims<'d, 'a> {
    protocol: &'d TransitionSystem<'a>,
    question: &'d CheckQuestion<'d>,
    settings: &'d SearchSettings<'d>,
    elements: &'d RenamingGroup,
    labels: &'d RenamedLabels,
    claims: Vec<(&'static Claim, ClaimObligation)>,
}

struct Represented {
    stabilizers: Stabilizers,
    subject_masks: Vec<SubjectMasks>,
}

impl<'d, 'a> RepresentedClaims<'d, 'a> {
    pub(super) fn of(
        protocol: &'d TransitionSystem<'a>,
        question: &'d CheckQuestion<'d>,
        settings: &'d SearchSettings<'d>,
        elements: &'d RenamingGroup,
        findings: &'d Worker<'a>,
    ) -> Self {
        let claims = question.claims.iter();
        let claims = claims.filter_map(|claim| Some((*claim, claim.obligation()?))).collect();
        let labels = &findings.renamed.as_ref().expect("there is symmetry").findings.labels;
        Self { protocol, question, settings, elements, labels, claims }
    }

    /// The undecided questions, about one subject of each orbit. Subjects with the same stabilizer
    /// are followed at once: each group has the numbers of the stabilizer's renamings.
    fn asked(&self, decided: &LeadsResult) -> Vec<(Vec<usize>, Vec<Asked>)> {
        let mut alike: BTreeMap<Vec<usize>, Vec<Asked>> = BTreeMap::new();
        for (claim, (of, obligation)) in self.claims.iter().enumerate() {
            let subjects = obligation.kind().rows(self.question.world);
            for subject in subjects.filter(|it| self.elements.is_first(*it)) {
                let is_it = |(claim, other, _): &(&Claim, Row, _)| {
                    std::ptr::eq(*claim, *of) && *other == subject
                };
                if !decided.verdicts.iter().any(is_it) {
                    alike.entry(self.elements.keeping(subject)).or_default().push((claim, subject));
                }
            }
        }
        let groups = alike.into_iter().flat_map(|(kept, asked)| {
            let chunks = asked.chunks(MOST_CLAIMS).map(<[Asked]>::to_vec);
            chunks.map(|chunk| (kept.clone(), chunk)).collect::<Vec<_>>()
        });
        groups.collect()
    }

    /// Whether all claims are decided.
    pub(super) fn are_decided(&self, decided: &LeadsResult) -> bool {
        self.asked(decided).is_empty()
    }

    /// Adds a verdict on a subject, for its whole orbit.
    fn decide(&self, decided: &mut LeadsResult, (claim, subject): Asked, verdict: &ClaimVerdict) {
        for other in self.elements.orbit(subject) {
            let is_shown = other == subject;
            let verdict = if is_shown { verdict.clone() } else { verdict.without_run() };
            decided.verdicts.push((self.claims[claim].0, other, verdict));
        }
    }

    fn fairness(&self) -> &'d [Fairness] {
        self.protocol.classes.fairness()
    }

    /// The stabilizers and masks of these representatives. Finds out claims that distinguish
    /// renamed states, which refuses the symmetry.
    fn represented(
        &self,
        representatives: &impl PackedStates,
        memory: &mut MemoryBudget,
    ) -> Result<Represented, Stop> {
        let Self { protocol, question, settings, elements, .. } = self;
        let stabilizers = Stabilizers::of(
            representatives,
            question.world,
            &protocol.codec,
            elements,
            settings.threads,
            memory,
            settings.stop,
        )?;
        Ok(Represented { stabilizers, subject_masks: self.subject_masks(representatives, memory)? })
    }

    /// The masks of claims for all their subjects in each representative, for as many claims at
    /// once as a mask has bits.
    fn subject_masks(
        &self,
        representatives: &impl PackedStates,
        memory: &mut MemoryBudget,
    ) -> Result<Vec<SubjectMasks>, Stop> {
        let Self { protocol, question, settings, .. } = *self;
        let mut groups: Vec<Vec<(usize, ClaimSubject)>> = Vec::new();
        for (index, (claim, obligation)) in self.claims.iter().enumerate() {
            let subjects = obligation.kind().rows(question.world);
            let subjects = subjects.map(|subject| (index, (*claim, *obligation, subject)));
            let subjects: Vec<(usize, ClaimSubject)> = subjects.collect();
            match groups.last_mut() {
                Some(last) if last.len() + subjects.len() <= MOST_CLAIMS => last.extend(subjects),
                _ => groups.push(subjects),
            }
        }
        let of_groups = groups.into_iter().map(|group| {
            let subjects: Vec<ClaimSubject> = group.iter().map(|(_, it)| *it).collect();
            let masks = masks(protocol, question, representatives, &subjects, memory, settings)?;
            Ok((masks, group.into_iter().map(|(index, (.., subject))| (index, subject)).collect()))
        });
        of_groups.collect()
    }

    /// Decides by several processes which claims hold. All of them call this, with the
    /// representatives that they keep. Claims that the sieve leaves stay undecided.
    ///
    /// # Errors
    /// If one of the processes has no memory, there is a reason to stop, or a process was lost; all
    /// processes return that.
    pub(super) fn sieve(
        &self,
        (part, representatives): (&GraphPart, u64),
        exchange: &dyn Exchange,
        report: &mut CheckReport,
        decided: &mut LeadsResult,
    ) -> Result<(), Stop> {
        let Self { protocol, settings, elements, labels, .. } = self;
        let groups = self.asked(decided);
        if groups.is_empty() {
            return Ok(());
        }
        let graph = part.of_graph(representatives)?;
        let representatives = u32::try_from(representatives).map_err(|_| Stop::States)?;
        let mut memory = memory_beside(part.bytes(), settings);
        let mut represented = self.represented(part, &mut memory);
        if protocol.is_asymmetric() {
            represented = Err(Stop::Space);
        }
        for (subgroup, asked) in groups {
            tell_of_decision(settings, report);
            let classes = self.fairness().len();
            let graph = (&graph, representatives);
            let followed = CosetGraph::new(graph, elements, labels, classes, &subgroup)?;
            let masks = represented.as_ref().map_err(|stop| *stop).and_then(|known| {
                let Represented { subject_masks, stabilizers } = known;
                followed.masks(
                    subject_masks,
                    &asked,
                    stabilizers,
                    settings.threads,
                    &mut memory,
                    settings.stop,
                )
            });
            let (masks, fairness, stop) = ((masks, asked.len()), self.fairness(), settings.stop);
            let sieved = fair::sieve(&followed, exchange, fairness, masks, &mut memory, stop);
            report.bytes = report.bytes.max(part.bytes() + memory.peak());
            if sieved == Err(Stop::Space) {
                protocol.refuse_symmetry();
            }
            let sieved = sieved?;
            for (bit, asked) in asked.iter().enumerate() {
                if sieved.left >> bit & 1 == 0 {
                    let holds = ClaimVerdict::holds(sieved.from_states[bit]);
                    self.decide(decided, *asked, &holds);
                }
            }
        }
        Ok(())
    }
}

impl LeadsDecision<'_, '_> {
    /// Decides the undecided claims in a graph of representatives, one subject of an orbit for all.
    /// A violated claim counts as decided once a run shows it.
    pub(super) fn decide_by_representatives(
        &self,
        elements: &RenamingGroup,
        report: &mut CheckReport,
        decided: &mut LeadsResult,
    ) -> Result<(), Stop> {
        let Self { protocol, question, graph, findings, settings } = *self;
        let claims = RepresentedClaims::of(protocol, question, settings, elements, findings);
        let groups = claims.asked(decided);
        if groups.is_empty() {
            return Ok(());
        }
        tell_of_decision(settings, report);
        let (fairness, options) = (claims.fairness(), leads_options(settings));
        let mut memory = memory_beside(graph.bytes(), settings);
        let Represented { stabilizers, subject_masks } = claims.represented(graph, &mut memory)?;
        if protocol.is_asymmetric() {
            return Ok(()); // as claims were found to say
        }
        let mut violated = Vec::new();
        for (subgroup, asked) in groups {
            tell_of_decision(settings, report);
            let (classes, stop) = (fairness.len(), settings.stop);
            let whole = (graph, graph.len());
            let followed = CosetGraph::new(whole, elements, claims.labels, classes, &subgroup)?;
            let (masks, from) = followed.masks(
                &subject_masks,
                &asked,
                &stabilizers,
                settings.threads,
                &mut memory,
                stop,
            )?;
            let count = asked.len();
            let found =
                fair::violated(&followed, fairness, &masks, count, options, &mut memory, stop);
            masks.free(&mut memory);
            report.bytes = report.bytes.max(graph.bytes() + memory.peak());
            let (found, _) = found?;
            for (bit, (asked, from_states)) in asked.into_iter().zip(from).enumerate() {
                if found >> bit & 1 == 1 {
                    violated.push((asked, from_states));
                } else {
                    claims.decide(decided, asked, &ClaimVerdict::holds(from_states));
                }
            }
        }
        if violated.is_empty() {
            return Ok(());
        }
        // Runs are found among all states, for the first subject of each orbit: runs for the other
        // subjects are the same, renamed.
        let unfolded = self.unfolded(&stabilizers)?;
        for violated in violated.chunks(MOST_CLAIMS) {
            tell_of_decision(settings, report);
            let stop = settings.stop;
            let asked: Vec<Asked> = violated.iter().map(|(asked, _)| *asked).collect();
            let masks = unfolded_masks(
                &unfolded,
                elements,
                &subject_masks,
                &asked,
                settings.threads,
                &mut memory,
                stop,
            )?;
            let count = asked.len();
            let found = fair::leads(&unfolded, fairness, &masks, count, options, &mut memory, stop);
            masks.free(&mut memory);
            report.bytes = report.bytes.max(graph.bytes() + memory.peak());
            for ((asked, from_states), verdict) in violated.iter().zip(found?) {
                let name = claims.claims[asked.0].0.name;
                assert_eq!(*from_states, verdict.from_states, "of {name}");
                assert!(verdict.lasso.is_some(), "{name} is violated by no run");
                claims.decide(decided, *asked, &verdict);
            }
        }
        decided.stabilizers = Some(stabilizers);
        Ok(())
    }

    /// The graph of all states, unfolded from one of representatives.
    ///
    /// # Errors
    /// If there are too many states to be numbered.
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
