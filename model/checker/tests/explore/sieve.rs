//! The sieve of several processes, against a sieve of one that is too simple to be wrong, and
//! against the decision of the whole graph.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::{Exchange, ExploreOptions, ExploredPart, SearchLimits, explore},
    fair::{LeadsOptions, Masks, Sieved, leads, sieve},
    graph::{Fairness, Graph, Label},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    distributed::{FIRSTS, explored, say_otherwise},
    exchange::{AllMessages, Damage, in_processes, intact},
    tables::{TableSpace, packed},
};

const CLAIMS: usize = 64;

/// A random graph most of whose edges lead on, and the fairness of its movers.
fn random(seed: u64) -> (TableSpace, Vec<Fairness>) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let nodes = [90, 300, 1100][usize::try_from(seed).unwrap() % 3];
    let classes = dice.random_range(1..5);
    let kinds = [Fairness::None, Fairness::Weak, Fairness::Weak, Fairness::Strong];
    let mut fairness: Vec<Fairness> =
        (0..classes).map(|_| kinds[dice.random_range(0..4)]).collect();
    fairness[0] = Fairness::Weak;
    // In some graphs nothing leads back, in others much does.
    let back = [0, 2, 20][dice.random_range(0..3)];
    let mut successors = BTreeMap::new();
    for node in 0..nodes {
        let label = |dice: &mut ChaCha8Rng| match dice.random_range(0..8) {
            0 => Label::FAULT,
            1 => Label::FREE,
            _ => Label::class(dice.random_range(0..classes)),
        };
        let mut edges = Vec::new();
        for edge in 0..dice.random_range(1..4) {
            let far = node + dice.random_range(1..20);
            // Few states are terminal.
            let is_first = edge == 0 && dice.random_ratio(99, 100);
            let label = if is_first { Label::class(0) } else { label(&mut dice) };
            if far < nodes {
                edges.push((packed(far, 1), label));
            }
        }
        if dice.random_range(0..1000) < back {
            edges.push((packed(node - dice.random_range(0..=node.min(9)), 1), label(&mut dice)));
        }
        // What strikes may lead anywhere.
        if dice.random_ratio(1, 20) {
            edges.push((packed(dice.random_range(0..nodes), 1), Label::FAULT));
        }
        successors.insert(packed(node, 1), edges);
    }
    let space = TableSpace { words: 1, starts: vec![packed(0, 1)], successors, refused: None };
    (space, fairness)
}

/// The claims that begin, and those that end, in a state: later claims do so more seldom.
fn judged(seed: u64, state: &[u64], nodes: u64) -> (u64, u64) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed << 32 | state[0]);
    let mut word = || dice.random_range(0..=u64::MAX);
    let seldom = word() & word() & word();
    let from = word() & seldom;
    let to = word() & 0xffff | word() & word() & 0xffff_0000 | seldom & word() & 0xffff << 32;
    // Few things stay owed at the end.
    let at_end = if state[0] + 25 > nodes { u64::MAX << 8 } else { 0 };
    (from, to | at_end)
}

/// The sieve by its definition: claim by claim and state by state.
fn expected(graph: &impl Graph, fairness: &[Fairness], masks: &[[u64; 2]]) -> Sieved {
    let states = graph.len();
    let (mut from_states, mut left) = ([0; CLAIMS], 0);
    for (claim, from_states) in from_states.iter_mut().enumerate() {
        let says = |state: u32, which: usize| masks[state as usize][which] >> claim & 1 == 1;
        let mut pending: Vec<bool> = (0..states).map(|it| says(it, 0) && !says(it, 1)).collect();
        *from_states = (0..states).filter(|state| says(*state, 0)).count() as u64;
        let mut news: Vec<u32> = (0..states).filter(|it| pending[*it as usize]).collect();
        while let Some(state) = news.pop() {
            for (next, _) in graph.edges(state) {
                if !says(next, 1) && !std::mem::replace(&mut pending[next as usize], true) {
                    news.push(next);
                }
            }
        }
        let owes = |label: Label| label.as_class().map(|it| fairness[usize::from(it)]);
        let stops = |state: u32| {
            graph.edges(state).all(|(_, it)| owes(it).is_none_or(|it| it == Fairness::None))
        };
        if (0..states).any(|state| pending[state as usize] && stops(state)) {
            left |= 1 << claim;
            continue;
        }
        let mut zone = pending;
        loop {
            let before = zone.clone();
            let lasting = |state: u32| graph.edges(state).filter(|(_, label)| !label.is_fault());
            for state in 0..states {
                zone[state as usize] &= lasting(state).any(|(next, _)| zone[next as usize]);
            }
            for class in (0..fairness.len()).filter(|it| fairness[*it] != Fairness::None) {
                let is_its = |label: Label| label.as_class().map(usize::from) == Some(class);
                let goal = |state: u32| {
                    let mut its = graph.edges(state).filter(|(_, label)| is_its(*label)).peekable();
                    its.peek().is_none() || its.any(|(next, _)| zone[next as usize])
                };
                let mut gets: Vec<bool> =
                    (0..states).map(|it| zone[it as usize] && goal(it)).collect();
                let mut is_more = true;
                while is_more {
                    is_more = false;
                    for state in (0..states).rev().filter(|it| zone[*it as usize]) {
                        let on = lasting(state).any(|(next, _)| gets[next as usize]);
                        is_more |= on && !gets[state as usize];
                        gets[state as usize] |= on;
                    }
                }
                zone = gets;
            }
            if zone == before {
                break;
            }
        }
        left |= u64::from(zone.contains(&true)) << claim;
    }
    Sieved { from_states, left }
}

fn sieved(
    (seed, nodes): (u64, u64),
    found: &ExploredPart<Vec<u64>>,
    exchange: &dyn Exchange,
    fairness: &[Fairness],
    memory: &mut MemoryBudget,
) -> Result<Sieved, Stop> {
    let judge = |(): &mut (), state: &[u64]| judged(seed, state, nodes);
    let said = Masks::of(&found.part, 1, memory, &|| None, || (), judge);
    let said = said.and_then(|masks| {
        let from_states = masks.from_states(CLAIMS, memory)?;
        Ok((masks, from_states))
    });
    let graph = found.part.of_graph(found.states)?;
    sieve(&graph, exchange, fairness, (said, CLAIMS), memory, &|| None)
}

#[test]
fn claims_of_which_nothing_is_left_hold_and_no_other_is_decided() {
    let (mut holding, mut decided) = (0, 0);
    for seed in 0..24 {
        let (space, fairness) = random(seed);
        let nodes = space.successors.len() as u64;
        let alone = explore(&space, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
        let graph = &alone.graph;
        let says = |state| <[u64; 2]>::from(judged(seed, &graph.state(state), nodes));
        let masks: Vec<[u64; 2]> = (0..graph.states()).map(says).collect();
        let expected = expected(graph, &fairness, &masks);
        for (processes, first) in [1, 2, 3, 5].into_iter().zip(FIRSTS.into_iter().cycle()) {
            let found = in_processes(processes, &intact, |exchange| {
                let found = explored(&space, first, exchange, &SearchLimits::NONE);
                let mut memory = MemoryBudget::unlimited();
                let sieved = sieved((seed, nodes), &found, exchange, &fairness, &mut memory);
                assert_eq!(memory.used(), 0, "all memory is given back");
                sieved
            });
            assert!(found.iter().all(|it| *it == Ok(expected)), "{seed}: {found:?}, {expected:?}");
        }
        let (mut memory, masks) = (MemoryBudget::unlimited(), Masks::new(&masks));
        let verdicts =
            leads(graph, &fairness, &masks, CLAIMS, LeadsOptions::default(), &mut memory, &|| None)
                .unwrap();
        for (claim, verdict) in verdicts.iter().enumerate() {
            let is_left = expected.left >> claim & 1 == 1;
            assert_eq!(verdict.from_states, expected.from_states[claim]);
            assert!(is_left || verdict.lasso.is_none(), "{seed}: claim {claim} is violated");
            if verdict.lasso.is_none() && verdict.from_states > 0 {
                holding += 1;
                decided += u32::from(!is_left);
            }
        }
    }
    // Who is strongly fair, and not moving on a cycle, may have to leave it.
    assert!(decided > 200 && decided > holding / 10 * 9, "{decided} of {holding}");
}

/// Two cycles, each of which lets a class wait for ever; faults lead from one to the other.
#[test]
fn a_fault_brings_no_class_to_where_it_moves() {
    let [one, two, three] = [0, 1, 2].map(Label::class);
    let edges: [&[(u64, Label)]; 6] = [
        &[(1, one)],
        &[(2, one), (5, two)],
        &[(1, one), (5, two), (3, Label::FAULT)],
        &[(4, one), (4, two), (5, three)],
        &[(3, one), (5, three), (1, Label::FAULT)],
        &[],
    ];
    let out = |edges: &[(u64, Label)]| edges.iter().map(|(to, it)| (packed(*to, 1), *it)).collect();
    let successors = (0..).zip(edges).map(|(node, edges)| (packed(node, 1), out(edges))).collect();
    let space = TableSpace { words: 1, starts: vec![packed(0, 1)], successors, refused: None };
    let found = in_processes(2, &intact, |exchange| {
        let found = explored(&space, 0, exchange, &SearchLimits::NONE);
        let mut memory = MemoryBudget::unlimited();
        let judge = |(): &mut (), state: &[u64]| (u64::from(state[0] == 0), state[0] / 5);
        let masks = Masks::of(&found.part, 1, &mut memory, &|| None, || (), judge).unwrap();
        let from_states = masks.from_states(1, &mut memory).unwrap();
        let graph = found.part.of_graph(found.states).unwrap();
        let said = (Ok((masks, from_states)), 1);
        sieve(&graph, exchange, &[Fairness::Weak; 3], said, &mut memory, &|| None).unwrap()
    });
    assert!(found.iter().all(|it| (it.from_states[0], it.left) == (1, 0)), "{found:?}");
}

#[test]
fn what_stops_one_stops_all_and_a_torn_message_decides_nothing() {
    let seed = 2;
    let (space, fairness) = random(seed);
    let nodes = space.successors.len() as u64;
    let sieve_by_three = |damage: &Damage<'_>, bytes: &(dyn Fn(usize) -> Option<u64> + Sync)| {
        in_processes(3, damage, |exchange| {
            let found = explored(&space, 0, exchange, &SearchLimits::NONE);
            let mut memory = MemoryBudget::of(bytes(exchange.process()));
            let sieved = sieved((seed, nodes), &found, exchange, &fairness, &mut memory);
            (sieved, memory.peak())
        })
    };
    let whole = sieve_by_three(&intact, &|_| None);
    for bad in 0..3 {
        let (least, mut stopped) = (whole[bad].1, 0);
        for share in 0..=20 {
            let of = |me| (me == bad).then_some(least / 20 * share + least % 20);
            let found = sieve_by_three(&intact, &of);
            let first = found[0].0;
            assert!(found.iter().all(|(it, _)| *it == first), "{found:?}");
            assert!(first == Err(Stop::Memory) || first == whole[0].0 && share == 20);
            stopped += usize::from(first == Err(Stop::Memory));
        }
        assert_eq!(stopped, 20);
    }
    let rounds = |work: &(dyn Fn(&Damage<'_>) + Sync)| {
        let rounds = AtomicUsize::new(0);
        work(&|now, _| {
            rounds.store(now + 1, Ordering::Relaxed);
            Ok(())
        });
        rounds.into_inner()
    };
    let search = rounds(&|damage| {
        in_processes(3, damage, |exchange| explored(&space, 0, exchange, &SearchLimits::NONE));
    });
    let all = rounds(&|damage| drop(sieve_by_three(damage, &|_| None)));
    let mut noticed = 0;
    for round in search..all {
        let damage = |now, messages: &mut AllMessages| {
            // A number that does not end.
            if now == round {
                for to in messages {
                    say_otherwise(&mut to[1], |it| it.push(0x80));
                }
            }
            Ok(())
        };
        let found = sieve_by_three(&damage, &|_| None);
        assert!(found.iter().all(|(it, _)| *it == found[0].0), "{round}: {found:?}");
        assert!(found[0].0 == whole[0].0 || found[0].0 == Err(Stop::Peer), "{round}: {found:?}");
        noticed += usize::from(found[0].0 == Err(Stop::Peer));
    }
    // Some messages only say that a process goes on.
    assert!(noticed > (all - search) / 2, "{noticed} of {}", all - search);
}
