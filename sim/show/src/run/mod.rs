//! A run in the forms of others: diagrams, and traces for other tools.

mod dot;
mod itf;
mod mermaid;

pub use self::{
    dot::dot,
    itf::itf,
    mermaid::{mermaid, sketch},
};
