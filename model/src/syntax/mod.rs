//! Syntax: how actions are written in traces and scenarios, and read back.
//!
//! Printing and reading are inverses, because a trace is a scenario: a counterexample that is
//! moved to `scenarios/` must mean what it meant. Both go by the rows of the acts.

mod read;
mod show;
mod words;

pub use read::{Expected, SyntaxError};

use crate::{
    action::{
        CleanerAct, Fault, MachineAct, OperatorAct, ProvisionerAct, SupervisorAct, UnitAct,
        table::{Row, Table},
    },
    operation::Operation,
};

/// What one or more actors can be asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    /// The actors, as they are written in general.
    pub actors: &'static str,
    /// What they do.
    pub rows: &'static [Row],
}

/// Everything that a line of a trace can say: who, and what.
pub const VERBS: [Verbs; 8] = [
    Verbs {
        actors: "user, client, unit-agent UNIT, machine-agent MACHINE, provisioner, cleaner",
        rows: Operation::ROWS,
    },
    Verbs { actors: "unit-agent UNIT", rows: UnitAct::ROWS },
    Verbs { actors: "machine-agent MACHINE", rows: MachineAct::ROWS },
    Verbs { actors: "provisioner", rows: ProvisionerAct::ROWS },
    Verbs { actors: "cleaner", rows: CleanerAct::ROWS },
    Verbs { actors: "faults", rows: Fault::ROWS },
    Verbs { actors: "operator", rows: OperatorAct::ROWS },
    Verbs { actors: "supervisor", rows: SupervisorAct::ROWS },
];
