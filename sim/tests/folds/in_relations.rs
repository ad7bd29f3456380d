//! The definition of each field of a unit's history in a relation.

use deathwatch_model::{
    action::{Hook, HookKind},
    history::RelationHistory,
    ids::{IdSet, RelationId, UnitId},
};

use super::{
    by_definition::{Past, begins, begins_as, is_new, succeeds_as},
    happened::Happened::{self, *},
};

/// A unit in a relation, and another unit that it can see there.
#[derive(Clone, Copy)]
struct UnitPair {
    me: UnitId,
    relation: RelationId,
    other: UnitId,
}

impl UnitPair {
    fn enters(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == Enters(self.other, self.relation)
    }

    fn leaves(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == Leaves(self.other, self.relation)
    }

    fn i_leave(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == Leaves(self.me, self.relation)
    }

    fn begins(self, hook: fn(UnitId, RelationId) -> Hook) -> impl Fn(Happened) -> bool + Copy {
        let hook = hook(self.other, self.relation);
        move |it| it == Begins(self.me, hook)
    }

    fn changes(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == Changes(self.other, self.relation)
    }

    /// Whether the joined hook for the other unit has begun, and nothing has undone that since
    /// (D4).
    fn joined(self, past: Past<'_>) -> bool {
        let (departs, leaves, i_leave) =
            (self.begins(Hook::Departed), self.leaves(), self.i_leave());
        let is_late = self.begins_late();
        past.since(self.begins(Hook::Joined), move |it| {
            departs(it) || leaves(it) || i_leave(it) || is_late(it)
        })
    }

    fn begins_late(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == BeginsLate(self.me, self.other, self.relation)
    }

    fn not_departed(self, past: Past<'_>) -> bool {
        let (departs, i_leave) = (self.begins(Hook::Departed), self.i_leave());
        let is_over = |it| departs(it) || i_leave(it);
        past.since(self.begins_late(), is_over)
            || past
                .all(self.leaves())
                .any(|at| self.joined(past.until(at)) && !past.after(at, is_over))
    }

    fn not_rejoined(self, past: Past<'_>) -> bool {
        let (joins, leaves, i_leave) = (self.begins(Hook::Joined), self.leaves(), self.i_leave());
        past.all(self.enters()).any(|at| {
            self.not_departed(past.until(at))
                && !past.after(at, |it| joins(it) || leaves(it) || i_leave(it))
        })
    }

    fn unheard(self, past: Past<'_>) -> bool {
        let (hears, departs) = (self.begins(Hook::Changed), self.begins(Hook::Departed));
        let (leaves, i_leave) = (self.leaves(), self.i_leave());
        past.all(self.changes()).any(|at| {
            let is_over = |it| hears(it) || departs(it) || leaves(it) || i_leave(it);
            self.joined(past.until(at)) && !past.after(at, is_over)
        })
    }

    fn given(self, past: Past<'_>) -> bool {
        let (me, i_leave) = (self.me, self.i_leave());
        let ends = move |it| succeeds_as(me, |_| true)(it) || it == Fails(me);
        let is_over = move |it| begins(me)(it) || ends(it) || i_leave(it);
        past.since(move |it| it == Reads(self.me, self.other, self.relation), is_over)
    }

    /// The indices at which hooks of these kinds for the other unit began (D5).
    fn begun(self, past: Past<'_>, is: fn(Hook) -> bool) -> Vec<usize> {
        let Self { me, relation, other } = self;
        let own = past.all(begins_as(me, is));
        let is_about = |at: &usize| match past.happened[*at] {
            Begins(_, hook) => {
                let others = past.happened[at + 1..].iter().map_while(|it| match it {
                    BeginsFor(_, other, relation) => Some((*other, *relation)),
                    _ => None,
                });
                let mut all = hook.other().zip(hook.relation()).into_iter().chain(others);
                all.any(|it| it == (other, relation))
            }
            _ => false,
        };
        own.filter(is_about).collect()
    }

    /// The hooks of these kinds for the other unit that succeeded: the indices of their beginning
    /// and of their success.
    fn succeeded(self, past: Past<'_>, is: fn(Hook) -> bool) -> Vec<(usize, usize)> {
        let me = self.me;
        let is_over = move |it| {
            let ends = succeeds_as(me, |_| true)(it) || it == IsCutShort(me);
            ends || begins(me)(it) || is_new(me)(it)
        };
        let end =
            |begun: usize| (begun + 1..past.happened.len()).find(|at| is_over(past.happened[*at]));
        let is_success = |at: &usize| succeeds_as(me, is)(past.happened[*at]);
        let begun = self.begun(past, is).into_iter();
        begun.filter_map(|at| Some((at, end(at).filter(is_success)?))).collect()
    }

    /// Whether the event makes the charm forget everything before it (D5).
    fn is_over(self) -> impl Fn(Happened) -> bool + Copy {
        let Self { me, relation, .. } = self;
        move |it| it == Succeeds(me, Hook::Broken(relation)) || it == IsDeployed(me)
    }

    fn has_departed(self) -> impl Fn(Happened) -> bool + Copy {
        move |it| it == Succeeds(self.me, Hook::Departed(self.other, self.relation))
    }

    fn told_stays(self, past: Past<'_>) -> bool {
        let (enters, departed, is_over) = (self.enters(), self.has_departed(), self.is_over());
        self.succeeded(past, is_joined).into_iter().any(|(begun, succeeded)| {
            !past.after(begun, enters) && !past.after(succeeded, |it| departed(it) || is_over(it))
        })
    }

    fn told_and_left(self, past: Past<'_>) -> bool {
        let (departed, is_over) = (self.has_departed(), self.is_over());
        self.succeeded(past, is_joined).into_iter().any(|(begun, succeeded)| {
            self.has_left_since(past, begun)
                && !past.after(succeeded, |it| departed(it) || is_over(it))
        })
    }

    /// Whether the other unit's stay in the scope at the index `at` has ended.
    fn has_left_since(self, past: Past<'_>, at: usize) -> bool {
        let (enters, leaves) = (self.enters(), self.leaves());
        let next = past.happened[at + 1..].iter().find(|it| enters(**it) || leaves(**it));
        next.is_some_and(|it| leaves(*it))
    }

    /// The index at which the running hook began, if it is for the other unit and of this kind.
    fn runs(self, past: Past<'_>, is: fn(Hook) -> bool) -> Option<usize> {
        let me = self.me;
        let is_over = move |it| {
            let ends = succeeds_as(me, |_| true)(it) || it == IsCutShort(me);
            ends || begins(me)(it) || it == IsDeployed(me)
        };
        self.begun(past, is).pop().filter(|at| !past.after(*at, is_over))
    }

    fn telling(self, past: Past<'_>) -> bool {
        self.runs(past, is_joined).is_some_and(|at| !past.after(at, self.enters()))
    }

    fn telling_left(self, past: Past<'_>) -> bool {
        self.runs(past, is_joined).is_some_and(|at| self.has_left_since(past, at))
    }

    fn reads(self, past: Past<'_>) -> bool {
        self.runs(past, reads).is_some_and(|at| !past.after(at, self.changes()))
    }

    fn unread(self, past: Past<'_>) -> bool {
        let (changes, leaves) = (self.changes(), self.leaves());
        let (departed, is_over) = (self.has_departed(), self.is_over());
        let read = self.succeeded(past, reads);
        past.all(changes).any(|at| {
            let before = past.until(at);
            let is_read = |(begun, succeeded): &(usize, usize)| {
                *succeeded > at && !past.until(*succeeded).after(*begun, changes)
            };
            (self.told_stays(before) || self.telling(before))
                && !read.iter().any(is_read)
                && !past.after(at, |it| leaves(it) || departed(it) || is_over(it))
        })
    }
}

fn is_joined(hook: Hook) -> bool {
    matches!(hook, Hook::Joined(..))
}

/// Whether a hook reads the settings of the unit that it is about.
fn reads(hook: Hook) -> bool {
    matches!(hook, Hook::Joined(..) | Hook::Changed(..))
}

/// The row of a unit in a relation.
pub(super) fn relation(past: Past<'_>, relation: RelationId, me: UnitId) -> RelationHistory {
    let (world, detail) = (past.world, past.world.detail);
    let pair = |other| UnitPair { me, relation, other };
    let units = |is: fn(UnitPair, Past<'_>) -> bool| -> IdSet<UnitId> {
        let seen = world.unit_ids().filter(|it| {
            *it != me
                && world.relations_of(*it).contains(&relation)
                && world.can_see(me, relation, *it)
        });
        seen.filter(|other| is(pair(*other), past)).collect()
    };
    let mut row = RelationHistory::default();
    if detail.workflow {
        let is_sent = pair(me).is_over();
        row.unsent = past.since(
            move |it| it == Writes(me, relation),
            move |it| it == Changes(me, relation) || is_sent(it),
        );
        row.telling = units(UnitPair::telling);
        row.telling_left = units(UnitPair::telling_left);
        row.told_stays = units(UnitPair::told_stays);
        row.told_and_left = units(UnitPair::told_and_left);
        row.reads = units(UnitPair::reads);
        row.unread = units(UnitPair::unread);
        let last = |is: fn(Hook) -> bool| {
            let at =
                past.last(begins_as(me, move |hook| is(hook) && hook.relation() == Some(relation)));
            at.filter(|at| !past.after(*at, pair(me).is_over()))
        };
        let all_of = |at: usize| {
            world.unit_ids().filter(move |other| pair(*other).begun(past, |_| true).contains(&at))
        };
        row.joined_again = last(is_joined)
            .is_some_and(|at| all_of(at).any(|other| pair(other).told_stays(past.until(at))));
        row.departed_untold = last(|hook| matches!(hook, Hook::Departed(..))).is_some_and(|at| {
            let (before, mut all) = (past.until(at), all_of(at).map(pair));
            all.any(|it| !it.told_stays(before) && !it.told_and_left(before))
        });
    }
    if detail.relations {
        row.joined = units(UnitPair::joined);
        row.not_departed = units(UnitPair::not_departed);
        row.not_rejoined = units(UnitPair::not_rejoined);
        row.unheard = units(UnitPair::unheard);
        let breaks = move |it| it == Begins(me, Hook::Broken(relation));
        let i_leave = pair(me).i_leave();
        let has_broken =
            move |past: Past<'_>| past.since(breaks, |it| i_leave(it) || it == IsRetried(me));
        row.broken = has_broken(past);
        row.broken_again = past.all(breaks).any(|at| has_broken(past.until(at)));
        let knows = |past: Past<'_>| {
            let mut all = world.unit_ids().map(pair);
            all.any(|it| it.joined(past) || it.not_departed(past))
        };
        row.left_unparted = world.charm_of(me).has(HookKind::Departed)
            && past.all(|it| it == LeavesByItself(me, relation)).any(|at| knows(past.until(at)));
    }
    if detail.settings {
        let mut given = units(UnitPair::given);
        if pair(me).given(past) {
            given.insert(me);
        }
        row.given = given;
        // A unit that leaves the scope is not missing any writes in it.
        let i_leave = pair(me).i_leave();
        let is_there = move |it| it == Changes(me, relation) || it == IsDeployed(me) || i_leave(it);
        let succeeds = succeeds_as(me, |_| true);
        let buffered = move |past: Past<'_>| {
            past.since(
                |it| it == Writes(me, relation),
                |it| is_there(it) || begins(me)(it) || succeeds(it) || it == Fails(me),
            )
        };
        row.buffered = buffered(past);
        row.writes_missing =
            past.all(succeeds).any(|at| buffered(past.until(at)) && !past.after(at, is_there));
    }
    row
}
