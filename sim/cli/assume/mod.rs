//! `deathwatch assume`: which assumptions and variants each claim needs, and which changes repair
//! them all.

mod repair;

use std::path::PathBuf;

use deathwatch_claims::{Claim, check::SearchProgress};
use deathwatch_scenario::{Problem, Scenario};
use deathwatch_study::{
    assume::{
        self, AssumeOptions, NamedVariant, ScenarioNeeds, SearchLimit, Tried, UndecidedReason,
        document,
    },
    verdict,
};

use self::repair::RepairArgs;
use crate::{
    diagnostics,
    exit::{Abandon, Exit, heard},
    format::DocumentFormat,
    limits::Limits,
    load::{self, Ready},
    output::{Output, Results},
    progress::ProgressLine,
    search::Searches,
    set,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch assume scenarios/caveats/hook-error-resolved.toml
  deathwatch assume my.toml --claim \"a Dying unit is removed\"
  deathwatch assume my.toml --variants relation-tracking,settings-cleanup=cleaner
  deathwatch assume my.toml --chosen
  deathwatch assume my.toml --no-variants --format json --time 10m
  deathwatch assume my.toml --format html --output needs.html
  deathwatch assume scenarios/caveats/hook-error-resolved.toml --stuck
  deathwatch assume my.toml# --all-claims
  deathwatch assume my.toml# --all-claims --except \"a Dead unit is in no scope\" --elsewhere my

Exit codes: 0 decided, 2 could not be asked, 3 some of it was not decided within the limits.";

/// Find the assumptions and variants that each claim needs
///
/// Answers: under which smallest sets of assumptions does each claim hold? What can be assumed:
/// agents act, and what else the table [assume] names; of each kind of faults that the scenario
/// has, that it strikes finitely often, or never; of each variant, another value than the
/// scenario's. What the scenario itself assumes is not taken for granted. A witness needs the
/// reverse: faults that may happen.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is given on its own")]
pub(crate) struct Args {
    /// Scenario files, or folders of them; their scripts come first
    ///
    /// A file stands for all scenarios in it, `FILE#NAME` for one of them, and `FILE#` for the
    /// first alone.
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Ask with this variant, whatever the scenarios say of it, as in
    /// relation-tracking=remote-scope (may be given again)
    #[arg(long, value_name = "VARIANT=VALUE", value_parser = set::setting)]
    set: Vec<NamedVariant>,

    /// Ask of this claim only (may be given again), and of no witnesses
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,

    /// Try these variants, at their fixes or at one value, and no others [default: those that the
    /// scenario leaves at their defaults, that have fixes, and that make a difference]
    #[arg(long, value_name = "NAME[=VALUE],…", value_delimiter = ',', value_parser = NamedVariant::read)]
    variants: Vec<NamedVariant>,

    /// Try, too, each variant that the scenario chooses, at its default: which of its choices a
    /// claim needs
    #[arg(long, conflicts_with = "variants")]
    chosen: bool,

    /// Leave all variants as they are
    #[arg(long, conflicts_with_all = ["variants", "chosen"])]
    no_variants: bool,

    /// Find the reverse: what waits for ever if one thing that went wrong is never put right, and
    /// by which chain
    #[arg(long, conflicts_with_all = ["variants", "chosen", "no_variants"])]
    stuck: bool,

    /// Refused: what views say is not kept for other assumptions
    #[arg(long, hide = true)]
    any_size: bool,

    #[command(flatten)]
    repair: RepairArgs,

    #[command(flatten)]
    limits: Limits,

    /// The format of the results
    #[arg(long, value_enum, default_value_t)]
    format: DocumentFormat,

    /// Write the results to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    heard(answer(args))
}

fn answer(args: &Args) -> Result<Exit, Abandon> {
    if args.any_size {
        let problem = Problem::new(
            "`assume` does not answer for every number of units: it decides all sets of \
             assumptions on the graph of one world, and views have none",
        );
        let help = "write what is assumed into [assume], and ask `check --any-size`";
        return Err(problem.with_help(help).into());
    }
    let searches = Searches::begin(&args.limits);
    let loaded = load::scenarios_within(&searches.deadline, &args.paths);
    let results = Results { format: args.format.into(), output: args.output.clone() };
    let scenarios = results.of_loaded("assume", (&args.paths, None), loaded)?;
    let mut scenarios = set::all(&args.set, asking(args, scenarios)?)?;
    load::all_finished(&scenarios)?;
    for ready in &mut scenarios {
        let named = claims(args, ready)?;
        ready.keep(&named);
    }
    let asked: Vec<(&Ready, Vec<&'static Claim>)> = scenarios
        .iter()
        .map(|ready| Ok((ready, claims(args, ready)?)))
        .collect::<Result<_, Problem>>()?;
    let mut output = results.open(&load::inputs(&scenarios))?;
    let exit = if args.repair.all_claims {
        repair::write(args, &searches, &scenarios, &mut output)?
    } else if args.stuck {
        write_stuck(args, &searches, &asked, &mut output)?
    } else {
        write_assumed(args, &searches, &asked, &mut output)?
    };
    output.finish()?;
    Ok(exit)
}

fn write_assumed(
    args: &Args,
    searches: &Searches<'_>,
    asked: &[(&Ready, Vec<&'static Claim>)],
    output: &mut Output,
) -> Result<Exit, Abandon> {
    let (all, exit) = write_each(args, asked, output, |ready, claims| {
        let assumed = assumed(args, searches, ready, claims);
        let document = document::assumed(&assumed);
        (exit_of(ready, &assumed), Some((args.format.assumed(&document), document)))
    })?;
    output.write(&args.format.all_assumed(all))?;
    Ok(exit)
}

fn write_stuck(
    args: &Args,
    searches: &Searches<'_>,
    asked: &[(&Ready, Vec<&'static Claim>)],
    output: &mut Output,
) -> Result<Exit, Abandon> {
    let (all, exit) = write_each(args, asked, output, |Ready { scenario, replay }, claims| {
        let line = ProgressLine::new(&scenario.name);
        let progress = |progress: SearchProgress| line.show(progress);
        let stop = || searches.deadline.stop();
        let settings = searches.settings(&stop, &progress);
        match assume::stuck(scenario, replay, claims, &settings) {
            Ok(stuck) => {
                let document = document::stuck(&scenario.name, &stuck);
                (Exit::AsExpected, Some((args.format.stuck(&document), document)))
            }
            Err(limit) => (not_decided(scenario, &limit), None),
        }
    })?;
    output.write(&args.format.all_stuck(all))?;
    Ok(exit)
}

/// Asks each scenario in turn, and writes an answer as soon as it is there. Returns the answers,
/// and the worst exit code.
fn write_each<'a, T>(
    args: &Args,
    asked: &[(&'a Ready, Vec<&'static Claim>)],
    output: &mut Output,
    ask: impl Fn(&'a Ready, &[&'static Claim]) -> (Exit, Option<(String, T)>),
) -> Result<(Vec<T>, Exit), Abandon> {
    let (mut all, mut exit) = (Vec::new(), Exit::AsExpected);
    for (ready, claims) in asked {
        let (code, answered) = ask(ready, claims);
        exit = exit.max(code);
        if let Some((told, answer)) = answered {
            if !all.is_empty() {
                output.write(args.format.between())?;
            }
            output.write(&told)?;
            all.push(answer);
        }
    }
    Ok((all, exit))
}

/// Reports the limit that leaves a scenario undecided.
fn not_decided(scenario: &Scenario, limit: &SearchLimit) -> Exit {
    match limit {
        SearchLimit::TooLarge(why) => {
            diagnostics::report(&[verdict::unsearchable(scenario, why)]);
            Exit::NotAsked
        }
        SearchLimit::Stopped(stop) => {
            let why = verdict::stopped(*stop);
            diagnostics::say(format_args!("undecided: {}: {why}", scenario.name));
            Exit::Undecided
        }
    }
}

/// The scenarios that ask something: all, if claims are named.
fn asking(args: &Args, scenarios: Vec<Ready>) -> Result<Vec<Ready>, Problem> {
    let asks = |ready: &Ready| {
        let scenario = &ready.scenario;
        !args.claims.is_empty() || !scenario.claims.is_empty() || !scenario.witnesses.is_empty()
    };
    let asking: Vec<Ready> = scenarios.into_iter().filter(asks).collect();
    if asking.is_empty() {
        let problem = Problem::new("no scenario here asks anything");
        return Err(problem.with_help("name what to ask with --claim"));
    }
    Ok(asking)
}

fn claims(args: &Args, ready: &Ready) -> Result<Vec<&'static Claim>, Problem> {
    let mut claims: Vec<&'static Claim> = Vec::new();
    for name in &args.claims {
        let claim = load::claim(name, &ready.scenario)?;
        if claims.iter().all(|known| known.name != claim.name) {
            claims.push(claim);
        }
    }
    Ok(claims)
}

fn assumed(
    args: &Args,
    searches: &Searches<'_>,
    ready: &Ready,
    only: &[&'static Claim],
) -> ScenarioNeeds {
    let line = ProgressLine::new(&ready.scenario.name);
    let variants = tried(args);
    let stop = || searches.deadline.stop();
    let options = AssumeOptions {
        only,
        variants,
        settings: searches.settings(&stop, &|_| {}),
        progress: &|begun, all| line.set_text(|name| format!("{name}: {begun} of {all} worlds")),
    };
    assume::assume(&ready.scenario, &ready.replay, &options)
}

/// The variants to try.
fn tried(args: &Args) -> Tried<'_> {
    if args.no_variants || !args.variants.is_empty() {
        Tried::These(&args.variants)
    } else if args.repair.all_claims {
        Tried::DefaultsAndFixes
    } else if args.chosen {
        Tried::FixesAndDefaults
    } else {
        Tried::Fixes
    }
}

fn exit_of(ready: &Ready, assumed: &ScenarioNeeds) -> Exit {
    let too_large = assumed.open.iter().find_map(|(_, open)| match open {
        UndecidedReason::Limit(limit @ SearchLimit::TooLarge(_)) => Some(limit),
        UndecidedReason::Limit(SearchLimit::Stopped(_)) | UndecidedReason::Impossible => None,
    });
    if let Some(limit) = too_large {
        return not_decided(&ready.scenario, limit);
    }
    if assumed.is_whole() { Exit::AsExpected } else { Exit::Undecided }
}
