//! Needs: keys and names of hooks that an application or a machine can have only with a detail.

use std::ops::Range;

use deathwatch_model::world::Details;
use toml::{Table, Value};

use super::{detail::how_to_switch_on, form::WorldFile};
use crate::problem::{Problem, Text};

/// Names that can be said only with a detail, or with one of several.
pub(super) struct Need {
    names: &'static [&'static str],
    /// The details, of which one is enough.
    details: &'static [&'static str],
    /// The sentence's beginning, which tells what these names are about.
    says: &'static str,
}

const NEEDS: [Need; 10] = [
    Need { names: &["series"], details: &["series"], says: "entities have series" },
    Need { names: &["never-starts"], details: &["provisioning"], says: "starts of instances fail" },
    Need {
        names: &["hooks", "may-fail"],
        details: &["hooks", "workflow"],
        says: "hooks have names",
    },
    Need { names: &["never-succeeds"], details: &["hooks"], says: "hooks fail each time" },
    Need { names: &["config-changed"], details: &["hooks"], says: "config-changed hooks run" },
    Need { names: &["upgrade-charm"], details: &["charm"], says: "charms are upgraded" },
    Need { names: &["open-port", "close-port"], details: &["charm"], says: "units have ports" },
    Need { names: &["config-get"], details: &["charm"], says: "hooks read the configuration" },
    Need { names: &["reads"], details: &["settings"], says: "what hooks read is told" },
    Need {
        names: &[
            "relation-joined",
            "relation-changed",
            "relation-departed",
            "relation-broken",
            "writes",
            "writes-new",
        ],
        details: &["relations", "workflow"],
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
        let Self { details, says, .. } = self;
        let message = format!("{says} only where the detail `{}` is on", details.join("` or `"));
        text.problem(span, message, "not expected here").with_help(how_to_switch_on(details[0]))
    }
}

/// The names that cannot be said in a world with these details.
pub(super) fn lacking(details: Details) -> impl Iterator<Item = &'static Need> {
    NEEDS.iter().filter(move |need| !need.details.iter().any(|it| details.has(it)))
}

/// An error, if a setting of a machine has no effect in a world with these details.
pub(super) fn check_machines(
    text: &Text,
    file: &WorldFile,
    details: Details,
) -> Result<(), Problem> {
    let given = file.machines.iter().find_map(|(_, machine)| machine.never_starts.as_ref());
    let need = lacking(details).find(|need| need.is_about("never-starts"));
    match (given, need) {
        (Some(given), Some(need)) => Err(need.refuse(text, &given.span)),
        (None, _) | (_, None) => Ok(()),
    }
}

/// Takes away from an application or a machine all that needs a detail which is off.
pub fn forget(entity: &mut Table, is_off: impl Fn(&str) -> bool) {
    let are_off = |need: &Need| need.details.iter().all(|detail| is_off(detail));
    let lacks = |name: &str| NEEDS.iter().any(|need| need.is_about(name) && are_off(need));
    entity.retain(|key, _| !lacks(key));
    for (_, value) in entity.iter_mut() {
        if let Value::Array(names) = value {
            names.retain(|name| name.as_str().is_none_or(|name| !lacks(name)));
        }
    }
}
