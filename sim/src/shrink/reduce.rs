//! The reductions, in a fixed order and again and again, until none of them gets anywhere.
//!
//! Each goes from the coarse to the fine: it tries to leave out everything, then halves, then
//! quarters, and at last one by one (delta debugging, with the complements only, as what a run
//! needs is seldom in one place). Since the last round got nowhere, no single step can be left out
//! of its result, and no single thing or permission.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use deathwatch_model::{
    action::{Act, Action, Actor},
    world::Transactions,
};
use toml::Value;

use super::{
    case::Case,
    gone,
    items::{self, Renamed},
    tries::Tries,
    walk::{Violating, Walk, Wanted},
};

/// The first rounds look at chunks of no less than these parts of what there is, as long as that
/// is much.
const COARSE: [usize; 2] = [8, 64];

/// A reduction in progress.
pub(super) struct Reduction<'a> {
    /// What the run has to show.
    pub(super) wanted: Wanted,
    /// The smallest case so far.
    pub(super) best: Case,
    /// The tries that were made.
    pub(super) tries: Tries<'a>,
    /// How often a smaller case was found.
    gains: u64,
}

impl<'a> Reduction<'a> {
    /// Begins with `case`.
    pub(super) fn of(case: Case, wanted: Wanted, tries: Tries<'a>) -> Self {
        Self { wanted, best: case, tries, gains: 0 }
    }

    /// Reduces as far as possible. As long as a run is long and its world is large, a try costs
    /// much, so at first everything is tried in large chunks only.
    pub(super) fn run(&mut self) {
        for part in COARSE {
            if self.best.steps.len() <= part {
                break;
            }
            self.actors(part);
            self.steps(part);
            self.items(part);
        }
        loop {
            let before = self.gains;
            self.items(usize::MAX);
            self.actors(usize::MAX);
            self.steps(usize::MAX);
            self.bounds();
            self.atomic();
            self.readings();
            if self.gains == before || self.tries.are_over {
                return;
            }
        }
    }

    /// Takes over what was tried, if it got anywhere.
    fn take(&mut self, case: Option<Case>) -> bool {
        let Some(case) = case else { return false };
        self.best = case;
        self.gains += 1;
        true
    }

    /// Leaves out, of `count` things, all it can: the larger chunks first, down to this part.
    fn leave_out(
        &mut self,
        part: usize,
        count: impl Fn(&Self) -> usize,
        without: impl Fn(&Self, Range<usize>) -> Option<Case>,
    ) {
        let mut size = count(self);
        let least = (size / part).max(1);
        while size >= least {
            let mut at = 0;
            while at < count(self) {
                if !self.tries.another(self.best.steps.len()) {
                    return;
                }
                let end = count(self).min(at + size);
                if !self.take(without(self, at..end)) {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    /// Leaves out whole actors with all they do.
    fn actors(&mut self, part: usize) {
        self.leave_out(
            part,
            |it| actors(&it.best.steps).len(),
            |it, range| {
                let out = &actors(&it.best.steps)[range];
                let stays = |action: &&Action| !out.contains(&action.actor);
                let steps: Vec<Action> = it.best.steps.iter().filter(stays).copied().collect();
                it.best.with_steps(&steps, it.wanted)
            },
        );
    }

    /// Leaves out steps, in chunks down to this part of them. What comes before a chunk is carried
    /// out once for all that is tried behind it.
    fn steps(&mut self, part: usize) {
        let scenario = Arc::clone(&self.best.scenario);
        let mut size = self.best.steps.len();
        let least = (size / part).max(1);
        while size >= least {
            let mut walk =
                Walk::begin(&scenario.world, &scenario.start, self.wanted, self.best.subject);
            let mut at = 0;
            while at < self.best.steps.len() {
                if !self.tries.another(self.best.steps.len()) {
                    return;
                }
                let end = self.best.steps.len().min(at + size);
                let rest = &self.best.steps[end..];
                if let Some(Violating { steps, .. }) = walk.clone().violates(self.wanted, rest) {
                    self.best.steps.truncate(at);
                    self.best.steps.extend(steps);
                    self.gains += 1;
                } else {
                    walk.go(&self.best.steps[at..end], &mut Vec::new());
                    at = end;
                }
            }
            size /= 2;
        }
    }

    /// Leaves out what there is and what may happen.
    fn items(&mut self, part: usize) {
        self.leave_out(
            part,
            |it| items::items(&it.best.table).len(),
            |it, range| {
                let out = &items::items(&it.best.table)[range];
                let (table, renamed) = gone::without(&it.best.table, out);
                it.best.moved(table, &renamed, it.wanted)
            },
        );
    }

    /// Allows each command only as often as the run needs it, and deploys no more units.
    fn bounds(&mut self) {
        for index in 0..user(&self.best).count() {
            let Some((command, allowed)) = user(&self.best).nth(index) else { return };
            for entry in lower(command, allowed, self.most()).collect::<Vec<_>>() {
                if !self.tries.another(self.best.steps.len()) {
                    return;
                }
                let mut entries: Vec<(String, Value)> =
                    user(&self.best).map(|(key, value)| (key.clone(), value.clone())).collect();
                entries[index] = entry;
                let mut table = self.best.table.clone();
                table.insert("user".to_owned(), Value::Table(entries.into_iter().collect()));
                if self.take(self.best.moved(table, &Renamed::new(), self.wanted)) {
                    break;
                }
            }
        }
    }

    /// How often any command can have been given.
    fn most(&self) -> i64 {
        let is_the_users = |action: &&Action| action.actor == Actor::User;
        let most = self.best.steps.iter().filter(is_the_users).count();
        i64::try_from(most).unwrap_or(i64::MAX).clamp(1, 255)
    }

    /// Makes each transaction one step, where nobody needs to act between its two.
    fn atomic(&mut self) {
        if self.best.scenario.world.transactions == Transactions::Atomic {
            return;
        }
        let mut table = self.best.table.clone();
        if let Some(Value::Table(world)) = table.get_mut("world") {
            world.remove("transactions");
        }
        for joins in [at_commit as fn(&[Action]) -> Vec<Action>, at_begin] {
            if !self.tries.another(self.best.steps.len()) {
                return;
            }
            let joined = Case { steps: joins(&self.best.steps), ..self.best.clone() };
            if self.take(joined.moved(table.clone(), &Renamed::new(), self.wanted)) {
                return;
            }
        }
    }

    /// Leaves out readings that the run does not depend on: with the default in their place, it is
    /// the same to its last step. A run that merely fails with another reading as well may fail
    /// for another reason: the documents as written have bugs of their own.
    fn readings(&mut self) {
        let names = |it: &Self| -> Vec<String> {
            let readings = it.best.table.get("variants").and_then(Value::as_table);
            readings.into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        self.leave_out(
            usize::MAX,
            |it| names(it).len(),
            |it, range| {
                let mut table = it.best.table.clone();
                if let Some(Value::Table(readings)) = table.get_mut("variants") {
                    names(it)[range].iter().for_each(|name| drop(readings.remove(name)));
                }
                let case = it.best.moved(table, &Renamed::new(), it.wanted)?;
                let (was, is) = (it.best.whole(it.wanted)?, case.whole(it.wanted)?);
                let acts = |run: &Violating| -> Vec<(Actor, Act)> {
                    run.steps.iter().chain(&run.calm).map(|it| (it.actor, it.act)).collect()
                };
                (acts(&was) == acts(&is) && was.end == is.end).then_some(case)
            },
        );
    }
}

/// Those who act in a run, in the order in which they begin to.
fn actors(steps: &[Action]) -> Vec<Actor> {
    let mut seen = BTreeSet::new();
    steps.iter().map(|action| action.actor).filter(|actor| seen.insert(*actor)).collect()
}

/// The commands that the user is allowed.
fn user(case: &Case) -> impl Iterator<Item = (&String, &Value)> {
    case.table.get("user").and_then(Value::as_table).into_iter().flatten()
}

/// What could be allowed instead of a command: the same less often, where it can have been given
/// `most` times, or fewer units of what it deploys. The least comes first.
fn lower(command: &str, allowed: &Value, most: i64) -> impl Iterator<Item = (String, Value)> {
    let now = allowed.as_integer().unwrap_or(most + 1).min(most + 1);
    let deploy = command.strip_prefix("deploy ").and_then(|rest| rest.split_once(' '));
    let (name, units) = deploy.unwrap_or_default();
    let (name, units): (String, u32) = (name.to_owned(), units.parse().unwrap_or(0));
    let (command, allowed) = (command.to_owned(), allowed.clone());
    let less_often = (1..now).map(move |times| (command.clone(), Value::from(times)));
    less_often.chain((0..units).map(move |few| (format!("deploy {name} {few}"), allowed.clone())))
}

/// The steps with each transaction where it is committed: at the end, if that is left to the calm.
fn at_commit(steps: &[Action]) -> Vec<Action> {
    let mut begun = BTreeMap::new();
    let mut joined = Vec::new();
    for action in steps {
        match action.act {
            Act::Begin(operation) => drop(begun.insert(action.actor, operation)),
            Act::Commit => {
                let operation = begun.remove(&action.actor);
                joined.extend(operation.map(|it| Action { act: Act::Run(it), ..*action }));
            }
            Act::Abort | Act::AbortTxn(_) => drop(begun.remove(&action.actor)),
            _ => joined.push(*action),
        }
    }
    let late = begun.into_iter();
    joined.extend(late.map(|(actor, it)| Action { actor, act: Act::Run(it), duty: None }));
    joined
}

/// The steps with each transaction where it is begun.
fn at_begin(steps: &[Action]) -> Vec<Action> {
    let joined = steps.iter().filter_map(|action| match action.act {
        Act::Begin(operation) => Some(Action { act: Act::Run(operation), ..*action }),
        Act::Commit | Act::Abort | Act::AbortTxn(_) => None,
        _ => Some(*action),
    });
    joined.collect()
}
