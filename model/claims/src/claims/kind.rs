//! The kinds of claims.

/// The kind of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// True in every state.
    Always,
    /// True of every transition.
    Step,
    /// On every fair run, one condition is followed by another.
    Leads,
    /// True in some state. Only scenarios have such claims of their own.
    Reachable,
}

impl ClaimKind {
    /// Its name in reports: "always", "step", "leads" or "reachable".
    pub fn name(self) -> &'static str {
        match self {
            ClaimKind::Always => "always",
            ClaimKind::Step => "step",
            ClaimKind::Leads => "leads",
            ClaimKind::Reachable => "reachable",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Always, Self::Step, Self::Leads, Self::Reachable];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// The participle for a claim that a run decides: "violated" or "reached".
    pub fn decided(self) -> &'static str {
        match self {
            ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => "violated",
            ClaimKind::Reachable => "reached",
        }
    }

    /// The verb for a run that decides a claim: "violates" or "reaches".
    pub fn decides(self) -> &'static str {
        match self {
            ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => "violates",
            ClaimKind::Reachable => "reaches",
        }
    }
}
