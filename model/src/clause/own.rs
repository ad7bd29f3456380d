//! The clauses of a scenario's own rules, one for each rule. A clause has the rule's place as its
//! number, and the world has its name.

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
