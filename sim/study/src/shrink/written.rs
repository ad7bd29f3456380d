//! The result of shrinking as a scenario file.

use std::fmt::Write as _;

use deathwatch_claims::{ClaimKind, Diagnosis};
use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::{
    action::Action,
    actor::Actor,
    protocol::{self, Effects},
    rows::Row,
    state::State,
};
use deathwatch_scenario::scenario::Expected;

use super::{
    candidate::ShrinkCandidate,
    replay::{Criterion, Execution, ViolatingRun},
};
use crate::{wait_for, write};

/// A scenario file, and the violation that it shows.
pub(super) struct ShrunkScenario {
    pub(super) text: String,
    pub(super) steps: Vec<String>,
    /// The steps of the world left to itself after them.
    pub(super) afterwards: Vec<String>,
    /// The document that violates the claim.
    pub(super) subject: Row,
    /// The stuck entities, and their roots.
    pub(super) wait_for: Option<WaitFor>,
}

/// Writes `candidate`, whose run came from `origin`.
pub(super) fn write(
    candidate: &ShrinkCandidate,
    criterion: Criterion,
    origin: &str,
) -> ShrunkScenario {
    let criterion = criterion.of(&candidate.scenario);
    let run = candidate.whole(criterion).expect("every candidate violates the claim");
    let ViolatingRun { steps, subject, afterwards, .. } = &run;
    let (scenario, world) = (&candidate.scenario, &candidate.scenario.world);
    let (script, rest) = steps.split_at(end_of_script(candidate, criterion, steps));
    let (name, kind) = (criterion.claim.name, criterion.claim.kind());
    let decided = if kind == ClaimKind::Reachable { "Reached" } else { "Violated" };
    let mut shows = format!("{decided}: {name} ({origin}).");
    let is_entity = criterion.claim.kind() == ClaimKind::Leads && subject.actor().is_some();
    let wait_for = is_entity.then(|| {
        let whole = [&steps[..], &afterwards[..]].concat();
        let diagnosis = Diagnosis::of_run(world, &scenario.start, &whole, &[], *subject);
        wait_for::of(world, &diagnosis).expect("it is an entity's")
    });
    if let Some(wait_for) = &wait_for {
        let _ = write!(shows, " {}.", wait_for.paragraph());
    }
    let mut text = String::new();
    if !rest.is_empty() {
        text.push_str("# A search goes on where the script ends, and finds among other runs:\n");
        for step in rest {
            let _ = writeln!(text, "#   {}", world.show(step));
        }
    }
    let expected = Expected::Violated.of_seeds(criterion.claim);
    let answer = (criterion.claim, expected);
    text.push_str(&write::to_answered_text(scenario, &shows, script, answer));
    let [steps, afterwards] =
        [steps, afterwards].map(|steps| steps.iter().map(|step| world.show(step)).collect());
    ShrunkScenario { text, steps, afterwards, subject: *subject, wait_for }
}

/// The number of steps of the run that have to be the script: all of them, as a rule. But a search
/// that begins after the script does not know an obligation that arose during the script and whose
/// cause has passed (a unit that is Dead by then had to be removed because it was Dying). Then the
/// script ends before the cause passes, and the search finds the rest.
fn end_of_script(candidate: &ShrinkCandidate, criterion: Criterion, steps: &[Action]) -> usize {
    let Some(obligation) = criterion.claim.obligation() else { return steps.len() };
    let Some(subject) = candidate.subject else { return steps.len() };
    let world = &candidate.scenario.world;
    let is_seen_from = |state: &State, rest: &[Action]| {
        Execution::begin(world, state, criterion, Some(subject)).violates(criterion, rest).is_some()
    };
    let mut effects = Effects::default();
    let is_clients = |step: &Action| matches!(step.actor(), Actor::Client(_));
    let searched_from = steps.iter().rposition(is_clients).map_or(0, |index| index + 1);
    let mut state = candidate.scenario.start.clone();
    let mut last = None;
    for (index, step) in steps.iter().enumerate() {
        let is_searched = index >= searched_from && !has_client(&state);
        if is_searched && obligation.from(world, &state, subject) {
            last = Some(index);
        }
        protocol::step(world, &mut state, *step, &mut effects);
    }
    if is_seen_from(&state, &[]) {
        return steps.len();
    }
    let Some(last) = last else { return steps.len() };
    let mut state = candidate.scenario.start.clone();
    for step in &steps[..last] {
        protocol::step(world, &mut state, *step, &mut effects);
    }
    if is_seen_from(&state, &steps[last..]) { last } else { steps.len() }
}

/// Whether a client has a pending transaction: a search knows no clients.
fn has_client(state: &State) -> bool {
    state.runtime.clients().iter().any(|client| client.pending.is_some())
}
