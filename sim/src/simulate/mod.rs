//! Seeded random simulation: a seed becomes a workload, a storm of faults, and a calm.
//!
//! A run is decided by its scenario, its seed and the version of this program, and by nothing
//! else. It calls the protocol that the exhaustive explorer calls, and asks the same claims: in
//! every state and of every step that it comes by, and, of what must follow, once the calm has
//! settled.

mod course;
mod desk;
mod digest;
mod oversleep;
mod party;
mod schedule;
mod sleepers;
pub mod stats;
mod storm;
mod swarm;
mod tally;
mod user;
mod wake;

use deathwatch_model::{
    action::Action,
    claims::{Claim, EntityId},
    state::State,
};

pub use self::stats::Stats;
use self::{
    course::{Course, Follower},
    user::Allowed,
};
use crate::{Problem, Scenario, replay::Replay, scenario::Expected};

/// A scenario, ready to be simulated.
pub struct Simulation<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The claims to task, in the order of all claims, each with the answer that is expected of
    /// a whole sweep.
    pub claims: Vec<(&'static Claim, Expected)>,
    /// Where its runs begin: after its script.
    start: State,
    allowed: Allowed,
}

/// What came of one seed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// What happened.
    pub stats: Stats,
    /// Stands for everything that was offered and chosen: equal if two runs were the same.
    pub digest: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing can move any more: what must follow is decided.
    Settled,
    /// The calm did not settle within its bound; says what kept moving.
    Unsettled(String),
}

/// A violated claim.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The claim.
    pub claim: &'static Claim,
    /// The document it fails for.
    pub subject: EntityId,
    /// After how many steps it was found.
    pub step: u64,
    /// What is stuck and why, as the explorer would say; empty if the claim is not about what
    /// must follow.
    pub diagnosis: String,
}

/// How two runs of one seed differed, which is a defect of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step at which they did.
    pub step: u64,
    /// What was offered and chosen, first and then.
    pub differed: String,
}

impl<'a> Simulation<'a> {
    /// Prepares `scenario`, whose script led to `replay`.
    ///
    /// The claims are those of its `[simulate.claims]`, else those of its `[claims]`, else all, and
    /// then each is expected to hold. Only where there is a script and nothing is claimed, and
    /// nothing said of its simulation, the script is all that it is about.
    ///
    /// # Errors
    /// If it cannot be simulated. The problem says why.
    pub fn new(scenario: &'a Scenario, replay: &Replay) -> Result<Self, Problem> {
        if let Some(problem) = crate::replay::unfinished(scenario, replay) {
            return Err(problem);
        }
        let asked = scenario.simulate.claims.as_ref().unwrap_or(&scenario.claims);
        let mut claims = asked.clone();
        let is_script = !scenario.steps.is_empty() && !scenario.simulate.is_given;
        if claims.is_empty() && !is_script {
            claims = Claim::all().map(|claim| (claim, Expected::Holds)).collect();
        }
        let allowed = Allowed::of(&scenario.world);
        Ok(Self { scenario, claims, start: replay.state.clone(), allowed })
    }

    /// The seeds that are known to have failed, which are to be run first.
    pub fn known_seeds(&self) -> &[u64] {
        &self.scenario.simulate.seeds
    }

    /// Runs `seed`; `None` if `stop` said so, which is asked now and then.
    pub fn run(&self, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Run> {
        Course::new(self, seed, &mut Unseen).run(stop)
    }

    /// Runs `seed` and keeps what happens, from the end of the script on: until the first
    /// violation of `until`, or to the end.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn trace(&self, seed: u64, until: Option<&'static Claim>) -> (Run, Vec<Action>) {
        let mut tracer = Tracer { actions: Vec::new(), until: until.map(|claim| claim.name) };
        let run = Course::new(self, seed, &mut tracer).run(&|| false);
        (run.expect("nobody stops it"), tracer.actions)
    }

    /// Runs `seed` and shows each state that it comes by, the first one included.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn visit(&self, seed: u64, see: &mut dyn FnMut(&State)) -> Run {
        see(&self.start);
        Course::new(self, seed, &mut Visitor { see }).run(&|| false).expect("nobody stops it")
    }

    /// Runs `seed` twice, and compares what is offered and chosen at every step.
    ///
    /// # Errors
    /// If the two differ.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn verify(&self, seed: u64) -> Result<Run, Divergence> {
        let mut first = Recorder::default();
        let run = Course::new(self, seed, &mut first).run(&|| false).expect("nobody stops it");
        let mut second = Comparer { steps: first.0.into_iter(), step: 0, differed: None };
        let again = Course::new(self, seed, &mut second).run(&|| false).expect("nobody stops it");
        let (step, left) = (second.step, second.steps.next());
        if let Some(differed) = second.differed {
            return Err(Divergence { step, differed });
        }
        if let Some((offered, action)) = left {
            let differed = format!("{offered} offered, {action:?}; then nothing");
            return Err(Divergence { step: step + 1, differed });
        }
        if run.digest != again.digest || run.stats != again.stats {
            return Err(Divergence { step, differed: "the times of the steps".to_owned() });
        }
        Ok(run)
    }
}

/// Nobody follows the run.
struct Unseen;

impl Follower for Unseen {
    fn follow(&mut self, _: usize, _: &Action, _: &State) -> bool {
        true
    }

    fn notice(&mut self, _: &Violation) -> bool {
        true
    }
}

/// Shows each state.
struct Visitor<'a> {
    see: &'a mut dyn FnMut(&State),
}

impl Follower for Visitor<'_> {
    fn follow(&mut self, _: usize, _: &Action, state: &State) -> bool {
        (self.see)(state);
        true
    }

    fn notice(&mut self, _: &Violation) -> bool {
        true
    }
}

/// Keeps the actions, up to a violation.
struct Tracer {
    actions: Vec<Action>,
    until: Option<&'static str>,
}

impl Follower for Tracer {
    fn follow(&mut self, _: usize, action: &Action, _: &State) -> bool {
        self.actions.push(*action);
        true
    }

    fn notice(&mut self, violation: &Violation) -> bool {
        self.until != Some(violation.claim.name)
    }
}

/// Keeps what was offered and chosen.
#[derive(Default)]
struct Recorder(Vec<(usize, Action)>);

impl Follower for Recorder {
    fn follow(&mut self, offered: usize, action: &Action, _: &State) -> bool {
        self.0.push((offered, *action));
        true
    }

    fn notice(&mut self, _: &Violation) -> bool {
        true
    }
}

/// Compares what is offered and chosen with what was.
struct Comparer {
    steps: std::vec::IntoIter<(usize, Action)>,
    step: u64,
    differed: Option<String>,
}

impl Follower for Comparer {
    fn follow(&mut self, offered: usize, action: &Action, _: &State) -> bool {
        self.step += 1;
        let was = self.steps.next();
        if was == Some((offered, *action)) {
            return true;
        }
        let was = was.map_or("nothing".to_owned(), |(offered, action)| {
            format!("{offered} offered, {action:?}")
        });
        self.differed = Some(format!("{was}; then {offered} offered, {action:?}"));
        false
    }

    fn notice(&mut self, _: &Violation) -> bool {
        true
    }
}
