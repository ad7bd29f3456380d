//! The levels of detail: the table `[detail]`. Its keys are the details of the model.

use deathwatch_model::{
    agents::not_of_outline,
    world::{DetailInfo, Details, World},
};

use super::{
    Expected,
    form::{CheckFile, Levels, RowKeyedTable},
    value::Located,
};
use crate::problem::{Problem, Text};

/// Reads the details, each of which has those that it needs, and none that it excludes.
pub(super) fn read(text: &Text, file: &RowKeyedTable<Levels>) -> Result<Details, Problem> {
    let mut details = Details::default();
    for name in Details::NAMES {
        let on = file.get(name).is_some_and(|on| on.value);
        assert!(details.set(name, on), "{name} is the name of a detail");
    }
    let at = |name: &'static str| file.get(name).expect("it is on, so the table has it");
    if let Some((info, need)) = details.lacking() {
        return Err(lacks(text, at(info.name), info, need));
    }
    if let Some((info, other)) = details.excluded() {
        return Err(excludes(text, at(info.name), info, other));
    }
    Ok(details)
}

/// The answer that is expected to whether the world keeps to its outline.
pub(super) fn refines(
    text: &Text,
    file: &CheckFile,
    world: &World,
) -> Result<Option<Expected>, Problem> {
    let Some(refines) = &file.refines else { return Ok(None) };
    if !world.detail.any() {
        let message = "this world has no details that could be hidden";
        let problem = text.problem(&refines.span, message, "it was expected to have some");
        return Err(problem.with_help("the table [detail] says what a world has beside D1 and D2"));
    }
    if let Some((rule, why)) = not_of_outline(world) {
        let message = "this world cannot be compared with its outline";
        let label = format!("the rule `{}` says something else there", world.clause_name(rule));
        let problem = text.problem(&refines.span, message, &label);
        return Err(problem.with_help(why));
    }
    Ok(Some(if refines.value { Expected::Holds } else { Expected::Violated }))
}

/// The advice that switches a detail on.
pub fn how_to_switch_on(detail: &str) -> String {
    format!("say [detail] {detail} = true")
}

/// The problem that the detail that `on` switches on needs another one.
fn lacks(text: &Text, on: &Located<bool>, info: &DetailInfo, need: &str) -> Problem {
    let message = format!("the detail `{}` needs `{need}`", info.name);
    let problem = text.problem(&on.span, message, &format!("`{need} = true` was expected, too"));
    problem.with_help("`deathwatch list details` says what each adds, and what it needs")
}

/// The problem that the detail that `on` switches on excludes another one that is on.
fn excludes(text: &Text, on: &Located<bool>, info: &DetailInfo, other: &str) -> Problem {
    let message = format!("the detail `{}` excludes `{other}`", info.name);
    let problem = text.problem(&on.span, message, "one of the two was expected");
    problem.with_help("`deathwatch list details` says what each adds, and what it excludes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_without_one_that_it_needs_is_told_at_its_place() {
        let text = Text::new("test.toml".to_owned(), "[detail]\nrelations = true\n".into());
        let info = DetailInfo {
            name: "relations",
            adds: "More.",
            source: "D4:191",
            needs: &["hooks"],
            excludes: &[],
        };
        let problem = lacks(&text, &Located { value: true, span: 21..25 }, &info, "hooks");
        assert_eq!(problem.to_string(), "the detail `relations` needs `hooks`");
        assert_eq!(problem.line_column(), Some((2, 13)));
    }

    #[test]
    fn a_detail_beside_one_that_it_excludes_is_told_at_its_place() {
        let text = "[detail]\nhooks = true\nworkflow = true\n";
        let text = Text::new("test.toml".to_owned(), text.into());
        let info = Details::LIST.iter().find(|info| info.name == "workflow").expect("there is one");
        let problem = excludes(&text, &Located { value: true, span: 33..37 }, info, "hooks");
        assert_eq!(problem.to_string(), "the detail `workflow` excludes `hooks`");
        assert_eq!(problem.line_column(), Some((3, 12)));
    }
}
