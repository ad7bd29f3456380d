//! Probes: a clause that a search of a world has never asked about has no effect in that world.

use deathwatch_claims::check::CheckReport;
use deathwatch_model::{
    clause::{Clause, Clauses},
    world::{Probe, World},
};

use crate::common::{cases, dice, worlds};

/// The greatest number of states of a world that is probed.
const SMALL: u64 = 300;

/// The number of clauses that are switched off in each world, in each of two ways.
const CLAUSES: usize = 2;

#[test]
fn without_a_clause_that_nobody_asked_about_a_world_is_the_same() {
    let (mut probed, mut tried, mut dice) = (0, Clauses::default(), dice(1));
    let every = cases(2, 1);
    for (scenario, replay) in worlds::of_few_states(SMALL).into_iter().step_by(every) {
        let search = |world: &World| {
            let claims = deathwatch_claims::all_with(world.detail);
            let claims = claims.filter(|claim| world.history.has_all(claim.keeps())).collect();
            worlds::search(world, &replay.state, claims, SMALL)
        };
        let Some(whole) = search(&scenario.world) else { continue };
        let probe = Probe::default();
        let noted = search(&scenario.world.probed(&probe)).expect("it is the same world");
        assert_eq!(gist(&noted), gist(&whole), "{}", scenario.name);
        let asked = probe.take();
        let unasked: Vec<Clause> = Clause::all().filter(|it| !asked.contains(*it)).collect();
        for _ in 0..CLAUSES {
            let clause = unasked[dice.index(unasked.len())];
            tried.insert(clause);
            let without = scenario.world.changed(|world| world.without.insert(clause));
            let unasserted = scenario.world.changed(|world| world.unasserted.insert(clause));
            for weakened in [without, unasserted] {
                let weakened = search(&weakened).expect("it has as many states");
                assert_eq!(gist(&weakened), gist(&whole), "{} without {clause}", scenario.name);
            }
        }
        // Every clause that is carried out has been asked about.
        let unnoticed =
            whole.exercised.iter().flat_map(Clauses::iter).find(|clause| !asked.contains(*clause));
        assert_eq!(unnoticed, None, "{}", scenario.name);
        probed += 1;
    }
    assert!(probed * every > 300, "only {probed} worlds were probed");
    let (tried, all) = (tried.iter().count(), Clause::all().count());
    assert!(tried * 10 > all * cases(8, 9), "only {tried} of {all} clauses were switched off");
}

/// The parts of a report that describe the world: all but the memory used.
fn gist(report: &CheckReport) -> impl PartialEq + std::fmt::Debug + use<> {
    let answers: Vec<_> = report.findings.iter().map(|finding| finding.answer).collect();
    (report.states, report.transitions, report.depth, report.exercised, answers)
}
