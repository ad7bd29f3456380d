//! Mends: which other scenario of the folder has what another reading or assumption achieves.

use deathwatch_model::world::{Faults, Transactions, World};

use super::{Answered, settings::Settings};
use crate::scenario::Expected;

/// A scenario that shows how a violation is mended.
pub(super) struct Mend<'a> {
    /// The scenario.
    pub(super) by: &'a Answered,
    /// The readings it has and the violated one has not.
    pub(super) readings: Vec<String>,
    /// What it assumes and the violated one does not.
    pub(super) assumptions: Vec<String>,
}

/// The scenario that differs least from `broken` among those of its folder in which every claim
/// that is violated there holds, in the same world, with at least the same commands and faults.
pub(super) fn mend<'a>(broken: &Answered, all: &'a [Answered]) -> Option<Mend<'a>> {
    let violated = broken.claims(Expected::Violated);
    let before = Settings::of(&broken.scenario.world);
    let mends = all.iter().filter(|other| {
        other.folder() == broken.folder()
            && violated.iter().all(|claim| other.answer(claim) == Some(Expected::Holds))
            && is_as_hard(other, broken)
    });
    let mends = mends.map(|by| {
        let after = Settings::of(&by.scenario.world);
        let readings = without(&after.readings, &before.readings);
        let assumptions = without(&before.assumptions, &after.assumptions);
        Mend { by, readings, assumptions }
    });
    let is_one = |mend: &Mend<'_>| mend.readings.len() + mend.assumptions.len() > 0;
    mends.filter(is_one).min_by_key(|mend| (mend.readings.len() + mend.assumptions.len(), &mend.by.name))
}

fn without(these: &[String], those: &[String]) -> Vec<String> {
    these.iter().filter(|it| !those.contains(it)).cloned().collect()
}

/// Whether whatever can happen in the world of `easier` can happen in that of `harder`, as far as
/// readings allow.
fn is_as_hard(harder: &Answered, easier: &Answered) -> bool {
    let (hard, easy) = (&harder.scenario.world, &easier.scenario.world);
    harder.scenario.start == easier.scenario.start
        && harder.scenario.steps.iter().map(|step| &step.text).eq(easier.scenario.steps.iter().map(|step| &step.text))
        && hard.machines == easy.machines
        && hard.applications == easy.applications
        && hard.units == easy.units
        && hard.relations == easy.relations
        && (hard.transactions == easy.transactions || hard.transactions == Transactions::Split)
        && has_commands(hard, easy)
        && has_faults(&hard.faults, &easy.faults)
}

fn has_commands(hard: &World, easy: &World) -> bool {
    easy.commands.iter().all(|allowed| {
        hard.commands.iter().any(|other| {
            other.command == allowed.command
                && (other.most.is_none() || allowed.most.is_some_and(|most| other.most >= Some(most)))
        })
    })
}

fn has_faults(hard: &Faults, easy: &Faults) -> bool {
    let flags = |it: &Faults| [it.crash, it.downtime, it.abort, it.lost_connection, it.hook_failure];
    let machines = |it: &Faults| it.hardware_failure.clone();
    let unnoticed = |it: &Faults| it.undetected_hardware_failure.clone();
    flags(hard).iter().zip(flags(easy)).all(|(hard, easy)| *hard || !easy)
        && machines(easy).iter().all(|it| machines(hard).contains(it))
        && unnoticed(easy).iter().all(|it| unnoticed(hard).contains(it))
}
