//! The second opinion: stateright's checker and its Explorer, over the same protocol.
//!
//! stateright compares states by a hash only, knows no fairness, and its `eventually` misses
//! cycles and joins; so it decides `Always` claims and witnesses, and must count as many states
//! as our own explorer does.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use stateright::{Checker, Model, Property};

use deathwatch_model::{
    action::Action,
    check::{Answer, Asked, Finding, Progress, Question, Report, Settings, Stop, TooLarge, Trace},
    claims::{Claim, ClaimKind, Formula, Recount, View},
    clause::{Clause, Clauses},
    protocol::{self, Effects},
    state::State,
    world::World,
};

/// How often the limits are looked at.
const POLL: Duration = Duration::from_millis(20);
/// What stateright keeps of a state besides the state itself: fingerprints in a hash map that is
/// half full, and the entry of its queue.
const OVERHEAD: u64 = 160;

/// The protocol as a stateright model.
struct TransitionSystem {
    world: World,
    start: State,
    claims: Vec<&'static Claim>,
    witnesses: Vec<Clause>,
    /// The names of all that is asked. stateright wants names that live for ever; there are few
    /// and they are short.
    names: Vec<&'static str>,
    describe: Describe,
    stopped: Arc<AtomicBool>,
}

/// Says what changed between two states, for the Explorer.
pub type Describe = fn(&World, &State, &State) -> String;

impl TransitionSystem {
    fn new(question: &Question<'_>, describe: Describe) -> Self {
        let claims = question.claims.iter().copied();
        let claims: Vec<_> = claims.filter(|claim| claim.kind() == ClaimKind::Always).collect();
        let witnesses = question.witnesses.iter().map(|clause| &*clause.to_string().leak());
        let names = claims.iter().map(|claim| claim.name).chain(witnesses).collect();
        Self {
            world: question.world.clone(),
            start: question.start.clone(),
            claims,
            witnesses: question.witnesses.clone(),
            names,
            describe,
            stopped: Arc::default(),
        }
    }

    /// Whether the property with this number holds of `state`.
    fn judge(&self, number: usize, state: &State) -> bool {
        if let Some(claim) = self.claims.get(number) {
            return match claim.test {
                Formula::Always(always) => {
                    let (world, recount) = (&self.world, &Recount::of(&self.world, state));
                    (always.first)(&View { world, state, recount }).is_none()
                }
                Formula::Step(_) | Formula::Leads(_) => true,
            };
        }
        let clause = self.witnesses[number - self.claims.len()];
        self.steps(state).any(|(_, _, clauses)| clauses.contains(clause))
    }

    /// Every action that changes something, the state after it, and the clauses it carried out.
    fn steps(&self, state: &State) -> impl Iterator<Item = (Action, State, Clauses)> {
        let (mut actions, mut effects) = (Vec::new(), Effects::default());
        protocol::enabled(&self.world, state, &mut actions);
        actions.into_iter().filter_map(move |action| {
            let mut next = state.clone();
            protocol::step(&self.world, &mut next, action, &mut effects);
            let mut clauses = Clauses::default();
            effects.clauses.iter().for_each(|clause| clauses.insert(*clause));
            (next != *state).then_some((action, next, clauses))
        })
    }

    fn properties_asked(&self) -> usize {
        self.claims.len() + self.witnesses.len()
    }
}

/// A property's condition is a plain function, so its number has to be part of its type.
fn judge<const NUMBER: usize>(protocol: &TransitionSystem, state: &State) -> bool {
    protocol.judge(NUMBER, state)
}

macro_rules! judges {
    ($($number:literal)*) => { [$(judge::<$number>),*] };
}

type Judge = fn(&TransitionSystem, &State) -> bool;

/// A world has some twenty `Always` claims and as many witnesses as its scenario names.
const JUDGES: [Judge; 128] = judges!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
    96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120
    121 122 123 124 125 126 127
);

impl Model for TransitionSystem {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.start.clone()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if !self.stopped.load(Ordering::Relaxed) {
            protocol::enabled(&self.world, state, actions);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        protocol::step(&self.world, &mut next, action, &mut Effects::default());
        (next != *state).then_some(next)
    }

    fn format_action(&self, action: &Action) -> String {
        self.world.show(action)
    }

    fn format_step(&self, state: &State, action: Action) -> Option<String> {
        let next = self.next_state(state, action)?;
        Some((self.describe)(&self.world, state, &next))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let asked = (0..self.properties_asked()).map(|number| {
            let name = self.names[number];
            if number < self.claims.len() {
                Property::always(name, JUDGES[number])
            } else {
                Property::sometimes(name, JUDGES[number])
            }
        });
        // stateright stops when every property is decided; this one never is, so it goes on.
        asked.chain([Property::always("the exploration goes on", |_, _| true)]).collect()
    }
}

/// Answers the Always claims and the witnesses of `question` by stateright's breadth-first
/// checker. The other claims are left out of the findings.
///
/// # Errors
/// If the world is too large to be explored exhaustively, or asks for more than 128 things.
pub fn check(question: &Question<'_>, settings: &Settings<'_>) -> Result<Report, TooLarge> {
    let bytes_per_state = question.bytes_per_state()?;
    let protocol = TransitionSystem::new(question, |_, _, _| String::new());
    if protocol.properties_asked() > JUDGES.len() {
        return Err(TooLarge::Duties);
    }
    let flag = Arc::clone(&protocol.stopped);
    let state_bytes = size_of_state(question.world) + OVERHEAD;
    let checker = protocol.checker().threads(settings.threads).spawn_bfs();
    let mut stopped = None;
    while !checker.is_done() {
        std::thread::sleep(POLL);
        let (states, transitions) =
            (checker.unique_state_count() as u64, checker.state_count() as u64);
        let bytes = states * state_bytes;
        let too_many = |limit: Option<u64>, is: u64| limit.is_some_and(|most| is > most);
        let reached = (settings.stop)()
            .or(too_many(settings.max_states, states).then_some(Stop::States))
            .or(too_many(settings.max_bytes, bytes).then_some(Stop::Memory));
        if let (Some(stop), None) = (reached, stopped) {
            stopped = Some(stop);
            flag.store(true, Ordering::Relaxed);
        }
        let depth = u32::try_from(checker.max_depth()).unwrap_or(u32::MAX);
        (settings.progress)(Progress { states, transitions, depth, bytes, ..Progress::default() });
    }
    let checker = checker.join();
    // To tell what was found, stateright asks for the actions of each state on the way again.
    flag.store(false, Ordering::Relaxed);
    let states = checker.unique_state_count() as u64;
    Ok(Report {
        stopped,
        states,
        transitions: checker.state_count() as u64 - 1,
        depth: u32::try_from(checker.max_depth()).unwrap_or(u32::MAX).saturating_sub(1),
        bytes: states * state_bytes,
        bytes_per_state,
        exercised: Clauses::default(),
        findings: findings(&checker, stopped, states),
    })
}

/// An estimate, from above, of what a state in stateright's queue takes.
fn size_of_state(world: &World) -> u64 {
    let entries = world.machines.len()
        + world.applications.len()
        + 2 * world.units.len()
        + 2 * world.relations.len();
    96 * entries as u64 + 512
}

fn findings(
    checker: &impl Checker<TransitionSystem>,
    stopped: Option<Stop>,
    states: u64,
) -> Vec<Finding> {
    let protocol = checker.model();
    let mut discoveries = checker.discoveries();
    let finding = |number: usize| {
        let found = discoveries.remove(protocol.names[number]);
        let steps = found.map(stateright::Path::into_actions);
        let claim = protocol.claims.get(number).copied();
        let answer = match (&steps, claim, stopped) {
            (None, _, Some(_)) => Answer::Inconclusive,
            (Some(_), Some(_), _) | (None, None, None) => Answer::Violated,
            (Some(_), None, _) | (None, Some(_), None) => Answer::Holds,
        };
        let asked = match claim {
            Some(claim) => Asked::Claim(claim),
            None => Asked::Witness(protocol.witnesses[number - protocol.claims.len()]),
        };
        let trace =
            steps.map(|steps| Trace { subject: None, steps, cycle: Vec::new(), diagnosis: None });
        Finding { asked, answer, subjects: 1, applied: states, trace }
    };
    (0..protocol.properties_asked()).map(finding).collect()
}

/// Serves stateright's Explorer on `address` until the process ends. `describe` says what changed
/// between two states.
pub fn explore(question: &Question<'_>, address: SocketAddr, describe: Describe) {
    TransitionSystem::new(question, describe).checker().serve(address);
}
