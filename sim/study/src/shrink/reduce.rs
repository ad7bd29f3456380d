//! The reductions, repeated in a fixed order until none of them makes progress.
//!
//! Each goes from the coarse to the fine: it tries to remove everything, then halves, then
//! quarters, and at last single elements (delta debugging; only complements are tried, as what a
//! run needs is seldom in one chunk). When the last round makes no progress, no single step,
//! element or permission can be removed.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use deathwatch_model::{
    action::{Act, Action},
    actor::Actor,
    world::Transactions,
};
use toml::Value;

use super::{
    atomic,
    candidate::ShrinkCandidate,
    elements::{self, Renamed},
    remove,
    replay::{Criterion, Execution, ViolatingRun},
};

/// The least chunks of the first rounds, as parts of the whole: an eighth, then a 64th. A run that
/// is no longer than that many steps skips the round.
const COARSE: [usize; 2] = [8, 64];

pub(super) struct Reduction<'a> {
    /// The criterion that every candidate meets.
    pub(super) criterion: Criterion,
    pub(super) best: ShrinkCandidate,
    pub(super) attempts: Attempts<'a>,
    /// The number of smaller candidates found so far.
    gains: u64,
}

impl<'a> Reduction<'a> {
    /// Begins with `candidate`.
    pub(super) fn of(
        candidate: ShrinkCandidate,
        criterion: Criterion,
        attempts: Attempts<'a>,
    ) -> Self {
        Self { criterion, best: candidate, attempts, gains: 0 }
    }

    /// Reduces as far as possible. A try is dear while the run is long and its world is large, so
    /// the first rounds try large chunks only.
    pub(super) fn run(&mut self) {
        for part in COARSE {
            if self.best.steps.len() <= part {
                break;
            }
            self.actors(part);
            self.steps(part);
            self.elements(part);
        }
        loop {
            let before = self.gains;
            self.elements(usize::MAX);
            self.actors(usize::MAX);
            self.steps(usize::MAX);
            self.bounds();
            self.atomic();
            self.hooks();
            self.variants();
            if self.gains == before || self.attempts.are_over {
                return;
            }
        }
    }

    /// Accepts a candidate, if there is one.
    fn accept(&mut self, candidate: Option<ShrinkCandidate>) -> bool {
        let Some(candidate) = candidate else { return false };
        self.best = candidate;
        self.gains += 1;
        true
    }

    /// Removes as many of `count` elements as it can, larger chunks first, down to this part of
    /// all.
    fn remove(
        &mut self,
        part: usize,
        count: impl Fn(&Self) -> usize,
        without: impl Fn(&Self, Range<usize>) -> Option<ShrinkCandidate>,
    ) {
        let mut size = count(self);
        let least = (size / part).max(1);
        while size >= least {
            let mut at = 0;
            while at < count(self) {
                if !self.attempts.another(self.best.steps.len()) {
                    return;
                }
                let end = count(self).min(at + size);
                if !self.accept(without(self, at..end)) {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    /// Removes whole actors with all their steps.
    fn actors(&mut self, part: usize) {
        self.remove(
            part,
            |it| actors(&it.best.steps).len(),
            |it, range| {
                let out = &actors(&it.best.steps)[range];
                let stays = |action: &&Action| !out.contains(&action.actor());
                let steps: Vec<Action> = it.best.steps.iter().filter(stays).copied().collect();
                it.best.with_steps(&steps, it.criterion)
            },
        );
    }

    /// Removes steps, in chunks down to this part of all. The steps before a chunk are executed
    /// once for all the chunks that are tried behind them.
    fn steps(&mut self, part: usize) {
        let scenario = Arc::clone(&self.best.scenario);
        let mut size = self.best.steps.len();
        let least = (size / part).max(1);
        while size >= least {
            let mut execution = Execution::begin(
                &scenario.world,
                &scenario.start,
                self.criterion.of(&scenario),
                self.best.subject,
            );
            let mut at = 0;
            while at < self.best.steps.len() {
                if !self.attempts.another(self.best.steps.len()) {
                    return;
                }
                let end = self.best.steps.len().min(at + size);
                let rest = &self.best.steps[end..];
                if let Some(ViolatingRun { steps, .. }) =
                    execution.clone().violates(self.criterion, rest)
                {
                    self.best.steps.truncate(at);
                    self.best.steps.extend(steps);
                    self.gains += 1;
                } else {
                    execution.run(&self.best.steps[at..end], &mut Vec::new());
                    at = end;
                }
            }
            size /= 2;
        }
    }

    fn elements(&mut self, part: usize) {
        self.remove(
            part,
            |it| elements::elements(&it.best.table).len(),
            |it, range| {
                let out = &elements::elements(&it.best.table)[range];
                let (table, renamed) = remove::without(&it.best.table, out);
                it.best.moved(table, &renamed, it.criterion)
            },
        );
    }

    /// Allows each command only as often, and to deploy only as many units, as the run needs.
    fn bounds(&mut self) {
        for index in 0..user(&self.best).count() {
            let Some((command, allowed)) = user(&self.best).nth(index) else { return };
            for entry in lower(command, allowed, self.most_commands()).collect::<Vec<_>>() {
                if !self.attempts.another(self.best.steps.len()) {
                    return;
                }
                let mut entries: Vec<(String, Value)> =
                    user(&self.best).map(|(key, value)| (key.clone(), value.clone())).collect();
                entries[index] = entry;
                let mut table = self.best.table.clone();
                table.insert("user".to_owned(), Value::Table(entries.into_iter().collect()));
                if self.accept(self.best.moved(table, &Renamed::new(), self.criterion)) {
                    break;
                }
            }
        }
    }

    /// The number of steps of users: a bound for how often any command was given.
    fn most_commands(&self) -> i64 {
        let is_the_users = |action: &&Action| matches!(action.actor(), Actor::User(_));
        let most = self.best.steps.iter().filter(is_the_users).count();
        i64::try_from(most).unwrap_or(i64::MAX).clamp(1, 255)
    }

    /// Makes transactions atomic, if no step is needed between plan and commit.
    fn atomic(&mut self) {
        if self.best.scenario.world.transactions == Transactions::Atomic {
            return;
        }
        let mut table = self.best.table.clone();
        if let Some(Value::Table(world)) = table.get_mut("world") {
            world.remove("transactions");
        }
        for joins in [atomic::at_commit as fn(&[Action]) -> Vec<Action>, atomic::at_begin] {
            if !self.attempts.another(self.best.steps.len()) {
                return;
            }
            let joined = ShrinkCandidate { steps: joins(&self.best.steps), ..self.best.clone() };
            if self.accept(joined.moved(table.clone(), &Renamed::new(), self.criterion)) {
                return;
            }
        }
    }

    /// Takes the hooks from a world that has them for no need of the run.
    fn hooks(&mut self) {
        if !self.best.scenario.world.hooks || !self.attempts.another(self.best.steps.len()) {
            return;
        }
        let mut table = self.best.table.clone();
        if let Some(Value::Table(world)) = table.get_mut("world") {
            world.remove("hooks");
        }
        self.accept(self.best.moved(table, &Renamed::new(), self.criterion));
    }

    /// Removes variants that make no difference: with the default in their place, the run is the
    /// same to its last step. A run that is only violated with the default as well may be violated
    /// for another reason, as the documents as written have bugs of their own.
    fn variants(&mut self) {
        let names = |it: &Self| -> Vec<String> {
            let variants = it.best.table.get("variants").and_then(Value::as_table);
            variants.into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        self.remove(
            usize::MAX,
            |it| names(it).len(),
            |it, range| {
                let mut table = it.best.table.clone();
                if let Some(Value::Table(variants)) = table.get_mut("variants") {
                    names(it)[range].iter().for_each(|name| drop(variants.remove(name)));
                }
                let candidate = it.best.moved(table, &Renamed::new(), it.criterion)?;
                let (was, is) = (it.best.whole(it.criterion)?, candidate.whole(it.criterion)?);
                let acts = |run: &ViolatingRun| -> Vec<Act> {
                    run.steps.iter().chain(&run.afterwards).map(|it| it.act).collect()
                };
                (acts(&was) == acts(&is) && was.end == is.end).then_some(candidate)
            },
        );
    }
}

/// The actors of a run, in the order of their first steps.
fn actors(steps: &[Action]) -> Vec<Actor> {
    let mut seen = BTreeSet::new();
    steps.iter().map(Action::actor).filter(|actor| seen.insert(*actor)).collect()
}

/// The entries of `[user]`.
fn user(candidate: &ShrinkCandidate) -> impl Iterator<Item = (&String, &Value)> {
    candidate.table.get("user").and_then(Value::as_table).into_iter().flatten()
}

/// Permissions less than a command that was given at most `most` times: the same command less
/// often, or the same deployment with fewer units. The least comes first.
fn lower(command: &str, allowed: &Value, most: i64) -> impl Iterator<Item = (String, Value)> {
    let now = allowed.as_integer().unwrap_or(most + 1).min(most + 1);
    let deploy = command.strip_prefix("deploy ").and_then(|rest| rest.split_once(' '));
    let (name, units) = deploy.unwrap_or_default();
    let (name, units): (String, u32) = (name.to_owned(), units.parse().unwrap_or(0));
    let (command, allowed) = (command.to_owned(), allowed.clone());
    let less_often = (1..now).map(move |times| (command.clone(), Value::from(times)));
    less_often.chain((0..units).map(move |few| (format!("deploy {name} {few}"), allowed.clone())))
}

/// The bounds of a reduction, and its observer.
pub struct Budget<'a> {
    /// The number of candidates that may be tried.
    pub tries: u64,
    /// Called before each try; true ends the reduction with the best candidate so far.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after each try.
    pub progress: &'a dyn Fn(ShrinkProgress),
}

/// The progress of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkProgress {
    /// The number of candidates that were tried.
    pub tries: u64,
    /// The number of steps of the best run so far.
    pub steps: usize,
}

pub(super) struct Attempts<'a> {
    budget: Budget<'a>,
    pub(super) made: u64,
    /// Whether one attempt more was asked for than the budget allows.
    pub(super) are_over: bool,
}

impl<'a> Attempts<'a> {
    /// The attempts of a budget, all of them left.
    pub(super) fn of(budget: Budget<'a>) -> Self {
        Self { budget, made: 0, are_over: false }
    }

    /// Whether the budget allows one more; `steps` is the length of the best run so far.
    pub(super) fn another(&mut self, steps: usize) -> bool {
        self.are_over |= self.made >= self.budget.tries || (self.budget.stop)();
        if !self.are_over {
            self.made += 1;
            (self.budget.progress)(ShrinkProgress { tries: self.made, steps });
        }
        !self.are_over
    }
}
