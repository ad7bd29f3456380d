//! Claims in worlds with other numbers of units and machines.

use deathwatch_language::{Expression, RowKinds};
use deathwatch_model::{
    ids::{EntityId, Renaming},
    rows::RowKind,
};

use super::{OwnClaim, OwnFormula};
use crate::claims::Claim;

impl Claim {
    /// The claim with other identifiers of units and machines. A built-in claim names none, so it
    /// stays.
    pub(crate) fn renamed(&'static self, by: &Renaming) -> &'static Self {
        match self.texts() {
            [own] if self.is_own() && own.named().next().is_some() => {
                Self::own(self.name, own.changed(|it| it.renamed(by)))
            }
            _ => self,
        }
    }

    /// The units and machines that it names.
    pub(crate) fn named(&self) -> impl Iterator<Item = EntityId> {
        self.texts().iter().flat_map(OwnClaim::named)
    }
}

impl OwnClaim {
    fn conditions(&self) -> &[Expression] {
        match &self.says {
            OwnFormula::Always(it) | OwnFormula::Step(it) | OwnFormula::Reachable(it) => {
                std::slice::from_ref(it)
            }
            OwnFormula::Leads(both) => &**both,
        }
    }

    fn named(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.conditions().iter().flat_map(Expression::named)
    }

    fn changed(&self, change: impl Fn(&Expression) -> Expression) -> Self {
        let says = match &self.says {
            OwnFormula::Always(it) => OwnFormula::Always(change(it)),
            OwnFormula::Step(it) => OwnFormula::Step(change(it)),
            OwnFormula::Leads(both) => OwnFormula::Leads(Box::new(both.each_ref().map(change))),
            OwnFormula::Reachable(it) => OwnFormula::Reachable(change(it)),
        };
        Self { reads: self.reads.clone(), watches: self.watches.clone(), says, ..*self }
    }

    /// The same claim with each count of unit rows replaced by the count that documents hold. They
    /// are equivalent where documents count correctly.
    pub(crate) fn by_counts(&self) -> Self {
        self.changed(Expression::by_counts)
    }

    /// The greatest number that a number of units is compared with; `None` if such a number is used
    /// in another way.
    pub(crate) fn greatest_compared(&self) -> Option<i64> {
        let mut all = self.conditions().iter().map(Expression::greatest_compared);
        all.try_fold(0, |greatest, it| Some(greatest.max(it?)))
    }

    /// The kinds of rows over which it quantifies.
    pub(crate) fn listed(&self) -> RowKinds {
        let all = self.conditions().iter().map(Expression::listed);
        all.fold(RowKinds::default(), RowKinds::and)
    }

    /// Whether it asks if no assumed actor can move.
    pub(crate) fn asks_quiescence(&self) -> bool {
        self.conditions().iter().any(Expression::asks_quiescence)
    }

    /// Whether it asks if the world has enough identifiers.
    pub(crate) fn asks_room(&self) -> bool {
        self.conditions().iter().any(Expression::asks_room)
    }

    /// The same claim about each row, if it is about the whole state and says that always all rows
    /// of a kind fulfil a condition, or that some row of a kind can reach it.
    pub(crate) fn of_each(&self) -> Option<Self> {
        let (condition, is_always) = match &self.says {
            OwnFormula::Always(it) => (it, true),
            OwnFormula::Reachable(it) => (it, false),
            OwnFormula::Step(_) | OwnFormula::Leads(_) => return None,
        };
        let (are_all, kind, condition) = condition.of_each()?;
        let says = if is_always { OwnFormula::Always } else { OwnFormula::Reachable };
        (are_all == is_always).then(|| self.about(kind, condition, says))
    }

    fn about(&self, kind: RowKind, says: Expression, of: fn(Expression) -> OwnFormula) -> Self {
        let (reads, watches) = (says.reads().clone(), says.reads().clone());
        Self { each: Some(kind), reads, watches, says: of(says), ..*self }
    }
}
