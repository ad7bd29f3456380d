//! The explorer of a file, which is read again when its text has changed.
//!
//! A path names actions by their places, which may be others in the world of another text. So an
//! address says of which text it is, by a digest; the text that the explorer began with needs none.
//! The run of an address of an earlier text is done again in the present world, by its lines, as
//! far as they are possible, and the page says by which it parts. While something is wrong with the
//! file, the world before stays, and the page says what is wrong.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use deathwatch_scenario::{
    Problem,
    input::{self, LARGEST_SCENARIO},
    replay::{self, Replay},
    scenario::{self, Scenario},
};
use sha2::{Digest as _, Sha256};

use super::{
    Explorer, Request, StateRequest,
    address::RunAddress,
    answer::{Response, StatusCode},
    bounds::Bounds,
};
use crate::{loopback::Server, page};

/// The greatest number of texts that are kept, with the worlds that they describe.
const MOST_TEXTS: usize = 16;
/// The number of bytes of a digest that stand in an address.
const DIGEST: usize = 6;

/// Mistakes in the file of an explorer now: the same for all of its worlds.
#[derive(Clone, Debug, Default)]
pub(super) struct BadFile(Arc<Mutex<Option<String>>>);

impl BadFile {
    pub(super) fn told(&self) -> Option<String> {
        self.lock().clone()
    }

    fn tell(&self, problem: Option<&Problem>) {
        *self.lock() = problem.map(page::problem_text);
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The explorer of a file.
#[derive(Debug)]
pub struct FileExplorer(Mutex<Texts>);

/// The texts that the file has had.
#[derive(Debug)]
struct Texts {
    /// The bytes that were read last, if there were any.
    read: Option<Vec<u8>>,
    /// Addresses that describe a world, the first one first.
    known: Vec<TextWorld>,
    /// The last one of them that was read.
    present: TextWorld,
}

/// A text, and the explorer of its world.
#[derive(Clone, Debug)]
struct TextWorld {
    /// Its name in an address; the first one has none.
    name: Option<String>,
    explorer: Arc<Explorer>,
}

impl FileExplorer {
    /// Explores `scenario`, whose script led to `replay`, by searches within these bounds.
    ///
    /// # Errors
    /// If its world is too large to be looked at.
    pub fn new(scenario: Scenario, replay: Replay, bounds: Bounds) -> Result<Self, Problem> {
        let read = Some(scenario.source().as_bytes().to_vec());
        let explorer = Arc::new(Explorer::new(scenario, replay, bounds)?);
        let present = TextWorld { name: None, explorer };
        Ok(Self(Mutex::new(Texts { read, known: vec![present.clone()], present })))
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The response to a request about a state of the present world.
    fn to(&self, about: StateRequest, query: &str) -> Result<Response, Problem> {
        let asked = RunAddress::read(query)?;
        let (present, of) = {
            let mut texts = self.texts();
            texts.read_again();
            (texts.present.clone(), texts.of(&asked))
        };
        let of = match of {
            Some(of) => of,
            None if asked.is_start() => present.clone(),
            None => {
                let problem = "this address is of another text of the file, which is not known";
                return Err(Problem::new(problem)
                    .with_help("the run can be kept as a scenario, with `save as scenario`"));
            }
        };
        if asked.is_start() || of.digest() == present.digest() {
            let address = RunAddress { file: present.name.clone(), ..asked };
            return present.explorer.of_state(about, &address);
        }
        let address = of.explorer.moved(&present, &asked)?;
        match about {
            StateRequest::Page => Ok(Response::elsewhere(format!("/{}", address.query()))),
            _ => present.explorer.of_state(about, &address),
        }
    }
}

impl Server for FileExplorer {
    fn answer(&self, path: &str) -> Option<Vec<u8>> {
        let answer = match Request::read(path)? {
            (Request::Icon, _) => Response::nothing(),
            (Request::Version, _) => {
                let mut texts = self.texts();
                texts.read_again();
                texts.present.explorer.version_now()
            }
            (Request::State(about), query) => self.to(about, query).unwrap_or_else(|problem| {
                let name = self.texts().present.explorer.scenario.name.clone();
                Response::page(StatusCode::Bad, page::of_problem(&name, &problem))
            }),
        };
        Some(answer.bytes())
    }
}

impl TextWorld {
    fn digest(&self) -> &str {
        &self.explorer.digest
    }
}

impl Texts {
    fn of(&self, address: &RunAddress) -> Option<TextWorld> {
        let wanted = address.file.as_deref().unwrap_or(self.known[0].digest());
        self.known.iter().find(|text| text.digest() == wanted).cloned()
    }

    /// Reads the file again. If its text has changed, and describes a world, that is the present.
    fn read_again(&mut self) {
        let before = Arc::clone(&self.present.explorer);
        let now = read(&before.scenario);
        if now == self.read {
            return;
        }
        let digest = digest(now.as_deref().unwrap_or_default());
        self.read = now;
        let known = self.known.iter().find(|text| text.digest() == digest && self.read.is_some());
        if let Some(known) = known {
            before.bad_file.tell(None);
            self.present = known.clone();
            return;
        }
        let again = before.again();
        before.bad_file.tell(again.as_ref().err());
        if let Ok(explorer) = again {
            let name = Some(explorer.digest.clone());
            self.present = TextWorld { name, explorer: Arc::new(explorer) };
            if self.known.len() == MOST_TEXTS {
                self.known.remove(1);
            }
            self.known.push(self.present.clone());
        }
    }
}

impl Explorer {
    /// The explorer of the file as it is now.
    fn again(&self) -> Result<Self, Problem> {
        let scenario = scenario::load(self.scenario.address.clone())?;
        let all = deathwatch_claims::all_with(scenario.world.detail);
        let scenario = scenario.keeping(all);
        let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
        if let Some(problem) =
            replay::unfinished(&scenario, &replay).filter(|_| scenario.is_searched())
        {
            return Err(problem);
        }
        let explorer = Self::new(scenario, replay, self.bounds.clone())?;
        Ok(Self { bad_file: self.bad_file.clone(), ..explorer })
    }

    /// The address of the run in the present world, as far as it is possible there. `asked` is one
    /// of this world.
    fn moved(&self, present: &TextWorld, asked: &RunAddress) -> Result<RunAddress, Problem> {
        let also = asked.also.as_deref();
        let (before, now) = (self.beside(also)?, present.explorer.beside(also)?);
        let before = before.as_deref().unwrap_or(self);
        let now = now.as_deref().unwrap_or(&present.explorer);
        let (earlier, later) = (before.set(&asked.set)?, now.set(&asked.set)?);
        let before = earlier.as_deref().unwrap_or(before);
        let now = later.as_deref().unwrap_or(now);
        let position = before.position(asked)?;
        let there = RunAddress { file: present.name.clone(), ..asked.clone() };
        let (mut there, position) = before.again_in(now, there, &position)?;
        there.at = asked.at.filter(|at| *at < position.actions.len());
        if !there.open.is_empty() {
            let folded = RunAddress { open: Vec::new(), ..there.clone() };
            let run = now.recording(&folded, &position)?;
            let is_there = |name: &String| run.world.entity(name).is_some();
            there.open.retain(is_there);
        }
        Ok(there)
    }
}

/// The bytes of the file of a scenario; `None` if it cannot be read.
fn read(scenario: &Scenario) -> Option<Vec<u8>> {
    input::read(&scenario.address.file, LARGEST_SCENARIO).ok()
}

/// The digest of a text, as addresses have it.
pub(super) fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(DIGEST).fold(String::new(), |mut digest, byte| {
        write!(digest, "{byte:02x}").expect("a string takes everything");
        digest
    })
}
