//! A survey: one graph of a world, decided many times under different premises.
//!
//! A premise has assumptions on actors, and a frequency for each kind of fault. It changes which
//! runs count but not the effect of a step, so all premises share one graph. Assumptions become the
//! fairness of classes. The graph tells the duties of an agent apart; where agents are fair as a
//! whole, all of an agent are one class. Frequencies become labels of steps: a fault that never
//! strikes has no step, one that strikes finitely often is on no cycle, and one that strikes again
//! and again is a free move. Commands are like faults, and there are finitely many or not.
//!
//! A premise that assumes more leaves fewer runs. An actor that owes more has fewer fair runs,
//! since a strongly fair run is weakly fair, and a run may stop only where no actor owes a step.
//! Runs without a fault are among those with finitely many, and those among all. Therefore a claim
//! that is not violated under a premise is violated under none that assumes more, and its
//! obligation arises in no further state. Of the unit of fairness that is true for strong fairness:
//! an agent that can act again and again has a duty that it can do again and again. It is not for
//! weak fairness: an agent whose duties take turns can always act, and no duty of it can always be
//! done.

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::StateGraph,
    fair::{self, LeadsOptions, Masks},
    graph::{Fairness, Graph, Label},
};
use deathwatch_model::{
    rows::Row,
    world::{Assumption, Assumptions, FaultKind, Per, World},
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
pub struct RunPremise {
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
    /// The unit of fairness of its classes.
    per: Per,
    /// For each class the number of the one that has it where agents are fair as a whole.
    whole: Vec<u16>,
    /// Whether some step has this label, for each class, for each kind of faults, and for commands.
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
    /// stays the same: hooks that could fail still run. The unit of fairness, and whether commands
    /// are finitely many, is what the world assumes.
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
        let labels = FaultSteps::commands_behind(protocol.classes.fairness().len()) + 1;
        Ok(Surveyed::Whole(Box::new(Self {
            question,
            groups,
            per: faults.per(question.world),
            whole: protocol.classes.whole().to_vec(),
            is_used: used(&explored.graph, labels),
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
        let strikes = &self.is_used[self.whole.len()..];
        FaultKind::ALL.iter().zip(strikes).filter(|(_, strikes)| **strikes).map(|(kind, _)| *kind)
    }

    /// The assumptions that change the fairness of a class that can ever move, in order, or how
    /// often commands are given that are unlimited.
    pub fn assumptions(&self) -> impl Iterator<Item = Assumption> + '_ {
        let everything = |assumption: Assumption, is_made| {
            let mut all = self.question.world.assumptions.clone();
            for it in Assumption::ALL {
                it.set(&mut all, true);
            }
            assumption.set(&mut all, is_made);
            fairness(self.question.world, &Assumptions { per: self.per, ..all })
        };
        let gives = self.is_used[FaultSteps::commands_behind(self.whole.len())];
        let is_unlimited = self.question.world.commands.iter().any(|it| it.most.is_none());
        Assumption::ALL.iter().copied().filter(move |assumption| {
            let both =
                everything(*assumption, true).into_iter().zip(everything(*assumption, false));
            both.zip(&self.is_used).any(|((with, without), is_used)| *is_used && with != without)
                || *assumption == Assumption::FinitelyManyCommands && gives && is_unlimited
        })
    }

    /// The answers to the claims of the kind leads under `premise`, in the order asked.
    ///
    /// # Errors
    /// If `stop` returns a reason.
    ///
    /// # Panics
    /// If the premise is about duties, and the survey does not tell them apart.
    pub fn leads(
        &self,
        premise: &RunPremise,
        stop: &(dyn Fn() -> Option<Stop> + Sync),
    ) -> Result<Vec<CheckAnswer>, Stop> {
        let per = premise.assumptions.per;
        assert!(
            per == Per::Agent || self.per == per,
            "duties are asked of a survey that tells them apart"
        );
        let graph = Restricted { survey: self, premise };
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

/// The fairness of each class under these assumptions, for their unit of fairness.
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
    premise: &'a RunPremise,
}

impl Restricted<'_> {
    /// The label of a step; `None` if it never happens.
    fn label(&self, label: Label) -> Option<Label> {
        let Some(class) = label.as_class() else { return Some(label) };
        let whole = &self.survey.whole;
        let RunPremise { assumptions, faults } = self.premise;
        match usize::from(class).checked_sub(whole.len()) {
            None if assumptions.per == self.survey.per => Some(label),
            None => Some(Label::class(whole[usize::from(class)])),
            Some(kind) => match faults.get(kind) {
                None if assumptions.finitely_many_commands => Some(Label::FAULT),
                None | Some(Frequency::Endless) => Some(Label::FREE),
                Some(Frequency::Finite) => Some(Label::FAULT),
                Some(Frequency::Never) => None,
            },
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
