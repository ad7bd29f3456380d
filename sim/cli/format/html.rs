//! The page of `check`.

use deathwatch_show::page::check::{Among, Row, of_answers};
use deathwatch_study::verdict::Status;

use super::{Detail, Told};

/// The page of these scenarios; with `--quiet` of those that are not as expected.
pub(super) fn page(all: &[Told], among: Among, detail: Detail) -> String {
    let is_shown = |told: &&Told| {
        detail != Detail::OnlySurprises || told.answered.status != Status::AsExpected
    };
    let rows: Vec<Row<'_>> = all
        .iter()
        .filter(is_shown)
        .map(|it| Row { answered: &it.answered, took: it.timing.asked() })
        .collect();
    of_answers(&rows, among)
}
