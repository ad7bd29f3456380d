//! Series, which match charms to machines (D3:13-25). They never change, so no state has them.

use super::WorldBuilder;
use crate::ids::{ApplicationId, Id, MachineId, UnitId};

/// A series, such as "precise".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Series(usize);

/// The series of the machines and applications of a world; none where it has not the detail
/// `series`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesDef {
    names: Vec<String>,
    machines: Vec<Series>,
    applications: Vec<Series>,
}

impl SeriesDef {
    /// The series of these names, for each machine and each application in order.
    pub fn of<'a>(
        machines: impl Iterator<Item = &'a str>,
        applications: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut series = |name: &str| {
            let known = names.iter().position(|known| known == name);
            let index = known.unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            });
            Series(index)
        };
        let machines = machines.map(&mut series).collect();
        let applications = applications.map(&mut series).collect();
        Self { names, machines, applications }
    }

    /// The same series, with these machines in place of all.
    #[must_use]
    pub fn for_machines(&self, machines: impl Iterator<Item = MachineId>) -> Self {
        let of = |id: MachineId| self.machines.get(id.index()).copied();
        Self { machines: machines.filter_map(of).collect(), ..self.clone() }
    }

    pub fn name(&self, series: Series) -> &str {
        &self.names[series.0]
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn named(&self, name: &str) -> Option<Series> {
        self.names.iter().position(|known| known == name).map(Series)
    }
}

impl WorldBuilder {
    /// The series of a machine, in a world that has the detail.
    pub fn series_of_machine(&self, id: MachineId) -> Option<Series> {
        self.series.machines.get(id.index()).copied()
    }

    /// The series of an application, in a world that has the detail.
    pub fn series_of(&self, id: ApplicationId) -> Option<Series> {
        self.series.applications.get(id.index()).copied()
    }

    /// The series of a unit, which is that of its application.
    pub fn series_of_unit(&self, id: UnitId) -> Option<Series> {
        self.series_of(self.unit(id).application)
    }
}
