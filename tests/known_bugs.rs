//! The known bugs of Juju: a pair of scenarios shows each, or it is left out with a reason.

use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use deathwatch_claims::ClaimKind;
use deathwatch_scenario::{
    replay,
    scenario::{self, Expected, Scenario},
};
use deathwatch_show::report::{
    self, AnsweredScenario, Figures,
    known_bugs::{self, FOLDER, LAST, LEFT_OUT},
};

#[test]
fn each_known_bug_is_answered_for_once() {
    let answered = answered();
    let mut answers: BTreeMap<u8, Vec<&str>> = (1..=LAST).map(|it| (it, Vec::new())).collect();
    let shown = known_bugs::shown(answered);
    assert_eq!(2 * shown.len(), answered.len(), "each scenario is one of a pair");
    for bug in &shown {
        assert!(!bug.numbers.is_empty(), "{} has a number", bug.broken.name);
        for number in &bug.numbers {
            answers.get_mut(number).expect("a known bug").push(&bug.broken.name);
        }
    }
    for out in LEFT_OUT.iter() {
        answers.get_mut(&out.number).expect("a known bug").push(&out.why);
    }
    let wrong: Vec<_> = answers.iter().filter(|(_, answers)| answers.len() != 1).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(shown.iter().map(|bug| bug.numbers.len()).sum::<usize>() >= 25);
}

#[test]
fn what_is_wrong_with_a_known_bug_is_right_with_its_fix() {
    for bug in known_bugs::shown(answered()) {
        let (name, claims) = (&bug.broken.name, bug.claims());
        let answer = |claim| bug.fixed.answer(claim);
        assert!(claims.iter().any(|it| answer(it) == Some(Expected::Holds)), "{name} is fixed");
        for claim in claims {
            let is_right = matches!(answer(claim), Some(Expected::Holds | Expected::Vacuous));
            assert!(is_right, "{name}: {} is asked of the fix", claim.name);
        }
        let meant = bug.fixed.claims(Expected::Violated);
        let stuck = meant.iter().find(|claim| claim.kind() == ClaimKind::Leads);
        assert!(stuck.is_none(), "{name}: {stuck:?} is violated with the fix");
        let (broken, fixed) = (&bug.broken.scenario.world, &bug.fixed.scenario.world);
        assert!(
            broken.machines == fixed.machines
                && broken.applications == fixed.applications
                && broken.units == fixed.units
                && broken.relations == fixed.relations
                && broken.detail == fixed.detail
                && broken.transactions == fixed.transactions
                && broken.commands == fixed.commands
                && broken.faults == fixed.faults
                && bug.broken.scenario.start.store == bug.fixed.scenario.start.store,
            "{name} and its fix begin alike"
        );
        let (kept, off) = (
            [&fixed.without, &fixed.unasserted, &fixed.neglected],
            [&broken.without, &broken.unasserted, &broken.neglected],
        );
        for (kept, off) in kept.into_iter().zip(off) {
            assert!(kept.iter().all(|it| off.contains(it)), "the fix of {name} switches off more");
        }
        assert!(
            fixed.variants != broken.variants
                || kept != off
                || fixed.assumptions != broken.assumptions,
            "{name} differs from its fix"
        );
    }
}

/// The scenarios of known bugs with their answers, which all tests share.
fn answered() -> &'static [AnsweredScenario] {
    static ANSWERED: LazyLock<Vec<AnsweredScenario>> = LazyLock::new(|| {
        let folder = root().join("scenarios").join(FOLDER);
        let files = scenario::find(&[folder]).expect("scenarios are shipped");
        files.iter().map(|file| expected(scenario::load(file).expect("it loads"))).collect()
    });
    &ANSWERED
}

/// A scenario with the answers that it expects. Other tests and `report --check` search its world.
fn expected(scenario: Scenario) -> AnsweredScenario {
    let replay = replay::replay(&scenario).expect("every step is enabled");
    let name = report::name_below(&root().join("scenarios"), &scenario);
    let figures = Figures { states: 0, transitions: 0 };
    AnsweredScenario::committed(name, scenario, &replay, figures, None)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
