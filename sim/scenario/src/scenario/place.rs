//! Places: the lines of a file at which a scenario begins, and at which it says something of a
//! claim. They are noted when it is read, as a file may describe thousands of scenarios.

use std::collections::BTreeMap;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Scenario;
use crate::problem::{LineOffsets, Text};

/// The lines of a file, from 1.
#[derive(Clone, Debug)]
pub(super) struct ScenarioLines {
    first: usize,
    /// The line with the expectation of each claim, or with its text, if it is one of the
    /// scenario's own.
    claims: BTreeMap<String, usize>,
    /// The line with the expectation of all claims.
    all: Option<usize>,
}

impl ScenarioLines {
    /// The places of the document that a text contains.
    pub(super) fn of(text: &Text, document: &DeTable<'_>, lines: &LineOffsets) -> Self {
        let line = |at: usize| lines.line(at);
        let shows = || Some(document.get_key_value("shows")?.0.span().start);
        let begin = text.part.as_ref().map(|part| part.named.start).or_else(shows);
        let table = |key: &str| match document.get(key).map(Spanned::get_ref) {
            Some(DeValue::Table(table)) => Some(table),
            _ => None,
        };
        let keys = ["own", "claims"].into_iter().filter_map(table).flat_map(|it| it.keys());
        let claims = keys.map(|key| (key.get_ref().to_string(), line(key.span().start))).collect();
        let all = table("claims").and_then(|it| it.get_key_value("all"));
        let all = all.map(|(key, _)| line(key.span().start));
        Self { first: begin.map_or(1, line), claims, all }
    }
}

impl Scenario {
    /// The line of its file, from 1, at which it begins: that of its table `also`, or of its key
    /// `shows`.
    pub fn first_line(&self) -> usize {
        self.places.first
    }

    /// The line of its file, from 1, with the expectation of the claim of this name or with its
    /// text; else the line with the expectation of all claims, and else its first.
    pub fn line_of_claim(&self, name: &str) -> usize {
        let ScenarioLines { first, claims, all } = &self.places;
        claims.get(name).copied().or(*all).unwrap_or(*first)
    }
}
