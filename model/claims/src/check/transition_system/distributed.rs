//! A search by several processes: pending transactions have the same numbers in all of them.
//!
//! A process that is the first to meet a transaction does not send it. It sends the state whose
//! successor has it, and each process lets the protocol make it again.

use std::collections::BTreeSet;

use deathwatch_checker::explore::{Distributed, NewStates, Refused};

use super::{TransitionSystem, Worker};

impl<'a> Distributed for TransitionSystem<'a> {
    fn unsettled(&self, new: &NewStates<'_>) -> Vec<u32> {
        let known = self.codec.greatest_final_number();
        let (mut met, mut sources) = (BTreeSet::new(), Vec::new());
        new.visit(|source, state| {
            for number in self.codec.numbers(state) {
                if number > known && met.insert(number) && sources.last() != Some(&source) {
                    sources.push(source);
                }
            }
        });
        sources
    }

    fn settle(
        &self,
        worker: &mut Worker<'a>,
        sources: &[Vec<u64>],
        new: &mut NewStates<'_>,
    ) -> Result<(), Refused> {
        if self.is_asymmetric() {
            return Err(Refused);
        }
        let known = self.codec.greatest_final_number();
        let is_known = |state: &Vec<u64>| self.codec.greatest_number(state) <= known;
        if !sources.iter().all(is_known) {
            return Err(Refused);
        }
        let mut made = Vec::new();
        for source in sources {
            made.extend(self.successors(worker, source));
        }
        // Each number that is not final belongs to a state in `made`, so those of the new states of
        // this process are rewritten with them.
        let each = |rewrite: &mut dyn FnMut(&mut [u64])| {
            for state in &mut made {
                rewrite(state);
            }
            new.for_each(rewrite);
        };
        self.commit_txns(each)
    }

    fn add_findings(&self, worker: &mut Worker<'a>, findings: &[u8]) -> Result<(), Refused> {
        self.read_findings(findings, worker)
    }
}
