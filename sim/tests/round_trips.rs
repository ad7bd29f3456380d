//! Round trips: every action and every run of a random walk can be written, read and replayed.

use deathwatch_documents::Begins;
use deathwatch_model::{
    action::{Action, Outcome},
    protocol::{self, Effects},
    world::{Allowed, every},
};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_simulator::dice::Dice;
use deathwatch_study::to_scenario_text;

use crate::common::{
    MIXED, PAIR, dice, good, parse, render,
    worlds::{every_command, scenarios, small_worlds},
};

/// Walks at most `length` steps from the start, and calls `look` with every enabled action. Returns
/// the steps.
fn walk(
    scenario: &Scenario,
    dice: &mut Dice,
    length: usize,
    mut look: impl FnMut(&Action),
) -> Vec<Action> {
    let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
    let (mut actions, mut offers) = (Vec::new(), Vec::new());
    while actions.len() < length {
        offers.clear();
        protocol::enabled(&scenario.world, &state, &mut offers);
        offers.iter().for_each(&mut look);
        if offers.is_empty() {
            break;
        }
        let action = offers[dice.index(offers.len())];
        let before = state.clone();
        let outcome = protocol::step(&scenario.world, &mut state, action, &mut effects);
        let shown = scenario.world.show(&action);
        assert!(before != state, "{shown} is enabled and changes nothing: {outcome:?}");
        let is_refused = matches!(outcome, Outcome::Refused(_) | Outcome::NoOp);
        let is_again = shown.starts_with("user: begin");
        assert!(!is_refused || is_again, "{shown} is enabled: {outcome:?}");
        actions.push(action);
    }
    actions
}

#[test]
fn every_action_is_read_as_it_is_written() {
    for scenario in scenarios() {
        for seed in 0..30 {
            walk(&scenario, &mut dice(seed), 150, |action| {
                let line = scenario.world.show(action);
                let read = scenario.world.read(&line).expect(&line);
                assert_eq!(read, Action { duty: None, ..*action }, "{line}");
                assert_eq!(scenario.world.show(&read), line);
            });
        }
    }
}

/// Every act of every actor in worlds with hooks, downtime, containers and scripted clients,
/// whether it is enabled in any state or not.
#[test]
fn every_act_of_a_world_is_read_as_it_is_written() {
    for scenario in scenarios().into_iter().chain(small_worlds()) {
        let world = &scenario.world;
        for act in every(world) {
            let action = Action { act, duty: None };
            let line = world.show(&action);
            assert_eq!(world.read(&line).expect(&line), action, "{line}");
        }
    }
}

/// Commands that users may not give are refused when read: those on subordinates and peer
/// relations.
#[test]
fn every_command_of_a_world_is_read_as_it_is_written() {
    for (world, known) in [(PAIR, 64), (MIXED, 89)] {
        let base = format!(
            "shows = \"A world.\"\n[detail]\nhooks = true\ncharm = true\nprovisioning = true\nconstraints = true\n\
             [world]\nconstraints = [\"mem=2G\"]\n{world}"
        );
        let world = good(&base).world;
        let mut read = 0;
        for command in every_command(&world) {
            let key = world.show_command(command);
            match parse(&format!("{base}[user]\n\"{key}\" = 1\n")) {
                Ok(scenario) => {
                    assert_eq!(scenario.world.commands, [Allowed { command, most: Some(1) }]);
                    read += 1;
                }
                Err(problem) => {
                    let why = render(&problem);
                    assert!(why.contains("subordinate") || why.contains("peer relation"), "{why}");
                }
            }
        }
        assert_eq!(read, known, "commands that the user may be allowed");
    }
}

#[test]
fn a_walk_is_a_scenario_that_leads_to_the_same_state() {
    for scenario in scenarios() {
        for seed in 0..40 {
            let actions = walk(&scenario, &mut dice(seed), 80, |_| ());
            let shows = "A walk\nthat \"was\" taken.";
            let text = to_scenario_text(&scenario, shows, Begins::AfterScript, &actions, &[]);
            let written = parse(&text).unwrap_or_else(|it| panic!("{text}\n{}", render(&it)));
            let replayed =
                replay(&written).unwrap_or_else(|it| panic!("{text}\n{}", render(&it.problem)));
            assert_eq!(replayed.failures, [], "{text}");
            assert_eq!(replayed.actions, actions, "duties and all");
            assert_eq!(written.shows, "A walk that \"was\" taken.");
            let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
            for action in &actions {
                protocol::step(&scenario.world, &mut state, *action, &mut effects);
            }
            assert_eq!(replayed.state, state, "{text}");
        }
    }
}

#[test]
fn a_run_goes_on_where_the_script_ends() {
    let base = good(&format!(
        "shows = \"It begins.\"\nsteps = '''\n# A \"comment\" with a \\ in it.\n\
         client: destroy-unit wordpress/0\n'''\n{PAIR}[claims]\n[expect]\ngone = [\"mysql\"]\n"
    ));
    let relation = "wordpress:db mysql:server";
    let steps = [format!("unit-agent wordpress/0: leave-scope wordpress/0 {relation}")];
    let steps = steps.map(|line| base.world.read(&line).expect("it is possible"));
    let text = to_scenario_text(&base, "It goes on.", Begins::AfterScript, &steps, &[]);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(text) });
    let written = parse(&text).expect("a scenario");
    assert_eq!(replay(&written).expect("possible").failures, []);
}
