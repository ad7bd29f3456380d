//! Cones: what any number of processes may add to counts together, where each is in one of some
//! local states. Whatever is hidden in a state of an instance is such a sum; each count for itself
//! could be anything.

use super::{Amounts, MOST_COUNTS, Map, Set, SharedId, StateView, Template, sum};

/// All sums of some amounts, each any number of times, up to a bound.
pub(super) struct Cone {
    /// In the order in which they were found: the numbers of those that come later are greater.
    sums: Set<Amounts>,
}

impl Cone {
    /// Sums of nothing.
    fn new() -> Self {
        Self { sums: Set::from_iter([[0; MOST_COUNTS]]) }
    }

    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// The number of a sum, or `None` if this is none.
    pub(super) fn number(&self, amounts: &Amounts) -> Option<usize> {
        self.sums.get_index_of(amounts)
    }

    /// Adds a process that adds this much. Sums of sums are sums, so that it makes no difference
    /// where this much is one.
    fn grow(&mut self, adds: Amounts, bound: u8) {
        let adds = sum(adds, [0; _], bound);
        let mut done = if self.sums.contains(&adds) { self.len() } else { 0 };
        while done < self.len() {
            self.sums.insert(sum(self.sums[done], adds, bound));
            done += 1;
        }
    }
}

/// For each shared part the cone of those who are visible in views that have it.
#[derive(Default)]
pub(super) struct Cones(Map<SharedId, Cone>);

impl Cones {
    /// The cones of some views.
    pub(super) fn of<T: Template>(template: &T, views: &[StateView]) -> Self {
        let mut cones = Self::default();
        for view in views {
            cones.show(template, view);
        }
        cones
    }

    /// Adds the visible processes of a view.
    pub(super) fn show<T: Template>(&mut self, template: &T, view: &StateView) {
        let cone = self.0.entry(view.shared).or_insert_with(Cone::new);
        for of in 0..template.types() {
            cone.grow(template.adds(of, view.locals[of]), template.bound());
        }
    }

    /// That of a shared part which some view has.
    pub(super) fn at(&self, shared: SharedId) -> &Cone {
        &self.0[&shared]
    }
}

/// The amounts that the hidden processes may add beside one of them.
pub(super) struct Rests {
    least: Amounts,
    most: Amounts,
    next: Option<Amounts>,
}

impl Rests {
    /// Those by which, for each of these, somebody who adds the first amount and the rest together
    /// add the second one, up to the bound. `None` if there are none.
    pub(super) fn of(sums: &[(Amounts, Amounts)], template: &impl Template) -> Option<Self> {
        let (mut least, mut most) = ([0; _], [0; _]);
        for count in 0..template.counts() {
            let fits = |rest: &u8| {
                sums.iter().all(|(adds, hidden)| {
                    rest.saturating_add(adds[count]).min(template.bound()) == hidden[count]
                })
            };
            let mut fitting = (0..=template.bound()).filter(fits);
            // Those that fit follow each other, as a sum grows with what is added.
            (least[count], most[count]) = {
                let first = fitting.next()?;
                (first, fitting.last().unwrap_or(first))
            };
        }
        Some(Self { least, most, next: Some(least) })
    }
}

impl Iterator for Rests {
    type Item = Amounts;

    fn next(&mut self) -> Option<Amounts> {
        let now = self.next?;
        let mut then = now;
        let grows = (0..then.len()).find(|count| {
            let is_less = then[*count] < self.most[*count];
            then[*count] = if is_less { then[*count] + 1 } else { self.least[*count] };
            is_less
        });
        self.next = grows.map(|_| then);
        Some(now)
    }
}
