//! Random symmetric graphs, decided by one state for several, and by every state.
//!
//! A graph is made of some representatives, each of which stands for all states that a group of
//! permutations of actors makes of it. Of each edge all that the group makes of it are there. Then
//! the graph of representatives, with the subject of a claim followed through it, has to be
//! answered as the graph of all states, by the matrix that knows of no turns.

use std::ops::Range;

use deathwatch_checker::{
    MemoryBudget,
    fair::{self, LeadsOptions, Masks, sieve},
    graph::{Fairness, Graph, Label, SharedGraph, Turns},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    SEED,
    cases::RandomCase,
    exchange::{in_processes, intact},
    matrix::in_fair_component,
};

const CASES: usize = 100_000;
/// The number of those that are sieved.
const SIEVED: usize = 5_000;

/// A group of permutations of some actors: the first element changes nothing.
struct Permutations(Vec<Vec<usize>>);

impl Permutations {
    /// All that come of some permutations of `actors` actors.
    fn generated(actors: usize, generators: &[Vec<usize>]) -> Self {
        let mut all: Vec<Vec<usize>> = vec![(0..actors).collect()];
        let mut done = 0;
        while done < all.len() {
            for generator in generators {
                let next: Vec<usize> = all[done].iter().map(|actor| generator[*actor]).collect();
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            done += 1;
        }
        Self(all)
    }

    fn number(&self, permutation: &[usize]) -> usize {
        self.0.iter().position(|other| other == permutation).expect("it is a group")
    }

    fn product(&self, then: usize, first: usize) -> usize {
        let product: Vec<usize> = self.0[first].iter().map(|actor| self.0[then][*actor]).collect();
        self.number(&product)
    }

    fn inverse(&self, number: usize) -> usize {
        (0..self.0.len()).find(|other| self.product(*other, number) == 0).expect("it is a group")
    }

    /// The subgroup of the elements that satisfy `keeps`.
    fn subgroup(&self, keeps: impl Fn(&[usize]) -> bool) -> Vec<usize> {
        (0..self.0.len()).filter(|number| keeps(&self.0[*number])).collect()
    }
}

/// A class of an actor, or one that belongs to none: actors have two kinds of classes.
fn renamed(permutation: &[usize], label: Label) -> Label {
    let Some(class) = label.as_class() else { return label };
    let (actor, kind) = (usize::from(class) / 2, usize::from(class) % 2);
    let actor = permutation.get(actor).copied().unwrap_or(actor);
    Label::class(u16::try_from(2 * actor + kind).unwrap())
}

struct SymmetricCase {
    group: Permutations,
    actors: usize,
    /// The elements that leave each representative as it is.
    stabilizers: Vec<Vec<usize>>,
    /// The edges of each representative: label, element, and the representative that the element
    /// turns into the target.
    edges: Vec<Vec<(Label, usize, usize)>>,
    fairness: Vec<Fairness>,
    /// The `from` and the `to` of the claim, for each representative and each subject.
    conditions: Vec<Vec<[bool; 2]>>,
}

impl SymmetricCase {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let groups = [
            vec![vec![1, 0]],
            vec![vec![1, 2, 0]],
            vec![vec![1, 0, 2], vec![0, 2, 1]],
            vec![vec![1, 0, 2, 3], vec![0, 1, 3, 2]],
            vec![vec![1, 2, 3, 0]],
        ];
        let generators = &groups[rng.random_range(0..groups.len())];
        let actors = generators[0].len();
        let group = Permutations::generated(actors, generators);
        let count = rng.random_range(1..=5);
        let mut stabilizers = vec![(0..group.0.len()).collect::<Vec<usize>>()];
        while stabilizers.len() < count {
            let kept = rng.random_range(0..group.0.len());
            let generator = group.0[kept].clone();
            let cyclic = Permutations::generated(actors, &[generator]);
            let whole = rng.random_range(0..5) == 0;
            let of = |permutation: &[usize]| whole || cyclic.0.iter().any(|it| it == permutation);
            stabilizers.push(group.subgroup(of));
        }
        let kinds = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let [one, other, own] = [0; 3].map(|_| kinds[rng.random_range(0..3)]);
        let mut fairness: Vec<Fairness> = (0..2 * actors).map(|at| [one, other][at % 2]).collect();
        fairness.extend([own, own]);
        let mut edges = vec![Vec::new(); count];
        for from in 0..count {
            for _ in 0..rng.random_range(0..=3) {
                let to = rng.random_range(0..count);
                let label = crate::cases::label(rng, u16::try_from(2 * actors + 2).unwrap());
                let element = rng.random_range(0..group.0.len());
                for kept in &stabilizers[from] {
                    let label = renamed(&group.0[*kept], label);
                    edges[from].push((label, group.product(*kept, element), to));
                }
            }
        }
        let mut conditions: Vec<Vec<[bool; 2]>> = Vec::new();
        for stabilizer in &stabilizers {
            let all: Vec<[bool; 2]> = (0..=actors)
                .map(|_| [rng.random_range(0..3) == 0, rng.random_range(0..5) == 0])
                .collect();
            // What is said of a subject is said of all that the stabilizer makes of it.
            let first = |actor: usize| {
                let images = stabilizer.iter().map(|kept| image(&group.0[*kept], actor));
                images.min().expect("the identity is in it")
            };
            conditions.push((0..=actors).map(|actor| all[first(actor)]).collect());
        }
        Self { group, actors, stabilizers, edges, fairness, conditions }
    }

    /// The graph of all states, with the claim about one subject; the last actor takes part in no
    /// exchange.
    fn unfolded(&self, subject: usize) -> RandomCase {
        let order = self.group.0.len();
        let least = |state: usize, element: usize| {
            let same =
                self.stabilizers[state].iter().map(|kept| self.group.product(element, *kept));
            same.min().expect("the identity is in it")
        };
        let mut numbers = vec![u32::MAX; self.edges.len() * order];
        let mut states = Vec::new();
        for state in 0..self.edges.len() {
            for element in (0..order).filter(|element| least(state, *element) == *element) {
                numbers[state * order + element] = u32::try_from(states.len()).unwrap();
                states.push((state, element));
            }
        }
        let out = states.iter().map(|(state, element)| {
            let edges = self.edges[*state].iter().map(|(label, turn, next)| {
                let there = least(*next, self.group.product(*element, *turn));
                (numbers[next * order + there], renamed(&self.group.0[*element], *label))
            });
            edges.collect()
        });
        let masks: Vec<[u64; 2]> = states
            .iter()
            .map(|(state, element)| {
                let back = &self.group.0[self.group.inverse(*element)];
                self.conditions[*state][image(back, subject)].map(u64::from)
            })
            .collect();
        RandomCase {
            out: out.collect(),
            starts: vec![0],
            fairness: self.fairness.clone(),
            masks: Masks::new(&masks),
            claims: 1,
        }
    }
}

/// The image of an actor; the one behind the last is exchanged with none.
fn image(permutation: &[usize], actor: usize) -> usize {
    permutation.get(actor).copied().unwrap_or(actor)
}

/// The representatives, each with a coset of the elements that keep the subject.
struct FollowedCase<'a> {
    case: &'a SymmetricCase,
    cosets: Vec<Vec<usize>>,
}

impl Graph for FollowedCase<'_> {
    fn len(&self) -> u32 {
        u32::try_from(self.case.edges.len() * self.cosets.len()).unwrap()
    }

    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.turned_edges(state).map(|(next, label, _)| (next, label))
    }

    fn starts(&self) -> &[u32] {
        &[0]
    }

    fn turns(&self) -> Option<&dyn Turns> {
        Some(&self.case.group)
    }

    fn turned_edges(&self, state: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        let (state, coset) =
            (state as usize / self.cosets.len(), state as usize % self.cosets.len());
        self.case.edges[state].iter().map(move |(label, turn, next)| {
            let there = self.case.group.product(self.cosets[coset][0], *turn);
            let coset = self.cosets.iter().position(|coset| coset.contains(&there)).unwrap();
            (u32::try_from(next * self.cosets.len() + coset).unwrap(), *label, *turn)
        })
    }
}

impl Turns for Permutations {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn product(&self, then: usize, first: usize) -> usize {
        Self::product(self, then, first)
    }

    fn inverse(&self, turn: usize) -> usize {
        Self::inverse(self, turn)
    }

    fn renamed(&self, turn: usize, label: Label) -> Label {
        renamed(&self.0[turn], label)
    }
}

impl<'a> FollowedCase<'a> {
    /// The representatives, and what the claim about a subject says of each state.
    fn of(case: &'a SymmetricCase, subject: usize) -> (Self, Vec<[u64; 2]>) {
        let kept = case.group.subgroup(|permutation| image(permutation, subject) == subject);
        let mut cosets: Vec<Vec<usize>> = Vec::new();
        for element in 0..case.group.0.len() {
            if !cosets.iter().any(|coset| coset.contains(&element)) {
                cosets.push(kept.iter().map(|kept| case.group.product(*kept, element)).collect());
            }
        }
        let mut masks = Vec::new();
        for conditions in &case.conditions {
            for coset in &cosets {
                let back = &case.group.0[case.group.inverse(coset[0])];
                masks.push(conditions[image(back, subject)].map(u64::from));
            }
        }
        (Self { case, cosets }, masks)
    }
}

/// Whether the claim about a subject is violated, by representatives.
fn is_violated(case: &SymmetricCase, subject: usize) -> bool {
    let (followed, masks) = FollowedCase::of(case, subject);
    violated(&followed, &masks, 1) == 1
}

fn violated(followed: &FollowedCase<'_>, masks: &[[u64; 2]], claims: usize) -> u64 {
    let (masks, mut memory) = (Masks::new(masks), MemoryBudget::unlimited());
    let (fairness, options) = (&followed.case.fairness, LeadsOptions::default());
    let found = fair::violated(followed, fairness, &masks, claims, options, &mut memory, &|| None);
    assert_eq!(memory.used(), 0, "all memory is given back");
    found.expect("nobody interrupts").0
}

#[test]
fn one_state_for_several_decides_as_all_of_them_do() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut answers = [0; 2];
    for number in 0..CASES {
        let case = SymmetricCase::random(&mut rng);
        let subject = rng.random_range(0..=case.actors);
        let unfolded = case.unfolded(subject);
        let open = (0..unfolded.out.len()).filter(|&state| !unfolded.to(0, state));
        let open = open.fold(0, |all, state| all | 1 << state);
        let mut on_cycle = vec![false; unfolded.out.len()];
        in_fair_component(&unfolded, open, &mut on_cycle);
        let expected = unfolded.is_violated(0, &on_cycle);
        assert_eq!(is_violated(&case, subject), expected, "graph {number}: {unfolded:#?}");
        answers[usize::from(expected)] += 1;
    }
    println!("holds, violated: {answers:?}");
    assert!(answers.iter().all(|&count| count > CASES / 5), "a one-sided sample: {answers:?}");
}

/// A graph of which the states are dealt to processes in turn.
struct DealtGraph<'g, G> {
    graph: &'g G,
    processes: u32,
    process: u32,
}

impl<G: Graph> SharedGraph for DealtGraph<'_, G> {
    fn states(&self) -> u32 {
        self.graph.len()
    }

    fn kept_by(
        &self,
        process: usize,
        numbers: Range<u32>,
    ) -> impl DoubleEndedIterator<Item = (u32, u32)> + '_ {
        let is_its = move |number: &u32| (number % self.processes) as usize == process;
        numbers.filter(is_its).map(|number| (number / self.processes, number))
    }

    fn turned_edges(&self, place: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        self.graph.turned_edges(place * self.processes + self.process)
    }

    fn turns(&self) -> Option<&dyn Turns> {
        self.graph.turns()
    }
}

/// The claims with these masks of which a sieve by this number of processes leaves something.
fn left(
    graph: &(impl Graph + Sync),
    (masks, claims): (&[[u64; 2]], usize),
    fairness: &[Fairness],
    processes: u32,
) -> u64 {
    let found = in_processes(processes as usize, &intact, |exchange| {
        let process = u32::try_from(exchange.process()).unwrap();
        let graph = DealtGraph { graph, processes, process };
        let kept = graph.kept_by(exchange.process(), 0..graph.states());
        let own: Vec<[u64; 2]> = kept.map(|(_, number)| masks[number as usize]).collect();
        let mut memory = MemoryBudget::unlimited();
        let judge = |(): &mut (), place: u32| own[place as usize];
        let masks =
            Masks::by(u32::try_from(own.len()).unwrap(), 1, &mut memory, &|| None, || (), judge);
        let masks = (masks.map(|masks| (masks, vec![own.len() as u64; claims])), claims);
        let sieved = sieve(&graph, exchange, fairness, masks, &mut memory, &|| None).unwrap();
        assert_eq!(memory.used(), 0, "all memory is given back");
        assert_eq!(sieved.from_states[0], u64::from(graph.states()), "counts are added up");
        sieved.left
    });
    assert!(found.iter().all(|left| *left == found[0]), "{found:?}");
    found[0]
}

#[test]
fn of_one_state_for_several_the_sieve_leaves_what_it_leaves_of_all_of_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut violated, mut holding) = (0, [0; 2]);
    for number in 0..SIEVED {
        let case = SymmetricCase::random(&mut rng);
        let subject = rng.random_range(0..=case.actors);
        let unfolded = case.unfolded(subject);
        let masks: Vec<[u64; 2]> = (0..unfolded.len()).map(|it| unfolded.masks.get(it)).collect();
        let expected = left(&unfolded, (&masks, 1), &case.fairness, 1);
        let (followed, masks) = FollowedCase::of(&case, subject);
        let processes = rng.random_range(1..=3);
        let left = left(&followed, (&masks, 1), &case.fairness, processes);
        assert_eq!(left, expected, "graph {number}: {unfolded:#?}");
        if is_violated(&case, subject) {
            assert_eq!(left, 1, "graph {number} is violated");
            violated += 1;
        } else {
            holding[usize::try_from(left).unwrap()] += 1;
        }
    }
    println!("violated: {violated}; holds, and is sieved or left: {holding:?}");
    assert!(violated > SIEVED / 5 && holding[0] > SIEVED / 5, "{violated} {holding:?}");
}

/// Two rings of three representatives. Along each of them the same actor can end it all, under the
/// names that the turns along the ring give it.
struct TwoRings {
    group: Permutations,
    /// The turns along both rings; those of a ring make up none.
    turns: [usize; 3],
    /// The names of the actor along each ring.
    names: [[usize; 3]; 2],
}

impl TwoRings {
    /// The ring graph of two turns, whose actors have these names where the rings begin.
    fn of(group: &[Vec<usize>], [one, other]: [usize; 2], actors: [usize; 2]) -> Self {
        let group = Permutations(group.to_vec());
        let both = group.product(one, other);
        let called = |actor: usize, frame| group.0[group.inverse(frame)][actor];
        let names = actors.map(|actor| [0, one, both].map(|frame| called(actor, frame)));
        Self { turns: [one, other, group.inverse(both)], names, group }
    }

    /// The masks of claims that the sieve leaves, and that are violated: one can only stay pending
    /// in the first ring, the other in the second.
    fn left_and_violated(&self) -> (u64, u64) {
        let everybody: Vec<usize> = (0..self.group.0.len()).collect();
        let (actors, end) = (self.group.0[0].len(), 7);
        let class = |actor: usize| Label::class(u16::try_from(2 * actor).unwrap());
        // Somebody leaves the start who is exchanged with nobody.
        let start = |turn: &usize| [(class(actors), *turn, 1), (class(actors), *turn, 4)];
        let mut edges = vec![everybody.iter().flat_map(start).collect()];
        for (ring, names) in self.names.iter().enumerate() {
            for (place, (name, turn)) in names.iter().zip(self.turns).enumerate() {
                let next = 3 * ring + (place + 1) % 3 + 1;
                edges.push(vec![(Label::FREE, turn, next), (class(*name), 0, end)]);
            }
        }
        edges.push(Vec::new());
        let case = SymmetricCase {
            group: Permutations(self.group.0.clone()),
            actors,
            stabilizers: (0..=end)
                .map(|it| if it % end == 0 { everybody.clone() } else { vec![0] })
                .collect(),
            edges,
            fairness: vec![Fairness::Weak; 2 * actors + 2],
            conditions: vec![vec![[false; 2]; actors + 1]; end + 1],
        };
        // What concerns nobody is said of each state of an orbit alike.
        let followed = FollowedCase::of(&case, actors).0;
        let masks = [&[[3, 0]][..], &[[0, 2]; 3], &[[0, 1]; 3], &[[0, 3]]].concat();
        (left(&followed, (&masks, 2), &case.fairness, 2), violated(&followed, &masks, 2))
    }
}

#[test]
fn an_actor_is_followed_by_its_name_in_each_state() {
    for generators in [&[vec![1, 2, 0]][..], &[vec![1, 0, 2], vec![0, 2, 1]]] {
        let group = Permutations::generated(3, generators).0;
        let pairs = (0..group.len()).flat_map(|one| (0..group.len()).map(move |it| [one, it]));
        for (turns, actors) in pairs.flat_map(|it| [[0, 0], [0, 1], [2, 0]].map(|of| (it, of))) {
            let mut rings = TwoRings::of(&group, turns, actors);
            // An actor that can always move has to.
            assert_eq!(rings.left_and_violated(), (0, 0), "{turns:?} {actors:?}");
            for (ring, place) in [(0, 1), (1, 2)] {
                let name = rings.names[ring][place];
                rings.names[ring][place] = (name + 1) % 3;
                let expected = (1 << ring, 1 << ring);
                assert_eq!(rings.left_and_violated(), expected, "{turns:?} {actors:?}");
                rings.names[ring][place] = name;
            }
        }
    }
}

#[test]
fn a_fault_leads_nobody_round() {
    // Actor 0 moves for ever where actor 1 could end it all; only a fault lets them change places.
    let group = Permutations::generated(2, &[vec![1, 0]]);
    let class = |actor: u16| Label::class(2 * actor);
    let edges = vec![
        vec![(Label::FREE, 0, 1), (Label::FREE, 1, 1)],
        vec![(class(0), 0, 1), (class(1), 0, 2), (Label::FAULT, 1, 1)],
        Vec::new(),
    ];
    let conditions = [[true, false], [false, false], [false, true]].map(|it| vec![it; 3]);
    let case = SymmetricCase {
        group,
        actors: 2,
        stabilizers: vec![vec![0, 1], vec![0], vec![0]],
        edges,
        fairness: [[Fairness::Weak, Fairness::None]; 3].concat(),
        conditions: conditions.into(),
    };
    assert!(is_violated(&case, 2), "nobody has to leave the start");
    let mut owed = case;
    owed.conditions[0] = vec![[false, false]; 3];
    owed.conditions[1] = vec![[true, false]; 3];
    assert!(!is_violated(&owed, 2), "actor 1 can always move, and has to");
}
