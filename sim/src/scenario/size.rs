//! The size of a world, and which line of its file makes it so large.

use std::ops::Range;

use super::{Scenario, expand, file::File, value::Map};

/// The kind of which a world has the most entities.
pub(crate) struct Largest {
    /// As in "units".
    pub(crate) kind: &'static str,
    /// The number of them.
    pub(crate) count: usize,
    /// The name in the file with which there are more than `most`, or else the last one.
    pub(crate) span: Range<usize>,
}

/// The kind of which the world of `scenario` has the most entities; `most` are not too many.
pub(crate) fn largest(scenario: &Scenario, most: usize) -> Option<Largest> {
    let mut file: File = toml::from_str(&scenario.source).ok()?;
    expand::expand(&scenario.text(), &mut file.world).ok()?;
    let units: Vec<usize> = scenario.world.applications.iter().map(|it| it.units.len()).collect();
    let machines = part("machines", &file.world.machines, &|_| 1, most);
    let applications = part("applications", &file.world.applications, &|_| 1, most);
    let units = part("units", &file.world.applications, &|at| units[at], most);
    let relations = part("relations", &file.world.relations, &|_| 1, most);
    [machines, applications, units, relations].into_iter().flatten().max_by_key(|it| it.count)
}

fn part<V>(
    kind: &'static str,
    entries: &Map<V>,
    count_of: &dyn Fn(usize) -> usize,
    most: usize,
) -> Option<Largest> {
    let (mut count, mut span) = (0, None);
    for (index, (name, _)) in entries.iter().enumerate() {
        if count <= most {
            span = Some(name.span.clone());
        }
        count += count_of(index);
    }
    Some(Largest { kind, count, span: span? })
}
