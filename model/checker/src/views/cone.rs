//! Cones: the amounts that any number of processes can add together, each in one of some local
//! states. The hidden part of a reachable view is such a sum; separate bounds would admit more.

use super::{Amounts, MOST_COUNTS, OrderedMap, OrderedSet, SharedId, StateView, Template, sum};

/// All sums of some amounts, each taken any number of times, up to a bound.
pub(super) struct Cone {
    /// In the order in which they were found, so a sum keeps its index when the cone grows.
    sums: OrderedSet<Amounts>,
}

impl Cone {
    /// The cone of no process: it has the empty sum.
    fn new() -> Self {
        Self { sums: OrderedSet::from_iter([[0; MOST_COUNTS]]) }
    }

    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// The index of a sum, or `None` if this is none.
    pub(super) fn number(&self, amounts: &Amounts) -> Option<usize> {
        self.sums.get_index_of(amounts)
    }

    /// Adds a process with the amounts `adds`. A sum changes nothing, as sums of sums are sums.
    fn grow(&mut self, adds: Amounts, bound: u8) {
        let adds = sum(adds, [0; _], bound);
        let mut done = if self.sums.contains(&adds) { self.len() } else { 0 };
        while done < self.len() {
            self.sums.insert(sum(self.sums[done], adds, bound));
            done += 1;
        }
    }
}

/// For each shared part, the cone of the processes that are visible in views that have it.
#[derive(Default)]
pub(super) struct Cones(OrderedMap<SharedId, Cone>);

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

    /// The cone of a shared part, which some view must have.
    pub(super) fn at(&self, shared: SharedId) -> &Cone {
        &self.0[&shared]
    }
}

/// An iterator over the amounts that the hidden processes may add without one of them. The amounts
/// of each count range from `least` to `most`.
pub(super) struct Rests {
    least: Amounts,
    most: Amounts,
    next: Option<Amounts>,
}

impl Rests {
    /// The rests that fit all `sums`: for each pair of a process's amounts and a total, the rest
    /// and the process together add the total, up to the bound. `None` if no rest fits.
    pub(super) fn of(sums: &[(Amounts, Amounts)], template: &impl Template) -> Option<Self> {
        let (mut least, mut most) = ([0; _], [0; _]);
        for count in 0..template.counts() {
            let fits = |rest: &u8| {
                sums.iter().all(|(adds, hidden)| {
                    rest.saturating_add(adds[count]).min(template.bound()) == hidden[count]
                })
            };
            let mut fitting = (0..=template.bound()).filter(fits);
            // The fitting values are consecutive, as a sum is monotonic in its terms.
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
