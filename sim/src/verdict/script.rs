//! What a script shows by itself: the claims that it violates, the clauses that it carries out, and
//! what it leaves owed.
//!
//! A search begins in the state after the script. A claim that is violated on the way there is
//! violated, and a search that knows nothing of the way must not be believed when it says "holds".
//! So each claim is judged in every state and on every transition of the script as well.

use deathwatch_model::{
    action::Action,
    check::{Answer, Asked, Finding, Trace},
    claims::{Census, Claim, Subject, Test, View},
    clause::Clause,
    protocol::{self, Effects},
    state::State,
    world::World,
};

use crate::{describe, output::story::Begins, replay::Replay, scenario::Scenario};

/// What a script shows.
pub(crate) struct Shown {
    actions: Vec<Action>,
    claims: Vec<Watched>,
    /// Each clause that is carried out, with the number of steps after which it is so first.
    clauses: Vec<(Clause, usize)>,
}

/// A claim that is watched while the script goes on.
struct Watched {
    claim: &'static Claim,
    /// The number of steps after which it is violated first, and the document it fails for.
    violated: Option<(usize, Subject)>,
    /// The documents of which something is owed still.
    owed: Vec<Subject>,
}

impl Shown {
    /// What the script that led to `replay` shows of `claims`.
    pub(crate) fn by_script(
        scenario: &Scenario,
        replay: &Replay,
        claims: impl Iterator<Item = &'static Claim>,
    ) -> Self {
        let world = &scenario.world;
        let watched = |claim| Watched { claim, violated: None, owed: Vec::new() };
        let claims = claims.map(watched).collect();
        let mut shown = Self { actions: replay.actions.clone(), claims, clauses: Vec::new() };
        let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
        shown.look_at_state(world, &state, 0);
        for (index, action) in replay.actions.iter().enumerate() {
            let before = state.clone();
            protocol::step(world, &mut state, *action, &mut effects);
            shown.look_at_step(world, &before, &state, &effects, index + 1);
            shown.look_at_state(world, &state, index + 1);
        }
        debug_assert_eq!(state, replay.state, "a script is deterministic");
        shown.claims.iter_mut().for_each(|watched| watched.forget_what_is_seen(world, &state));
        shown
    }

    fn look_at_state(&mut self, world: &World, state: &State, steps: usize) {
        let view = View { world, state, census: &Census::of(world, state) };
        for watched in &mut self.claims {
            match watched.claim.test {
                Test::Always(always) => watched.judge(steps, || (always.first)(&view)),
                Test::Step(_) => {}
                Test::Leads(leads) => {
                    let owes = |subject: &Subject| {
                        let was_owed = watched.owed.contains(subject);
                        (was_owed || (leads.from)(world, state, *subject))
                            && !(leads.to)(world, state, *subject)
                    };
                    watched.owed = leads.of.subjects(world).filter(owes).collect();
                }
            }
        }
    }

    fn look_at_step(
        &mut self,
        world: &World,
        before: &State,
        after: &State,
        effects: &Effects,
        steps: usize,
    ) {
        for watched in &mut self.claims {
            if let Test::Step(step) = watched.claim.test {
                let mut touched = effects.touched.iter();
                watched.judge(steps, || {
                    touched.find_map(|slot| (step.at_fault)(world, before, after, *slot))
                });
            }
        }
        for clause in &effects.clauses {
            if self.clauses.iter().all(|(known, _)| known != clause) {
                self.clauses.push((*clause, steps));
            }
        }
    }

    /// The claims that the script violates.
    pub(crate) fn violated(&self) -> impl Iterator<Item = &'static Claim> + '_ {
        self.claims.iter().filter(|it| it.violated.is_some()).map(|it| it.claim)
    }

    /// The clauses that the script carries out.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = Clause> + '_ {
        self.clauses.iter().map(|(clause, _)| *clause)
    }

    /// Corrects what a search found that began after the script. Says where the run that shows the
    /// answer begins, and why the answer is open if the script makes it so.
    pub(crate) fn merge_into(
        &self,
        finding: &mut Finding,
        world: &World,
    ) -> (Begins, Option<String>) {
        match finding.asked {
            Asked::Claim(claim) => {
                let watched = self.claims.iter().find(|watched| watched.claim.name == claim.name);
                let Some(watched) = watched else { return (Begins::AfterScript, None) };
                if let Some((steps, subject)) = watched.violated {
                    finding.answer = Answer::Violated;
                    finding.trace = Some(self.trace(steps, Some(subject)));
                    return (Begins::BeforeScript, None);
                }
                if let (Answer::Holds | Answer::Vacuous, Some(subject)) =
                    (finding.answer, watched.owed.first())
                {
                    finding.answer = Answer::Inconclusive;
                    return (Begins::AfterScript, Some(unseen(world, *subject)));
                }
            }
            Asked::Witness(clause) => {
                let known = self.clauses.iter().find(|(known, _)| *known == clause);
                if let Some((_, steps)) = known {
                    finding.answer = Answer::Holds;
                    finding.trace = Some(self.trace(*steps, None));
                    return (Begins::BeforeScript, None);
                }
            }
        }
        (Begins::AfterScript, None)
    }

    /// The script, up to there.
    fn trace(&self, steps: usize, subject: Option<Subject>) -> Trace {
        let steps = self.actions[..steps].to_vec();
        Trace { subject, steps, cycle: Vec::new(), diagnosis: None }
    }
}

impl Watched {
    fn judge(&mut self, steps: usize, at_fault: impl FnOnce() -> Option<Subject>) {
        if self.violated.is_none() {
            self.violated = at_fault().map(|subject| (steps, subject));
        }
    }

    /// Leaves of what is owed only that of which a search that begins in `state` cannot know: what
    /// obliged to it was so in the script, and is so no more. A unit that is Dead by now is owed
    /// its removal as one that was Dying.
    fn forget_what_is_seen(&mut self, world: &World, state: &State) {
        if let Test::Leads(leads) = self.claim.test {
            self.owed.retain(|subject| !(leads.from)(world, state, *subject));
        }
    }
}

fn unseen(world: &World, subject: Subject) -> String {
    let name = describe::name(world, subject);
    format!(
        "it is owed for {name} since a step of the script, of which a search after it knows nothing"
    )
}
