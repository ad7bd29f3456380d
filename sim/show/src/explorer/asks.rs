//! Requests to the explorer: its pages, by their names.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// A request about the state that the query names.
    State(StateRequest),
    /// The version of its pages, which open pages ask for.
    Version,
    /// The picture that browsers ask for by themselves.
    Icon,
}

/// A request about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateRequest {
    Page,
    /// The same as JSON.
    Json,
    /// The run so far as a scenario file.
    Scenario,
    /// The nearest state in which the condition holds.
    Nearest,
    /// The state after all moves of actors that are assumed to act, where none can move any more.
    Idle,
    /// A run that violates the claim.
    Counterexample,
    /// The state after the typed step.
    Step,
    /// The same run in a world that is set otherwise.
    WhatIf,
    /// The answers of its world for every number of units.
    EveryNumber,
}

impl Request {
    /// The request of a path, and the query.
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
