//! The lattice of premises: a product of chains, and the least points of monotone properties on it.
//!
//! An axis has levels from 0 up, of which each assumes more than those before it. A property that
//! holds at a point holds at every point above it, so its least points say everything. They are
//! found without a look at every point: what is judged at one decides all above it or all below it,
//! and one judgement serves all properties. From a point where a property holds the search goes
//! down one level at a time as long as that is possible; what is left undecided is looked for at
//! the top.

/// A point: a level on each axis.
pub(super) type Point = Vec<u8>;

pub(super) struct Lattice {
    /// The points, those with more levels first.
    points: Vec<Point>,
}

impl Lattice {
    /// The lattice of axes with these greatest levels.
    pub(super) fn new(tops: &[u8]) -> Self {
        let mut points = vec![Point::new()];
        for top in tops {
            let longer = |point: &Point| {
                let point = point.clone();
                (0..=*top).map(move |level| [&point[..], &[level]].concat())
            };
            points = points.iter().flat_map(longer).collect();
        }
        points.sort_by_key(|point| std::cmp::Reverse(rank(point)));
        Self { points }
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

    /// Notes the judgement at a point, and the ones that follow for points above and below it.
    fn learn(&self, known: &mut [Vec<Option<bool>>], at: usize, judged: &[bool]) {
        let here = &self.points[at];
        for (known, holds) in known.iter_mut().zip(judged) {
            for (known, point) in known.iter_mut().zip(&self.points) {
                let follows = if *holds { is_within(here, point) } else { is_within(point, here) };
                if follows {
                    *known = Some(*holds);
                }
            }
        }
    }

    /// The points that are one level lower on one axis.
    fn below(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let here = &self.points[at];
        let is_below = move |point: &Point| rank(point) + 1 == rank(here) && is_within(point, here);
        self.points.iter().enumerate().filter(move |(_, it)| is_below(it)).map(|(index, _)| index)
    }

    fn least_of(&self, known: &[Option<bool>]) -> Vec<Point> {
        let holds = |index: usize| known[index] == Some(true);
        let is_least = |index: &usize| holds(*index) && !self.below(*index).any(holds);
        let least = (0..self.points.len()).filter(is_least).map(|index| self.points[index].clone());
        let mut least: Vec<Point> = least.collect();
        least.sort_by_key(|point| rank(point));
        least
    }
}

/// Whether `above` is at least as high on every axis.
fn is_within(point: &[u8], above: &[u8]) -> bool {
    point.iter().zip(above).all(|(level, above)| level <= above)
}

fn rank(point: &[u8]) -> u32 {
    point.iter().copied().map(u32::from).sum()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// The least points by the definition, from a look at all.
    fn by_definition(lattice: &Lattice, holds: impl Fn(&[u8]) -> bool) -> Vec<Point> {
        let all = || lattice.points.iter().filter(|point| holds(point));
        let is_least = |point: &&Point| !all().any(|it| it != *point && is_within(it, point));
        let mut least: Vec<Point> = all().filter(is_least).cloned().collect();
        least.sort_by_key(|point| rank(point));
        least
    }

    #[test]
    fn the_least_points_are_those_of_the_definition() {
        let lattice = Lattice::new(&[2, 1, 2, 1, 3]);
        assert_eq!(lattice.points.len(), 3 * 2 * 3 * 2 * 4);
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
                    .map(|_| [3, 2, 3, 2, 4].map(|levels| u8::try_from(next(levels)).expect("few")))
                    .map(Vec::from)
                    .collect()
            };
            let properties = [property(), property(), property()];
            let holds = |index: usize, point: &[u8]| {
                properties[index].iter().any(|least| is_within(least, point))
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
        let found = Lattice::new(&[]).least(2, |_| Ok::<_, Infallible>(vec![true, false]));
        assert_eq!(found, Ok(vec![vec![Point::new()], vec![]]));
    }
}
