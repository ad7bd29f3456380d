//! The expansion of a state: the claims that it decides, and the moves from there.
//!
//! A single state of a large world takes long, so `successors` is polled on the way for a reason to
//! stop.

use std::sync::atomic::Ordering;

use deathwatch_checker::{Stop, explore::Successors};

use super::{TransitionSystem, Worker, is_verified};

impl<'a> TransitionSystem<'a> {
    /// Checks the present state, and finds its successors.
    pub(super) fn find_successors(
        &self,
        worker: &mut Worker<'a>,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), Stop> {
        self.check_state(worker, id, state, successors)?;
        if self.symmetry.is_none() && !worker.moves.remembers() {
            return self.push_each(worker, id, state, successors);
        }
        self.find_moves(worker, state, successors)?;
        if let Some(group) = &self.symmetry {
            self.push_representatives(group, worker, id, state, successors);
        } else {
            let Worker { moves, judge, .. } = worker;
            moves.each(id, &mut judge.seen, |made| {
                if !made.is_idle() {
                    successors.push_changed(state, &made.patch, made.label);
                }
            });
        }
        if is_verified(worker) {
            self.list_enabled(worker);
            worker.moves.verify_order(&worker.actions);
        }
        Ok(())
    }

    /// Pushes each move of the present state as soon as it is made: without caches, all moves of a
    /// large state together would take much memory.
    fn push_each(
        &self,
        worker: &mut Worker<'a>,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), Stop> {
        self.unpack_here(worker, state);
        self.list_enabled(worker);
        let mut reads = Vec::new();
        for position in 0..worker.actions.len() {
            successors.ask()?;
            reads.clear();
            let made = self.move_of(worker, &mut reads, position, state);
            let place = u32::try_from(position).expect("they are few");
            made.report((id, place), &mut worker.judge.seen);
            if !made.is_idle() {
                successors.push_changed(state, &made.patch, made.label);
            }
        }
        Ok(())
    }

    /// Checks the claims about states in the present state.
    fn check_state(
        &self,
        worker: &mut Worker<'a>,
        id: u64,
        words: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), Stop> {
        worker.verdicts.go_to(words);
        let groups = if worker.verdicts.find_all() { 0 } else { worker.verdicts.groups() };
        for group in 0..groups {
            if !worker.verdicts.find(group) {
                successors.ask()?;
                self.unpack_here(worker, words);
                let mut reads = Vec::new();
                let found = worker.verdicts.judged(group, &worker.base, &mut reads);
                if self.symmetry.is_some() {
                    self.compare_verdicts(worker, group, words, &found, &mut reads);
                }
                worker.verdicts.give(group, found, &mut reads, &self.codec);
            }
        }
        if worker.verdicts.has_news(id, &worker.judge.seen) {
            self.unpack_here(worker, words);
            worker.verdicts.report(id, &worker.base, &mut worker.judge.seen);
        }
        if is_verified(worker) {
            worker.verdicts.verify(&worker.base);
        }
        Ok(())
    }

    /// Finds the moves in the present state: those in the caches, and the others by the protocol.
    fn find_moves(
        &self,
        worker: &mut Worker<'a>,
        words: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), Stop> {
        let batch = self.batch.load(Ordering::Relaxed);
        worker.moves.go_to(words, batch, &mut worker.judge.seen);
        if !is_verified(worker) && worker.moves.find_all() {
            return Ok(());
        }
        for group in 0..worker.moves.groups() {
            let is_known = worker.moves.find(group, words);
            if is_known && !is_verified(worker) {
                continue;
            }
            successors.ask()?;
            self.unpack_here(worker, words);
            let (mut moves, mut is_final) = self.moves_of(worker, group, words);
            if let Some(group) = &self.symmetry {
                self.add_images(group, worker, words, &mut moves);
            }
            if is_known {
                worker.moves.verify(&moves);
            } else {
                if self.symmetry.is_some() {
                    self.compare_moves(worker, group, words, &moves);
                    // After the first difference nothing is compared, so these reads are
                    // incomplete.
                    is_final &= !self.is_asymmetric();
                }
                worker.moves.give(group, words, moves, &self.codec, is_final);
            }
        }
        if is_verified(worker) {
            worker.moves.verify_all();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use deathwatch_checker::explore::Space as _;

    use super::*;
    use crate::check::{
        CheckQuestion, SearchSettings, tests::machines_and_manager, transition_system::FaultSteps,
    };

    #[test]
    fn what_one_worker_has_computed_another_one_finds() {
        let (world, start) = &machines_and_manager(3);
        let claims = crate::claims::all_in(world).collect();
        let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
        for threads in [1, 2] {
            let settings = SearchSettings::without_limits(threads);
            let system = TransitionSystem::new(&question, FaultSteps::Alike, &settings);
            let system = system.expect("it is small");
            let (mut one, mut other) = (system.worker(), system.worker());
            let (words, mut shared) = (&system.starts()[0], 0);
            for worker in [&mut one, &mut other] {
                worker.verdicts.go_to(words);
                worker.moves.go_to(words, 0, &mut worker.judge.seen);
            }
            system.unpack_here(&mut one, words);
            for group in 0..one.moves.groups() {
                assert!(!other.moves.find(group, words), "nobody has computed it");
                let (moves, is_final) = system.moves_of(&mut one, group, words);
                one.moves.give(group, words, moves.clone(), &system.codec, is_final);
                assert_eq!(other.moves.find(group, words), is_final && threads > 1);
                if is_final && threads > 1 {
                    other.moves.verify(&moves);
                    shared += 1;
                }
            }
            for group in 0..one.verdicts.groups() {
                assert!(!other.verdicts.find(group), "nobody has computed it");
                let mut reads = Vec::new();
                let found = one.verdicts.judged(group, &one.base, &mut reads);
                one.verdicts.give(group, found, &mut reads, &system.codec);
                assert_eq!(other.verdicts.find(group), threads > 1);
            }
            assert_eq!(shared > 0, threads > 1);
        }
    }
}
