//! The reader of virtual times.

use crate::{
    problem::{Problem, Text},
    scenario::value::Located,
};

/// The longest time that may be written: a year.
const LONGEST: u64 = 365 * 24 * 60 * 60 * 1000;

/// A time that is not zero.
pub(super) fn time(text: &Text, at: &Located<String>) -> Result<u64, Problem> {
    let time = milliseconds(&at.value).filter(|time| *time > 0);
    let expected = "a time was expected, such as \"500ms\", \"10s\", \"5m\" or \"1h\"";
    time.ok_or_else(|| text.problem(&at.span, format!("`{}` is not a time", at.value), expected))
}

/// A virtual time, "500ms".
pub(super) fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor).filter(|time| *time <= LONGEST)
}
