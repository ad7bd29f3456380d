//! Answers for every number of units, as lines of text.

use deathwatch_documents::{AnySize, Beside, NotAsked, OpenClaim, OpenView, ShownWith};
use deathwatch_scenario::listed::quoted;

use crate::text::{TextDetail, number, plural};

/// The greatest number of units beside the types that are named in half a line; more are counted.
const FEW: usize = 3;

/// The answers in half a line.
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

/// The answers as lines with their indents: violated claims first, then all others, if they are
/// asked for. `is_alone` tells whether these are the only answers asked for, or unexpected ones.
pub(super) fn tell(
    any_size: &AnySize,
    is_alone: bool,
    detail: TextDetail,
    say: &mut impl FnMut(usize, &str),
) {
    for Beside { unit, because } in
        any_size.beside.iter().filter(|_| detail == TextDetail::Violations)
    {
        say(6, &format!("beside {unit}, which {because}, and of which there is one"));
    }
    let is_told = is_alone || detail == TextDetail::Violations;
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
    for it in &any_size.undecided {
        say(6, &format!("undecided for every number of units: {}", quoted(&it.claim)));
        for (indent, line) in open_view(it).into_iter().filter(|_| is_told) {
            say(6 + indent, &line);
        }
    }
    let not_asked = any_size.not_asked.len();
    if detail != TextDetail::Violations {
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

/// The view that leaves a claim open, as lines with their indents.
fn open_view(OpenClaim { may_be_stuck, view, .. }: &OpenClaim) -> Vec<(usize, String)> {
    let world = view.world.iter().map(|line| (4, line.clone()));
    let first = std::iter::once((2, heading(*may_be_stuck).to_owned()));
    first.chain(world).chain([(2, others(view))]).collect()
}

/// The words before the world of a view.
pub(crate) fn heading(may_be_stuck: bool) -> &'static str {
    if may_be_stuck { "this view may be stuck:" } else { "this view may decide it:" }
}

/// The units beside those of the view, in a sentence without a full stop.
pub(crate) fn others(view: &OpenView) -> String {
    match view.others.as_slice() {
        [] => "and any number of others, none of whom is counted".to_owned(),
        others => format!("and any number of others, who count as {}", in_words(others)),
    }
}

/// The lines without indents, for a page, which has views as worlds.
pub(crate) fn lines(any_size: &AnySize) -> Vec<String> {
    let mut lines = Vec::new();
    let told = AnySize { undecided: Vec::new(), ..any_size.clone() };
    tell(&told, true, TextDetail::Violations, &mut |_, line| lines.push(line.to_owned()));
    lines
}

fn in_words(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        all => all.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_told_with_who_else_there_may_be() {
        let view = |others: &[&str]| OpenView {
            world: vec!["unit wordpress/0: Dying".to_owned()],
            others: others.iter().map(|it| (*it).to_owned()).collect(),
            run: None,
        };
        let claim = "a Dying unit is removed".to_owned();
        let open = OpenClaim { claim, may_be_stuck: true, view: view(&["1 unit", "2 in scope"]) };
        let any_size = AnySize { undecided: vec![open], ..AnySize::default() };
        let mut told = Vec::new();
        let mut say = |indent: usize, line: &str| told.push(format!("{indent} {line}"));
        tell(&any_size, true, TextDetail::Surprises, &mut say);
        let expected = [
            "6 undecided for every number of units: \"a Dying unit is removed\"",
            "8 this view may be stuck:",
            "10 unit wordpress/0: Dying",
            "8 and any number of others, who count as 1 unit and 2 in scope",
        ];
        assert_eq!(told, expected);
        assert!(others(&view(&[])).ends_with("none of whom is counted"));
    }
}
