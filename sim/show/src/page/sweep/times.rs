//! Times of removals: a distribution for each kind of entity, on one axis, so that they compare.

use deathwatch_documents::sweep::{Bin, RemovalTimes, SweepStats, UnfinishedTimes};
use deathwatch_simulator::stats::time;
use maud::{Markup, html};

use super::counted;
use crate::page::plot::{BAD, BAR, Bar, Distribution, Mark, PLACE};

pub(super) fn times(stats: &SweepStats) -> Markup {
    let bins = stats.removal_ms.iter().flat_map(|(_, removal)| removal.bins.clone());
    let ends = ends(&bins.collect::<Vec<_>>());
    let unfinished = |kind| stats.unfinished.iter().find(|(it, _)| *it == kind);
    html! {
        section.panel aria-label="Time to removal" {
            h2 { "Time to removal" small { "virtual, from Dying to removed" } }
            div.columns.times {
                @for (kind, removal) in stats.removal_ms.iter() {
                    @let left = unfinished(kind).map(|(_, it)| it);
                    div {
                        h3 { (kind) }
                        p { (summary(removal)) }
                        @if let Some(left) = left.filter(|left| left.count > 0) {
                            p.bad { (never(left)) }
                        }
                        @if removal.count > 0 {
                            @let says = format!("{kind}: {}", summary(removal));
                            (distribution(removal, left, &ends).picture(&says))
                        }
                    }
                }
            }
            p.quiet {
                "Percentiles are about what was removed. What stays is counted at the right, as never."
            }
        }
    }
}

/// The times of removals, in a sentence.
fn summary(removal: &RemovalTimes) -> String {
    let at = |value: Option<u64>| value.map(time).unwrap_or_default();
    if removal.count == 0 {
        return "None was removed.".to_owned();
    }
    format!(
        "{} removed: half within {}, nine in ten within {}, 99 in a hundred within {}, all within {}.",
        counted(removal.count),
        at(removal.p50),
        at(removal.p90),
        at(removal.p99),
        at(removal.max),
    )
}

/// The entities that were never removed, in a sentence.
fn never(left: &UnfinishedTimes) -> String {
    let longest = left.max.map(time).unwrap_or_default();
    format!(
        "{} never removed; at the end of the run Dying or Dead for up to {longest}.",
        counted(left.count)
    )
}

/// The ranges that any kind has values in, and those between them: each from its least value on.
fn ends(bins: &[Bin]) -> Vec<u64> {
    let last = bins.iter().map(|bin| bin.to).max().unwrap_or(1);
    let units = std::iter::successors(Some(1_u64), |unit| unit.checked_mul(10));
    let steps = units.flat_map(|unit| [1, 2, 5].map(|times| unit.saturating_mul(times)));
    let mut ends = vec![0];
    ends.extend(steps.take_while(|end| *end < last));
    // Nothing is between what takes no time and the first that takes some.
    let first = bins.iter().map(|bin| bin.from).filter(|from| *from > 0).min().unwrap_or(last);
    ends.retain(|end| *end == 0 || (first..last).contains(end));
    ends
}

fn distribution(
    removal: &RemovalTimes,
    left: Option<&UnfinishedTimes>,
    ends: &[u64],
) -> Distribution {
    let range = |value: u64| ends.partition_point(|end| *end <= value).saturating_sub(1);
    let bar = |bin: &Bin| Bar { place: place(range(bin.from)), height: bin.count, colour: BAR };
    let mut bars: Vec<Bar> = removal.bins.iter().map(bar).collect();
    let never = place(ends.len()) + 1;
    let height = left.map_or(0, |left| left.count);
    bars.push(Bar { place: never, height, colour: BAD });
    let percentiles = [("p50", removal.p50), ("p90", removal.p90), ("p99", removal.p99)];
    let mark = |(name, value): (&str, Option<u64>)| {
        let value = value?;
        let at = range(value);
        let (from, to) = (ends[at], ends.get(at + 1).copied().unwrap_or(value));
        let part = u128::from(value.saturating_sub(from)) * u128::from(PLACE.unsigned_abs());
        let within = part / u128::from(to.saturating_sub(from).max(1));
        let within = i32::try_from(within).map_or(PLACE, |it| it.min(PLACE));
        Some(Mark { at: place(at) * PLACE + within, says: format!("{name} {}", time(value)) })
    };
    let is_decade = |end: &u64| *end > 0 && end.to_string().trim_end_matches('0') == "1";
    let decades = ends.iter().enumerate().filter(|(_, end)| is_decade(end));
    let mut names: Vec<(i32, String)> =
        decades.map(|(at, end)| (place(at) * PLACE, time(*end))).collect();
    names.push((PLACE / 2, "at once".to_owned()));
    names.push((never * PLACE + PLACE / 2, "never".to_owned()));
    Distribution {
        bars,
        marks: percentiles.into_iter().filter_map(mark).collect(),
        places: never + 1,
        names,
    }
}

/// The place of a range on the axis; the range of zero has a place of its own.
fn place(range: usize) -> i32 {
    let range = i32::try_from(range).expect("there are some dozens");
    if range == 0 { 0 } else { range + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deathwatch_simulator::stats::Histogram;
    use deathwatch_study::sweep::times;

    /// Times may come from a journal, which may say anything.
    #[test]
    fn any_time_has_its_place() {
        for values in [&[][..], &[0], &[1], &[0, 7, 30_000], &[u64::MAX], &[0, u64::MAX]] {
            let mut spread = Histogram::default();
            for value in values {
                spread.insert(*value);
            }
            let (removal, left) = (times::removal(&spread), times::unfinished(&spread));
            let ends = ends(&removal.bins);
            assert!(ends.is_sorted_by(|one, next| one < next), "{ends:?}");
            let it = distribution(&removal, Some(&left), &ends);
            let places = 0..it.places;
            assert!(it.bars.iter().all(|bar| places.contains(&bar.place)), "{values:?}");
            assert!(it.marks.iter().all(|mark| places.contains(&(mark.at / PLACE))), "{values:?}");
            assert_eq!(it.marks.len(), if values.is_empty() { 0 } else { 3 });
            let heights: u64 = it.bars.iter().map(|bar| bar.height).sum();
            assert_eq!(heights, 2 * values.len() as u64, "removed, and never");
            it.picture("times");
        }
    }
}
