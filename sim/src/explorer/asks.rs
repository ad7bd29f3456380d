//! What may be asked of the explorer: its pages, by their names.

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// The page of a state.
    Page,
    /// The same as JSON.
    Json,
    /// The run so far as a scenario file.
    Scenario,
    /// The nearest state in which the condition holds.
    Nearest,
    /// The state in which nobody can move who is assumed to act.
    Idle,
    /// A run that violates the claim.
    Counterexample,
    /// The picture that browsers ask for by themselves.
    Icon,
}

impl Asks {
    /// What a path asks for, and the query.
    pub(super) fn read(path: &str) -> Option<(Self, &str)> {
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let asks = match name {
            "/" => Self::Page,
            "/run.json" => Self::Json,
            "/scenario.toml" => Self::Scenario,
            "/nearest" => Self::Nearest,
            "/idle" => Self::Idle,
            "/counterexample" => Self::Counterexample,
            "/favicon.ico" => Self::Icon,
            _ => return None,
        };
        Some((asks, query))
    }
}
