//! The findings of a script: the claims that it violates, the clauses that it carries out, and the
//! obligations that it leaves.
//!
//! A search begins in the state after the script, so it knows nothing of a claim that the script
//! violates on the way there, and its "holds" must not be believed. Therefore each claim is judged
//! in every state and on every transition of the script as well.

#[cfg(test)]
mod tests;

use deathwatch_claims::{
    Claim, ClaimKind, Diagnosis, Monitor,
    check::{CheckAnswer, Departure, Finding, FindingSubject, Refinement, Trace},
};
use deathwatch_documents::Begins;
use deathwatch_model::{
    action::Action, agents, clause::Clause, rows::Row, state::State, world::World,
};
use deathwatch_scenario::{
    describe,
    replay::{self, Interpreter, Replay},
    scenario::{self, Scenario},
};

/// The findings of a script.
pub struct ScriptFindings {
    actions: Vec<Action>,
    /// The steps that are repeated for ever after them.
    cycle: Vec<Action>,
    claims: Vec<WatchedClaim>,
    /// Each clause that is carried out, with the number of steps up to its first time.
    clauses: Vec<(Clause, usize)>,
    /// The number of steps up to the first that the outline does not have, and how it departs.
    departure: Option<(usize, Departure)>,
}

/// A claim that is judged while the script is replayed.
struct WatchedClaim {
    claim: &'static Claim,
    /// The number of steps up to its first violation, and the subject that violates it.
    violated: Option<(usize, Row)>,
    /// The first subject for which something is owed that a search after the script cannot know,
    /// and the line of the step with which the cause passed.
    owed: Option<(Row, usize)>,
    /// The first subject with an obligation that lasts for ever, as the script ends in a loop, or
    /// in a state where no actor that is assumed to act can move.
    never: Option<Row>,
}

impl ScriptFindings {
    /// Judges `claims` along the script that led to `replay`.
    pub fn of(
        scenario: &Scenario,
        replay: &Replay,
        claims: impl Iterator<Item = &'static Claim>,
    ) -> Self {
        let world = &scenario.world;
        let watched = |claim| WatchedClaim { claim, violated: None, owed: None, never: None };
        let claims: Vec<WatchedClaim> = claims.map(watched).collect();
        let (actions, cycle) = (replay.actions.clone(), replay.cycle.clone());
        let mut script = Self { actions, cycle, claims, clauses: Vec::new(), departure: None };
        let asked: Vec<&'static Claim> = script.claims.iter().map(|it| it.claim).collect();
        let mut interpreter = Interpreter::new(world, scenario.start.clone());
        let mut found = Vec::new();
        let mut monitor =
            Monitor::new(world, &interpreter.state, asked.into_iter(), &mut |claim, it| {
                found.push((0, claim, it));
            });
        for (index, action) in replay.actions.iter().enumerate() {
            interpreter.step(*action, None);
            monitor.check_step(
                world,
                &interpreter.state,
                &interpreter.effects.touched,
                &mut |claim, it| {
                    found.push((index + 1, claim, it));
                },
            );
            script.note_clauses(&interpreter.effects.clauses, index + 1);
        }
        debug_assert_eq!(interpreter.state, replay.state, "a script is deterministic");
        for (steps, claim, subject) in found {
            script.watched(claim).violated.get_or_insert((steps, subject));
        }
        for (claim, subject) in owed_for_ever(world, &interpreter.state, &replay.cycle, &monitor) {
            script.watched(claim).never.get_or_insert(subject);
        }
        for (claim, subject) in monitor.owed(world) {
            if is_unknown_to_search(claim, world, &interpreter.state, subject) {
                let line = || line_of_passing(scenario, replay, claim, subject);
                script.watched(claim).owed.get_or_insert_with(|| (subject, line()));
            }
        }
        script
    }

    /// Judges whether the start and the steps of the script are those of the outline.
    pub fn follow(&mut self, scenario: &Scenario, replay: &Replay, refinement: &Refinement<'_>) {
        let [start, outlined] = scenario::starts(scenario, refinement.outline());
        let hidden = refinement.hide(&start);
        if hidden != outlined {
            let departure = Departure { before: outlined, after: hidden, nearest: None };
            self.departure = Some((0, departure));
            return;
        }
        let mut interpreter = Interpreter::new(&scenario.world, scenario.start.clone());
        let steps = replay.actions.iter().enumerate();
        self.departure = steps.into_iter().find_map(|(index, action)| {
            let before = interpreter.state.clone();
            interpreter.step(*action, None);
            Some((index + 1, refinement.departure(&before, *action, &interpreter.state)?))
        });
    }

    fn watched(&mut self, claim: &Claim) -> &mut WatchedClaim {
        let mut claims = self.claims.iter_mut();
        claims.find(|it| it.claim.name == claim.name).expect("only what is asked is watched")
    }

    fn note_clauses(&mut self, clauses: &[Clause], steps: usize) {
        for clause in clauses {
            if self.clauses.iter().all(|(known, _)| known != clause) {
                self.clauses.push((*clause, steps));
            }
        }
    }

    /// The claims that the script violates.
    pub fn violated(&self) -> impl Iterator<Item = &'static Claim> + '_ {
        self.violations().map(|(claim, _)| claim)
    }

    /// The claims that the script violates, each with the first subject that does.
    pub fn violations(&self) -> impl Iterator<Item = (&'static Claim, Row)> + '_ {
        self.claims.iter().filter_map(|it| Some((it.claim, it.violated?.1)))
    }

    /// The clauses that the script carries out.
    pub fn clauses(&self) -> impl Iterator<Item = Clause> + '_ {
        self.clauses.iter().map(|(clause, _)| *clause)
    }

    /// The first claim with an obligation that is open since the script and that a search after it
    /// cannot know, the subject by name, and the line of the step with which the cause passed.
    pub fn owed_since_script(&self, world: &World) -> Option<(&'static Claim, String, usize)> {
        self.claims.iter().find_map(|it| {
            let (subject, line) = it.owed?;
            Some((it.claim, describe::subject_of(world, it.claim, subject), line))
        })
    }

    /// The subject that decides a claim, and the number of steps: of a violation, or of the end,
    /// for an obligation that lasts for ever.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&'static Claim, Row, usize)> + '_ {
        self.claims.iter().filter_map(|it| {
            let never = it.never.map(|subject| (subject, self.actions.len()));
            let violated = it.violated.map(|(steps, subject)| (subject, steps));
            let (subject, steps) = violated.or(never)?;
            Some((it.claim, subject, steps))
        })
    }

    /// The claims that the script shows to be violated, with its loop, if it has one.
    pub fn shown(&self) -> impl Iterator<Item = &'static Claim> + '_ {
        let is_shown = |it: &&WatchedClaim| {
            it.never.is_some() || it.violated.is_some() && it.claim.kind() != ClaimKind::Reachable
        };
        self.claims.iter().filter(is_shown).map(|it| it.claim)
    }

    /// Corrects the finding of a search, if the whole script shows that something never follows;
    /// says if it does. A loop is shown as it is written, and where the script just ends, a run
    /// that the search found.
    pub fn merge_end_into(
        &self,
        finding: &mut Finding,
        world: &World,
        start: &State,
    ) -> Option<Begins> {
        let claim = finding.asked.claim()?;
        let watched = self.claims.iter().find(|watched| watched.claim.name == claim.name)?;
        let subject = watched.never?;
        if self.cycle.is_empty() && finding.answer == CheckAnswer::Violated {
            return None;
        }
        finding.answer = CheckAnswer::Violated;
        let subject = claim.subject(subject);
        let entity = subject.filter(|subject| subject.actor().is_some());
        let (steps, cycle) = (&self.actions, &self.cycle);
        let diagnosis = entity.map(|entity| Diagnosis::of_run(world, start, steps, cycle, entity));
        let trace = self.trace(self.actions.len(), subject);
        finding.trace = Some(Trace { cycle: self.cycle.clone(), diagnosis, ..trace });
        Some(Begins::BeforeScript)
    }

    /// Corrects the finding of a search that began after the script. Returns where the run begins
    /// that shows the answer, and the reason why the answer is open if the script makes it so.
    pub fn merge_into(
        &self,
        finding: &mut Finding,
        world: &World,
        start: &State,
    ) -> (Begins, Option<String>) {
        match finding.asked {
            FindingSubject::Claim(claim) => {
                let watched = self.claims.iter().find(|watched| watched.claim.name == claim.name);
                let Some(watched) = watched else { return (Begins::AfterScript, None) };
                if let Some((steps, subject)) = watched.violated {
                    finding.answer = match claim.kind() {
                        ClaimKind::Reachable => CheckAnswer::Holds,
                        ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => {
                            CheckAnswer::Violated
                        }
                    };
                    finding.trace = Some(self.trace(steps, claim.subject(subject)));
                    return (Begins::BeforeScript, None);
                }
                if let (CheckAnswer::Holds | CheckAnswer::Vacuous, Some((subject, line))) =
                    (finding.answer, watched.owed)
                {
                    finding.answer = CheckAnswer::Undecided;
                    return (
                        Begins::AfterScript,
                        Some(unknown_to_search(world, claim, subject, line)),
                    );
                }
                if finding.answer == CheckAnswer::Vacuous && self.meets(claim, world, start) {
                    finding.answer = CheckAnswer::Holds;
                }
            }
            FindingSubject::Witness(clause) => {
                let known = self.clauses.iter().find(|(known, _)| *known == clause);
                if let Some((_, steps)) = known {
                    finding.answer = CheckAnswer::Holds;
                    finding.trace = Some(self.trace(*steps, None));
                    return (Begins::BeforeScript, None);
                }
            }
            FindingSubject::Refinement => {
                if let Some((steps, departure)) = &self.departure {
                    finding.answer = CheckAnswer::Violated;
                    let departure = Some(departure.clone());
                    finding.trace = Some(Trace { departure, ..self.trace(*steps, None) });
                    return (Begins::BeforeScript, None);
                }
            }
        }
        (Begins::AfterScript, None)
    }

    /// Whether the condition of a claim about what must follow is met in a state of the script. A
    /// search knows its last one only.
    fn meets(&self, claim: &Claim, world: &World, start: &State) -> bool {
        let Some(obligation) = claim.obligation() else { return false };
        let is_met = |state: &State| {
            obligation.kind().rows(world).any(|subject| obligation.from(world, state, subject))
        };
        let mut interpreter = Interpreter::new(world, start.clone());
        is_met(&interpreter.state)
            || self.actions.iter().any(|action| {
                interpreter.step(*action, None);
                is_met(&interpreter.state)
            })
    }

    /// The first `steps` steps of the script.
    fn trace(&self, steps: usize, subject: Option<Row>) -> Trace {
        let steps = self.actions[..steps].to_vec();
        Trace { subject, steps, ..Trace::default() }
    }
}

/// Whether a search that begins in `state` cannot know the obligation of `subject`: it arose during
/// the script, and its cause has passed. For example, a unit that is Dead in `state` is still to be
/// removed because it was Dying before.
fn is_unknown_to_search(claim: &Claim, world: &World, state: &State, subject: Row) -> bool {
    claim.obligation().is_some_and(|obligation| !obligation.from(world, state, subject))
}

/// The line of the step with which the cause of an obligation passed: after the steps before it, a
/// search still finds the cause.
fn line_of_passing(scenario: &Scenario, replay: &Replay, claim: &Claim, subject: Row) -> usize {
    let mut interpreter = Interpreter::new(&scenario.world, scenario.start.clone());
    let mut passed = 0;
    for (action, line) in replay.actions.iter().zip(&replay.lines) {
        if !is_unknown_to_search(claim, &scenario.world, &interpreter.state, subject) {
            passed = *line;
        }
        interpreter.step(*action, None);
    }
    passed
}

fn unknown_to_search(world: &World, claim: &Claim, subject: Row, line: usize) -> String {
    let name = describe::subject_of(world, claim, subject);
    format!(
        "it is owed for {name} since a step of the script, of which a search after it knows \
         nothing; end the script before line {line}, with which the cause passes, and let the \
         search find the rest"
    )
}

/// The obligations that last for ever after a script that ends in `state` and then goes round
/// `cycle`. The `monitor` has seen the script.
fn owed_for_ever(
    world: &World,
    state: &State,
    cycle: &[Action],
    monitor: &Monitor,
) -> Vec<(&'static Claim, Row)> {
    if cycle.is_empty() {
        let is_over = agents::is_quiescent(world, state);
        return if is_over { monitor.owed(world) } else { Vec::new() };
    }
    if !replay::is_lasso(world, state, cycle) {
        return Vec::new();
    }
    let mut round = Round { world, cycle, state, monitor: monitor.clone() };
    // What the loop makes owed for ever is owed at the end of its first round.
    let first = round.owed();
    let mut owed = first.last().cloned().unwrap_or_default();
    for now in round.owed() {
        owed.retain(|(claim, row)| now.iter().any(|(it, of)| it.name == claim.name && of == row));
    }
    owed
}

struct Round<'a> {
    world: &'a World,
    cycle: &'a [Action],
    /// The state in which it begins and ends.
    state: &'a State,
    monitor: Monitor,
}

impl Round<'_> {
    /// The open obligations after each of its steps.
    fn owed(&mut self) -> Vec<Vec<(&'static Claim, Row)>> {
        let mut interpreter = Interpreter::new(self.world, self.state.clone());
        let mut after = |action: &Action| {
            interpreter.step(*action, None);
            let touched = &interpreter.effects.touched;
            self.monitor.check_step(self.world, &interpreter.state, touched, &mut |_, _| {});
            self.monitor.owed(self.world)
        };
        self.cycle.iter().map(&mut after).collect()
    }
}
