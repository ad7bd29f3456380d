//! Markdown: the few forms that the pages are made of.
//!
//! A paragraph is one line, as a page is made for readers of the page and not of its source.

use std::path::Path;

use deathwatch_scenario::{
    listed,
    scenario::{Address, display},
    shell::quoted,
};

use super::AnsweredScenario;

/// The beginning of every page.
pub(super) const MADE_BY: &str =
    "`cargo run --release -- report` makes this page; edit what it is made of instead.";

/// The file that a link is in.
#[derive(Clone, Copy)]
pub(super) enum From {
    /// A page in `reports/`.
    Reports,
    /// A page in the folder of the project.
    Project,
}

impl From {
    /// The relative path to the folder of the project.
    pub(super) fn up(self) -> &'static str {
        match self {
            From::Reports => "../",
            From::Project => "",
        }
    }
}

/// A link to a scenario, with its whole name or its name in its folder as text.
pub(super) fn link(from: From, scenario: &AnsweredScenario, text: &str) -> String {
    format!("[{text}]({})", target(from, scenario))
}

/// The target of a link to a scenario. One of several in a file is linked by its line, with its
/// name as the link's title.
pub(super) fn target(from: From, scenario: &AnsweredScenario) -> String {
    let line = scenario.scenario.line().map(|line| format!("#L{line}"));
    target_of_name(from, &scenario.name, &line.unwrap_or_default())
}

/// A link to a scenario by its whole name alone: to its file.
pub(super) fn link_by_name(name: &str) -> String {
    format!("[{name}]({})", target_of_name(From::Reports, name, ""))
}

fn target_of_name(from: From, name: &str, line: &str) -> String {
    let address = Address::below(Path::new("scenarios"), name);
    let title = address.also.map_or_else(String::new, |_| format!(" \"{name}\""));
    format!("{}{}{line}{title}", from.up(), display(&address.file))
}

/// Links to the first few of some scenarios, with their names in their folders as text.
pub(super) fn links<'a>(
    from: From,
    scenarios: impl IntoIterator<Item = &'a AnsweredScenario>,
    most: usize,
) -> String {
    let links = scenarios.into_iter().map(|it| link(from, it, it.short_name()));
    few(&links.collect::<Vec<_>>(), most, "")
}

/// The first few of a list, and how many more there are; `none` if there are none.
pub(super) fn few(items: &[String], most: usize, none: &str) -> String {
    // "and 1 more" would be as long as the one.
    let shown = if items.len() <= most + 1 { items.len() } else { most };
    if items.is_empty() { none.to_owned() } else { listed::few(items, shown) }
}

pub(super) fn row(cells: &[String]) -> String {
    let escaped = cells.iter().map(|cell| cell.replace('|', "\\|"));
    let row =
        escaped.map(|cell| if cell.is_empty() { "| ".to_owned() } else { format!("| {cell} ") });
    row.collect::<String>() + "|\n"
}

/// The command that answers a scenario and shows its runs.
pub(super) fn command(scenario: &AnsweredScenario) -> String {
    let address = Address::below(Path::new("scenarios"), &scenario.name).to_string();
    format!("deathwatch check {} --verbose", quoted(&address))
}

pub(crate) fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
    letters.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A number that `text::thousands` wrote.
pub(super) fn read_number(text: &str) -> Option<u64> {
    text.trim().replace(',', "").parse().ok()
}

pub(super) fn count(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::thousands;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for it in [0, 7, 999, 1000, 12_345, 5_665_316] {
            assert_eq!(read_number(&thousands(it)), Some(it));
        }
        assert_eq!(thousands(5_665_316), "5,665,316");
    }

    #[test]
    fn a_list_is_cut_only_where_that_saves_room() {
        let items: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(few(&items, 2, "none"), "a, b and 2 more");
        assert_eq!(few(&items, 3, "none"), "a, b, c, d");
        assert_eq!(few(&[], 3, "none"), "none");
    }
}
