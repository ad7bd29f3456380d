//! The labels of steps that are faults, and the kinds of faults that are left out.

use deathwatch_checker::graph::Label;
use deathwatch_model::{
    action::{Act, Action},
    state::State,
    txn::Txn,
    world::FaultKind,
};

use super::TransitionSystem;

/// The treatment of steps that are faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum FaultSteps<'a> {
    Alike,
    /// Each kind has a label of its own, behind those of the fairness classes.
    ByKind,
    /// As [`Self::Alike`], without faults of these kinds.
    Without(&'a [FaultKind]),
}

impl FaultSteps<'_> {
    /// Whether there are enough labels beside those of this number of classes.
    pub(super) fn has_labels_beside(self, classes: usize) -> bool {
        match self {
            Self::Alike | Self::Without(_) => true,
            Self::ByKind => classes + FaultKind::ALL.len() <= usize::from(Label::MOST_CLASSES),
        }
    }

    /// Removes faults that never happen from the actions and from their plans.
    pub(super) fn leave_out(self, actions: &mut Vec<Action>, plans: &mut Vec<Option<Txn>>) {
        let Self::Without(kinds) = self else { return };
        let never_happens =
            |act| matches!(act, Act::Faults(fault) if kinds.contains(&FaultKind::of(fault)));
        let may_happen = |action: &Action| !never_happens(action.act);
        let mut each = actions.iter();
        plans.retain(|_| each.next().is_some_and(may_happen));
        actions.retain(may_happen);
    }
}

impl TransitionSystem<'_> {
    pub(super) fn label(&self, state: &State, action: &Action) -> Label {
        if let (FaultSteps::ByKind, Act::Faults(fault)) = (self.faults, action.act) {
            let number = self.classes.fairness().len() + FaultKind::of(fault) as usize;
            return Label::class(
                u16::try_from(number).expect("counted when the world was accepted"),
            );
        }
        self.classes.label(state, action)
    }
}
