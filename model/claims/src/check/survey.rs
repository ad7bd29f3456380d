//! A survey: one graph of a world, decided many times under different premises.
//!
//! A premise has assumptions on actors, and a frequency for each kind of fault. It changes which
//! runs count but not the effect of a step, so all premises share one graph. Assumptions become the
//! fairness of classes. Frequencies become labels of steps: a fault that never strikes has no step,
//! one that strikes finitely often is on no cycle, and one that strikes again and again is a free
//! move.
//!
//! A premise that assumes more leaves fewer runs. An actor that owes more has fewer fair runs,
//! since a strongly fair run is weakly fair, and a run may stop only where no actor owes a step.
//! Runs without a fault are among those with finitely many, and those among all. Therefore a claim
//! that is not violated under a premise is violated under none that assumes more, and its
//! obligation arises in no further state.

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::StateGraph,
    fair::{self, LeadsOptions, Masks},
    graph::{Fairness, Graph, Label},
};
use deathwatch_model::{
    rows::Row,
    world::{Assumption, Assumptions, FaultKind, World},
};

use super::{
    CheckAnswer, CheckQuestion, SearchSettings, TooLarge,
    conditions::ClaimSubject,
    decide::{explore_all, grouped, leads_options, masks, memory_beside},
    fairness::FairnessClasses,
    seen::Spot,
    transition_system::{FaultSteps, TransitionSystem},
};

/// The frequency of faults of one kind. A later one assumes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frequency {
    /// Any number of times, also again and again for ever.
    Endless,
    /// Any number of times, but finitely often.
    Finite,
    /// Not at all.
    Never,
}

/// The assumptions on actors, and the frequencies of faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    pub assumptions: Assumptions,
    /// The frequencies of the faults of each kind, in the order of all kinds.
    pub faults: [Frequency; FaultKind::ALL.len()],
}

/// The graph of a world, with the masks of its claims.
pub struct Survey<'a> {
    question: &'a CheckQuestion<'a>,
    graph: StateGraph,
    groups: Vec<(Vec<ClaimSubject>, Masks)>,
    /// The bytes that the decision of a premise may take, and its options.
    max_bytes: Option<u64>,
    options: LeadsOptions,
    /// The label of the first kind of faults.
    first_fault: u16,
    /// Whether some step has this label, for each class and then for each kind of faults.
    is_used: Vec<bool>,
    /// The first violation of each claim about states or transitions.
    violations: Vec<Option<(Spot, Row)>>,
}

/// The result of an attempt to survey a world.
pub enum Surveyed<'a> {
    Whole(Box<Survey<'a>>),
    /// The reason why it was given up.
    Stopped(Stop),
}

impl<'a> Survey<'a> {
    /// Explores the world of `question`, whatever its assumptions.
    ///
    /// # Errors
    /// If the world is too large to be explored exhaustively.
    pub fn of(
        question: &'a CheckQuestion<'a>,
        settings: &SearchSettings<'_>,
    ) -> Result<Surveyed<'a>, TooLarge> {
        Self::of_steps(question, FaultSteps::ByKind, settings)
    }

    /// As [`Self::of`], for the runs without any fault: for a world that is in trouble already. It
    /// stays the same: hooks that could fail still run.
    ///
    /// # Errors
    /// If the world is too large to be explored exhaustively.
    pub fn without_faults(
        question: &'a CheckQuestion<'a>,
        settings: &SearchSettings<'_>,
    ) -> Result<Surveyed<'a>, TooLarge> {
        Self::of_steps(question, FaultSteps::Without(FaultKind::ALL), settings)
    }

    fn of_steps(
        question: &'a CheckQuestion<'a>,
        faults: FaultSteps<'_>,
        settings: &SearchSettings<'_>,
    ) -> Result<Surveyed<'a>, TooLarge> {
        let protocol = TransitionSystem::new(question, faults, settings)?;
        let mut explored = explore_all(&protocol, settings, true);
        explored.graph.forget_index();
        if let Some(stop) = explored.stopped {
            return Ok(Surveyed::Stopped(stop));
        }
        let mut groups = Vec::new();
        let mut memory = memory_beside(explored.graph.bytes(), settings);
        for group in grouped(question) {
            match masks(&protocol, question, &explored.graph, &group, &mut memory, settings) {
                Ok(masks) => groups.push((group, masks)),
                Err(stop) => return Ok(Surveyed::Stopped(stop)),
            }
        }
        let classes = protocol.classes.fairness().len();
        Ok(Surveyed::Whole(Box::new(Self {
            question,
            groups,
            is_used: used(&explored.graph, classes + FaultKind::ALL.len()),
            first_fault: u16::try_from(classes).expect("counted when the world was accepted"),
            violations: explored.findings.judge.seen.violations.clone(),
            max_bytes: settings.max_bytes.map(|_| memory.left()),
            options: leads_options(settings),
            graph: explored.graph,
        })))
    }

    pub fn states(&self) -> u64 {
        u64::from(self.graph.states())
    }

    /// The kinds of faults that strike somewhere.
    pub fn faults(&self) -> impl Iterator<Item = FaultKind> + '_ {
        let strikes = &self.is_used[usize::from(self.first_fault)..];
        FaultKind::ALL.iter().zip(strikes).filter(|(_, strikes)| **strikes).map(|(kind, _)| *kind)
    }

    /// The assumptions that change the fairness of a class that can ever move, in order.
    pub fn assumptions(&self) -> impl Iterator<Item = Assumption> + '_ {
        let everything = |assumption: Assumption, is_made| {
            let mut all = self.question.world.assumptions.clone();
            for it in Assumption::ALL {
                it.set(&mut all, true);
            }
            assumption.set(&mut all, is_made);
            fairness(self.question.world, &all)
        };
        Assumption::ALL.iter().copied().filter(move |assumption| {
            let both =
                everything(*assumption, true).into_iter().zip(everything(*assumption, false));
            both.zip(&self.is_used).any(|((with, without), is_used)| *is_used && with != without)
        })
    }

    /// The answers to the claims of the kind leads under `premise`, in the order asked.
    ///
    /// # Errors
    /// If `stop` returns a reason.
    pub fn leads(
        &self,
        premise: &Premise,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
    ) -> Result<Vec<CheckAnswer>, Stop> {
        let graph = Restricted { survey: self, faults: &premise.faults };
        let fairness = fairness(self.question.world, &premise.assumptions);
        let mut found = Vec::new();
        for (group, masks) in &self.groups {
            let mut memory = MemoryBudget::of(self.max_bytes);
            let (count, options) = (group.len(), self.options);
            let (violated, from) =
                fair::violated(&graph, &fairness, masks, count, options, &mut memory, stop)?;
            let ones = group.iter().enumerate();
            found.extend(ones.map(|(bit, one)| (one.0, violated >> bit & 1 == 1, from[bit])));
        }
        let claims = self.question.claims.iter().filter(|claim| claim.obligation().is_some());
        let answer = |claim| {
            let mine = || found.iter().filter(move |(one, ..)| std::ptr::eq(*one, claim));
            match (mine().any(|it| it.1), mine().any(|it| it.2 > 0)) {
                (true, _) => CheckAnswer::Violated,
                (false, true) => CheckAnswer::Holds,
                (false, false) => CheckAnswer::Vacuous,
            }
        };
        Ok(claims.map(|claim| answer(*claim)).collect())
    }

    /// Whether the other world has the same states, steps, masks and violations. Then its answers
    /// are the same under every premise.
    pub fn is_like(&self, other: &Self) -> bool {
        let (graph, others) = (&self.graph, &other.graph);
        let same_masks = |(mine, theirs): (&(_, Masks), &(_, Masks))| mine.1 == theirs.1;
        let same_state = |id| {
            graph.state(id) == others.state(id) && graph.out_edges(id).eq(others.out_edges(id))
        };
        graph.states() == others.states()
            && self.violations == other.violations
            && (0..graph.states()).all(same_state)
            && self.groups.iter().zip(&other.groups).all(same_masks)
    }
}

/// The fairness of each class under these assumptions.
fn fairness(world: &World, assumptions: &Assumptions) -> Vec<Fairness> {
    let world = world.changed(|world| world.assumptions = assumptions.clone());
    let classes = FairnessClasses::new(&world).expect("assumptions do not change what is numbered");
    classes.fairness().to_vec()
}

/// Whether some edge has this label, for each of the first `labels`.
fn used(graph: &StateGraph, labels: usize) -> Vec<bool> {
    let mut is_used = vec![false; labels];
    for state in 0..graph.states() {
        for class in graph.out_edges(state).filter_map(|(_, label)| label.as_class()) {
            is_used[usize::from(class)] = true;
        }
    }
    is_used
}

/// The graph as a premise about faults restricts it.
struct Restricted<'a> {
    survey: &'a Survey<'a>,
    faults: &'a [Frequency],
}

impl Restricted<'_> {
    /// The label of a step; `None` if it never happens.
    fn label(&self, label: Label) -> Option<Label> {
        let fault = label.as_class().and_then(|it| it.checked_sub(self.survey.first_fault));
        let Some(kind) = fault else { return Some(label) };
        match self.faults[usize::from(kind)] {
            Frequency::Endless => Some(Label::FREE),
            Frequency::Finite => Some(Label::FAULT),
            Frequency::Never => None,
        }
    }
}

impl Graph for Restricted<'_> {
    fn len(&self) -> u32 {
        self.survey.graph.len()
    }

    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        let edges = self.survey.graph.edges(state);
        edges.filter_map(|(next, label)| Some((next, self.label(label)?)))
    }

    fn starts(&self) -> &[u32] {
        self.survey.graph.starts()
    }
}
