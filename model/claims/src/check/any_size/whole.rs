//! Whole states behind views, for a second closure that uses no table of moves: a process beside
//! the visible one of its type, and their successors by the protocol.

use deathwatch_checker::views::{Amounts, LocalId, MOST_COUNTS, StateView, Template as _};
use deathwatch_model::{
    action::Action, agents, free_ids::Scan, protocol, state::State, table::Argument, world::World,
};

use super::{NoTemplate, Views, counts::CountOf};

/// A view with a hidden process beside the visible one of its type.
#[derive(Clone, Copy, Debug)]
pub struct TwoProcessView {
    view: StateView,
    of: usize,
    other: LocalId,
    /// The amounts that the rest of the hidden processes add.
    rest: Amounts,
}

impl Views {
    /// Every view with every process that may be hidden in it, and every sum that the rest of the
    /// hidden may then add.
    pub fn all_beside(&self) -> Vec<TwoProcessView> {
        let mut all = Vec::new();
        let (protocol, bound) = (&self.protocol, self.protocol.bound);
        let plus = |one: Amounts, other: Amounts| -> Amounts {
            std::array::from_fn(|count| (one[count] + other[count]).min(bound))
        };
        let rests = every_amount(protocol.counts(), bound);
        for view in self.closure.views() {
            for of in 0..protocol.types() {
                let mine = protocol.adds(of, view.locals[of]);
                for (other, adds) in (0..).zip(&protocol.adds[of]) {
                    let fits = |rest: &&Amounts| {
                        let mut exchanged = StateView { hidden: plus(**rest, mine), ..*view };
                        exchanged.locals[of] = other;
                        plus(**rest, *adds) == view.hidden
                            && self.closure.is_sum(view.shared, rest)
                            && self.has(&exchanged)
                    };
                    let rests = rests.iter().filter(fits).copied();
                    all.extend(rests.map(|rest| TwoProcessView { view: *view, of, other, rest }));
                }
            }
        }
        all
    }

    /// The world of these states.
    pub fn world_beside(&self) -> &World {
        self.protocol.world()
    }

    /// The state of a view with a process beside it. `None` if two would have the same transaction
    /// pending.
    pub fn state_beside(&self, beside: &TwoProcessView) -> Option<State> {
        let TwoProcessView { view, of, other, rest } = *beside;
        let types = 0..self.protocol.types();
        let mut processes: Vec<_> = types.map(|of| (of, view.locals[of], 0)).collect();
        processes.push((of, other, 1));
        let mut adds = [0; MOST_COUNTS];
        for (of, local, _) in &processes {
            let more = self.protocol.adds(*of, *local);
            (0..MOST_COUNTS).for_each(|count| adds[count] += more[count]);
        }
        let is_possible = self.protocol.is_possible(view.shared, adds, rest);
        is_possible.then(|| self.protocol.state_with(view.shared, &processes, rest, 0))
    }

    /// The actions in such a state, except those that continue a hidden process's transaction, and
    /// those about a unit of which only its life is known.
    pub fn enabled_beside(&self, beside: &TwoProcessView, state: &State) -> Vec<Action> {
        let world = self.world_beside();
        let (mut actions, mut hidden) = (Vec::new(), Vec::new());
        protocol::enabled(world, state, &mut actions);
        let held = self.protocol.pointers().zip(&self.protocol.stage.pointers);
        for (_, pointer) in held.filter(|(count, _)| beside.rest[*count] > 0) {
            let parts = agents::actors(world).flat_map(|actor| agents::parts(world, actor));
            for part in parts.filter(|part| pointer.goes_on_by(*part)) {
                let plans = &mut Vec::new();
                agents::enabled_for_part(world, state, part, &Scan, &mut hidden, plans);
            }
        }
        let counted = self.protocol.counted.iter();
        let alive = counted.filter_map(|it| match it {
            CountOf::Alive(id) => self.protocol.stage.hidden_unit(*id),
            _ => None,
        });
        let alive: Vec<Argument> = alive.map(Argument::Unit).collect();
        actions.retain(|action| {
            let mut named = action.act.verb().1.into_iter().flatten();
            !hidden.contains(action) && !named.any(|it| alive.contains(&it))
        });
        actions
    }

    /// The views of a successor of such a state that show either process of the type.
    ///
    /// # Errors
    /// If there are too many local states.
    pub fn views_beside(
        &mut self,
        beside: &TwoProcessView,
        state: &State,
    ) -> Result<[StateView; 2], NoTemplate> {
        let instance = self.protocol.stage.instance.clone();
        let mut shown = vec![0; self.protocol.types()];
        let first = self.protocol.view_of(&instance, state, &shown)?;
        shown[beside.of] = 1;
        Ok([first, self.protocol.view_of(&instance, state, &shown)?])
    }
}

/// Every amount of each count up to a bound.
fn every_amount(counts: usize, bound: u8) -> Vec<Amounts> {
    let mut all: Vec<Amounts> = vec![[0; MOST_COUNTS]];
    for count in 0..counts {
        let with = |amounts: &Amounts| {
            let amounts = *amounts;
            (0..=bound).map(move |number| {
                let mut amounts = amounts;
                amounts[count] = number;
                amounts
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}
