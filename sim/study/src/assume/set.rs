//! Premises as sets: levels of assumptions and faults, beside the choice of variants.

use std::collections::BTreeMap;

use deathwatch_claims::check::{Frequency, RunPremise};
use deathwatch_model::world::{Assumption, Assumptions, FaultKind};

use super::{fairness::AgentFairness, lattice::AxisLevels};

/// An axis of the lattice of premises. On each, a higher level assumes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// The fairness of agents: a level for each of [`AgentFairness::ALL`].
    Agents,
    /// Another actor need not act, or does.
    Others(Assumption),
    /// Faults of a kind strike again and again, finitely often, or never.
    Faults(FaultKind),
    /// Faults of a kind never strike, or may strike, as a witness can need.
    Strikes(FaultKind),
}

/// The levels of the axes; on those that are not named nothing is assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Premises(BTreeMap<Axis, u8>);

impl Axis {
    /// The axes of a world in which these assumptions oblige an actor, and these faults strike.
    pub(super) fn of(
        assumptions: impl Iterator<Item = Assumption>,
        faults: impl Iterator<Item = FaultKind>,
    ) -> Vec<Self> {
        let mut axes: Vec<Self> = assumptions
            .map(|assumption| match assumption {
                Assumption::AgentsAct | Assumption::Strong => Self::Agents,
                other => Self::Others(other),
            })
            .chain(faults.map(Self::Faults))
            .collect();
        axes.sort();
        axes.dedup();
        axes
    }

    /// The text of a level above 0.
    pub fn text(self, level: u8) -> String {
        match self {
            Self::Agents => fairness(level).text().to_owned(),
            Self::Others(assumption) => assumption.row().says.to_owned(),
            Self::Faults(kind) if level == 1 => format!("finitely many {}", kind.row().plural),
            Self::Faults(kind) => format!("no {}", kind.row().plural),
            Self::Strikes(kind) => format!("{} may happen", kind.row().plural),
        }
    }
}

/// The fairness of agents at a level.
fn fairness(level: u8) -> AgentFairness {
    AgentFairness::ALL[usize::from(level)]
}

impl AxisLevels for Axis {
    fn top(&self) -> u8 {
        match self {
            Self::Agents => 4,
            Self::Faults(_) => 2,
            Self::Others(_) | Self::Strikes(_) => 1,
        }
    }

    fn is_within(&self, level: u8, other: u8) -> bool {
        match self {
            Self::Agents => fairness(level).is_within(fairness(other)),
            Self::Others(_) | Self::Faults(_) | Self::Strikes(_) => level <= other,
        }
    }

    fn carries(&self, level: u8, other: u8) -> bool {
        match self {
            Self::Agents => fairness(level).carries(fairness(other)),
            Self::Others(_) | Self::Faults(_) | Self::Strikes(_) => level <= other,
        }
    }

    fn height(&self, level: u8) -> u32 {
        match self {
            Self::Agents => fairness(level).height(),
            Self::Others(_) | Self::Faults(_) | Self::Strikes(_) => u32::from(level),
        }
    }
}

impl Premises {
    /// The premises at a point of the lattice of these axes.
    pub(super) fn at(axes: &[Axis], point: &[u8]) -> Self {
        let levels = axes.iter().copied().zip(point.iter().copied());
        Self(levels.filter(|(_, level)| *level > 0).collect())
    }

    /// Whether `other` assumes all that these premises do.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|(axis, level)| axis.is_within(*level, other.level(*axis)))
    }

    pub fn level(&self, axis: Axis) -> u8 {
        self.0.get(&axis).copied().unwrap_or_default()
    }

    /// The levels above 0, in the order of axes.
    pub fn levels(&self) -> impl Iterator<Item = (Axis, u8)> + '_ {
        self.0.iter().map(|(axis, level)| (*axis, *level))
    }

    /// The texts of the levels, one after the other.
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().map(|(axis, level)| axis.text(*level)).collect()
    }

    /// The keys in `[assume]` of the assumptions about actors; `per` stands for `per = "duty"`.
    pub fn assumed(&self) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for (axis, level) in &self.0 {
            match axis {
                Axis::Agents => keys.extend(fairness(*level).keys()),
                Axis::Others(assumption) => keys.push(assumption.row().key),
                Axis::Faults(_) | Axis::Strikes(_) => {}
            }
        }
        keys
    }

    /// The key in `[faults]` of each kind of which something is assumed, and that.
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let said = |(axis, level): (&Axis, &u8)| match axis {
            Axis::Faults(kind) if *level == 1 => Some((kind.key(), "finitely often")),
            Axis::Faults(kind) => Some((kind.key(), "never")),
            Axis::Strikes(kind) => Some((kind.key(), "may happen")),
            Axis::Agents | Axis::Others(_) => None,
        };
        self.0.iter().filter_map(said).collect()
    }

    /// The premise that a survey is asked under: all else is not assumed.
    pub(super) fn premise(&self, usual: &Assumptions) -> RunPremise {
        let mut assumptions = fairness(self.level(Axis::Agents)).beside(usual);
        let assumed = self.assumed();
        for assumption in Assumption::ALL {
            assumption.set(&mut assumptions, assumed.contains(&assumption.row().key));
        }
        let mut faults = [Frequency::Endless; FaultKind::ALL.len()];
        for (kind, frequency) in FaultKind::ALL.iter().zip(&mut faults) {
            *frequency = match self.level(Axis::Faults(*kind)) {
                0 => Frequency::Endless,
                1 => Frequency::Finite,
                _ => Frequency::Never,
            };
        }
        RunPremise { assumptions, faults }
    }
}
