//! The rows that a step touches.

use std::ops::Deref;

use super::{
    Row,
    reads::{Read, note},
};

/// The number of last rows that are compared with a row to add. A row that is touched again was
/// mostly touched just before; to compare with all would take quadratic time for a large step.
const RECENT: usize = 8;

/// The rows that a step touched, by their first touch. If there are many, one may occur twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched(Vec<Row>);

impl Touched {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row, unless it was added just before. A changed row counts as read, too.
    #[inline]
    pub fn push(&mut self, row: Row) {
        note(Read::Row(row));
        let recent = &self.0[self.0.len().saturating_sub(RECENT)..];
        if !recent.iter().rev().any(|it| *it == row) {
            self.0.push(row);
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Extend<Row> for Touched {
    fn extend<I: IntoIterator<Item = Row>>(&mut self, rows: I) {
        rows.into_iter().for_each(|row| self.push(row));
    }
}

impl Deref for Touched {
    type Target = [Row];

    fn deref(&self) -> &[Row] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Touched {
    type Item = &'a Row;
    type IntoIter = std::slice::Iter<'a, Row>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
