//! What may be asked of the explorer: its pages, by their names.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Something about the state that the query names.
    State(StateRequest),
    /// The version of its pages, which open pages ask for.
    Version,
    /// The picture that browsers ask for by themselves.
    Icon,
}

/// What may be asked about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateRequest {
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
    /// The state after the step that somebody types.
    Step,
    /// The same run in a world that is set otherwise.
    WhatIf,
    /// The answers of its world for every number of units.
    EveryNumber,
}

impl Request {
    /// What a path asks for, and the query.
    pub(super) fn read(path: &str) -> Option<(Self, &str)> {
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let about = match name {
            "/" => StateRequest::Page,
            "/run.json" => StateRequest::Json,
            "/scenario.toml" => StateRequest::Scenario,
            "/nearest" => StateRequest::Nearest,
            "/idle" => StateRequest::Idle,
            "/counterexample" => StateRequest::Counterexample,
            "/step" => StateRequest::Step,
            "/what-if" => StateRequest::WhatIf,
            "/every-number" => StateRequest::EveryNumber,
            "/version" => return Some((Self::Version, query)),
            "/favicon.ico" => return Some((Self::Icon, query)),
            _ => return None,
        };
        Some((Self::State(about), query))
    }
}
