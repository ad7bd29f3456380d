//! Reverse dependencies: from a changed row to the subjects to judge again.

use deathwatch_model::rows::Row;

use super::{Link, RowEvent, Subjects, affected::Affected};

/// The links of some claims, each once, by the events of the rows that they read.
#[derive(Clone, Debug, Default)]
pub(super) struct DependencyIndex([Vec<Link>; RowEvent::ALL.len()]);

impl DependencyIndex {
    /// The links that these subjects name.
    pub(super) fn of<'a>(subjects: impl Iterator<Item = &'a Subjects>) -> Self {
        let mut index = Self::default();
        for link in subjects.flat_map(|subjects| subjects.reads) {
            for event in link.events() {
                let links = &mut index.0[*event as usize];
                if !links.contains(link) {
                    links.push(*link);
                }
            }
        }
        index
    }

    /// Adds the subjects that depend on a row that this event changed.
    #[inline]
    pub(super) fn follow(&self, event: RowEvent, row: Row, affected: &mut Affected<'_>) {
        for link in &self.0[event as usize] {
            link.follow(row, affected);
        }
    }
}
