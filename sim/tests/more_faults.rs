//! Faults repair nothing: what is violated in a world is violated with one more fault, too, as this
//! may never strike.
//!
//! It would not be if something else came with a fault, such as an operator who cures more than it
//! breaks.

use std::collections::BTreeSet;

use deathwatch_claims::{Claim, ClaimKind, check::CheckAnswer};
use deathwatch_model::world::{Assumptions, FaultKind, SwitchMut, World};

use crate::common::worlds::{of_few_states, search};

/// The greatest number of states that a file may state, and of those with one more fault.
const MOST_STATES: u64 = 120;
const MOST_WITH_FAULT: u64 = 2_000;

/// The world with this fault, for the first machine if it is about some; `None` if it is on
/// already, or needs a detail that the world lacks.
fn with_fault(world: &World, kind: FaultKind) -> Option<World> {
    let lacks = kind.row().needs.is_some_and(|name| !world.detail.has(name));
    if lacks || world.faults.switch(kind).is_on() {
        return None;
    }
    let machines = world.machine_ids().take(1).collect();
    Some(world.changed(|world| match world.faults.switch_mut(kind) {
        SwitchMut::Whole(is_on) => *is_on = true,
        SwitchMut::For(those) => *those = machines,
    }))
}

#[test]
fn more_faults_repair_nothing() {
    let (mut repaired, mut kinds, mut compared) = (Vec::new(), BTreeSet::new(), 0);
    for (scenario, replay) in of_few_states(MOST_STATES) {
        let claims = scenario.claims.iter().map(|(claim, _)| *claim);
        let is_built_in = |claim: &&'static Claim| deathwatch_claims::named(claim.name).is_some();
        let claims: Vec<_> =
            claims.filter(is_built_in).filter(|it| it.kind() != ClaimKind::Reachable).collect();
        let answers = |world: &World, most| {
            let report = search(world, &replay.state, claims.clone(), most)?;
            Some(report.findings.iter().map(|it| it.answer).collect::<Vec<_>>())
        };
        // Everything that can be assumed is, or nobody would cure anything.
        let usual = scenario.world.changed(|world| world.assumptions = Assumptions::default());
        let Some(before) = answers(&usual, MOST_STATES) else { continue };
        if !before.contains(&CheckAnswer::Violated) {
            continue;
        }
        for kind in FaultKind::ALL {
            let Some(world) = with_fault(&usual, *kind) else { continue };
            let Some(after) = answers(&world, MOST_WITH_FAULT) else { continue };
            for ((claim, before), after) in claims.iter().zip(&before).zip(after) {
                if *before == CheckAnswer::Violated {
                    kinds.insert(*kind);
                    compared += 1;
                    if after != CheckAnswer::Violated {
                        repaired.push(format!("{}: {}: {}", scenario.name, kind.key(), claim.name));
                    }
                }
            }
        }
    }
    assert_eq!(repaired, [""; 0]);
    assert!(compared > 1_000 && kinds.len() == FaultKind::ALL.len(), "{compared} of {kinds:?}");
}
