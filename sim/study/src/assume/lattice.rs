//! The lattice of premises: a product of axes, and the least points of properties on it.
//!
//! An axis has levels from 0 up, of which a higher one never says less. Mostly a property that
//! holds at a point holds at every point above it, so its least points say everything. They are
//! found without a look at every point: what is judged at one decides all above it or all below it,
//! and one judgement serves all properties. From a point where a property holds the search goes
//! down one level at a time as long as that is possible; what is left undecided is looked for at
//! the top.
//!
//! Where a level says more than another and a property may be lost with it, no answer is inferred
//! from one for the other. The points above one where the property holds are not asked all the
//! same, as none of them is a least one.

/// A point: a level on each axis.
pub(super) type Point = Vec<u8>;

/// An axis. A number is a chain up to it.
pub(super) trait AxisLevels {
    /// The greatest level.
    fn top(&self) -> u8;

    /// Whether `other` says all that `level` does.
    fn is_within(&self, level: u8, other: u8) -> bool {
        level <= other
    }

    /// Whether what holds at `level` holds at `other`.
    fn carries(&self, level: u8, other: u8) -> bool {
        self.is_within(level, other)
    }

    /// The number of levels on the way to this one.
    fn height(&self, level: u8) -> u32 {
        u32::from(level)
    }
}

impl AxisLevels for u8 {
    fn top(&self) -> u8 {
        *self
    }
}

pub(super) struct Lattice<'a, L> {
    axes: &'a [L],
    /// The points, those with more levels first.
    points: Vec<Point>,
}

impl<'a, L: AxisLevels> Lattice<'a, L> {
    pub(super) fn new(axes: &'a [L]) -> Self {
        let mut points = vec![Point::new()];
        for axis in axes {
            let longer = |point: &Point| {
                let point = point.clone();
                (0..=axis.top()).map(move |level| [&point[..], &[level]].concat())
            };
            points = points.iter().flat_map(longer).collect();
        }
        let mut lattice = Self { axes, points: Vec::new() };
        points.sort_by_key(|point| std::cmp::Reverse(lattice.rank(point)));
        lattice.points = points;
        lattice
    }

    /// The least points at which each property holds. `judge` gives the properties that hold at a
    /// point.
    ///
    /// # Errors
    /// If `judge` fails.
    pub(super) fn least<E>(
        &self,
        properties: usize,
        mut judge: impl FnMut(&[u8]) -> Result<Vec<bool>, E>,
    ) -> Result<Vec<Vec<Point>>, E> {
        let mut known = vec![vec![None; self.points.len()]; properties];
        for property in 0..properties {
            while let Some(mut at) = known[property].iter().position(Option::is_none) {
                self.learn(&mut known, at, &judge(&self.points[at])?);
                while known[property][at] == Some(true) {
                    let is_open = |it: &usize| known[property][*it].is_none();
                    let Some(below) = self.below(at).find(is_open) else { break };
                    self.learn(&mut known, below, &judge(&self.points[below])?);
                    if known[property][below] == Some(true) {
                        at = below;
                    }
                }
            }
        }
        Ok(known.iter().map(|known| self.least_of(known)).collect())
    }

    /// Notes the judgement at a point, and what follows. If a property holds, no point above is a
    /// least one, and it is taken to hold at all of them. If not, it holds at no point that would
    /// carry it to this one.
    fn learn(&self, known: &mut [Vec<Option<bool>>], at: usize, judged: &[bool]) {
        let here = &self.points[at];
        for (known, holds) in known.iter_mut().zip(judged) {
            for (known, point) in known.iter_mut().zip(&self.points) {
                let follows =
                    if *holds { self.is_within(here, point) } else { self.carries(point, here) };
                if follows {
                    *known = Some(*holds);
                }
            }
        }
    }

    /// The points that are directly below this one: a level lower on one axis.
    fn below(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let here = &self.points[at];
        let is_below = move |point: &Point| {
            let mut lower =
                self.axes.iter().zip(point.iter().zip(here)).filter(|(_, (it, here))| it != here);
            let only = lower.next().filter(|_| lower.next().is_none());
            only.is_some_and(|(axis, (level, here))| is_directly_below(axis, *level, *here))
        };
        self.points.iter().enumerate().filter(move |(_, it)| is_below(it)).map(|(index, _)| index)
    }

    /// Whether `above` says all that `point` does.
    fn is_within(&self, point: &[u8], above: &[u8]) -> bool {
        let mut levels = self.axes.iter().zip(point.iter().zip(above));
        levels.all(|(axis, (level, above))| axis.is_within(*level, *above))
    }

    /// Whether what holds at `point` holds at `above`.
    fn carries(&self, point: &[u8], above: &[u8]) -> bool {
        let mut levels = self.axes.iter().zip(point.iter().zip(above));
        levels.all(|(axis, (level, above))| axis.carries(*level, *above))
    }

    fn rank(&self, point: &[u8]) -> u32 {
        self.axes.iter().zip(point).map(|(axis, level)| axis.height(*level)).sum()
    }

    fn least_of(&self, known: &[Option<bool>]) -> Vec<Point> {
        let holds = |index: usize| known[index] == Some(true);
        let is_least = |index: &usize| holds(*index) && !self.below(*index).any(holds);
        let least = (0..self.points.len()).filter(is_least).map(|index| self.points[index].clone());
        let mut least: Vec<Point> = least.collect();
        least.sort_by_key(|point| self.rank(point));
        least
    }
}

/// Whether `high` says more than `low`, and no level says more than `low` and less than `high`.
fn is_directly_below(axis: &impl AxisLevels, low: u8, high: u8) -> bool {
    let is_less = |low: u8, high: u8| low != high && axis.is_within(low, high);
    is_less(low, high) && !(0..=axis.top()).any(|it| is_less(low, it) && is_less(it, high))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use deathwatch_model::world::{Assumption, FaultKind};

    use super::{super::set::Axis, *};

    /// The least points by the definition, from a look at all.
    fn by_definition<L: AxisLevels>(
        lattice: &Lattice<'_, L>,
        holds: impl Fn(&[u8]) -> bool,
    ) -> Vec<Point> {
        let all = || lattice.points.iter().filter(|point| holds(point));
        let is_least =
            |point: &&Point| !all().any(|it| it != *point && lattice.is_within(it, point));
        let mut least: Vec<Point> = all().filter(is_least).cloned().collect();
        least.sort_by_key(|point| lattice.rank(point));
        least
    }

    #[test]
    fn the_least_points_are_those_of_the_definition() {
        // On the first axis level 2 says more than level 1, and may lose what holds there.
        let axes = [
            Axis::Agents,
            Axis::Others(Assumption::CommandsFinish),
            Axis::Faults(FaultKind::Crash),
            Axis::Faults(FaultKind::HookFailure),
        ];
        let lattice = Lattice::new(&axes);
        assert_eq!(lattice.points.len(), 5 * 2 * 3 * 3);
        let mut random = 1_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..200 {
            // A property is generated by a few points: it holds above each of them.
            let mut property = || -> Vec<Point> {
                let number = next(4);
                (0..number)
                    .map(|_| [5, 2, 3, 3].map(|levels| u8::try_from(next(levels)).expect("few")))
                    .map(Vec::from)
                    .collect()
            };
            let properties = [property(), property(), property()];
            let holds = |index: usize, point: &[u8]| {
                properties[index]
                    .iter()
                    .any(|least| lattice.is_within(least, point) && (least[0], point[0]) != (1, 2))
            };
            let mut judged = 0;
            let found = lattice.least(3, |point| {
                judged += 1;
                Ok::<_, Infallible>((0..3).map(|index| holds(index, point)).collect())
            });
            let Ok(found) = found;
            for (index, found) in found.iter().enumerate() {
                assert_eq!(*found, by_definition(&lattice, |point| holds(index, point)));
            }
            assert!(judged < lattice.points.len(), "{judged} points were judged");
        }
    }

    #[test]
    fn a_lattice_without_axes_has_one_point() {
        let found = Lattice::<u8>::new(&[]).least(2, |_| Ok::<_, Infallible>(vec![true, false]));
        assert_eq!(found, Ok(vec![vec![Point::new()], vec![]]));
    }
}
