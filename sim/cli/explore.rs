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
    explorer::{Clock, Explorer},
    loopback::{Behind, Guard, Server},
};

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    load::{self, Ready},
};

const EXAMPLES: &str = "\
Examples:
  deathwatch explore scenarios/relation-scope-bug/1-as-written.toml
  deathwatch explore --address 127.0.0.1:8080 my.toml
  deathwatch explore --engine stateright my.toml";

/// The longest time of a search from a page.
const PATIENCE: Duration = Duration::from_secs(20);

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
    let ready = load::scenario(&args.file, "explore")?;
    let guard = Guard::listen(args.address).map_err(|error| failed(args.address, &error))?;
    let (name, address) = (ready.scenario.name.clone(), guard.address());
    match args.engine {
        Engine::Own => {
            let explorer = Explorer::new(ready.scenario, ready.replay, clock())?;
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

/// Lets each search have its time.
fn clock() -> Clock {
    Box::new(|| {
        let begun = Instant::now();
        Box::new(move || (begun.elapsed() > PATIENCE).then_some(Stop::Time))
    })
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
