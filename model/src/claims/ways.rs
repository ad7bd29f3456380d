//! Ways back: from the rows that changed to the subjects of claims whose verdicts that may change.

use super::{Link, RowEvent, Subjects, affected::Affected};
use crate::rows::Row;

/// The links of some claims, each once, by the events upon which they are followed.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways([Vec<Link>; RowEvent::ALL.len()]);

impl Ways {
    /// The links that these subjects name.
    pub(super) fn of<'a>(subjects: impl Iterator<Item = &'a Subjects>) -> Self {
        let mut ways = Self::default();
        for link in subjects.flat_map(|subjects| subjects.reads) {
            for event in link.events() {
                let links = &mut ways.0[*event as usize];
                if !links.contains(link) {
                    links.push(*link);
                }
            }
        }
        ways
    }

    /// Goes back from a row that changed by this event.
    #[inline]
    pub(super) fn follow(&self, event: RowEvent, row: Row, affected: &mut Affected<'_>) {
        for link in &self.0[event as usize] {
            link.follow(row, affected);
        }
    }
}
