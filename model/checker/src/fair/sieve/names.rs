//! The names of a class along a path: in a graph with turns, each state has names of its own.
//!
//! One class of the unfolded graph is the class `c` in one state; behind an edge with the turn `g`
//! its name is the one that the inverse of `g` maps `c` to. So a class is followed from a state on
//! by the name that it has there (Emerson and Sistla 1995: the threaded graph).

use std::ops::Range;

use crate::graph::{Label, Turns};

/// The names of one class: its orbit under the turns. A name's place is its index.
pub(super) struct ClassNames {
    /// The distinct names, by place.
    classes: Vec<u16>,
    /// For each place and then each turn, the place of the name behind an edge with that turn.
    after: Vec<u16>,
    turns: usize,
}

impl ClassNames {
    /// The orbits of the classes that lack a move for some claims, each with those claims.
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

    /// The orbit of this class.
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

    /// The number of a pair of a state and a place.
    pub(super) fn node(&self, state: u32, name: u32) -> u32 {
        state * self.count() + name
    }
}
