//! The forms in which claims are written: a predicate, and what it reads.

use deathwatch_model::{rows::Row, state::State, world::World};

use super::{Formula, RowEvent, StepClaim};

/// An `Always` claim: its predicate, and for each kind of its subjects the links that the predicate
/// follows. The search for the first violation is written out for each claim, because the explorer
/// makes it in every state.
macro_rules! always {
    ($at_fault:ident, $($kind:ident [$($link:expr),*]),+) => {
        $crate::claims::Formula::Always($crate::claims::AlwaysClaim {
            of: &[$($crate::claims::Subjects {
                kind: deathwatch_model::rows::RowKind::$kind,
                reads: &[$($link),*],
            }),+],
            at_fault: $at_fault,
            first: |view| {
                let is_wrong = |subject: &deathwatch_model::rows::Row| $at_fault(view, *subject);
                None$(.or_else(|| deathwatch_model::rows::RowKind::$kind.rows(view.world).find(is_wrong)))+
            },
        })
    };
}

/// A `Leads` claim: its subjects with the links that both predicates follow, the condition that
/// creates the obligation, and the one that discharges it.
macro_rules! leads {
    ($kind:ident [$($link:expr),*], $from:ident, $to:ident) => {
        $crate::claims::Formula::Leads($crate::claims::LeadsClaim {
            of: $crate::claims::Subjects {
                kind: deathwatch_model::rows::RowKind::$kind,
                reads: &[$($link),*],
            },
            from: $from,
            to: $to,
        })
    };
}

/// A `Step` claim: the events that it looks at, and its predicate.
pub(super) const fn step(
    on: &'static [RowEvent],
    at_fault: fn(&World, &State, &State, Row) -> Option<Row>,
) -> Formula {
    Formula::Step(StepClaim { on, at_fault })
}

/// A claim about each hook that begins.
pub(super) const fn each_hook(at_fault: fn(&World, &State, &State, Row) -> Option<Row>) -> Formula {
    step(&[RowEvent::Hook], at_fault)
}

pub(super) use {always, leads};
