//! Answers for every number of units.
//!
//! ```text
//! family = instances with any number of copies of the world's alike units, and its fixed units
//! repeat with finer counts of hidden units, until no move depends on more:
//!     closure = all views that follow from the first ones, by moves that two stages agree on
//! measure = ranks by which every run ends; rest = the views in which a run may end
//! a claim holds if no pair of a shared part and a local state violates it, or is open at rest
//! search small instances for runs that decide the claims and witnesses that are left
//! ```

mod certificate;
mod confirm;
mod counts;
mod family;
mod judge;
mod kinds;
mod moves;
mod open_view;
mod own;
mod places;
mod pointer;
mod protocol;
mod rules;
mod stage;
#[cfg(test)]
mod tests;
mod whole;

use std::{fmt, sync::Arc};

use deathwatch_checker::{
    Stop,
    views::{
        Closure, Measure, MeasureFailure, MoverKind, NoClosure, StateView, Template as _, closure,
        ends, rest,
    },
};

use deathwatch_model::{
    clause::Clause,
    ids::{ApplicationId, EntityId},
    rows::Row,
    state::State,
    world::World,
};

pub use self::{
    certificate::{Certificate, ClaimProof, PairsProof, ShownPath},
    counts::CountKind,
    family::Instance,
    kinds::FixedUnit,
    whole::TwoProcessView,
};
use self::{
    confirm::confirm,
    family::Family,
    judge::{Judge, ViewsSay},
    protocol::Protocol,
};
use super::{CheckQuestion, SearchSettings, Trace};
use crate::claims::Claim;

/// The reason why no claim of the kind leads holds if units may be added for ever: in each instance
/// identifiers run out, which is a bound of the model and not of users.
const NEVER_ENOUGH: &str = "users may add units for ever";

/// The bytes of a view, with its groups and its share of the cached moves.
const BYTES_OF_A_VIEW: u64 = 512;

/// The greatest number of states of an instance that is searched whole for open answers.
const MOST_OF_INSTANCES: u64 = 100_000;

/// The greatest bound of the counts of hidden units.
const MOST_BOUND: u8 = 3;

/// The reason why a world has no answers for every number of units: it is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTemplate {
    reason: String,
    /// Counts that may make it one.
    needs: Option<NeededCounts>,
}

/// Counts of hidden units that a move depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeededCounts {
    /// Counts up to a greater bound.
    GreaterBound,
    /// The number of units of an application that are Alive.
    Alive(ApplicationId),
}

impl NoTemplate {
    fn new(reason: String) -> Self {
        Self { reason, needs: None }
    }

    /// A move depends on whether a count of hidden units is above this bound.
    fn asks(bound: u8) -> Self {
        let reason = format!("it matters whether more than {bound} other units are counted");
        Self { reason, needs: Some(NeededCounts::GreaterBound) }
    }

    /// A move depends on whether some unit of an application is Alive.
    fn asks_of_lives(world: &World, id: ApplicationId) -> Self {
        let name = &world.application(id).name;
        let reason = format!("it matters whether some unit of {name} is Alive");
        Self { reason, needs: Some(NeededCounts::Alive(id)) }
    }

    /// A move reads a row of another unit or machine.
    fn reads(world: &World, row: Row) -> Self {
        Self::new(format!("one reads a row of another: {}", named(world, row)))
    }
}

impl fmt::Display for NoTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// A row, by its kind and the names of its entities.
fn named(world: &World, row: Row) -> String {
    let relation = row.relation().map(EntityId::Relation);
    let names = row.actor().into_iter().chain(relation).map(|entity| match entity {
        EntityId::Machine(id) => format!("machine {}", world.machine(id).name),
        EntityId::Application(id) => world.application(id).name.clone(),
        EntityId::Unit(id) => world.unit(id).name.clone(),
        EntityId::Relation(id) => world.relation(id).name.clone(),
    });
    let names: Vec<String> = names.collect();
    format!("`{}` of {}", row.kind().name(), names.join(" in "))
}

/// The answers for every number of units.
#[derive(Clone, Debug)]
pub struct AnySizeReport {
    pub views: usize,
    /// The number of shared parts.
    pub shared: usize,
    /// The applications whose units may be any number, and the number of local states of each.
    pub types: Vec<(String, usize)>,
    /// The units that are there once in every instance.
    pub fixed: Vec<FixedUnit>,
    /// The number of queries to the protocol for moves.
    pub asked: usize,
    /// The number of pairs of a visible and a hidden process that were examined.
    pub pairs: u64,
    /// The number of views at rest.
    pub at_rest: usize,
    /// The sizes of the instances that were searched whole for open answers: units by application.
    pub searched: Vec<Vec<usize>>,
    /// The answer to each claim, in the order asked.
    pub answers: Vec<(&'static Claim, AnySizeAnswer)>,
    /// For each witness, in the order asked, whether the clause is carried out.
    pub witnesses: Vec<(Clause, AnySizeAnswer)>,
}

/// The answer to a claim for every number of units. A witness is a claim of the kind reachable.
#[derive(Clone, Debug)]
pub enum AnySizeAnswer {
    /// It holds for every number.
    Holds,
    /// It holds for every number, and its condition never applies.
    Vacuous,
    Violated(Box<InstanceRun>),
    /// Its condition is reached in an instance.
    Reached(Box<InstanceRun>),
    /// Its condition is reached for no number.
    NeverReached,
    /// Views do not rule out a violation, or that its condition is reached, and no searched
    /// instance shows it. For a claim, with a view that does not rule it out.
    Undecided(Option<Box<ViewAsState>>),
    /// Views cannot decide it, for this reason, and no searched instance does.
    NotAsked(String),
}

impl AnySizeAnswer {
    /// Whether the answer is open.
    fn is_open(&self) -> bool {
        matches!(self, Self::Undecided(_) | Self::NotAsked(_))
    }
}

/// An instance with a run that decides a claim: violates it, or reaches its condition.
#[derive(Clone, Debug)]
pub struct InstanceRun {
    pub instance: Arc<Instance>,
    /// The shortest such run.
    pub trace: Trace,
}

/// A view that does not rule something out, as a state of an instance.
#[derive(Clone, Debug)]
pub struct ViewAsState {
    /// The instance with one unit of each application, the visible ones.
    pub instance: Instance,
    /// Its documents also count the hidden units, as far as the view has their number.
    pub state: State,
    /// The counts of hidden units.
    pub hidden: Vec<HiddenCount>,
}

/// A count of hidden units.
#[derive(Clone, Copy, Debug)]
pub struct HiddenCount {
    /// The row that the count is about.
    pub row: Row,
    pub counts: CountKind,
    pub number: u8,
    /// Whether there may be more.
    pub or_more: bool,
}

/// The reason why there are no answers.
#[derive(Clone, Debug)]
pub enum NoAnswer {
    /// The world is no template.
    NoTemplate(NoTemplate),
    Stopped(Stop),
}

impl From<NoTemplate> for NoAnswer {
    fn from(why: NoTemplate) -> Self {
        Self::NoTemplate(why)
    }
}

impl From<NoClosure<NoTemplate>> for NoAnswer {
    fn from(refused: NoClosure<NoTemplate>) -> Self {
        match refused {
            NoClosure::NoTemplate(why) => Self::NoTemplate(why),
            NoClosure::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

/// The views of the instances of a world.
pub struct Views {
    family: Family,
    protocol: Protocol,
    first: Vec<StateView>,
    closure: Closure,
}

impl Views {
    /// The views of the instances of a world with any number of units of each application, or with
    /// these numbers, in the order of the applications that have units.
    ///
    /// # Errors
    /// If the world is no template, or the search gives up.
    pub fn of(
        world: &World,
        start: &State,
        sizes: Option<&[usize]>,
        settings: &SearchSettings<'_>,
    ) -> Result<Self, NoAnswer> {
        let family = Family::of(world, start)?;
        let most = settings.max_states.unwrap_or(u64::MAX);
        let fit = settings.max_bytes.map_or(u64::MAX, |bytes| bytes / BYTES_OF_A_VIEW);
        let (mut bound, mut alive) = (1, Vec::new());
        loop {
            let mut protocol = Protocol::new(&family, bound, &alive)?;
            let first = protocol.first(sizes)?;
            match closure(&mut protocol, first.iter().copied(), most.min(fit), settings.stop) {
                Ok(closure) => {
                    protocol.demand_any_ghost(&closure)?;
                    return Ok(Self { family, protocol, first, closure });
                }
                Err(NoClosure::Stopped(Stop::States)) if fit < most => {
                    return Err(NoAnswer::Stopped(Stop::Memory));
                }
                Err(NoClosure::NoTemplate(why)) => match why.needs {
                    Some(NeededCounts::GreaterBound) if bound < MOST_BOUND => bound += 1,
                    Some(NeededCounts::Alive(id)) => alive.push(id),
                    _ => return Err(why.into()),
                },
                Err(refused) => return Err(refused.into()),
            }
        }
    }

    pub fn len(&self) -> usize {
        self.closure.views().len()
    }

    /// Whether there are no views; there always are.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of types of processes.
    pub fn types(&self) -> usize {
        self.protocol.types()
    }

    /// The instance with this number of units of each application.
    ///
    /// # Errors
    /// If the world is no template.
    pub fn instance(&self, sizes: &[usize]) -> Result<Instance, NoTemplate> {
        self.family.instance(sizes)
    }

    /// The instance with this number of units of each application, and with `later` units that are
    /// not there at the start, of each application to which units are added.
    ///
    /// # Errors
    /// If the world is no template.
    pub fn instance_with(&self, sizes: &[usize], later: usize) -> Result<Instance, NoTemplate> {
        self.family.instance_with(sizes, later)
    }

    /// The views of a state of an instance: one for each choice of visible units.
    ///
    /// # Errors
    /// If there are too many local states.
    pub fn views_of(
        &mut self,
        instance: &Instance,
        state: &State,
    ) -> Result<Vec<StateView>, NoTemplate> {
        let state = &instance.paired(state);
        let mut shown: Vec<Vec<usize>> = vec![Vec::new()];
        for size in instance.sizes() {
            let choices = 0..size.max(1);
            shown = shown
                .iter()
                .flat_map(|shown| {
                    let with = |slot| shown.iter().copied().chain([slot]).collect();
                    choices.clone().map(with).collect::<Vec<Vec<usize>>>()
                })
                .collect();
        }
        shown.iter().map(|shown| self.protocol.view_of(instance, state, shown)).collect()
    }

    /// Whether this is one of the views.
    pub fn has(&self, view: &StateView) -> bool {
        self.closure.has(view)
    }
}

/// Answers `question` for every number of units.
///
/// # Errors
/// If the world is no template, or the search gives up.
pub fn check_any_size(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
) -> Result<AnySizeReport, NoAnswer> {
    check_with_certificate(question, settings, None)
}

/// The reason why some run may not end.
#[derive(Clone, Debug)]
struct Unending {
    why: String,
    /// Whether all runs end if commands are finitely many.
    ends_if_finite: bool,
}

/// The measure by which all runs end, or the reason why none is known.
fn measured(
    protocol: &mut Protocol,
    closure: &Closure,
    family: &Family,
    is_finite: bool,
) -> Result<Measure, Unending> {
    let measure = ends(protocol, closure, |mover| mover != MoverKind::Fault);
    let why = match measure {
        Ok(_) if family.is_unbounded() && !is_finite => NEVER_ENOUGH.to_owned(),
        Ok(measure) => return Ok(measure),
        Err(why) => endless(why),
    };
    let is_begun = |mover| matches!(mover, MoverKind::Fault | MoverKind::Command);
    let ends_if_finite = !is_finite && ends(protocol, closure, |it| !is_begun(it)).is_ok();
    Err(Unending { why, ends_if_finite })
}

fn endless(why: MeasureFailure) -> String {
    let what = match why {
        MeasureFailure::Shared => "what is shared may come back to what it was",
        MeasureFailure::Local => "a unit may come back to what it was while nothing else changes",
        MeasureFailure::Pending => "a transaction may be planned again while nothing else changes",
        MeasureFailure::Mixed => "a step changes more at once than the measure tells apart",
    };
    format!("it is not known that all runs end: {what}")
}

/// The receiver of a certificate.
pub type GivenCertificate<'a> = &'a mut dyn FnMut(&Certificate<'_>);

/// Answers `question` for every number of units, and passes a certificate to `given`.
///
/// # Errors
/// If the world is no template, or the search gives up.
pub fn check_with_certificate(
    question: &CheckQuestion<'_>,
    settings: &SearchSettings<'_>,
    given: Option<GivenCertificate<'_>>,
) -> Result<AnySizeReport, NoAnswer> {
    let Views { family, mut protocol, first, closure } =
        Views::of(question.world, question.start, None, settings)?;
    let is_finite = question.world.assumptions.finitely_many_commands;
    let measure = measured(&mut protocol, &closure, &family, is_finite);
    let ends = measure.as_ref().map(|_| ()).map_err(Clone::clone);
    let rest = rest(&protocol, &closure);
    let mut judge = Judge::new(&mut protocol, &closure, &rest, ends)?;
    let (mut answers, mut open_views) = (Vec::new(), Vec::new());
    for claim in &question.claims {
        // A scenario's own claim may name units and machines, which are renamed.
        let there = own::in_instance(claim, question.world, &judge.protocol.stage.instance);
        let answer = match there.map_or_else(ViewsSay::Nothing, |claim| judge.says(claim)) {
            ViewsSay::Holds => AnySizeAnswer::Holds,
            ViewsSay::Vacuous => AnySizeAnswer::Vacuous,
            ViewsSay::NeverReached => AnySizeAnswer::NeverReached,
            ViewsSay::NotRuledOut(view) => {
                open_views.push((answers.len(), view));
                AnySizeAnswer::Undecided(None)
            }
            ViewsSay::Nothing(why) => AnySizeAnswer::NotAsked(why),
        };
        answers.push((*claim, answer));
    }
    let proofs = judge.into_proofs();
    let few = settings.max_states.map_or(MOST_OF_INSTANCES, |most| most.min(MOST_OF_INSTANCES));
    let smaller = SearchSettings { max_states: Some(few), ..*settings };
    let mut witnesses: Vec<(Clause, AnySizeAnswer)> = Vec::new();
    for clause in &question.witnesses {
        let may_be = protocol.carried_out.contains(*clause);
        let answer =
            if may_be { AnySizeAnswer::Undecided(None) } else { AnySizeAnswer::NeverReached };
        witnesses.push((*clause, answer));
    }
    let asked = (&mut *answers, &mut *witnesses);
    let searched = confirm(question.world, &family, &smaller, asked)?;
    for (place, view) in open_views {
        if let AnySizeAnswer::Undecided(open) = &mut answers[place].1 {
            *open = Some(Box::new(protocol.open_view(&family, &view)?));
        }
    }
    let name = |of: usize| question.world.application(family.types[of]).name.clone();
    if let Some(give) = given {
        let (of, answers) = ((&*first, &closure), (&mut *answers, &mut *witnesses));
        let (types, measure) = ((0..family.types.len()).map(name).collect(), measure.as_ref().ok());
        give(&Certificate::of(&mut protocol, types, of, measure, &rest, &proofs, answers)?);
    }
    let (shared, locals) = protocol.sizes();
    Ok(AnySizeReport {
        views: closure.views().len(),
        shared,
        types: locals.into_iter().enumerate().map(|(of, locals)| (name(of), locals)).collect(),
        fixed: family.fixed.clone(),
        asked: closure.asked(),
        pairs: closure.pairs(),
        at_rest: rest.views.len(),
        searched,
        answers,
        witnesses,
    })
}
