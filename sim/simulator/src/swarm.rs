//! Swarm testing: each seed draws its own subset and rates of faults and commands.
//!
//! A run with every kind of fault and command at once hides violations that need one kind to be
//! absent: frequent aborts, say, keep the user from finishing a command whose effects would go
//! wrong later. So each seed leaves some kinds out, and makes some of the others frequent.

use std::ops::RangeInclusive;

use deathwatch_model::world::{CommandKind, FaultKind, World};

use crate::{
    dice::Dice,
    settings::{Chance, FaultRates, Latency, SimulationSettings, TimedFault},
};

/// The settings of one run in `world`.
pub(crate) fn draw(
    settings: &SimulationSettings,
    world: &World,
    dice: &mut Dice,
) -> SimulationSettings {
    let mut drawn = settings.clone();
    if !settings.swarm {
        return drawn;
    }
    let is_allowed = |kind| world.commands.iter().any(|it| it.command.kind() == kind);
    for (kind, rate) in CommandKind::ALL.iter().zip(drawn.rates.as_mut_slice()) {
        // These kinds came later than the others: where one is not allowed it draws nothing, so
        // that seeds recorded before it stay what they are.
        let is_later = *kind == CommandKind::DestroyModel || !kind.row().needs.is_empty();
        if is_later && !is_allowed(*kind) {
            *rate = 0;
            continue;
        }
        *rate *= [0, 1, 4, 16][dice.index(4)];
    }
    if drawn.rates.as_slice().iter().all(|rate| *rate == 0) {
        drawn.rates = settings.rates.clone();
    }
    drawn.storm = scaled(drawn.storm, dice).max(1);
    drawn.pause = longer_or_shorter(&drawn.pause, dice);
    faults(&mut drawn.faults, dice);
    latency(&mut drawn.latency, dice);
    if world.detail.hooks {
        drawn.latency.named_hook = longer_or_shorter(&drawn.latency.named_hook, dice);
    }
    drawn
}

fn faults(faults: &mut FaultRates, dice: &mut Dice) {
    for (fault, interval) in &mut faults.timed {
        // These kinds came later than the others: where one is off it draws nothing, so that seeds
        // recorded before it stay what they are.
        let is_later = |kind: FaultKind| {
            matches!(kind, FaultKind::UnitHookFailure | FaultKind::Reboot)
                || kind.row().needs.is_some()
        };
        if matches!(*fault, TimedFault::Of(kind) if is_later(kind)) && interval.is_none() {
            continue;
        }
        let is_on = dice.below(2) == 0;
        *interval = interval.map(|time| scaled(time, dice).max(1)).filter(|_| is_on);
    }
    for (chance, chances) in &mut faults.chances {
        // These came later, too.
        let is_later = match chance {
            Chance::NamedHookFailure => true,
            Chance::Of(kind) => kind.row().needs.is_some(),
            Chance::CrashBeforeCommit | Chance::CrashAtRestart => false,
        };
        if is_later && *chances == 0 {
            continue;
        }
        *chances = (*chances * [0, 1, 3, 8][dice.index(4)]).min(900);
    }
}

fn latency(latency: &mut Latency, dice: &mut Dice) {
    for range in [
        &mut latency.watch,
        &mut latency.transaction,
        &mut latency.step,
        &mut latency.hook,
        &mut latency.restart,
        &mut latency.operator,
        &mut latency.instance,
        &mut latency.outage,
    ] {
        *range = longer_or_shorter(range, dice);
    }
}

/// `time` multiplied by an eighth, a quarter, a half, one, two or four.
fn scaled(time: u64, dice: &mut Dice) -> u64 {
    (time << dice.below(6)) >> 3
}

fn longer_or_shorter(range: &RangeInclusive<u64>, dice: &mut Dice) -> RangeInclusive<u64> {
    *range.start()..=scaled(*range.end(), dice).max(*range.start())
}
