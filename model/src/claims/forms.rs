//! The forms in which claims are written: a predicate, and what it reads.

/// An `Always` claim: its predicate, and for each kind of its subjects the links that the predicate
/// follows. The search for the first violation is written out for each claim, because the explorer
/// makes it in every state.
macro_rules! always {
    ($at_fault:ident, $($kind:ident [$($link:expr),*]),+) => {
        $crate::claims::Formula::Always($crate::claims::Always {
            of: &[$($crate::claims::Subjects {
                kind: $crate::rows::RowKind::$kind,
                reads: &[$($link),*],
            }),+],
            at_fault: $at_fault,
            first: |view| {
                let is_wrong = |subject: &$crate::rows::Row| $at_fault(view, *subject);
                None$(.or_else(|| $crate::rows::RowKind::$kind.rows(view.world).find(is_wrong)))+
            },
        })
    };
}

/// A `Leads` claim: its subjects with the links that both predicates follow, the condition that
/// creates the obligation, and the one that discharges it.
macro_rules! leads {
    ($kind:ident [$($link:expr),*], $from:ident, $to:ident) => {
        $crate::claims::Formula::Leads($crate::claims::Leads {
            of: $crate::claims::Subjects {
                kind: $crate::rows::RowKind::$kind,
                reads: &[$($link),*],
            },
            from: $from,
            to: $to,
        })
    };
}

pub(super) use {always, leads};
