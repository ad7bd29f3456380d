//! Triggers of a condition on transitions: the fields that it watches, derived from its text.
//!
//! Most such conditions are about a change of the subject: they hold wherever a few of its fields
//! stay the same, whatever the other values are. Then a transition that does not change these
//! fields need not be evaluated. This is decided by trying all values of everything else that the
//! condition reads.

use deathwatch_model::rows::{FieldSet, RowKind};

use crate::{
    dependencies::Reads,
    fields::{FieldRead, TypedField, default_of},
    reads::is_subject,
    syntax::Binary,
    tree::{CheckedList, FieldRef, Node, Quantifier, SUBJECT_AFTER},
    types::{GONE, Value},
};

/// The greatest number of combinations of values that are tried.
const MOST_TRIED: usize = 1 << 12;

/// The rows whose changes can make a transition violate a condition: those that some fields of the
/// subject are read from, provided that the condition holds wherever these stay the same. `None` if
/// no such fields are found.
pub(crate) fn of(node: &Node) -> Option<Reads> {
    let mut fields = Vec::new();
    fields_of_subject(node, &mut fields);
    fields.first()?;
    let singles = fields.iter().map(|FieldRef(field)| field.reads.clone());
    let pairs = fields.iter().enumerate().flat_map(|(at, FieldRef(one))| {
        let others = fields[at + 1..].iter();
        others.map(|FieldRef(other)| [one.reads.as_slice(), &other.reads].concat())
    });
    let chosen = singles.chain(pairs).find(|same| holds_if_same(node, same))?;
    let mut reads = Reads::default();
    for FieldRead { kind, fields, back } in chosen {
        reads.derive(kind, back);
        reads.notice(kind, fields);
    }
    Some(reads)
}

/// Whether all reads of a field are among the reads that stay the same.
fn is_same(field: &TypedField, same: &[FieldRead]) -> bool {
    field.reads.iter().all(|read| {
        let alike = same.iter().filter(|it| it.kind == read.kind && it.back == read.back);
        let all = alike.fold(FieldSet::default(), |all, it| all.and(it.fields));
        read.fields.is_part_of(all)
    })
}

/// Collects the fields of the subject that are read before the transition or after it.
fn fields_of_subject(node: &Node, fields: &mut Vec<FieldRef>) {
    node.visit(&mut |node| {
        if let Some(of) = field_of_subject(node)
            && !fields.contains(&of)
        {
            fields.push(of);
        }
        node.visit_lists(&mut |list| {
            if let CheckedList::Field(row, of) = list
                && is_subject(row)
                && !fields.contains(of)
            {
                fields.push(*of);
            }
        });
    });
}

fn field_of_subject(node: &Node) -> Option<FieldRef> {
    match node {
        Node::Field(row, of) if is_subject(row) => Some(*of),
        _ => None,
    }
}

/// Whether a condition holds wherever these reads are the same before and after. Then fields of the
/// step have their defaults, as nothing happened that they could report.
fn holds_if_same(node: &Node, same: &[FieldRead]) -> bool {
    let mut merged = node.clone();
    merged.change(&mut |node| {
        if let Node::Field(row, FieldRef(field)) = node
            && is_subject(row)
            && is_same(field, same)
        {
            if field.is_of_step() {
                *node = Node::Value(default_of(field.value));
            } else {
                **row = Node::Variable(SUBJECT_AFTER);
            }
        }
        node.change_lists(&mut |list| {
            if let CheckedList::Field(row, FieldRef(field)) = list
                && is_subject(row)
                && is_same(field, same)
            {
                **row = Node::Variable(SUBJECT_AFTER);
            }
        });
    });
    merged.change(&mut |node| {
        if let Node::Counts(Quantifier::All, list, slot, condition) = node {
            condition.change(&mut |inner| {
                if matches!(inner, Node::In(item, of) if **item == Node::Variable(*slot) && of == list) {
                    *inner = Node::Value(Value::Flag(true));
                }
            });
            if is_always_true(condition) {
                *node = Node::Value(Value::Flag(true));
            }
        }
    });
    is_always_true(&merged)
}

/// Whether a condition holds for all values of everything that it reads.
fn is_always_true(node: &Node) -> bool {
    let mut unknowns = Unknowns::default();
    unknowns.of_condition(node);
    unknowns.is_always_true(node)
}

/// The parts of a condition with unknown values, each with the values to be tried.
#[derive(Default)]
struct Unknowns(Vec<(Node, Vec<Value>)>);

/// A value that no expression names: it stands for all values that are not tried.
const OTHER: Value = Value::Number(i64::MIN);

impl Unknowns {
    /// Adds the unknowns of a condition.
    fn of_condition(&mut self, node: &Node) {
        match node {
            Node::Value(_) => {}
            Node::Not(inner) => self.of_condition(inner),
            Node::And(terms) | Node::Or(terms) => terms.iter().for_each(|it| self.of_condition(it)),
            Node::If(parts) => parts.iter().for_each(|it| self.of_condition(it)),
            Node::Binary(Binary::Same | Binary::Different, both) if both[0] == both[1] => {}
            Node::Binary(Binary::Same | Binary::Different, both) => match &**both {
                [Node::Value(_), Node::Value(_)] => {}
                [field @ Node::Field(..), Node::Value(value)] => self.add(field, &[*value]),
                _ => self.add_flag(node),
            },
            Node::In(field, list) => match (&**field, constants(list)) {
                (Node::Value(_), Some(_)) => {}
                (Node::Field(..), Some(values)) => self.add(field, &values),
                _ => self.add_flag(node),
            },
            _ => match life_of(node) {
                Some(life) => self.add(&life, &[Value::Word(GONE)]),
                None => self.add_flag(node),
            },
        }
    }

    /// Adds an unknown that is compared with these values, and may have another one.
    fn add(&mut self, node: &Node, values: &[Value]) {
        self.add_values(node, &[&[OTHER], values].concat());
    }

    /// Adds an unknown boolean.
    fn add_flag(&mut self, node: &Node) {
        self.add_values(node, &[Value::Flag(false), Value::Flag(true)]);
    }

    /// Adds values to an unknown, which may occur in several places.
    fn add_values(&mut self, node: &Node, values: &[Value]) {
        let known = self.0.iter().position(|(known, _)| known == node);
        let known = known.unwrap_or_else(|| {
            self.0.push((node.clone(), Vec::new()));
            self.0.len() - 1
        });
        let all = &mut self.0[known].1;
        for value in values {
            if !all.contains(value) {
                all.push(*value);
            }
        }
    }

    /// Whether a condition holds for all combinations of values; false if they are too many to be
    /// tried.
    fn is_always_true(&self, node: &Node) -> bool {
        let combinations =
            self.0.iter().try_fold(1, |all: usize, (_, values)| all.checked_mul(values.len()));
        let Some(combinations) = combinations.filter(|it| *it <= MOST_TRIED) else { return false };
        (0..combinations).all(|combination| self.holds(node, combination))
    }

    /// Whether a condition holds in a combination of values.
    fn holds(&self, node: &Node, combination: usize) -> bool {
        match node {
            Node::Value(value) => value.is_true(),
            Node::Not(inner) => !self.holds(inner, combination),
            Node::And(terms) => terms.iter().all(|it| self.holds(it, combination)),
            Node::Or(terms) => terms.iter().any(|it| self.holds(it, combination)),
            Node::If(parts) => {
                let [condition, yes, no] = &**parts;
                let taken = if self.holds(condition, combination) { yes } else { no };
                self.holds(taken, combination)
            }
            Node::Binary(binary @ (Binary::Same | Binary::Different), both) => {
                let is_same = match &**both {
                    [one, other] if one == other => true,
                    [Node::Value(one), Node::Value(other)] => one == other,
                    [field @ Node::Field(..), Node::Value(value)] => {
                        self.value(field, combination) == *value
                    }
                    _ => return self.value(node, combination).is_true(),
                };
                is_same == (*binary == Binary::Same)
            }
            Node::In(field, list) => match (&**field, constants(list)) {
                (Node::Value(value), Some(values)) => values.contains(value),
                (Node::Field(..), Some(values)) => values.contains(&self.value(field, combination)),
                _ => self.value(node, combination).is_true(),
            },
            _ => match life_of(node) {
                Some(life) => self.value(&life, combination) != Value::Word(GONE),
                None => self.value(node, combination).is_true(),
            },
        }
    }

    /// The value of an unknown in a combination, which is a number in mixed radix.
    fn value(&self, node: &Node, combination: usize) -> Value {
        let mut left = combination;
        for (unknown, values) in &self.0 {
            if unknown == node {
                return values[left % values.len()];
            }
            left /= values.len();
        }
        unreachable!("every unknown of the condition was added")
    }
}

/// The values of a list, if all are constants.
fn constants(list: &CheckedList) -> Option<Vec<Value>> {
    let CheckedList::Items(items) = list else { return None };
    let constant = |item: &Node| match item {
        Node::Value(value) => Some(*value),
        _ => None,
    };
    items.iter().map(constant).collect()
}

/// The life of the entity whose existence this node asks for.
fn life_of(node: &Node) -> Option<Node> {
    let Node::Field(row, FieldRef(field)) = node else { return None };
    if !field.is_exists() || !RowKind::ENTITIES.contains(&field.of) {
        return None;
    }
    let life = crate::fields::fields(field.of).iter().find(|it| it.name == "life")?;
    Some(Node::Field(row.clone(), FieldRef(life)))
}

#[cfg(test)]
mod tests {
    use deathwatch_model::world::{Details, World};

    use super::*;
    use crate::{Expression, ExpressionKind, fields};

    /// The fields of an application that a condition on its transitions watches; `None` if it
    /// watches all.
    fn watched(text: &str) -> Option<Vec<&'static str>> {
        const KIND: RowKind = RowKind::Application;
        let world = World::smallest(Details::default());
        let guarded = format!("!before.exists || !after.exists || ({text})");
        let condition = Expression::new(&world, ExpressionKind::Step(Some(KIND)), &guarded);
        let reads = of(&condition.expect("it can be read").node)?;
        let fields = fields::fields(KIND).iter().filter(|it| it.declared.is_some());
        let is_read = |it: &&TypedField| it.reads[0].fields.meet(reads.fields[KIND as usize]);
        Some(fields.filter(is_read).map(|it| it.name.as_str()).collect())
    }

    #[test]
    fn fields_without_whose_change_a_condition_holds_are_watched_alone() {
        assert_eq!(watched("after.life == before.life"), Some(vec!["life"]));
        assert_eq!(watched("before.life == 'alive' || after.life != 'alive'"), Some(vec!["life"]));
        let both = "after.life == before.life || after.exposed == before.exposed";
        assert!(watched(both).is_some_and(|fields| fields.len() == 1), "either will do");
        let each = "after.life == before.life && after.exposed == before.exposed";
        assert_eq!(watched(each), Some(vec!["life", "exposed"]));
    }

    /// The first part of each condition is true of every transition, so the field that it names
    /// must not be watched alone.
    #[test]
    fn no_field_is_left_out_that_can_violate_a_condition() {
        for asked in [
            "!after.exposed",
            "after.exposed == false",
            "after.exposed == false || !after.exposed",
            "!after.exposed || after.exposed == false",
            "after.exposed in [false] || !after.exposed",
        ] {
            let text =
                format!("(before.life == after.life || before.life != after.life) && ({asked})");
            assert_eq!(watched(&text), None, "{asked}");
        }
    }
}
