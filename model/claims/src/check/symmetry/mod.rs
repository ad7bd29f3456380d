//! Symmetry: units and machines that can be exchanged without any difference.
//!
//! A renaming of a world is a symmetry if each renamed state has the renamed successors of the
//! state, by movers that are renamed alike, and every claim has the same value in both. Then one
//! state stands for its orbit, all its images under renamings, and only the representative of each
//! orbit is explored.
//!
//! Symmetries are found, and never declared. Renamings that leave the start as it is are candidates
//! (`candidates`). When a search learns a result of a part of the protocol, or of a claim, it
//! computes it in all renamed states as well, and compares (`transition_system/`, `verdicts`,
//! `conditions`). A result that is looked up later agrees with the learned one in all rows that
//! were read, under each renaming. If something differs, the search begins again, with the
//! candidates that pass a trial alone, or without symmetry.
//!
//! ```text
//! candidates = renamings that leave the start as it is              // `candidates`
//! loop:
//!     group = what the candidates generate                          // `RenamingGroup`
//!     explore: the successor of a representative r by a move is
//!         the least of what the group makes of the state after it   // `canonical`
//!         with a label: the class, and the renaming back to that state
//!     whatever is learned in r (moves, claims, conditions)
//!         is learned in what the group makes of r, too, and compared
//!     if nothing differs: break
//!     candidates = those that stand a search of few states alone    // without any: no symmetry
//! for each claim about what must follow, and the first subject of each orbit:
//!     decide it in the graph of pairs (representative, coset of the renamings that keep the
//!     subject), where classes are followed through turns            // `followed`
//!     if it is violated: find its run among all states              // `unfolded`, `stabilizers`
//! ```

mod candidates;
mod canonical;
mod exchanges;
mod followed;
mod images;
mod stabilizers;
mod unfolded;

use std::collections::BTreeSet;

use deathwatch_checker::graph::Label;
use deathwatch_model::{
    ids::{Rename as _, Renaming},
    rows::Row,
    world::World,
};

pub(super) use candidates::candidates;
pub(super) use canonical::Canonicalizer;
pub use exchanges::{ExchangedPairs, Exchanges};
pub(super) use followed::{CosetGraph, SubjectMasks, unfolded_masks};
pub(super) use images::ImagePatch;
pub(super) use stabilizers::Stabilizers;
pub(super) use unfolded::Unfolded;

/// The greatest number of renamings, as each state is renamed by all of them.
const MOST: usize = 1024;

/// A group of renamings that leave the start of a world as it is. Some may be no symmetries.
#[derive(Clone, Debug)]
pub(super) struct RenamingGroup {
    /// The elements; the first one is the identity.
    elements: Vec<Renaming>,
    /// For each element `then` its products with all elements `first`.
    products: Vec<u16>,
    inverses: Vec<u16>,
    /// The numbers of the candidates that generate the group.
    generators: Vec<usize>,
}

/// A renaming that may be a symmetry, with its number among all candidates.
pub(super) type Candidate = (usize, Renaming);

impl RenamingGroup {
    /// The group that these renamings generate, without as many of the last ones as make it too
    /// large; `None` if there are none.
    pub(super) fn of(world: &World, generators: &[Candidate]) -> Option<Self> {
        // A generator outside the group of those before it at least doubles the group.
        let most = generators.len().min(MOST.ilog2() as usize);
        let shorter = (1..=most).rev();
        shorter.map(|count| &generators[..count]).find_map(|some| Self::generated(world, some))
    }

    /// The group that these renamings generate; `None` if it is too large.
    fn generated(world: &World, generators: &[Candidate]) -> Option<Self> {
        let identity = world.renaming(&[]).expect("it makes each command of itself");
        let mut elements = vec![identity];
        let mut done = 0;
        while done < elements.len() {
            for (_, generator) in generators {
                let element = elements[done].then(generator);
                if !elements.contains(&element) {
                    elements.push(element);
                }
            }
            if elements.len() > MOST {
                return None;
            }
            done += 1;
        }
        let number = |element: Renaming| {
            let number = elements.iter().position(|other| *other == element);
            u16::try_from(number.expect("a group has its products")).expect("they are few")
        };
        let products: Vec<u16> = elements
            .iter()
            .flat_map(|then| elements.iter().map(move |first| number(first.then(then))))
            .collect();
        let inverse = |row: &[u16]| row.iter().position(|product| *product == 0);
        let inverses = products.chunks(elements.len()).map(|row| {
            let inverse = inverse(row).expect("a group has inverses");
            u16::try_from(inverse).expect("they are few")
        });
        let generators = generators.iter().map(|(number, _)| *number).collect();
        Some(Self { inverses: inverses.collect(), products, elements, generators })
    }

    /// The numbers of the candidates that generate the group.
    pub(super) fn generators(&self) -> &[usize] {
        &self.generators
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The numbers of the elements without the identity.
    pub(super) fn others(&self) -> std::ops::Range<usize> {
        1..self.len()
    }

    pub(super) fn element(&self, number: usize) -> &Renaming {
        &self.elements[number]
    }

    /// The orbit of a row.
    pub(super) fn orbit(&self, row: Row) -> BTreeSet<Row> {
        self.elements.iter().map(|by| row.renamed(by)).collect()
    }

    /// The stabilizer of a row: the numbers of the renamings that leave it as it is.
    pub(super) fn keeping(&self, row: Row) -> Vec<usize> {
        (0..self.len()).filter(|number| row.renamed(self.element(*number)) == row).collect()
    }

    /// Whether a row is the first of its orbit.
    pub(super) fn is_first(&self, row: Row) -> bool {
        self.orbit(row).first() == Some(&row)
    }

    /// The element that does `first`, and after it `then`.
    #[inline]
    pub(super) fn product(&self, then: usize, first: usize) -> usize {
        self.products[then * self.len() + first].into()
    }

    /// The inverse of an element.
    #[inline]
    pub(super) fn inverse(&self, number: usize) -> usize {
        self.inverses[number].into()
    }

    /// Whether there are enough labels for pairs of a mover, with this number of classes, and an
    /// element.
    pub(super) fn has_labels_for(&self, classes: usize) -> bool {
        (classes + 2) * self.len() <= usize::from(Label::MOST_CLASSES)
    }

    /// The label of an edge whose target is the image of a representative by this element.
    #[inline]
    pub(super) fn edge_label(&self, label: Label, classes: usize, element: usize) -> Label {
        let mover = match label {
            Label::FREE => classes,
            Label::FAULT => classes + 1,
            _ => label.as_class().expect("the others are classes").into(),
        };
        Label::class(u16::try_from(mover * self.len() + element).expect("there are labels for it"))
    }

    /// The label and the element of such an edge.
    #[inline]
    pub(super) fn parts_of(&self, label: Label, classes: usize) -> (Label, usize) {
        let code = usize::from(label.as_class().expect("it was made as a class"));
        let (mover, element) = (code / self.len(), code % self.len());
        let label = match mover.checked_sub(classes) {
            None => Label::class(u16::try_from(mover).expect("it was one")),
            Some(0) => Label::FREE,
            Some(_) => Label::FAULT,
        };
        (label, element)
    }
}
