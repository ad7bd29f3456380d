//! The fair-run search against oracles that know nothing of it.
//!
//! A search that answers "holds" wrongly is the worst defect a checker can have. So it is held
//! against the definition itself: on small graphs, every set of edges is tried as the edges that
//! a run repeats for ever. Sets of edges are too many on larger graphs, and those have bugs of
//! their own (words of 64 states, long ways back, components in components); there the oracle is
//! a matrix of who reaches whom.

use deathwatch_checker::{
    fair::{Masks, Verdict, leads},
    graph::{Fairness, Graph, Label},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The same dice on every machine.
const SEED: u64 = 0x0_DEAD;

/// A random question.
#[derive(Debug)]
struct Case {
    out: Vec<Vec<(u32, Label)>>,
    starts: Vec<u32>,
    fairness: Vec<Fairness>,
    masks: Masks,
    claims: usize,
}

impl Graph for Case {
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

impl Case {
    /// Six states and twelve edges at most: few enough to try every set of edges.
    fn small(dice: &mut ChaCha8Rng) -> Self {
        let size = dice.random_range(1..=6);
        let mut case = Self::bare(dice, size, 3, 5);
        for to in 1..size {
            // Most states are reached from an earlier one, or else little would be reached.
            if dice.random_range(0..8) > 0 {
                let from = dice.random_range(0..to);
                case.out[from].push((u32::try_from(to).unwrap(), label(dice, 3)));
            }
        }
        for _ in 0..dice.random_range(0..=12 - size) {
            let from = dice.random_range(0..size);
            let to = dice.random_range(0..case.len());
            case.out[from].push((to, label(dice, 3)));
        }
        case
    }

    /// Up to 128 states, with edges mostly forward and often near, as an explorer numbers them.
    fn larger(dice: &mut ChaCha8Rng) -> Self {
        let size = dice.random_range(2..=128_u32);
        let claims = *[1, 7, 64].get(dice.random_range(0..3)).unwrap();
        let mut case = Self::bare(dice, size as usize, 6, claims);
        let (degree, back) = (dice.random_range(1..=4), dice.random_range(1..=20));
        for from in 0..size {
            for _ in 0..dice.random_range(0..=degree) {
                let to = match dice.random_range(0..20) {
                    0 => dice.random_range(0..size),
                    roll if roll < back => from.saturating_sub(dice.random_range(0..=4)),
                    _ => (from + dice.random_range(1..=6)).min(size - 1),
                };
                case.out[from as usize].push((to, label(dice, 6)));
            }
        }
        case
    }

    /// States without edges.
    fn bare(dice: &mut ChaCha8Rng, size: usize, classes: usize, claims: usize) -> Self {
        let kinds = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let len = u32::try_from(size).unwrap();
        let (from, to) = (masks(dice, size, 6), masks(dice, size, 8));
        Self {
            out: vec![Vec::new(); size],
            starts: (0..dice.random_range(1..=2))
                .map(|at| at * dice.random_range(0..len))
                .collect(),
            fairness: (0..classes).map(|_| kinds[dice.random_range(0..3)]).collect(),
            masks: Masks { from, to },
            claims,
        }
    }

    fn verdicts(&self) -> Vec<Verdict> {
        leads(self, &self.fairness, &self.masks, self.claims, &|| None).expect("nobody interrupts")
    }

    fn from(&self, claim: usize, state: usize) -> bool {
        self.masks.from[state] >> claim & 1 == 1
    }

    fn to(&self, claim: usize, state: usize) -> bool {
        self.masks.to[state] >> claim & 1 == 1
    }

    fn able(&self, class: usize, state: usize) -> bool {
        self.out[state].iter().any(|&(_, label)| is(label, class))
    }

    /// By definition: nobody who owes anything can move.
    fn stops(&self, state: usize) -> bool {
        let owes = |&class: &usize| self.fairness[class] != Fairness::None;
        !(0..self.fairness.len()).filter(owes).any(|class| self.able(class, state))
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

    /// Holds one verdict against the states that are known to be on a fair cycle.
    fn compare(&self, claim: usize, verdict: &Verdict, on_cycle: &[bool]) -> Seen {
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
            None if verdict.from_states == 0 => Seen::Vacuous,
            None => Seen::Holds,
            Some((_, false, _)) => Seen::End,
            Some((_, true, _)) => Seen::Cycle,
        }
    }
}

/// What a comparison was about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Vacuous,
    Holds,
    End,
    Cycle,
}

/// A mask a state, with each bit set once in `rarity` or so.
fn masks(dice: &mut ChaCha8Rng, size: usize, rarity: u32) -> Vec<u64> {
    let rarity = dice.random_range(2..=rarity);
    let mut mask =
        || (0..64).fold(0, |mask, bit| mask | u64::from(dice.random_range(0..rarity) == 0) << bit);
    (0..size).map(|_| mask()).collect()
}

/// A fault or a free actor now and then, else one of the classes.
fn label(dice: &mut ChaCha8Rng, classes: u16) -> Label {
    match dice.random_range(0..8) {
        0 => Label::FAULT,
        1 => Label::FREE,
        _ => Label::class(dice.random_range(0..classes)),
    }
}

fn is(label: Label, class: usize) -> bool {
    label.as_class().is_some_and(|own| usize::from(own) == class)
}

/// A set of edges that a run can repeat for ever, as the set of states on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Loop {
    states: u8,
    weakly_fair: bool,
    strongly_fair: bool,
}

/// Every strongly connected set of edges without faults.
fn loops(case: &Case) -> Vec<Loop> {
    let edges: Vec<(usize, usize, Label)> = (0..case.out.len())
        .flat_map(|from| case.out[from].iter().map(move |&(to, label)| (from, to as usize, label)))
        .filter(|(.., label)| !label.is_fault())
        .collect();
    let able: Vec<Vec<bool>> = (0..case.fairness.len())
        .map(|class| (0..case.out.len()).map(|state| case.able(class, state)).collect())
        .collect();
    let mut loops = Vec::new();
    for chosen in 1..1_u32 << edges.len() {
        let edges = || edges.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let mut reach = [0_u8; 6];
        edges().for_each(|(_, &(from, to, _))| reach[from] |= 1 << to);
        let states = edges().fold(0, |all, (_, &(from, ..))| all | 1 << from);
        if reach.iter().fold(0, |all, to| all | to) != states {
            continue;
        }
        let on = || (0..6).filter(|state| states >> state & 1 == 1);
        for _ in on() {
            for from in on() {
                reach[from] = on()
                    .filter(|to| reach[from] >> to & 1 == 1)
                    .fold(reach[from], |all, to| all | reach[to]);
            }
        }
        if on().any(|state| reach[state] != states) {
            continue;
        }
        let fair = |kind, excused: &dyn Fn(usize) -> bool| {
            (0..3)
                .filter(|&class| case.fairness[class] == kind)
                .all(|class| edges().any(|(_, &(.., label))| is(label, class)) || excused(class))
        };
        loops.push(Loop {
            states,
            weakly_fair: fair(Fairness::Weak, &|class| on().any(|state| !able[class][state])),
            strongly_fair: fair(Fairness::Strong, &|class| on().all(|state| !able[class][state])),
        });
    }
    loops.sort_unstable();
    loops.dedup();
    loops
}

/// The states on some fair loop that never closes the claim; and whether one of those loops
/// lies in a larger one that is unfair to a strong class, however it goes.
fn on_fair_loop(case: &Case, claim: usize, loops: &[Loop]) -> (Vec<bool>, bool) {
    let closed =
        (0..case.out.len()).fold(0, |all, state| all | u8::from(case.to(claim, state)) << state);
    let open = || loops.iter().filter(|one| one.states & closed == 0);
    let fair = || open().filter(|one| one.weakly_fair && one.strongly_fair);
    let states = fair().fold(0, |all, one| all | one.states);
    let pruned = open().filter(|large| large.weakly_fair && !large.strongly_fair).any(|large| {
        fair().all(|one| one.states != large.states)
            && fair().any(|one| one.states & !large.states == 0)
    });
    ((0..case.out.len()).map(|state| states >> state & 1 == 1).collect(), pruned)
}

#[test]
fn the_search_agrees_with_the_definition_on_small_graphs() {
    let mut dice = ChaCha8Rng::seed_from_u64(SEED);
    let mut seen = Vec::new();
    let (mut pruned, mut strength) = (0, 0);
    for _ in 0..100_000 {
        let mut case = Case::small(&mut dice);
        let loops = loops(&case);
        let verdicts = case.verdicts();
        assert_eq!(verdicts.len(), case.claims);
        for (claim, verdict) in verdicts.iter().enumerate() {
            let (on_cycle, unfair_around) = on_fair_loop(&case, claim, &loops);
            let now = case.compare(claim, verdict, &on_cycle);
            pruned += u32::from(unfair_around && now == Seen::Cycle);
            seen.push(now);
        }
        if case.fairness.contains(&Fairness::Strong) {
            let strong = |kind: &mut Fairness| {
                if *kind == Fairness::Strong {
                    *kind = Fairness::Weak;
                }
            };
            case.fairness.iter_mut().for_each(strong);
            let differs = |(a, b): (&Verdict, &Verdict)| a.lasso.is_some() != b.lasso.is_some();
            strength += verdicts.iter().zip(&case.verdicts()).filter(|pair| differs(*pair)).count();
        }
    }
    let count = |kind| seen.iter().filter(|&&one| one == kind).count();
    let counts = [count(Seen::Vacuous), count(Seen::Holds), count(Seen::End), count(Seen::Cycle)];
    println!("vacuous, holds, end, cycle: {counts:?}, pruned {pruned}, strength {strength}");
    assert!(counts.iter().all(|&count| count > 10_000), "a one-sided sample: {counts:?}");
    assert!(pruned > 500, "strong fairness prunes in {pruned} cases only");
    assert!(strength > 500, "strong fairness decides {strength} cases only");
}

/// The states on some fair cycle, from the matrix of who reaches whom, for graphs of any shape.
fn in_fair_component(case: &Case, states: u128, on_cycle: &mut Vec<bool>) {
    let size = case.out.len();
    let within = |state: usize| states >> state & 1 == 1;
    let lasting = |state: usize| {
        case.out[state]
            .iter()
            .filter(|(_, label)| !label.is_fault())
            .map(|&(to, label)| (to as usize, label))
    };
    let mut reach = vec![0_u128; size];
    for state in (0..size).filter(|&state| within(state)) {
        reach[state] = lasting(state).fold(0, |all, (to, _)| all | 1 << to) & states;
    }
    for middle in 0..size {
        for from in 0..size {
            if reach[from] >> middle & 1 == 1 {
                reach[from] |= reach[middle];
            }
        }
    }
    let mut left = states;
    for state in 0..size {
        let mutual = (0..size)
            .filter(|&other| reach[state] >> other & 1 == 1 && reach[other] >> state & 1 == 1)
            .fold(0, |all: u128, other| all | 1 << other);
        if mutual & left == 0 {
            continue;
        }
        left &= !mutual;
        let members = || (0..size).filter(|other| mutual >> other & 1 == 1);
        let moves = |class: usize| {
            let inside = |(to, label)| is(label, class) && mutual >> to & 1 == 1;
            members().any(|state| lasting(state).any(inside))
        };
        let still: Vec<usize> = (0..case.fairness.len()).filter(|&class| !moves(class)).collect();
        let of = |kind| still.iter().copied().filter(move |&class| case.fairness[class] == kind);
        if of(Fairness::Weak).any(|class| members().all(|state| case.able(class, state))) {
            continue;
        }
        let calm = members()
            .filter(|&state| !of(Fairness::Strong).any(|class| case.able(class, state)))
            .fold(0, |all: u128, state| all | 1 << state);
        if calm == mutual {
            members().for_each(|state| on_cycle[state] = true);
        } else {
            in_fair_component(case, calm, on_cycle);
        }
    }
}

#[test]
fn the_search_agrees_with_a_matrix_on_larger_graphs() {
    let mut dice = ChaCha8Rng::seed_from_u64(SEED);
    let mut seen = Vec::new();
    for _ in 0..600 {
        let case = Case::larger(&mut dice);
        for (claim, verdict) in case.verdicts().iter().enumerate() {
            let open = (0..case.out.len()).filter(|&state| !case.to(claim, state));
            let open = open.fold(0, |all, state| all | 1 << state);
            let mut on_cycle = vec![false; case.out.len()];
            in_fair_component(&case, open, &mut on_cycle);
            seen.push(case.compare(claim, verdict, &on_cycle));
        }
    }
    let count = |kind| seen.iter().filter(|&&one| one == kind).count();
    let counts = [count(Seen::Holds), count(Seen::End), count(Seen::Cycle)];
    println!("holds, end, cycle: {counts:?}");
    assert!(counts.iter().all(|&count| count > 1_000), "a one-sided sample: {counts:?}");
}
