//! The recorder: carries out a run again, and writes it down as data.

use std::collections::{BTreeSet, VecDeque};

use deathwatch_claims::{Claim, check::Stop};
use deathwatch_documents::{
    Outcome,
    run::{
        Act, ClauseText, Decision, End, Header, Kind, Moment, Pending, RootStep, Run, States, Step,
        StepOutcome, Table, WholeRun,
    },
};
use deathwatch_model::{
    action::Action,
    actor::Actor,
    agents,
    protocol::{self, Effects},
    rows::{Row, RowKind},
    state::State,
    world::World,
};
use deathwatch_scenario::{
    Scenario,
    replay::{self, Interpreter},
};

use super::{
    decided::DecidedClaim,
    header::{entities, header},
    lanes::RunLanes,
    moments, never_taken,
    obligations::RunObligations,
    pending::PendingWork,
    played::Played,
    slice::Slice,
    steps,
    tables::{RunRows, changes, document_name},
    unrecorded::{TooLong, Unrecorded},
};

/// The greatest number of rows in all states that are kept.
pub(super) const MOST_KEPT: usize = 200_000;

/// The greatest number of rows in all states of a run of which the first is kept.
const MOST: usize = 100_000_000;

/// The states of a run that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All states, with the actions that are possible in each.
    #[default]
    All,
    /// The first one only.
    First,
    /// The state with this number alone, with the actions that are possible there.
    At(usize),
}

/// The reason to stop, if there is one; asked for each step and for each action that is not
/// possible.
type Stops<'a> = &'a dyn Fn() -> Option<Stop>;

/// Writes down a run.
///
/// # Errors
/// If it is too long for a world of this size.
///
/// # Panics
/// Never: nobody stops it.
pub fn record(played: Played<'_>, keep: Keep) -> Result<Run, TooLong> {
    record_unless(played, keep, &|| None).map_err(|why| match why {
        Unrecorded::TooLong(long) => long,
        Unrecorded::Stopped(_) => unreachable!("nobody stops it"),
    })
}

/// Writes down a state of a world like that of `scenario`, as a run without steps.
///
/// # Errors
/// If the world is too large.
pub(crate) fn standing(scenario: &Scenario, world: &World, state: &State) -> Result<Run, TooLong> {
    let mut scenario = scenario.clone();
    (scenario.world, scenario.start) = (world.clone(), state.clone());
    record(Played::standing(&scenario), Keep::First)
}

/// Writes down a run, unless there is a reason to `stop` in the meantime.
///
/// # Errors
/// If there was one, or if the run is too long for a world of this size.
pub fn record_unless(
    mut played: Played<'_>,
    keep: Keep,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<Run, Unrecorded> {
    let slice = played.slice.take();
    let world = &played.scenario.world;
    let rows = if let Some(slice) = &slice {
        RunRows::only(slice.rows(world))
    } else {
        RunRows::of(world, touched(world, &played.scenario.start, &played.actions, stop)?)
    };
    let states = slice.as_ref().map_or(played.actions.len(), Slice::len) + 1;
    let most = match keep {
        Keep::All => MOST_KEPT,
        Keep::First | Keep::At(_) => MOST,
    };
    if states.saturating_mul(rows.len()) > most {
        return Err(Unrecorded::TooLong(TooLong { states, rows: rows.len() }));
    }
    Recorder::begin(&played, rows, keep, (slice.as_ref(), stop)).run(played)
}

fn go_on(stop: Stops<'_>) -> Result<(), Unrecorded> {
    stop().map_or(Ok(()), |why| Err(Unrecorded::Stopped(why)))
}

/// The rows that a run touches and that the world does not list.
fn touched(
    world: &World,
    start: &State,
    actions: &[Action],
    stop: Stops<'_>,
) -> Result<BTreeSet<Row>, Unrecorded> {
    let mut interpreter = Interpreter::new(world, start.clone());
    let mut touched = BTreeSet::new();
    for action in actions {
        go_on(stop)?;
        interpreter.step(*action, None);
        touched.extend(
            interpreter
                .effects
                .touched
                .iter()
                .copied()
                .filter(|row| matches!(row, Row::Client(_)) || row.index(world).is_none()),
        );
    }
    Ok(touched)
}

struct Recorder<'a> {
    interpreter: Interpreter<'a>,
    rows: RunRows,
    keep: Keep,
    candidates: BTreeSet<Action>,
    lanes: RunLanes,
    pending: PendingWork,
    obligations: RunObligations<'a>,
    /// The part of the run that is written down; all if it is `None`.
    slice: Option<&'a Slice>,
    states: Vec<Moment>,
    steps: Vec<Step>,
    stop: Stops<'a>,
}

impl<'a> Recorder<'a> {
    fn begin(
        played: &Played<'a>,
        rows: RunRows,
        keep: Keep,
        (slice, stop): (Option<&'a Slice>, Stops<'a>),
    ) -> Self {
        let (world, start) = (&played.scenario.world, &played.scenario.start);
        let shown = played.actions.iter().enumerate();
        let shown = shown.filter(|(index, _)| slice.is_none_or(|it| it.shows(*index)));
        let mut acting: BTreeSet<Actor> = shown.map(|(_, action)| action.actor()).collect();
        let clients: Vec<Actor> =
            acting.iter().copied().filter(|it| matches!(it, Actor::Client(_))).collect();
        acting.extend(slice.iter().flat_map(|it| it.agents()));
        let candidates = match (keep, &played.asked) {
            _ if slice.is_some() => BTreeSet::new(),
            (Keep::All | Keep::At(_), None) => candidates(world, start),
            (Keep::All | Keep::At(_), Some(_)) | (Keep::First, _) => BTreeSet::new(),
        };
        Self {
            interpreter: Interpreter::new(world, start.clone()),
            rows,
            keep,
            candidates,
            lanes: RunLanes::new(world, clients.into_iter(), |actor| {
                slice.is_none() || acting.contains(actor)
            }),
            pending: PendingWork::begin(world, start),
            obligations: RunObligations::begin(world, start, played.claims.clone(), slice),
            slice,
            states: Vec::new(),
            steps: Vec::new(),
            stop,
        }
    }

    fn run(mut self, played: Played<'_>) -> Result<Run, Unrecorded> {
        let world = self.interpreter.world;
        if self.keep != Keep::First && self.slice.is_none() {
            self.add_candidates(&played.actions, played.asked.as_ref())?;
        }
        self.lanes.add(world, &self.interpreter.state, 0);
        for (index, action) in played.actions.iter().enumerate() {
            if self.slice.is_some_and(|it| !it.shows(index)) {
                self.pass(*action)?;
                continue;
            }
            let number = self.steps.len() + 1;
            let chosen = self.moment(number - 1, Some(*action))?;
            let mut step = self.step(*action, number);
            step.of_all = Some(index + 1).filter(|of_all| *of_all != number);
            step.chosen = chosen;
            step.line_of_file = played.lines.get(index).copied().filter(|_| index < played.script);
            let time = index.checked_sub(played.script).and_then(|at| played.times.get(at));
            step.milliseconds = time.copied();
            self.steps.push(step);
        }
        self.moment(self.steps.len(), None)?;
        Ok(self.finish(played))
    }

    /// Adds the impossible actions of the run, of all actors, or of those in `asked`.
    fn add_candidates(
        &mut self,
        actions: &[Action],
        asked: Option<&BTreeSet<Actor>>,
    ) -> Result<(), Unrecorded> {
        let stop = self.stop;
        let world = self.interpreter.world;
        let mut interpreter = Interpreter::new(world, self.interpreter.state.clone());
        let mut add = |state: &State| match asked {
            None => self.candidates.extend(moments::enabled(world, state)),
            Some(actors) => {
                let mut enabled = Vec::new();
                for actor in actors {
                    agents::enabled_for(world, state, *actor, &mut enabled);
                }
                self.candidates.extend(enabled);
            }
        };
        add(&interpreter.state);
        for action in actions {
            go_on(stop)?;
            interpreter.step(*action, None);
            add(&interpreter.state);
        }
        Ok(())
    }

    /// Adds the present state under this number, if it is kept. Returns the place of `next` among
    /// its possible actions.
    fn moment(&mut self, number: usize, next: Option<Action>) -> Result<Option<usize>, Unrecorded> {
        let Self { interpreter, rows, keep, candidates, states, slice, stop, .. } = self;
        go_on(*stop)?;
        let (world, state) = (interpreter.world, &interpreter.state);
        let is_kept = match keep {
            Keep::All => true,
            Keep::First => number == 0,
            Keep::At(kept) => number == *kept,
        };
        if !is_kept {
            return Ok(None);
        }
        let enabled = match slice {
            None => moments::enabled(world, state),
            Some(slice) => {
                let mut enabled = Vec::new();
                for actor in slice.agents() {
                    agents::enabled_for(world, state, actor, &mut enabled);
                }
                enabled
            }
        };
        states.push(Moment {
            rows: rows.tables(world, state),
            quiescent: moments::is_quiescent(world, state),
            possible: moments::possible(world, state, &enabled),
            impossible: moments::impossible(interpreter, &enabled, candidates, &|| go_on(*stop))?,
        });
        Ok(enabled.iter().position(|it| Some(it.act) == next.map(|next| next.act)))
    }

    /// Does a step that is not written down.
    fn pass(&mut self, action: Action) -> Result<(), Unrecorded> {
        go_on(self.stop)?;
        let interpreter = &mut self.interpreter;
        interpreter.step(action, None);
        let (world, number) = (interpreter.world, self.steps.len());
        let (effects, state) = (&interpreter.effects, &interpreter.state);
        self.pending.add(world, state, &effects.touched, number);
        self.obligations.pass(world, state, effects, number);
        Ok(())
    }

    /// Takes a step, which leads to the state with this number, and notes its changes.
    fn step(&mut self, action: Action, number: usize) -> Step {
        let interpreter = &mut self.interpreter;
        let done = replay::perform_again(interpreter, action);
        let world = interpreter.world;
        let (line, states_outcome) = replay::line(interpreter, &done);
        let outcome = replay::outcome(interpreter, states_outcome, &done);
        let (effects, state) = (&interpreter.effects, &interpreter.state);
        let turn = self.pending.add(world, state, &effects.touched, number);
        self.lanes.add(world, state, number);
        self.obligations.add(world, state, effects, number);
        Step {
            number,
            of_all: None,
            act: Act { line, ..steps::act(world, done.action) },
            outcome: steps::what(done.outcome),
            because: steps::because(interpreter, &done),
            clauses: steps::names(world, &effects.clauses),
            changes: changes(world, interpreter.before(), state, &effects.touched),
            said: outcome.into_iter().chain(interpreter.changes(done.outcome)).collect(),
            begins: turn.begins,
            ends: turn.ends,
            chosen: None,
            line_of_file: None,
            milliseconds: None,
        }
    }

    fn finish(self, played: Played<'_>) -> Run {
        let Self { interpreter, rows, keep, lanes, pending, obligations, states, steps, .. } = self;
        let slice = self.slice;
        let world = interpreter.world;
        let to = steps.len();
        let end = match played.cycle {
            0 if moments::is_quiescent(world, &interpreter.state) => End::Quiescent,
            0 => End::Open,
            cycle => End::Cycle { from: to.saturating_sub(cycle), to },
        };
        let header =
            header(played.scenario, &played.made_by, played.origin, played.script, played.counts);
        let clauses = cited(&header, &steps, &states);
        let (kinds, pending) = (rows.kinds(world), pending.finish());
        let answers = played.found.into_iter().map(|found| answered(world, found));
        let mut answers: Vec<Decision> = answers.collect();
        for answer in &mut answers {
            answer.made = of(answer, (&steps, &pending), &kinds);
        }
        let taken = (played.scenario, played.actions.as_slice(), played.cycle);
        let never_taken = never_taken::of(taken, &answers);
        Run {
            header,
            world: entities(world, &|entity| slice.is_none_or(|it| it.tells_of(entity))),
            whole: slice.map(|it| WholeRun {
                steps: played.actions.len(),
                needs_others: it.needs_others(),
            }),
            kinds,
            clauses,
            kept: match keep {
                Keep::All => States::All,
                Keep::First => States::First,
                Keep::At(state) => States::At(state),
            },
            states,
            steps,
            end,
            never_taken,
            lanes: lanes.finish(),
            pending,
            claims: obligations.finish(world, end),
            answers,
            failures: played.failures,
            notes: played.notes,
        }
    }
}

fn answered(world: &World, found: DecidedClaim) -> Decision {
    Decision {
        claim: found.name,
        kind: found.kind.to_owned(),
        source: found.claim.map(|claim| claim.source.to_owned()),
        notes: found.claim.is_some_and(Claim::reads_notes),
        answer: Outcome::from(found.answer).name().to_owned(),
        expected: found.expected.to_string(),
        subject: found.subject.map(|row| document_name(world, row)),
        state: found.state,
        diagnosis: found.diagnosis,
        wait_for: found.wait_for,
        no_return: found.no_return,
        made: Vec::new(),
    }
}

/// The texts of the clauses that anything cites.
fn cited(header: &Header, steps: &[Step], states: &[Moment]) -> Table<ClauseText> {
    let mut cited: BTreeSet<String> = header.rules.iter().cloned().collect();
    for step in steps {
        cited.extend(step.clauses.iter().chain(&step.act.duty).cloned());
        cited.extend(step.because.iter().flat_map(|it| &it.clauses).cloned());
    }
    for state in states {
        for possible in &state.possible {
            cited.extend(possible.clauses.iter().chain(&possible.act.duty).cloned());
        }
        for impossible in &state.impossible {
            cited.extend(impossible.clauses.iter().chain(&impossible.act.duty).cloned());
        }
    }
    steps::texts(&cited)
}

/// The greatest number of states that are searched.
const SEARCHED: usize = 1_000;
/// The greatest number of rows in all states that are searched.
const ROWS: usize = 2_000_000;

/// The actions, of all actors, that are enabled in one of the first states that follow `start`.
pub(super) fn candidates(world: &World, start: &State) -> BTreeSet<Action> {
    let rows: usize = RowKind::ALL.into_iter().map(|kind| kind.count(world)).sum();
    let searched = SEARCHED.min(ROWS / (rows + 1));
    let mut found = BTreeSet::new();
    let mut known: BTreeSet<State> = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start.clone()]);
    let mut effects = Effects::default();
    while let Some(state) = waiting.pop_front() {
        let mut enabled = Vec::new();
        protocol::enabled(world, &state, &mut enabled);
        for action in enabled {
            if known.len() < searched {
                let mut next = state.clone();
                protocol::step(world, &mut next, action, &mut effects);
                if known.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
            found.insert(action);
        }
    }
    found
}

/// The steps that made the roots of `answer`, as far as the run is known.
pub(super) fn of(
    answer: &Decision,
    (steps, pending): (&[Step], &[Pending]),
    kinds: &Table<Kind>,
) -> Vec<RootStep> {
    let roots = answer.wait_for.iter().flat_map(|graph| &graph.roots).enumerate();
    let made = roots.filter_map(|(root, named)| {
        let number = usize::try_from(named.since?).ok()?;
        let step = steps.iter().find(|it| it.of_all.unwrap_or(it.number) == number)?;
        let number = step.number;
        let ended = || step.ends.iter().copied().find(|index| pending[*index].from > 0);
        let commits = (step.outcome == StepOutcome::Committed).then(ended).flatten();
        let between = commits.map_or(0..0, |index| pending[index].from..number - 1);
        let others = steps[between].iter().filter(|it| it.act.actor != step.act.actor);
        let meanwhile = others.filter(|it| is_about(it, &named.entities, kinds));
        let meanwhile = meanwhile.map(|it| it.number).collect();
        Some(RootStep { root, step: number, commits, meanwhile })
    });
    made.collect()
}

/// Whether a step changes a row of one of these entities; their names are as in "unit mysql/0".
fn is_about(step: &Step, entities: &[String], kinds: &Table<Kind>) -> bool {
    step.changes.iter().any(|change| {
        let about = kinds.get(&change.document.kind);
        let about = about.into_iter().flat_map(|kind| kind.entities(&change.document.name));
        let mut names = about.map(|(tier, name)| format!("{} {name}", tier.word()));
        names.any(|it| entities.contains(&it))
    })
}
