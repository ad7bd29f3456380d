//! The work of a sweep: threads take seeds in the order of the plan, and their results are put back
//! into that order.
//!
//! So the tally is the same for any number of threads. If the first unexpected result ends a sweep,
//! the seeds before it in the plan are run to their end, and those after it are given up.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use super::{
    plan::{SeedPosition, SweepPlan},
    result::SeedResult,
    tally::{Tally, is_unexpected},
};

/// The options of running seeds.
pub struct Options<'a> {
    /// The number of threads; it is less if no more can be started.
    pub jobs: usize,
    /// A function that is asked often: once it is true, no seed begins, and seeds in progress are
    /// given up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after every seed.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// The progress of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of seeds that are done.
    pub seeds: u64,
    /// The number of them that were done before.
    pub earlier: u64,
    pub planned: u64,
    /// The number of steps of those that were run now.
    pub steps: u64,
    /// The number of seeds with unexpected results.
    pub surprises: u64,
}

/// Runs the seeds that the plan of `tally` has and `earlier` has not, and adds all results to
/// `tally`.
///
/// `run` gives the result of a seed, or `None` if it was stopped. `keep` gets each result as soon
/// as there is one, in any order.
///
/// # Errors
/// If `keep` fails, which ends the sweep.
pub fn run<E>(
    tally: &mut Tally<'_>,
    earlier: BTreeMap<u64, SeedResult>,
    how: &Options<'_>,
    run: impl Fn(u64, &(dyn Fn() -> bool + Sync)) -> Option<SeedResult> + Sync,
    mut keep: impl FnMut(&SeedResult) -> Result<(), E>,
) -> Result<Progress, E> {
    let plan = tally.plan;
    let shared = Shared {
        seeds: Mutex::new(Box::new(plan.iter())),
        earlier: earlier.keys().copied().collect(),
        last: Mutex::new(None),
        is_over: AtomicBool::new(false),
    };
    let mut order = InOrder { tally, waiting: BTreeMap::new(), next: plan.iter().peekable() };
    let mut progress = Progress { planned: plan.len(), ..Progress::default() };
    for result in earlier.into_values() {
        (progress.seeds, progress.earlier) = (progress.seeds + 1, progress.earlier + 1);
        order.take(result, &shared, &mut progress);
    }
    (how.progress)(progress);
    let mut take = |result: SeedResult| {
        if let Err(error) = keep(&result) {
            shared.is_over.store(true, Ordering::Relaxed);
            return Err(error);
        }
        progress.seeds += 1;
        progress.steps = progress.steps.saturating_add(result.stats.steps);
        order.take(result, &shared, &mut progress);
        (how.progress)(progress);
        Ok(())
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        let begun = (0..how.jobs).map_while(|_| {
            let (sender, shared, run) = (sender.clone(), &shared, &run);
            // If the result cannot be sent, nobody waits for results any more.
            let deliver = move |result| sender.send(result).is_ok();
            thread::Builder::new()
                .spawn_scoped(scope, move || shared.work(plan, how, run, deliver))
                .ok()
        });
        if begun.count() > 0 {
            drop(sender);
            return results.into_iter().try_for_each(&mut take);
        }
        // No thread can be started, so this one runs the seeds.
        let mut taken = Ok(());
        shared.work(plan, how, &run, |result| {
            taken = take(result);
            taken.is_ok()
        });
        taken
    })?;
    order.finish();
    Ok(progress)
}

/// The data that the threads share.
struct Shared<'a> {
    /// The seeds that no thread has taken yet.
    seeds: Mutex<Box<dyn Iterator<Item = u64> + Send + 'a>>,
    /// The seeds that are done already.
    earlier: BTreeSet<u64>,
    /// Seeds after this position in the plan are not needed.
    last: Mutex<Option<SeedPosition>>,
    /// Whether the results are no longer needed.
    is_over: AtomicBool,
}

impl Shared<'_> {
    fn work(
        &self,
        plan: &SweepPlan,
        how: &Options<'_>,
        run: &(impl Fn(u64, &(dyn Fn() -> bool + Sync)) -> Option<SeedResult> + Sync),
        mut deliver: impl FnMut(SeedResult) -> bool,
    ) {
        let _alarm = Alarm(&self.is_over);
        while !self.is_over() && !(how.stop)() {
            let Some(seed) = self.take() else { break };
            let position = plan.position(seed);
            if self.is_beyond(position) {
                break;
            }
            let stop = || self.is_over() || self.is_beyond(position) || (how.stop)();
            if !run(seed, &stop).is_none_or(&mut deliver) {
                break;
            }
        }
    }

    /// Takes the next seed that is to be run.
    fn take(&self) -> Option<u64> {
        lock(&self.seeds).find(|seed| !self.earlier.contains(seed))
    }

    /// Notes that seeds after `position` are not needed.
    fn end_at(&self, position: Option<SeedPosition>) {
        let mut last = lock(&self.last);
        *last = [*last, position].into_iter().flatten().min();
    }

    fn is_beyond(&self, position: Option<SeedPosition>) -> bool {
        lock(&self.last).is_some_and(|last| position > Some(last))
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// The lock, poisoned or not: a thread that panics leaves the data consistent, and its panic is
/// reported at the end.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Stops the other threads if a thread panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Results that wait to be put into the order of the plan.
struct InOrder<'t, 'a, I: Iterator<Item = u64>> {
    tally: &'t mut Tally<'a>,
    waiting: BTreeMap<u64, SeedResult>,
    next: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = u64>> InOrder<'_, '_, I> {
    fn take(&mut self, result: SeedResult, shared: &Shared<'_>, progress: &mut Progress) {
        progress.surprises += u64::from(is_unexpected(self.tally.about, &result));
        if self.tally.ends_with(&result) {
            shared.end_at(self.tally.plan.position(result.seed));
        }
        self.waiting.insert(result.seed, result);
        while let Some(result) = self.next.peek().and_then(|next| self.waiting.remove(next)) {
            self.tally.add(&result);
            self.next.next();
        }
    }

    /// Adds the results that wait for seeds that were never run.
    fn finish(self) {
        let plan = self.tally.plan;
        let mut rest: Vec<SeedResult> = self.waiting.into_values().collect();
        rest.sort_by_key(|result| plan.position(result.seed));
        for result in &rest {
            self.tally.add(result);
        }
    }
}
