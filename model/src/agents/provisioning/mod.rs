//! Provisioning (D3): instances apart from machines, and their starts.

pub(super) mod former;
pub(super) mod instances;
pub(super) mod starts;
