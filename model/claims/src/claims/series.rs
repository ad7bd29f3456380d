//! The claims about series: the detail `series` (D3:13-25). That a series never changes is no
//! claim, as no state has one.

use deathwatch_model::{ids::Placement, rows::Row, world::Scope};

use super::{Claim, ClaimView, forms::always};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a principal is on a machine of its series",
        source: "D3:16-20",
        test: always!(is_on_another, Unit []),
    },
    Claim {
        name: "a subordinate has the series of its principal",
        source: "D3:16-20; D3:22-25",
        test: always!(is_beside_another, Unit []),
    },
    Claim {
        name: "a container relation joins applications of one series",
        source: "D3:22-25",
        test: always!(joins_two, Relation []),
    },
];

fn is_on_another(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    let Some(unit) = view.state.store.unit(id) else { return false };
    match unit.placement {
        Placement::Machine(there) => {
            view.world.series_of_unit(id) != view.world.series_of_machine(there)
        }
        Placement::Nowhere | Placement::Principal(_) => false,
    }
}

fn is_beside_another(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    let Some(unit) = view.state.store.unit(id) else { return false };
    match unit.placement {
        Placement::Principal(principal) => {
            view.world.series_of_unit(id) != view.world.series_of_unit(principal)
        }
        Placement::Nowhere | Placement::Machine(_) => false,
    }
}

fn joins_two(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::Relation(id) = subject else { return false };
    let constants = view.world.relation(id);
    let [one, other] = constants.ends.map(|end| view.world.series_of(end));
    view.state.store.relation(id).is_some() && constants.scope == Scope::Container && one != other
}
