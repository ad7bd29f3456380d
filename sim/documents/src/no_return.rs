//! Points of no return, in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sentence on a run on which nothing is lost.
const NEVER_TOO_LATE: &str =
    "it is never too late: moves that are owed can meet it at any time, and are put off for ever";

/// Since when what a run leaves open cannot be met any more: exact, over all runs that are fair.
/// Numbers are of states, as after as many steps of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoReturn {
    /// The first state in which it is open for good.
    pub open: usize,
    /// The first state from which no fair run meets it; none if one does to the end.
    pub lost: Option<usize>,
    /// The first state from which none does unless a fault or a move that nobody owes helps; none
    /// if moves that are owed can meet it to the end, though nobody is bound to make them in time.
    pub unaided: Option<usize>,
    /// The first such move on a shortest way from the end of the run to where it is met, as a line
    /// of a script.
    pub aid: Option<String>,
}

impl NoReturn {
    /// The same of a run with `steps` steps more before it.
    #[must_use]
    pub fn after(self, steps: usize) -> Self {
        self.moved(|state| state + steps)
    }

    /// The same of the end of a run, of which the first `steps` steps are left out. What was so
    /// before is so from the start.
    #[must_use]
    pub fn since(self, steps: usize) -> Self {
        self.moved(|state| state.saturating_sub(steps))
    }

    fn moved(self, to: impl Fn(usize) -> usize) -> Self {
        let Self { open, lost, unaided, aid } = self;
        Self { open: to(open), lost: lost.map(&to), unaided: unaided.map(&to), aid }
    }

    /// The same as a sentence without a full stop. `line` says what led to a state, if a step did.
    pub fn sentence<'a>(&self, line: impl Fn(usize) -> Option<&'a str>) -> String {
        let after = |state: usize| match line(state) {
            Some(line) => format!("after step {state}, {line},"),
            None => "from the start".to_owned(),
        };
        // What is so as soon as it is owed was never different.
        let until = |state: usize, how: &str| match state.checked_sub(1) {
            Some(last) if state > self.open => {
                let last = if last == 0 { "the start".into() } else { format!("step {last}") };
                format!("{how} until {last}; ")
            }
            _ => String::new(),
        };
        match (self.unaided, self.lost) {
            (Some(unaided), Some(lost)) if unaided == lost => {
                format!("{}{} nothing can", until(lost, "it could be met"), after(lost))
            }
            (Some(unaided), lost) => {
                let begun = until(unaided, "it could be met without help");
                let aid = self.aid.as_ref().map(|aid| format!(", as {aid}")).unwrap_or_default();
                let helped = format!("{begun}{} only with help{aid}", after(unaided));
                match lost {
                    Some(lost) => format!("{helped}; {} nothing can", after(lost)),
                    None => helped,
                }
            }
            (None, _) => NEVER_TOO_LATE.to_owned(),
        }
    }
}
