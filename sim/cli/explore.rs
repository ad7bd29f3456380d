//! `deathwatch explore`: walking through a world by hand, in a browser.

use std::{
    env, io,
    net::SocketAddr,
    path::{MAIN_SEPARATOR_STR, PathBuf},
    thread,
};

use deathwatch_model::{check::Question, state::State, world::World};
use deathwatch_sim::{
    Problem, describe,
    loopback::{self, Guard},
};

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    load::{self, Ready},
};

const EXAMPLES: &str = "\
Examples:
  deathwatch explore scenarios/relation-scope-bug/1-as-written.toml
  deathwatch explore --address 127.0.0.1:8080 my.toml";

/// Walk through a world by hand, in a browser
///
/// Answers: what can happen next, and what does it change? Serves stateright's Explorer until
/// Ctrl-C, from the state that the scenario's script leads to.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,

    /// Where to serve it; an address of this machine that no other can reach
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:3000", value_parser = loopback)]
    address: SocketAddr,
}

/// Serves the world of the scenario.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let Ready { scenario, replay } = load::scenario(&args.file, "explore")?;
    let guard = Guard::listen(args.address).map_err(|error| failed(args.address, &error))?;
    let address = guard.address();
    let server = loopback::hidden_address().map_err(|error| failed(address, &error))?;
    let name = scenario.name.clone();
    let explore = move || {
        let question = Question {
            world: &scenario.world,
            start: &replay.state,
            claims: scenario.claims.iter().map(|(claim, _)| *claim).collect(),
            witnesses: scenario.witnesses.clone(),
            refines: None,
        };
        deathwatch_stateright::explore(&question, server, changes);
    };
    // stateright prefers the pages of a folder `ui`, which whoever made this one may have put here.
    env::set_current_dir(MAIN_SEPARATOR_STR).map_err(|error| failed(address, &error))?;
    let explorer =
        thread::Builder::new().spawn(explore).map_err(|error| failed(address, &error))?;
    say(format_args!("exploring {name} on http://{address}/ until Ctrl-C"));
    guard.serve(server, &|| !explorer.is_finished());
    Err(Problem::new("the explorer has ended, which is a defect of deathwatch").into())
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
