//! The output of `juju show-unit`, of 2.8.1 on: lives, relations, and who is in their scopes.

use deathwatch_scenario::Problem;

use super::{Juju, Outside, life, status::application_in};
use crate::tree::TreeNode;

/// A relation as it is shown for one unit. Settings are not read at all.
pub(super) struct UnitRelation<'a> {
    /// The part of the file that shows it, for problems that point there.
    node: TreeNode<'a>,
    pub(super) unit: String,
    pub(super) id: Option<String>,
    pub(super) endpoint: String,
    pub(super) related: String,
    /// Whether the unit itself is in scope, if that is shown.
    pub(super) itself: Option<bool>,
    /// Whether others are, if that is shown of them.
    pub(super) others: Vec<(String, bool)>,
}

impl UnitRelation<'_> {
    /// The problem that another file, or another part of this one, shows something else of it.
    pub(super) fn contradicts(&self, what: &str) -> Problem {
        self.node.expected(what).with_help(TWO_TIMES)
    }
}

/// The advice where files contradict each other.
const TWO_TIMES: &str = "the files are of two models, or of two times";

/// Reads the units, and gives what is shown of their relations.
pub(super) fn read<'a>(
    node: &TreeNode<'a>,
    juju: &mut Juju,
) -> Result<Vec<UnitRelation<'a>>, Problem> {
    let mut entries = Vec::new();
    for (name, node) in node.entries()? {
        let Some(unit) = juju.units.get_mut(name) else {
            let problem = node.expected("a unit that `juju status` shows");
            return Err(problem.with_help(TWO_TIMES));
        };
        let machine = node.text(&["machine"])?.filter(|it| !it.is_empty());
        if let (Some(shown), Some(known)) = (machine, &unit.machine)
            && shown != *known
        {
            let node = node.get("machine").unwrap_or(node);
            let problem = node.expected("the machine that `juju status` shows");
            return Err(problem.with_help(TWO_TIMES));
        }
        unit.life = life(&node, &["life"])?.or(unit.life);
        for info in node.list("relation-info")? {
            if info.flag(&["cross-model"])? == Some(true) {
                let what = format!("a relation of {name} with another model");
                juju.outside.push(Outside { what, holds: name.to_owned() });
                continue;
            }
            let text = |key: &str| Ok::<_, Problem>(info.text(&[key])?.unwrap_or_default());
            let mut others = Vec::new();
            for (other, node) in info.table("related-units")? {
                let Some(in_scope) = node.flag(&["in-scope"])? else { continue };
                if application_in(other).is_none() {
                    return Err(node.expected("the name of a unit"));
                }
                others.push((other.to_owned(), in_scope));
            }
            entries.push(UnitRelation {
                unit: name.to_owned(),
                id: info.text(&["relation-id"])?,
                endpoint: text("endpoint")?,
                related: text("related-endpoint")?,
                itself: info.flag(&["local-unit", "in-scope"])?,
                others,
                node: info,
            });
        }
    }
    Ok(entries)
}
