//! The form of scenario files: the types that a file is read into, from which its schema is made.
//!
//! Nothing here knows a world: readers, beside this folder, make one of what was written.

mod also;
mod assume;
mod detail;
mod fault_rates;
mod faults;
mod file;
mod finding;
mod hook;
mod known;
mod machine;
mod own;
mod rule;
mod simulate;

pub(super) use self::{
    detail::Levels,
    fault_rates::{FaultRateKey, RACK, ROWS, RateRow, Rates, WrittenRate, rates_lacking},
    faults::Switches,
    file::{
        ApplicationFile, CheckFile, RelationFile, ScopeFile, SwitchOffFile, TransactionsFile,
        WorldFile,
    },
    finding::FindingFile,
    hook::HookFile,
    known::{ClaimsFile, RowKeyedTable, VariantsFile},
    machine::{Job, MachineFile},
    own::OwnFile,
    rule::RuleFile,
    simulate::{LatencyFile, SimulateFile},
};
pub use self::{
    file::{AnySizeFile, File, SESSIONS, UNASSIGNED},
    finding::Severity,
};
