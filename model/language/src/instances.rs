//! Expressions in related worlds, with other numbers of units and machines or with details hidden
//! in an outline: the entities that they name, and the parts that depend on the difference.

use deathwatch_model::{
    ids::{EntityId, Rename, Renaming},
    rows::{Row, RowKind},
    table::{Argument, RowEnum as _},
    variants::Variants,
    world::World,
};

use crate::{
    Expression, ExpressionKind, RowKinds,
    fields::{self, FieldRead, TypedField, kind_name},
    syntax::Binary,
    tree::{CheckedList, FieldRef, Node, Quantifier, SUBJECT_AFTER},
    types::{BegunWork, Type, Value},
};

/// The counts of units in documents: the kind of row, the field, and the derived list that it
/// counts.
const COUNTS: [(RowKind, &str, &str); 2] = [
    (RowKind::Application, "units", "existing_units"),
    (RowKind::Relation, "count_in_scope", "in_scope"),
];

impl Expression {
    /// The same expression where units and machines have other identifiers.
    #[must_use]
    pub fn renamed(&self, by: &Renaming) -> Self {
        self.changed(|node| {
            if let Node::Value(value) = node {
                *value = value.renamed(by);
            }
        })
    }

    fn changed(&self, mut change: impl FnMut(&mut Node)) -> Self {
        let mut node = self.node.clone();
        node.change(&mut change);
        Self::of(self.form, node)
    }

    /// The units and machines that the expression names.
    pub fn named(&self) -> Vec<EntityId> {
        let mut named = Vec::new();
        self.node.visit(&mut |node| {
            if let Node::Value(value) = node {
                named.extend(value.entities());
            }
        });
        named.retain(|it| matches!(it, EntityId::Unit(_) | EntityId::Machine(_)));
        named
    }

    /// The kinds of rows whose lists of all rows it reads.
    pub fn listed(&self) -> RowKinds {
        let mut kinds = RowKinds::default();
        self.node.visit(&mut |node| {
            node.visit_lists(&mut |list| {
                if let CheckedList::Rows(kind, _) = list {
                    kinds.add(*kind);
                }
            });
        });
        kinds
    }

    /// The condition of a quantifier over all rows of a kind in a state: whether all rows have to
    /// fulfil it (or one), the kind, and the condition on each row. `None` for other expressions.
    pub fn of_each(&self) -> Option<(bool, RowKind, Self)> {
        let (ExpressionKind::State(None), Node::Counts(quantifier, list, slot, condition)) =
            (self.form, &self.node)
        else {
            return None;
        };
        let CheckedList::Rows(kind, _) = **list else { return None };
        let are_all = match quantifier {
            Quantifier::All => true,
            Quantifier::Some => false,
            Quantifier::One => return None,
        };
        let mut condition = (**condition).clone();
        condition.change(&mut |node| {
            if *node == Node::Variable(*slot) {
                *node = Node::Variable(SUBJECT_AFTER);
            }
        });
        Some((are_all, kind, Self::of(ExpressionKind::State(Some(kind)), condition)))
    }

    /// A field or variant that it reads and that differs or is missing in the outline of the world.
    pub(crate) fn hidden(&self, world: &World, outline: &World) -> Option<String> {
        let is_hidden = |field: &TypedField| {
            let is_read = |it: &FieldRead| it.fields.meet(world.hidden_fields(outline, it.kind));
            field.value == Type::Series && world.detail.series || field.reads.iter().any(is_read)
        };
        let said = |field: &TypedField| {
            is_hidden(field).then(|| format!("`{}` of a row `{}`", field.name, kind_name(field.of)))
        };
        let mut hidden = None;
        self.node.visit(&mut |node| {
            let found = match node {
                Node::Field(_, FieldRef(field)) => said(field),
                Node::Variant(number) => {
                    let [own, other] = [world, outline].map(|it| it.variants.positions()[*number]);
                    let differs = own != other;
                    differs.then(|| format!("the variant `{}`", Variants::LIST[*number].name))
                }
                Node::Quiescent(_) => Some("whether anybody can move".to_owned()),
                _ => None,
            };
            hidden = hidden.take().or(found);
            node.visit_lists(&mut |list| {
                if let CheckedList::Field(_, FieldRef(field)) = list {
                    hidden = hidden.take().or_else(|| said(field));
                }
            });
        });
        hidden
    }

    /// Whether it reads `quiescent`.
    pub fn asks_quiescence(&self) -> bool {
        let mut asks = false;
        self.node.visit(&mut |node| asks |= matches!(node, Node::Quiescent(_)));
        asks
    }

    /// Whether it reads `has_room`, which depends on the number of identifiers.
    pub fn asks_room(&self) -> bool {
        let mut asks = false;
        self.node.visit(&mut |node| {
            asks |= matches!(node, Node::Field(_, FieldRef(field)) if field.name == "has_room");
        });
        asks
    }

    /// The same expression with lengths of lists of units replaced by the counts in documents. The
    /// values are equal only where the documents count correctly.
    #[must_use]
    pub fn by_counts(&self) -> Self {
        self.changed(|node| {
            let Node::Size(list) = node else { return };
            let CheckedList::Field(row, FieldRef(listed)) = &**list else { return };
            let is_it = |(of, _, list): &&(RowKind, &str, &str)| {
                *of == listed.of && *list == listed.name.as_str()
            };
            if let Some((of, count, _)) = COUNTS.iter().find(is_it) {
                *node = Node::Field(row.clone(), FieldRef(count_field(*of, count)));
            }
        })
    }

    /// The greatest number at which a comparison of a document's number of units may change: all
    /// greater numbers give the expression one value. So `count <= 3` and `count < 4` both have 3.
    /// `None` if the expression does something else with such a number.
    pub fn greatest_compared(&self) -> Option<i64> {
        let (mut greatest, mut asked, mut compared) = (0, 0, 0);
        self.node.visit(&mut |node| {
            match node {
                Node::Field(_, FieldRef(field)) if reads_count(field) => asked += 1,
                Node::Quiescent(_) => asked += 1,
                Node::Binary(binary, both) if is_comparison(*binary) => match &**both {
                    [Node::Field(_, FieldRef(field)), Node::Value(Value::Number(number))]
                    | [Node::Value(Value::Number(number)), Node::Field(_, FieldRef(field))]
                        if is_count(field) =>
                    {
                        compared += 1;
                        let is_count_first = matches!(both[0], Node::Field(..));
                        // All counts from the number on are alike, itself among them.
                        let is_alike = match binary {
                            Binary::Less | Binary::AtLeast => is_count_first,
                            Binary::Greater | Binary::AtMost => !is_count_first,
                            _ => false,
                        };
                        greatest = greatest.max(number.saturating_sub(i64::from(is_alike)));
                    }
                    // A number compared with itself gives the same value for any count.
                    [Node::Field(_, FieldRef(field)), _]
                        if both[0] == both[1] && is_count(field) =>
                    {
                        compared += 2;
                    }
                    _ => {}
                },
                _ => {}
            }
            node.visit_lists(&mut |list| {
                if let CheckedList::Field(_, FieldRef(field)) = list {
                    asked += usize::from(reads_count(field));
                }
            });
        });
        (asked == compared).then_some(greatest)
    }
}

/// The field of a document that is a number of units.
fn count_field(of: RowKind, name: &str) -> &'static TypedField {
    let mut all = fields::fields(of).iter();
    all.find(|it| it.name == name).expect("a document counts them")
}

fn is_count(field: &TypedField) -> bool {
    COUNTS.iter().any(|(of, name, _)| field.of == *of && field.name == *name)
}

/// Whether a field is a count of units in a document, or may be derived from one.
fn reads_count(field: &TypedField) -> bool {
    COUNTS.iter().any(|(of, name, _)| {
        let counted = &count_field(*of, name).reads[0];
        field.reads.iter().any(|it| it.kind == *of && it.fields.meet(counted.fields))
    })
}

fn is_comparison(binary: Binary) -> bool {
    match binary {
        Binary::Same
        | Binary::Different
        | Binary::Less
        | Binary::AtMost
        | Binary::Greater
        | Binary::AtLeast => true,
        Binary::In | Binary::Plus | Binary::Minus | Binary::Times => false,
    }
}

impl Value {
    fn entities(self) -> Vec<EntityId> {
        let of = |arguments: &[Option<Argument>]| -> Vec<EntityId> {
            arguments.iter().flatten().filter_map(|it| it.about()).collect()
        };
        match self {
            Self::Name(entity) => entity.into_iter().collect(),
            Self::Begun(Some(BegunWork::Txn(operation))) => of(&operation.arguments()),
            Self::Begun(Some(BegunWork::Hook(hook))) => of(&hook.arguments()),
            Self::Row(row, _) => row.and_then(Row::actor).into_iter().collect(),
            Self::Begun(None)
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Word(_)
            | Self::Constraints(_)
            | Self::Series(_) => Vec::new(),
        }
    }
}

impl Rename for Value {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Name(entity) => Self::Name(entity.renamed(by)),
            Self::Begun(work) => Self::Begun(work.map(|work| match work {
                BegunWork::Txn(operation) => BegunWork::Txn(operation.renamed(by)),
                BegunWork::Hook(hook) => BegunWork::Hook(hook.renamed(by)),
            })),
            Self::Row(row, time) => Self::Row(row.renamed(by), time),
            Self::Flag(_)
            | Self::Number(_)
            | Self::Word(_)
            | Self::Constraints(_)
            | Self::Series(_) => *self,
        }
    }
}
