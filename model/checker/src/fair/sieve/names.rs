//! The names of a class along a way: in a graph with turns, each state has names of its own.
//!
//! What is one class in the graph that is unfolded is the class `c` in one state, and behind an
//! edge with the turn `g` the class that `g` makes `c` of. So a class is followed from a state on
//! by the name that it has there (Emerson and Sistla 1995: the threaded graph).

use std::ops::Range;

use crate::graph::{Label, Turns};

/// The names that turns make of one class.
pub(super) struct ClassNames {
    /// Each of them once.
    classes: Vec<u16>,
    /// For each of them, and then each turn, the place of the name behind an edge with that turn.
    after: Vec<u16>,
    turns: usize,
}

impl ClassNames {
    /// The names of each class that lacks a move for some claims, those of one class together, with
    /// the claims for which it lacks one under any of them.
    pub(super) fn lacking(turns: Option<&dyn Turns>, lacking: &[u64]) -> Vec<(Self, u64)> {
        let mut all: Vec<(Self, u64)> = Vec::new();
        for (class, claims) in (0..).zip(lacking).filter(|(_, claims)| **claims != 0) {
            match all.iter_mut().find(|(names, _)| names.classes.contains(&class)) {
                Some((_, known)) => *known |= claims,
                None => all.push((Self::of(turns, class), *claims)),
            }
        }
        all
    }

    /// The names of the class that has this one on some edge.
    fn of(turns: Option<&dyn Turns>, class: u16) -> Self {
        let Some(turns) = turns else {
            return Self { classes: vec![class], after: vec![0], turns: 1 };
        };
        let (mut classes, mut makers, mut made) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 0..turns.count() {
            let name = turns.renamed(turn, Label::class(class)).as_class();
            let name = name.expect("a turn makes a class of a class");
            let place = classes.iter().position(|known| *known == name).unwrap_or_else(|| {
                classes.push(name);
                makers.push(turn);
                classes.len() - 1
            });
            made.push(u16::try_from(place).expect("there are no more than classes"));
        }
        let behind = |maker, turn| made[turns.product(turns.inverse(turn), maker)];
        let after = makers.iter().flat_map(|maker| {
            let behind = &behind;
            (0..turns.count()).map(move |turn| behind(*maker, turn))
        });
        Self { after: after.collect(), classes, turns: turns.count() }
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.classes.len()).expect("there are no more than classes")
    }

    pub(super) fn places(&self) -> Range<u32> {
        0..self.count()
    }

    pub(super) fn class(&self, name: u32) -> u16 {
        self.classes[name as usize]
    }

    /// The place of the name behind an edge with this turn.
    pub(super) fn after(&self, name: u32, turn: usize) -> u32 {
        self.after[name as usize * self.turns + turn].into()
    }

    /// The number of a state with a name.
    pub(super) fn node(&self, state: u32, name: u32) -> u32 {
        state * self.count() + name
    }
}
