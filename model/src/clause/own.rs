//! The clauses that rules of a scenario's own are: each is known by its place among them, and a
//! world knows its name.

use super::{ClauseInfo, NUMBERS};

pub(crate) static CLAUSES: [ClauseInfo; NUMBERS - 1] = {
    let says = "A rule of the scenario's own.";
    let mut all = [ClauseInfo { number: 1, says, source: "the scenario" }; NUMBERS - 1];
    let (mut at, mut number) = (0, 1);
    while at < all.len() {
        all[at].number = number;
        (at, number) = (at + 1, number + 1);
    }
    all
};
