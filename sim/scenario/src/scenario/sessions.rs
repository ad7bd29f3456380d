//! The number of users who give commands at the same time: `sessions` of the table `[user]`.

use std::ops::RangeInclusive;

use super::{
    value::{CommandLimit, Located, Map},
    world::number,
};
use crate::problem::{Problem, Text};

/// The key, which stands among commands.
pub const SESSIONS: &str = "sessions";

/// The number of users that there can be.
const USERS: RangeInclusive<i64> = 1..=8;

/// Takes the key out of the table, and returns the number of users beside the first one.
pub(super) fn take(text: &Text, file: &mut Map<Located<CommandLimit>>) -> Result<u8, Problem> {
    let Some(place) = file.0.iter().position(|(key, _)| key.value == SESSIONS) else {
        return Ok(0);
    };
    let (_, users) = file.0.remove(place);
    let CommandLimit::Times(value) = users.value else {
        let label = "a number from 1 to 8 was expected";
        return Err(text.problem(&users.span, "there is a limit to the number of users", label));
    };
    let users = number(text, &Located { value, span: users.span }, USERS)?;
    Ok(u8::try_from(users - 1).expect("there are at most 8"))
}
