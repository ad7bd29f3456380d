//! What was shrunk, as a scenario file.

use std::fmt::Write as _;

use deathwatch_model::{
    action::{Action, Actor},
    claims::{self, EntityId, Formula},
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
    pub(super) subject: EntityId,
}

/// Writes `case`, whose run came from `origin`.
pub(super) fn tell(case: &Case, wanted: Wanted, origin: &str) -> Written {
    let run = case.whole(wanted).expect("every case violates the claim");
    let Violating { steps, subject, end, .. } = &run;
    let (scenario, world) = (&case.scenario, &case.scenario.world);
    let (script, rest) = steps.split_at(end_of_script(case, wanted, steps));
    let mut shows = format!("Violated: {} ({origin}).", wanted.claim.name);
    if let Formula::Leads(_) = wanted.claim.test {
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
    let Formula::Leads(leads) = wanted.claim.test else { return steps.len() };
    let Some(subject) = case.subject else { return steps.len() };
    let world = &case.scenario.world;
    let is_seen_from = |state: &State, rest: &[Action]| {
        Walk::begin(world, state, wanted, Some(subject)).violates(wanted, rest).is_some()
    };
    let mut effects = Effects::default();
    let is_clients = |step: &Action| matches!(step.actor, Actor::Client(_));
    let searched_from = steps.iter().rposition(is_clients).map_or(0, |index| index + 1);
    let mut state = case.scenario.start.clone();
    let mut last = None;
    for (index, step) in steps.iter().enumerate() {
        let is_searched = index >= searched_from && !has_client(&state);
        if is_searched && (leads.from)(world, &state, subject) {
            last = Some(index);
        }
        protocol::step(world, &mut state, *step, &mut effects);
    }
    if is_seen_from(&state, &[]) {
        return steps.len();
    }
    let Some(last) = last else { return steps.len() };
    let mut state = case.scenario.start.clone();
    for step in &steps[..last] {
        protocol::step(world, &mut state, *step, &mut effects);
    }
    if is_seen_from(&state, &steps[last..]) { last } else { steps.len() }
}

/// Whether a client has a transaction pending: a search knows no clients.
fn has_client(state: &State) -> bool {
    state.runtime.others().clients.iter().any(Option::is_some)
}
