//! Expressions: evaluated and compared with the interpreter of the crate `cel`, which shares no
//! code with ours; compared with the closures and dependencies that are derived from them; and
//! refused with a place and a hint. Any text is read or refused, in time and without a panic.

mod derived;
pub(crate) mod generate;
mod many_units;
mod oracle;
mod refused;
mod texts;

use deathwatch_language::{Expression, ExpressionKind, KINDS};
use deathwatch_model::{
    history::History,
    protocol::{self, Effects},
    rows::{Row, RowKind},
    state::State,
    world::World,
};
use deathwatch_simulator::dice::Dice;
use generate::Generator;

use crate::common::{dice, good, worlds};

/// A world with constraints and series.
const CONSTRAINED: &str = concat!("\n", include_str!("../../../tests/worlds/constrained.toml"));

/// A world with hooks, whose history is kept.
const DETAILED: &str = concat!("\n", include_str!("../../../tests/worlds/detailed.toml"));

/// The last two states of a walk of this number of random steps.
fn reached(world: &World, start: &State, steps: usize, dice: &mut Dice) -> [State; 2] {
    let (mut before, mut state) = (start.clone(), start.clone());
    let (mut effects, mut enabled) = (Effects::default(), Vec::new());
    for _ in 0..steps {
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        if enabled.is_empty() {
            break;
        }
        before.clone_from(&state);
        let action = enabled[dice.index(enabled.len())];
        protocol::step(world, &mut state, action, &mut effects);
    }
    [before, state]
}

/// The subjects of a kind, or `None` for the whole state.
fn subjects(world: &World, each: Option<RowKind>) -> Vec<Option<Row>> {
    match each {
        Some(kind) => kind.rows(world).map(Some).collect(),
        None => vec![None],
    }
}

#[test]
fn expressions_have_the_values_that_cel_gives_them() {
    let mut dice = dice(7);
    let (mut compared, mut held) = (0_u32, 0_u32);
    let others = [good(CONSTRAINED), good(DETAILED)];
    for scenario in worlds::scenarios().into_iter().chain(others) {
        let world = &scenario.world.keeping_all();
        let start = State { history: History::empty(world), ..scenario.start.clone() };
        let kinds: Vec<RowKind> =
            KINDS.iter().copied().filter(|kind| kind.count(world) > 0).collect();
        for _ in 0..50 {
            let steps = dice.index(40);
            let [before, state] = reached(world, &start, steps, &mut dice);
            for _ in 0..16 {
                let each = Some(kinds[dice.index(kinds.len())]).filter(|_| dice.index(3) > 0);
                let form = if dice.index(3) == 0 {
                    ExpressionKind::Step(each)
                } else {
                    ExpressionKind::State(each)
                };
                let text = Generator::new(world, form, &mut dice).flag(4);
                let Ok(expression) = Expression::new(world, form, &text) else { continue };
                let all = subjects(world, each);
                if all.is_empty() {
                    continue;
                }
                let subject = all[dice.index(all.len())];
                let before = if matches!(form, ExpressionKind::Step(_)) { &before } else { &state };
                let ours = expression.holds_between(world, before, &state, subject);
                let theirs = oracle::holds(world, form, [before, &state], subject, &text);
                assert_eq!(theirs, Ok(ours), "{text}\nof {subject:?} in {}", scenario.source());
                compared += 1;
                held += u32::from(ours);
            }
        }
    }
    assert!(compared > 2_000, "only {compared} expressions meant something");
    assert!(held > compared / 10 && held < compared - compared / 10, "{held} of {compared} hold");
}
