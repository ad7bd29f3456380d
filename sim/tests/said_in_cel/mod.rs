//! The built-in claims said in CEL have the same answers as those that are built in: in all shipped
//! worlds that are small enough, with the same shortest run, and on random walks, where they are
//! violated by the same step.

mod charm;
mod claims;
mod hooks;
mod provisioning;
mod relations;
mod workflow;

use std::{collections::BTreeMap, fmt::Write as _};

use claims::{BY_DEFAULT, CelClaim, CelFormula};
use deathwatch_claims::{
    Claim, Formula, Monitor,
    check::{CheckAnswer, Finding},
};
use deathwatch_model::{
    clause::Clause,
    protocol::{self, Effects},
    rows::Row,
    state::State,
    variants::SubordinateDiesWhen,
    world::World,
};
use deathwatch_scenario::{Scenario, scenario};
use deathwatch_simulator::dice::Dice;

use crate::common::{dice, worlds};

/// Every claim that is said.
fn said() -> impl Iterator<Item = &'static CelClaim> {
    let of_details =
        [hooks::SAID, charm::SAID, relations::SAID, provisioning::SAID, workflow::SAID];
    claims::SAID.iter().chain(of_details.into_iter().flatten())
}

/// The pairs of a built-in claim and the one that is said, as far as they can be compared in a
/// world.
fn pairs(scenario: &Scenario) -> Vec<[&'static Claim; 2]> {
    // Seeds draw nothing here, and a world without a detail could not say what is said of it.
    let table = toml::to_string(&scenario.table()).expect("a table can be written");
    let mut source = table.replace("draw-details = true", "");
    for CelClaim(name, each, says) in said() {
        let built_in = deathwatch_claims::named(name).expect("it is built in");
        if built_in.lacks(scenario.world.detail).is_some() {
            continue;
        }
        let _ = writeln!(source, "\n[own.\"said: {name}\"]");
        if !each.is_empty() {
            let _ = writeln!(source, "each = \"{each}\"");
        }
        let text = |text: &str| format!("\"\"\"{text}\"\"\"");
        let _ = match says {
            CelFormula::Always(it) => writeln!(source, "always = {}", text(it)),
            CelFormula::Step(it) => writeln!(source, "step = {}", text(it)),
            CelFormula::Leads(from, to) => {
                writeln!(source, "leads = {{ from = {}, to = {} }}", text(from), text(to))
            }
            CelFormula::Ends(it) => {
                let ended = text(&format!("!({it})"));
                writeln!(source, "leads = {{ from = {}, to = {ended} }}", text(it))
            }
        };
    }
    let said = scenario::parse(&scenario.address.file, source).unwrap_or_else(|problem| {
        panic!("{}", crate::common::render(&problem));
    });
    let is_default = match said.world.variants.subordinate_dies_when {
        SubordinateDiesWhen::LastRelationWithPrincipal
        | SubordinateDiesWhen::AnyContainerRelation
        | SubordinateDiesWhen::LastContainerRelation => true,
        SubordinateDiesWhen::LastRelationOfAnyScope => false,
    };
    let own = said.claims.iter().map(|(claim, _)| *claim);
    let own = own.filter_map(|claim| Some((claim, claim.name.strip_prefix("said: ")?)));
    let own = own.filter(|(_, name)| is_default || !BY_DEFAULT.contains(name));
    own.map(|(claim, name)| [deathwatch_claims::named(name).expect("it is built in"), claim])
        .collect()
}

/// One asks the protocol itself, one asks for identifiers, one asks for a variant, one is about two
/// kinds of rows, and twenty ask which hook begins or ends by a step: a condition has no names for
/// parts of it, so it would say that each time. Of the claims about relation hooks seven more are
/// left: three ask what a set or a scope has gained or lost, one whether a unit is new, and three
/// who is related to a unit, which takes a page. So are the three about what a hook reads and
/// writes, which ask how it ends, and the three about series, which no row has, and the eight about
/// constraints, which are no values. Of those about instances one asks for a variant, and one for
/// the machine whose instance is about to be recorded. Of the claims about workflows three ask
/// which transition begins, one whether a unit is forced, one for the retries of the world, and one
/// for the table of transitions; of those about watches four ask which hook begins, and two who is
/// related to a unit.
const UNSAID: usize = 58;

#[test]
fn most_claims_are_said() {
    assert_eq!(said().count() + UNSAID, Claim::native().count(), "the others cannot be said");
    assert!(said().count() >= 30);
}

/// What a finding says, as far as both claims say it of the same subjects.
fn gist(finding: &Finding) -> String {
    let trace = finding.trace.as_ref().map(|trace| (&trace.steps, &trace.cycle));
    format!("{:?} in {} states: {trace:?}", finding.answer, finding.applied)
}

/// Whether both claims name their subjects alike.
fn have_same_subjects([built_in, own]: [&Claim; 2]) -> bool {
    match (&built_in.test, &own.test) {
        (Formula::Always(always), Formula::Own([own])) => {
            always.of.len() == 1 && own.each == Some(always.of[0].kind)
        }
        (Formula::Leads(leads), Formula::Own([own])) => own.each == Some(leads.of.kind),
        _ => false,
    }
}

/// The greatest number of states of a world that is searched.
const SMALL: u64 = 1_500;

#[test]
fn what_is_said_in_cel_has_the_same_answer_and_the_same_run() {
    let (mut answers, mut worlds_searched) = (BTreeMap::<String, u32>::new(), 0);
    for (scenario, replayed) in worlds::of_few_states(SMALL) {
        if replayed.state.runtime.clients().iter().any(|client| client.pending.is_some()) {
            continue;
        }
        let pairs = pairs(&scenario);
        let claims = pairs.iter().flatten().copied().collect();
        let searched = worlds::search(&scenario.world, &replayed.state, claims, SMALL);
        let Some(report) = searched else { continue };
        worlds_searched += 1;
        for (pair, findings) in pairs.iter().zip(report.findings.chunks(2)) {
            let (name, [built_in, own]) = (pair[0].name, [&findings[0], &findings[1]]);
            assert_eq!(gist(own), gist(built_in), "{name} in {}", scenario.name);
            if have_same_subjects(*pair) {
                let subject = |finding: &Finding| finding.trace.as_ref().and_then(|it| it.subject);
                assert_eq!(subject(own), subject(built_in), "{name} in {}", scenario.name);
            }
            if own.answer == CheckAnswer::Violated {
                *answers.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(worlds_searched > 150, "only {worlds_searched} worlds were searched");
    assert!(answers.len() > 15, "only these are violated somewhere: {answers:?}");
}

/// Walks at random through a weakened world; counts by claim the walks in which it is violated.
fn walk(
    world: &World,
    start: &State,
    pairs: &[[&'static Claim; 2]],
    dice: &mut Dice,
    violated: &mut BTreeMap<&'static str, u32>,
) {
    let (mut state, mut effects, mut enabled) = (start.clone(), Effects::default(), Vec::new());
    let mut found: [Vec<(&'static str, usize, Row)>; 2] = Default::default();
    let mut monitors = [0, 1].map(|side| {
        let claims = pairs.iter().map(|pair| pair[side]);
        Monitor::new(world, start, claims, &mut |claim, row| found[side].push((claim.name, 0, row)))
    });
    for step in 1..=30 {
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        if enabled.is_empty() {
            break;
        }
        protocol::step(world, &mut state, enabled[dice.index(enabled.len())], &mut effects);
        for (side, monitor) in monitors.iter_mut().enumerate() {
            monitor.check_step(world, &state, &effects.touched, &mut |claim, row| {
                found[side].push((claim.name, step, row));
            });
        }
    }
    let [built_in, own] = &mut found;
    for (name, ..) in own.iter_mut() {
        *name = name.strip_prefix("said: ").expect("all are said");
    }
    for pair in pairs {
        let name = pair[0].name;
        let of = |all: &[(&str, usize, Row)]| {
            all.iter().find(|it| it.0 == name).map(|(_, step, row)| (*step, *row))
        };
        let (one, other) = (of(built_in), of(own));
        assert_eq!(other.map(|it| it.0), one.map(|it| it.0), "{name} in {state:?}");
        if have_same_subjects(*pair) {
            assert_eq!(other, one, "{name}");
        }
        *violated.entry(name).or_default() += u32::from(one.is_some());
    }
    let owed = |monitor: &Monitor| -> Vec<(String, Row)> {
        let owed = monitor.owed(world).into_iter();
        let name = |claim: &Claim| claim.name.trim_start_matches("said: ").to_owned();
        owed.map(|(claim, row)| (name(claim), row)).collect()
    };
    assert_eq!(owed(&monitors[1]), owed(&monitors[0]));
}

#[test]
fn what_is_said_in_cel_is_violated_by_the_same_step_of_a_random_walk() {
    let mut dice = dice(11);
    let worlds: Vec<_> = worlds::small_worlds().into_iter().chain(worlds::scenarios()).collect();
    let all: Vec<_> = worlds.iter().map(pairs).collect();
    let clauses: Vec<Clause> = Clause::all().collect();
    let mut violated = BTreeMap::new();
    for walked in 0..10_000 {
        let at = walked % worlds.len();
        let Scenario { world, start, .. } = &worlds[at];
        let weakened = world.changed(|world| {
            world.variants.subordinate_dies_when = SubordinateDiesWhen::LastRelationWithPrincipal;
            for _ in 0..dice.index(4) {
                world.without.insert(clauses[dice.index(clauses.len())]);
            }
        });
        walk(&weakened, start, &all[at], &mut dice, &mut violated);
    }
    let never: Vec<_> = violated.iter().filter(|(_, count)| **count == 0).collect();
    let ever = violated.len() - never.len();
    assert!(ever > 20, "only {ever} claims are violated on some walk; never: {never:?}");
}
