//! Explorers and the decision of claims.
pub mod explore;
pub mod fair;
pub mod graph;
