//! Rest: the views of states in which no actor has to move.

use super::{
    Amounts, Closure, LocalId, MoverKind, OrderedMap, SharedId, StateView, Template, Whose,
    closure::group_of,
    cone::{Cones, Rests},
    sum,
};

/// The views in which runs without faults may end. A view outside is of no such state.
pub struct RestViews {
    /// The views, in the order of the closure.
    pub views: Vec<StateView>,
}

/// The views in which no visible process and no shared actor has to move, and whose hidden amounts
/// can be added by processes that are at rest, too.
///
/// Views are removed until none changes: each hidden count above 0 needs a process, shown by a
/// remaining view of the same group, that adds to it and leaves a rest in the remaining cone.
pub fn rest<T: Template>(template: &T, closure: &Closure) -> RestViews {
    let mut views: Vec<StateView> = closure.views.iter().copied().collect();
    views.retain(|view| is_idle(view, template, closure));
    loop {
        let cones = Cones::of(template, &views);
        let mut groups: OrderedMap<_, Vec<(LocalId, Amounts)>> = OrderedMap::default();
        for view in &views {
            for of in 0..template.types() {
                groups.entry(group_of(view, of)).or_default().push((view.locals[of], view.hidden));
            }
        }
        let before = views.len();
        views.retain(|view| {
            let cone = cones.at(view.shared);
            let is_shown = |count: usize| {
                (0..template.types()).any(|of| {
                    groups[&group_of(view, of)].iter().any(|(hidden, there)| {
                        let adds = [template.adds(of, *hidden), template.adds(of, view.locals[of])];
                        let both = [(adds[0], view.hidden), (adds[1], *there)];
                        adds[0][count] > 0
                            && Rests::of(&both, template).is_some_and(|mut rests| {
                                rests.any(|rest| cone.number(&rest).is_some())
                            })
                    })
                })
            };
            (0..template.counts()).all(|count| view.hidden[count] == 0 || is_shown(count))
        });
        if views.len() == before {
            return RestViews { views };
        }
    }
}

/// Whether no visible process and no shared actor has to move.
fn is_idle<T: Template>(view: &StateView, template: &T, closure: &Closure) -> bool {
    let added = |except: Option<usize>| {
        let all = (0..template.types()).filter(|of| Some(*of) != except);
        let visible =
            all.fold([0; _], |sums, of| sum(sums, template.adds(of, view.locals[of]), u8::MAX));
        sum(visible, view.hidden, template.bound())
    };
    let is_idle = |whose: Whose, shared: SharedId, others: Amounts| {
        let moves = &closure.moves[&(whose, shared, others)];
        moves.iter().all(|it| it.mover != MoverKind::Owed)
    };
    is_idle(Whose::Shared, view.shared, added(None))
        && (0..template.types())
            .all(|of| is_idle(Whose::Process(of, view.locals[of]), view.shared, added(Some(of))))
}
