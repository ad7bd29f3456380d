//! Starts: every state that a run reaches can be written as the table `[start]` and read back, its
//! rows agree, and no start causes a panic.

use std::path::Path;

use deathwatch_claims::{
    check::{CheckQuestion, SearchSettings, check},
    disagreements,
};
use deathwatch_model::{
    action::Hook,
    clause::{Clause, Rule},
    ids::{Id, IdSet, MachineId, Placement, UnitId},
    life::Life,
    protocol::{self, Effects},
    rows::{Field, FieldKind, Row, RowKind, ShownValue, Unset, WorldBounds},
    state::State,
    world::World,
};
use deathwatch_scenario::{Scenario, find, load, replay};
use deathwatch_simulator::dice::Dice;
use deathwatch_study::{simulate::Simulation, to_start_text};

use crate::common::{cases, dice, parse, render, worlds::scenarios};

/// The states on a random walk from the start in which no transaction is pending, some steps apart.
fn states(scenario: &Scenario, dice: &mut Dice, length: usize) -> Vec<State> {
    let (mut state, mut effects) = (scenario.start.clone(), Effects::default());
    let (mut states, mut offers) = (vec![state.clone()], Vec::new());
    for step in 0..length {
        offers.clear();
        protocol::enabled(&scenario.world, &state, &mut offers);
        if offers.is_empty() {
            break;
        }
        let action = offers[dice.index(offers.len())];
        protocol::step(&scenario.world, &mut state, action, &mut effects);
        if step % 5 == 0 && state.runtime.pending_txns().next().is_none() {
            states.push(state.clone());
        }
    }
    states
}

fn shipped() -> impl Iterator<Item = Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[root]).expect("there are some");
    files.into_iter().map(|file| load(&file).unwrap_or_else(|it| panic!("{}", render(&it))))
}

#[test]
fn every_state_without_transactions_is_written_and_read_back() {
    let mut written = 0;
    // Without roles a hook may be about a unit of the same side, for which no table has a form.
    let has_roles =
        |it: &Scenario| !it.world.is_off(Clause { rule: Rule::RelationHooks, number: 9 });
    for scenario in shipped().filter(|it| it.world.units.len() <= 20 && has_roles(it)) {
        for state in states(&scenario, &mut dice(7), cases(30, 60)) {
            let text = to_start_text(&scenario, "It goes on from here.", &state);
            let text =
                text.unwrap_or_else(|| panic!("no transaction is pending in {}", scenario.name));
            let read = parse(&text).unwrap_or_else(|it| panic!("{text}\n{}", render(&it)));
            let (store, runtime) = (&read.start.store, &read.start.runtime);
            assert_eq!(
                (store, runtime),
                (&state.store, &state.runtime),
                "{}\n{text}",
                scenario.name
            );
            written += 1;
        }
    }
    assert!(written > cases(500, 1_000), "only {written}");
}

/// Facts that every run preserves, whatever is switched off.
#[test]
fn hardware_agents_and_disks_agree_in_every_state_of_a_run() {
    for scenario in shipped().filter(|it| it.world.units.len() <= 20) {
        for state in states(&scenario, &mut dice(11), 100) {
            let all = disagreements(&scenario.world, &state).into_iter();
            let broken: Vec<_> =
                all.filter(|(says, _)| deathwatch_claims::named(says).is_none()).collect();
            assert_eq!(broken, [], "{}", scenario.name);
        }
    }
}

/// Any start that rows can hold can be explored, even in a weakened protocol.
#[test]
fn no_start_makes_a_search_or_a_run_panic() {
    let (mut set, mut refused) = (0, 0);
    for (seed, scenario) in (0..).zip(scenarios().into_iter().cycle().take(96)) {
        let (mut dice, mut state) = (dice(seed), scenario.start.clone());
        let bounds = WorldBounds::of_starts(&scenario.world);
        for _ in 0..dice.index(12) {
            let (row, field) = any_field(&scenario.world, &mut dice);
            match set_at_random(&scenario.world, &bounds, &mut state, (row, field), &mut dice) {
                Ok(()) => set += 1,
                Err(_) => refused += 1,
            }
        }
        let text = to_start_text(&scenario, "A start.", &state).expect("nothing is pending");
        let mut written = parse(&text).unwrap_or_else(|it| panic!("{text}\n{}", render(&it)));
        assert_eq!(written.start, state, "{text}");
        // A run that never settles would take as long as all others together.
        written.simulate.settings.calm_steps = 5_000;
        let settings =
            SearchSettings { max_states: Some(200), ..SearchSettings::without_limits(1) };
        let (world, start) = (&written.world, &written.start);
        let claims = deathwatch_claims::all_in(world).collect();
        let report = check(
            &CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None },
            &settings,
        );
        assert!(report.is_ok(), "{text}");
        let begun = replay(&written).expect("it has no script");
        let simulation = Simulation::new(&written, &begun).expect("it is small");
        simulation.trace(seed, None);
    }
    assert!(set > 200 && refused > 60, "{set} were set, {refused} were refused");
}

/// A field of a row of the world, at random.
fn any_field(world: &World, dice: &mut Dice) -> (Row, &'static Field) {
    loop {
        let kind = RowKind::ALL[dice.index(RowKind::ALL.len())];
        let count = kind.count(world);
        let fields: Vec<&Field> = kind.fields().iter().flat_map(Field::parts).collect();
        if count > 0 {
            return (kind.row(world, dice.index(count)), fields[dice.index(fields.len())]);
        }
    }
}

/// Sets a field to a value of its kind, at random.
fn set_at_random(
    world: &World,
    bounds: &WorldBounds<'_>,
    state: &mut State,
    (row, field): (Row, &Field),
    dice: &mut Dice,
) -> Result<(), Unset> {
    let flag = dice.index(2) == 0;
    let entity = |kind: RowKind, dice: &mut Dice| kind.row(world, dice.index(kind.count(world)));
    let name = |kind: RowKind, dice: &mut Dice| {
        ShownValue::Name(if flag { entity(kind, dice).own_entity() } else { None })
    };
    let units: IdSet<UnitId> = world.unit_ids().filter(|_| dice.index(2) == 0).collect();
    let machines: IdSet<MachineId> = world.machine_ids().filter(|_| dice.index(2) == 0).collect();
    let counts: Vec<u8> = world.commands.iter().map(|_| u8::from(dice.index(2) == 0)).collect();
    let value = match field.kind {
        FieldKind::Flag => ShownValue::Flag(flag),
        FieldKind::Count => ShownValue::Count(dice.index(6) as u64),
        FieldKind::Life if dice.index(4) == 0 => return state.set(bounds, row, field.name, None),
        FieldKind::Life => ShownValue::Life([Life::Alive, Life::Dying, Life::Dead][dice.index(3)]),
        FieldKind::State(states) => {
            let number = dice.index(states.len());
            ShownValue::State(number, states[number])
        }
        FieldKind::Placement => ShownValue::Placement(match dice.index(3) {
            0 => Placement::Nowhere,
            1 => Placement::Machine(MachineId::new(dice.index(world.machines.len()))),
            _ => Placement::Principal(UnitId::new(dice.index(world.units.len()))),
        }),
        FieldKind::Machine => name(RowKind::Machine, dice),
        FieldKind::Application => name(RowKind::Application, dice),
        FieldKind::Unit => name(RowKind::Unit, dice),
        FieldKind::Relation => name(RowKind::Relation, dice),
        FieldKind::Units => ShownValue::Units(&units),
        FieldKind::Machines => ShownValue::Machines(&machines),
        FieldKind::Constraints => {
            let sets: Vec<_> = world.constraints.listed().collect();
            ShownValue::Constraints(sets[dice.index(sets.len())])
        }
        FieldKind::Commands => ShownValue::Commands(&counts),
        FieldKind::Begun if flag => ShownValue::Hook(Hook::Stop),
        FieldKind::Txn | FieldKind::Begun => ShownValue::Txn(None),
        FieldKind::Document => return Ok(()),
    };
    state.set(bounds, row, field.name, Some(value))
}
