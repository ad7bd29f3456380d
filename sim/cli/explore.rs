//! `deathwatch explore`: walking through a world by hand, in a browser.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use deathwatch_claims::check::Stop;
use deathwatch_scenario::Problem;
use deathwatch_show::{
    explorer::{Bounds, Clock, FileExplorer, MOST_STEPS, first_path},
    loopback::{Guard, Server},
};
use deathwatch_study::assume::NamedVariant;

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    limits, load, set,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch explore scenarios/relation-scope-bug/1-as-written.toml
  deathwatch explore --port 8080 my.toml
  deathwatch explore --max-states 50000000 --max-memory 8GiB --time 10m my.toml";

/// The longest time of a search without `--time`.
const PATIENCE: Duration = Duration::from_secs(Bounds::SECONDS);

/// Walk through a world by hand, in a browser
///
/// Answers: what can happen next, what does it change, and why can something not happen? Serves a
/// page for each state until Ctrl-C, from the one that the scenario's script leads to. The address
/// of a page holds the run, and what is set otherwise. When the file changes, the next page is of
/// what it says then.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,

    /// The address to serve it at; one of this machine that no other can reach
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:3000", value_parser = loopback)]
    address: SocketAddr,

    /// Serve it at this port of 127.0.0.1; 0 is any that is free
    #[arg(long, value_name = "PORT", conflicts_with = "address")]
    port: Option<u16>,

    /// Begin with this variant, whatever the scenario says of it, as in
    /// relation-tracking=remote-scope (may be given again)
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting)]
    set: Vec<NamedVariant>,

    /// Give up on a search from a page that has more states than this [default: 5000000]
    #[arg(long, value_name = "N", value_parser = limits::states)]
    max_states: Option<u64>,

    /// Give up on a search from a page rather than use more memory [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = limits::memory)]
    max_memory: Option<u64>,

    /// Give up on a page, or on a search from it, after this long, such as 90s or 10m [default:
    /// 20s]
    #[arg(long, value_name = "DURATION", value_parser = limits::time)]
    time: Option<Duration>,

    /// Let `run until idle` take this number of steps at once [default: 400]
    ///
    /// An address holds 1500 steps after the script, which is the most.
    #[arg(long, value_name = "N", value_parser = steps)]
    max_steps: Option<usize>,
}

/// Serves the world of the scenario.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let mut ready = load::scenario(&args.file, "explore")?;
    let all: Vec<_> = deathwatch_claims::all_with(ready.scenario.world.detail).collect();
    ready.keep(&all);
    let at = args.port.map_or(args.address, |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let guard = Guard::listen(at).map_err(|error| failed(at, &error))?;
    let (name, address) = (ready.scenario.name.clone(), guard.address());
    // What no scenario may have is refused at once.
    let begins = set::unplayed(&args.set, ready.scenario.clone())?;
    let path = first_path(begins.set());
    let explorer = FileExplorer::new(ready.scenario, ready.replay, args.bounds())?;
    let server: Arc<dyn Server> = Arc::new(explorer);
    say(format_args!("exploring {name} on http://{address}{path} until Ctrl-C"));
    guard.serve(&server)
}

impl Args {
    fn bounds(&self) -> Bounds {
        let usual = Bounds::usual(clock(self.time.unwrap_or(PATIENCE)));
        Bounds {
            states: self.max_states.unwrap_or(usual.states),
            bytes: self.max_memory.unwrap_or(usual.bytes),
            steps: self.max_steps.unwrap_or(usual.steps),
            ..usual
        }
    }
}

/// Lets each search have this long.
fn clock(patience: Duration) -> Clock {
    Arc::new(move || {
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

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:3000".to_owned())?;
    if !address.ip().is_loopback() {
        return Err("others could reach that; expected an address such as 127.0.0.1".to_owned());
    }
    Ok(address)
}
