//! Replays of lassos: each flaw that the definition of fairness knows, and cycles without one.

use super::*;

#[test]
fn a_replay_says_what_is_wrong() {
    let graph = graph(&[(0, agent(), 1), (1, FAULT, 0), (0, USER, 0), (1, USER, 1)]);
    let masks = masks(2, &[0], &[1], 0);
    let replay = |prefix: &[LassoStep], cycle: &[LassoStep]| {
        let lasso = Lasso { start: 0, prefix: prefix.to_vec(), cycle: cycle.to_vec() };
        lasso.replay(&graph, &[Weak], &masks, 0).unwrap_err()
    };
    let step = |from, edge, to| LassoStep { from, edge, to };
    let elsewhere = Lasso { start: 1, prefix: Vec::new(), cycle: Vec::new() };
    assert_eq!(elsewhere.replay(&graph, &[Weak], &masks, 0), Err(LassoFlaw::NoStart(1)));
    assert_eq!(replay(&[], &[]), LassoFlaw::Stops(0));
    assert_eq!(replay(&[], &[step(0, 1, 0)]), LassoFlaw::Unfair(0));
    assert_eq!(replay(&[], &[step(0, 0, 1), step(1, 0, 0)]), LassoFlaw::Closed(1));
    assert_eq!(replay(&[step(0, 0, 1)], &[]), LassoFlaw::NothingPending(1));
    let wrong_target = step(0, 0, 0);
    assert_eq!(replay(&[wrong_target], &[]), LassoFlaw::NoStep { at: 0, step: wrong_target });
    let wrong_edge = step(0, 2, 0);
    assert_eq!(replay(&[wrong_edge], &[]), LassoFlaw::NoStep { at: 0, step: wrong_edge });
    let from_elsewhere = step(1, 0, 0);
    assert_eq!(replay(&[from_elsewhere], &[]), LassoFlaw::NoStep { at: 0, step: from_elsewhere });
}

#[test]
fn a_replay_knows_what_a_cycle_may_be() {
    let graph = graph(&[(0, agent(), 1), (1, FAULT, 0), (1, USER, 0), (0, USER, 0)]);
    let masks = masks(2, &[0], &[], 0);
    let replay = |fairness: &[Fairness], cycle: &[LassoStep]| {
        let lasso = Lasso { start: 0, prefix: Vec::new(), cycle: cycle.to_vec() };
        lasso.replay(&graph, fairness, &masks, 0)
    };
    let (go, strike, back) = (0, 0, 1);
    let step = |from, edge, to| LassoStep { from, edge, to };
    assert_eq!(replay(&[Weak], &[step(0, go, 1)]), Err(LassoFlaw::NoCycle));
    assert_eq!(replay(&[Weak], &[step(0, go, 1), step(1, strike, 0)]), Err(LassoFlaw::Fault));
    assert_eq!(replay(&[Weak], &[step(0, go, 1), step(1, back, 0)]), Ok(()));
    // The agent can move in every state of this cycle; strong fairness needs only one.
    assert_eq!(replay(&[Weak], &[step(0, 1, 0)]), Err(LassoFlaw::Unfair(0)));
    assert_eq!(replay(&[Strong], &[step(0, 1, 0)]), Err(LassoFlaw::Unfair(0)));
    assert_eq!(replay(&[Unfair], &[step(0, 1, 0)]), Ok(()));
    // The second class has no edges at all, so it is never enabled.
    assert_eq!(replay(&[Weak, Strong], &[step(0, go, 1), step(1, back, 0)]), Ok(()));
}

#[test]
fn weak_fairness_excuses_who_cannot_move_somewhere_and_strong_does_not() {
    let graph = graph(&[(0, agent(), 2), (0, USER, 1), (1, USER, 0)]);
    let masks = masks(3, &[0], &[2], 0);
    let round = vec![LassoStep { from: 0, edge: 1, to: 1 }, LassoStep { from: 1, edge: 0, to: 0 }];
    let lasso = Lasso { start: 0, prefix: Vec::new(), cycle: round };
    assert_eq!(lasso.replay(&graph, &[Weak], &masks, 0), Ok(()));
    assert_eq!(lasso.replay(&graph, &[Strong], &masks, 0), Err(LassoFlaw::Unfair(0)));
}

#[test]
fn a_flaw_says_where_it_is() {
    let shown = |flaws: &[LassoFlaw]| flaws.iter().map(ToString::to_string).collect::<Vec<_>>();
    let step = LassoStep { from: 2, edge: 3, to: 4 };
    let flaws = [
        LassoFlaw::NoStart(1),
        LassoFlaw::NoStep { at: 1, step },
        LassoFlaw::NothingPending(2),
        LassoFlaw::Closed(3),
    ];
    let expected = [
        "no run starts in state 1",
        "no step leads from state 1 by edge 3 of 2 to 4",
        "nothing is pending in state 2",
        "nothing is pending any more in state 3",
    ];
    assert_eq!(shown(&flaws), expected);
    let flaws = [LassoFlaw::NoCycle, LassoFlaw::Fault, LassoFlaw::Stops(5), LassoFlaw::Unfair(6)];
    let expected = [
        "the cycle does not come back",
        "a fault strikes again and again",
        "it stops where class 5 has to move",
        "it is unfair to class 6",
    ];
    assert_eq!(shown(&flaws), expected);
}
