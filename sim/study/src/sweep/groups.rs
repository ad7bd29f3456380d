//! Groups of failures that have the same cause.
//!
//! Ten thousand seeds may fail in three ways. What is stuck is grouped by the roots of its diagnosis,
//! whatever claims it violates: a unit that is stuck keeps its relation and its application, too. A
//! failure with several roots belongs to several groups. What no diagnosis explains is grouped by its
//! claim and the rule of the step that violates it. Failures that are expected and those that are not
//! are in different groups.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::claims::{Claim, diagnosis::RootKind};

use super::result::{SeedResult, Violated};

/// The kind of a failure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What is stuck comes from such a root.
    Root(RootKind),
    /// The claim with this number is violated by a step of this rule, if it is known which.
    Claim(usize, String, Option<String>),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(kind) => kind.fmt(f),
            Self::Claim(_, claim, None) => f.write_str(claim),
            Self::Claim(_, claim, Some(rule)) => write!(f, "{claim} ({rule})"),
        }
    }
}

impl Kind {
    /// The kinds of a violation of the claim with this number: one for each root.
    fn of(claim: usize, violated: &Violated) -> Vec<Self> {
        let roots = violated.wait_for.iter().flat_map(WaitFor::kinds);
        let roots: Vec<Self> = roots.map(Self::Root).collect();
        if roots.is_empty() {
            return vec![Self::Claim(claim, violated.claim.clone(), violated.rule.clone())];
        }
        roots
    }

    /// The passages that it rests on, if it is a root.
    pub fn source(&self) -> Option<String> {
        match self {
            Self::Root(kind) => Some(kind.source()),
            Self::Claim(..) => None,
        }
    }

    /// What it says, if it is a root.
    pub fn says(&self) -> Option<String> {
        match self {
            Self::Root(kind) => Some(kind.says()),
            Self::Claim(..) => None,
        }
    }
}

/// Failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The kind.
    pub kind: Kind,
    /// Whether the violations are not expected.
    pub is_unexpected: bool,
    /// The number of seeds.
    pub seeds: u64,
    /// The number of seeds among them in which everything stuck comes from this one root.
    pub alone: u64,
    /// The claims that are violated, each with the number of seeds.
    pub claims: Vec<(String, u64)>,
    /// The faults that struck in these seeds, each with the number of seeds.
    pub faults: BTreeMap<String, u64>,
    /// The failure of the smallest seed, the one with the fewest roots.
    pub first: Failing,
    /// The failure of the seed that explains most: with the fewest roots, then the fewest steps.
    pub clearest: Failing,
}

impl Group {
    /// Whether failures of it violate `claim`.
    pub(super) fn is_about(&self, claim: &Claim) -> bool {
        self.claims.iter().any(|(name, _)| name == claim.name)
    }
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

    /// What makes a run worse as an example.
    fn weight(&self) -> (usize, u64, u64) {
        let roots = self.violated.wait_for.as_ref().map_or(0, |it| it.roots.len());
        (roots, self.steps, self.seed)
    }
}

/// A violation in a result.
#[derive(Clone, Copy)]
pub(super) struct Violation<'a> {
    /// The number of its claim.
    pub(super) claim: usize,
    /// Whether it is not expected.
    pub(super) is_unexpected: bool,
    /// What is violated.
    pub(super) violated: &'a Violated,
}

/// The groups of the failures so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups(BTreeMap<(Reverse<bool>, Kind), GroupSoFar>);

/// The failures of one kind so far.
#[derive(Clone, Debug)]
struct GroupSoFar {
    /// The number of groups that were found before it.
    number: usize,
    seeds: u64,
    alone: u64,
    claims: BTreeMap<usize, (String, u64)>,
    faults: BTreeMap<String, u64>,
    first: Failing,
    clearest: Failing,
}

impl Groups {
    /// Adds the violations of a seed, which was not added before. Returns the groups that it belongs
    /// to, as they are numbered until they are sorted.
    pub(super) fn add(&mut self, result: &SeedResult, violations: &[Violation<'_>]) -> Vec<usize> {
        let mut met: BTreeSet<(Reverse<bool>, Kind)> = BTreeSet::new();
        for violation in violations {
            let failing = Failing::new(result, violation.violated);
            for kind in Kind::of(violation.claim, violation.violated) {
                let key = (Reverse(violation.is_unexpected), kind);
                self.note(&key, violation, &failing);
                met.insert(key);
            }
        }
        let mut numbers = Vec::new();
        for key in &met {
            let found = self.0.get_mut(key).expect("it was noted");
            numbers.push(found.number);
            found.seeds += 1;
            for fault in result.stats.faults.keys() {
                *found.faults.entry(fault.to_string()).or_default() += 1;
            }
            let is_other = |other: &&(Reverse<bool>, Kind)| {
                other.1 != key.1 && matches!(other.1, Kind::Root(_))
            };
            found.alone += u64::from(!met.iter().any(|other| is_other(&other)));
        }
        numbers
    }

    fn note(&mut self, key: &(Reverse<bool>, Kind), violation: &Violation<'_>, failing: &Failing) {
        let number = self.0.len();
        let found = self.0.entry(key.clone()).or_insert_with(|| GroupSoFar {
            number,
            seeds: 0,
            alone: 0,
            claims: BTreeMap::new(),
            faults: BTreeMap::new(),
            first: failing.clone(),
            clearest: failing.clone(),
        });
        let name = || (violation.violated.claim.clone(), 0);
        found.claims.entry(violation.claim).or_insert_with(name).1 += 1;
        if (failing.seed, failing.weight()) < (found.first.seed, found.first.weight()) {
            found.first = failing.clone();
        }
        if failing.weight() < found.clearest.weight() {
            found.clearest = failing.clone();
        }
    }

    /// The groups: those that are not expected first, then those of most seeds. Each stands beside the
    /// number that it had before.
    pub(super) fn into_sorted(self) -> Vec<(usize, Group)> {
        let group =
            |((Reverse(is_unexpected), kind), found): ((Reverse<bool>, Kind), GroupSoFar)| {
                let group = Group {
                    kind,
                    is_unexpected,
                    seeds: found.seeds,
                    alone: found.alone,
                    claims: found.claims.into_values().collect(),
                    faults: found.faults,
                    first: found.first,
                    clearest: found.clearest,
                };
                (found.number, group)
            };
        let mut groups: Vec<(usize, Group)> = self.0.into_iter().map(group).collect();
        let order = |it: &Group| (Reverse(it.is_unexpected), Reverse(it.seeds), it.first.seed);
        groups.sort_by_key(|(_, it)| order(it));
        groups
    }
}
