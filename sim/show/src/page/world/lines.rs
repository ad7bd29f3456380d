//! The lines of a world: between applications and their relations, and between relations and the
//! units in their scopes. The tiers have columns of one width, so the ends are known in percent.

use deathwatch_documents::run::Tier;
use maud::{Markup, html};

use super::{ShownState, scopes};

/// The greatest number of columns of a tier that lines are drawn to, which the style sheet has,
/// too.
pub(super) const MOST: usize = 6;
/// The height of the lines between two tiers, which the style sheet has, too.
const HEIGHT: u32 = 36;

/// A tier, and where its entities are.
pub(super) struct Columns<'a>(pub(super) &'a [&'a str]);

impl Columns<'_> {
    /// The middle of an entity's column, in thousandths of the width.
    fn middle(&self, name: &str) -> Option<usize> {
        let at = self.0.iter().position(|known| *known == name)?;
        Some((2 * at + 1) * 500 / self.0.len())
    }
}

/// The lines from applications to the relations that they are in.
pub(super) fn of_applications(
    view: &ShownState<'_>,
    applications: &Columns<'_>,
    relations: &Columns<'_>,
) -> Markup {
    let lines = relations.0.iter().flat_map(|relation| {
        let to = relations.middle(relation);
        let of = view.run.world.relations.get(*relation);
        let life = view.life(Tier::Relation, relation);
        of.into_iter().flat_map(|it| &it.applications).filter_map(move |application| {
            let waits =
                view.others.waits((Tier::Application, application), (Tier::Relation, relation));
            let class = match life {
                _ if waits => "waits",
                "gone" => "none",
                life => life,
            };
            Some((applications.middle(application)?, to?, class))
        })
    });
    html! {
        svg.lines width="100%" height=(HEIGHT) aria-hidden="true" {
            @for (from, to, class) in lines { (line(from, to, class)) }
        }
    }
}

/// The lines from relations to the units in their scopes: broken where the unit's agent knows
/// nothing of the scope.
pub(super) fn of_scopes(
    view: &ShownState<'_>,
    relations: &Columns<'_>,
    machines: &Columns<'_>,
    units: &[&str],
) -> Markup {
    let mut lines = Vec::new();
    for relation in relations.0 {
        let Some(from) = relations.middle(relation) else { continue };
        for pair in scopes::pairs(view, relation).iter().filter(|pair| pair.is_in) {
            let Some(to) = place(view, machines, units, pair.unit) else { continue };
            let waits = view.others.waits((Tier::Relation, relation), (Tier::Unit, pair.unit));
            let class = match (waits, pair.is_unknown(view)) {
                (true, _) => "waits",
                (false, true) => "unknown",
                (false, false) => "in-scope",
            };
            lines.push((from, to, class, pair.is_changed));
        }
    }
    html! {
        svg.lines width="100%" height=(HEIGHT) aria-hidden="true" {
            @for (from, to, class, is_changed) in &lines {
                @if *is_changed { (line(*from, *to, "changed")) }
                (line(*from, *to, class))
                @if *class == "unknown" {
                    use href="#step-fault" x=(percent(usize::midpoint(*from, *to))) y="50%" {}
                }
            }
        }
    }
}

/// The place of a unit in the column of its machine, in thousandths of the width.
fn place(
    view: &ShownState<'_>,
    machines: &Columns<'_>,
    units: &[&str],
    unit: &str,
) -> Option<usize> {
    let host = |unit: &str| {
        machines.0.iter().enumerate().find_map(|(column, machine)| {
            let here = view.units_at(Tier::Machine, machine, units);
            let at = here.iter().position(|known| *known == unit)?;
            let parts = here.len() + 1;
            Some((column * parts + at + 1) * 1000 / (machines.0.len() * parts))
        })
    };
    host(unit).or_else(|| view.principal(unit).and_then(host))
}

fn line(from: usize, to: usize, class: &str) -> Markup {
    html! { line class=(class) x1=(percent(from)) y1="0" x2=(percent(to)) y2="100%" {} }
}

fn percent(thousandths: usize) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}
