//! Several processes that search one world together: on this machine or on others.

use std::{
    cell::RefCell,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use deathwatch_claims::{
    Claim,
    check::{Checkpoint, Exchange, Stop},
};
use deathwatch_cluster::{
    Cluster, ConnectError, HostAddress, Member, Traffic, TurnedAway, connect, free_addresses,
};
use deathwatch_scenario::{Problem, input, scenario::display};
use deathwatch_show::text::show_size;
use deathwatch_study::{
    answers::AnswersHeader,
    sweep::digest,
    verdict::{Engine, Refines, Verdict},
};

use crate::{
    checkpoints::{Checkpoints, program_checksum},
    diagnostics,
    exit::{Abandon, Exit},
    interrupt::Deadline,
    limits::{Limits, available_threads, count, free_bytes, time},
    load::Ready,
    local_processes::{LocalProcesses, is_orphan},
    progress::ProgressLine,
    search::Searches,
    write::reason,
};

/// The most processes of a cluster.
const MOST_PROCESSES: usize = 256;
/// The most bytes of a file of hosts or of a secret.
const MOST_BYTES: u64 = 1 << 16;
/// The least bytes of a secret.
const LEAST_SECRET: usize = 16;
/// The environment variable that has the secret if no file does.
const SECRET: &str = "DEATHWATCH_SECRET";
/// The most scenarios that a difference between processes names.
const MOST_NAMED: usize = 16;

/// The flags that let several processes search together.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("members").args(["cluster", "addresses"]))]
pub(crate) struct ClusterArgs {
    /// Search each world by this number of processes on this machine, which share its threads and
    /// memory, unless these are given: then each process has as much
    ///
    /// The answers are those of one process. If a process is lost, what is not answered yet is
    /// undecided; with --checkpoint, --resume goes on.
    #[arg(long, value_name = "N", value_parser = processes, conflicts_with_all = [
        "cluster", "diff", "journal", "watch", "write_graph",
    ])]
    processes: Option<usize>,

    /// Search each world by the processes of this file, which are started one by one: a line for
    /// each, HOST:PORT, at which that process listens and nowhere else
    ///
    /// All of them have the same program and scenarios, and the same flags about what is asked and
    /// kept; limits and threads are each one's own. What they send is not encrypted: their network
    /// has to be one that nobody else can write to.
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = [
        "diff", "journal", "watch", "write_graph",
    ])]
    cluster: Option<PathBuf>,

    /// With --cluster, which of the processes this one is, from 0; that one prints the answers, and
    /// the others nothing
    #[arg(long, value_name = "K", requires = "members")]
    process: Option<usize>,

    /// With --cluster, a file whose bytes all processes know and nobody else: 16 at least, in a
    /// file that others cannot read [default: the value of `DEATHWATCH_SECRET`]
    #[arg(long, value_name = "FILE", requires = "cluster")]
    secret: Option<PathBuf>,

    /// The time that processes wait for each other at the beginning, such as 60s
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = time)]
    connect_within: Duration,

    /// The addresses of all processes, in the place of a file
    #[arg(
        long,
        value_name = "HOST:PORT",
        value_delimiter = ',',
        requires = "process",
        hide = true
    )]
    addresses: Vec<HostAddress>,

    /// The process that has started this one; once it is gone, this one waits for no others
    #[arg(long, value_name = "PID", hide = true)]
    started_by: Option<u32>,
}

fn processes(text: &str) -> Result<usize, String> {
    let processes = count(text, MOST_PROCESSES)?;
    if processes < 2 { Err("one process needs no others".to_owned()) } else { Ok(processes) }
}

impl ClusterArgs {
    pub(crate) fn is_asked(&self) -> bool {
        self.process().is_some()
    }

    /// The number of this process, if several search.
    pub(crate) fn process(&self) -> Option<usize> {
        self.process.or(self.processes.map(|_| 0))
    }

    /// Whether another process on this machine has started this one.
    pub(crate) fn was_started(&self) -> bool {
        self.started_by.is_some()
    }

    pub(crate) fn follows(&self) -> bool {
        self.process().is_some_and(|process| process != 0)
    }

    /// An error, if stateright is asked to search with others, which it cannot.
    pub(crate) fn refuse_stateright(&self, engine: Engine) -> Result<(), Problem> {
        if self.is_asked() && engine == Engine::Stateright {
            return Err(Problem::new("stateright searches by one process")
                .with_help("our own checker can by several (`--engine own`)"));
        }
        Ok(())
    }

    /// The limits of each process, if they share this machine.
    pub(crate) fn share(&self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        if let Some(processes) = self.processes {
            limits.threads = limits.threads.or(Some((available_threads() / processes).max(1)));
            let share = || free_bytes().map(|bytes| bytes / processes as u64);
            limits.max_memory = limits.max_memory.or_else(share);
        }
        limits
    }

    /// Starts the other processes, if they are of this machine, and connects this one with them.
    /// `question` must be the same in all of them, or they refuse each other.
    pub(crate) fn join<'c>(
        &self,
        limits: &Limits,
        deadline: &Deadline,
        question: &[String],
        checkpoints: Option<&'c Checkpoints<'c>>,
    ) -> Result<ConnectedProcess<'c>, Abandon> {
        let (addresses, process, secret, children) = match (self.processes, self.process) {
            (Some(processes), _) => {
                let addresses = free_addresses(processes).map_err(|error| {
                    let reason = reason(&error);
                    Problem::new(format!("failed to listen on this machine: {reason}"))
                })?;
                let secret = random_secret()?;
                let children = LocalProcesses::start(&addresses, (SECRET, &secret), limits)?;
                (addresses, 0, secret.into_bytes(), children)
            }
            (None, Some(process)) => {
                let file = self.cluster.as_deref();
                let addresses = file.map_or_else(|| Ok(self.addresses.clone()), read_addresses)?;
                if process >= addresses.len() {
                    let message = format!("there is no process {process}");
                    let help = format!("there are {}, from 0", addresses.len());
                    return Err(Problem::new(message).with_help(help).into());
                }
                (addresses, process, self.read_secret()?, LocalProcesses::default())
            }
            (None, None) => unreachable!("nobody joins what was not asked for"),
        };
        let children = RefCell::new(children);
        let mut lines = vec![format!("{} processes", addresses.len())];
        lines.extend_from_slice(question);
        let patience = Deadline::begin(Some(self.connect_within));
        let connected = connect(&Member {
            addresses: &addresses,
            process,
            secret: &secret,
            question: &lines,
            stop: &|| {
                [deadline, &patience].iter().any(|it| it.stop().is_some())
                    || children.borrow_mut().has_ended()
                    || self.started_by.is_some_and(is_orphan)
            },
            turned_away: &|address, why| {
                let why = match why {
                    TurnedAway::Stranger => "no process of ours",
                    TurnedAway::Secret => "it does not know the secret of this process",
                };
                diagnostics::say(format_args!("{address} was turned away: {why}"));
            },
        });
        let children = children.into_inner();
        match connected {
            Ok(cluster) => {
                let deadline = deadline.clone();
                let cluster = cluster.stopping(move || deadline.stop().is_some());
                Ok(ConnectedProcess {
                    cluster,
                    children,
                    checkpoints,
                    is_lost: RefCell::new(false),
                })
            }
            Err(error) => Err(match deadline.stop() {
                Some(stop) if matches!(error, ConnectError::Waited(_)) => {
                    Abandon::Unconnected(stop)
                }
                Some(_) | None => not_connected(&error, process).into(),
            }),
        }
    }

    fn read_secret(&self) -> Result<Vec<u8>, Problem> {
        let (secret, of) = match (&self.secret, std::env::var_os(SECRET)) {
            (Some(file), _) => (read_bounded(file)?, display(file)),
            (None, Some(secret)) => (secret.into_encoded_bytes(), SECRET.to_owned()),
            (None, None) => {
                let message = "there is no secret, by which processes know each other";
                let help = "`--secret FILE` or DEATHWATCH_SECRET says it";
                return Err(Problem::new(message).with_help(help));
            }
        };
        if secret.len() < LEAST_SECRET {
            let message = format!("{of} is too short for a secret");
            let help = format!("it has to have {LEAST_SECRET} bytes: `openssl rand -hex 32`");
            return Err(Problem::new(message).with_help(help));
        }
        if self.secret.as_deref().is_some_and(is_readable_by_others) {
            let message = format!("everybody can read {of}, so it is no secret");
            return Err(Problem::new(message).with_help("`chmod o= FILE` keeps others out"));
        }
        Ok(secret)
    }
}

/// Whether others than its owner and its group can read a file.
#[cfg(unix)]
fn is_readable_by_others(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|data| data.permissions().mode() & 0o004 != 0)
}

/// Whether others than its owner can read a file. It is not known here.
#[cfg(not(unix))]
fn is_readable_by_others(_: &Path) -> bool {
    false
}

/// Why this process is not connected with the others.
fn not_connected(error: &ConnectError, process: usize) -> Problem {
    let help = match error {
        ConnectError::Listen(_) | ConnectError::Resolve(..) => {
            "each line of the file is HOST:PORT, and a process listens at its own"
        }
        ConnectError::Waited(_) => {
            "start all processes, each with its own --process, within the time of --connect-within"
        }
        ConnectError::Ended(_) => {
            "what it says on its stderr may tell why; start all of them again"
        }
        ConnectError::Different(..) => {
            "all processes have the same program, scenarios and flags, but for --process"
        }
        ConnectError::Secret(_) => "all processes have the same --secret or DEATHWATCH_SECRET",
        ConnectError::Twice(_) => "each process has a --process of its own",
        ConnectError::Io(_) => "what another process says on its stderr may tell why",
    };
    Problem::new(format!("process {process} is not connected: {error}")).with_help(help)
}

/// The facts that all processes must agree on: the program, the question, and the scenarios.
pub(crate) fn question(
    asks: &str,
    header: &AnswersHeader,
    scenarios: &[Ready],
) -> Result<Vec<String>, Problem> {
    let mut question = vec![
        format!("version {}", env!("CARGO_PKG_VERSION")),
        format!("the program with the checksum {:08x}", program_checksum()?),
        format!("the flags {asks}"),
    ];
    let asked = (0..).zip(scenarios).filter(|(at, _)| header.has(*at));
    let texts = asked.map(|(_, ready)| {
        let text = digest(ready.scenario.source().as_bytes());
        format!("{} with the checksum {text:016x}", ready.scenario.name)
    });
    let texts: Vec<String> = texts.collect();
    if texts.len() > MOST_NAMED {
        let text = digest(texts.join("\n").as_bytes());
        question.push(format!("{} scenarios with the checksum {text:016x}", texts.len()));
    } else {
        question.extend(texts);
    }
    Ok(question)
}

/// A process that is connected with the others.
pub(crate) struct ConnectedProcess<'c> {
    cluster: Cluster,
    children: LocalProcesses,
    checkpoints: Option<&'c Checkpoints<'c>>,
    is_lost: RefCell<bool>,
}

impl ConnectedProcess<'_> {
    /// The exchange by which this process sends messages to the others.
    pub(crate) fn exchange(&self) -> &dyn Exchange {
        &self.cluster
    }

    /// Answers a scenario, as process 0 does.
    pub(crate) fn lead(
        &self,
        searches: &Searches<'_>,
        ready: &Ready,
        only: &[&'static Claim],
        refines: Refines,
        line: &ProgressLine,
        checkpoint: Option<&Checkpoint>,
    ) -> Verdict {
        let (line, exchange) = (Some(line), self.exchange());
        let verdict = searches.judge_by_cluster(ready, only, refines, line, checkpoint, exchange);
        let verdict = verdict.expect("process 0 gets the verdict");
        if verdict.stopped() == Some(Stop::Memory) {
            diagnostics::say(format_args!(
                "each process needs room for its part, and process 0 for the whole graph where \
                 claims of the kind leads may be violated, or where one state stands for several: \
                 raise --max-memory, or use more processes"
            ));
        }
        if verdict.stopped() == Some(Stop::Peer) && !self.is_lost.replace(true) {
            let help = self.checkpoints.map_or(
                "start all of them again",
                |_| "with `--resume` the same command goes on from the last checkpoint",
            );
            diagnostics::say(format_args!(
                "a process was lost: what is not answered is undecided; {help}"
            ));
        }
        verdict
    }

    /// Helps to answer a scenario, as all other processes do.
    pub(crate) fn follow(
        &self,
        searches: &Searches<'_>,
        ready: &Ready,
        only: &[&'static Claim],
        refines: Refines,
    ) -> Result<(), Problem> {
        let (all, exchange) = (self.checkpoints, self.exchange());
        let opened = all.map(|all| all.open(ready, Some(exchange))).transpose()?.flatten();
        let checkpoint = opened.as_ref();
        searches.judge_by_cluster(ready, only, refines, None, checkpoint, exchange);
        let refused = all.and_then(|all| all.refused(ready, checkpoint));
        refused.map_or(Ok(()), Err)?;
        let is_answered = self.tell(false);
        all.zip(opened)
            .filter(|_| is_answered)
            .into_iter()
            .for_each(|(all, it)| all.remove(ready, it));
        Ok(())
    }

    /// Whether a scenario is answered, as process 0 knows; it tells the others here, so that all
    /// remove or keep its checkpoint together.
    pub(crate) fn tell(&self, is_answered: bool) -> bool {
        let message = vec![u8::from(is_answered)];
        let told = self
            .checkpoints
            .and_then(|_| self.cluster.exchange(vec![message; self.cluster.processes()]).ok());
        told.is_some_and(|messages| messages[0] == [1])
    }

    /// Ends the connections in order because of a problem that ends all processes, each of which
    /// says its own.
    pub(crate) fn refuse(self, problem: Problem) -> Abandon {
        self.finish(false);
        problem.into()
    }

    /// Ends the connections after the last scenario; with `timings`, reports the messages sent.
    pub(crate) fn finish(self, timings: bool) -> Exit {
        let (process, Traffic { rounds, bytes }) = (self.cluster.process(), self.cluster.traffic());
        if timings {
            let size = show_size(bytes);
            diagnostics::say(format_args!("process {process} has sent {size} in {rounds} rounds"));
        }
        if let Some(silent) = self.cluster.silent() {
            diagnostics::say(format_args!(
                "process {silent} has said nothing for a minute, so it was taken for lost"
            ));
        }
        let is_lost = self.is_lost.into_inner() || !self.cluster.finish();
        if !is_lost {
            self.children.wait();
        }
        if is_lost { Exit::Undecided } else { Exit::AsExpected }
    }
}

/// A random secret for the processes of this machine.
fn random_secret() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(format!("there are no random numbers: {error}")))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes any text");
        text
    }))
}

fn read_addresses(file: &Path) -> Result<Vec<HostAddress>, Problem> {
    let text = String::from_utf8(read_bounded(file)?);
    let text = text.map_err(|_| Problem::new(format!("{} is no text", display(file))))?;
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    let addresses: Vec<HostAddress> = lines.map(str::to_owned).collect();
    let is_address = |it: &HostAddress| {
        let parts = it.rsplit_once(':');
        parts.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
    };
    if let Some(wrong) = addresses.iter().find(|it| !is_address(it)) {
        let message = format!("{} has a line that is no address: {wrong}", display(file));
        return Err(Problem::new(message).with_help("expected HOST:PORT"));
    }
    if !(2..=MOST_PROCESSES).contains(&addresses.len()) {
        let message = format!("{} has {} addresses", display(file), addresses.len());
        let help = format!("expected one for each process, from 2 to {MOST_PROCESSES}");
        return Err(Problem::new(message).with_help(help));
    }
    Ok(addresses)
}

/// The bytes of a small file; a pipe is refused, as reading it might wait for ever.
fn read_bounded(file: &Path) -> Result<Vec<u8>, Problem> {
    let failed = |error: io::Error| {
        Problem::new(format!("failed to read {}: {}", display(file), reason(&error)))
    };
    input::read(file, MOST_BYTES).map_err(failed)
}
