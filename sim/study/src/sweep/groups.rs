//! Groups of failures that have the same cause.
//!
//! Ten thousand seeds may fail in three ways. What is stuck is grouped by the roots of its
//! diagnosis, whatever claims it violates: a unit that is stuck keeps its relation and its
//! application, too. A failure with several roots belongs to several groups. What no diagnosis
//! explains is grouped by its claim and the rule of the step that violates it. Failures that are
//! expected and those that are not are in different groups.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use deathwatch_claims::diagnosis::RootKind;
use deathwatch_documents::{
    sweep::{ClaimSeeds, FailureGroup},
    wait_for::WaitFor,
};
use deathwatch_scenario::shell::quoted;

use super::result::{SeedResult, Violated};

/// The commands that look at single runs of a sweep.
pub(super) struct Commands<'a> {
    /// The scenario, as a command line names it.
    pub(super) scenario: String,
    /// The flags of the question, if it was asked on the spot.
    pub(super) asked: &'a [String],
}

impl Commands<'_> {
    /// The commands that replay and shrink the run of `seed`.
    pub(super) fn of(&self, seed: u64) -> [String; 2] {
        let seed = seed.to_string();
        ["replay", "shrink"].map(|verb| {
            let words = ["deathwatch", verb, &self.scenario, "--seed", &seed];
            let asked = self.asked.iter().map(String::as_str);
            words.into_iter().chain(asked).collect::<Vec<_>>().join(" ")
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FailureKind {
    /// A root of the stuck subject.
    Root(RootKind),
    /// The claim with this number is violated by a step of this rule, if it is known which.
    Claim(usize, String, Option<String>),
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(kind) => kind.fmt(f),
            Self::Claim(_, claim, None) => f.write_str(claim),
            Self::Claim(_, claim, Some(rule)) => write!(f, "{claim} ({rule})"),
        }
    }
}

impl FailureKind {
    /// The kinds of a violation of the claim with this number: one for each root.
    fn of(claim: usize, violated: &Violated) -> Vec<Self> {
        let roots = violated.wait_for.iter().flat_map(WaitFor::kinds);
        let roots: Vec<Self> = roots.map(Self::Root).collect();
        if roots.is_empty() {
            return vec![Self::Claim(claim, violated.claim.clone(), violated.rule.clone())];
        }
        roots
    }
}

/// A seed that violates a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FailingSeed {
    pub(super) seed: u64,
    /// The number of steps of its run.
    pub(super) steps: u64,
    pub(super) violated: Violated,
}

impl FailingSeed {
    /// The failure that `result` violates a claim.
    pub(super) fn new(result: &SeedResult, violated: &Violated) -> Self {
        Self { seed: result.seed, steps: result.stats.steps, violated: violated.clone() }
    }

    /// The weight of a run as an example: the lightest is shown.
    fn weight(&self) -> (usize, u64, u64) {
        let roots = self.violated.wait_for.as_ref().map_or(0, |it| it.roots.len());
        (roots, self.steps, self.seed)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Violation<'a> {
    pub(super) claim: usize,
    /// Whether the failure is unexpected.
    pub(super) is_unexpected: bool,
    pub(super) violated: &'a Violated,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Groups(BTreeMap<(Reverse<bool>, FailureKind), GroupSoFar>);

/// The failures of one kind so far.
#[derive(Clone, Debug)]
struct GroupSoFar {
    /// The number of groups that were found before it.
    number: usize,
    seeds: u64,
    alone: u64,
    claims: BTreeMap<usize, ClaimSeeds>,
    faults: BTreeMap<String, u64>,
    first: FailingSeed,
    clearest: FailingSeed,
}

impl Groups {
    /// Adds the violations of a seed, which was not added before. Returns the groups that it
    /// belongs to, as they are numbered until they are sorted.
    pub(super) fn add(&mut self, result: &SeedResult, violations: &[Violation<'_>]) -> Vec<usize> {
        let mut met: BTreeSet<(Reverse<bool>, FailureKind)> = BTreeSet::new();
        for violation in violations {
            let failing = FailingSeed::new(result, violation.violated);
            for kind in FailureKind::of(violation.claim, violation.violated) {
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
            let is_other = |other: &&(Reverse<bool>, FailureKind)| {
                other.1 != key.1 && matches!(other.1, FailureKind::Root(_))
            };
            found.alone += u64::from(!met.iter().any(|other| is_other(&other)));
        }
        numbers
    }

    fn note(
        &mut self,
        key: &(Reverse<bool>, FailureKind),
        violation: &Violation<'_>,
        failing: &FailingSeed,
    ) {
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
        let none = || ClaimSeeds { name: violation.violated.claim.clone(), seeds: 0 };
        found.claims.entry(violation.claim).or_insert_with(none).seeds += 1;
        if (failing.seed, failing.weight()) < (found.first.seed, found.first.weight()) {
            found.first = failing.clone();
        }
        if failing.weight() < found.clearest.weight() {
            found.clearest = failing.clone();
        }
    }

    /// The groups: those that are not expected first, then those of most seeds. Each stands beside
    /// the number that it had before.
    pub(super) fn into_sorted(self, commands: &Commands<'_>) -> Vec<(usize, FailureGroup)> {
        let group = |((Reverse(is_unexpected), kind), found): (_, GroupSoFar)| {
            (found.number, found.document(&kind, is_unexpected, commands))
        };
        let mut groups: Vec<(usize, FailureGroup)> = self.0.into_iter().map(group).collect();
        groups.sort_by_key(|(_, it)| (it.expected, Reverse(it.seeds), it.first_seed));
        groups
    }
}

impl GroupSoFar {
    fn document(
        self,
        kind: &FailureKind,
        is_unexpected: bool,
        commands: &Commands<'_>,
    ) -> FailureGroup {
        let root = match kind {
            FailureKind::Root(root) => Some(root),
            FailureKind::Claim(..) => None,
        };
        let commands = |seed: u64| {
            let [replay, shrink] = commands.of(seed);
            let root = root.map(|root| format!(" --root {}", quoted(&root.to_string())));
            [replay, shrink + &root.unwrap_or_default()]
        };
        let FailingSeed { seed: first_seed, steps, violated } = self.first;
        let clearest = self.clearest;
        let [replay, shrink] = commands(first_seed);
        let [replay_clearest, shrink_clearest] = commands(clearest.seed);
        FailureGroup {
            kind: kind.to_string(),
            text: root.map(|it| it.says()),
            passage: root.map(|it| it.source()),
            expected: !is_unexpected,
            known: None,
            seeds: self.seeds,
            alone: self.alone,
            claims: self.claims.into_values().collect(),
            faults: self.faults,
            first_seed,
            claim: violated.claim,
            step: violated.step,
            steps,
            subject: violated.subject,
            rule: violated.rule,
            diagnosis: violated.wait_for.as_ref().map(WaitFor::paragraph),
            wait_for: violated.wait_for,
            replay,
            shrink,
            clearest_seed: clearest.seed,
            clearest_step: clearest.violated.step,
            clearest_steps: clearest.steps,
            clearest_subject: clearest.violated.subject,
            clearest_wait_for: clearest.violated.wait_for,
            replay_clearest,
            shrink_clearest,
            shrunk: None,
            run: None,
        }
    }
}
