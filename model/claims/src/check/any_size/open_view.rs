//! Views as states of an instance, for people.

use deathwatch_checker::views::{StateView, Template as _};
use deathwatch_model::state::State;

use super::{
    HiddenCount, NoTemplate, ViewAsState,
    counts::CountKind,
    family::{Family, rows},
    places::with_commands,
    protocol::Protocol,
};

impl Protocol {
    /// A view as a state of the instance with one process of each type.
    ///
    /// # Errors
    /// If a command is about units of two processes.
    pub(super) fn open_view(
        &self,
        family: &Family,
        view: &StateView,
    ) -> Result<ViewAsState, NoTemplate> {
        let (here, there) = (&self.stage.instance, family.instance(&vec![1; self.types()])?);
        let visible: Vec<_> = (0..self.types()).map(|of| (of, view.locals[of], 0)).collect();
        // A transaction that is pending about a hidden process is about none of the visible ones.
        let mut counted = view.hidden;
        self.pointers().for_each(|count| counted[count] = 0);
        let whole = self.state_with(view.shared, &visible, counted, 0);
        let by = here.places.renaming_to(&there.places, |_, slot| slot);
        let by = with_commands(by, self.world(), &there.world);
        let mut state = State::empty(&there.world);
        for row in rows(self.world()) {
            if here.owner(row).is_none_or(|(_, slot)| slot == 0) {
                state.take_renamed(&whole, row, &by);
            }
        }
        let hidden = self.counted.iter().zip(view.hidden).filter(|(_, number)| *number > 0);
        let hidden = hidden.map(|(count, number)| {
            let (row, counts) = count.counts();
            let or_more = number == self.bound && counts != CountKind::Pending;
            HiddenCount { row, counts, number, or_more }
        });
        Ok(ViewAsState { hidden: hidden.collect(), instance: there, state })
    }
}
