//! A scenario's own rules in the worlds of instances.
//!
//! A rule must treat all processes alike: its condition names no entity of a process, and its acts
//! for the first process of a type are made for each. That it reads no row of another process is
//! judged as for the protocol itself.

use std::sync::Arc;

use deathwatch_model::{
    action::Act,
    agents::{OwnDuty, OwnRules, Task},
    clause::Clause,
    ids::{Rename as _, Renaming},
    rows::Row,
    table::Argument,
    world::{OwnRuleSet, World},
};

use super::{NoTemplate, places::Places};

/// An act that a rule adds for a row, with its task.
type Added = (Task, Row, Act);

/// Demands that rules treat all processes alike.
pub(super) fn demand_alike(world: &World, places: &Places) -> Result<(), NoTemplate> {
    let Some(mut rules) = world.own_rules.says::<OwnRules>().cloned() else { return Ok(()) };
    let refused = |clause: Clause, what: &str| {
        let reason = format!("the rule `{}` {what}", world.clause_name(clause));
        Err(NoTemplate::new(reason))
    };
    for (clause, when) in rules.conditions().filter(|(clause, _)| !world.is_off(*clause)) {
        if when.asks_of_world() {
            return refused(clause, "asks what depends on how many units there are");
        }
        for entity in when.named() {
            if places.is_free(entity) {
                return refused(clause, "names what does not exist at the start");
            }
            if places.owner_of(entity).is_some() {
                return refused(clause, "names a unit or machine of which there may be any number");
            }
        }
    }
    for duty in &rules.duties {
        for (_, row, act) in added(duty).filter(|(_, row, _)| !is_free(*row, places)) {
            let named = act.verb().1.into_iter().flatten().filter_map(Argument::entity);
            let mut named = named.chain(act.actor().entity());
            let owner = places.owner(row);
            let is_other =
                |it| places.is_free(it) || places.owner_of(it).is_some_and(|it| Some(it) != owner);
            if named.any(is_other) {
                return refused(duty.clause(), "does something to another unit or machine");
            }
        }
    }
    Ok(())
}

/// The rules of an instance: `to` renames the exemplar of a type to each process of it.
pub(super) fn of_instance(
    world: &World,
    places: &Places,
    sizes: &[usize],
    to: &dyn Fn(usize, usize) -> Renaming,
) -> OwnRuleSet {
    let Some(said) = world.own_rules.says::<OwnRules>() else { return world.own_rules.clone() };
    let (mut rules, once) = (said.clone(), to(0, 0));
    for (_, when) in rules.conditions() {
        *when = when.renamed(&once);
    }
    for (duty, said) in rules.duties.iter_mut().zip(&said.duties) {
        duty.acts.clear();
        duty.tasks.clear();
        for (task, row, act) in added(said).filter(|(_, row, _)| !is_free(*row, places)) {
            let copies: Vec<Renaming> = match places.owner(row) {
                None => vec![to(0, 0)],
                Some((of, 0)) => (0..sizes[of]).map(|slot| to(of, slot)).collect(),
                Some(_) => Vec::new(),
            };
            for by in copies {
                let (task, row) = (task.renamed(&by), row.renamed(&by));
                duty.acts.entry(task).or_default().push((row, act.renamed(&by)));
                duty.tasks.insert(row, task);
            }
        }
    }
    let names = world.own_rules.clauses().map(|(_, name)| name.into()).collect();
    let operations = rules.operations().collect();
    OwnRuleSet::new(names, operations, Arc::new(rules))
}

/// Whether the rules of an instance add those of a world, renamed.
pub(super) fn are_same(world: &World, places: &Places, instance: &World, by: &Renaming) -> bool {
    let [here, there] = [world, instance].map(|it| it.own_rules.says::<OwnRules>());
    let (Some(here), Some(there)) = (here, there) else { return true };
    here.duties.iter().zip(&there.duties).all(|(here, there)| {
        let here = added(here).filter(|(_, row, _)| !is_free(*row, places));
        let mut here =
            here.map(|(task, row, act)| (task.renamed(by), row.renamed(by), act.renamed(by)));
        let there: Vec<Added> = added(there).collect();
        here.clone().count() == there.len() && here.all(|it| there.contains(&it))
    })
}

fn added(duty: &OwnDuty) -> impl Iterator<Item = Added> + Clone + '_ {
    let acts = duty.acts.iter();
    acts.flat_map(|(task, acts)| acts.iter().map(move |(row, act)| (*task, *row, *act)))
}

fn is_free(row: Row, places: &Places) -> bool {
    row.actor().is_some_and(|entity| places.is_free(entity))
}
