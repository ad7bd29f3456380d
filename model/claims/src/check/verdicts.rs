//! The verdicts of claims about states, in one state after the other.
//!
//! The verdict of a claim on a subject is a function of the rows that it reads, so it is looked up.

use std::sync::Arc;

use deathwatch_model::{
    ids::{Rename as _, Renaming},
    pack::Codec,
    rows::{Read, Row, recorded},
    state::State,
};
use indexmap::IndexSet;

use super::{
    CheckQuestion,
    look_ups::{LookUps, about, grouped},
    seen::FirstFindings,
    shared_results::SharedResults,
};
use crate::claims::{OwnClaim, OwnFormula, parts};

/// Claims about states, grouped by their subjects.
pub(super) struct StateVerdicts<'a> {
    question: &'a CheckQuestion<'a>,
    /// Groups of claims with their numbers and their subjects: those of one entity, or of one row.
    groups: Vec<Vec<(usize, &'static OwnClaim, Row)>>,
    /// For each group the number of its list of decided claims.
    look_ups: LookUps<u32, Vec<usize>>,
    /// The lists of claims that are decided together in some state.
    lists: IndexSet<Vec<usize>>,
    /// The claims that the present state decides.
    decided: Vec<usize>,
}

/// The number of the empty list.
const NONE: u32 = 0;

impl<'a> StateVerdicts<'a> {
    /// The verdicts of a question's claims, in states of `words` words. Caches may take
    /// `most_bytes`.
    pub(super) fn new(
        question: &'a CheckQuestion<'a>,
        words: usize,
        most_bytes: usize,
        shared: Option<&Arc<SharedResults<Vec<usize>>>>,
    ) -> Self {
        let of_states = parts(&question.claims).filter(|(_, own)| {
            matches!(own.says, OwnFormula::Always(_) | OwnFormula::Reachable(_))
        });
        let groups = grouped(of_states.flat_map(|(number, own)| {
            let subjects = own.subject_kind().rows(question.world);
            subjects.map(move |subject| (subject, (number, own, subject)))
        }));
        Self {
            question,
            look_ups: LookUps::new(groups.len(), words, most_bytes, shared),
            groups,
            lists: IndexSet::from([Vec::new()]),
            decided: Vec::new(),
        }
    }

    /// Goes to a packed state. Then each group is to be found or judged.
    pub(super) fn go_to(&mut self, words: &[u64]) {
        self.look_ups.go_to(words);
        self.decided.clear();
    }

    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Looks up the verdicts of all groups in the present state; returns whether they are known.
    #[inline]
    pub(super) fn find_all(&mut self) -> bool {
        let Some(lists) = self.look_ups.all() else { return false };
        for list in lists.iter().filter(|list| **list != NONE) {
            self.decided.extend(&self.lists[*list as usize]);
        }
        true
    }

    /// Looks up the verdicts of a group in the present state; returns whether they are known.
    #[inline]
    pub(super) fn find(&mut self, group: usize) -> bool {
        let list = self.look_ups.find(group).or_else(|| self.find_shared(group));
        if let Some(list) = list.filter(|list| *list != NONE) {
            self.decided.extend(&self.lists[list as usize]);
        }
        list.is_some()
    }

    /// The list of a group in the present state, if another worker knows it.
    fn find_shared(&mut self, group: usize) -> Option<u32> {
        let known = self.look_ups.find_shared(group)?;
        let list = number_of(&mut self.lists, &known.result);
        self.look_ups.remember(group, &known.trail, list);
        Some(list)
    }

    /// The claims of a group that a state decides. The rows that they read are added to `reads`.
    pub(super) fn judged(&self, group: usize, state: &State, reads: &mut Vec<Read>) -> Vec<usize> {
        let is_decided = |(_, own, subject): &&(usize, &OwnClaim, Row)| {
            own.is_decided(self.question.world, state, *subject)
        };
        recorded(reads, || {
            let decided = self.groups[group].iter().filter(is_decided);
            decided.map(|(number, ..)| *number).collect()
        })
    }

    /// Adds the claims of a group that the present state decides, for which `reads` were read.
    pub(super) fn give(
        &mut self,
        group: usize,
        found: Vec<usize>,
        reads: &mut Vec<Read>,
        codec: &Codec,
    ) {
        let Self { look_ups, lists, decided, .. } = self;
        decided.extend(&found);
        if look_ups.is_remembered(group) {
            let list = number_of(lists, &found);
            std::mem::swap(&mut look_ups.reads, reads);
            look_ups.insert(group, codec, list, size_of_val(&*found), || found);
            std::mem::swap(&mut look_ups.reads, reads);
        }
    }

    /// For each group the one that a renaming of its subjects maps it to.
    pub(super) fn renamed_groups(&self, by: &Renaming) -> Vec<usize> {
        let first = |group: &Vec<(usize, &OwnClaim, Row)>| group[0].2;
        let becomes = |group| {
            let becomes = about(first(group).renamed(by));
            self.groups.iter().position(|other| about(first(other)) == becomes)
        };
        let groups = self.groups.iter().map(becomes);
        groups.map(|group| group.expect("claims are about all rows of a kind")).collect()
    }

    /// Whether the present state decides a claim that no earlier state is known to decide.
    pub(super) fn has_news(&self, id: u64, seen: &FirstFindings) -> bool {
        self.decided.iter().any(|claim| seen.is_news(*claim, (id, 0)))
    }

    /// Adds the claims that the state with this number decides to the findings, each with the first
    /// subject at which it is decided.
    pub(super) fn report(&self, id: u64, state: &State, seen: &mut FirstFindings) {
        for claim in &self.decided {
            if seen.is_news(*claim, (id, 0)) {
                let first = self.question.claims[*claim].first(self.question.world, state);
                seen.violated(*claim, (id, 0), first.expect("it is decided at some subject"));
            }
        }
    }

    /// Asserts that the verdicts on a state are those of a check of everything.
    pub(super) fn verify(&self, state: &State) {
        for (number, claim) in self.question.claims.iter().enumerate() {
            let is_decided = claim.first(self.question.world, state).is_some();
            let is_known = self.decided.contains(&number);
            assert_eq!(is_known, is_decided, "\"{}\" reads what is not recorded", claim.name);
        }
    }
}

/// The number of a list of claims, which is added if it is new.
fn number_of(lists: &mut IndexSet<Vec<usize>>, list: &Vec<usize>) -> u32 {
    let known = lists.get_index_of(list);
    let number = known.unwrap_or_else(|| lists.insert_full(list.clone()).0);
    u32::try_from(number).expect("they are few")
}
