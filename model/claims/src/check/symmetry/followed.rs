//! The graph of representatives, with one subject followed through it.
//!
//! Representatives alone do not show whether a run is fair: they do not tell which of two agents
//! moves, so one that starves may look like two that take turns. So each edge has the renaming that
//! leads from one representative to the next, and the decision follows it (Emerson and Sistla 1995;
//! `deathwatch_checker::graph::Turns`).
//!
//! The subject of a claim is followed, too. The renamings that leave it as it is are a subgroup,
//! its stabilizer. A state of this graph is a representative with a coset of that subgroup: it
//! stands for the images under the coset, in all of which the claim has the same value.

use std::ops::Range;

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::{PartOfGraph, StateGraph},
    fair::Masks,
    graph::{Graph, Label, MOST_STATES, SharedGraph, Turns},
    in_order,
};
use deathwatch_model::{ids::Rename as _, rows::Row};

use super::{RenamingGroup, Stabilizers, Unfolded};
use crate::check::transition_system::RenamedLabels;

/// The representatives of a graph, each with a coset. The graph is a whole one, or the part that
/// one of several processes keeps.
pub(in crate::check) struct CosetGraph<'a, G> {
    graph: &'a G,
    representatives: u32,
    turns: LabelTurns<'a>,
    classes: usize,
    /// A renaming of each coset; the first coset is the subgroup.
    cosets: Vec<usize>,
    /// For each renaming the index of its coset.
    coset_of: Vec<u16>,
    /// The number of renamings in the subgroup.
    order: usize,
}

/// The renamings, with their effects on labels.
struct LabelTurns<'a> {
    group: &'a RenamingGroup,
    labels: &'a RenamedLabels,
}

impl Turns for LabelTurns<'_> {
    fn count(&self) -> usize {
        self.group.len()
    }

    fn product(&self, then: usize, first: usize) -> usize {
        self.group.product(then, first)
    }

    fn inverse(&self, turn: usize) -> usize {
        self.group.inverse(turn)
    }

    fn renamed(&self, turn: usize, label: Label) -> Label {
        self.labels.renamed(turn, label)
    }
}

impl<'a, G> CosetGraph<'a, G> {
    /// The graph with this number of representatives, for the subgroup of the renamings with these
    /// numbers.
    ///
    /// # Errors
    /// If there are too many states to be numbered.
    pub(in crate::check) fn new(
        (graph, representatives): (&'a G, u32),
        group: &'a RenamingGroup,
        labels: &'a RenamedLabels,
        classes: usize,
        subgroup: &[usize],
    ) -> Result<Self, Stop> {
        let mut coset_of = vec![u16::MAX; group.len()];
        let mut cosets = Vec::new();
        for renaming in 0..group.len() {
            if coset_of[renaming] == u16::MAX {
                let number = u16::try_from(cosets.len()).expect("they are few");
                for kept in subgroup {
                    coset_of[group.product(*kept, renaming)] = number;
                }
                cosets.push(renaming);
            }
        }
        assert_eq!(cosets.len() * subgroup.len(), group.len(), "these renamings are a subgroup");
        let states = u64::from(representatives) * cosets.len() as u64;
        if states > u64::from(MOST_STATES) {
            return Err(Stop::States);
        }
        let turns = LabelTurns { group, labels };
        let order = subgroup.len();
        Ok(Self { graph, representatives, turns, classes, cosets, coset_of, order })
    }

    /// The representative of a state, and the number of its coset.
    fn parts(&self, state: u32) -> (u32, usize) {
        let cosets = self.count();
        (state / cosets, (state % cosets) as usize)
    }

    fn count(&self) -> u32 {
        u32::try_from(self.cosets.len()).expect("they are few")
    }

    /// The edges out of a state, given those of its representative: targets, labels and turns.
    #[inline]
    fn follow(
        &self,
        coset: usize,
        edges: impl Iterator<Item = (u32, Label)>,
    ) -> impl Iterator<Item = (u32, Label, usize)> {
        let (group, count) = (self.turns.group, self.count());
        edges.map(move |(next, label)| {
            let (label, turn) = group.parts_of(label, self.classes);
            let coset = self.coset_of[group.product(self.cosets[coset], turn)];
            (next * count + u32::from(coset), label, turn)
        })
    }

    /// The masks of the states at the representatives that this process keeps, a bit for each of
    /// `wanted`; and for each claim the number of states of the world, for which these stand, with
    /// its `from`.
    ///
    /// # Errors
    /// If memory does not suffice, or `stop` returns a reason.
    pub(in crate::check) fn masks(
        &self,
        subject_masks: &[SubjectMasks],
        wanted: &[(usize, Row)],
        stabilizers: &Stabilizers,
        threads: usize,
        memory: &mut MemoryBudget,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
    ) -> Result<(Masks, Vec<u64>), Stop>
    where
        G: Sync,
    {
        let places = places(self.turns.group, &self.cosets, subject_masks, wanted);
        let states = stabilizers.len() * self.count();
        let judge = |(): &mut (), state| {
            let (representative, coset) = self.parts(state);
            gathered(subject_masks, &places[coset], representative)
        };
        let masks = Masks::by(states, threads, memory, stop, || (), judge)?;
        let counted = |(): &mut (), representatives: Range<u32>| {
            let mut from = vec![0; wanted.len()];
            for representative in representatives {
                let states = (0..self.count()).map(|coset| representative * self.count() + coset);
                let states: Vec<u64> = states.map(|state| masks.get(state)[0]).collect();
                if states.iter().all(|mask| *mask == 0) {
                    continue;
                }
                for (bit, from) in from.iter_mut().enumerate() {
                    let cosets = states.iter().filter(|mask| **mask >> bit & 1 == 1).count();
                    // Every renaming of these cosets makes a state with the `from`; as many of them
                    // as the stabilizer has make the same one.
                    *from += (cosets * self.order / stabilizers.order(representative)) as u64;
                }
            }
            from
        };
        let mut from = vec![0; wanted.len()];
        in_order(
            stabilizers.len(),
            threads,
            stop,
            || (),
            counted,
            |_, more: Vec<u64>| {
                from.iter_mut().zip(more).for_each(|(from, more)| *from += more);
                Ok(())
            },
        )?;
        Ok((masks, from))
    }
}

impl Graph for CosetGraph<'_, StateGraph> {
    fn len(&self) -> u32 {
        self.representatives * self.count()
    }

    #[inline]
    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.turned_edges(state).map(|(next, label, _)| (next, label))
    }

    fn starts(&self) -> &[u32] {
        // No renaming changes the start, so one coset stands for all; its number is 0.
        self.graph.starts()
    }

    fn turns(&self) -> Option<&dyn Turns> {
        Some(&self.turns)
    }

    #[inline]
    fn turned_edges(&self, state: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        let (representative, coset) = self.parts(state);
        self.follow(coset, self.graph.out_edges(representative))
    }
}

impl SharedGraph for CosetGraph<'_, PartOfGraph<'_>> {
    fn states(&self) -> u32 {
        self.representatives * self.count()
    }

    fn kept_by(
        &self,
        process: usize,
        numbers: Range<u32>,
    ) -> impl DoubleEndedIterator<Item = (u32, u32)> + '_ {
        let count = self.count();
        let representatives = numbers.start / count..numbers.end.div_ceil(count);
        let kept = self.graph.kept_by(process, representatives);
        let states = kept.flat_map(move |(place, representative)| {
            (0..count).map(move |coset| (place * count + coset, representative * count + coset))
        });
        states.filter(move |(_, number)| numbers.contains(number))
    }

    fn turned_edges(&self, place: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        let (place, coset) = self.parts(place);
        self.follow(coset, self.graph.edges(place))
    }

    fn turns(&self) -> Option<&dyn Turns> {
        Some(&self.turns)
    }
}

/// The masks of representatives: a bit for each claim, by its index, and each of its subjects.
pub(in crate::check) type SubjectMasks = (Masks, Vec<(usize, Row)>);

/// The masks of each state of an unfolded graph, a bit for each of `wanted`.
///
/// # Errors
/// If memory does not suffice, or `stop` returns a reason.
pub(in crate::check) fn unfolded_masks(
    graph: &Unfolded<'_>,
    group: &RenamingGroup,
    subject_masks: &[SubjectMasks],
    wanted: &[(usize, Row)],
    threads: usize,
    memory: &mut MemoryBudget,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Masks, Stop> {
    let renamings: Vec<usize> = (0..group.len()).collect();
    let places = places(group, &renamings, subject_masks, wanted);
    Masks::by(
        graph.len(),
        threads,
        memory,
        stop,
        || (),
        |(), state| {
            if !graph.is_state(state) {
                return [0; 2];
            }
            let (representative, renaming) = graph.parts(state);
            gathered(subject_masks, &places[renaming], representative)
        },
    )
}

/// The place of a bit: the index of the masks, and the bit there.
type BitPlace = (usize, usize);

/// For each of these renamings and each wanted bit of an image, the place of that bit at the
/// representative: that of the subject renamed back.
fn places(
    group: &RenamingGroup,
    renamings: &[usize],
    subject_masks: &[SubjectMasks],
    wanted: &[(usize, Row)],
) -> Vec<Vec<BitPlace>> {
    let place = |about: (usize, Row)| {
        let places = subject_masks.iter().enumerate().find_map(|(chunk, (_, subjects))| {
            Some((chunk, subjects.iter().position(|it| *it == about)?))
        });
        places.expect("the subjects of a claim are all rows of a kind")
    };
    let of_renaming = |renaming: &usize| {
        let back = group.element(group.inverse(*renaming));
        wanted.iter().map(|(claim, subject)| place((*claim, subject.renamed(back)))).collect()
    };
    renamings.iter().map(of_renaming).collect()
}

fn gathered(subject_masks: &[SubjectMasks], places: &[BitPlace], representative: u32) -> [u64; 2] {
    let mut all = [0; 2];
    for (bit, (chunk, place)) in places.iter().enumerate() {
        let masks = subject_masks[*chunk].0.get(representative);
        for (all, mask) in all.iter_mut().zip(masks) {
            *all |= (mask >> place & 1) << bit;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use deathwatch_checker::explore::{
        ExploreOptions, PackedStates as _, SearchLimits, explore, explore_distributed,
    };
    use deathwatch_model::pack::Codec;

    use super::{super::candidates, *};
    use crate::{
        check::{
            CheckQuestion, SearchSettings,
            exchange::{in_processes, intact},
            tests::machines_and_manager,
            transition_system::{FaultSteps, TransitionSystem},
        },
        claims::Claim,
    };

    #[test]
    fn processes_share_what_one_has() {
        let (world, start) = machines_and_manager(3);
        let (claims, witnesses) = (vec![Claim::without_history().next().unwrap()], Vec::new());
        let (world, start) = (&world, &start);
        let question = CheckQuestion { world, start, claims, witnesses, refines: None };
        let settings = SearchSettings::without_limits(1);
        let candidates = candidates(world, start, &Codec::new(world, start).unwrap());
        let protocol = || {
            let settings = &settings;
            let made =
                TransitionSystem::symmetric(&question, FaultSteps::Alike, settings, &candidates);
            made.expect("they fit").expect("one is as good as the other")
        };
        let alone = protocol();
        let group = alone.symmetry.as_ref().expect("there is symmetry");
        assert_eq!(group.len(), 6, "three are exchanged");
        let classes = alone.classes.fairness().len();
        let options = ExploreOptions { store_edges: true, ..ExploreOptions::default() };
        let found = explore(&alone, &options, &SearchLimits::NONE, &|_| ());
        let labels = &found.findings.renamed.as_ref().unwrap().findings.labels;
        let representatives = found.graph.states();
        // The stabilizer of one machine, and the trivial subgroup.
        for subgroup in [group.keeping(Row::Machine(world.machine_ids().nth(1).unwrap())), vec![0]]
        {
            let whole = (&found.graph, representatives);
            let whole = CosetGraph::new(whole, group, labels, classes, &subgroup).unwrap();
            let mut kept = in_processes(2, &intact, |exchange| {
                let protocol = protocol();
                let limits = &SearchLimits::NONE;
                let found =
                    explore_distributed(&protocol, exchange, &options, limits, None, &|_| ());
                assert_eq!(found.states, u64::from(representatives));
                let labels = &found.findings.renamed.as_ref().unwrap().findings.labels;
                let graph = found.part.of_graph(found.states).unwrap();
                let graph = (&graph, representatives);
                let shared = CosetGraph::new(graph, group, labels, classes, &subgroup).unwrap();
                let (me, all) = (exchange.process(), SharedGraph::states(&shared));
                // Spans that begin and end between the states of a representative.
                let spans = (0..all).step_by(101).map(|first| first..all.min(first + 101));
                let kept: Vec<(u32, u32)> = spans.flat_map(|it| shared.kept_by(me, it)).collect();
                assert_eq!(kept.len(), found.part.states() as usize * whole.cosets.len());
                assert!((0..).zip(&kept).all(|(at, (place, _))| at == *place));
                for (place, state) in &kept {
                    let edges = SharedGraph::turned_edges(&shared, *place);
                    assert!(edges.eq(Graph::turned_edges(&whole, *state)), "of state {state}");
                }
                kept.into_iter().map(|(_, state)| state).collect::<Vec<u32>>()
            })
            .concat();
            kept.sort_unstable();
            assert!(kept.into_iter().eq(0..whole.len()), "each state is kept by one process");
        }
    }
}
