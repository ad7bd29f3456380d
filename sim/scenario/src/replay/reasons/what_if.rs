//! What-if: a field, with another value of which the action would be possible.
//!
//! What asks an agent for something is said in the model only. So the model is asked of states that
//! differ in one field of an entity that the action names. Such a state need not be one that can be
//! reached: it says which condition is not met, and not how to meet it.

use deathwatch_model::{
    action::Action,
    agents::{self, Enabled},
    free_ids::Scan,
    ids::EntityId,
    life::Life,
    rows::{Field, FieldKind, ShownValue, WorldBounds},
    state::State,
    world::World,
};

use super::{Impossibility, ReasonKind};
use crate::{
    describe,
    replay::Interpreter,
    scenario::{NamedSubject, show_value},
};

/// The greatest number of conditions that are listed.
const TOLD: usize = 2;

/// The reason, and the field that would make a task ask for the action where none does.
pub(super) fn add_condition(
    reason: Impossibility,
    interpreter: &Interpreter<'_>,
    action: Action,
) -> Impossibility {
    if reason.kind != ReasonKind::NotAsked {
        return reason;
    }
    match what_if(interpreter.world, &interpreter.state, action) {
        Some(condition) => Impossibility {
            why: format!("{}; it would be possible if {condition}", reason.why),
            ..reason
        },
        None => reason,
    }
}

/// The conditions by each of which alone `action` would be possible, as the end of "it would be
/// possible if".
fn what_if(world: &World, state: &State, action: Action) -> Option<String> {
    let line = world.show(&action);
    let named = EntityId::all(world)
        .filter(|it| it.life(state).is_some() && line.contains(describe::bare_name(world, *it)));
    let bounds = WorldBounds::of_starts(world);
    let mut told = Vec::new();
    for subject in named.map(NamedSubject::Entity) {
        let mut fields: Vec<(&Field, Vec<ShownValue<'static>>)> = Vec::new();
        subject.fields(state, &mut |field, shown| {
            fields.push((field, others(subject, field, shown)));
        });
        for (field, value) in fields.iter().flat_map(|(it, all)| all.iter().map(move |v| (*it, *v)))
        {
            let mut other = state.clone();
            let is_set = subject.set(&mut other, &bounds, field.name, Some(value)).is_ok();
            let enabled = &mut Enabled::default();
            if is_set && agents::find_enabled(world, &other, action, &Scan, enabled).is_some() {
                let (name, value) = (subject.name(world), show_value(world, value));
                told.push(format!("{} of {name} were {value}", field.name));
            }
            if told.len() == TOLD {
                break;
            }
        }
    }
    told.truncate(TOLD);
    (!told.is_empty()).then(|| told.join(", or "))
}

/// The other values that a field of `subject` can have, if they are few.
fn others(
    subject: NamedSubject,
    field: &Field,
    shown: Option<ShownValue<'_>>,
) -> Vec<ShownValue<'static>> {
    match (field.kind, shown) {
        (FieldKind::Life, Some(ShownValue::Life(life))) => {
            let lives = [Life::Alive, Life::Dying, Life::Dead].into_iter();
            let can_be = |life: &Life| match subject {
                NamedSubject::Entity(entity) => entity.can_be(*life),
                NamedSubject::Row(_) => true,
            };
            lives.filter(|it| *it != life && can_be(it)).map(ShownValue::Life).collect()
        }
        (FieldKind::Flag, Some(ShownValue::Flag(holds))) => vec![ShownValue::Flag(!holds)],
        (FieldKind::State(names), Some(ShownValue::State(number, _))) => {
            let names = names.iter().enumerate().filter(|(other, _)| *other != number);
            names.map(|(number, name)| ShownValue::State(number, name)).collect()
        }
        _ => Vec::new(),
    }
}
