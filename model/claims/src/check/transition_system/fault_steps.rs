//! The labels of steps that are faults or commands, and the kinds of faults that are left out.

use deathwatch_checker::graph::Label;
use deathwatch_model::{
    action::{Act, Action, ProvisionerAct},
    state::State,
    txn::Txn,
    world::{FaultKind, Per, World},
};

use super::TransitionSystem;

/// The treatment of steps that are faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum FaultSteps<'a> {
    /// All faults have one label: no answer depends on which of them strikes.
    Alike,
    /// Each kind has a label of its own, behind those of the fairness classes, and then commands
    /// have one; duties are told apart, whatever the unit of fairness. So a survey can ask what
    /// holds without one of them.
    ByKind,
    /// As [`Self::Alike`], without faults of these kinds.
    Without(&'a [FaultKind]),
}

impl FaultSteps<'_> {
    /// The unit of fairness that classes are numbered for.
    pub(in crate::check) fn per(self, world: &World) -> Per {
        match self {
            Self::Alike | Self::Without(_) => world.assumptions.per,
            Self::ByKind => Per::Duty,
        }
    }

    /// The label of commands, behind this number of classes and all kinds of faults.
    pub(in crate::check) fn commands_behind(classes: usize) -> usize {
        classes + FaultKind::ALL.len()
    }

    /// Whether there are enough labels beside those of this number of classes.
    pub(super) fn has_labels_beside(self, classes: usize) -> bool {
        match self {
            Self::Alike | Self::Without(_) => true,
            Self::ByKind => Self::commands_behind(classes) < usize::from(Label::MOST_CLASSES),
        }
    }

    /// Removes faults that never happen from the actions and from their plans.
    pub(super) fn leave_out(self, actions: &mut Vec<Action>, plans: &mut Vec<Option<Txn>>) {
        let Self::Without(kinds) = self else { return };
        let may_happen =
            |action: &Action| !kind(action.act).is_some_and(|kind| kinds.contains(&kind));
        let mut each = actions.iter();
        plans.retain(|_| each.next().is_some_and(may_happen));
        actions.retain(may_happen);
    }
}

/// The kind of faults that a step is of. A start may fail for a former provisioner, too, which is a
/// step of that one.
fn kind(act: Act) -> Option<FaultKind> {
    match act {
        Act::Faults(fault) => Some(FaultKind::of(fault)),
        Act::Provisioner(ProvisionerAct::FailLate(_)) => Some(FaultKind::StartFailure),
        _ => None,
    }
}

impl TransitionSystem<'_> {
    pub(super) fn label(&self, state: &State, action: &Action) -> Label {
        if self.faults != FaultSteps::ByKind {
            return self.classes.label(state, action);
        }
        let numbered = |number: usize| {
            Label::class(u16::try_from(number).expect("counted when the world was accepted"))
        };
        let classes = self.classes.fairness().len();
        if let Some(kind) = kind(action.act) {
            return numbered(classes + kind as usize);
        }
        let commands = numbered(FaultSteps::commands_behind(classes));
        self.classes.label_beside(state, action, commands)
    }
}
