//! The subjects of rows and agents: entities of the world, by name.

use deathwatch_documents::{
    Run,
    run::{Entity, Lane, Tier},
};

use super::stuck;

/// Asserts that each row names entities of the world, of the kinds that its own kind declares.
pub(crate) fn assert_known(run: &Run) {
    let (name, world) = (&run.header.scenario, &run.world);
    for (kind, rows) in run.states.iter().flat_map(|state| &state.rows) {
        let told = &run.kinds[kind];
        for row in rows.keys() {
            assert_eq!(told.rows[row].len(), told.about.len(), "{name}: {kind} {row}");
        }
    }
    for kind in run.kinds.values() {
        for (tier, entity) in kind.rows.keys().flat_map(|row| kind.entities(row)) {
            let is_known = match tier {
                Tier::Machine => world.machines.contains_key(entity),
                Tier::Application => world.applications.contains_key(entity),
                Tier::Relation => world.relations.contains_key(entity),
                Tier::Unit => {
                    world.applications.values().any(|it| it.units.iter().any(|it| it == entity))
                }
            };
            assert!(is_known, "{name}: {tier:?} {entity}");
        }
    }
}

#[test]
fn rows_and_agents_say_whom_they_are_about() {
    let run = stuck();
    let told = |kind: &str, row: &str| {
        let kind = &run.kinds[kind];
        (kind.about.clone(), kind.rows[row].join(", "))
    };
    let pair = "wordpress/0 in wordpress:db mysql:server";
    let both = (vec![Tier::Unit, Tier::Relation], "wordpress/0, wordpress:db mysql:server".into());
    assert_eq!((told("scope", pair), told("membership", pair)), (both.clone(), both));
    assert_eq!(told("machine-agent", "2"), (vec![Tier::Machine], "2".into()));
    assert_eq!(told("unit", "mysql/0"), (vec![Tier::Unit], "mysql/0".into()));
    assert_eq!(told("user", "user"), (Vec::new(), String::new()));
    let agent = |it: &&Lane| it.actor == "unit-agent mysql/0";
    let lane = run.lanes.iter().find(agent).expect("a lane");
    assert_eq!(lane.entity, Some(Entity { tier: Tier::Unit, name: "mysql/0".into() }));
    let agents = run.lanes.iter().filter(|it| it.entity.is_some()).count();
    assert_eq!(agents, run.world.machines.len() + 2, "and of no one else");
}
