//! The protocol as a stateright model.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use deathwatch_claims::{
    ClaimKind,
    check::{CheckQuestion, Departure, FindingSubject, Refinement},
};
use deathwatch_model::{
    action::Action,
    clause::Clauses,
    free_ids::Scan,
    protocol::{self, Effects},
    state::State,
    world::World,
};
use stateright::{Model, Property};

/// The protocol in a world, and some of what is asked of it.
pub(crate) struct ProtocolModel {
    pub(crate) world: World,
    start: State,
    /// The questions, at most [`MOST_ASKED`], each with its name. stateright wants names that live
    /// for ever; there are few and they are short.
    asked: Vec<(FindingSubject, &'static str)>,
    refines: Option<Refinement<'static>>,
    /// Once this is set, nothing is enabled any more.
    pub(crate) stopped: Arc<AtomicBool>,
}

/// The part of `question` that stateright can decide: the claims about states, then the witnesses,
/// then whether the world keeps to its outline.
pub(crate) fn askable(question: &CheckQuestion<'_>) -> Vec<(FindingSubject, &'static str)> {
    let claims = question.claims.iter().copied();
    let claims =
        claims.filter(|claim| matches!(claim.kind(), ClaimKind::Always | ClaimKind::Reachable));
    let claims = claims.map(|claim| (FindingSubject::Claim(claim), claim.name));
    let witnesses = question.witnesses.iter().copied();
    let witnesses =
        witnesses.map(|clause| (FindingSubject::Witness(clause), &*clause.to_string().leak()));
    let refines =
        question.refines.as_ref().map(|_| (FindingSubject::Refinement, "it keeps to its outline"));
    claims.chain(witnesses).chain(refines).collect()
}

impl ProtocolModel {
    pub(crate) fn new(
        question: &CheckQuestion<'_>,
        asked: &[(FindingSubject, &'static str)],
    ) -> Self {
        assert!(asked.len() <= MOST_ASKED, "each property has a function");
        Self {
            world: question.world.clone(),
            start: question.start.clone(),
            asked: asked.to_vec(),
            refines: question.refines.clone().map(Refinement::into_owned),
            stopped: Arc::default(),
        }
    }

    pub(crate) fn asked(&self) -> &[(FindingSubject, &'static str)] {
        &self.asked
    }

    /// Whether what was asked as number `number` is so in `state`.
    fn judge(&self, number: usize, state: &State) -> bool {
        match self.asked[number].0 {
            FindingSubject::Claim(claim) => {
                let decides = claim.first(&self.world, state).is_some();
                decides == (claim.kind() == ClaimKind::Reachable)
            }
            FindingSubject::Witness(clause) => {
                self.steps(state).any(|(_, _, clauses)| clauses.contains(clause))
            }
            FindingSubject::Refinement => self.departure(state).is_none(),
        }
    }

    /// The first action by which the world leaves its outline, and how.
    pub(crate) fn departure(&self, state: &State) -> Option<(Action, Departure)> {
        let refinement = self.refines.as_ref()?;
        self.steps(state).find_map(|(action, after, _)| {
            Some((action, refinement.departure(state, action, &after)?))
        })
    }

    /// Every action that changes something, the state after it, and the clauses it carried out.
    fn steps(&self, state: &State) -> impl Iterator<Item = (Action, State, Clauses)> {
        let (mut actions, mut effects) = (Vec::new(), Effects::default());
        protocol::enabled(&self.world, state, &mut actions);
        actions.into_iter().filter_map(move |action| {
            let mut next = state.clone();
            protocol::step_as_planned(&self.world, &mut next, action, None, &Scan, &mut effects);
            let mut clauses = Clauses::default();
            effects.clauses.iter().for_each(|clause| clauses.insert(*clause));
            (next != *state).then_some((action, next, clauses))
        })
    }
}

/// A property's condition is a plain function, so its number has to be part of its type.
fn judge<const NUMBER: usize>(protocol: &ProtocolModel, state: &State) -> bool {
    protocol.judge(NUMBER, state)
}

macro_rules! judges {
    ($($number:literal)*) => { [$(judge::<$number>),*] };
}

type PropertyCondition = fn(&ProtocolModel, &State) -> bool;

/// The greatest number of questions in one search, as each has a function of its own. More take
/// several searches.
pub(crate) const MOST_ASKED: usize = 128;

const JUDGES: [PropertyCondition; MOST_ASKED] = judges!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
    96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120
    121 122 123 124 125 126 127
);

impl Model for ProtocolModel {
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
        let effects = &mut Effects::default();
        protocol::step_as_planned(&self.world, &mut next, action, None, &Scan, effects);
        (next != *state).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let asked = self.asked.iter().zip(JUDGES).map(|((asked, name), judge)| match asked {
            FindingSubject::Claim(claim) if claim.kind() != ClaimKind::Reachable => {
                Property::always(name, judge)
            }
            FindingSubject::Refinement => Property::always(name, judge),
            FindingSubject::Claim(_) | FindingSubject::Witness(_) => {
                Property::sometimes(name, judge)
            }
        });
        // stateright stops when every property is decided; this one never is, so it goes on.
        asked.chain([Property::always("the exploration goes on", |_, _| true)]).collect()
    }
}
