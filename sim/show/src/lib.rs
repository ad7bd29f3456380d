//! The face of the tool: pages, reports, and the explorer with the guard before it.

pub mod answers;
pub mod assumed;
pub mod cases;
pub mod diagnosis;
pub mod difference;
pub mod explorer;
pub mod loopback;
pub mod page;
pub mod report;
pub mod run;
pub mod shrunk;
pub mod status;
pub mod sweep;
pub mod text;
