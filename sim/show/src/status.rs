//! Statuses: the words, marks and levels of each in each form, a row for each status.

use deathwatch_documents::Status;
use quick_junit::NonSuccessKind;

/// Whether something is good, bad, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A good status: green on a terminal.
    Good,
    /// An open status: yellow on a terminal.
    Open,
    /// Wrong: red on a terminal.
    Bad,
}

/// The level for build servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Junit {
    Success,
    /// Neither success nor failure: the test is skipped, with this message.
    Skipped(&'static str),
    /// No success: its kind, and its type.
    NonSuccess(NonSuccessKind, &'static str),
}

/// The row of a status.
#[derive(Clone, Copy, Debug)]
pub struct StatusRow {
    /// The mark before the name of a scenario, four columns wide.
    pub mark: &'static str,
    pub tone: Tone,
    /// Its words in the line that counts scenarios by their status.
    pub counted: &'static str,
    /// Its class and its words on a page.
    pub(crate) on_page: (Option<&'static str>, &'static str),
    pub(crate) witness: &'static str,
    /// The level of an annotation for GitHub. What is as expected has annotations only for
    /// warnings.
    pub(crate) github: &'static str,
    /// The kind and the level of a result of SARIF. What is undecided is no failure, and has no
    /// level.
    pub(crate) sarif: [&'static str; 2],
    pub(crate) junit: Junit,
}

/// The row of `status`.
pub const fn row(status: Status) -> StatusRow {
    match status {
        Status::AsExpected => StatusRow {
            mark: "ok  ",
            tone: Tone::Good,
            counted: "as expected",
            on_page: (Some("good"), "✓ as expected"),
            witness: "seen",
            github: "warning",
            sarif: ["fail", "warning"],
            junit: Junit::Success,
        },
        Status::Known => StatusRow {
            mark: "old ",
            tone: Tone::Open,
            counted: "known by the baseline",
            on_page: (None, "known by the baseline"),
            witness: "known by the baseline, not seen on any run",
            github: "notice",
            sarif: ["fail", "note"],
            junit: Junit::Skipped("known by the baseline"),
        },
        Status::Undecided => StatusRow {
            mark: "open",
            tone: Tone::Open,
            counted: "undecided",
            on_page: (Some("bad"), "? undecided"),
            witness: "not seen so far",
            github: "warning",
            sarif: ["open", "none"],
            junit: Junit::NonSuccess(NonSuccessKind::Error, "undecided"),
        },
        Status::Unexpected => StatusRow {
            mark: "FAIL",
            tone: Tone::Bad,
            counted: "not as expected",
            on_page: (Some("bad"), "✗ unexpected"),
            witness: "not seen on any run",
            github: "error",
            sarif: ["fail", "error"],
            junit: Junit::NonSuccess(NonSuccessKind::Failure, "not as expected"),
        },
    }
}
