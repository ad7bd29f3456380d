//! Any text as a condition: it is read, or refused with a place in it.
#![no_main]

use std::{path::Path, sync::LazyLock};

use deathwatch_language::{Expression, ExpressionKind, KINDS};
use deathwatch_scenario::scenario::{self, Scenario};
use libfuzzer_sys::fuzz_target;

const BUG: &str = include_str!("../../scenarios/relation-scope-bug/1-as-written.toml");

static SCENARIO: LazyLock<Scenario> =
    LazyLock::new(|| scenario::parse(Path::new("bug.toml"), BUG).expect("a shipped scenario"));

fuzz_target!(|input: (u8, &str)| {
    let (kind, text) = input;
    let each = KINDS.get(usize::from(kind) / 2).copied();
    let kind = if kind % 2 == 0 { ExpressionKind::Step(each) } else { ExpressionKind::State(each) };
    if let Err(error) = Expression::new(&SCENARIO.world, kind, text) {
        assert!(error.span.end <= text.len() && text.is_char_boundary(error.span.start));
        assert!(!error.message.is_empty() && !error.expected.is_empty());
    }
});
