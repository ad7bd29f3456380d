//! Graphs of a few states, one for each mistake that the search could make.
//!
//! State 0 is the start, unless said otherwise; `from` and `to` are lists of states.

mod components;
mod pending;
mod replay;

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use Fairness::{None as Unfair, Strong, Weak};

/// Edges as (from, label, to).
type EdgeList<'a> = &'a [(u32, Label, u32)];

struct Small {
    out: Vec<Vec<(u32, Label)>>,
    starts: Vec<u32>,
}

impl Graph for Small {
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

fn graph(edges: EdgeList) -> Small {
    let size = edges.iter().map(|edge| edge.0.max(edge.2)).max().unwrap_or(0) + 1;
    let mut out = vec![Vec::new(); size as usize];
    for &(from, label, to) in edges {
        out[from as usize].push((to, label));
    }
    Small { out, starts: vec![0] }
}

/// The masks of a claim with the number `claim`.
fn masks(size: u32, from: &[u32], to: &[u32], claim: usize) -> Masks {
    let mask = |state| [from, to].map(|states| u64::from(states.contains(&state)) << claim);
    Masks::new(&(0..size).map(mask).collect::<Vec<_>>())
}

/// The verdict on one claim, asked as the last of 64 so that no bit is missing.
fn verdict(graph: &Small, fairness: &[Fairness], from: &[u32], to: &[u32]) -> ClaimVerdict {
    let masks = masks(graph.len(), from, to, 63);
    let [alone, verdict] = [ALONE, TOGETHER].map(|options| {
        let mut memory = MemoryBudget::unlimited();
        let mut verdicts =
            leads(graph, fairness, &masks, 64, options, &mut memory, &|| None).unwrap();
        assert_eq!(memory.used(), 0, "all memory is given back");
        verdicts.pop().unwrap()
    });
    assert_eq!(alone, verdict);
    if let Some(lasso) = &verdict.lasso {
        assert_eq!(lasso.replay(graph, fairness, &masks, 63), Ok(()), "{lasso:?}");
    }
    verdict
}

/// `"holds"`, or the states of the prefix, and after a colon those of the cycle.
fn shown(edges: EdgeList, fairness: &[Fairness], from: &[u32], to: &[u32]) -> String {
    let Some(lasso) = verdict(&graph(edges), fairness, from, to).lasso else {
        return "holds".to_owned();
    };
    let states = |steps: &[LassoStep]| -> String {
        steps.iter().flat_map(|step| [" ".to_owned(), step.to.to_string()]).collect()
    };
    format!("{}{}:{}", lasso.start, states(&lasso.prefix), states(&lasso.cycle))
}

/// Two threads that share the smallest chunks, or one thread.
const TOGETHER: LeadsOptions = LeadsOptions { threads: 2, chunk: 1 };
const ALONE: LeadsOptions = LeadsOptions { threads: 1, ..TOGETHER };

const FAULT: Label = Label::FAULT;
const USER: Label = Label::FREE;

fn agent() -> Label {
    Label::class(0)
}

fn other() -> Label {
    Label::class(1)
}

#[test]
fn an_obligation_that_is_open_at_an_end_stays_open() {
    assert_eq!(shown(&[(0, agent(), 1)], &[Weak], &[0], &[]), "0 1:");
    assert_eq!(shown(&[(0, agent(), 1)], &[Weak], &[1], &[]), "0 1:");
    assert_eq!(shown(&[], &[Weak], &[0], &[]), "0:");
}

#[test]
fn nothing_is_pending_in_a_state_with_both_from_and_to() {
    assert_eq!(shown(&[(0, agent(), 1)], &[Weak], &[0], &[0]), "holds");
}

#[test]
fn what_can_only_be_closed_by_the_user_may_never_be() {
    assert_eq!(shown(&[(0, USER, 1)], &[], &[0], &[1]), "0:");
}

#[test]
fn what_can_only_be_closed_by_a_fault_may_never_be() {
    assert_eq!(shown(&[(0, FAULT, 1)], &[], &[0], &[1]), "0:");
}

#[test]
fn a_class_without_fairness_may_stop() {
    assert_eq!(shown(&[(0, agent(), 1)], &[Unfair], &[0], &[1]), "0:");
    assert_eq!(shown(&[(0, agent(), 1)], &[Weak], &[0], &[1]), "holds");
    assert_eq!(shown(&[(0, agent(), 1)], &[Strong], &[0], &[1]), "holds");
}

#[test]
fn a_fault_may_strike_on_the_way_to_an_end() {
    let edges = [(0, agent(), 1), (0, FAULT, 2)];
    assert_eq!(shown(&edges, &[Weak], &[0], &[1]), "0 2:");
}

#[test]
fn a_user_who_is_busy_for_ever_keeps_no_fair_agent_from_closing_it() {
    let edges = [(0, USER, 1), (1, USER, 0), (0, agent(), 2), (1, agent(), 2)];
    assert_eq!(shown(&edges, &[Weak], &[0], &[2]), "holds");
}

#[test]
fn a_user_who_is_busy_for_ever_starves_a_class_without_fairness() {
    let edges = [(0, USER, 0), (0, agent(), 1), (0, other(), 1)];
    assert_eq!(shown(&edges, &[Unfair, Weak], &[0], &[1]), "holds");
    let edges = [(0, USER, 0), (0, agent(), 1)];
    assert_eq!(shown(&edges, &[Unfair], &[0], &[1]), "0:", "stopping is shown rather than cycling");
}

#[test]
fn a_busy_agent_may_choose_among_its_duties_as_it_likes() {
    let edges = [(0, agent(), 0), (0, agent(), 1)];
    assert_eq!(shown(&edges, &[Strong], &[0], &[1]), "0: 0");
}

#[test]
fn who_can_move_only_now_and_then_must_move_if_strongly_fair_but_not_if_weakly() {
    let edges = [(0, other(), 1), (1, other(), 0), (0, agent(), 2)];
    assert_eq!(shown(&edges, &[Weak, Weak], &[0], &[2]), "0: 1 0");
    assert_eq!(shown(&edges, &[Strong, Weak], &[0], &[2]), "holds");
}

#[test]
fn strong_fairness_leaves_the_part_of_a_component_in_which_it_cannot_move() {
    let edges =
        [(0, other(), 1), (1, other(), 2), (2, other(), 1), (2, other(), 0), (0, agent(), 3)];
    assert_eq!(shown(&edges, &[Strong, Weak], &[0], &[3]), "0 1: 2 1");
}

#[test]
fn a_cycle_that_needs_a_fault_does_not_last() {
    let edges = [(0, FAULT, 1), (1, agent(), 0), (0, other(), 2)];
    assert_eq!(shown(&edges, &[Weak, Weak], &[0], &[2]), "holds");
    let edges = [(0, FAULT, 0), (0, other(), 1)];
    assert_eq!(shown(&edges, &[Weak, Weak], &[0], &[1]), "holds");
}

#[test]
fn a_cycle_goes_round_by_everybody_who_must_move() {
    let edges = [(0, agent(), 0), (0, other(), 1), (1, other(), 0), (1, agent(), 0), (0, USER, 2)];
    assert_eq!(shown(&edges, &[Weak, Weak], &[0], &[2]), "0: 0 1 0");
}

#[test]
fn an_exit_that_is_fair_in_one_half_of_the_cycle_only_saves_nothing() {
    let edges = [(0, agent(), 1), (1, other(), 0), (0, other(), 2), (1, agent(), 2)];
    assert_eq!(shown(&edges, &[Weak, Weak], &[0], &[2]), "0: 1 0");
}

#[test]
fn a_join_does_not_hide_who_came_by_which_way() {
    // stateright's `eventually` looks at state 3 once, on the path without an obligation.
    let edges = [(0, USER, 1), (0, USER, 2), (1, agent(), 3), (2, agent(), 3), (3, agent(), 4)];
    assert_eq!(shown(&edges, &[Weak], &[2], &[1]), "0 2 3 4:");
    assert_eq!(shown(&edges, &[Weak], &[1], &[2]), "0 1 3 4:");
}

#[test]
fn a_cycle_back_to_a_state_that_was_seen_is_a_run_that_never_ends() {
    // stateright's `eventually` finds violations at ends only, and there is none.
    let edges = [(0, agent(), 1), (1, agent(), 2), (2, agent(), 1)];
    assert_eq!(shown(&edges, &[Weak], &[0], &[]), "0 1: 2 1");
}

#[test]
fn an_obligation_stays_open_when_its_from_is_over() {
    let edges = [(0, agent(), 1), (1, agent(), 2), (2, agent(), 3), (3, agent(), 2)];
    assert_eq!(shown(&edges, &[Weak], &[1], &[0]), "0 1 2: 3 2");
}

#[test]
fn an_obligation_that_was_closed_may_open_again() {
    let edges = [(0, agent(), 1), (1, agent(), 2), (2, agent(), 3)];
    assert_eq!(shown(&edges, &[Weak], &[0], &[1]), "holds");
    assert_eq!(shown(&edges, &[Weak], &[0, 2], &[1]), "0 1 2 3:");
    assert_eq!(shown(&edges, &[Weak], &[0, 2], &[1, 3]), "holds");
}

#[test]
fn a_cycle_that_opens_and_closes_for_ever_owes_nothing_for_ever() {
    let edges = [(0, agent(), 1), (1, agent(), 0)];
    assert_eq!(shown(&edges, &[Weak], &[0], &[1]), "holds");
}

#[test]
fn what_is_carried_back_to_an_earlier_state_is_owed_there() {
    let edges = [(0, FAULT, 1), (1, agent(), 0)];
    assert_eq!(shown(&edges, &[Weak], &[1], &[]), "0 1 0:");
}

#[test]
fn what_cannot_be_reached_counts_for_nothing() {
    let graph = graph(&[(0, agent(), 1), (2, agent(), 1), (2, agent(), 2)]);
    let verdict = verdict(&graph, &[Weak], &[2], &[]);
    assert_eq!(verdict, ClaimVerdict::holds(0));
}

#[test]
fn the_nearest_of_several_starts_is_shown() {
    let edges = [(0, agent(), 1), (1, agent(), 2), (3, agent(), 2)];
    let graph = Small { starts: vec![0, 3], ..graph(&edges) };
    let lasso = verdict(&graph, &[Weak], &[0, 3], &[]).lasso.unwrap();
    assert_eq!((lasso.start, lasso.prefix.len(), lasso.entry()), (3, 1, 2));
}

#[test]
fn a_long_way_back_is_followed_to_its_end() {
    // 0 -> 999 -> 998 -> … -> 1, so that every edge but the first goes back.
    let mut edges = vec![(0, agent(), 999)];
    edges.extend((2..1000).map(|state| (state, agent(), state - 1)));
    let lasso = verdict(&graph(&edges), &[Weak], &[0], &[]).lasso.unwrap();
    assert_eq!((lasso.prefix.len(), lasso.entry()), (999, 1));
}

#[test]
fn two_ways_back_are_both_followed() {
    let ways = [(0, agent(), 10), (0, agent(), 100), (0, agent(), 200), (100, agent(), 101)];
    let back = [(10, agent(), 20), (200, agent(), 10), (200, agent(), 100)];
    assert_eq!(shown(&[ways.as_slice(), &back].concat(), &[Weak], &[200], &[20]), "0 200 100 101:");
}

#[test]
fn a_path_as_long_as_the_graph_overflows_no_stack() {
    let last = 300_000;
    let mut edges: Vec<_> = (0..last).map(|state| (state, agent(), state + 1)).collect();
    edges.push((last, agent(), 0));
    let lasso = verdict(&graph(&edges), &[Weak], &[5], &[]).lasso.unwrap();
    assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (5, 300_001));
}

#[test]
fn who_interrupts_gets_no_answer() {
    let graph = graph(&[(0, agent(), 0)]);
    let masks = masks(1, &[0], &[], 0);
    let mut memory = MemoryBudget::unlimited();
    let stop = || Some(Stop::Interrupted);
    let stopped = leads(&graph, &[Weak], &masks, 1, TOGETHER, &mut memory, &stop);
    assert_eq!(stopped, Err(Stop::Interrupted));
}

#[test]
fn somebody_who_may_interrupt_is_asked_now_and_then() {
    let asked = AtomicUsize::new(0);
    let stop = || (asked.fetch_add(1, Ordering::Relaxed) == 3).then_some(Stop::Time);
    let mut memory = MemoryBudget::unlimited();
    let mut limits = DecisionLimits { ticks: 0, memory: &mut memory, stop: &stop };
    let ticks = std::iter::repeat_with(|| limits.tick()).take_while(Result::is_ok).count();
    assert_eq!((ticks, asked.into_inner()), (3 << 16, 4));
}
