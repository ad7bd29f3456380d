//! The command line: one file per command, each with its `Args` and its `run`.
//!
//! Commands call the library and hold no algorithm. Results go to stdout or to `--output`,
//! progress and diagnostics to stderr, and every command ends in one of four exit codes.

mod appearance;
mod arguments;
mod ask;
mod assume;
mod certificate_file;
mod check;
mod checkpoints;
mod cluster;
mod completions;
mod crashdump;
mod diagnose;
mod diagnostics;
mod diff;
mod exit;
mod explore;
mod folder;
mod format;
mod graph_file;
mod headings;
mod inputs;
mod interrupt;
mod limits;
mod list;
mod load;
mod local_processes;
mod man;
mod merge;
mod new;
mod output;
mod progress;
mod question;
mod replay;
mod report;
mod report_pages;
mod report_rows;
mod schema;
mod search;
mod set;
mod shipped;
mod shrink;
mod shrink_kinds;
mod simulate;
mod temporary;
mod traces;
mod watch;
mod write;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use deathwatch_scenario::scenario::own;

const EXAMPLES: &str = "\
Examples:
  deathwatch check                                answer every scenario below scenarios/
  deathwatch check scenarios/relation-scope-bug   answer those of one folder
  deathwatch new my.toml                          write a scenario to start from
  deathwatch ask my.toml --always CONDITION       ask a question on the spot, in CEL
  deathwatch assume my.toml                       find what each claim needs to hold
  deathwatch simulate my.toml --seeds 0..1000     run a scenario by seed, with random faults
  deathwatch replay scenarios/transactions        show what each step of a script changes
  deathwatch list claims                          list the claims

Exit codes:
  0  every answer is the expected one
  1  some answer is not
  2  the question could not be asked: a bad file, a bad flag, an output that cannot be written
  3  no answer within the limits: time, memory, states, Ctrl-C or a signal to end";

/// Does every Dying Juju entity get removed, and under which assumptions?
///
/// deathwatch checks the Juju entity lifecycle protocol. A scenario has machines, units,
/// applications and relations, variants, the commands that the user may give, the faults that may
/// happen, and the claims that are expected to hold or to be violated.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    colours: appearance::Colours,

    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    Check(check::Args),
    Ask(ask::Args),
    Assume(assume::Args),
    Diagnose(diagnose::Args),
    Simulate(simulate::Args),
    Merge(merge::Args),
    Replay(replay::Args),
    Explore(explore::Args),
    List(list::Args),
    Shrink(shrink::Args),
    New(new::Args),
    Schema(schema::Args),
    Report(report::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn command_line() -> clap::Command {
    headings::with_headings(Cli::command())
}

fn main() -> ExitCode {
    if let Err(stop) = output::is_open() {
        return stop.report().into();
    }
    let parsed = command_line().try_get_matches();
    let parsed = parsed.and_then(|it| {
        Cli::from_arg_matches(&it).map_err(|error| error.format(&mut command_line()))
    });
    let cli = parsed.unwrap_or_else(|error| arguments::exit(&error));
    cli.colours.obey();
    interrupt::listen();
    shipped::offer();
    if let Err(problems) = own::built_in() {
        return exit::Abandon::Problems(problems).report().into();
    }
    let done = match cli.command {
        CliCommand::Check(args) => check::run(&args),
        CliCommand::Ask(args) => ask::run(&args),
        CliCommand::Assume(args) => assume::run(&args),
        CliCommand::Diagnose(args) => diagnose::run(&args),
        CliCommand::Simulate(args) => simulate::run(&args),
        CliCommand::Merge(args) => merge::run(&args),
        CliCommand::Replay(args) => replay::run(&args),
        CliCommand::Explore(args) => explore::run(&args),
        CliCommand::List(args) => list::run(&args),
        CliCommand::Shrink(args) => shrink::run(&args),
        CliCommand::New(args) => new::run(&args),
        CliCommand::Schema(args) => schema::run(&args),
        CliCommand::Report(args) => report::run(&args),
        CliCommand::Completions(args) => completions::run(&args, command_line()),
        CliCommand::Man(args) => man::run(&args, command_line()),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(stop) => stop.report().into(),
    }
}
