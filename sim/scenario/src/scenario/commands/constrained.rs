//! The commands that set constraints: "set-constraints wordpress mem=2G", "set-model-constraints
//! *", "resolved 1 --constraints mem=2G".

use std::ops::Range;

use deathwatch_model::{
    ids::{ApplicationId, Constraints, MachineId},
    world::{Command, CommandKind},
};

use super::{CONSTRAINTS, CommandKey, Meant, Width, one};
use crate::{problem::Problem, scenario::constraints};

impl CommandKey<'_> {
    /// Applications, each with a set of constraints. An asterisk stands for all applications with
    /// all sets, or, after the name of one, for all sets.
    pub(super) fn constrained(
        &self,
        rest: Range<usize>,
        kind: CommandKind,
        command: fn(ApplicationId, Constraints) -> Command,
    ) -> Result<Meant, Problem> {
        let each_set =
            |id| self.world.constraints.listed().map(move |constraints| command(id, constraints));
        if self.is_everything(&rest) {
            let is_meant = |id: &ApplicationId| {
                kind.row().excludes.is_none() || !self.world.application(*id).subordinate
            };
            let applications = self.world.application_ids().filter(is_meant);
            return self.everything(rest, applications.flat_map(each_set));
        }
        let Some((application, _)) = self.key.value[rest.clone()].split_once(' ') else {
            let expected = "an application and constraints were expected";
            return Err(self.problem(rest, "something is missing here", expected));
        };
        let set = rest.start + application.len() + 1..rest.end;
        let id = self.application(rest.start..rest.start + application.len())?;
        if self.is_everything(&set) {
            let meant = self.everything(set, each_set(id))?;
            return Ok(Meant { width: Width::OneEntity, ..meant });
        }
        Ok(one(command(id, self.set(set)?)))
    }

    /// Machines, each with a set of constraints behind the option. An asterisk stands for all
    /// machines, or for all sets.
    pub(super) fn reconstrained(
        &self,
        rest: &Range<usize>,
        command: fn(MachineId, Constraints) -> Command,
    ) -> Result<Meant, Problem> {
        let (name, set) = self.around_option(rest)?;
        let sets: Vec<Constraints> = if self.is_everything(&set) {
            self.world.constraints.listed().collect()
        } else {
            vec![self.set(set.clone())?]
        };
        let each_set =
            |id: MachineId| sets.iter().map(move |constraints| command(id, *constraints));
        if self.is_everything(&name) {
            return self.everything(name, self.world.machine_ids().flat_map(each_set));
        }
        let commands = each_set(self.machine(name)?).collect();
        let width = if self.is_everything(&set) { Width::OneEntity } else { Width::One };
        Ok(Meant { commands, width })
    }

    /// An application, its number of units, and a set of constraints behind the option.
    pub(super) fn constrained_deployment(
        &self,
        rest: &Range<usize>,
        command: fn(ApplicationId, u32, Constraints) -> Command,
    ) -> Result<Command, Problem> {
        let (deployed, set) = self.around_option(rest)?;
        let (id, units) = self.deployed(deployed)?;
        Ok(command(id, units, self.set(set)?))
    }

    /// What stands before the option about constraints, and the set behind it.
    fn around_option(&self, rest: &Range<usize>) -> Result<(Range<usize>, Range<usize>), Problem> {
        let option = format!(" {CONSTRAINTS} ");
        let Some((before, _)) = self.key.value[rest.clone()].split_once(&option) else {
            let expected = "a name, --constraints and constraints were expected";
            return Err(self.problem(rest.clone(), "something is missing here", expected));
        };
        let before = rest.start..rest.start + before.len();
        let set = before.end + option.len()..rest.end;
        Ok((before, set))
    }

    /// Sets of constraints, of the model.
    pub(super) fn constraints(
        &self,
        rest: Range<usize>,
        command: fn(Constraints) -> Command,
    ) -> Result<Meant, Problem> {
        if self.is_everything(&rest) {
            return self.everything(rest, self.world.constraints.listed().map(command));
        }
        self.set(rest).map(command).map(one)
    }

    fn set(&self, part: Range<usize>) -> Result<Constraints, Problem> {
        constraints::listed(self.text, &self.world.constraints, &self.name(part))
    }
}
