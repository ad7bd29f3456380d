//! The size of a world, and the line of its file that makes it so large.

use std::ops::Range;

use deathwatch_model::ids::Id;

use super::{Scenario, form::File, read, value::Map};

/// The kind of which a world has the most entities.
pub struct Largest {
    pub kind: &'static str,
    pub count: usize,
    /// The span of the name that stands for the most of them.
    pub span: Range<usize>,
}

/// The kind of which the world of `scenario` has the most entities.
pub fn largest(scenario: &Scenario) -> Option<Largest> {
    let file: File = read::file(&scenario.text).ok()?;
    let world = &scenario.world;
    let units: Vec<usize> = world.applications.iter().map(|it| it.units.len()).collect();
    let of = |name: &str| units[world.application_named(name).map_or(0, Id::index)];
    let machines = |name: &str| match name.split_once("..=") {
        Some((first, last)) => {
            let numbers = first.parse().ok().zip(last.parse().ok());
            numbers.map_or(1, |(first, last): (usize, usize)| last.saturating_sub(first) + 1)
        }
        None => 1,
    };
    let named = file.world.named_machines.clone().unwrap_or_default();
    let kinds = [
        of_kind("machines", &named, &machines),
        of_kind("applications", &file.world.applications, &|_| 1),
        of_kind("units", &file.world.applications, &of),
        of_kind("relations", &file.world.relations, &|_| 1),
    ];
    kinds.into_iter().flatten().max_by_key(|largest| largest.count)
}

/// The entities of a kind; each name stands for `entities` of them.
fn of_kind<V>(
    kind: &'static str,
    names: &Map<V>,
    entities: &dyn Fn(&str) -> usize,
) -> Option<Largest> {
    let counts = || names.iter().map(|(name, _)| (entities(&name.value), name.span.clone()));
    let (_, span) = counts().max_by_key(|(count, _)| *count)?;
    Some(Largest { kind, count: counts().map(|(count, _)| count).sum(), span })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::parse;

    #[test]
    fn the_name_that_stands_for_most_is_found() {
        for (world, kind, count, name) in [
            ("[world.machines]\n0 = {}\n\"1..=30\" = {}\n", "machines", 31, "\"1..=30\""),
            ("[world.applications]\na.most-units = 2\nb.most-units = 9\n", "units", 11, "b"),
            ("[world.applications]\na = {}\nb = {}\n", "applications", 2, "b"),
        ] {
            let source = format!("shows = \"A test.\"\n{world}");
            let scenario = parse(Path::new("test.toml"), source.as_str()).expect("a scenario");
            let largest = largest(&scenario).expect("there is something");
            assert_eq!((largest.kind, largest.count), (kind, count));
            assert_eq!(&source[largest.span], name);
        }
    }
}
