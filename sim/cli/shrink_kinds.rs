//! `--shrink-kinds`: the shortest run of each kind of failure, of a sweep just now or of journals.
//!
//! Journals have no scenarios, only their files and what these were like. So shards are shrunk
//! where the scenarios are at hand, unchanged, and give what the undivided sweep would have given.

use std::path::Path;

use deathwatch_documents::Sweep;
use deathwatch_scenario::{Problem, Replay, scenario::Address};
use deathwatch_study::{
    assume::NamedVariant,
    shrink::{Budget, TRIES},
    simulate::Simulation,
    sweep::{self, About},
};

use crate::{
    exit::Abandon,
    interrupt::Deadline,
    load::{self, Ready},
    progress::ProgressLine,
    set, shrink,
};

/// The advice where the scenarios are not at hand as they were.
const WITHOUT: &str = "without --shrink-kinds, `merge` needs no scenarios";

/// Finds the shortest run of each group of failures.
pub(crate) fn shortest(swept: &mut Sweep, of: (&Simulation<'_>, &Replay), deadline: &Deadline) {
    let line = ProgressLine::new(&swept.scenario);
    let show = |progress| line.set_text(|scenario| shrink::progress_text(scenario, progress));
    let stop = || deadline.stop().is_some();
    sweep::shortest(swept, of, &|| Budget { tries: TRIES, stop: &stop, progress: &show });
}

/// Loads the scenarios that journals are of.
///
/// # Errors
/// If one of them is not there, or cannot be read.
pub(crate) fn scenarios(deadline: &Deadline, journals: &[About]) -> Result<Vec<Ready>, Abandon> {
    let address = |about: &About| Address::given(Path::new(&about.file));
    let missing = journals.iter().filter(|about| !address(about).file.exists());
    let missing: Vec<Problem> = missing
        .map(|About { scenario, file, .. }| {
            let message = format!("failed to shrink runs of {scenario}: there is no {file} here");
            Problem::new(message).with_help(format!("the journals name it so; {WITHOUT}"))
        })
        .collect();
    if !missing.is_empty() {
        return Err(Abandon::Problems(missing));
    }
    let scenarios = load::each_within(deadline, journals.iter().map(address).collect())?;
    let with_variants = |(about, ready): (&About, Ready)| {
        let set = about.set.iter().map(|it| set::setting(it));
        let set: Vec<NamedVariant> = set.collect::<Result<_, _>>().map_err(Problem::new)?;
        set::played(&set, ready)
    };
    let scenarios: Vec<Ready> =
        journals.iter().zip(scenarios).map(with_variants).collect::<Result<_, Problem>>()?;
    load::all_finished(&scenarios)?;
    Ok(scenarios)
}

/// An error, unless the scenarios are still those of the journals.
pub(crate) fn all_unchanged(
    journals: &[About],
    scenarios: &[Ready],
    simulations: &[Simulation<'_>],
) -> Result<(), Abandon> {
    let now = simulations.iter().zip(scenarios);
    let now = now.map(|(simulation, ready)| About::new(simulation, &ready.replay));
    let problems = journals.iter().zip(now).filter_map(|(journal, now)| {
        let difference = journal.difference(&now)?;
        let About { scenario, file, .. } = journal;
        let message = format!("failed to shrink runs of {scenario}: {file} is not as it was");
        Some(
            Problem::new(message).with_help(format!("the journals are of {difference}; {WITHOUT}")),
        )
    });
    let problems: Vec<Problem> = problems.collect();
    if problems.is_empty() { Ok(()) } else { Err(Abandon::Problems(problems)) }
}
