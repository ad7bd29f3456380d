//! The faults that may happen: the table `[faults]`. Its keys are the switches of the model.

use deathwatch_model::{
    ids::{Id, MachineId},
    world::{FaultKind, Faults, SwitchMut, WorldBuilder},
};

use super::{
    detail::how_to_switch_on,
    expand,
    form::{RowKeyedTable, Switches},
    names::{Names, no_duplicates},
    value::MachineChoice,
};
use crate::problem::{Problem, Text};

/// Reads the faults that may happen.
pub(super) fn read(
    text: &Text,
    file: &RowKeyedTable<Switches>,
    world: &WorldBuilder,
    names: &Names,
) -> Result<Faults, Problem> {
    let mut faults = Faults::default();
    for kind in FaultKind::ALL {
        let Some(which) = file.get(*kind) else { continue };
        let machines = match which {
            MachineChoice::All => world.machine_ids().collect(),
            MachineChoice::These(machines) => {
                let machines = expand::machines(text, machines)?;
                no_duplicates(text, &machines)?;
                let ids = machines.iter().map(|name| names.machines.find(text, name));
                let mut ids =
                    ids.map(|id| id.map(MachineId::new)).collect::<Result<Vec<_>, _>>()?;
                ids.sort_unstable();
                ids
            }
        };
        if let (Some(detail), false) = (kind.row().needs, machines.is_empty())
            && !world.detail.has(detail)
        {
            return Err(lacks(text, *kind, which, detail));
        }
        match faults.switch_mut(*kind) {
            SwitchMut::Whole(is_on) => *is_on = matches!(which, MachineChoice::All),
            SwitchMut::For(these) => *these = machines,
        }
    }
    Ok(faults)
}

/// The problem that a fault cannot happen without a detail that is off.
fn lacks(text: &Text, kind: FaultKind, which: &MachineChoice, detail: &str) -> Problem {
    let key = kind.key();
    let span = match which {
        MachineChoice::These(machines) => machines.first().map(|first| first.span.clone()),
        MachineChoice::All => text.source.find(key).map(|at| at..at + key.len()),
    };
    let message = format!("this happens only where the detail `{detail}` is on");
    let problem = text.problem(&span.unwrap_or(0..0), message, "not expected here");
    problem.with_help(how_to_switch_on(detail))
}
