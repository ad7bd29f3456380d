//! Verification: whether a seed gives the same run twice.
//!
//! A run may have any number of steps, so only a digest of each block of steps is kept. If two runs
//! differ in a block, that block is recorded step by step.

use std::{fmt::Debug, ops::Range};

use deathwatch_model::{action::Action, state::State};

use crate::{Observer, Setup, SimulatedRun, digest::Digest};

const BLOCK: u64 = 4096;

/// The difference of two runs of one seed, which is a defect of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step at which they did, from 1.
    pub step: u64,
    /// The enabled actions and the chosen one, in the first run and in the second.
    pub differed: String,
}

impl Setup<'_> {
    /// Runs `seed` twice, and compares what is enabled and chosen at every step; `None` if `stop`
    /// said so.
    pub fn verify(
        &self,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Result<SimulatedRun, Divergence>> {
        let (run, blocks) = self.record(seed, 0..0, stop)?;
        let (again, others) = self.record(seed, 0..0, stop)?;
        if let Some(at) = first_difference(&blocks.digests, &others.digests) {
            let window = at as u64 * BLOCK..(at as u64 + 1) * BLOCK;
            let (_, one) = self.record(seed, window.clone(), stop)?;
            let (_, other) = self.record(seed, window.clone(), stop)?;
            return Some(Err(divergence(window.start, &one.steps, &other.steps)));
        }
        if run.digest != again.digest || run.stats != again.stats {
            let differed = "the times of the steps".to_owned();
            return Some(Err(Divergence { step: run.stats.steps, differed }));
        }
        Some(Ok(run))
    }

    /// Runs `seed`, and keeps the steps of `window`.
    fn record(
        &self,
        seed: u64,
        window: Range<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(SimulatedRun, DigestRecorder)> {
        let mut recorder = DigestRecorder { window, ..DigestRecorder::default() };
        let run = self.run(seed, &mut recorder, stop)?;
        recorder.digests.push(recorder.digest.value());
        Some((run, recorder))
    }
}

/// Keeps a digest of each block of steps, and the steps of a window.
#[derive(Default)]
struct DigestRecorder {
    window: Range<u64>,
    steps: Vec<(usize, Action)>,
    step: u64,
    digest: Digest,
    digests: Vec<u64>,
}

impl Observer for DigestRecorder {
    fn observe_step(&mut self, enabled: usize, action: &Action, _: &State, _: u64) -> bool {
        if self.window.contains(&self.step) {
            self.steps.push((enabled, *action));
        }
        self.digest.note(self.step, enabled, action);
        self.step += 1;
        if self.step.is_multiple_of(BLOCK) {
            self.digests.push(self.digest.value());
        }
        true
    }
}

/// The first index at which two lists differ.
fn first_difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    let differ = one.iter().zip(other).position(|(one, other)| one != other);
    differ.or((one.len() != other.len()).then(|| one.len().min(other.len())))
}

/// The first step behind `start` in which two runs differ.
fn divergence<A: Debug + PartialEq>(
    start: u64,
    one: &[(usize, A)],
    other: &[(usize, A)],
) -> Divergence {
    let Some(at) = first_difference(one, other) else {
        let differed = "the steps from here on, but not when they were run again".to_owned();
        return Divergence { step: start + 1, differed };
    };
    let show = |steps: &[(usize, A)]| match steps.get(at) {
        None => "nothing".to_owned(),
        Some((enabled, action)) => format!("{enabled} enabled, {action:?}"),
    };
    let differed = format!("{}; then {}", show(one), show(other));
    Divergence { step: start + at as u64 + 1, differed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_that_differs_is_told() {
        let (one, other) = ((2, "commit"), (2, "abort"));
        let told =
            |first: &[(usize, &str)], second: &[(usize, &str)]| divergence(4096, first, second);
        let difference = told(&[one, one], &[one, other]);
        assert_eq!(difference.step, 4098);
        assert_eq!(difference.differed, "2 enabled, \"commit\"; then 2 enabled, \"abort\"");
        assert!(told(&[one], &[one, one]).differed.starts_with("nothing; then 2 enabled"));
        assert_eq!(told(&[one], &[one]).step, 4097);
        assert_eq!(first_difference(&[1, 2], &[1, 3]), Some(1));
        assert_eq!(first_difference(&[1], &[1]), None);
    }
}
