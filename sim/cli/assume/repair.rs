//! `deathwatch assume --all-claims`: the smallest sets of changes with which every claim holds, and
//! their costs elsewhere.

use std::path::{Path, PathBuf};

use deathwatch_documents::assumed::{OtherScenarios, Repaired};
use deathwatch_scenario::{
    Problem, Scenario,
    problem::nearest,
    replay::Replay,
    scenario::{self, display},
};
use deathwatch_study::assume::repair::{self, RepairOptions};

use super::{Args, tried};
use crate::{
    exit::{Abandon, Exit},
    load::{self, Ready},
    output::Output,
    progress::ProgressLine,
    search::Searches,
};

/// The greatest number of other scenarios, times repairs, that are asked without being named.
const SOON_DONE: usize = 400;

/// The greatest number of states of a world that is asked without being named.
const SMALL: u64 = 20_000;

/// The flags that ask for repairs.
#[derive(clap::Args)]
pub(super) struct RepairArgs {
    /// Find the smallest sets of changes with which every claim of all these scenarios holds:
    /// variants at their defaults or fixes, then clauses and asserts that are switched off
    #[arg(long, conflicts_with_all = ["claims", "chosen", "stuck"])]
    pub(super) all_claims: bool,

    /// A claim that may be violated all the same (may be given again)
    #[arg(long, value_name = "CLAIM", requires = "all_claims")]
    except: Vec<String>,

    /// Tell which claims of the scenarios in this folder a repair breaks or makes vacuous
    /// [default: the folder of the scenario, if that is soon done]
    #[arg(long, value_name = "FOLDER", requires = "all_claims")]
    elsewhere: Option<PathBuf>,
}

/// Writes the repairs of the scenarios.
pub(super) fn write(
    args: &Args,
    searches: &Searches<'_>,
    scenarios: &[Ready],
    output: &mut Output,
) -> Result<Exit, Abandon> {
    for name in &args.repair.except {
        is_asked(name, scenarios)?;
    }
    let others = others(args, searches, scenarios)?;
    let name = match scenarios {
        [one] => one.scenario.name.clone(),
        all => format!("{} scenarios", all.len()),
    };
    let line = ProgressLine::new(&name);
    let stop = || searches.deadline.stop();
    let asked: Vec<(&Scenario, &Replay)> = scenarios.iter().map(pair).collect();
    let options = RepairOptions {
        except: &args.repair.except,
        variants: tried(args),
        settings: searches.settings(&stop, &|_| {}),
        progress: &|begun, all, size| {
            line.set_text(|name| format!("{name}: {begun} of {all} sets of {size}"));
        },
    };
    let mut repaired = repair::repair(&asked, &options);
    tell_costs(args, searches, others, &mut repaired);
    let exit = if repaired.decided { Exit::AsExpected } else { Exit::Undecided };
    output.write(&args.format.repaired(repaired))?;
    Ok(exit)
}

fn pair(ready: &Ready) -> (&Scenario, &Replay) {
    (&ready.scenario, &ready.replay)
}

/// An error, unless a scenario asks this claim.
fn is_asked(name: &str, scenarios: &[Ready]) -> Result<(), Problem> {
    let asked = || scenarios.iter().flat_map(|it| &it.scenario.claims).map(|(claim, _)| claim.name);
    if asked().any(|it| it == name) {
        return Ok(());
    }
    let problem = Problem::new(format!("no scenario here asks the claim \"{name}\""));
    Err(match nearest(name, asked()) {
        Some(help) => problem.with_help(help),
        None => problem,
    })
}

/// The other scenarios whose costs are given, and their folder: the named one, or that of the
/// scenarios if it is the same for all and can be read.
fn others(
    args: &Args,
    searches: &Searches<'_>,
    scenarios: &[Ready],
) -> Result<Option<(PathBuf, Vec<Ready>)>, Abandon> {
    let is_other =
        |it: &Ready| scenarios.iter().all(|asked| asked.scenario.name != it.scenario.name);
    if let Some(folder) = &args.repair.elsewhere {
        let mut others = load::scenarios_within(&searches.deadline, std::slice::from_ref(folder))?;
        others.retain(is_other);
        return Ok(Some((folder.clone(), others)));
    }
    let folder = |ready: &Ready| match ready.scenario.address.file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut folders: Vec<PathBuf> = scenarios.iter().map(folder).collect();
    folders.dedup();
    let [folder] = &folders[..] else { return Ok(None) };
    let is_few = scenario::find(std::slice::from_ref(folder)).is_ok_and(|it| it.len() <= SOON_DONE);
    if !is_few {
        return Ok(None);
    }
    let others = load::readable(&searches.deadline, folder)?;
    Ok(Some((folder.clone(), others.into_iter().filter(is_other).collect())))
}

/// Adds the costs of each repair in other scenarios, if the flags ask for them, or if that is soon
/// done.
fn tell_costs(
    args: &Args,
    searches: &Searches<'_>,
    others: Option<(PathBuf, Vec<Ready>)>,
    repaired: &mut Repaired,
) {
    let Some((folder, others)) = others else { return };
    let is_named = args.repair.elsewhere.is_some();
    let is_nothing = repaired.repairs.iter().any(|it| it.changes.is_empty());
    let worlds = others.len() * repaired.repairs.len();
    if is_nothing || worlds == 0 || !is_named && worlds > SOON_DONE {
        return;
    }
    let line = ProgressLine::new(&display(&folder));
    let stop = || searches.deadline.stop();
    let mut settings = searches.settings(&stop, &|_| {});
    if !is_named {
        settings.max_states = Some(settings.max_states.unwrap_or(SMALL).min(SMALL));
    }
    let pairs: Vec<(&Scenario, &Replay)> = others.iter().map(pair).collect();
    let repairs = repaired.repairs.iter().map(|it| it.changes.as_slice());
    let progress =
        |begun| line.set_text(|name| format!("{name}: {begun} of {} scenarios", pairs.len()));
    let costs = repair::costs(&pairs, &repairs.collect::<Vec<_>>(), &settings, &progress);
    for (repair, cost) in repaired.repairs.iter_mut().zip(costs) {
        repair.elsewhere = Some(cost);
    }
    let scenarios = others.len();
    repaired.elsewhere = Some(OtherScenarios { folder: display(&folder), scenarios });
}
