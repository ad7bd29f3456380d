//! `deathwatch explore`: walking through a world by hand, in a browser.

use std::{
    env, io,
    net::SocketAddr,
    path::{MAIN_SEPARATOR_STR, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use deathwatch_model::{
    check::{Question, Stop},
    state::State,
    world::World,
};
use deathwatch_sim::{
    Problem, describe,
    explorer::{Bounds, Clock, Explorer, MOST_STEPS},
    loopback::{Behind, Guard, Server},
};

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    limits,
    load::{self, Ready},
};

const EXAMPLES: &str = "\
Examples:
  deathwatch explore scenarios/relation-scope-bug/1-as-written.toml
  deathwatch explore --address 127.0.0.1:8080 my.toml
  deathwatch explore --max-states 50000000 --max-memory 8GiB --time 10m my.toml
  deathwatch explore --engine stateright my.toml";

/// The longest time of a search, unless it is said.
const PATIENCE: Duration = Duration::from_secs(Bounds::SECONDS);

/// Walk through a world by hand, in a browser
///
/// Answers: what can happen next, what does it change, and why can something not happen? Serves a page
/// for each state until Ctrl-C, from the one that the scenario's script leads to. The address of a page
/// holds the run.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,

    /// Where to serve it; an address of this machine that no other can reach
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:3000", value_parser = loopback)]
    address: SocketAddr,

    /// Whose pages are served
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,

    /// Give up on a search from a page that has more states than this [default: 5000000]
    #[arg(long, value_name = "N", value_parser = limits::states)]
    max_states: Option<u64>,

    /// Give up on a search from a page rather than use more memory [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = limits::memory)]
    max_memory: Option<u64>,

    /// Give up on a page, or on a search from it, after this long, such as 90s or 10m [default: 20s]
    #[arg(long, value_name = "DURATION", value_parser = limits::time)]
    time: Option<Duration>,

    /// Let `run until idle` take this number of steps at once [default: 400]
    ///
    /// An address holds 1500 steps after the script, which is the most.
    #[arg(long, value_name = "N", value_parser = steps)]
    max_steps: Option<usize>,
}

/// Whose pages are served.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Engine {
    /// Our own: what everybody has, owes, can do and cannot do
    #[default]
    Own,
    /// stateright's Explorer, the second opinion
    Stateright,
}

/// Serves the world of the scenario.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    if let (Engine::Stateright, Some(flag)) = (args.engine, args.bounded()) {
        let problem = Problem::new(format!("`{flag}` bounds searches from our own pages"));
        return Err(problem.with_help("stateright's pages have no searches").into());
    }
    let mut ready = load::scenario(&args.file, "explore")?;
    let all: Vec<_> = deathwatch_claims::all_with(ready.scenario.world.detail).collect();
    ready.keep(&all)?;
    let guard = Guard::listen(args.address).map_err(|error| failed(args.address, &error))?;
    let (name, address) = (ready.scenario.name.clone(), guard.address());
    match args.engine {
        Engine::Own => {
            let explorer = Explorer::new(ready.scenario, ready.replay, args.bounds())?;
            let server: Arc<dyn Server> = Arc::new(explorer);
            say_where(&name, address);
            guard.serve(&server, &|| true);
        }
        Engine::Stateright => {
            let behind = Behind::hidden().map_err(|error| failed(address, &error))?;
            // stateright prefers the pages of a folder `ui`, which whoever made this one may have put
            // here.
            env::set_current_dir(MAIN_SEPARATOR_STR).map_err(|error| failed(address, &error))?;
            let explorer = thread::Builder::new().spawn(move || stateright(ready, behind));
            let explorer = explorer.map_err(|error| failed(address, &error))?;
            say_where(&name, address);
            let server: Arc<dyn Server> = Arc::new(behind);
            guard.serve(&server, &|| !explorer.is_finished());
        }
    }
    Err(Problem::new("the explorer has ended, which is a defect of deathwatch").into())
}

fn say_where(name: &str, address: SocketAddr) {
    say(format_args!("exploring {name} on http://{address}/ until Ctrl-C"));
}

/// Serves stateright's pages.
fn stateright(Ready { scenario, replay }: Ready, behind: Behind) {
    let question = Question {
        world: &scenario.world,
        start: &replay.state,
        claims: scenario.claims.iter().map(|(claim, _)| *claim).collect(),
        witnesses: scenario.witnesses.clone(),
        refines: None,
    };
    deathwatch_stateright::explore(&question, behind.address(), changes);
}

impl Args {
    /// The bounds of searches.
    fn bounds(&self) -> Bounds {
        let usual = Bounds::usual(clock(self.time.unwrap_or(PATIENCE)));
        Bounds {
            states: self.max_states.unwrap_or(usual.states),
            bytes: self.max_memory.unwrap_or(usual.bytes),
            steps: self.max_steps.unwrap_or(usual.steps),
            ..usual
        }
    }

    /// The first flag that is given of those that bound searches.
    fn bounded(&self) -> Option<&'static str> {
        let given = [
            ("--max-states", self.max_states.is_some()),
            ("--max-memory", self.max_memory.is_some()),
            ("--time", self.time.is_some()),
            ("--max-steps", self.max_steps.is_some()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

/// Lets each search have this long.
fn clock(patience: Duration) -> Clock {
    Box::new(move || {
        let begun = Instant::now();
        Box::new(move || (begun.elapsed() > patience).then_some(Stop::Time))
    })
}

/// The number of steps that are taken at once.
fn steps(text: &str) -> Result<usize, String> {
    limits::count(text, MOST_STEPS)
}

fn failed(address: SocketAddr, error: &io::Error) -> Problem {
    Problem::new(format!("failed to serve on {address}: {error}"))
}

/// The differences of a state from the one before it.
fn changes(world: &World, before: &State, after: &State) -> String {
    describe::differences(world, before, after).join("\n")
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:3000".to_owned())?;
    if !address.ip().is_loopback() {
        return Err("others could reach that; expected an address such as 127.0.0.1".to_owned());
    }
    Ok(address)
}
