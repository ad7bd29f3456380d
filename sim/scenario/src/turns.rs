//! Turns: whether a cycle is fair to the actors that are assumed to act, and why.
//!
//! A run that goes round for ever counts against a claim only if nobody is kept from acting for
//! ever who is assumed to act. A class that is weakly fair moves on the cycle, or cannot move in
//! some state of it; one that is strongly fair moves on it, or can move in no state of it. The
//! classes are those by which claims are decided.

use std::collections::BTreeMap;

use deathwatch_claims::check::{FairnessClasses, TooLarge};
use deathwatch_model::{
    action::Action,
    actor::Actor,
    protocol,
    state::State,
    world::{Obligation, Per, World},
};

use crate::listed::few;

/// The turn of an actor on a cycle: whether the cycle is fair to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub actor: String,
    /// The steps that it takes on the cycle, or the reason why it need not take any.
    pub says: String,
    /// Whether the cycle lets it act as often as fairness promises.
    pub is_fair: bool,
}

/// A fairness class on a cycle.
struct Class {
    name: String,
    owes: Obligation,
    /// The numbers of the states in which it can move.
    can: Vec<usize>,
    /// The numbers of the steps that it takes.
    takes: Vec<usize>,
}

/// The turn of each class that can move in some state of a cycle. `states` has one more than there
/// are `steps`, and the first of them has the number `first`.
///
/// # Errors
/// If the world has more duties than can be told apart.
pub fn turns(
    world: &World,
    states: &[State],
    steps: &[Action],
    first: usize,
) -> Result<Vec<Turn>, TooLarge> {
    let fairness = FairnessClasses::new(world)?;
    let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
    let (mut faults, mut enabled) = (Vec::new(), Vec::new());
    for ((state, step), number) in states.iter().zip(steps).zip(first..) {
        enabled.clear();
        protocol::enabled(world, state, &mut enabled);
        for action in &enabled {
            let Some((class, owes)) = fairness.owes(state, action) else { continue };
            let name = || name(world, *action);
            let class = classes.entry(class);
            let class = class.or_insert_with(|| Class {
                name: name(),
                owes,
                can: Vec::new(),
                takes: Vec::new(),
            });
            if class.can.last() != Some(&number) {
                class.can.push(number);
            }
        }
        let taken = fairness.owes(state, step).and_then(|(class, _)| classes.get_mut(&class));
        if let Some(class) = taken {
            class.takes.push(number + 1);
        }
        if step.actor() == Actor::Faults {
            faults.push(number + 1);
        }
    }
    let all = first..first + steps.len();
    let mut turns: Vec<Turn> =
        classes.into_values().map(|class| turn(class, all.clone())).collect();
    if !faults.is_empty() {
        let says =
            format!("happen finitely often, and here for ever: {}", numbered("step", &faults));
        turns.push(Turn { actor: "faults".to_owned(), says, is_fair: false });
    }
    Ok(turns)
}

fn turn(class: Class, all: std::ops::Range<usize>) -> Turn {
    let Class { name, owes, can, takes } = class;
    let cannot: Vec<usize> = all.filter(|number| !can.contains(number)).collect();
    let (is_fair, says) = if !takes.is_empty() {
        (true, format!("acts: {}", numbered("step", &takes)))
    } else if owes != Obligation::Strong && !cannot.is_empty() {
        (true, format!("need not act, as it cannot {}", numbered("after step", &cannot)))
    } else {
        (false, format!("could act {}, and never does", numbered("after step", &can)))
    };
    Turn { actor: name, says, is_fair }
}

/// The name of the class of an action: its actor and, where that has several classes, the action.
fn name(world: &World, action: Action) -> String {
    let actor = action.actor();
    let by_act = match actor {
        Actor::Operator | Actor::Supervisor => true,
        Actor::User(_) | Actor::Client(_) | Actor::Faults => false,
        Actor::UnitAgent(_) | Actor::MachineAgent(_) | Actor::Provisioner | Actor::Cleaner => {
            world.assumptions.per == Per::Duty
        }
    };
    let name = world.show_actor(actor);
    if by_act { format!("{name}: {}", world.show_act(action.act)) } else { name }
}

/// "step 3", "steps 3, 4", "after steps 1, 2 and 5 more".
fn numbered(what: &str, numbers: &[usize]) -> String {
    const TOLD: usize = 6;
    let plural = if numbers.len() == 1 { "" } else { "s" };
    format!("{what}{plural} {}", few(numbers, TOLD))
}
