//! Groups of failures that have the same cause, as far as their diagnoses show.
//!
//! Ten thousand seeds may fail in three ways. Two failures belong to one group if they violate the
//! same claim and their diagnoses differ only in the numbers of units and machines, and in how
//! often a clause is repeated.

use std::collections::BTreeMap;

use super::result::{SeedResult, Violated};

/// Failures of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The claim that they violate.
    pub claim: String,
    /// The common form of their diagnoses; without diagnoses, the kind of subject.
    pub shape: String,
    /// The number of seeds.
    pub seeds: u64,
    /// The failure of the smallest seed.
    pub first: Failing,
}

/// A seed that violates a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The seed.
    pub seed: u64,
    /// The number of steps of its run.
    pub steps: u64,
    /// The violation.
    pub violated: Violated,
}

impl Failing {
    /// The failure that `result` violates a claim.
    pub(super) fn new(result: &SeedResult, violated: &Violated) -> Self {
        Self { seed: result.seed, steps: result.stats.steps, violated: violated.clone() }
    }
}

/// The groups of the failures so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups(BTreeMap<(usize, String), Group>);

impl Groups {
    /// Adds a failure of the claim with this number.
    pub(super) fn add(&mut self, claim: usize, failing: &Failing) {
        let shape = shape(&failing.violated);
        let group = self.0.entry((claim, shape)).or_insert_with_key(|(_, shape)| Group {
            claim: failing.violated.claim.clone(),
            shape: shape.clone(),
            seeds: 0,
            first: failing.clone(),
        });
        group.seeds += 1;
        if failing.seed < group.first.seed {
            group.first = failing.clone();
        }
    }

    /// The groups in order of the claims, and for one claim in order of the smallest seeds.
    pub(super) fn into_sorted(self) -> Vec<Group> {
        let mut groups: Vec<((usize, String), Group)> = self.0.into_iter().collect();
        groups.sort_by_key(|((claim, _), group)| (*claim, group.first.seed));
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

fn shape(violated: &Violated) -> String {
    if violated.diagnosis.is_empty() {
        let subject = violated.subject.strip_prefix("the ").unwrap_or(&violated.subject);
        return subject.split(' ').next().unwrap_or_default().to_owned();
    }
    let mut sentences: Vec<String> = Vec::new();
    for sentence in violated.diagnosis.split("; ").map(without_numbers) {
        // A diagnosis that counts further holders belongs to the same group.
        if !sentence.starts_with("# more ") && !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.join("; ")
}

/// The text with "#" for each number that stands by itself: "mysql2/17" becomes "mysql2/#".
fn without_numbers(text: &str) -> String {
    let (mut shape, mut before) = (String::with_capacity(text.len()), None);
    let mut is_number = false;
    for letter in text.chars() {
        let is_inside = before.is_some_and(|it: char| it.is_alphanumeric() || it == '-');
        if letter.is_ascii_digit() && (is_number || !is_inside) {
            if !is_number {
                shape.push('#');
            }
            is_number = true;
        } else {
            is_number = false;
            shape.push(letter);
        }
        before = Some(letter);
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violated(subject: &str, diagnosis: &str) -> Violated {
        let claim = "a Dying relation is removed".to_owned();
        Violated { claim, subject: subject.to_owned(), step: 3, diagnosis: diagnosis.to_owned() }
    }

    #[test]
    fn numbers_of_units_and_machines_make_no_difference() {
        for (text, is) in [
            ("mysql/0 is in its scope", "mysql/# is in its scope"),
            ("mysql2/17 and my-3/1", "mysql2/# and my-3/#"),
            ("machine 1/lxd/22 has no instance", "machine #/lxd/# has no instance"),
            ("counts 10 units and 0 relations", "counts # units and # relations"),
            ("4711", "#"),
            ("", ""),
        ] {
            assert_eq!(without_numbers(text), is);
        }
    }

    #[test]
    fn how_often_a_sentence_is_said_makes_no_difference() {
        let one = violated("relation a:x b:y", "it is Dying; a/0 is in its scope");
        let two =
            violated("relation a:x b:y", "it is Dying; a/1 is in its scope; a/2 is in its scope");
        assert_eq!(shape(&one), shape(&two));
        let many = "it is Dying; a/1 is in its scope; 97 more units are in scope of a:x b:y";
        assert_eq!(shape(&one), shape(&violated("relation a:x b:y", many)));
        assert_eq!(shape(&violated("unit mysql/0", "")), "unit");
        assert_eq!(shape(&violated("the agent of mysql/0", "")), "agent");
    }

    #[test]
    fn a_group_has_its_smallest_seed_in_any_order() {
        let failing = |seed, diagnosis| Failing {
            seed,
            steps: seed,
            violated: violated("unit a/0", diagnosis),
        };
        let all = [
            (0, failing(9, "a/1 stays")),
            (0, failing(4, "a/2 stays")),
            (1, failing(1, "")),
            (0, failing(7, "other")),
        ];
        let sorted = |order: &[usize]| {
            let mut groups = Groups::default();
            for at in order {
                groups.add(all[*at].0, &all[*at].1);
            }
            groups.into_sorted()
        };
        let groups = sorted(&[0, 1, 2, 3]);
        assert_eq!(groups, sorted(&[3, 2, 1, 0]));
        let seen: Vec<(&str, u64, u64)> =
            groups.iter().map(|it| (it.shape.as_str(), it.seeds, it.first.seed)).collect();
        assert_eq!(seen, [("a/# stays", 2, 4), ("other", 1, 7), ("unit", 1, 1)]);
    }
}
