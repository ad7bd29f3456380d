//! Symmetry: units and machines of which nobody can tell which is which.
//!
//! A renaming of a world is a symmetry of it if every state, renamed, has the successors of that
//! state, renamed, by movers that are renamed alike, and every claim says of both the same. Then
//! one state stands for all that renamings make of it, its orbit, and only one of each orbit is
//! explored: its representative.
//!
//! Which renamings are symmetries is found, and never declared. Those that leave the start as it is
//! are tried (`candidates`); whatever a search learns of a part of the protocol, or of a claim, it
//! learns in all renamed states as well, and compares (`transition_system/`, `verdicts`,
//! `conditions`). What is looked up later was learned so, for it agrees with the state in which it
//! was learned in all that was read there under each renaming. If something differs, the search
//! begins again, with the renamings that stand a trial alone, or without symmetry.

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
pub(super) use followed::{Followed, SaidOfAll, unfolded_masks};
pub(super) use images::ImagePatch;
pub(super) use stabilizers::Stabilizers;
pub(super) use unfolded::Unfolded;

/// More renamings than these are not looked through in each state.
const MOST: usize = 1024;

/// A group of renamings that leave the start of a world as it is. Some may be no symmetries.
#[derive(Clone, Debug)]
pub(super) struct RenamingGroup {
    /// The elements; the first one changes nothing.
    elements: Vec<Renaming>,
    /// For each element the products with all of them: what it makes of what they make.
    products: Vec<u16>,
    inverses: Vec<u16>,
    /// By which candidates it is generated.
    generators: Vec<usize>,
}

/// A renaming that may be a symmetry, and its number among all that are tried.
pub(super) type Candidate = (usize, Renaming);

impl RenamingGroup {
    /// The group that these renamings generate, but for the last ones, if it is too large with
    /// them; `None` if there are none.
    pub(super) fn of(world: &World, generators: &[Candidate]) -> Option<Self> {
        // A generator that is not in the group of those before it doubles that at least.
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

    /// The numbers of the candidates that generate it.
    pub(super) fn generators(&self) -> &[usize] {
        &self.generators
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The elements but for the identity, by number.
    pub(super) fn others(&self) -> std::ops::Range<usize> {
        1..self.len()
    }

    pub(super) fn element(&self, number: usize) -> &Renaming {
        &self.elements[number]
    }

    /// The rows that take the place of a row, each once, in order.
    pub(super) fn orbit(&self, row: Row) -> BTreeSet<Row> {
        self.elements.iter().map(|by| row.renamed(by)).collect()
    }

    /// The renamings that leave a row as it is, by number.
    pub(super) fn keeping(&self, row: Row) -> Vec<usize> {
        (0..self.len()).filter(|number| row.renamed(self.element(*number)) == row).collect()
    }

    /// Whether nothing before a row takes its place.
    pub(super) fn is_first(&self, row: Row) -> bool {
        self.orbit(row).first() == Some(&row)
    }

    /// The renaming that does `first` and `then`.
    #[inline]
    pub(super) fn product(&self, then: usize, first: usize) -> usize {
        self.products[then * self.len() + first].into()
    }

    /// The element that takes back what this one does.
    #[inline]
    pub(super) fn inverse(&self, number: usize) -> usize {
        self.inverses[number].into()
    }

    /// Whether there are labels for edges that name an element beside one of this number of
    /// classes.
    pub(super) fn has_labels_for(&self, classes: usize) -> bool {
        (classes + 2) * self.len() <= usize::from(Label::MOST_CLASSES)
    }

    /// The label of an edge to a state that this element makes of a representative.
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
