//! What a scenario can say of applications and machines only with a detail: keys, and names of hooks.

use std::ops::Range;

use deathwatch_model::world::Details;
use toml::{Table, Value};

use super::detail::how_to_switch_on;
use crate::problem::{Problem, Text};

/// Names that can be said only with a detail.
pub(super) struct Need {
    /// The names.
    names: &'static [&'static str],
    /// The detail.
    detail: &'static str,
    /// What these names say of a world, as the beginning of a sentence.
    says: &'static str,
}

const NEEDS: [Need; 8] = [
    Need { names: &["series"], detail: "series", says: "entities have series" },
    Need { names: &["never-starts"], detail: "provisioning", says: "starts of instances fail" },
    Need { names: &["hooks", "may-fail"], detail: "hooks", says: "hooks have names" },
    Need { names: &["upgrade-charm"], detail: "charm", says: "charms are upgraded" },
    Need { names: &["open-port", "close-port"], detail: "charm", says: "units have ports" },
    Need { names: &["config-get"], detail: "charm", says: "hooks read the configuration" },
    Need { names: &["reads"], detail: "settings", says: "what hooks read is told" },
    Need {
        names: &[
            "relation-joined",
            "relation-changed",
            "relation-departed",
            "relation-broken",
            "writes",
        ],
        detail: "relations",
        says: "hooks of relations have names",
    },
];

impl Need {
    /// Whether `name` is among its names.
    pub(super) fn is_about(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// The problem that one of its names is at `span`, in a world without the detail.
    pub(super) fn refuse(&self, text: &Text, span: &Range<usize>) -> Problem {
        let Self { detail, says, .. } = self;
        let message = format!("{says} only where the detail `{detail}` is on");
        text.problem(span, message, "not expected here").with_help(how_to_switch_on(detail))
    }
}

/// The names that cannot be said in a world with these details.
pub(super) fn lacking(details: Details) -> impl Iterator<Item = &'static Need> {
    NEEDS.iter().filter(move |need| !details.has(need.detail))
}

/// Takes away from an application or a machine what it can say only with a detail that is off.
pub(crate) fn forget(entity: &mut Table, is_off: impl Fn(&str) -> bool) {
    let lacks = |name: &str| NEEDS.iter().any(|need| need.is_about(name) && is_off(need.detail));
    entity.retain(|key, _| !lacks(key));
    for (_, value) in entity.iter_mut() {
        if let Value::Array(names) = value {
            names.retain(|name| name.as_str().is_none_or(|name| !lacks(name)));
        }
    }
}
