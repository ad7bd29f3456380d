//! The closure: all views that come of the first ones by moves of the visible, of those whom all
//! share, and of the hidden.

use std::{hash::Hash, ops::Range, rc::Rc};

use super::{
    Amounts, LocalId, MOST_TYPES, Map, Move, Set, SharedId, StateView, Template, Whose,
    cone::{Cones, Rests},
    sum,
};
use crate::Stop;

/// Why there is no closure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given<E> {
    /// Something is not as a template has to be.
    NoTemplate(E),
    Up(Stop),
}

impl<E> From<E> for Given<E> {
    fn from(error: E) -> Self {
        Self::NoTemplate(error)
    }
}

/// The moves of somebody who finds this shared part, and to whose counts the others add this much.
pub type MovesAt = (Whose, SharedId, Amounts);

/// A set of views that is closed under all moves.
pub struct Closure {
    /// The views, in the order in which they were found.
    pub(super) views: Set<StateView>,
    /// The moves that were asked for.
    pub(super) moves: Map<MovesAt, Rc<[Move]>>,
    /// What any number of processes may add that are visible in views.
    cones: Cones,
    /// The number of pairs of a visible and a hidden process that were looked at.
    pairs: u64,
}

/// What the views of a group have in common: the type of the process that is exchanged, the shared
/// part, and the other visible processes.
type GroupKey = (usize, SharedId, [LocalId; MOST_TYPES]);

/// The views of a group that were expanded.
#[derive(Default)]
struct Group {
    /// The local states of the process that is exchanged, each once.
    locals: Vec<LocalId>,
    /// For each view the local state of that process, and what is hidden.
    members: Set<(LocalId, Amounts)>,
}

/// The group of a view in which the process of this type is exchanged.
pub(super) fn group_of(view: &StateView, of: usize) -> GroupKey {
    let mut locals = view.locals;
    locals[of] = 0;
    (of, view.shared, locals)
}

/// What a move of a hidden process makes of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Effect {
    shared: SharedId,
    adds: Amounts,
    broadcast: Option<u32>,
}

struct ViewSearch<'a, T: Template> {
    template: &'a mut T,
    closure: Closure,
    groups: Map<GroupKey, Group>,
    /// For each shared part how many sums of its cone are in use as what the rest may add. Pairs
    /// that need another one wait until all else is done, and are looked at again then.
    in_use: Map<SharedId, usize>,
    /// What the moves of a hidden process make of a view, each once; none if there are none.
    effects: Map<MovesAt, Option<Rc<[Effect]>>>,
    told: Map<(u32, usize, LocalId), LocalId>,
}

/// The views that come of `first`.
///
/// # Errors
/// If a move is not as a template has to be, there are more than `most` views, or `stop` gives a
/// reason to give up.
pub fn closure<T: Template>(
    template: &mut T,
    first: impl IntoIterator<Item = StateView>,
    most: u64,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<Closure, Given<T::Error>> {
    let (views, moves, cones) = (Set::default(), Map::default(), Cones::default());
    let mut search = ViewSearch {
        template,
        closure: Closure { views, moves, cones, pairs: 0 },
        groups: Map::default(),
        in_use: Map::default(),
        effects: Map::default(),
        told: Map::default(),
    };
    let go_on = |search: &ViewSearch<'_, T>| match stop() {
        Some(stop) => Err(Given::Up(stop)),
        None if search.closure.views.len() as u64 > most => Err(Given::Up(Stop::States)),
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
        if done == search.closure.views.len() && Rule::LookAgain.holds() {
            for (group, sums) in search.grown() {
                go_on(&search)?;
                search.look_again(group, &sums)?;
            }
        }
    }
    Ok(search.closure)
}

/// A rule of the closure, which tests leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Shared,
    Hidden,
    /// Moves of hidden processes matter that change only what these add to counts.
    AddsOnly,
    /// A hidden process may be in the same local state as the visible one.
    EqualPairs,
    /// The rest of the hidden may add any amount that fits.
    EveryRest,
    Broadcast,
    /// Nothing is left of counts that a broadcast clears.
    Clears,
    /// What pairs wait for is looked at again once it is known to be a sum.
    LookAgain,
}

#[cfg(test)]
thread_local! {
    /// The rule that is left out in this thread.
    pub(super) static LEFT_OUT: std::cell::Cell<Option<Rule>> = const { std::cell::Cell::new(None) };
}

impl Rule {
    /// Whether the rule holds: always, but in a test that leaves it out.
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
        if Rule::Shared.holds() {
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
            // Two views of a group are looked at once both are expanded, either way round.
            let sums = 0..self.in_use[&view.shared];
            for other in group.locals.clone() {
                self.beside(view, of, other, sums.clone())?;
            }
        }
        Ok(())
    }

    /// The groups at shared parts whose cones have grown, each with the sums that came to be in use
    /// by that.
    fn grown(&mut self) -> Vec<(GroupKey, Range<usize>)> {
        let mut grown: Map<SharedId, Range<usize>> = Map::default();
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

    /// Looks at the pairs of a group again, where the rest may add one of these sums, too.
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
            // Of two in different local states it is enough to look from one at the other.
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
    ) -> Result<Rc<[Move]>, T::Error> {
        let at = (whose, shared, others);
        if let Some(moves) = self.closure.moves.get(&at) {
            return Ok(moves.clone());
        }
        let moves: Rc<[Move]> = self.template.moves(whose, shared, others)?.into();
        self.closure.moves.insert(at, moves.clone());
        Ok(moves)
    }

    /// What the visible processes add, but for the one of a type.
    fn added(&self, view: &StateView, except: Option<usize>) -> Amounts {
        let all = (0..self.template.types()).filter(|of| Some(*of) != except);
        all.fold([0; _], |counts, of| sum(counts, self.template.adds(of, view.locals[of]), u8::MAX))
    }

    /// Moves of those whom all share: to the counts adds everybody.
    fn shared_actors(&mut self, view: StateView) -> Result<(), T::Error> {
        let all = sum(self.added(&view, None), view.hidden, self.template.bound());
        for it in self.moves(Whose::Shared, view.shared, all)?.iter() {
            let locals = self.told(it.broadcast, view.locals, None)?;
            let hidden = self.left(it.broadcast, view.hidden);
            self.find(StateView { shared: it.shared, locals, hidden });
        }
        Ok(())
    }

    /// Moves of the visible process of a type.
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

    /// Moves of two processes of a type of which one is visible and the other one hidden: the
    /// visible one of a view and one in this local state, for each of these sums that the rest of
    /// the hidden may add so that the view in which they are exchanged is known, too.
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
        let most = if Rule::EveryRest.holds() { usize::MAX } else { 1 };
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
            if !Rule::Hidden.holds() || is_equal && !Rule::EqualPairs.holds() {
                continue;
            }
            self.hidden(view, of, other, rest)?;
            if !is_equal {
                self.hidden(exchanged, of, mine, rest)?;
            }
        }
        Ok(())
    }

    /// Moves of a hidden process beside which the hidden add this much.
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

    /// What the moves of a process make of a view in which it is hidden, each once: those that
    /// change what is shared or what it adds to a count, or tell others. All else is as it was.
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
                    || it.adds != before && Rule::AddsOnly.holds()
                    || it.broadcast.is_some()
            })
            .collect();
        effects.sort_unstable();
        effects.dedup();
        let effects = (!effects.is_empty()).then(|| Rc::from(effects));
        self.effects.insert(at, effects.clone());
        Ok(effects)
    }

    /// What is hidden after a broadcast.
    fn left(&self, broadcast: Option<u32>, mut hidden: Amounts) -> Amounts {
        if let Some(broadcast) = broadcast.filter(|_| Rule::Clears.holds()) {
            let clears = self.template.clears(broadcast);
            (0..hidden.len()).filter(|it| clears[*it] > 0).for_each(|it| hidden[it] = 0);
        }
        hidden
    }

    /// The visible processes after a broadcast, but for the one that makes it.
    fn told(
        &mut self,
        broadcast: Option<u32>,
        mut locals: [LocalId; MOST_TYPES],
        except: Option<usize>,
    ) -> Result<[LocalId; MOST_TYPES], T::Error> {
        let Some(broadcast) = broadcast.filter(|_| Rule::Broadcast.holds()) else {
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
    /// The visible processes, with another one of a type.
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

    /// Whether any number of processes may add this much together, each in a local state that some
    /// view with this shared part shows.
    pub fn is_sum(&self, shared: SharedId, amounts: &Amounts) -> bool {
        self.cones.at(shared).number(amounts).is_some()
    }

    /// The moves that were asked for: whose, at which shared part, and where others add how much.
    pub fn moves(&self) -> impl Iterator<Item = (MovesAt, &[Move])> {
        self.moves.iter().map(|(at, moves)| (*at, &**moves))
    }

    /// The number of times that the protocol was asked for moves.
    pub fn asked(&self) -> usize {
        self.moves.len()
    }

    /// The number of pairs of a visible and a hidden process that were looked at.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }
}
