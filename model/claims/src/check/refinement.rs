//! Refinement: whether a world keeps to its outline, the same world without its details.
//!
//! The image of a state is the state of the outline in which its details are hidden. Each step must
//! leave the image as it is, or lead to an image to which the outline has a step, by any actor.
//! Then every run is, with its details hidden, a run of the outline; so claims that always hold
//! there hold here. States are compared whole.
//!
//! The search uses a [`Follower`], which lists the successors in the outline once for each state. A
//! departure that is shown is judged again by [`Refinement::departure`], which remembers nothing.

use std::borrow::Cow;

use deathwatch_model::{
    action::Action,
    agents,
    free_ids::Scan,
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    world::World,
};

use crate::check::CheckQuestion;

/// The demand that every run of a world is a run of its outline.
#[derive(Clone, Debug)]
pub struct Refinement<'a> {
    world: Cow<'a, World>,
    outline: Cow<'a, World>,
    hide: fn(&World, &State) -> State,
}

/// A step that the outline does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The state of the outline before the step.
    pub before: State,
    /// The state of the outline that the step leads to.
    pub after: State,
    /// The action of the outline that comes nearest to the step, with the state that it leads to;
    /// `None` if the outline has no step there, or if it is the start that differs.
    pub nearest: Option<(Action, State)>,
}

impl<'a> Refinement<'a> {
    /// The question whether `world` keeps to its outline.
    pub fn of(world: &'a World) -> Self {
        Self::against(world, Cow::Owned(world.outline()), World::hide)
    }

    /// The question whether `world` keeps to another outline, or to one by another function `hide`.
    pub fn against(
        world: &'a World,
        outline: Cow<'a, World>,
        hide: fn(&World, &State) -> State,
    ) -> Self {
        Self { world: Cow::Borrowed(world), outline, hide }
    }

    /// The same question, with worlds of its own.
    pub fn into_owned(self) -> Refinement<'static> {
        let Self { world, outline, hide } = self;
        let [world, outline] = [world, outline].map(|it| Cow::Owned(it.into_owned()));
        Refinement { world, outline, hide }
    }

    /// The world without details.
    pub fn outline(&self) -> &World {
        &self.outline
    }

    /// The image of `state`: the state of the outline that it stands for.
    pub fn hide(&self, state: &State) -> State {
        (self.hide)(&self.world, state)
    }

    /// The departure of a step from `before` to `after`; `None` if the outline has the step or does
    /// not see it. `action` is the step itself, which the outline may take, too: a script may take
    /// one that no actor has to take.
    pub fn departure(&self, before: &State, action: Action, after: &State) -> Option<Departure> {
        let (before, after) = (self.hide(before), self.hide(after));
        if before == after {
            return None;
        }
        let mut actions = Vec::new();
        protocol::enabled(&self.outline, &before, &mut actions);
        actions.push(action);
        let steps = actions.into_iter().map(|action| {
            let mut state = before.clone();
            protocol::step(&self.outline, &mut state, action, &mut Effects::default());
            (action, state)
        });
        let steps: Vec<(Action, State)> = steps.filter(|(_, state)| *state != before).collect();
        if steps.iter().any(|(_, state)| *state == after) {
            return None;
        }
        let rows = |state: &State| self.rows_that_differ(state, &after);
        let nearest = steps.into_iter().min_by_key(|(_, state)| rows(state));
        Some(Departure { before, after, nearest })
    }

    fn rows_that_differ(&self, one: &State, other: &State) -> usize {
        let rows = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(&self.outline));
        rows.filter(|row| !one.is_same(*row, other)).count()
    }
}

/// The outline, followed by one worker from state to state.
#[derive(Default)]
pub(super) struct Follower {
    /// The image of the present state.
    present: Option<State>,
    /// The successors of the image in the outline, once they are listed.
    next: Option<Vec<State>>,
    actions: Vec<Action>,
}

impl Follower {
    /// Goes to `state`, if refinement is asked. The successors of the last image are dropped: one
    /// neighbour in fifty has the same image, and a look for those would take longer than to list
    /// its successors again.
    pub(super) fn go_to(&mut self, question: &CheckQuestion<'_>, state: &State) {
        let Some(refinement) = &question.refines else { return };
        self.present = Some(refinement.hide(state));
        self.next = None;
    }

    /// Whether the outline lacks a step from the present state; `false` if refinement is not asked.
    /// If `is_sampled`, the step is judged the long way as well.
    pub(super) fn departs(
        &mut self,
        question: &CheckQuestion<'_>,
        action: Action,
        [before, after]: [&State; 2],
        is_sampled: bool,
    ) -> bool {
        let Some(refinement) = &question.refines else { return false };
        let can_follow = self.can_follow(refinement, after);
        if is_sampled {
            let departs = refinement.departure(before, action, after).is_some();
            assert_eq!(can_follow, !departs, "what the outline can do is forgotten at {action:?}");
        }
        !can_follow
    }

    /// Whether a step from the present state keeps the image, or the outline has it, too.
    fn can_follow(&mut self, refinement: &Refinement<'_>, after: &State) -> bool {
        let Self { present, next, actions } = self;
        let present = present.as_ref().expect("it was gone to before steps are taken from it");
        let after = refinement.hide(after);
        let successors = || successors(refinement.outline(), present, actions);
        after == *present || next.get_or_insert_with(successors).contains(&after)
    }
}

/// The states to which `outline` has a step from `state`.
fn successors(outline: &World, state: &State, actions: &mut Vec<Action>) -> Vec<State> {
    actions.clear();
    let mut plans = Vec::new();
    for actor in agents::actors(outline) {
        agents::enabled_with_plans(outline, state, actor, actions, &mut plans);
    }
    let mut effects = Effects::default();
    let steps = actions.iter().zip(plans).map(|(action, planned)| {
        let mut next = state.clone();
        protocol::step_as_planned(outline, &mut next, *action, planned, &Scan, &mut effects);
        next
    });
    steps.collect()
}
