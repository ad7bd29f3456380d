//! The curves of the simulations: how much a workload takes in larger and larger worlds.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::plot;
use crate::report::simulation::{Scale, SimulationRows};

/// The curves of each workload that was measured in worlds of more than one size.
pub(super) fn curves(rows: &SimulationRows) -> Markup {
    let mut workloads: BTreeMap<String, Vec<Scale>> = BTreeMap::new();
    for scale in rows.scales.iter().filter_map(|row| Scale::read(row)) {
        workloads.entry(scale.workload.clone()).or_default().push(scale);
    }
    for scales in workloads.values_mut() {
        scales.sort_by_key(|it| it.documents);
    }
    html! {
        section.panel {
            h2 { "Scale" small { "steps of a run of seed 0, by the greatest number of documents at a time" } }
            div.curves {
                @for (workload, scales) in workloads.iter().filter(|(_, scales)| scales.len() > 1) {
                    figure {
                        figcaption { (workload) }
                        (curve(workload, scales))
                    }
                }
            }
        }
    }
}

fn curve(workload: &str, scales: &[Scale]) -> Markup {
    let says = scales.iter().map(|it| format!("{} documents: {} steps", it.documents, it.steps));
    let says = format!("{workload}: {}", says.collect::<Vec<_>>().join("; "));
    let points: Vec<(u64, u64)> = scales.iter().map(|it| (it.documents, it.steps)).collect();
    plot::curve(&points, &says)
}
