//! What holds for every number of units, as lines of text.

use deathwatch_documents::{AnySize, Beside, NotAsked, ShownWith};
use deathwatch_scenario::listed::quoted;

use crate::text::{Detail, number, plural};

/// This many units are named where little is told.
const FEW: usize = 3;

/// What was found, in half a line.
pub(super) fn gist(any_size: &AnySize) -> String {
    let views = number(any_size.views, "view");
    let beside: Vec<String> = any_size.beside.iter().map(|it| it.unit.clone()).collect();
    let beside = match beside.len() {
        0 => String::new(),
        1..=FEW => format!(" beside {}", in_words(&beside)),
        more => format!(" beside {more} others"),
    };
    format!("{views} for every number of units{beside}")
}

/// What was found, as lines with their indents: the claims that are violated with some number, then
/// all others, if they are asked for. Whether that was all that was asked, or is not as expected,
/// is said by `is_alone`.
pub(super) fn tell(
    any_size: &AnySize,
    is_alone: bool,
    detail: Detail,
    say: &mut impl FnMut(usize, &str),
) {
    for Beside { unit, because } in any_size.beside.iter().filter(|_| detail == Detail::Violations)
    {
        say(6, &format!("beside {unit}, which {because}, and of which there is one"));
    }
    let is_told = is_alone || detail == Detail::Violations;
    let with = |it: &ShownWith| {
        let units = it.units.iter().zip(&any_size.applications);
        let units = units.map(|(count, of)| format!("{} of {of}", plural(*count, "unit")));
        format!("{}: {}", in_words(&units.collect::<Vec<_>>()), quoted(&it.claim))
    };
    for it in any_size.violated.iter().filter(|_| is_told) {
        say(6, &format!("violated with {}", with(it)));
    }
    for it in any_size.reached.iter().filter(|_| is_told) {
        say(6, &format!("reached with {}", with(it)));
    }
    for claim in any_size.never_reached.iter().filter(|_| is_told) {
        say(6, &format!("reached with no number of units: {}", quoted(claim)));
    }
    for claim in &any_size.undecided {
        say(6, &format!("undecided for every number of units: {}", quoted(claim)));
    }
    let not_asked = any_size.not_asked.len();
    if detail != Detail::Violations {
        if not_asked > 0 && is_alone {
            let claims = plural(not_asked, "claim");
            say(6, &format!("not asked for every number of units: {claims}"));
        }
        return;
    }
    if !any_size.hold.is_empty() {
        let claims = plural(any_size.hold.len(), "claim");
        let units = in_words(&any_size.applications);
        let hold = if any_size.hold.len() == 1 { "holds" } else { "hold" };
        say(6, &format!("for every number of units of {units}: {claims} {hold}"));
    }
    for NotAsked { claim, because } in &any_size.not_asked {
        let claim = quoted(claim);
        say(6, &format!("not asked for every number of units, as {because}: {claim}"));
    }
}

/// The same as lines without indents, those that are told on a page.
pub(crate) fn lines(any_size: &AnySize) -> Vec<String> {
    let mut lines = Vec::new();
    tell(any_size, true, Detail::Violations, &mut |_, line| lines.push(line.to_owned()));
    lines
}

fn in_words(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        all => all.concat(),
    }
}
