//! Claims in worlds that differ from theirs in the number of units and machines.

use deathwatch_language::{Expression, Kinds};
use deathwatch_model::{
    ids::{EntityId, Renaming},
    rows::RowKind,
};

use super::{OwnClaim, OwnFormula};
use crate::claims::Claim;

impl Claim {
    /// The same claim of a scenario's own where units and machines have other identifiers. Those
    /// that are built in name none.
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

    /// The same claim, which asks documents for numbers of units where it counts these: it is the
    /// same where documents count what there is.
    pub(crate) fn by_counts(&self) -> Self {
        self.changed(Expression::by_counts)
    }

    /// The greatest number with which it compares a number of units; `None` if it does something
    /// else with one.
    pub(crate) fn greatest_compared(&self) -> Option<i64> {
        let mut all = self.conditions().iter().map(Expression::greatest_compared);
        all.try_fold(0, |greatest, it| Some(greatest.max(it?)))
    }

    /// The kinds of rows all of which it goes through.
    pub(crate) fn listed(&self) -> Kinds {
        let all = self.conditions().iter().map(Expression::listed);
        all.fold(Kinds::default(), Kinds::and)
    }

    /// Whether it asks if nobody can move who is assumed to act.
    pub(crate) fn asks_quiescence(&self) -> bool {
        self.conditions().iter().any(Expression::asks_quiescence)
    }

    /// Whether it asks if the world has identifiers enough.
    pub(crate) fn asks_room(&self) -> bool {
        self.conditions().iter().any(Expression::asks_room)
    }

    /// If it is about the whole state and says that all rows of a kind always fulfil a condition,
    /// or that some row does in a state that can be reached: the same of each row.
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
