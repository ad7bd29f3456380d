//! What a script shows by itself: the claims that it violates, the clauses that it carries out, and
//! what it leaves owed.
//!
//! A search begins in the state after the script. A claim that is violated on the way there is
//! violated, and a search that knows nothing of the way must not be believed when it says "holds".
//! So each claim is judged in every state and on every transition of the script as well.

use deathwatch_model::{
    action::Action,
    check::{Answer, Asked, Finding, Trace},
    claims::{Claim, EntityId, Formula, Monitor},
    clause::Clause,
    state::State,
    world::World,
};

use crate::{
    describe,
    output::story::Begins,
    replay::{Replay, Stage},
    scenario::Scenario,
};

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
    violated: Option<(usize, EntityId)>,
    /// The documents of which something is owed that a search after the script cannot know of.
    owed: Vec<EntityId>,
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
        let claims: Vec<Watched> = claims.map(watched).collect();
        let mut shown = Self { actions: replay.actions.clone(), claims, clauses: Vec::new() };
        let asked: Vec<&'static Claim> = shown.claims.iter().map(|it| it.claim).collect();
        let mut stage = Stage::new(world, scenario.start.clone());
        let mut found = Vec::new();
        let mut monitor = Monitor::new(world, &stage.state, asked.into_iter(), &mut |claim, it| {
            found.push((0, claim, it));
        });
        for (index, action) in replay.actions.iter().enumerate() {
            stage.go(*action, None);
            monitor.look(world, &stage.state, &stage.effects.touched, &mut |claim, it| {
                found.push((index + 1, claim, it));
            });
            shown.note_clauses(&stage.effects.clauses, index + 1);
        }
        debug_assert_eq!(stage.state, replay.state, "a script is deterministic");
        for (steps, claim, subject) in found {
            shown.watched(claim).violated.get_or_insert((steps, subject));
        }
        for (claim, subject) in monitor.owed() {
            if is_unseen(claim, world, &stage.state, subject) {
                shown.watched(claim).owed.push(subject);
            }
        }
        shown
    }

    fn watched(&mut self, claim: &Claim) -> &mut Watched {
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
    fn trace(&self, steps: usize, subject: Option<EntityId>) -> Trace {
        let steps = self.actions[..steps].to_vec();
        Trace { subject, steps, cycle: Vec::new(), diagnosis: None }
    }
}

/// Whether a search that begins in `state` cannot know what is owed: what obliged to it was so in
/// the script, and is so no more. A unit that is Dead by now is owed its removal as one that was
/// Dying.
fn is_unseen(claim: &Claim, world: &World, state: &State, subject: EntityId) -> bool {
    matches!(claim.test, Formula::Leads(leads) if !(leads.from)(world, state, subject))
}

fn unseen(world: &World, subject: EntityId) -> String {
    let name = describe::name(world, subject);
    format!(
        "it is owed for {name} since a step of the script, of which a search after it knows nothing"
    )
}
