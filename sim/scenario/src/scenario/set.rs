//! The table `[start]`: the fields that differ, at the start, from those of `[world]` alone.
//!
//! It has the names and values of `[expect]`. A field is set by its declaration in the model, which
//! refuses what no state of this world holds. Rows that disagree are a mistake, unless the author
//! says that they are meant.

use deathwatch_claims::disagreements;
use deathwatch_model::{
    life::Life,
    rows::{FieldKind, Row, ShownValue, Unset, WorldBounds},
    state::State,
    world::World,
};

use super::{
    expect::{
        Expectation, INCONSISTENT, NamedSubject, StartFile, Stated, TomlValue, every_cleanup,
        makes_document, statements,
    },
    names::Names,
    value::{Located, Map},
};
use crate::{
    describe,
    problem::{Problem, Text},
};

/// The number of disagreements that are listed beside the first.
const MOST_TOLD: usize = 3;

/// Sets the statements of `file` in `state`, which is as `[world]` describes it. Tells whether rows
/// disagree then.
pub(super) fn apply(
    text: &Text,
    file: &StartFile,
    world: &World,
    names: &Names,
    state: &mut State,
) -> Result<bool, Problem> {
    let is_meant = is_meant(text, file)?;
    let entries = file.0.0.iter().filter(|(key, _)| key.value != INCONSISTENT);
    let mut stated = statements(text, &Map(entries.cloned().collect()), world, names, state)?;
    stated.sort_by_key(|it| it.name.start);
    let mut start = StartSetter { text, world, bounds: WorldBounds::of_starts(world), state };
    let (first, others): (Vec<&Stated>, Vec<&Stated>) =
        stated.iter().partition(|it| match &it.what {
            Expectation::Life(..) => true,
            Expectation::Field(_, field, _) => makes_document(field.name),
            Expectation::Cleanups(_) => false,
        });
    for stated in first.into_iter().chain(others) {
        start.set(stated)?;
    }
    let Some(first) = stated.first() else { return Ok(false) };
    match disagreements(world, start.state).split_first() {
        None => Ok(false),
        Some(_) if is_meant => Ok(true),
        Some((one, rest)) => Err(start.disagreement(&stated, first, *one, rest)),
    }
}

/// Whether rows disagree on purpose.
fn is_meant(text: &Text, file: &StartFile) -> Result<bool, Problem> {
    match file.0.iter().find(|(key, _)| key.value == INCONSISTENT) {
        None => Ok(false),
        Some((_, Located { value: TomlValue::Flag(is_meant), .. })) => Ok(*is_meant),
        Some((_, other)) => {
            let message = "it is meant that the rows of the start disagree, or it is not";
            Err(text.problem(&other.span, message, "true or false was expected"))
        }
    }
}

struct StartSetter<'a> {
    text: &'a Text,
    world: &'a World,
    bounds: WorldBounds<'a>,
    state: &'a mut State,
}

impl StartSetter<'_> {
    fn set(&mut self, stated: &Stated) -> Result<(), Problem> {
        match &stated.what {
            Expectation::Life(entity, life) => {
                let set = self.state.set_of_entity(
                    &self.bounds,
                    *entity,
                    Life::FIELD,
                    life.map(ShownValue::Life),
                );
                set.map_err(|unset| {
                    self.refused(stated, NamedSubject::Entity(*entity), Life::FIELD, unset)
                })
            }
            Expectation::Cleanups(docs) => {
                let all: Vec<_> = every_cleanup(self.world, self.state).collect();
                for doc in all {
                    let exists = Some(ShownValue::Flag(docs.contains(&doc)));
                    let subject = NamedSubject::Entity(doc.entity);
                    let set = subject.set(self.state, &self.bounds, doc.field, exists);
                    set.map_err(|unset| self.refused(stated, subject, doc.field, unset))?;
                }
                Ok(())
            }
            Expectation::Field(subject, field, value) => {
                let set = match value.shown() {
                    None => Err(Unset::Txn),
                    shown => subject.set(self.state, &self.bounds, field.name, shown),
                };
                set.map_err(|unset| self.refused(stated, *subject, field.name, unset))
            }
        }
    }

    /// The problem that a field cannot be set.
    fn refused(
        &self,
        stated: &Stated,
        subject: NamedSubject,
        field: &str,
        unset: Unset,
    ) -> Problem {
        let of = subject.name(self.world);
        let bounds = "what a field can be follows from [world], [variants], [user] and [faults]";
        let problem =
            |message: String, label: &str| self.text.problem(&stated.value, message, label);
        match unset {
            Unset::NoField | Unset::Kind => {
                problem(format!("{of} has no such `{field}`"), "another value was expected")
            }
            Unset::NoDocument => {
                let message = format!("{of} has no document with `{field}` at the start");
                let help = match subject {
                    NamedSubject::Entity(_) => {
                        "list it as `alive`, `dying` or `dead`, and it exists"
                    }
                    NamedSubject::Row(_) => "with its `application` there is a command in progress",
                };
                problem(message, "it was expected to exist").with_help(help)
            }
            Unset::Follows => {
                let message = format!("`{field}` of {of} follows from other fields");
                let help = "set the fields of those that are in it";
                problem(message, "nothing was expected").with_help(help)
            }
            Unset::Txn => {
                let message = "no transaction is pending at the start".to_owned();
                let problem = problem(message, "none was expected");
                problem.with_help("begin it in `steps`, where it is planned on what it reads")
            }
            Unset::Bound(1) => {
                let message = format!("`{field}` of {of} never changes in this world");
                problem(message, "no run makes it so").with_help(bounds)
            }
            Unset::Bound(bound) => {
                let message = format!("`{field}` of {of} is never this in this world");
                let label = match &stated.what {
                    Expectation::Field(_, field, _) if field.kind == FieldKind::Count => {
                        format!("a number below {bound} was expected")
                    }
                    Expectation::Field(..) | Expectation::Life(..) | Expectation::Cleanups(_) => {
                        "no run makes it so".to_owned()
                    }
                };
                problem(message, &label).with_help(bounds)
            }
            Unset::NoHost => {
                let message = format!("`{field}` of {of} is never this in this world");
                problem(message, "a machine, or for a subordinate a principal, was expected")
            }
            Unset::Member(member) => {
                let member = describe::name(self.world, member);
                let message = format!("{member} can never be in `{field}` of {of}");
                problem(message, "others were expected").with_help(bounds)
            }
        }
    }

    /// The problem that rows disagree, at the first statement about one of them.
    fn disagreement(
        &self,
        stated: &[Stated],
        first: &Stated,
        (says, row): (&str, Row),
        rest: &[(&str, Row)],
    ) -> Problem {
        let is_about = |it: &&Stated| match &it.what {
            Expectation::Life(entity, _) | Expectation::Field(NamedSubject::Entity(entity), ..) => {
                Some(*entity) == row.actor() || Some(*entity) == row.entity()
            }
            Expectation::Field(NamedSubject::Row(of), ..) => *of == row,
            Expectation::Cleanups(_) => false,
        };
        let at = stated.iter().find(is_about).unwrap_or(first);
        let told = |says: &str, row: Row| {
            format!("\"{says}\" does not hold of {}", describe::subject(self.world, row))
        };
        let message = format!("no run can start so: {}", told(says, row));
        let problem = self.text.problem(&at.name, message, "nothing that disagrees was expected");
        let help = "set what disagrees, too, or say `inconsistent = true` if it is meant";
        let mut lines = vec![help.to_owned()];
        lines.extend(rest.iter().take(MOST_TOLD).map(|(says, row)| told(says, *row)));
        if rest.len() > MOST_TOLD {
            lines.push("and more".to_owned());
        }
        problem.with_help_lines(&lines)
    }
}
