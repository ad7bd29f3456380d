//! Syntax: the text of actions in traces and scenarios, and its parser.
//!
//! Printing and reading are inverses, because a trace is a scenario: a counterexample that is moved
//! to `scenarios/` must keep its meaning. Both use the rows of the acts.

mod error;
mod read;
mod show;
mod words;

pub use error::{ExpectedText, SyntaxError};
pub use read::WITH_CONSTRAINTS;

use crate::{
    action::{
        CleanerAct, Fault, Hook, MachineAct, OperatorAct, ProvisionerAct, SupervisorAct, UnitAct,
    },
    operation::Operation,
    table::{RowEnum, RowText},
};

/// The acts of some actors.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    pub actors: &'static str,
    pub rows: &'static [RowText],
}

/// All forms of a line of a trace: actors with their acts.
pub const VERBS: [Verbs; 9] = [
    Verbs {
        actors: "user, client, unit-agent UNIT, machine-agent MACHINE, provisioner, cleaner",
        rows: Operation::ROWS,
    },
    Verbs { actors: "unit-agent UNIT", rows: Hook::ROWS },
    Verbs { actors: "unit-agent UNIT", rows: UnitAct::ROWS },
    Verbs { actors: "machine-agent MACHINE", rows: MachineAct::ROWS },
    Verbs { actors: "provisioner", rows: ProvisionerAct::ROWS },
    Verbs { actors: "cleaner", rows: CleanerAct::ROWS },
    Verbs { actors: "faults", rows: Fault::ROWS },
    Verbs { actors: "operator", rows: OperatorAct::ROWS },
    Verbs { actors: "supervisor", rows: SupervisorAct::ROWS },
];
