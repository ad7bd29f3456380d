//! The closure: all views that follow from the first ones by moves of visible processes, of shared
//! actors, and of hidden processes.
//!
//! ```text
//! for view in the views, in the order in which they are found:
//!     add the views after each move of a shared actor, and of a visible process
//!     for each type, and each view of the same group (only the process of that type differs):
//!         for each rest of the hidden that fits both and is in the cone of the shared part:
//!             add the views after each move of one process, while the other one is visible
//!     when no view is left: look again at groups whose cone has grown, for its new sums
//! ```

use std::{hash::Hash, ops::Range, rc::Rc};

use super::{
    Amounts, LocalId, MOST_TYPES, OrderedMap, OrderedSet, SharedId, StateView, Template, ViewMove,
    Whose,
    cone::{Cones, Rests},
    sum,
};
use crate::Stop;

/// A reason why there is no closure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClosure<E> {
    /// A move violates the conditions of a template.
    NoTemplate(E),
    Stopped(Stop),
}

impl<E> From<E> for NoClosure<E> {
    fn from(error: E) -> Self {
        Self::NoTemplate(error)
    }
}

/// The key of a query for moves: the origin, the shared part, and the amounts that others add.
pub type MovesAt = (Whose, SharedId, Amounts);

/// A set of views that is closed under all moves.
pub struct Closure {
    /// The views, in the order in which they were found.
    pub(super) views: OrderedSet<StateView>,
    /// The answers to all queries for moves.
    pub(super) moves: OrderedMap<MovesAt, Rc<[ViewMove]>>,
    /// For each shared part, the sums that processes visible at it can add.
    cones: Cones,
    /// The number of pairs of a visible and a hidden process that were examined.
    pairs: u64,
}

/// The key of a group: the type of the process that is exchanged, the shared part, and the other
/// visible processes (with 0 in the place of the exchanged one).
type GroupKey = (usize, SharedId, [LocalId; MOST_TYPES]);

/// The expanded views that share a `GroupKey`.
#[derive(Default)]
struct ViewGroup {
    /// The distinct local states of the process that is exchanged.
    locals: Vec<LocalId>,
    /// For each view the local state of that process, and the hidden amounts.
    members: OrderedSet<(LocalId, Amounts)>,
}

/// The group of a view in which the process of type `of` is exchanged.
pub(super) fn group_of(view: &StateView, of: usize) -> GroupKey {
    let mut locals = view.locals;
    locals[of] = 0;
    (of, view.shared, locals)
}

/// The effect of a hidden process's move on a view; `adds` are its amounts after the move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Effect {
    shared: SharedId,
    adds: Amounts,
    broadcast: Option<u32>,
}

struct ViewSearch<'a, T: Template> {
    template: &'a mut T,
    closure: Closure,
    groups: OrderedMap<GroupKey, ViewGroup>,
    /// For each shared part the number of sums of its cone that are in use as rests. A pair that
    /// needs a later sum is examined again when all other work is done.
    in_use: OrderedMap<SharedId, usize>,
    /// Cache of `effects`; `None` if the moves of a hidden process have none.
    effects: OrderedMap<MovesAt, Option<Rc<[Effect]>>>,
    told: OrderedMap<(u32, usize, LocalId), LocalId>,
}

/// The closure of the views `first`.
///
/// # Errors
/// If a move violates the conditions of a template, there are more than `most` views, or `stop`
/// returns a reason.
pub fn closure<T: Template>(
    template: &mut T,
    first: impl IntoIterator<Item = StateView>,
    most: u64,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<Closure, NoClosure<T::Error>> {
    let (views, moves, cones) = (OrderedSet::default(), OrderedMap::default(), Cones::default());
    let mut search = ViewSearch {
        template,
        closure: Closure { views, moves, cones, pairs: 0 },
        groups: OrderedMap::default(),
        in_use: OrderedMap::default(),
        effects: OrderedMap::default(),
        told: OrderedMap::default(),
    };
    let go_on = |search: &ViewSearch<'_, T>| match stop() {
        Some(stop) => Err(NoClosure::Stopped(stop)),
        None if search.closure.views.len() as u64 > most => Err(NoClosure::Stopped(Stop::States)),
        None => Ok(()),
    };
    first.into_iter().for_each(|view| search.find(view));
    let mut done = 0;
    while let Some(view) = search.closure.views.get_index(done).copied() {
        if done % 64 == 0 || done + 1 == search.closure.views.len() {
            go_on(&search)?;
        }
        search.expand(view)?;
        done += 1;
        if done == search.closure.views.len() && ClosureRule::LookAgain.holds() {
            for (group, sums) in search.grown() {
                go_on(&search)?;
                search.look_again(group, &sums)?;
            }
        }
    }
    Ok(search.closure)
}

/// A rule of the closure. Tests leave one out to show that it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClosureRule {
    Shared,
    Hidden,
    /// Moves of hidden processes matter that change only the amounts that they add.
    AddsOnly,
    /// A hidden process may be in the same local state as the visible one.
    EqualPairs,
    /// The other hidden processes may add any amount that fits.
    EveryRest,
    Broadcast,
    /// A broadcast sets the hidden amounts of the counts that it clears to zero.
    Clears,
    /// Pairs are examined again when the cone gets a sum that they wait for.
    LookAgain,
}

#[cfg(test)]
thread_local! {
    /// The rule that is left out in this thread.
    pub(super) static LEFT_OUT: std::cell::Cell<Option<ClosureRule>> =
        const { std::cell::Cell::new(None) };
}

impl ClosureRule {
    /// Whether the rule is applied; always, except in a test that leaves it out.
    #[inline]
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "tests ask which it is"))]
    fn holds(self) -> bool {
        #[cfg(test)]
        return LEFT_OUT.get() != Some(self);
        #[cfg(not(test))]
        true
    }
}

impl<T: Template> ViewSearch<'_, T> {
    fn find(&mut self, view: StateView) {
        if self.closure.views.insert(view) {
            self.closure.cones.show(self.template, &view);
            self.in_use.entry(view.shared).or_insert(1);
        }
    }

    fn expand(&mut self, view: StateView) -> Result<(), T::Error> {
        if ClosureRule::Shared.holds() {
            self.shared_actors(view)?;
        }
        for of in 0..self.template.types() {
            self.visible(view, of)?;
        }
        for of in 0..self.template.types() {
            let key = group_of(&view, of);
            let group = self.groups.entry(key).or_default();
            let mine = view.locals[of];
            if !group.locals.contains(&mine) {
                group.locals.push(mine);
            }
            group.members.insert((mine, view.hidden));
            // The later of two views of a group finds the earlier one here, for both directions.
            let sums = 0..self.in_use[&view.shared];
            for other in group.locals.clone() {
                self.beside(view, of, other, sums.clone())?;
            }
        }
        Ok(())
    }

    /// The groups at shared parts whose cones have grown, each with the range of new sums, which
    /// are in use from now on.
    fn grown(&mut self) -> Vec<(GroupKey, Range<usize>)> {
        let mut grown: OrderedMap<SharedId, Range<usize>> = OrderedMap::default();
        for (shared, in_use) in &mut self.in_use {
            let all = self.closure.cones.at(*shared).len();
            if *in_use < all {
                grown.insert(*shared, *in_use..all);
                *in_use = all;
            }
        }
        let groups = self.groups.keys();
        groups.filter_map(|group| Some((*group, grown.get(&group.1)?.clone()))).collect()
    }

    /// Examines the pairs of a group again, with these sums as rests.
    fn look_again(
        &mut self,
        (of, shared, locals): GroupKey,
        sums: &Range<usize>,
    ) -> Result<(), T::Error> {
        let group = &self.groups[&(of, shared, locals)];
        let (members, others) = (group.members.clone(), group.locals.clone());
        for (mine, hidden) in members {
            let mut view = StateView { shared, locals, hidden };
            view.locals[of] = mine;
            // A pair of different local states is examined once, as `beside` does both directions.
            for other in others.iter().filter(|other| **other >= mine) {
                self.beside(view, of, *other, sums.clone())?;
            }
        }
        Ok(())
    }

    fn moves(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Amounts,
    ) -> Result<Rc<[ViewMove]>, T::Error> {
        let at = (whose, shared, others);
        if let Some(moves) = self.closure.moves.get(&at) {
            return Ok(moves.clone());
        }
        let moves: Rc<[ViewMove]> = self.template.moves(whose, shared, others)?.into();
        self.closure.moves.insert(at, moves.clone());
        Ok(moves)
    }

    /// The amounts that the visible processes add, without the one of type `except`.
    fn added(&self, view: &StateView, except: Option<usize>) -> Amounts {
        let all = (0..self.template.types()).filter(|of| Some(*of) != except);
        all.fold([0; _], |counts, of| sum(counts, self.template.adds(of, view.locals[of]), u8::MAX))
    }

    /// Adds the views after moves of shared actors. For these all processes are others.
    fn shared_actors(&mut self, view: StateView) -> Result<(), T::Error> {
        let all = sum(self.added(&view, None), view.hidden, self.template.bound());
        for it in self.moves(Whose::Shared, view.shared, all)?.iter() {
            let locals = self.told(it.broadcast, view.locals, None)?;
            let hidden = self.left(it.broadcast, view.hidden);
            self.find(StateView { shared: it.shared, locals, hidden });
        }
        Ok(())
    }

    /// Adds the views after moves of the visible process of type `of`.
    fn visible(&mut self, view: StateView, of: usize) -> Result<(), T::Error> {
        let others = sum(self.added(&view, Some(of)), view.hidden, self.template.bound());
        let whose = Whose::Process(of, view.locals[of]);
        for it in self.moves(whose, view.shared, others)?.iter() {
            let mut locals = self.told(it.broadcast, view.locals, Some(of))?;
            locals[of] = it.local;
            let hidden = self.left(it.broadcast, view.hidden);
            self.find(StateView { shared: it.shared, locals, hidden });
        }
        Ok(())
    }

    /// Adds the views after moves of two processes of type `of`, one visible and one hidden: the
    /// visible one of `view` and one in local state `other`. The rest of the hidden adds one of the
    /// cone's sums in `sums`, and the view in which the two are exchanged must be known, too.
    fn beside(
        &mut self,
        view: StateView,
        of: usize,
        other: LocalId,
        sums: Range<usize>,
    ) -> Result<(), T::Error> {
        let mine = view.locals[of];
        let [mine_adds, other_adds] = [mine, other].map(|it| self.template.adds(of, it));
        let bound = self.template.bound();
        let Some(rests) = Rests::of(&[(other_adds, view.hidden)], self.template) else {
            return Ok(());
        };
        let most = if ClosureRule::EveryRest.holds() { usize::MAX } else { 1 };
        for rest in rests.take(most) {
            let number = self.closure.cones.at(view.shared).number(&rest);
            if !number.is_some_and(|number| sums.contains(&number)) {
                continue;
            }
            let hidden = sum(rest, mine_adds, bound);
            let exchanged = StateView { locals: view.with(of, other), hidden, ..view };
            if !self.groups[&group_of(&view, of)].members.contains(&(other, hidden)) {
                continue;
            }
            let is_equal = exchanged == view;
            if !ClosureRule::Hidden.holds() || is_equal && !ClosureRule::EqualPairs.holds() {
                continue;
            }
            self.hidden(view, of, other, rest)?;
            if !is_equal {
                self.hidden(exchanged, of, mine, rest)?;
            }
        }
        Ok(())
    }

    /// Adds the views after moves of a hidden process `mover`; the other hidden ones add `rest`.
    fn hidden(
        &mut self,
        view: StateView,
        of: usize,
        mover: LocalId,
        rest: Amounts,
    ) -> Result<(), T::Error> {
        self.closure.pairs += 1;
        let bound = self.template.bound();
        let others = sum(rest, self.added(&view, None), bound);
        let Some(effects) = self.effects(of, mover, view.shared, others)? else { return Ok(()) };
        for effect in effects.iter() {
            let locals = self.told(effect.broadcast, view.locals, None)?;
            let hidden = sum(self.left(effect.broadcast, rest), effect.adds, bound);
            self.find(StateView { shared: effect.shared, locals, hidden });
        }
        Ok(())
    }

    /// The distinct effects of a hidden process's moves: those that change the shared part or the
    /// amounts that it adds, or that broadcast. All other moves leave the view as it is.
    fn effects(
        &mut self,
        of: usize,
        mover: LocalId,
        shared: SharedId,
        others: Amounts,
    ) -> Result<Option<Rc<[Effect]>>, T::Error> {
        let at = (Whose::Process(of, mover), shared, others);
        if let Some(effects) = self.effects.get(&at) {
            return Ok(effects.clone());
        }
        let before = self.template.adds(of, mover);
        let made = self.moves(at.0, shared, others)?;
        let mut effects: Vec<Effect> = made
            .iter()
            .map(|it| Effect {
                shared: it.shared,
                adds: self.template.adds(of, it.local),
                broadcast: it.broadcast,
            })
            .filter(|it| {
                it.shared != shared
                    || it.adds != before && ClosureRule::AddsOnly.holds()
                    || it.broadcast.is_some()
            })
            .collect();
        effects.sort_unstable();
        effects.dedup();
        let effects = (!effects.is_empty()).then(|| Rc::from(effects));
        self.effects.insert(at, effects.clone());
        Ok(effects)
    }

    /// The hidden amounts after a broadcast.
    fn left(&self, broadcast: Option<u32>, mut hidden: Amounts) -> Amounts {
        if let Some(broadcast) = broadcast.filter(|_| ClosureRule::Clears.holds()) {
            let clears = self.template.clears(broadcast);
            (0..hidden.len()).filter(|it| clears[*it] > 0).for_each(|it| hidden[it] = 0);
        }
        hidden
    }

    /// The visible processes after a broadcast, which the one of type `except` makes itself.
    fn told(
        &mut self,
        broadcast: Option<u32>,
        mut locals: [LocalId; MOST_TYPES],
        except: Option<usize>,
    ) -> Result<[LocalId; MOST_TYPES], T::Error> {
        let Some(broadcast) = broadcast.filter(|_| ClosureRule::Broadcast.holds()) else {
            return Ok(locals);
        };
        for of in (0..self.template.types()).filter(|of| Some(*of) != except) {
            let at = (broadcast, of, locals[of]);
            let known = self.told.get(&at).copied();
            let told = match known {
                Some(told) => told,
                None => self.template.told(broadcast, of, locals[of])?,
            };
            self.told.insert(at, told);
            locals[of] = told;
        }
        Ok(locals)
    }
}

impl StateView {
    /// The visible processes, with `local` in the place of the one of type `of`.
    fn with(&self, of: usize, local: LocalId) -> [LocalId; MOST_TYPES] {
        let mut locals = self.locals;
        locals[of] = local;
        locals
    }
}

impl Closure {
    pub fn views(&self) -> impl ExactSizeIterator<Item = &StateView> {
        self.views.iter()
    }

    /// Whether this is one of the views.
    pub fn has(&self, view: &StateView) -> bool {
        self.views.contains(view)
    }

    /// Whether `amounts` is a sum of any number of processes, each in a local state that some view
    /// with this shared part shows.
    pub fn is_sum(&self, shared: SharedId, amounts: &Amounts) -> bool {
        self.cones.at(shared).number(amounts).is_some()
    }

    /// All queries for moves, with their answers.
    pub fn moves(&self) -> impl Iterator<Item = (MovesAt, &[ViewMove])> {
        self.moves.iter().map(|(at, moves)| (*at, &**moves))
    }

    /// The number of queries to the template for moves.
    pub fn asked(&self) -> usize {
        self.moves.len()
    }

    /// The number of pairs of a visible and a hidden process that were examined.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }
}
