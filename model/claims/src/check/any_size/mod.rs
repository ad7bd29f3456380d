//! Answers for every number of units.

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
        Closure, Endless, Given, Measure, Mover, StateView, Template as _, closure, ends, rest,
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
    whole::Beside,
};
use self::{
    confirm::confirm,
    family::Family,
    judge::{Judge, ViewsSay},
    protocol::Protocol,
};
use super::{CheckQuestion, SearchSettings, Trace};
use crate::claims::Claim;

/// Why nothing that must follow holds where units may be added for ever: in each instance their
/// identifiers run out, which is a bound of the model and not of users.
const NEVER_ENOUGH: &str = "users may add units for ever";

/// What a view takes, with its groups and its share of the moves that are remembered.
const BYTES_OF_A_VIEW: u64 = 512;

/// An instance with more states is not searched whole for what views do not decide.
const MOST_OF_INSTANCES: u64 = 100_000;

/// How many of those who are hidden are counted at most.
const MOST_BOUND: u8 = 3;

/// Why a world cannot be asked for every number of units: it is no template, for this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTemplate {
    reason: String,
    /// What may make it one.
    needs: Option<NeededCounts>,
}

/// What has to be known of those who are hidden, where more than that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeededCounts {
    /// Counts up to a greater bound.
    GreaterBound,
    /// How many units of an application are Alive.
    Alive(ApplicationId),
}

impl NoTemplate {
    fn new(reason: String) -> Self {
        Self { reason, needs: None }
    }

    /// Somebody asks for more of a count than this bound of hidden ones tells.
    fn asks(bound: u8) -> Self {
        let reason = format!("it matters whether more than {bound} other units are counted");
        Self { reason, needs: Some(NeededCounts::GreaterBound) }
    }

    /// Somebody asks whether some unit of an application is Alive.
    fn asks_of_lives(world: &World, id: ApplicationId) -> Self {
        let name = &world.application(id).name;
        let reason = format!("it matters whether some unit of {name} is Alive");
        Self { reason, needs: Some(NeededCounts::Alive(id)) }
    }

    /// Somebody reads a row that is another unit's or machine's.
    fn reads(world: &World, row: Row) -> Self {
        Self::new(format!("one reads a row of another: {}", named(world, row)))
    }
}

impl fmt::Display for NoTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// A row, by its kind and whose it is.
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
    /// The number of shared parts, and of local states of each application.
    pub shared: usize,
    /// The applications whose units may be any number, and the number of local states of each.
    pub types: Vec<(String, usize)>,
    /// The units that are there once, whatever the numbers are.
    pub fixed: Vec<FixedUnit>,
    /// The number of times that the protocol was asked for moves.
    pub asked: usize,
    /// The number of pairs of a visible and a hidden process.
    pub pairs: u64,
    /// The number of views at rest.
    pub at_rest: usize,
    /// The number of units of each application in the instances that were searched whole, for what
    /// views do not decide.
    pub searched: Vec<Vec<usize>>,
    /// The answer to each claim, in the order asked.
    pub answers: Vec<(&'static Claim, AnySizeAnswer)>,
    /// For each witness, in the order asked, whether the clause is carried out.
    pub witnesses: Vec<(Clause, AnySizeAnswer)>,
}

/// The answer to a claim for every number of units. A witness is a claim that something can be
/// reached.
#[derive(Clone, Debug)]
pub enum AnySizeAnswer {
    /// It holds for every number.
    Holds,
    /// It holds for every number, and what it is about never happens.
    Vacuous,
    Violated(Box<InstanceRun>),
    /// What it says can be reached is reached in an instance.
    Reached(Box<InstanceRun>),
    /// What it says can be reached is reached with no number.
    NeverReached,
    /// Views do not rule out that it is violated, or that what it says can be reached is reached,
    /// and no instance that was searched shows it; with a view that does not, unless it is a
    /// witness.
    Undecided(Option<Box<ViewAsState>>),
    /// Views do not say anything of it, for this reason, and no instance that was searched decides
    /// it.
    NotAsked(String),
}

impl AnySizeAnswer {
    /// Whether it is not known.
    fn is_open(&self) -> bool {
        matches!(self, Self::Undecided(_) | Self::NotAsked(_))
    }
}

/// An instance that decides a claim: it violates it, or reaches what can be reached by it.
#[derive(Clone, Debug)]
pub struct InstanceRun {
    pub instance: Arc<Instance>,
    /// The shortest run of it that does.
    pub trace: Trace,
}

/// A view that does not rule something out, as a state of an instance.
#[derive(Clone, Debug)]
pub struct ViewAsState {
    /// That with one unit of each application, which are those that it shows.
    pub instance: Instance,
    /// Its documents count those who are hidden, too, as far as the view tells how many they are.
    pub state: State,
    /// What those add who are hidden: whom it counts, about what, and how many they are.
    pub hidden: Vec<HiddenCount>,
}

/// How many are hidden whom something counts.
#[derive(Clone, Copy, Debug)]
pub struct HiddenCount {
    /// What the count is about.
    pub row: Row,
    pub counts: CountKind,
    pub number: u8,
    /// Whether they may be more.
    pub or_more: bool,
}

/// Why there are no answers.
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

impl From<Given<NoTemplate>> for NoAnswer {
    fn from(given: Given<NoTemplate>) -> Self {
        match given {
            Given::NoTemplate(why) => Self::NoTemplate(why),
            Given::Up(stop) => Self::Stopped(stop),
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
    /// this number of each in the order of the applications that have units.
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
                Err(Given::Up(Stop::States)) if fit < most => {
                    return Err(NoAnswer::Stopped(Stop::Memory));
                }
                Err(Given::NoTemplate(why)) => match why.needs {
                    Some(NeededCounts::GreaterBound) if bound < MOST_BOUND => bound += 1,
                    Some(NeededCounts::Alive(id)) => alive.push(id),
                    _ => return Err(why.into()),
                },
                Err(given) => return Err(given.into()),
            }
        }
    }

    pub fn len(&self) -> usize {
        self.closure.views().len()
    }

    /// Whether there are none, as of no world.
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

    /// The instance with this number of units of each application, and this number of those that
    /// are not there at the start, of each application to which units are added.
    ///
    /// # Errors
    /// If the world is no template.
    pub fn instance_with(&self, sizes: &[usize], later: usize) -> Result<Instance, NoTemplate> {
        self.family.instance_with(sizes, later)
    }

    /// The views of a state of an instance: one for each choice of units that are shown.
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

/// Why it is not known that all runs end.
#[derive(Clone, Debug)]
struct Unending {
    why: String,
    /// Whether they do if commands are finitely many.
    ends_if_finite: bool,
}

/// The measure by which all runs end, or why none is known.
fn measured(
    protocol: &mut Protocol,
    closure: &Closure,
    family: &Family,
    is_finite: bool,
) -> Result<Measure, Unending> {
    let measure = ends(protocol, closure, |mover| mover != Mover::Fault);
    let why = match measure {
        Ok(_) if family.is_unbounded() && !is_finite => NEVER_ENOUGH.to_owned(),
        Ok(measure) => return Ok(measure),
        Err(why) => endless(why),
    };
    let is_begun = |mover| matches!(mover, Mover::Fault | Mover::Command);
    let ends_if_finite = !is_finite && ends(protocol, closure, |it| !is_begun(it)).is_ok();
    Err(Unending { why, ends_if_finite })
}

fn endless(why: Endless) -> String {
    let what = match why {
        Endless::Shared => "what is shared may come back to what it was",
        Endless::Local => "a unit may come back to what it was while nothing else changes",
        Endless::Pending => "a transaction may be planned again while nothing else changes",
        Endless::Mixed => "a step changes more at once than the measure tells apart",
    };
    format!("it is not known that all runs end: {what}")
}

/// What is given a certificate.
pub type GivenCertificate<'a> = &'a mut dyn FnMut(&Certificate<'_>);

/// Answers `question` for every number of units, and gives away what the answers rest on.
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
        // One of a scenario's own may name something.
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
