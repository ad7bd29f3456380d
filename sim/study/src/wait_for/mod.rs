//! Diagnoses of a model with names, cut off at a bound: which entity waits for which.

mod limited;

use deathwatch_claims::{
    Diagnosis,
    diagnosis::{Edge, EntityCondition, Root, RootKind},
};
use deathwatch_documents::wait_for::{Because, NamedRoot, WaitFor, Waiting};
use deathwatch_model::{action::Hook, life::Life, world::World};
use deathwatch_scenario::describe::name;

use self::limited::Limited;

/// The number of entities of a root that are named.
const NAMED: usize = 10;

/// The diagnosis with names; `None` if its subject is no entity's.
pub fn of(world: &World, diagnosis: &Diagnosis) -> Option<WaitFor> {
    let subject = diagnosis.subject.actor()?;
    let roots = diagnosis.roots();
    let limited = Limited::of(diagnosis, subject, &roots);
    let mut it = WaitFor {
        subject: name(world, subject),
        nodes: Vec::new(),
        edges: Vec::new(),
        roots: roots.iter().map(|root| named_root(world, root)).collect(),
    };
    for (entity, edges, left_out) in limited.nodes {
        let from = name(world, entity);
        let left_out = left_out.into_iter().map(|(it, count)| (it.row().id.to_owned(), count));
        it.edges.extend(edges.into_iter().map(|edge| because(world, from.clone(), edge)));
        it.nodes.push(Waiting {
            entity: from,
            condition: condition(diagnosis.node(entity).condition),
            left_out: left_out.collect(),
        });
    }
    Some(it)
}

fn because(world: &World, from: String, edge: Edge) -> Because {
    let row = edge.reason.row();
    let text = match edge.hook.and_then(Hook::kind) {
        Some(hook) => format!("its {} hook is due and does not run", hook.name()),
        None => row.says.to_owned(),
    };
    Because {
        from,
        to: edge.to.map(|to| name(world, to)),
        reason: edge.reason,
        role: row.role,
        text,
        passage: row.source.to_owned(),
    }
}

fn named_root(world: &World, root: &Root) -> NamedRoot {
    let named = root.entities.iter().take(NAMED);
    NamedRoot {
        kind: root.kind,
        entities: named.map(|entity| name(world, *entity)).collect(),
        count: root.entities.len() as u64,
        since: root.since.map(|since| since as u64),
        text: match root.kind {
            RootKind::NotAllowed(rule) => {
                format!("the rule \"{}\" does not allow it", world.clause_name(rule))
            }
            kind => kind.says(),
        },
        passage: root.kind.source(),
    }
}

/// The text of an entity's condition in its documents.
fn condition(condition: EntityCondition) -> String {
    match condition {
        EntityCondition::Gone => "gone".to_owned(),
        EntityCondition::LeftSettings => "gone, but the settings of its units are left".to_owned(),
        EntityCondition::Life(life) => life.to_string(),
        EntityCondition::Counts(life, units, relations) => {
            let (units, relations) = (count(units, "unit"), count(relations, "relation"));
            format!("{life}, counts {units} and {relations}")
        }
        EntityCondition::Scopes(Life::Alive, _) => Life::Alive.to_string(),
        EntityCondition::Scopes(life, units) => {
            format!("{life}, counts {} in scope", count(units, "unit"))
        }
    }
}

fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
