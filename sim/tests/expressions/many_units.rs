//! Conditions on lists of more than 64 units: closures, which evaluate 64 units at a time, have the
//! values of the tree and read the same rows.

use std::collections::BTreeSet;

use deathwatch_language::{Expression, ExpressionKind, View};
use deathwatch_model::{
    ids::{EntityId, Id as _, IdSet, RelationId, UnitId},
    rows::{self, AtStart, Read, Row, RowKind, ShownValue, WorldBounds},
    state::State,
    world::World,
};
use deathwatch_simulator::dice::Dice;

use crate::common::{dice, good};

/// Units of two related applications, and between these some that the relation does not concern.
const MANY: &str = concat!("\n", include_str!("../../../tests/worlds/many-units.toml"));

/// The relation, as an expression names it.
const RELATION: &str = "'wordpress:db mysql:server'";

/// The units whose agents have seen others: the first and the last of each end.
const SEEING: [usize; 4] = [0, 69, 120, 209];

fn relation(world: &World) -> RelationId {
    world.relation_ids().next().expect("there is one")
}

/// A random term about a unit `x`, a subject and a state, given by their names in the text. A
/// subject that is a machine has no terms about its own fields.
fn term(dice: &mut Dice, (subject, state): (&str, &str), is_of_machine: bool) -> String {
    let pair = |kind: &str, field: &str| {
        let row = format!("{state}{kind}({RELATION}, x)");
        format!("({row}.exists && {row}.{field})")
    };
    match dice.index(if is_of_machine { 7 } else { 13 }) {
        0 => pair("settings_document", "has_settings"),
        1 => pair("settings_document", "wrote_settings"),
        2 => pair("scope", "in_scope"),
        3 => format!("{state}settings_document({RELATION}, x).exists"),
        4 => format!("{state}unit(x).life == 'alive'"),
        5 => format!("({state}unit(x).exists && x in {state}unit(x).subordinates)"),
        6 => format!("{state}scope({state}unit_agent(x).hook_relation, x).exists"),
        7 => format!("x in {subject}.stale"),
        8 => format!("x in {subject}.read"),
        9 => format!("x in {subject}.read_old"),
        10 => format!("x == {subject}.changed_due"),
        11 => format!("x != {subject}.unit"),
        _ => format!("{subject}.wrote"),
    }
}

/// A condition on a unit `x`.
fn condition(dice: &mut Dice, depth: usize, sides: &[(&str, &str)], is_of_machine: bool) -> String {
    if depth == 0 {
        let side = sides[dice.index(sides.len())];
        return term(dice, side, is_of_machine);
    }
    let mut inner = || condition(dice, depth - 1, sides, is_of_machine);
    let (one, other) = (inner(), inner());
    let row = format!("settings_document({RELATION}, x)");
    match dice.index(5) {
        0 => format!("!({one})"),
        1 | 2 => format!("({one} && {other})"),
        3 => format!("({one} || {other})"),
        _ => format!("({row}.exists && ({one} || {row}.has_settings != {row}.wrote_settings))"),
    }
}

/// Sets the fields that terms read at random: mostly true in some states, mostly false in others.
fn state_at_random(world: &World, start: &State, dice: &mut Dice) -> State {
    let bounds = WorldBounds::of(world, AtStart::default());
    let mut state = start.clone();
    let chances = [20, 500, 980][dice.index(3)];
    let mut set = |row, name, value: ShownValue<'_>| {
        let is_set = state.set(&bounds, row, name, Some(value));
        assert!(is_set.is_ok(), "a state of the world can have it: {name} of {row:?}");
    };
    let relation = relation(world);
    let ends = || world.unit_ids().filter(|id| world.pair_index(relation, *id).is_some());
    for unit in ends() {
        for (row, name) in [
            (Row::Settings(relation, unit), "has-settings"),
            (Row::Settings(relation, unit), "wrote-settings"),
            (Row::Scope(relation, unit), "in-scope"),
        ] {
            set(row, name, ShownValue::Flag(dice.per_mille(chances)));
        }
    }
    for id in SEEING.map(UnitId::new) {
        let application = world.unit(id).application;
        let others = ends().filter(|other| world.unit(*other).application != application);
        let others: Vec<UnitId> = others.collect();
        for name in ["seen", "stale", "read", "read-old"] {
            let units = others.iter().copied().filter(|_| dice.per_mille(chances));
            let units: IdSet<UnitId> = units.collect();
            set(Row::Sighting(relation, id), name, ShownValue::Units(&units));
        }
        let joined = Some(EntityId::Unit(others[dice.index(others.len())]));
        set(Row::Sighting(relation, id), "changed-due", ShownValue::Name(joined));
    }
    let principals: IdSet<UnitId> = world.unit_ids().filter(|_| dice.per_mille(chances)).collect();
    set(RowKind::Machine.row(world, 1), "principals", ShownValue::Units(&principals));
    state
}

#[test]
fn conditions_on_many_units_have_the_values_of_the_tree() {
    let scenario = good(MANY);
    let (world, start) = (&scenario.world, &scenario.start);
    let mut dice = dice(17);
    // Counts of conditions that held, of those evaluated for all units, and of compared values.
    let (mut held, mut whole, mut compared) = (0_u32, 0_u32, 0_u32);
    for _ in 0..120 {
        let states = [(); 2].map(|()| state_at_random(world, start, &mut dice));
        for _ in 0..20 {
            let quantifier = ["all", "exists", "exists_one"][dice.index(3)];
            let (kind, list) = [(RowKind::Sighting, "seen"), (RowKind::Machine, "principals")]
                [usize::from(dice.index(4) == 0)];
            let is_of_machine = kind == RowKind::Machine;
            let steps = [("after", ""), ("before", "state_before.")];
            let (form, sides) = match dice.index(2) {
                0 => (ExpressionKind::State(Some(kind)), &[("it", "")][..]),
                _ => (ExpressionKind::Step(Some(kind)), &steps[..]),
            };
            let depth = dice.index(4);
            let inner = condition(&mut dice, depth, sides, is_of_machine);
            let subject = sides[0].0;
            let text = format!("{subject}.exists && {subject}.{list}.{quantifier}(x, {inner})");
            let expression = Expression::new(world, form, &text);
            let expression = expression.unwrap_or_else(|error| panic!("{text}: {error:?}"));
            let subjects: Vec<Row> = match kind {
                RowKind::Machine => vec![kind.row(world, 1)],
                _ => SEEING.map(|id| Row::Sighting(relation(world), UnitId::new(id))).to_vec(),
            };
            for subject in subjects {
                let (before, after) = match form {
                    ExpressionKind::State(_) | ExpressionKind::Rule(_) => (&states[1], &states[1]),
                    ExpressionKind::Step(_) => (&states[0], &states[1]),
                };
                let view = View { world, states: [before, after], recount: None };
                let mut reads = [Vec::new(), Vec::new()];
                let [of_tree, of_closure] = &mut reads;
                let tree =
                    rows::recorded(of_tree, || expression.holds_by_tree(view, Some(subject)));
                let closure =
                    rows::recorded(of_closure, || expression.holds_in(view, Some(subject)));
                assert_eq!(closure, tree, "{text} of {subject:?}");
                let [of_tree, of_closure] = reads.each_ref().map(|reads| different(reads));
                assert!(of_closure.is_superset(&of_tree), "{text}");
                compared += 1;
                held += u32::from(tree);
                // A closure also reads the units after the deciding one in its word of 64.
                if tree == (quantifier == "all") && quantifier != "exists_one" {
                    assert_eq!(of_tree, of_closure, "{text}");
                    whole += u32::from(of_tree.len() > 64);
                }
            }
        }
    }
    assert!(compared > 6_000, "only {compared} values are compared");
    assert!(held > compared / 5 && held < compared - compared / 5, "{held} of {compared} hold");
    assert!(whole > 100, "only {whole} conditions read rows of many units");
}

/// The reads, each once, as text.
fn different(reads: &[Read]) -> BTreeSet<String> {
    reads.iter().map(|read| format!("{read:?}")).collect()
}
