//! The explorer: a walk through the runs of a scenario, in a browser.
//!
//! There are no sessions. The address holds the run and the place in it (`address`); the run is done
//! again for each page, recorded, and rendered by `page`. So a page works without scripts, back and
//! forward are the browser's, an address can be kept, and nothing that a browser sends changes
//! anything here. What takes long has bounds: the length of a path, the size of a world, and the time
//! and the memory of a search.

mod address;
mod answer;
mod asks;
mod links;
mod position;
mod search;
mod turns;

use std::io;

use deathwatch_model::{claims::Claim, rows::RowKind};

pub use self::search::Clock;
use self::{
    address::{Address, MOST_STEPS},
    answer::{Answer, Status},
    asks::Asks,
    links::{Here, onward},
    position::{LeftAlone, Position, places},
    search::Searches,
};
use crate::{
    loopback::{Forwarded, Method, Server},
    page::{self, Explored, Turn},
    problem::Problem,
    recording::{self, Keep, Played},
    replay::Replay,
    scenario::{
        Scenario,
        own::{Asked, Question, Said},
    },
    trace::Begins,
    verdict,
    write::to_scenario_text,
};

/// The greatest number of rows of a world that is explored by hand.
const MOST_ROWS: usize = 3_000;
/// The greatest number of steps that a world that is left alone takes at once.
const MOST_ALONE: usize = 400;

/// A scenario that is explored.
#[derive(Debug)]
pub struct Explorer {
    scenario: Scenario,
    replay: Replay,
    claims: Vec<&'static Claim>,
    searches: Searches,
}

impl Server for Explorer {
    fn offers(&self, method: Method, path: &str) -> bool {
        match method {
            Method::Get => Asks::read(path).is_some(),
            Method::Post => false,
        }
    }

    fn answer(&self, request: &Forwarded) -> io::Result<Vec<u8>> {
        let asked = Asks::read(&request.path).ok_or(io::ErrorKind::NotFound)?;
        let answer = self.to(asked).unwrap_or_else(|problem| {
            Answer::page(Status::Bad, page::of_problem(&self.scenario.name, &problem))
        });
        Ok(answer.bytes())
    }
}

impl Explorer {
    /// Explores `scenario`, whose script led to `replay`. Searches last as long as `clock` lets them.
    ///
    /// # Errors
    /// If its world is too large to be looked at.
    pub fn new(scenario: Scenario, replay: Replay, clock: Clock) -> Result<Self, Problem> {
        let kinds = RowKind::ALL.into_iter();
        let rows: usize = kinds.map(|kind| kind.count(&scenario.world)).sum();
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
        Ok(Self { scenario, replay, claims, searches: Searches::new(clock) })
    }

    /// The answer to what is asked.
    fn to(&self, (asks, query): (Asks, &str)) -> Result<Answer, Problem> {
        if asks == Asks::Icon {
            return Ok(Answer::nothing());
        }
        let address = Address::read(query)?;
        let position = Position::of(&self.scenario, &self.replay, &self.claims, &address)?;
        match asks {
            Asks::Page => {
                let page = self.page(&address, &position, None)?;
                Ok(Answer::page(Status::Found, page))
            }
            Asks::Json => {
                let run = self.recording(&address, &position)?;
                Ok(Answer::json(&recording::document("explore", vec![run])))
            }
            Asks::Scenario => Ok(Answer::file("explored.toml", self.saved(&address, &position))),
            Asks::Nearest => self.nearest(address, &position),
            Asks::Idle => self.idle(&address, &position),
            Asks::Counterexample => self.counterexample(address, &position),
            Asks::Icon => Ok(Answer::nothing()),
        }
    }

    /// The number of steps of the script.
    fn script(&self) -> usize {
        self.replay.actions.len()
    }

    /// Goes to the nearest state where the condition holds.
    fn nearest(&self, address: Address, position: &Position) -> Result<Answer, Problem> {
        let Some(claim) = self.condition(&address)? else {
            return Err(Problem::new("a condition was expected, such as: units.all(u, !u.exists)"));
        };
        self.go_by_search(address, position, claim)
    }

    /// Shows a run that violates the claim from the present state on.
    fn counterexample(&self, address: Address, position: &Position) -> Result<Answer, Problem> {
        let name = address.claim.as_deref().unwrap_or_default();
        let claim = self.claims.iter().find(|claim| claim.name == name);
        let claim = claim.ok_or_else(|| {
            Problem::new(format!("nothing is asked here that is called \"{name}\""))
        })?;
        self.go_by_search(address, position, claim)
    }

    fn go_by_search(
        &self,
        address: Address,
        position: &Position,
        claim: &'static Claim,
    ) -> Result<Answer, Problem> {
        let world = &self.scenario.world;
        if let Some(problem) = unfinished(position) {
            return Err(problem);
        }
        let searched = self.searches.look(world, &position.state, claim);
        let Some(trace) = searched.trace else {
            let note = format!("{}: {}", claim.name, searched.said);
            return Ok(Answer::page(Status::Found, self.page(&address, position, Some(note))?));
        };
        let steps: Vec<_> = trace.steps.iter().chain(&trace.cycle).copied().collect();
        let more = places(world, &position.state, &steps);
        let mut found = onward(self.script(), &address, position, &more);
        if found.path.len() > MOST_STEPS || more.len() < steps.len() {
            return Err(Problem::new(format!("a run of {} steps is too long here", steps.len())));
        }
        found.around = trace.cycle.len();
        found.claim = address.claim;
        Ok(Answer::elsewhere(format!("/{}", found.query())))
    }

    /// Goes to where nobody can move who is assumed to act.
    fn idle(&self, address: &Address, position: &Position) -> Result<Answer, Problem> {
        let (world, state) = (&self.scenario.world, &position.state);
        let most = MOST_ALONE.min(MOST_STEPS.saturating_sub(address.path.len()));
        let alone = LeftAlone::from(world, state, most);
        let more = places(world, state, &alone.actions);
        let there = onward(self.script(), address, position, &more);
        match alone.ended {
            Ok(()) => Ok(Answer::elsewhere(format!("/{}", there.query()))),
            Err(moving) => {
                let note = format!(
                    "after {} more steps there was still something to do: {moving}",
                    more.len()
                );
                let position = Position::of(&self.scenario, &self.replay, &self.claims, &there)?;
                Ok(Answer::page(Status::Found, self.page(&there, &position, Some(note))?))
            }
        }
    }

    /// The condition of the address, as a claim that a state can be reached where it holds.
    fn condition(&self, address: &Address) -> Result<Option<&'static Claim>, Problem> {
        let Some(text) = &address.condition else { return Ok(None) };
        let said = Said { place: "the condition", text: text.clone() };
        let question = Question { each: None, asked: Asked::Reachable(said) };
        question.claim(&self.scenario.world).map(Some)
    }

    /// What the cycle means to those who are assumed to act, if there is one.
    fn turns(&self, position: &Position) -> Result<Vec<Turn>, Problem> {
        let cycle = position.cycle();
        let first = position.actions.len() - cycle.len();
        turns::turns(&self.scenario.world, &position.around, cycle, first)
            .map_err(|why| Problem::new(verdict::too_large(&why)))
    }

    /// The run, with the present state. A cycle by which somebody is kept from acting decides nothing, so
    /// the run ends before it is repeated.
    fn recording(
        &self,
        address: &Address,
        position: &Position,
    ) -> Result<recording::Recording, Problem> {
        let is_fair = self.turns(position)?.iter().all(|turn| turn.is_fair);
        let cycle = if is_fair { position.cycle().len() } else { 0 };
        let played = Played::explored(
            &self.scenario,
            &self.replay,
            (position.actions.clone(), position.script),
            cycle,
        );
        let file = crate::scenario::display(&self.scenario.path);
        let played =
            played.made_by(format!("deathwatch explore {file}  (at /{})", address.query()));
        recording::record(played, Keep::At(position.at)).map_err(|long| {
            let (states, rows) = (long.states, long.rows);
            Problem::new(format!("{states} states of {rows} rows are too much to be shown"))
        })
    }

    /// The page of the present state.
    fn page(
        &self,
        address: &Address,
        position: &Position,
        note: Option<String>,
    ) -> Result<String, Problem> {
        let world = &self.scenario.world;
        let condition = self.condition(address)?;
        let run = self.recording(address, position)?;
        Ok(page::of_explored(&Explored {
            run: &run,
            at: position.at,
            links: &Here { script: self.script(), address, position },
            note,
            holds: condition.map(|claim| position.meets(world, claim)),
            wait_for: position.wait_for(world),
            around: Some(position.cycle().len()).filter(|steps| *steps > 0),
            turns: self.turns(position)?,
            claim: address.claim.as_deref(),
        }))
    }

    /// The run so far as a scenario file.
    fn saved(&self, address: &Address, position: &Position) -> String {
        let shows = format!("What was explored of {}.", self.scenario.name);
        let whole = self.replay.actions.len();
        let so_far = position.so_far();
        let is_after = address.script.is_none() && so_far.len() >= whole;
        let (begins, steps) = if is_after {
            (Begins::AfterScript, &so_far[whole..])
        } else {
            (Begins::BeforeScript, so_far)
        };
        to_scenario_text(&self.scenario, &shows, begins, steps, &[])
    }
}

/// That a client of the script has something pending in the present state, so that a search would wait
/// for it for ever.
fn unfinished(position: &Position) -> Option<Problem> {
    let mut clients = position.state.runtime.clients().iter();
    clients.any(|client| client.pending.is_some()).then(|| {
        Problem::new(
            "a client of the script has a transaction pending here, which nobody would finish",
        )
        .with_help("search from a later step of the script")
    })
}
