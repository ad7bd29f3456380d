//! Random questions, and what a verdict has to be, given the states on fair cycles.

use deathwatch_checker::{
    MemoryBudget, Stop,
    fair::{ClaimVerdict, Lasso, LassoStep, LeadsOptions, Masks, PointOfNoReturn, leads},
    graph::{Fairness, Graph, Label},
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

#[derive(Debug)]
pub(crate) struct RandomCase {
    pub(crate) out: Vec<Vec<(u32, Label)>>,
    pub(crate) starts: Vec<u32>,
    pub(crate) fairness: Vec<Fairness>,
    pub(crate) masks: Masks,
    pub(crate) claims: usize,
}

impl Graph for RandomCase {
    fn len(&self) -> u32 {
        u32::try_from(self.out.len()).unwrap()
    }

    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.out[state as usize].iter().copied()
    }

    fn starts(&self) -> &[u32] {
        &self.starts
    }
}

impl RandomCase {
    /// Six states and twelve edges at most: few enough to try every set of edges.
    pub(crate) fn small(rng: &mut ChaCha8Rng) -> Self {
        let size = rng.random_range(1..=6);
        let mut case = Self::bare(rng, size, 3, 5);
        for to in 1..size {
            // Most states are reached from an earlier one, or else little would be reached.
            if rng.random_range(0..8) > 0 {
                let from = rng.random_range(0..to);
                case.out[from].push((u32::try_from(to).unwrap(), label(rng, 3)));
            }
        }
        for _ in 0..rng.random_range(0..=12 - size) {
            let from = rng.random_range(0..size);
            let to = rng.random_range(0..case.len());
            case.out[from].push((to, label(rng, 3)));
        }
        case
    }

    /// A random case of up to 128 states, with edges mostly forward and often near, as an explorer
    /// numbers them.
    pub(crate) fn larger(rng: &mut ChaCha8Rng) -> Self {
        let size = rng.random_range(2..=128_u32);
        let claims = *[1, 7, 64].get(rng.random_range(0..3)).unwrap();
        let mut case = Self::bare(rng, size as usize, 6, claims);
        let (degree, back) = (rng.random_range(1..=4), rng.random_range(1..=20));
        for from in 0..size {
            for _ in 0..rng.random_range(0..=degree) {
                let to = match rng.random_range(0..20) {
                    0 => rng.random_range(0..size),
                    roll if roll < back => from.saturating_sub(rng.random_range(0..=4)),
                    _ => (from + rng.random_range(1..=6)).min(size - 1),
                };
                case.out[from as usize].push((to, label(rng, 6)));
            }
        }
        case
    }

    /// States without edges.
    fn bare(rng: &mut ChaCha8Rng, size: usize, classes: usize, claims: usize) -> Self {
        let kinds = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let len = u32::try_from(size).unwrap();
        let (from, to) = (masks(rng, size, 6), masks(rng, size, 8));
        Self {
            out: vec![Vec::new(); size],
            starts: (0..rng.random_range(1..=2)).map(|at| at * rng.random_range(0..len)).collect(),
            fairness: (0..classes).map(|_| kinds[rng.random_range(0..3)]).collect(),
            masks: Masks::new(
                &from.into_iter().zip(to).map(|(from, to)| [from, to]).collect::<Vec<_>>(),
            ),
            claims,
        }
    }

    /// The verdicts by each of these numbers of threads, which have to be the same, as has the
    /// memory.
    pub(crate) fn verdicts(&self, threads: &[usize]) -> Vec<ClaimVerdict> {
        let mut found = threads.iter().map(|threads| {
            let mut memory = MemoryBudget::unlimited();
            let verdicts = self.verdicts_within(*threads, &mut memory);
            (verdicts.expect("nobody interrupts"), memory.peak())
        });
        let first = found.next().expect("there is a number of threads");
        found.for_each(|other| assert_eq!(other, first, "by other threads: {self:#?}"));
        first.0
    }

    /// The same question with the numbers of states so far apart that a thread never gets two of
    /// them at once. In between lie states that cannot be reached, and say what the others do.
    pub(crate) fn spread(&self) -> Self {
        let apart = |state: u32| state * APART;
        let size = self.len() * APART;
        let edges = |state: u32| {
            let edges = &self.out[(state / APART) as usize];
            edges.iter().map(|(next, label)| (apart(*next), *label)).collect()
        };
        let masks: Vec<[u64; 2]> = (0..size).map(|state| self.masks.get(state / APART)).collect();
        Self {
            out: (0..size).map(edges).collect(),
            starts: self.starts.iter().copied().map(apart).collect(),
            fairness: self.fairness.clone(),
            masks: Masks::new(&masks),
            claims: self.claims,
        }
    }

    pub(crate) fn verdicts_within(
        &self,
        threads: usize,
        memory: &mut MemoryBudget,
    ) -> Result<Vec<ClaimVerdict>, Stop> {
        let Self { fairness, masks, claims, .. } = self;
        let options = LeadsOptions { threads, chunk: 1 };
        leads(self, fairness, masks, *claims, options, memory, &|| None)
    }

    fn mask(&self, state: usize) -> [u64; 2] {
        self.masks.get(u32::try_from(state).unwrap())
    }

    pub(crate) fn from(&self, claim: usize, state: usize) -> bool {
        self.mask(state)[0] >> claim & 1 == 1
    }

    pub(crate) fn to(&self, claim: usize, state: usize) -> bool {
        self.mask(state)[1] >> claim & 1 == 1
    }

    pub(crate) fn able(&self, class: usize, state: usize) -> bool {
        self.out[state].iter().any(|&(_, label)| is(label, class))
    }

    /// Whether a run may stop here by definition: no class that has to move can.
    pub(crate) fn stops(&self, state: usize) -> bool {
        let is_obliged = |&class: &usize| self.fairness[class] != Fairness::None;
        !(0..self.fairness.len()).filter(is_obliged).any(|class| self.able(class, state))
    }

    /// The fewest steps to each state with the obligation open, by relaxing every edge until
    /// nothing changes; and the states that can be reached at all.
    fn distances(&self, claim: usize) -> (Vec<Option<usize>>, Vec<bool>) {
        let size = self.out.len();
        let mut steps = vec![[None; 2]; size];
        let monitor = |open: bool, state: usize| {
            usize::from((open || self.from(claim, state)) && !self.to(claim, state))
        };
        for &start in &self.starts {
            steps[start as usize][monitor(false, start as usize)] = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (state, open) in (0..size).flat_map(|state| [(state, false), (state, true)]) {
                let Some(here) = steps[state][usize::from(open)] else { continue };
                for &(next, _) in &self.out[state] {
                    let there = &mut steps[next as usize][monitor(open, next as usize)];
                    if there.is_none_or(|there| there > here + 1) {
                        *there = Some(here + 1);
                        changed = true;
                    }
                }
            }
        }
        let reached = steps.iter().map(|by| by[0].is_some() || by[1].is_some()).collect();
        (steps.iter().map(|by| by[1]).collect(), reached)
    }

    /// Whether the obligation can stay open for ever, given the states on fair cycles.
    pub(crate) fn is_violated(&self, claim: usize, on_cycle: &[bool]) -> bool {
        let (steps, _) = self.distances(claim);
        let stays = |state: usize| self.stops(state) || on_cycle[state];
        (0..self.out.len()).any(|state| steps[state].is_some() && stays(state))
    }

    /// Holds one verdict against the states that are known to be on a fair cycle.
    pub(crate) fn compare(
        &self,
        claim: usize,
        verdict: &ClaimVerdict,
        on_cycle: &[bool],
    ) -> ComparisonSubject {
        let (steps, reached) = self.distances(claim);
        let counted =
            (0..self.out.len()).filter(|&state| reached[state] && self.from(claim, state));
        assert_eq!(verdict.from_states, counted.count() as u64, "claim {claim} of {self:#?}");
        let nearest = (0..self.out.len())
            .filter(|&state| self.stops(state) || on_cycle[state])
            .filter_map(|state| Some((steps[state]?, !self.stops(state), state)))
            .min();
        let found = verdict.lasso.as_ref().map(|lasso| {
            let replayed = lasso.replay(self, &self.fairness, &self.masks, claim);
            assert_eq!(replayed, Ok(()), "claim {claim} of {self:#?}\n{lasso:?}");
            (lasso.prefix.len(), !lasso.cycle.is_empty(), lasso.entry() as usize)
        });
        assert_eq!(found, nearest, "claim {claim} of {self:#?}");
        match found {
            None if verdict.from_states == 0 => ComparisonSubject::Vacuous,
            None => ComparisonSubject::Holds,
            Some((_, false, _)) => ComparisonSubject::End,
            Some((_, true, _)) => ComparisonSubject::Cycle,
        }
    }
}

/// The distance between the numbers of states in a question that is [spread](RandomCase::spread).
const APART: u32 = 64;

/// The verdict on a question that is spread, where this is the one on the question itself.
pub(crate) fn spread(verdict: ClaimVerdict) -> ClaimVerdict {
    let step = |LassoStep { from, edge, to }| {
        let [from, to] = [from, to].map(|state| state * APART);
        LassoStep { from, edge, to }
    };
    let lasso = verdict.lasso.map(|Lasso { start, prefix, cycle }| {
        let [prefix, cycle] = [prefix, cycle].map(|it| it.into_iter().map(step).collect());
        Lasso { start: start * APART, prefix, cycle }
    });
    let no_return = verdict.no_return.map(|it| PointOfNoReturn { aid: it.aid.map(step), ..it });
    ClaimVerdict { lasso, no_return, ..verdict }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComparisonSubject {
    Vacuous,
    Holds,
    End,
    Cycle,
}

/// A mask a state, with each bit set once in `rarity` or so.
pub(crate) fn masks(rng: &mut ChaCha8Rng, size: usize, rarity: u32) -> Vec<u64> {
    let rarity = rng.random_range(2..=rarity);
    let mut mask =
        || (0..64).fold(0, |mask, bit| mask | u64::from(rng.random_range(0..rarity) == 0) << bit);
    (0..size).map(|_| mask()).collect()
}

/// A fault or a free actor now and then, else one of the classes.
pub(crate) fn label(rng: &mut ChaCha8Rng, classes: u16) -> Label {
    match rng.random_range(0..8) {
        0 => Label::FAULT,
        1 => Label::FREE,
        _ => Label::class(rng.random_range(0..classes)),
    }
}

pub(crate) fn is(label: Label, class: usize) -> bool {
    label.as_class().is_some_and(|own| usize::from(own) == class)
}
