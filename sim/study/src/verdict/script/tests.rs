//! Whether a script keeps to the outline of its world.

use std::{borrow::Cow, path::Path};

use deathwatch_model::{
    ids::{Id, UnitId},
    life::Life,
    store::Touched,
};
use deathwatch_scenario::replay;

use super::*;
use crate::trace;

/// A script in which a client and agents act, in a world that has a detail.
const SCRIPT: &str = concat!("\n", include_str!("../../../../../tests/worlds/script.toml"));

/// The answer of a refinement that hides with `hide`, and the step at which the script breaks it,
/// for a finding that holds so far.
fn shown(hide: fn(&World, &State) -> State) -> (CheckAnswer, Option<(usize, String)>) {
    let scenario = scenario::parse(Path::new("test.toml"), SCRIPT).expect("a scenario");
    let replay = replay::replay(&scenario).expect("every step is possible");
    let (world, outline) = (&scenario.world, scenario.world.outline());
    let refinement = Refinement::against(world, Cow::Owned(outline), hide);
    let mut script = ScriptFindings::of(&scenario, &replay, std::iter::empty());
    script.follow(&scenario, &replay, &refinement);
    let mut finding = Finding {
        asked: FindingSubject::Refinement,
        answer: CheckAnswer::Holds,
        subjects: 1,
        applied: 1,
        trace: None,
    };
    let (begins, open) = script.merge_into(&mut finding, world, &scenario.start);
    assert_eq!(open, None);
    let rendered = trace::render(world, begins, &scenario.start, &finding);
    let shown = rendered.map(|rendered| {
        assert_eq!(begins, Begins::BeforeScript);
        (rendered.steps.len(), rendered.diagnosis.expect("it says how"))
    });
    (finding.answer, shown)
}

fn unit_is(state: &State, life: Life) -> bool {
    state.store.unit_life(UnitId::new(0)) == Some(life)
}

#[test]
fn what_a_client_of_the_script_does_so_may_one_of_the_outline() {
    assert_eq!(shown(World::hide), (CheckAnswer::Holds, None));
}

#[test]
fn a_step_of_the_script_that_the_outline_does_not_have_is_told() {
    // Units that are Dying have lost their machine, too, which nothing can do.
    let (answer, shown) = shown(|world, state| {
        let mut hidden = world.hide(state);
        if unit_is(state, Life::Dying) {
            let machine = world.machine_ids().last().expect("there are two");
            hidden.runtime.machine_mut(machine, &mut Touched::new()).down = true;
        }
        hidden
    });
    assert_eq!(answer, CheckAnswer::Violated);
    let (steps, how) = shown.expect("a run shows it");
    assert_eq!(steps, 2);
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(how) });
}

#[test]
fn a_start_that_is_not_that_of_the_outline_is_told() {
    let (answer, shown) = shown(|world, state| {
        let mut hidden = world.hide(state);
        let machine = world.machine_ids().last().expect("there are two");
        hidden.runtime.machine_mut(machine, &mut Touched::new()).down = true;
        hidden
    });
    assert_eq!(answer, CheckAnswer::Violated);
    let (steps, how) = shown.expect("a run shows it");
    assert_eq!(steps, 0);
    assert_eq!(
        how,
        "without details this is not so, and nothing makes it so: machine 1: its agent is up \
         -> its agent is down"
    );
}
