//! Patterns: a large world is a small file.

use deathwatch_model::world::Command;

use crate::common::{PAIR, good};

#[test]
fn a_pattern_means_what_it_would_written_out() {
    let tables = |machines: &str, units: &str, subordinates: &str, entered: &str, user: &str| {
        good(&format!(
            "shows = \"Many.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n{machines}\
             9 = {{ exists = false }}\n[world.applications]\n\
             wordpress = {{ units = [{units}], most-units = 4 }}\nmysql = {{ exists = false }}\n\
             logging = {{ subordinate = true, subordinates = [{subordinates}] }}\n\
             [world.relations]\n\"wordpress:info logging:info\" = {{ scope = \"container\", \
             entered = [{entered}] }}\n\"wordpress:cluster\" = {{}}\n\
             \"wordpress:db mysql:server\" = {{ exists = false }}\n[user]\n{user}"
        ))
    };
    let patterns = tables(
        "\"1..=3\" = { jobs = [\"host-units\"] }\n",
        "\"1..=3\"",
        "\"wordpress/*\"",
        "\"logging/*\", \"wordpress/*\"",
        "\"destroy-unit *\" = 1\n\"add-unit *\" = 2\n\"destroy-machine --force *\" = 1\n\
         \"integrate *\" = 1\n\"destroy-application *\" = 1\n\"add-machine 9\" = 1\n",
    );
    let three = |kind: &str| format!("\"{kind}/0\", \"{kind}/1\", \"{kind}/2\"");
    let written_out = tables(
        "1 = {}\n2 = {}\n3 = {}\n",
        "\"1\", \"2\", \"3\"",
        &three("wordpress"),
        &format!("{}, {}", three("wordpress"), three("logging")),
        "\"destroy-unit wordpress/0\" = 1\n\"destroy-unit wordpress/1\" = 1\n\
         \"destroy-unit wordpress/2\" = 1\n\"destroy-unit wordpress/3\" = 1\n\
         \"add-unit wordpress\" = 2\n\"add-unit mysql\" = 2\n\
         \"destroy-machine --force 0\" = 1\n\"destroy-machine --force 1\" = 1\n\
         \"destroy-machine --force 2\" = 1\n\"destroy-machine --force 3\" = 1\n\
         \"destroy-machine --force 9\" = 1\n\"integrate wordpress:info logging:info\" = 1\n\
         \"integrate wordpress:db mysql:server\" = 1\n\"destroy-application wordpress\" = 1\n\
         \"destroy-application mysql\" = 1\n\"destroy-application logging\" = 1\n\
         \"add-machine 9\" = 1\n",
    );
    assert_eq!(patterns.start, written_out.start);
    assert_eq!(patterns.world.machines, written_out.world.machines);
    assert_eq!(patterns.world.commands, written_out.world.commands);
}

#[test]
fn a_narrower_pattern_has_precedence() {
    let scenario = good(&format!(
        "shows = \"Narrow.\"{PAIR}[user]\n\"destroy-unit wordpress/1\" = 3\n\
         \"destroy-unit *\" = 1\n\"destroy-unit wordpress/*\" = 2\n"
    ));
    let commands = scenario.world.commands.iter().map(|it| match it.command {
        Command::DestroyUnit(id) => (scenario.world.unit(id).name.as_str(), it.most),
        ref other => panic!("{other:?}"),
    });
    let commands: Vec<_> = commands.collect();
    assert_eq!(
        commands,
        [("wordpress/1", Some(3)), ("mysql/0", Some(1)), ("wordpress/0", Some(2))]
    );
}

/// The documents speak of a hundred thousand units.
#[test]
fn a_large_world_is_a_small_file() {
    let scenario = good(
        "shows = \"A large world.\"\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n\
         \"1..=99999\" = {}\n[world.applications]\n\
         wordpress = { units = [\"1..=50000\"] }\nmysql = { units = [\"50001..=99999\"] }\n\
         haproxy = { exists = false, most-units = 1 }\n\
         [world.relations]\n\"wordpress:db mysql:server\" = { entered = [\"wordpress/*\"] }\n\
         [user]\n\"destroy-unit *\" = 1\n\"destroy-unit --force *\" = 1\n\
         \"destroy-machine *\" = 1\n\"destroy-machine --force *\" = 1\n\
         \"deploy haproxy 1\" = 1\n[faults]\nhardware-failure = [\"1..=99999\"]\n",
    );
    let world = &scenario.world;
    assert_eq!((world.machines.len(), world.units.len()), (100_000, 100_000));
    assert_eq!(world.commands.len(), 400_001);
    let [relation] = world.relation_ids().collect::<Vec<_>>()[..] else { panic!("one relation") };
    assert_eq!(scenario.start.store.scope(relation).len(), 50_000);
}
