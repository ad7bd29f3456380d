//! What was shrunk, as a scenario file.

use std::fmt::Write as _;

use deathwatch_model::{
    action::{Action, Actor},
    claims::{self, Subject, Test},
    protocol::{self, Effects},
    state::State,
};
use toml::Value;

use super::{
    case::Case,
    walk::{Violating, Walk, Wanted},
};
use crate::{output::story::Begins, write::to_scenario_text};

/// A file, and what is in it.
pub(super) struct Written {
    /// Its text.
    pub(super) text: String,
    /// How many steps the run has.
    pub(super) steps: usize,
    /// The document that the claim fails for.
    pub(super) subject: Subject,
}

/// Writes `case`, whose run came from `origin`.
pub(super) fn tell(case: &Case, wanted: Wanted, origin: &str) -> Written {
    let run = case.whole(wanted).expect("every case violates the claim");
    let Violating { steps, subject, end, .. } = &run;
    let (scenario, world) = (&case.scenario, &case.scenario.world);
    let (script, rest) = steps.split_at(end_of_script(case, wanted, steps));
    let mut shows = format!("Violated: {} ({origin}).", wanted.claim.name);
    if let Test::Leads(_) = wanted.claim.test {
        let _ = write!(shows, " {}.", claims::diagnose(world, end, *subject));
    }
    let mut text = String::new();
    if !rest.is_empty() {
        text.push_str("# A search goes on where the script ends, and finds among other runs:\n");
        for step in rest {
            let _ = writeln!(text, "#   {}", world.show(step));
        }
    }
    text.push_str(&to_scenario_text(scenario, &shows, Begins::BeforeScript, script, &[]));
    let _ = write!(text, "\n[claims]\n{} = \"violated\"\n", Value::from(wanted.claim.name));
    Written { text, steps: steps.len(), subject: *subject }
}

/// How much of the run has to be the script. All of it, as a rule; but a search that begins after
/// the script knows nothing of what obliged to something there and does so no more (a unit that is
/// Dead by now was to be removed as a Dying one). Then the script ends where it still does, and
/// the search finds the rest.
fn end_of_script(case: &Case, wanted: Wanted, steps: &[Action]) -> usize {
    let Test::Leads(leads) = wanted.claim.test else { return steps.len() };
    let Some(subject) = case.subject else { return steps.len() };
    let world = &case.scenario.world;
    let is_seen_from = |state: &State, rest: &[Action]| {
        Walk::begin(world, state, wanted, Some(subject)).violates(wanted, rest).is_some()
    };
    let (mut state, mut effects) = (case.scenario.start.clone(), Effects::default());
    let mut last = None;
    for (index, step) in steps.iter().enumerate() {
        if (leads.from)(world, &state, subject) && can_be_searched(&state, &steps[index..]) {
            last = Some((index, state.clone()));
        }
        protocol::step(world, &mut state, *step, &mut effects);
    }
    if is_seen_from(&state, &[]) {
        return steps.len();
    }
    last.filter(|(index, state)| is_seen_from(state, &steps[*index..]))
        .map_or(steps.len(), |(index, _)| index)
}

/// Whether a search that begins in `state` can find `rest`: it knows no clients.
fn can_be_searched(state: &State, rest: &[Action]) -> bool {
    !rest.iter().any(|step| matches!(step.actor, Actor::Client(_)))
        && state.hosts.others().clients.iter().all(Option::is_none)
}
