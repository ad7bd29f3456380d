//! Random texts: each is read or refused with a place in it, in time and without a panic; every
//! text that we read is read by `cel`, too.

use cel::Program;
use deathwatch_language::{Expression, ExpressionKind, KINDS, fields, list_name};
use deathwatch_simulator::dice::Dice;

use super::{generate::Generator, reached};
use crate::common::{dice, worlds};

/// Parts of expressions, to be put together at random.
const PARTS: [&str; 44] = [
    "it",
    "before",
    "after",
    "units",
    "machines",
    "relations",
    "u",
    "x",
    ".",
    ".",
    ".",
    "(",
    ")",
    "[",
    "]",
    ",",
    " && ",
    " || ",
    "!",
    "-",
    " ? ",
    " : ",
    " == ",
    " != ",
    " < ",
    " in ",
    " + ",
    " * ",
    "all",
    "exists",
    "exists_one",
    "filter",
    "map",
    "size",
    "life",
    "machine",
    "\"alive\"",
    "'none'",
    "true",
    "1",
    "9223372036854775807",
    "é",
    "\\",
    "\"",
];

/// Letters that replace others.
const OTHERS: [char; 8] = ['(', ')', '.', '!', 'x', '"', '&', 'é'];

fn random(dice: &mut Dice) -> String {
    let fields: Vec<&str> =
        KINDS.iter().flat_map(|kind| fields(*kind)).map(|field| field.name.as_str()).collect();
    let mut text = String::new();
    for _ in 0..=dice.index(40) {
        match dice.index(6) {
            0 => text.push_str(fields[dice.index(fields.len())]),
            1 => text.push_str(&list_name(KINDS[dice.index(KINDS.len())])),
            _ => text.push_str(PARTS[dice.index(PARTS.len())]),
        }
    }
    text
}

/// A text with some letters changed, left out or repeated.
fn damaged(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.index(3) {
        let at = dice.index(letters.len());
        match dice.index(3) {
            0 if letters.len() > 1 => drop(letters.remove(at)),
            1 => letters.insert(at, letters[dice.index(letters.len())]),
            _ => letters[at] = OTHERS[dice.index(OTHERS.len())],
        }
    }
    letters.into_iter().collect()
}

#[test]
fn any_text_is_an_expression_or_refused_with_a_place() {
    let (mut dice, mut read) = (dice(3), 0_u32);
    for scenario in worlds::scenarios() {
        let world = &scenario.world;
        let [before, state] = reached(world, &scenario.start, 10, &mut dice);
        for round in 0..4_000 {
            let each = Some(KINDS[dice.index(KINDS.len())]).filter(|_| dice.index(2) > 0);
            let form = if dice.index(2) == 0 {
                ExpressionKind::Step(each)
            } else {
                ExpressionKind::State(each)
            };
            let text = if round % 2 == 0 {
                random(&mut dice)
            } else {
                let text = Generator::new(world, form, &mut dice).flag(3);
                damaged(&text, &mut dice)
            };
            match Expression::new(world, form, &text) {
                Ok(expression) => {
                    read += 1;
                    for subject in super::subjects(world, each) {
                        expression.holds_between(world, &before, &state, subject);
                    }
                    assert!(Program::compile(&text).is_ok(), "cel does not read {text}");
                }
                Err(error) => {
                    assert!(error.span.end <= text.len(), "{text}: {error:?}");
                    assert!(text.is_char_boundary(error.span.start), "{text}: {error:?}");
                    assert!(!error.message.is_empty() && !error.expected.is_empty(), "{error:?}");
                }
            }
        }
    }
    assert!(read > 100, "only {read} texts were expressions");
}
