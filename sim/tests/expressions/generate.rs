//! Random expressions. Most of them have a meaning; the others are left out.

use deathwatch_language::{ExpressionKind, KINDS, Type, TypedField, fields, kind_name, list_name};
use deathwatch_model::{rows::RowKind, world::World};
use deathwatch_simulator::dice::Dice;

/// Makes random expressions about a world.
pub(crate) struct Generator<'a> {
    world: &'a World,
    form: ExpressionKind,
    dice: &'a mut Dice,
    /// Whether a field may be used.
    is_known: fn(&TypedField) -> bool,
    rows: Vec<(String, RowKind)>,
    names: Vec<String>,
    made: usize,
}

const MARKS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Fields that the oracle does not evaluate: they follow from the protocol's own functions, or from
/// two states.
const UNKNOWN: [&str; 14] = [
    "deployable",
    "kept",
    "forced",
    "satisfied",
    "has_constraints_in_force",
    "brings",
    "has_room",
    "concerned",
    "has_subordinate",
    "unrecorded",
    "related",
    "unseen",
    "untold",
    "retries",
];

/// Whether the oracle evaluates a field.
fn is_known(field: &TypedField) -> bool {
    let is_about_gone = field.name.ends_with("_and_gone");
    !field.is_of_step() && !is_about_gone && !UNKNOWN.contains(&field.name.as_str())
}

impl<'a> Generator<'a> {
    /// A generator of expressions that the oracle evaluates.
    pub(crate) fn new(world: &'a World, form: ExpressionKind, dice: &'a mut Dice) -> Self {
        Self { is_known, ..Self::of_all(world, form, dice) }
    }

    pub(crate) fn of_all(world: &'a World, form: ExpressionKind, dice: &'a mut Dice) -> Self {
        let rows = match form {
            ExpressionKind::State(Some(kind)) => vec![("it".to_owned(), kind)],
            ExpressionKind::Step(Some(kind)) => {
                vec![("before".to_owned(), kind), ("after".to_owned(), kind)]
            }
            ExpressionKind::State(None) | ExpressionKind::Step(None) | ExpressionKind::Rule(_) => {
                Vec::new()
            }
        };
        Self { world, form, dice, is_known: |_| true, rows, names: Vec::new(), made: 0 }
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.dice.index(all.len())].clone()
    }

    /// A row of a relation and a unit, as text, if the world has such rows.
    fn pair(&mut self) -> Option<(String, RowKind)> {
        let mut kinds = RowKind::PAIRS.to_vec();
        kinds.retain(|kind| kind.count(self.world) > 0);
        if kinds.is_empty() {
            return None;
        }
        let kind = self.one_of(&kinds);
        let pairs = self.rows.iter().filter(|(_, of)| RowKind::PAIRS.contains(of));
        let pairs: Vec<String> = pairs.map(|(row, _)| row.clone()).collect();
        let [relation, unit] = if pairs.is_empty() || self.dice.index(3) == 0 {
            [3, 2].map(|kind| self.entity(kind))
        } else {
            let row = self.one_of(&pairs);
            ["relation", "unit"].map(|name| format!("{row}.{name}"))
        };
        Some((format!("{}({relation}, {unit})", kind_name(kind)), kind))
    }

    fn row(&mut self) -> (String, RowKind) {
        if self.dice.index(8) == 0
            && let Some(pair) = self.pair()
        {
            return pair;
        }
        if !self.rows.is_empty() && self.dice.index(4) > 0 {
            let rows = self.rows.clone();
            return self.one_of(&rows);
        }
        let mut kinds = vec![
            (RowKind::Machine, 0),
            (RowKind::Application, 1),
            (RowKind::Unit, 2),
            (RowKind::Relation, 3),
            (RowKind::MachineRuntime, 0),
            (RowKind::UnitRuntime, 2),
            (RowKind::MachineHistory, 0),
            (RowKind::UnitHistory, 2),
        ];
        kinds.retain(|(kind, _)| kind.count(self.world) > 0);
        let (kind, entity) = self.one_of(&kinds);
        let argument = match self.dice.index(3) {
            0 if !self.rows.is_empty() => {
                let (row, of) = self.one_of(&self.rows.clone());
                let is_name =
                    |it: &&TypedField| matches!(it.value, Type::Name(_)) && (self.is_known)(it);
                let names = fields(of).iter().filter(is_name);
                let names: Vec<&TypedField> = names.filter(|it| !it.is_list).collect();
                match names[..] {
                    [] => self.entity(entity),
                    _ => format!("{row}.{}", self.one_of(&names).name),
                }
            }
            1 if !self.names.is_empty() => self.one_of(&self.names.clone()),
            _ => self.entity(entity),
        };
        (format!("{}({argument})", kind_name(kind)), kind)
    }

    fn entity(&mut self, kind: usize) -> String {
        let world = self.world;
        let names: Vec<String> = match kind {
            0 => world.machines.iter().map(|it| it.name.clone()).collect(),
            1 => world.applications.iter().map(|it| it.name.clone()).collect(),
            2 => world.units.iter().map(|it| it.name.clone()).collect(),
            _ => world.relations.iter().map(|it| it.name.clone()).collect(),
        };
        format!("\"{}\"", self.one_of(&names))
    }

    /// A field of a row, as text, with its declaration and a guard; the guard is empty as often as
    /// not.
    fn field(
        &mut self,
        is_wanted: fn(&TypedField) -> bool,
    ) -> Option<(String, &'static TypedField, String)> {
        let (row, kind) = self.row();
        let all = fields(kind).iter().filter(|it| is_wanted(it) && (self.is_known)(it));
        let all: Vec<&'static TypedField> = all.collect();
        if all.is_empty() {
            return None;
        }
        let field = self.one_of(&all);
        let guard = match self.dice.index(5) {
            0 => format!("{row}.exists && "),
            1 => format!("!{row}.exists || "),
            2 if kind == RowKind::Unit => format!("{row}.life == \"gone\" || "),
            _ => String::new(),
        };
        Some((format!("{row}.{}", field.name), field, guard))
    }

    /// A value of a type, as text, for a comparison.
    fn text(&mut self, value: Type) -> String {
        match value {
            Type::Word(words) => format!("\"{}\"", self.one_of(words)),
            Type::Begun => "\"none\"".to_owned(),
            Type::Constraints => {
                let names: Vec<&str> = self.world.constraints.names().collect();
                format!("\"{}\"", self.one_of(&names))
            }
            Type::Series => {
                let names: Vec<&str> = self.world.series.names().chain(["none"]).collect();
                format!("\"{}\"", self.one_of(&names))
            }
            Type::Name(_) | Type::Flag | Type::Number(..) | Type::Row(..) => {
                let kind = self.dice.index(5);
                if kind == 4 { "\"none\"".to_owned() } else { self.entity(kind) }
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        match self.dice.index(if depth == 0 { 2 } else { 6 }) {
            0 => self.dice.index(4).to_string(),
            1 => match self.field(|it| matches!(it.value, Type::Number(..))) {
                Some((text, ..)) => text,
                None => "1".to_owned(),
            },
            2 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            3 => format!("({} - {} * 2)", self.number(depth - 1), self.number(depth - 1)),
            4 => format!("size({})", self.list(depth - 1).0),
            _ => {
                let condition = self.flag(depth - 1);
                format!("({condition} ? {} : {})", self.number(depth - 1), self.number(0))
            }
        }
    }

    /// A list, and the kind of its rows; `None` for a list of names.
    fn list(&mut self, depth: usize) -> (String, Option<RowKind>) {
        let of_row = if self.dice.index(3) == 0 { self.field(|it| it.is_list) } else { None };
        let (list, kind) = if let Some((text, ..)) = of_row {
            (text, None)
        } else {
            let kind = self.one_of(&KINDS);
            let state = match self.form {
                ExpressionKind::Step(None) => ["before.", "after.", ""][self.dice.index(3)],
                ExpressionKind::Step(Some(_)) => ["state_before.", ""][self.dice.index(2)],
                ExpressionKind::State(_) | ExpressionKind::Rule(_) => "",
            };
            (format!("{state}{}", list_name(kind)), Some(kind))
        };
        match self.dice.index(if depth == 0 { 1 } else { 4 }) {
            1 | 2 => {
                let (name, condition) = self.inside(kind, depth - 1);
                (format!("{list}.filter({name}, {condition})"), kind)
            }
            3 if kind == Some(RowKind::Unit) => (format!("{list}.map(y, y.application)"), None),
            _ => (list, kind),
        }
    }

    /// A variable for the items of a list, and a condition on it.
    fn inside(&mut self, kind: Option<RowKind>, depth: usize) -> (String, String) {
        self.made += 1;
        let name = format!("x{}", self.made);
        match kind {
            Some(kind) => self.rows.push((name.clone(), kind)),
            None => self.names.push(name.clone()),
        }
        let condition = self.flag(depth);
        match kind {
            Some(_) => drop(self.rows.pop()),
            None => drop(self.names.pop()),
        }
        (name, condition)
    }

    /// A condition on a step of a subject that mostly holds where some field of it stays the same.
    pub(crate) fn change(&mut self, of: RowKind, depth: usize) -> String {
        let all: Vec<&TypedField> = fields(of).iter().filter(|it| !it.is_list).collect();
        let same = |field: &TypedField| format!("before.{0} == after.{0}", field.name);
        let same = if self.dice.index(3) == 0 {
            let [one, other] = [0; 2].map(|_| same(self.one_of(&all)));
            format!("{one} && {other}")
        } else {
            same(self.one_of(&all))
        };
        let condition = self.flag(depth);
        match self.dice.index(4) {
            0 => format!("({same}) || ({condition})"),
            1 => format!("!before.exists || !after.exists || ({same}) || ({condition})"),
            2 => format!("!({condition}) || ({same})"),
            _ => format!("({same}) ? true : ({condition})"),
        }
    }

    pub(crate) fn flag(&mut self, depth: usize) -> String {
        match self.dice.index(if depth == 0 { 3 } else { 10 }) {
            0 => match self.field(|it| it.value == Type::Flag && !it.is_list) {
                Some((text, _, guard)) => format!("({guard}{text})"),
                None => "true".to_owned(),
            },
            1 => match self.field(|it| !it.is_list && !matches!(it.value, Type::Flag)) {
                Some((text, field, guard)) => {
                    let other = match field.value {
                        Type::Number(..) => self.number(0),
                        value => self.text(value),
                    };
                    let mark = self.one_of(&MARKS[..2]);
                    format!("({guard}{text} {mark} {other})")
                }
                None => "false".to_owned(),
            },
            2 => match self.field(|it| it.is_list) {
                Some((text, field, guard)) => {
                    format!("({guard}{} in {text})", self.text(field.value))
                }
                None => "true".to_owned(),
            },
            3 => format!("!{}", self.flag(depth - 1)),
            4 => format!("({} && {})", self.flag(depth - 1), self.flag(depth - 1)),
            5 => format!("({} || {})", self.flag(depth - 1), self.flag(depth - 1)),
            6 => {
                let mark = self.one_of(&MARKS);
                format!("{} {mark} {}", self.number(depth - 1), self.number(depth - 1))
            }
            7 => {
                let [condition, yes, no] = [0; 3].map(|_| self.flag(depth - 1));
                format!("({condition} ? {yes} : {no})")
            }
            _ => {
                let (list, kind) = self.list(depth - 1);
                let quantifier = self.one_of(&["all", "exists", "exists_one"]);
                let (name, condition) = self.inside(kind, depth - 1);
                format!("{list}.{quantifier}({name}, {condition})")
            }
        }
    }
}
