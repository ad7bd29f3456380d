//! The commands that deploy: "deploy wordpress 2".

use std::ops::Range;

use deathwatch_model::{ids::ApplicationId, world::Command};

use super::CommandKey;
use crate::problem::Problem;

impl CommandKey<'_> {
    /// An application and its number of units.
    pub(super) fn deployment(
        &self,
        rest: Range<usize>,
        command: fn(ApplicationId, u32) -> Command,
    ) -> Result<Command, Problem> {
        self.deployed(rest).map(|(id, units)| command(id, units))
    }

    /// The application and the number.
    pub(super) fn deployed(&self, rest: Range<usize>) -> Result<(ApplicationId, u32), Problem> {
        const EXPECTED: &str = "an application and a number of units were expected";
        let line = &self.key.value;
        let Some((application, _)) = line[rest.clone()].split_once(' ') else {
            return Err(self.problem(rest, "something is missing here", EXPECTED));
        };
        let id = self.application(rest.start..rest.start + application.len())?;
        let count = rest.start + application.len() + 1..rest.end;
        let Ok(units) = line[count.clone()].parse::<u32>() else {
            let message = format!("`{}` is not a number of units", &line[count.clone()]);
            return Err(self.problem(count, message, "a number from 0 to 100000 was expected"));
        };
        let constants = self.world.application(id);
        let room = if constants.subordinate { 0 } else { constants.units.len() };
        if units as usize > room {
            let message = format!("{application} cannot be deployed with {units} units");
            let problem = self.problem(count, message, &format!("at most {room} was expected"));
            return Err(problem.with_help(if constants.subordinate {
                "units of a subordinate application come with their principals".to_owned()
            } else {
                format!("the world has room for {room}: see its `most-units`")
            }));
        }
        Ok((id, units))
    }
}
