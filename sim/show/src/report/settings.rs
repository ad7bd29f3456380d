//! Settings: the variants, faults and assumptions of a scenario.

use deathwatch_model::{
    clause::Clauses,
    variants::VariantInfo,
    world::{Assumption, FaultKind, Per, RelationDef, Transactions, World},
};

/// The beginning of a usual assumption that is not made.
pub(super) const NOT_THAT: &str = "not that ";
/// The beginning of an unusual assumption.
pub(super) const ALSO_THAT: &str = "also that ";

/// The values of variants that fix the documents. For each some scenario shows that it is needed.
const FIXED: &[(&str, &str)] = &[
    ("relation-tracking", "remote-scope"),
    ("undeployed-unit-not-alive", "deployed-while-held"),
    ("settings-cleanup", "cleaner"),
    (PEERS, "with-application"),
];
/// The variant of these that is about peer relations; the others are about any relation.
const PEERS: &str = "peer-relations";

/// The wording of the documents that a world follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    AsWritten,
    /// Each has its default or a fix, and no fix is missing that "fixed" stands for.
    Fixed,
}

/// The wording that `world` follows; `None` if it mixes them.
pub(super) fn wording(world: &World) -> Option<Wording> {
    let mut changed = world.variants.changed().map(|(info, _)| info.name).peekable();
    if changed.peek().is_none() {
        return Some(Wording::AsWritten);
    }
    let changed: Vec<&str> = changed.collect();
    let is_missing = |name: &str| {
        !world.relations.is_empty() && concerns(name, world) && !changed.contains(&name)
    };
    let is_fixed = readings(world).is_empty() && !FIXED.iter().any(|(name, _)| is_missing(name));
    is_fixed.then_some(Wording::Fixed)
}

/// Whether a variant makes a difference in a world: those about peer relations need one, say.
fn concerns(name: &str, world: &World) -> bool {
    let is_peer = |relation: &RelationDef| relation.ends[0] == relation.ends[1];
    name != PEERS || world.relations.iter().any(is_peer)
}

/// The values of variants that are neither defaults nor fixes.
pub(super) fn readings(world: &World) -> Vec<String> {
    let readings = world.variants.changed().filter(|(info, value)| !info.fixes.contains(value));
    readings.map(shown).collect()
}

/// The difference of a world from the one that would be checked first: the documents as written,
/// without faults and under the usual assumptions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Settings {
    /// The variants: "as written" or "fixed", then the differences from that.
    pub(super) variants: String,
    pub(super) assumptions: Vec<String>,
    pub(super) faults: Vec<String>,
}

impl Settings {
    pub(super) fn of(world: &World) -> Self {
        Self { variants: base(world), faults: faults(world), assumptions: assumptions(world) }
    }

    pub(super) fn faults(&self) -> String {
        if self.faults.is_empty() { "nothing".to_owned() } else { self.faults.join(", ") }
    }

    pub(super) fn assumed(&self) -> String {
        if self.assumptions.is_empty() {
            "the usual".to_owned()
        } else {
            self.assumptions.join(", ")
        }
    }

    pub(super) fn sentence(&self) -> String {
        let (faults, assumed) = (self.faults(), self.assumed());
        format!("Variants: {}. May go wrong: {faults}. Assumed: {assumed}.", self.variants)
    }
}

/// The values that "fixed" stands for.
pub(super) fn fixed() -> String {
    let values = FIXED.iter().map(|(name, value)| format!("`{name} = {value}`"));
    values.collect::<Vec<_>>().join(", ")
}

/// The values of variants in which `world` differs from `from`.
pub(super) fn other_values(from: &World, world: &World) -> Vec<String> {
    let both = from.variants.values().zip(world.variants.values());
    let differ =
        both.filter(|((info, before), (_, after))| before != after && concerns(info.name, world));
    differ.map(|(_, after)| shown(after)).collect()
}

/// The peculiarities of `world` against `other`: values of variants, clauses that are switched off,
/// and unusual assumptions.
pub(super) fn peculiar(world: &World, other: &World) -> Vec<String> {
    let (cuts, others) = (all_cuts(world), all_cuts(other));
    let cuts = cuts.into_iter().filter(|it| !others.contains(it));
    let (assumed, others) = (assumptions(world), assumptions(other));
    let assumed = assumed.into_iter().filter(|it| !others.contains(it));
    other_values(other, world).into_iter().chain(cuts).chain(assumed).collect()
}

/// The settings of `fixed` in the place of the peculiarities of `world`.
pub(super) fn restored(world: &World, fixed: &World) -> Vec<String> {
    let back = [
        (&world.without, &fixed.without, "carried out"),
        (&world.unasserted, &fixed.unasserted, "asserted"),
        (&world.neglected, &fixed.neglected, "not neglected"),
    ];
    let back = back.into_iter().flat_map(|(cut, still, now)| {
        let back = cut.iter().filter(|it| !still.contains(*it));
        back.map(move |clause| format!("`{clause}` is {now}"))
    });
    let assumed = assumptions(fixed);
    let resumed = assumptions(world).into_iter().filter(|it| !assumed.contains(it));
    let resumed = resumed.filter_map(|it| it.strip_prefix(NOT_THAT).map(str::to_owned));
    other_values(world, fixed).into_iter().chain(back).chain(resumed).collect()
}

/// A variant with its value, as code.
pub(super) fn shown((info, value): (&VariantInfo, &str)) -> String {
    format!("`{} = {value}`", info.name)
}

/// The variants as differences from the base that is nearest to them.
fn base(world: &World) -> String {
    let (written, fixed) = (differences(world, &[]), differences(world, FIXED));
    let (name, differences) =
        if fixed.len() < written.len() { ("fixed", fixed) } else { ("as written", written) };
    let names = [name.to_owned()].into_iter().chain(differences);
    names.collect::<Vec<_>>().join(", ")
}

/// The differences from a base, which has the default value for variants that it does not name.
fn differences(world: &World, base: &[(&str, &str)]) -> Vec<String> {
    let mut differences = Vec::new();
    for (info, value) in world.variants.values() {
        let usual = base.iter().find(|(based, _)| *based == info.name);
        if value != usual.map_or(info.default(), |it| it.1) {
            differences.push(shown((info, value)));
        }
    }
    differences.extend(world.detail.on().map(|name| format!("with the detail `{name}`")));
    differences.extend(all_cuts(world));
    differences
}

/// The clause or variant that is switched off.
fn all_cuts(world: &World) -> Vec<String> {
    let mut all = Vec::new();
    cuts(&world.without, "without", "", &mut all);
    cuts(&world.unasserted, "without the asserts of", "", &mut all);
    cuts(&world.neglected, "", " neglected", &mut all);
    all
}

fn cuts(clauses: &Clauses, before: &str, after: &str, differences: &mut Vec<String>) {
    let named = clauses.iter().map(|clause| format!("{before} `{clause}`{after}"));
    differences.extend(named.map(|text| text.trim_start().to_owned()));
}

fn faults(world: &World) -> Vec<String> {
    let races = world.transactions == Transactions::Split;
    let races = races.then_some("races between plan and commit");
    let on = FaultKind::ALL.iter().filter(|kind| world.faults.switch(**kind).is_on());
    let named = on.filter_map(|kind| match kind {
        FaultKind::Crash if world.faults.downtime => Some("crashes with downtime"),
        // It is one of crashes.
        FaultKind::Downtime => None,
        kind => Some(kind.row().plural),
    });
    races.into_iter().chain(named).map(str::to_owned).collect()
}

fn assumptions(world: &World) -> Vec<String> {
    let assumed = &world.assumptions;
    let (usual, others): (Vec<Assumption>, Vec<Assumption>) =
        Assumption::ALL.iter().partition(|it| it.is_usual());
    let off = usual.into_iter().filter(|it| !it.is_made(assumed)).map(|it| it.row().says);
    let mut texts: Vec<String> = off.map(|text| format!("{NOT_THAT}{text}")).collect();
    if assumed.per == Per::Duty {
        texts.push(format!("{ALSO_THAT}each duty is done in its turn"));
    }
    let made = others.into_iter().filter(|it| it.is_made(assumed));
    texts.extend(made.map(|it| format!("{ALSO_THAT}{}", it.row().says)));
    texts
}
