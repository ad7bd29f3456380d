//! The explorer: a walk through the runs of a scenario, in a browser.
//!
//! There are no sessions. The address holds the run and the place in it (`address`); the run is
//! done again for each page, recorded, and rendered by `page`. So a page works without scripts,
//! back and forward are the browser's, an address can be kept, and nothing that a browser sends
//! changes anything here. What takes long has bounds: the length of a path, the size of a world,
//! and the time and the memory of a search.

mod address;
mod answer;
mod beside;
mod bounds;
mod clients;
mod go;
mod links;
mod memory;
mod position;
mod reload;
mod search;
mod what_if;

use std::{collections::BTreeSet, sync::Arc};

use deathwatch_claims::Claim;
use deathwatch_documents::{Run, Runs};
use deathwatch_model::{actor::Actor, rows::RowKind, world::World};
use deathwatch_scenario::{
    problem::Problem,
    replay::Replay,
    scenario::{
        Scenario,
        own::{ClaimTexts, PlacedText, Question},
        toggles,
    },
    turns,
};
use deathwatch_study::recording::{self, Keep, Played, TooLong, Unrecorded};

use self::{
    address::RunAddress,
    answer::{Response, StatusCode},
    beside::LastBoard,
    bounds::Patience,
    links::Here,
    memory::Memory,
    position::Position,
    reload::BadFile,
    search::SearchesFromState,
    what_if::LastVaried,
};
use crate::{
    loopback::Server,
    page::{self, ExplorerPage},
};

pub use self::{
    address::MOST_STEPS,
    bounds::{Bounds, Clock},
    links::first_path,
    reload::FileExplorer,
};

/// The greatest number of rows of a world that is explored by hand: those of some 8,000 units.
const MOST_ROWS: usize = 50_000;
/// The number of rows above which a world is large: only some agents are asked why their actions
/// are impossible.
const LARGE: usize = 1_000;
const MOST_ASKED: usize = 8;

/// A scenario that is explored.
#[derive(Debug)]
pub struct Explorer {
    scenario: Scenario,
    replay: Replay,
    claims: Vec<&'static Claim>,
    bounds: Bounds,
    searches: SearchesFromState,
    memory: Memory,
    varied: LastVaried,
    /// The last other scenario of the file.
    last_beside: LastVaried,
    /// The scenario of the file, beside which others stand.
    file: Arc<Scenario>,
    board: LastBoard,
    /// The digest of the file's text.
    digest: String,
    bad_file: BadFile,
}

/// The parts of a page that do not follow from its address.
#[derive(Default)]
struct SaidOfPage<'a> {
    /// The outcome of the last search or step, as a note.
    note: Option<String>,
    /// The verdict of a world that is set otherwise.
    verdict: Option<String>,
    /// The mistake in the typed step.
    refused: Option<&'a Problem>,
}

impl Server for Explorer {
    fn answer(&self, path: &str) -> Option<Vec<u8>> {
        let asked = Request::read(path)?;
        let answer = self.to(asked).unwrap_or_else(|problem| {
            Response::page(StatusCode::Bad, page::of_problem(&self.scenario.name, &problem))
        });
        Some(answer.bytes())
    }
}

impl Explorer {
    /// Explores `scenario`, whose script led to `replay`, by searches within these bounds.
    ///
    /// # Errors
    /// If its world is too large to be looked at.
    pub fn new(scenario: Scenario, replay: Replay, bounds: Bounds) -> Result<Self, Problem> {
        let rows = rows(&scenario.world);
        if rows > MOST_ROWS {
            let message = format!(
                "{} is too large to be explored by hand: its states have {rows} rows, and \
                 {MOST_ROWS} are the most",
                scenario.name
            );
            let help = "`deathwatch simulate` runs large worlds, and `deathwatch replay --seed` \
                        shows one of the runs";
            return Err(Problem::new(message).with_help(help));
        }
        let claims = Played::script(&scenario, &replay).claims();
        let digest = reload::digest(scenario.source().as_bytes());
        let file = Arc::new(scenario.clone());
        Ok(Self {
            scenario,
            replay,
            claims,
            bounds,
            searches: SearchesFromState::default(),
            memory: Memory::default(),
            varied: LastVaried::default(),
            last_beside: LastVaried::default(),
            file,
            board: LastBoard::default(),
            digest,
            bad_file: BadFile::default(),
        })
    }

    /// The response to a request.
    fn to(&self, (asks, query): (Request, &str)) -> Result<Response, Problem> {
        let about = match asks {
            Request::Icon => return Ok(Response::nothing()),
            Request::Version => return Ok(self.version_now()),
            Request::State(about) => about,
        };
        self.of_state(about, &RunAddress::read(query)?)
    }

    /// The response to a request about the state that an address names.
    fn of_state(&self, about: StateRequest, address: &RunAddress) -> Result<Response, Problem> {
        let beside = self.beside(address.also.as_deref())?;
        let file = beside.as_deref().unwrap_or(self);
        let varied = file.set(&address.set)?;
        varied.as_deref().unwrap_or(file).about(file, about, address)
    }

    /// The response to a request about a state of this world. `file` is the explorer of the world
    /// of the file. A problem is told on the page of the state, so that the run is not lost.
    fn about(
        &self,
        file: &Self,
        about: StateRequest,
        address: &RunAddress,
    ) -> Result<Response, Problem> {
        let position = self.position(address)?;
        self.asked_about(file, about, address, &position).or_else(|problem| {
            let note = Some(page::problem_text(&problem));
            let page = self.page(address, &position, note).map_err(|_| problem)?;
            Ok(Response::page(StatusCode::Bad, page))
        })
    }

    fn asked_about(
        &self,
        file: &Self,
        about: StateRequest,
        address: &RunAddress,
        position: &Position,
    ) -> Result<Response, Problem> {
        match about {
            StateRequest::Page => {
                let page = self.page(address, position, None)?;
                let is_read = self.condition(address).is_ok();
                let status = if is_read { StatusCode::Found } else { StatusCode::Bad };
                Ok(Response::page(status, page))
            }
            StateRequest::Json => {
                let run = self.recording(address, position)?;
                Ok(Response::json(&Runs::document("explore", vec![run])))
            }
            StateRequest::Scenario => match go::unfinished(position) {
                Some(problem) => Err(problem),
                None => Ok(Response::file("explored.toml", self.saved(address, position))),
            },
            StateRequest::Step => self.step(address, position),
            StateRequest::Nearest => self.nearest(address.clone(), position),
            StateRequest::Idle => self.idle(address, position),
            StateRequest::Counterexample if !address.with.is_empty() => {
                self.counterexample_with(file, address, position)
            }
            StateRequest::Counterexample => self.counterexample(address.clone(), position),
            StateRequest::WhatIf => self.what_if(file, address, position),
            StateRequest::EveryNumber => self.every_number_with(file, address),
        }
    }

    /// The version of pages now: a digest of the file's text and of its problem. An open page
    /// compares it to learn that there is a newer one.
    fn version(&self, bad_file: Option<&str>) -> String {
        let of_bad = |problem| reload::digest(format!("{}\n{problem}", self.digest).as_bytes());
        bad_file.map_or_else(|| self.digest.clone(), of_bad)
    }

    /// The same as an answer.
    fn version_now(&self) -> Response {
        Response::text(self.version(self.bad_file.told().as_deref()))
    }

    /// The run that an address names.
    fn position(&self, address: &RunAddress) -> Result<Position, Problem> {
        let script = address.script.unwrap_or(self.script());
        let known = self.memory.known(script, address);
        let (scenario, claims) = (&self.scenario, &self.claims);
        let patience = Patience::begin(&self.bounds);
        let position = Position::of(scenario, &self.replay, claims, (address, &known), &patience)?;
        self.memory.keep(script, address, &position.actions);
        Ok(position)
    }

    /// The number of steps of the script.
    fn script(&self) -> usize {
        self.replay.actions.len()
    }

    /// The condition of the address, as a claim that a state can be reached where it holds.
    fn condition(&self, address: &RunAddress) -> Result<Option<&'static Claim>, Problem> {
        let Some(text) = &address.condition else { return Ok(None) };
        let said = PlacedText { place: "the condition", text: text.clone() };
        let question = Question { each: None, asked: ClaimTexts::Reachable(said) };
        question.claim(&self.scenario.world).map(Some)
    }

    /// The turns of the cycle, one for each actor that is assumed to act; none without a cycle.
    fn turns(&self, position: &Position) -> Result<Vec<turns::Turn>, Problem> {
        let cycle = position.cycle();
        let first = position.actions.len() - cycle.len();
        turns::turns(&self.scenario.world, &position.cycle_states, cycle, first)
            .map_err(|why| Problem::new(why.reason()))
    }

    /// The run, with the present state. A cycle that is unfair to an actor decides nothing, so the
    /// run ends before it is repeated.
    fn recording(&self, address: &RunAddress, position: &Position) -> Result<Run, Problem> {
        let is_fair = self.turns(position)?.iter().all(|turn| turn.is_fair);
        let cycle = if is_fair { position.cycle().len() } else { 0 };
        let played = Played::explored(
            &self.scenario,
            &self.replay,
            (position.actions.clone(), position.script),
            cycle,
        );
        let file = self.scenario.address.to_string();
        let played =
            played.made_by(format!("deathwatch explore {file}  (at /{})", address.query()));
        let played = if rows(&self.scenario.world) > LARGE {
            played.asking(self.actors_to_ask(address, position))
        } else {
            played
        };
        let patience = Patience::begin(&self.bounds);
        let keep = Keep::At(position.at);
        let recorded = recording::record_unless(played, keep, &|| patience.is_over());
        let mut run = recorded.map_err(|why| match why {
            Unrecorded::TooLong(TooLong { states, rows }) => {
                Problem::new(format!("{states} states of {rows} rows are too much to be shown"))
            }
            Unrecorded::Stopped(_) => bounds::out_of_time(),
        })?;
        let (world, state) = (&self.scenario.world, &position.state);
        let open = (!page::is_whole(&run)).then_some(address.open.as_slice());
        let clients = clients::actions(world, state, open);
        recording::offer(&mut run, world, state, &clients);
        Ok(run)
    }

    /// The actors that a large world asks why their actions are impossible: agents of unfolded
    /// entities, and of some that are owed something.
    fn actors_to_ask(&self, address: &RunAddress, position: &Position) -> BTreeSet<Actor> {
        let agent = |entity: &String| {
            let (kind, name) = entity.split_once(' ')?;
            self.scenario.world.read_actor(&format!("{kind}-agent {name}")).ok()
        };
        let opened: BTreeSet<Actor> = address.open.iter().filter_map(agent).collect();
        let owed_to = position.agents_owed_to().take(MOST_ASKED);
        opened.into_iter().chain(owed_to).collect()
    }

    /// The page of the present state, with a note.
    fn page(
        &self,
        address: &RunAddress,
        position: &Position,
        note: Option<String>,
    ) -> Result<String, Problem> {
        self.shown(address, position, SaidOfPage { note, ..SaidOfPage::default() })
    }

    fn shown(
        &self,
        address: &RunAddress,
        position: &Position,
        said: SaidOfPage<'_>,
    ) -> Result<String, Problem> {
        let world = &self.scenario.world;
        // A bad condition is told under its field.
        let (condition, misread) = match self.condition(address) {
            Ok(condition) => (condition, None),
            Err(problem) => (None, Some(problem)),
        };
        let run = self.recording(address, position)?;
        let bad_file = self.bad_file.told();
        Ok(page::of_explored(&ExplorerPage {
            run: &run,
            at: position.at,
            links: &Here { script: self.script(), address, position },
            note: said.note,
            verdict: said.verdict,
            version: self.version(bad_file.as_deref()),
            bad_file,
            refused: said.refused,
            misread: misread.as_ref(),
            toggles: toggles::toggles(world),
            beside: self.names_beside(),
            board: address.has_board.then(|| self.shown_board()),
            parting: self.parting(address, position).map(|it| (it.line, it.why)),
            holds: condition.map(|claim| position.meets(world, claim)),
            wait_for: position.wait_for(world),
            cycle_len: Some(position.cycle().len()).filter(|steps| *steps > 0),
            turns: self.turns(position)?,
            claim: address.claim.as_deref(),
            opened: page::opened(&address.open, &run.world)?,
        }))
    }
}

/// The number of rows of a state of this world.
fn rows(world: &World) -> usize {
    RowKind::ALL.into_iter().map(|kind| kind.count(world)).sum()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// A request about the state that the query names.
    State(StateRequest),
    /// The version of its pages, which open pages ask for.
    Version,
    /// The picture that browsers ask for by themselves.
    Icon,
}

/// A request about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StateRequest {
    Page,
    /// The same as JSON.
    Json,
    /// The run so far as a scenario file.
    Scenario,
    /// The nearest state in which the condition holds.
    Nearest,
    /// The state after all moves of actors that are assumed to act, where none can move any more.
    Idle,
    /// A run that violates the claim.
    Counterexample,
    /// The state after the typed step.
    Step,
    /// The same run in a world that is set otherwise.
    WhatIf,
    /// The answers of its world for every number of units.
    EveryNumber,
}

impl Request {
    /// The request of a path, and the query.
    fn read(path: &str) -> Option<(Self, &str)> {
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let about = match name {
            "/" => StateRequest::Page,
            "/run.json" => StateRequest::Json,
            "/scenario.toml" => StateRequest::Scenario,
            "/nearest" => StateRequest::Nearest,
            "/idle" => StateRequest::Idle,
            "/counterexample" => StateRequest::Counterexample,
            "/step" => StateRequest::Step,
            "/what-if" => StateRequest::WhatIf,
            "/every-number" => StateRequest::EveryNumber,
            "/version" => return Some((Self::Version, query)),
            "/favicon.ico" => return Some((Self::Icon, query)),
            _ => return None,
        };
        Some((Self::State(about), query))
    }
}
