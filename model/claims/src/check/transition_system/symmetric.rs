//! Symmetry in a search: representatives in the place of successors, and the comparison of all
//! learned results with those in renamed states.

use std::sync::atomic::Ordering;

use deathwatch_checker::{
    explore::Successors,
    graph::{Fairness, Label},
};
use deathwatch_model::{action::Act, clause::Clause, ids::Rename as _, rows::Read, txn::Txn};

use super::{Move, TransitionSystem, Worker};
use crate::check::{
    CheckQuestion, SearchSettings, TooLarge,
    symmetry::{Candidate, Canonicalizer, ImagePatch, RenamingGroup},
    transition_system::FaultSteps,
};

/// The renamed states of a worker.
pub(in crate::check) struct RenamedStates {
    pub(in crate::check) canonical: Canonicalizer,
    /// For each renaming, the images of the groups of parts, and of the groups of claims.
    groups: Vec<(Vec<usize>, Vec<usize>)>,
    pub(in crate::check) findings: RenamedFindings,
}

/// A worker's findings about renamed states.
#[derive(Clone)]
pub(in crate::check) struct RenamedFindings {
    pub(in crate::check) labels: RenamedLabels,
    /// The number of states that the expanded ones stand for, and of transitions out of these.
    pub(in crate::check) states: u64,
    pub(in crate::check) transitions: u64,
}

/// The images of labels under renamings, as far as any were seen.
#[derive(Clone)]
pub(in crate::check) struct RenamedLabels {
    classes: usize,
    /// For each renaming and then each class, its image.
    known: Vec<Option<u16>>,
}

impl RenamedFindings {
    /// Adds the findings of another worker; returns whether they agree.
    pub(super) fn merge(&mut self, other: &Self) -> bool {
        self.states += other.states;
        self.transitions += other.transitions;
        self.labels.merge(&other.labels)
    }
}

impl RenamedLabels {
    /// Records the image of a label; returns whether it agrees with the known one.
    fn note(&mut self, number: usize, label: Label, becomes: Label) -> bool {
        let (Some(class), Some(new)) = (label.as_class(), becomes.as_class()) else {
            return label == becomes;
        };
        let known = &mut self.known[number * self.classes + usize::from(class)];
        *known.get_or_insert(new) == new
    }

    /// Whether each class has the same fairness as its images.
    fn are_owed_alike(&self, fairness: &[Fairness]) -> bool {
        self.known.chunks(self.classes.max(1)).all(|becomes| {
            let both = fairness.iter().zip(becomes);
            both.filter_map(|(owes, it)| Some((owes, (*it)?)))
                .all(|(owes, it)| *owes == fairness[usize::from(it)])
        })
    }

    fn merge(&mut self, other: &Self) -> bool {
        self.known
            .iter_mut()
            .zip(&other.known)
            .all(|(mine, theirs)| theirs.is_none_or(|theirs| *mine.get_or_insert(theirs) == theirs))
    }

    /// Whether each class has an image under every renaming, or under none but the identity, which
    /// maps it to itself: an idle move is not compared, but its label is recorded for the identity.
    pub(super) fn are_whole(&self) -> bool {
        (0..self.classes).all(|class| {
            let becomes = |by: &[Option<u16>]| by[class];
            let mut each = self.known.chunks(self.classes).map(becomes);
            let (same, other) = (each.next().flatten(), each.next().flatten());
            same.is_none_or(|it| usize::from(it) == class)
                && each.all(|it| it.is_some() == other.is_some())
                && (other.is_none() || same.is_some())
        })
    }

    /// Whether the images of a label are known.
    pub(super) fn knows(&self, label: Label) -> bool {
        let is_known = |class| self.known.get(usize::from(class)).is_some_and(Option::is_some);
        label.as_class().is_none_or(is_known)
    }

    /// All recorded images, each with its index in `known`.
    pub(super) fn seen(&self) -> impl Iterator<Item = (usize, u16)> + '_ {
        self.known.iter().enumerate().filter_map(|(place, it)| Some((place, (*it)?)))
    }

    /// Adds a recorded image; returns whether it agrees with the known one, and `None` if there is
    /// no such index or class.
    pub(super) fn add(&mut self, place: usize, becomes: u16) -> Option<bool> {
        let is_class = usize::from(becomes) < self.classes;
        let known = self.known.get_mut(place).filter(|_| is_class)?;
        Some(*known.get_or_insert(becomes) == becomes)
    }

    /// The image of a label of some edge.
    ///
    /// # Panics
    /// If no edge has it.
    #[inline]
    pub(in crate::check) fn renamed(&self, number: usize, label: Label) -> Label {
        let Some(class) = label.as_class() else { return label };
        let becomes = self.known[number * self.classes + usize::from(class)];
        Label::class(becomes.expect("each move that was learned was compared"))
    }
}

/// A move as it is compared: its act, target, clauses and violated claims must be equal; its label
/// may become that of another class.
type ComparedMove = ((Act, Vec<u64>, Vec<Clause>, Vec<usize>), Label);

impl<'a> TransitionSystem<'a> {
    /// The protocol with representatives under the group that these renamings generate; `None` if
    /// there are none.
    ///
    /// # Errors
    /// If the world is too large.
    pub(in crate::check) fn symmetric(
        question: &'a CheckQuestion<'a>,
        faults: FaultSteps<'a>,
        settings: &SearchSettings<'_>,
        generators: &[Candidate],
    ) -> Result<Option<Self>, TooLarge> {
        let mut system = Self::new(question, faults, settings)?;
        let group = RenamingGroup::of(question.world, generators);
        let Some(group) = group.filter(|it| it.has_labels_for(system.classes.fairness().len()))
        else {
            return Ok(None);
        };
        system.remember_within(settings.cache_bytes(group.len()), settings.threads);
        system.symmetry = Some(group);
        Ok(Some(system))
    }

    /// Whether a renaming was found to be no symmetry, so that the findings are void.
    pub(in crate::check) fn is_asymmetric(&self) -> bool {
        self.is_asymmetric.load(Ordering::Relaxed)
    }

    /// Refuses the symmetry if it exchanges classes of different fairness.
    pub(in crate::check) fn compare_fairness(&self, labels: &RenamedLabels) {
        if !labels.are_owed_alike(self.classes.fairness()) {
            self.refuse_symmetry();
        }
    }

    pub(in crate::check) fn refuse_symmetry(&self) {
        self.is_asymmetric.store(true, Ordering::Relaxed);
    }

    /// The renamed states of a worker, before the first state.
    pub(super) fn renamed_states(
        &self,
        group: &RenamingGroup,
        worker: &Worker<'_>,
    ) -> Box<RenamedStates> {
        let classes = self.classes.fairness().len();
        let groups = (0..group.len()).map(|number| {
            let by = group.element(number);
            let moves = worker.moves.renamed_groups(by);
            // A renaming that maps a part to none of the world's is no symmetry.
            if moves.is_none() {
                self.refuse_symmetry();
            }
            (moves.unwrap_or_default(), worker.verdicts.renamed_groups(by))
        });
        Box::new(RenamedStates {
            canonical: Canonicalizer::new(
                self.question.world,
                &self.codec,
                group,
                self.cache_bytes,
            ),
            groups: groups.collect(),
            findings: RenamedFindings {
                labels: RenamedLabels { classes, known: vec![None; group.len() * classes] },
                states: 0,
                transitions: 0,
            },
        })
    }

    /// Adds the representatives of the successors of a representative.
    pub(super) fn push_representatives(
        &self,
        group: &RenamingGroup,
        worker: &mut Worker<'a>,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) {
        let Worker { moves, judge, renamed, txns, .. } = worker;
        let RenamedStates { canonical, findings, .. } =
            &mut **renamed.as_mut().expect("there is symmetry");
        canonical.go_to(&self.codec, group, state, txns);
        let stabilizer = canonical.stabilizer(&self.codec, txns);
        let orbit = (group.len() / stabilizer.len()) as u64;
        findings.states += orbit;
        let classes = self.classes.fairness().len();
        moves.each(id, &mut judge.seen, |made| {
            if made.is_idle() {
                return;
            }
            let (least, element) = canonical.least(&self.codec, group, &made.images, txns);
            successors.push(least, group.edge_label(made.label, classes, element));
            findings.transitions += orbit;
        });
    }

    /// Sets the changes of the images of `words` in moves from there.
    pub(super) fn add_images(
        &self,
        group: &RenamingGroup,
        worker: &mut Worker<'a>,
        words: &[u64],
        moves: &mut [(u32, Move)],
    ) {
        let Worker { renamed, txns, .. } = worker;
        let canonical = &mut renamed.as_mut().expect("there is symmetry").canonical;
        for (_, made) in moves {
            let target = target(words, made);
            made.images = canonical.patch(&self.codec, group, [words, &target], txns);
        }
    }

    /// The images of a transaction under all renamings but the identity.
    pub(super) fn images_of(&self, txn: &Txn) -> Vec<Txn> {
        let group = self.symmetry.iter();
        let others = group.flat_map(|it| it.others().map(|number| it.element(number)));
        others.map(|by| txn.renamed(by)).collect()
    }

    /// The representative of the state that a step has led to.
    pub(super) fn representative(&self, worker: &mut Worker<'_>) -> Vec<u64> {
        let Worker { words, txns, renamed, .. } = worker;
        match (&self.symmetry, renamed) {
            (Some(group), Some(renamed)) => {
                renamed.canonical.go_to(&self.codec, group, words, txns);
                let here = ImagePatch::none();
                renamed.canonical.least(&self.codec, group, &here, txns).0.to_vec()
            }
            _ => words.clone(),
        }
    }

    /// The image of a state by a renaming.
    pub(in crate::check) fn renamed_state(
        &self,
        worker: &mut Worker<'_>,
        state: &[u64],
        number: usize,
    ) -> Vec<u64> {
        let Worker { renamed, txns, .. } = worker;
        let canonical = &mut renamed.as_mut().expect("there is symmetry").canonical;
        let group = self.symmetry.as_ref().expect("there is symmetry");
        canonical.go_to(&self.codec, group, state, txns);
        canonical.image(number, &ImagePatch::none())
    }

    /// Calls `run` in the image of a state by each renaming but the identity, once `go` has made it
    /// the present state, with the renaming's number and the image. Adds the reads that it returns,
    /// renamed back, to `reads`.
    pub(in crate::check) fn in_images(
        &self,
        worker: &mut Worker<'a>,
        words: &[u64],
        reads: &mut Vec<Read>,
        go: fn(&Self, &mut Worker<'_>, &[u64]),
        mut run: impl FnMut(&mut Worker<'a>, usize, &[u64]) -> Vec<Read>,
    ) {
        let group = self.symmetry.as_ref().expect("there is symmetry");
        let Worker { renamed, txns, .. } = &mut *worker;
        let canonical = &mut renamed.as_mut().expect("there is symmetry").canonical;
        canonical.go_to(&self.codec, group, words, txns);
        let images: Vec<Vec<u64>> =
            group.others().map(|number| canonical.image(number, &ImagePatch::none())).collect();
        for (number, image) in group.others().zip(&images) {
            go(self, worker, image);
            let back = group.element(group.inverse(number));
            let more = run(worker, number, image);
            for read in more.into_iter().map(|read| read.renamed(back)) {
                if !reads.contains(&read) {
                    reads.push(read);
                }
            }
        }
        go(self, worker, words);
    }

    /// Compares the claims that decide a state with those of renamed states.
    pub(super) fn compare_verdicts(
        &self,
        worker: &mut Worker<'a>,
        group: usize,
        words: &[u64],
        found: &[usize],
        reads: &mut Vec<Read>,
    ) {
        let mut found = found.to_vec();
        found.sort_unstable();
        self.in_images(worker, words, reads, Self::go_to, |worker, number, _| {
            let (mut more, group) = (Vec::new(), renamed(worker).groups[number].1[group]);
            let mut others = worker.verdicts.judged(group, &worker.base, &mut more);
            others.sort_unstable();
            if others != found {
                self.refuse_symmetry();
            }
            more
        });
    }

    /// Compares moves with those of renamed states.
    pub(super) fn compare_moves(
        &self,
        worker: &mut Worker<'a>,
        group: usize,
        words: &[u64],
        moves: &[(u32, Move)],
    ) {
        if self.is_asymmetric() {
            return;
        }
        let elements = self.symmetry.as_ref().expect("there is symmetry");
        let mut expected: Vec<Vec<ComparedMove>> = vec![Vec::new(); elements.len()];
        let Worker { renamed: states, txns, .. } = &mut *worker;
        let canonical = &mut states.as_mut().expect("there is symmetry").canonical;
        canonical.go_to(&self.codec, elements, words, txns);
        for (_, made) in moves.iter().filter(|(_, made)| !made.is_idle()) {
            for (number, expected) in expected.iter_mut().enumerate() {
                let act = made.action.act.renamed(elements.element(number));
                expected.push(seen(act, canonical.image(number, &made.images), made));
            }
        }
        for expected in &mut expected {
            expected.sort_unstable();
        }
        let mut reads = std::mem::take(worker.moves.reads());
        self.in_images(worker, words, &mut reads, Self::go_to, |worker, number, image| {
            let group = renamed(worker).groups[number].0[group];
            let (others, _) = self.moves_of(worker, group, image);
            let others = others.iter().filter(|(_, made)| !made.is_idle());
            let others = others.map(|(_, made)| seen(made.action.act, target(image, made), made));
            let mut others: Vec<ComparedMove> = others.collect();
            others.sort_unstable();
            let labels = &mut renamed(worker).findings.labels;
            let is_same = others.len() == expected[number].len()
                && expected[number].iter().zip(&others).all(|((one, label), (other, becomes))| {
                    one == other && labels.note(number, *label, *becomes)
                });
            if !is_same {
                self.refuse_symmetry();
            }
            std::mem::take(worker.moves.reads())
        });
        // The labels of the identity are known, too.
        for (_, made) in moves {
            renamed(worker).findings.labels.note(0, made.label, made.label);
        }
        *worker.moves.reads() = reads;
    }
}

/// The renamed states of a worker.
fn renamed<'w>(worker: &'w mut Worker<'_>) -> &'w mut RenamedStates {
    worker.renamed.as_mut().expect("there is symmetry")
}

/// The state that a move from `words` leads to.
fn target(words: &[u64], made: &Move) -> Vec<u64> {
    let mut target = Vec::new();
    made.write_target(words, &mut target);
    target
}

/// A move as it is compared.
fn seen(act: Act, target: Vec<u64>, made: &Move) -> ComparedMove {
    let mut clauses = made.clauses.to_vec();
    let mut claims: Vec<usize> = made.violations.iter().map(|(claim, _)| *claim).collect();
    clauses.sort_unstable();
    claims.sort_unstable();
    ((act, target, clauses, claims), made.label)
}

#[cfg(test)]
mod tests {
    use deathwatch_checker::explore::Space as _;
    use deathwatch_model::{pack::Codec, rows::Row};

    use super::*;
    use crate::{
        check::{symmetry::candidates, tests::machines_and_manager},
        claims::Claim,
    };

    /// A read of a comparison in a renamed state counts as a read of the state itself. Otherwise
    /// the result would be found again where the comparison has another outcome.
    #[test]
    fn what_is_read_in_renamed_states_is_read_renamed_back() {
        let (world, start) = machines_and_manager(3);
        let (world, start) = (&world, &start);
        let claims = vec![Claim::without_history().next().unwrap()];
        let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
        let candidates = candidates(world, start, &Codec::new(world, start).unwrap());
        let settings = &SearchSettings::without_limits(1);
        let system =
            TransitionSystem::symmetric(&question, FaultSteps::Alike, settings, &candidates);
        let system = system.expect("they fit").expect("three machines are alike");
        let group = system.symmetry.as_ref().expect("there is symmetry");
        let (mut worker, words) = (system.worker(), &system.starts()[0]);
        let read = Read::Row(Row::Machine(world.machine_ids().nth(1).expect("there are four")));
        for chosen in group.others() {
            let mut reads = Vec::new();
            system.in_images(
                &mut worker,
                words,
                &mut reads,
                TransitionSystem::go_to,
                |_, it, _| (it == chosen).then_some(read).into_iter().collect(),
            );
            let [back] = reads[..] else { panic!("one row is read: {reads:?}") };
            assert_eq!(back.renamed(group.element(chosen)), read);
        }
    }
}
